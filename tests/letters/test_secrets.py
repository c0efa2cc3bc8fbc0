"""Two games that differ only in what is secret to somebody bring that one, the list and the readers the same
letters."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pbem.engine import events as e
from pbem.engine.evolve import evolve
from pbem.letters.outcome import Outcome
from tests.letters.village import CAST, SCRIBE, Village, to, to_list, with_roles

ALL = set(range(1, 6))


def _batch(village: Village, *events: e.Event, actor: int = 0):
    after = village.game
    for event in events:
        after = evolve(after, event)
    return SCRIBE.batch(events, village.game, after, village.book, at=village.at, actor=actor)


def _same_but_for(one, other, *knowing: int) -> None:
    for seat in ALL - set(knowing):
        assert to(one, seat) == to(other, seat)
    assert to_list(one) == to_list(other)
    readers = [[letter for letter in letters if letter.to == "lectrice@example.net"] for letters in (one, other)]
    assert readers[0] == readers[1]


def _villages(**roles: str) -> tuple[Village, Village]:
    options = replace(Village().game.options, composition="hidden")
    return Village(options=options), Village(with_roles(CAST, **roles), options)


def test_org_1_the_start_tells_each_his_own_role() -> None:
    one, other = _villages(Alice="forger", Bruno="seer")
    _same_but_for(one.start(), other.start(), 1, 2)


def test_match_1_love_is_between_two() -> None:
    one, other = Village(lovers=(1, 3)), Village()
    assert "aimez" in to(one.start(), 1)[0].text
    _same_but_for(to_all(one), to_all(other), 1, 3)


def to_all(village: Village):
    if village.game.started_at is None:
        village.start()
    return SCRIBE.batch(village.events, village.before, village.game, village.book, at=village.at)


def test_the_day_opens_alike_whatever_stands_on_record() -> None:
    """A ballot shows its reader's own orders, nobody else's."""
    one, other = Village(), Village()
    for village in (one, other):
        village.start()
    one.order(1, "SEE", 2)
    one.order(2, "KILL", 3)
    day = e.DayOpened(2, one.at, one.game.deadline)
    other.at = one.at
    _same_but_for(_batch(one, day), _batch(other, day), 1, 2)
    assert "Vous sondez Bruno" in to(_batch(one, day), 1)[0].text


@pytest.mark.parametrize("cause", ["murdered", "sacrificed"])
def test_night_7_the_dead_are_found_and_nobody_knows_by_whom(cause: str) -> None:
    village = Village()
    village.start()
    batches = [
        _batch(village, e.MurderDone(1, (2,), False), e.Died(2, how, "werewolf", 1), e.TurnEnded(1, 1), _dawn(village))
        for how in ("murdered", cause)
    ]
    assert batches[0] == batches[1]


def _dawn(village: Village) -> e.DayOpened:
    assert village.game.deadline is not None
    return e.DayOpened(2, village.at, village.game.deadline)


SECRETS = [
    e.RoleSeen(1, 3, "villager"),
    e.ThreatShown(1, (3,)),
    e.Saved(1, 3),
    e.WolfGlimpsed(1, 2),
    e.NothingGlimpsed(1),
    e.PeeperSpotted(1, 3),
    e.BeastUnmasked(1, 3),
    e.ConvertedTold(1, (2,)),
    e.PackJoined(1, 3),
    e.NoEffect(1, "SEE"),
    e.OrderVoided(1, "SEE", 3),
    e.RoleCounted(1, "seer", 1),
    e.Asked(1, (2, 3), 1, Village().at, "executioner"),
]


@pytest.mark.parametrize("secret", SECRETS, ids=lambda event: type(event).__name__)
def test_what_one_is_told_changes_no_other_letter(secret: e.Private) -> None:
    village = Village()
    village.start()
    news = (e.MurderDone(1, (5,), False), e.Died(5, "murdered", "villager", 1), _dawn(village))
    _same_but_for(_batch(village, secret, *news), _batch(village, *news), 1)


FACTS = [
    e.VoteForced(3, 1, 2),
    e.PowerSpent(3, "DOUBLE"),
    e.OrderTaken(3, "VOTE", Village().at, (2,)),
    e.OrderCancelled(3, "VOTE", Village().at),
    e.TieFound((2, 3), 1, (), 4, "executioner"),
    e.LoversPaired(3, 4, 0),
    e.RoleChanged(3, "werewolf"),
    e.DiceRolled("peek", 0, 100, 5),
    e.LifeSaved(3, 4),
    e.Excused(3, None),
    e.NightFixed(True, (1,), (2,), (3,), 4, 2, 3, (), (), (), (2,), 4),
]


@pytest.mark.parametrize("fact", FACTS, ids=lambda event: type(event).__name__)
def test_facts_are_told_to_nobody(fact: e.Fact) -> None:
    village = Village()
    village.start()
    news = (e.Announced("Bonsoir."),)
    assert _batch(village, fact, *news) == _batch(village, *news)
    assert _batch(village, fact) == []


def test_the_storytellers_letters_go_to_him_alone() -> None:
    village = Village()
    village.start()
    letters = _batch(village, e.Intruded(0, 3), e.QuestionAsked(0, 3, "", "Pourquoi ?"), e.StalemateNoted(0))
    assert {letter.to for letter in letters} == {"conteur@example.org"}
    assert len(letters) == 1


def test_org_2_the_graveyard_is_read_by_the_dead_and_the_readers() -> None:
    village = Village()
    village.start()
    letters = _batch(village, e.GraveyardTalked(5, "", "Il fait sombre.", village.at, (3, 4)))
    assert [letter.to for letter in letters] == ["p3@example.net", "p4@example.net", "lectrice@example.net"]
    assert {letter.reply_to for letter in letters} == {"lune+pl1-grave@example.org"}
    assert letters[0].notices == ({"graveyard-talk": "Émile"},)
    assert dict(letters[0].headers)["From"] == "Émile"


def test_a_readers_own_words_do_not_come_back_to_him() -> None:
    village = Village()
    village.start()
    letters = _batch(village, e.GraveyardTalked(0, "Luce", "Il fait clair.", village.at, (3,)))
    assert [letter.to for letter in letters] == ["p3@example.net"]
    assert letters[0].notices == ({"graveyard-talk": "Luce"},)


def test_wolf_2_the_packs_talk_goes_to_the_pack() -> None:
    village = Village()
    village.start()
    letters = _batch(village, e.PackTalked(4, 2, "Ce soir."), actor=2)
    assert [letter.to for letter in letters] == ["p4@example.net"]
    assert letters[0].notices == ({"pack-talk": "Bruno"},)


def test_no_refusal_tells_what_its_reader_does_not_know() -> None:
    """The choices of a refusal are those of the view; another's role or love changes nothing in it."""
    one, other = _villages(Chloé="werewolf", David="ghost")
    letters = []
    for village in (one, other):
        village.start()
        game = evolve(village.game, e.LoversPaired(3, 4, 0)) if village is one else village.game
        outcomes = [
            Outcome(verb, "Chloé", "refused", code)
            for verb, code in (("KILL", "not-your-power"), ("SEE", "self-target"), ("VOTE", "unknown-player"))
        ]
        letters.append(SCRIBE.acknowledge(outcomes, game, game, village.book, 1, at=village.at))
    assert letters[0] == letters[1]
