"""What `pbem balance` may be asked about: tables of the configuration, or roles as the storyteller writes them.

`12` or `default:12` is the default table's line for 12 players, `wild:20` that of another table, `wild` or
`classic:8-12` several lines, and `werewolf=2 seer=1 villager=5` a composition of one's own (in any language: `2
loups-garous, 1 voyante`).
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from pbem.app import composition, tables
from pbem.app.desk import Refusal
from pbem.engine.phases.signup import FEWEST, MOST
from pbem.engine.roles import ROSTER

if TYPE_CHECKING:
    from pbem.app.tables import Counts

DEFAULT: Final = "default"
"""The name of the table that DEAL takes from when nothing is said."""
_LINES: Final = re.compile(r"(?:(?P<table>[\w-]+):)?(?P<first>\d{1,2})(?:-(?P<last>\d{1,2}))?")


class NoCompositionError(ValueError):
    """It makes no sense as a composition; the text says why."""


@dataclass(frozen=True, slots=True)
class Composition:
    """Roles to try, under a name to show."""

    name: str
    counts: Counts

    @property
    def players(self) -> int:
        """How many play."""
        return sum(number for _, number in self.counts)


def read(text: str) -> list[Composition]:
    """What one argument means. Raises NoCompositionError."""
    found = _LINES.fullmatch(text.strip())
    if found:
        first = int(found["first"])
        return _table(found["table"] or DEFAULT, first, int(found["last"] or first))
    if text.strip() in (DEFAULT, *tables.table_names()):
        return _table(text.strip(), FEWEST, MOST)
    return [_own(text)]


def _table(name: str, first: int, last: int) -> list[Composition]:
    if name not in (DEFAULT, *tables.table_names()):
        known = ", ".join((DEFAULT, *tables.table_names()))
        raise NoCompositionError(f"{name}: no such table; there are {known}")
    if not FEWEST <= first <= last <= MOST:
        raise NoCompositionError(f"{first}-{last}: tables go from {FEWEST} to {MOST} players")
    key = "" if name == DEFAULT else name
    rows = [(number, tables.roles_for(number, key)) for number in range(first, last + 1)]
    return [Composition(f"{name}:{number}", in_order(dict(counts))) for number, counts in rows if counts]


def _own(text: str) -> Composition:
    counts = composition.read(text, 0)
    if isinstance(counts, Refusal) or not counts:
        unread = counts.words if isinstance(counts, Refusal) else text
        raise NoCompositionError(f"{unread or text}: neither a table nor roles with their numbers")
    own = Composition(" ".join(f"{slug}={number}" for slug, number in counts), in_order(dict(counts)))
    if not FEWEST <= own.players <= MOST:
        raise NoCompositionError(f"{text}: {own.players} players; a game has {FEWEST} to {MOST}")
    return own


def in_order(counts: dict[str, int]) -> Counts:
    """The same in the roster's order, so that one composition is one, however it is written."""
    return tuple((slug, counts[slug]) for slug in ROSTER if counts.get(slug))


def without(counts: Counts, slug: str) -> Counts:
    """One player of that role fewer: a wolf becomes a plain werewolf, everybody else a villager."""
    left = dict(counts)
    left[slug] -= 1
    plain = "werewolf" if ROSTER[slug].wolf else "villager"
    left[plain] = left.get(plain, 0) + 1
    return in_order(left)
