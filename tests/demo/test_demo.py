"""The demonstration: a whole game by real mail, told the same way twice."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbem.demo import run
from pbem.engine.state import Phase

if TYPE_CHECKING:
    from pathlib import Path

GUESTS = 5


def story(folder: Path) -> tuple[list[str], list[str]]:
    """The lines told, and the letters found in the first bot's mailbox."""
    lines: list[str] = []
    game = run("42", lines.append, folder, GUESTS)
    assert game.phase is Phase.OVER
    assert len(game.players) == GUESTS
    box = folder / "mail" / "joueur1@village.example"
    letters = [
        file.read_text("utf-8") for file in sorted(box.rglob("*")) if file.is_file() and file.parent.name == "new"
    ]
    return lines, letters


def test_a_whole_game_is_played_by_real_mail_and_repeats(tmp_path: Path) -> None:
    first, letters = story(tmp_path / "one")
    again, _ = story(tmp_path / "two")
    told = [line for line in first if line.startswith(("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"))]
    assert told == [line for line in again if line.startswith(("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"))]
    assert sum("signs up" in line for line in told) == GUESTS
    assert any("win" in line.lower() for line in told)
    assert f"    {tmp_path / 'one' / 'archive' / 'index.html'}" in first[-4:]
    assert (tmp_path / "one" / "archive" / "index.html").is_file()
    assert any("browser" in line for line in first[-4:])
    assert any("PL1" in letter for letter in letters)
