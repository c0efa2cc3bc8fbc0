"""Small games to write letters about: a real game run through the engine, and the book of its people."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from pbem.engine.options import Options
from pbem.letters.samples import troupe
from pbem.letters.samples.troupe import MONDAY, book_of, tag_of
from pbem.letters.scribe import Scribe
from pbem.resources import templates_dir

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pbem.letters.book import Book
    from pbem.post import Letter

__all__ = ["CAST", "MONDAY", "OPTIONS", "SCRIBE", "Village", "book", "replace", "tag_of", "to", "to_list", "with_roles"]

SCRIBE = Scribe([templates_dir()])
CAST = (
    ("Alice", "f", "seer"),
    ("Bruno", "m", "werewolf"),
    ("Chloé", "f", "villager"),
    ("David", "m", "militia"),
    ("Émile", "m", "villager"),
)
"""Name, gender and role, in seat order."""
OPTIONS = Options(min_debate=0, inactivity="off", composition="public")


class Village(troupe.Village):
    """The samples' game, by default of five players who speak French and English in turn."""

    def __init__(
        self,
        cast: Sequence[tuple[str, str, str]] = CAST,
        options: Options = OPTIONS,
        *,
        languages: str = "fr en",
        **more: object,
    ) -> None:
        super().__init__(SCRIBE, cast, options, languages.split(), **more)


def book(cast: Sequence[tuple[str, str, str]]) -> Book:
    """The people of a cast."""
    return book_of(cast, ("fr", "en"))


def with_roles(cast: Sequence[tuple[str, str, str]], **roles: str) -> list[tuple[str, str, str]]:
    """The same people, some with other roles."""
    return [(name, gender, roles.get(name, role)) for name, gender, role in cast]


def to(letters: Sequence[Letter], seat: int) -> list[Letter]:
    """Those to that seat."""
    return [letter for letter in letters if letter.to == f"p{seat}@example.net"]


def to_list(letters: Sequence[Letter]) -> list[Letter]:
    """Those to the list."""
    return [letter for letter in letters if letter.to == "village@example.org"]
