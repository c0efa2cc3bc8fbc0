"""WIN-8: when the game is over everything is published: every order with its effect, every die, the graveyard."""

from __future__ import annotations

import random

import pytest

from pbem import resources
from pbem.engine import commands as c
from pbem.engine import events as e
from pbem.engine.evolve import replay
from pbem.engine.view import seat_view
from pbem.letters import seats
from pbem.letters.book import Book, Correspondent
from pbem.letters.scribe import Scribe
from tests.kit.undoing import with_undos
from tests.kit.village import Village
from tests.kit.wild import Wild

PLAYERS = "Alice: seer, Bruno: werewolf, Chloé: militia, David: little-child, Émile: nosy-neighbour, Fanny: villager"


def finished() -> Village:
    """A game in which a bit of everything is ordered, until the village wins."""
    village = Village(PLAYERS, mayor="", dice=[1, 100])
    village.orders(
        "tue 20:00", "Alice: SEE Bruno; Bruno: KILL Fanny; Chloé: GUARD Alice; David: PEEK; Émile: SPY Chloé"
    )
    village.until("murder")
    village.do("Fanny", "GRAVEYARD", "wed 10:00", body="Il fait froid ici.")
    village.orders("thu 20:00", "Alice: VOTE Bruno; Chloé: VOTE Bruno; Bruno: KILL Alice")
    village.until("over")
    return village


def told_at_the_end(village, language):
    """The letter that tells what really happened, out of the game's last step and all that was before."""
    people = {n: Correspondent(f"p{n}@example.org", language=language) for n in range(1, 7)}
    book = Book("PL1", "lune@example.org", "village@example.org", "plus", people, (), (), language, None)
    scribe, before = Scribe([resources.templates_dir()]), village.log[: -len(village.news)]
    letters = scribe.batch(village.news, village.game, village.game, book, at=village.now, history=before)
    told = [letter for letter in letters if letter.kind == "chronicle"]
    assert [letter.to for letter in told] == ["village@example.org"]
    return told[0]


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("fr", ["SONDER Bruno", "a vu Bruno, un loup-garou", "DEVORER Fanny", "a aperçu Bruno", "EPIER Chloé", "nul"]),
        ("en", ["SEE Bruno", "saw Bruno, a werewolf", "KILL Fanny", "glimpsed Bruno", "SPY Chloé", "void"]),
    ],
)
def test_win_8_everything_is_published_at_the_end(language: str, words: list[str]) -> None:
    told = told_at_the_end(finished(), language)
    for part in (told.text, told.html):
        for word in [*words, "Il fait froid ici.", "peek/0: 1/100", "peek/1: 100/100"]:
            assert word in part, word


@pytest.mark.parametrize(
    ("language", "lacks", "words"),
    [
        (
            "fr",
            ["a vu Chloé"],
            ["a vu Bruno, un loup-garou", "Le conteur a défait ici une résolution (", "ne comptent pas non plus"],
        ),
        (
            "en",
            ["saw Chloé"],
            ["saw Bruno, a werewolf", "The storyteller took a resolution back here (", "Nor do the dice that had"],
        ),
    ],
)
def test_win_8_what_was_taken_back_is_not_told_as_what_happened(language, lacks, words):
    village = Village(PLAYERS, mayor="", dice=[])
    village.orders("tue 20:00", "Alice: SEE Chloé; Bruno: KILL Fanny; David: PEEK")
    village.until("execution")
    version = len(village.log)
    village.until("murder")
    village.log.append(e.Undone(version, village.now))
    village.game = replay(village.log)
    village.run(c.Order(village.game.deadline, 1, "SEE", c.Words(seats=(2,))))
    for _ in range(3):
        village.run(c.Tick(village.game.deadline))
    village.admin("SMITE Bruno", "wed 10:00")
    letter = told_at_the_end(village, language)
    for part in (letter.text, letter.html):
        flat = " ".join(part.replace("\xa0", " ").split())
        for word in words:
            assert word in flat, word
        for word in lacks:
            assert word not in flat, word
    counted, spilt = (letter.text.index(name) for name in ("peek/0/1: ", "peek/0: "))
    assert counted < letter.text.index(words[1].split()[0], counted) < spilt


@pytest.mark.parametrize("seed", range(6))
def test_mail_3_who_takes_over_a_seat_is_told_nothing_that_was_taken_back(seed):
    """Whatever was taken back, and played otherwise or again: his dossier is that of the game without UNDO."""
    wild = Wild(seed)
    wild.play()
    log = list(wild.watch.log)
    long, lost = with_undos(log, random.Random(seed), times=5)
    told = 0
    for player in wild.game.players:
        view = seat_view(wild.game, player.seat)
        plain = seats.dossier(log, player.seat, view)
        said = [x for x in lost if isinstance(x, e.Told) and x.to == player.seat]
        found = seats.dossier(long, player.seat, view)
        assert [s for s in found if s.kind != "told"] == [s for s in plain if s.kind != "told"]
        assert len(found) == len(plain) + len(said)
        told += len(found)
    assert told > len(wild.game.players)
    assert any(isinstance(x, e.Private) for x in lost)
