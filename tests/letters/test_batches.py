"""One batch of events, all its letters: who gets one, how many, under which subject, in which thread."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pbem.engine import events as e
from pbem.engine.commands import Announce, Hold, Narrate, Replace, Smite, Tick
from pbem.engine.decide import next_wakeup
from pbem.engine.evolve import evolve
from tests.letters.reading import page
from tests.letters.village import CAST, OPTIONS, SCRIBE, Village, to, to_list, with_roles


@pytest.fixture
def village() -> Village:
    started = Village()
    started.start()
    return started


def batch(village: Village, *events: e.Event, **more):
    after = village.game
    for event in events:
        after = evolve(after, event)
    return SCRIBE.batch(events, village.game, after, village.book, at=village.at, **more)


class TestTheStart:
    def test_everybody_gets_exactly_one_letter_and_the_list_one(self) -> None:
        letters = Village().start()
        assert [len(to(letters, seat)) for seat in range(1, 6)] == [1] * 5
        assert len(to_list(letters)) == 1
        assert len(letters) == 7  # a reader follows

    def test_the_welcome_holds_card_ballot_and_rules_of_conduct(self) -> None:
        text = " ".join(to(Village().start(), 1)[0].text.split())
        for part in (
            "Vous êtes une voyante",
            "SONDER Bruno",
            "VOTER Émile",
            "mardi 8 décembre à 22 h (Paris)",
            "Chaque commande reçoit",
        ):
            assert part in text

    def test_the_opening_publishes_fingerprint_and_composition(self) -> None:
        text = to_list(Village().start())[0].text
        assert "9a2db2e23f1504cd056606553ac049c5e718e8f9ce9233876df1a7a1821af885" in text
        assert "loup-garou  1" in text
        hidden = to_list(Village(options=replace(OPTIONS, composition="hidden")).start())[0].text
        assert "loup-garou" not in hidden

    def test_next_1_immunity_is_public(self) -> None:
        letters = Village(immune=(2,)).start()
        assert "voter contre Bruno" in " ".join(to_list(letters)[0].text.split())
        assert "VOTER Bruno" not in to(letters, 1)[0].text

    def test_roles_are_named_in_the_players_gender_and_language(self) -> None:
        cast = with_roles(CAST, Alice="werewolf", Bruno="seer", David="werewolf")
        letters = Village(cast).start()
        assert "Vous êtes une louve-garou" in to(letters, 1)[0].text
        assert "You are a seer" in to(letters, 2)[0].text
        assert "You are a werewolf" in to(letters, 4)[0].text


class TestADay:
    def test_the_ballot_goes_to_every_living_player_whoever_he_is(self, village: Village) -> None:
        village.until("execution")
        letters = village.until("murder")
        dead = [p.seat for p in village.game.players if not p.alive]
        for player in village.game.players:
            own = to(letters, player.seat)
            assert len(own) == (1 if player.alive or player.died == 1 else 0)
            assert (
                ("qui doit brûler" in own[0].text or "who is to burn" in own[0].text) is player.alive if own else True
            )
        assert dead == []

    def test_a_ballot_lists_the_living_and_shows_what_stands(self, village: Village) -> None:
        village.order(1, "VOTE", 3)
        letters = batch(village, e.Died(4, "murdered", "militia", 1), e.DayOpened(2, village.at, village.game.deadline))
        text = to(letters, 1)[0].text
        assert "Vous votez contre Chloé." in text
        assert "VOTER Bruno" in text
        assert "VOTER David" not in text

    def test_every_link_of_it_carries_the_tag(self, village: Village) -> None:
        letter = to(batch(village, e.DayOpened(2, village.at, village.game.deadline)), 1)[0]
        assert 'href="mailto:lune+tag01k7f3q9x2m5z@example.org?subject=VOTER%20Chlo%C3%A9"' in letter.html

    def test_without_sub_addressing_the_tag_stands_in_the_subject(self) -> None:
        letters = Village(tags="subject").start()
        own = to(letters, 1)[0]
        assert own.reply_to == "lune@example.org"
        assert own.subject == "[PL1:tag01k7f3q9x2m5z] Votre rôle"
        assert 'href="mailto:lune@example.org?subject=%5BPL1%3Atag01k7f3q9x2m5z%5D%20VOTER%20Chlo%C3%A9"' in own.html
        public = to_list(letters)[0]
        assert public.reply_to == "lune@example.org"
        assert "tag0" not in public.text + public.html + str(public.headers)
        assert "    [PL1] DIRE" in public.text

    def test_reminders_due_at_once_are_one_letter_with_the_nearest_hour(self, village: Village) -> None:
        letters = batch(village, e.VoteReminded(1, 24, village.at), e.VoteReminded(1, 3, village.at))
        assert len(to(letters, 1)) == 1
        assert to(letters, 1)[0].text.count("Il manque votre vote") == 1

    def test_the_digest_of_the_morning_opens_the_days_thread(self, village: Village) -> None:
        letters = batch(village, e.MurderDone(1, (), False), e.DayOpened(2, village.at, village.game.deadline))
        assert to_list(letters)[0].kind == "murder"
        assert to_list(letters)[0].thread == "PL1/day/2"
        assert to_list(letters)[0].subject == "[PL1] Jour 2"

    def test_posts_have_the_days_subject_and_their_speakers_name(self, village: Village) -> None:
        (letter,) = batch(village, e.Posted(1, "Bonsoir.", village.at), actor=1)
        assert letter.subject == "[PL1] Jour 1"
        assert letter.thread == "PL1/day/1"
        assert dict(letter.headers)["From"] == "Alice"
        (ghostly,) = batch(village, e.Posted(1, "Hou.", village.at, ghost=True), actor=1)
        assert dict(ghostly.headers)["From"] == "Alice (d’outre-tombe)"


class TestDigests:
    def test_the_end_is_told_after_what_led_to_it(self, village: Village) -> None:
        night = (e.MurderDone(1, (3,), False), e.Died(3, "murdered", "villager", 1), e.MayorChanged(4, "heir"))
        won = e.GameWon("wolves", (2,), tuple(role for _, _, role in CAST), "ab" * 32)
        (letter,) = (one for one in to_list(batch(village, *night, won)) if one.kind != "chronicle")
        places = [
            letter.text.index(part) for part in ("La nuit 1", "Chloé, une villageoise", "Qui était qui", "Graine")
        ]
        assert places == sorted(places)
        assert letter.kind == "end"
        assert letter.subject == "[PL1] La partie est finie"

    def test_a_narration_gives_neither_kind_nor_subject(self, village: Village) -> None:
        village.game = replace(village.game, narration=("*Il pleut.*",))
        (letter,) = to_list(batch(village, e.MurderDone(1, (), False)))
        assert letter.text.index("Il pleut") < letter.text.index("La nuit 1")
        assert (letter.kind, letter.subject) == ("murder", "[PL1] Une nuit sans mort")

    def test_vote_6_the_record_is_published(self, village: Village) -> None:
        for voter, target in ((1, 2), (2, 3), (3, 2)):
            village.order(voter, "VOTE", target)
        text = to_list(village.until("end"))[0].text
        assert "Bruno a brûlé" in text
        assert "un loup-garou" in text
        assert "Alice   Bruno" in text
        assert "David   blanc" in text

    def test_forged_votes_are_said_to_be(self, village: Village) -> None:
        votes = e.VotesPublished(1, ((1, 2, "vote"), (3, 3, "self")), ((2, 1), (3, 1)), True)
        text = to_list(batch(village, votes, e.ExecutionDone(1, (3,)), e.Died(3, "executed", "villager", 1)))[0].text
        assert "Les votes ont été faussés" in text
        assert "contre soi (vote manqué)" in text
        assert "Bruno  ████████████████████ 1 voix" in text

    def test_one_digest_a_batch_named_by_its_weightiest_news(self, village: Village) -> None:
        letters = batch(
            village,
            e.ExecutionDone(1, (3,)),
            e.Died(3, "executed", "villager", 1),
            e.Died(4, "love", "militia", 1),
            e.MayorChanged(1, "heir"),
            e.OfficeTaken(1, "heir"),
            e.SunsetOpened(1, village.at),
        )
        (public,) = to_list(letters)
        assert public.kind == "execution"
        assert public.subject == "[PL1] Sur le bûcher\u00a0: Chloé"
        for part in ("Chloé a brûlé", "David n’a pas survécu", "Alice était désignée"):
            assert part in " ".join(public.text.split())
        assert [len(to(letters, seat)) for seat in (1, 3, 4)] == [1, 1, 1]

    def test_sand_1_the_sleep_is_told_at_the_murder(self, village: Village) -> None:
        assert "marchand de sable" in to_list(batch(village, e.MurderDone(1, (), True)))[0].text
        assert "marchand de sable" not in to_list(batch(village, e.MurderDone(1, (), False)))[0].text

    def test_vision_opens_in_silence(self, village: Village) -> None:
        assert batch(village, e.VisionOpened(1, village.at)) == []

    def test_readers_get_it_in_their_language_with_a_way_out(self, village: Village) -> None:
        letter = next(x for x in batch(village, e.Paused(village.at, 60)) if x.to == "lectrice@example.net")
        assert letter.language == "en"
        assert "UNWATCH" in letter.text
        assert "List-Unsubscribe" in dict(letter.headers)

    def test_the_end_tells_everything(self, village: Village) -> None:
        village.do(Smite(village.at, 2))
        text = to_list(SCRIBE.batch(village.events, village.before, village.game, village.book, at=village.at))[0].text
        assert "Le village gagne" in text
        assert "ab" * 32 in text
        assert "Gagnants  Alice, Chloé, David et Émile" in text
        assert "crise cardiaque, jour 1" in text

    def test_archive_headers_only_where_there_is_an_archive(self, village: Village) -> None:
        event = e.Paused(village.at, 60)
        assert "Archived-At" not in dict(to_list(batch(village, event))[0].headers)
        village.book = replace(village.book, archive_url="https://example.org/lune/")
        headers = dict(to_list(batch(village, event))[0].headers)
        assert headers["List-Archive"] == "<https://example.org/lune/pl1/>"
        assert headers["Archived-At"] == "<https://example.org/lune/pl1/#day-1>"


class TestTheAsked:
    def test_vote_5_the_mayor_chooses_among_the_tied(self) -> None:
        village = Village(mayor=3)
        village.start()
        for voter, target in ((1, 2), (2, 1), (3, 4), (4, 2), (5, 1)):
            village.order(voter, "VOTE", target)
        letters = village.until("tie")
        (own,) = to(letters, 3)
        assert own.notices[0] == {"asked": ["Alice", "Bruno"]}
        assert [link.subject for link in page(own).links] == ["TRANCHER Alice", "TRANCHER Bruno"]
        assert "Chloé, maire du village, doit trancher" in " ".join(to_list(letters)[0].text.split())

    def test_pres_1_the_prescient_may_save_whom_he_saw_but_himself(self) -> None:
        village = Village(with_roles(CAST, Alice="prescient"))
        village.start()
        while village.game.phase != "vision":
            village.do(Tick(next_wakeup(village.game)))
        seen = to(batch(village, e.ThreatShown(1, (1, 3))), 1)[0]
        assert [link.subject for link in page(seen).links] == ["SAUVER Chloé"]
        alone = to(batch(village, e.ThreatShown(1, (1,))), 1)[0]
        assert "Vous ne pouvez pas vous sauver vous-même." in alone.text
        assert page(alone).links == []


class TestTheActor:
    def test_reads_his_news_in_his_acknowledgement(self, village: Village) -> None:
        spied = (e.RoleSeen(1, 2, "werewolf", "SPY"), e.RoleSeen(2, 1, "nosy-neighbour", "SPY"))
        assert [letter.to for letter in batch(village, *spied, actor=1)] == ["p2@example.net"]


class TestDeath:
    def test_the_dead_learn_where_to_talk(self, village: Village) -> None:
        letter = to(batch(village, e.Died(1, "murdered", "seer", 1)), 1)[0]
        assert letter.subject == "[PL1] Vous êtes morte"
        assert "lune+pl1-grave@example.org" in letter.text
        assert "VOTER" not in letter.text

    @pytest.mark.parametrize(
        ("role", "may"), [("seer", True), ("werewolf", True), ("traitor", False), ("beast", False)]
    )
    def test_win_9_it_is_said_who_may_still_win(self, role: str, may: bool) -> None:
        village = Village(with_roles(CAST, Alice=role))
        village.start()
        letter = to(batch(village, e.Died(1, "executed", role, 1)), 1)[0]
        assert ("Votre camp peut encore gagner" in " ".join(letter.text.split())) is may

    def test_win_5_a_dead_lover_does_not_win(self) -> None:
        village = Village(lovers=(1, 3))
        village.start()
        letters = batch(village, e.Died(1, "executed", "seer", 1), e.Died(4, "executed", "militia", 1))
        assert "Votre camp" not in to(letters, 1)[0].text
        assert "Your side may still win" in " ".join(to(letters, 4)[0].text.split())

    def test_ghost_1_the_graveyard_waits_for_a_ghost(self, village: Village) -> None:
        letters = batch(village, e.Died(1, "murdered", "ghost", 1), e.GhostRisen(1))
        text = to(letters, 1)[0].text
        assert "d’outre-tombe" in text
        assert "lune+pl1-grave@example.org" not in text
        assert to(letters, 1)[0].notices == ({"ghost": True},)

    def test_nobody_is_told_of_his_death_when_the_game_is_over(self, village: Village) -> None:
        over = e.GameWon("village", (1,), tuple(role for _, _, role in CAST), "00")
        assert to(batch(village, e.Died(2, "executed", "werewolf", 1), over), 2) == []


class TestAReplacement:
    def test_gets_all_that_his_seat_has_learned(self) -> None:
        village = Village(lovers=(1, 3))
        village.start()
        village.history.append(e.RoleSeen(1, 4, "militia"))
        village.order(1, "VOTE", 2)
        letter = to(village.letters(Replace(village.at, 1, "Agathe", "f")), 1)[0]
        text = " ".join(letter.text.split())
        for part in (
            "Vous êtes une voyante",
            "David est un milicien",
            "Vous aimez Chloé",
            "Vous votez contre Bruno",
            "VOTER David",
            "Vous êtes Agathe",
        ):
            assert part in text
        assert [next(iter(notice)) for notice in letter.notices] == ["role-dealt", "lover", "role-seen"]

    def test_the_village_is_told_of_a_name_not_of_a_role(self, village: Village) -> None:
        text = to_list(village.letters(Replace(village.at, 1, "Agathe", "f")))[0].text
        assert "Agathe prend la place d’Alice" in text
        assert "voyante" not in text


class TestNarration:
    def test_is_told_by_the_digest_that_uses_it_up(self, village: Village) -> None:
        village.do(Narrate(village.at, "Il *pleut* sur <b>le</b> village."))
        letters = village.letters(Announce(village.at, "Bonsoir."))
        assert "pleut" not in to_list(letters)[0].text
        murder = (e.MurderDone(1, (), False),)
        letter = to_list(batch(village, *murder))[0]
        assert letter.text.index("Il *pleut*") < letter.text.index("Personne n’a été trouvé")
        assert "Il <em>pleut</em> sur &lt;b&gt;le&lt;/b&gt; village." in letter.html

    def test_a_held_digest_is_shown_to_the_storyteller(self, village: Village) -> None:
        village.do(Hold(village.at, held=True))
        letters = batch(village, e.MurderDone(1, (), False))
        assert [letter.kind for letter in letters] == ["murder", "murder", "draft"]
        assert letters[-1].to == "conteur@example.org"
        assert "Personne n’a été trouvé mort" in letters[-1].text

    def test_other_words_can_be_put_before_it(self, village: Village) -> None:
        events = (e.MurderDone(1, (), False),)
        letter = SCRIBE.digest(
            events, village.game, village.game, village.book, at=village.at, narration=["Il neige."]
        )[0]
        assert "Il neige." in letter.text


def test_a_whole_game_is_told_and_nothing_is_left_unsaid() -> None:
    """Time passes until the end: every Tick brings letters that can be written."""
    village = Village(
        with_roles(CAST, David="executioner", Émile="ghost"), replace(OPTIONS, inactivity="eliminate"), mayor=None
    )
    village.start()
    kinds = set()
    while (due := next_wakeup(village.game)) is not None:
        kinds |= {letter.kind for letter in village.letters(Tick(due))}
        if village.game.phase == "day" and not village.game.order(1, "VOTE") and village.game.player(1).alive:
            village.order(1, "VOTE", 2)
            village.order(2, "KILL", 3)
        assert len(village.history) < 2_000
    assert {"end", "vote-reminder"} <= kinds


def test_who_wants_no_reminders_gets_none(village: Village) -> None:
    quiet = replace(village.book.seats[1], reminders=False)
    village.book = replace(village.book, seats={**village.book.seats, 1: quiet})
    letters = batch(village, e.VoteReminded(1, 3, village.at), e.VoteReminded(2, 3, village.at))
    assert [letter.to for letter in letters] == ["p2@example.net"]
    assert len(to(batch(village, e.VoteReminded(1, 3, village.at), e.Told(1, "x")), 1)) == 1


@pytest.mark.parametrize(("genders", "words"), [("fmfmm", "Vous seuls le savez"), ("ffffm", "Vous seules le savez")])
def test_a_pack_of_women_is_spoken_to_as_women(genders: str, words: str) -> None:
    cast = [(name, gender, role) for (name, _, role), gender in zip(CAST, genders, strict=True)]
    village = Village(with_roles(cast, Alice="werewolf", Bruno="shaman", Chloé="villager"), lovers=(1, 3))
    text = " ".join(to(village.start(), 1)[0].text.split())
    assert words in text
    assert ("entendues" in text) is (genders[1] == "f")
    assert "Si la mort prend l’une de vous" in text
