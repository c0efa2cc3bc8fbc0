"""The village's voice: which line of atmosphere a letter gets, drawn by the game's own dice.

The lines are data (`verses/<language>.toml` in a folder of templates): a list for each occasion. A game goes through a
list in an order of its own, so that no line comes twice before all have come. The order follows from the game's seed
and the occasion, the place in it from a number that all know (a turn, a seat, how many died so): what is secret never
changes a letter to somebody else.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from pbem.engine.dice import value
from pbem.letters import mistakes
from pbem.letters.mistakes import UnusableError
from pbem.letters.words import FALLBACK

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

_SIDES = 2**32
_NO_SEED = "00"
"""The key of the draws where there is no game."""


class Verses:
    """The lines of one language. Of several folders the first that has an occasion wins, then English."""

    def __init__(self, folders: Sequence[Path], language: str) -> None:
        self._lines: dict[str, tuple[str, ...]] = {}
        for code in dict.fromkeys((language, FALLBACK)):
            for folder in folders:
                path = folder / "verses" / f"{code}.toml"
                for occasion, lines in _read(path).items() if path.is_file() else ():
                    self._lines.setdefault(occasion, lines)

    def line(self, occasion: str, number: int, seed: str) -> str:
        """The line for the `number`th time of that occasion. Raises KeyError if there are none for it."""
        lines = self._lines[occasion]
        return lines[_order(seed or _NO_SEED, occasion, len(lines))[number % len(lines)]]


def _read(path: Path) -> dict[str, tuple[str, ...]]:
    found = mistakes.table(path)
    for occasion, lines in found.items():
        if not isinstance(lines, list) or not all(isinstance(line, str) for line in lines):
            raise UnusableError(path, f"{occasion}: expected a list of lines")
    return {occasion: tuple(lines) for occasion, lines in found.items() if lines}


@lru_cache(maxsize=512)
def _order(seed: str, occasion: str, size: int) -> tuple[int, ...]:
    """In which order a game goes through its lines."""
    return tuple(sorted(range(size), key=lambda n: value(seed, f"verse/{occasion}", n, _SIDES)))
