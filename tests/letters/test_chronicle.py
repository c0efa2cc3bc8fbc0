"""WIN-8: when the game is over everything is published: every order with its effect, every die, the graveyard."""

from __future__ import annotations

import pytest

from pbem import resources
from pbem.letters.book import Book, Correspondent
from pbem.letters.scribe import Scribe
from tests.kit.village import Village

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


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("fr", ["SONDER Bruno", "a vu Bruno, un loup-garou", "DEVORER Fanny", "a aperçu Bruno", "EPIER Chloé", "nul"]),
        ("en", ["SEE Bruno", "saw Bruno, a werewolf", "KILL Fanny", "glimpsed Bruno", "SPY Chloé", "void"]),
    ],
)
def test_win_8_everything_is_published_at_the_end(language: str, words: list[str]) -> None:
    village = finished()
    seats = {n: Correspondent(f"p{n}@example.org", language=language) for n in range(1, 7)}
    book = Book("PL1", "lune@example.org", "village@example.org", "plus", seats, (), (), language, None)
    scribe = Scribe([resources.templates_dir()])
    letters = scribe.batch(village.news, village.game, village.game, book, at=village.now, history=village.log)
    told = [letter for letter in letters if letter.kind == "chronicle"]
    assert [letter.to for letter in told] == ["village@example.org"]
    for part in (told[0].text, told[0].html):
        for word in [*words, "Il fait froid ici.", "peek/0: 1/100", "peek/1: 100/100"]:
            assert word in part, word
