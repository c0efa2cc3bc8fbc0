"""The village's voice: enough lines, none twice, drawn from what all know."""

from __future__ import annotations

import re
import tomllib
from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING

import pytest

from pbem.engine import events as e
from pbem.engine.evolve import evolve
from pbem.letters.scribe import Scribe
from pbem.letters.verses import Verses
from pbem.resources import templates_dir
from tests.letters.village import SCRIBE, Village, to_list

if TYPE_CHECKING:
    from pathlib import Path

TEMPLATES = templates_dir()
LANGUAGES = ("en", "fr")
SEED = "5e" * 32
MANY = ("execution", "murder", "quiet-night", "election", "heart-attack", "grief", "silence", "cold-stake")
ENDS = tuple(f"end-{winner}" for winner in ("village", "wolves", "lovers", "beast", "nobody"))


def lines(language: str) -> dict[str, list[str]]:
    return tomllib.loads((TEMPLATES / "verses" / f"{language}.toml").read_text(encoding="utf-8"))


@pytest.mark.parametrize("language", LANGUAGES)
def test_there_are_at_least_eight_for_each_occasion(language: str) -> None:
    found = lines(language)
    assert {*MANY, *ENDS, "execution-wolf", "execution-innocent", "execution-other", "murder-after"} <= set(found)
    for occasion, several in found.items():
        assert len(set(several)) == len(several) >= 8, occasion


def test_both_languages_know_the_same_occasions() -> None:
    assert lines("fr").keys() == lines("en").keys()


@pytest.mark.parametrize("language", LANGUAGES)
def test_they_are_written_as_templates_are(language: str) -> None:
    """Plain spaces and straight apostrophes, which the typographer puts right; no fields, no markup."""
    for occasion, several in lines(language).items():
        for line in several:
            assert not re.search("[\u00a0\u202f\u2019{}<>]|  ", line), (occasion, line)
            assert re.search(r"[.?!”»]$", line), (occasion, line)


class TestTheDraw:
    VERSES = Verses([TEMPLATES], "fr")

    def test_none_comes_twice_before_all_have_come(self) -> None:
        for occasion, several in lines("fr").items():
            drawn = [self.VERSES.line(occasion, n, SEED) for n in range(1, len(several) + 1)]
            assert sorted(drawn) == sorted(several), occasion

    def test_no_two_executions_and_no_two_murders_of_one_game_read_alike(self) -> None:
        for before, after in (
            ("execution", "execution-innocent"),
            ("execution", "execution-wolf"),
            ("murder", "murder-after"),
        ):
            told = {(self.VERSES.line(before, n, SEED), self.VERSES.line(after, n, SEED)) for n in range(1, 61)}
            assert len(told) == 60

    def test_it_is_the_games_own_and_repeats(self) -> None:
        orders = {tuple(self.VERSES.line("murder", n, f"{seed:02x}" * 32) for n in range(12)) for seed in range(20)}
        assert len(orders) == 20
        assert self.VERSES.line("murder", 3, SEED) == self.VERSES.line("murder", 3, SEED)

    def test_without_a_game_there_is_a_line_too(self) -> None:
        assert self.VERSES.line("opening", 0, "") in lines("fr")["opening"]

    def test_an_occasion_without_lines_is_an_error_not_a_gap(self) -> None:
        with pytest.raises(KeyError):
            self.VERSES.line("wedding", 1, SEED)


def _deaths(village: Village, cause: str, kind: str) -> list[str]:
    """How each of three deaths of one cause, one after the other, is told."""
    told, game = [], village.game
    for seat in (3, 4, 5):
        events = (e.Died(seat, cause, "villager", 1),)
        after = evolve(game, events[0])
        (letter,) = to_list(SCRIBE.batch(events, game, after, village.book, at=village.at))
        assert letter.kind == kind
        told.append(next(line for line in lines("fr")[kind] if _said(line) in " ".join(letter.text.split())))
        game = after
    return told


def _said(line: str) -> str:
    return " ".join(line.replace("'", "’").replace("« ", "«\u00a0").replace(" »", "\u00a0»").split()).replace(
        " :", "\u00a0:"
    )


@pytest.mark.parametrize(
    ("cause", "kind"), [("heart-attack", "heart-attack"), ("love", "grief"), ("inactive", "silence")]
)
def test_each_death_has_a_line_of_its_own(cause: str, kind: str) -> None:
    village = Village()
    village.start()
    assert len(set(_deaths(village, cause, kind))) == 3


@pytest.mark.parametrize(
    ("roles", "occasion"),
    [
        (("werewolf",), "execution-wolf"),
        (("villager", "seer"), "execution-innocent"),
        (("villager", "werewolf"), "execution-other"),
        (("traitor",), "execution-other"),
        (("beast",), "execution-other"),
    ],
)
def test_the_village_takes_an_execution_by_what_burned(roles: tuple[str, ...], occasion: str) -> None:
    village = Village()
    village.start()
    seats = tuple(range(2, 2 + len(roles)))
    deaths = tuple(e.Died(seat, "executed", role, 1) for seat, role in zip(seats, roles, strict=True))
    events, after = (e.ExecutionDone(1, seats), *deaths), village.game
    for event in events:
        after = evolve(after, event)
    game = replace(
        after,
        players=tuple(replace(p, role=roles[seats.index(p.seat)]) if p.seat in seats else p for p in after.players),
    )
    (letter,) = to_list(SCRIBE.batch(events, village.game, game, village.book, at=village.at))
    text = " ".join(letter.text.split())
    assert any(_said(line) in text for line in lines("fr")[occasion])


def test_a_digest_written_again_tells_the_same() -> None:
    village = Village()
    village.start()
    events = (e.MurderDone(1, (), False), e.DayOpened(2, village.at, village.at + timedelta(hours=40)))
    after = village.game
    for event in events:
        after = evolve(after, event)
    drawn = [SCRIBE.batch(events, village.game, after, village.book, at=village.at) for _ in range(2)]
    assert drawn[0] == drawn[1]


def test_secret_dice_change_no_verse() -> None:
    """What was rolled for anybody's secret leaves the draw alone."""
    village = Village()
    village.start()
    rolled = evolve(village.game, e.DiceRolled("peek/see", 0, 100, 7))
    events = (e.MurderDone(1, (), False),)
    one = SCRIBE.batch(events, village.game, village.game, village.book, at=village.at)
    other = SCRIBE.batch(events, rolled, rolled, village.book, at=village.at)
    assert one == other


def test_a_host_may_give_lines_of_his_own_for_one_occasion(tmp_path: Path) -> None:
    (tmp_path / "verses").mkdir()
    (tmp_path / "verses" / "fr.toml").write_text('murder = ["Aïe."]\n', encoding="utf-8")
    scribe = Scribe([tmp_path, TEMPLATES])
    verses = scribe.press.room("fr").verses
    assert verses.line("murder", 5, SEED) == "Aïe."
    assert verses.line("grief", 1, SEED) in lines("fr")["grief"]


def test_a_language_without_lines_speaks_english(tmp_path: Path) -> None:
    assert Verses([tmp_path, TEMPLATES], "de").line("murder", 1, SEED) in lines("en")["murder"]
