"""Copies of what the list gets, for readers and for players who want less mail than the list brings (MAIL, WATCH).

A player whose amount is `posts` is on the list, and gets no copy. Everybody else is a `Follower`: the game writes to
him, in his language, as much as he wants, at once or in one mail a day. What moves the hours of the game, begins it or
ends it waits for no daily mail.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pbem.letters.book import Book, Correspondent
    from pbem.letters.section import Section

What = Literal["digest", "urgent", "post", "grave"]
When = Literal["now", "daily", ""]

URGENT: Final = frozenset({"opening", "paused", "resumed", "deadline-moved", "end"})
"""Sections that wait for no daily mail: after them the hours are others."""
_AT_ONCE: Final[dict[str, frozenset[What]]] = {
    "posts": frozenset({"digest", "urgent", "post", "grave"}),
    "watch": frozenset({"digest", "urgent", "grave"}),
    "daily": frozenset({"urgent"}),
    "digest": frozenset({"digest", "urgent"}),
}
"""What comes at once, by amount; with `daily` the rest is collected, else it does not come."""


@dataclass(frozen=True, slots=True)
class Follower:
    """Somebody who gets copies; `seat` is 0 for a reader."""

    person: Correspondent
    seat: int = 0

    def wants(self, what: What) -> When:
        """Whether he gets that, and when."""
        if what in _AT_ONCE[self.person.amount]:
            return "now"
        return "daily" if self.person.amount == "daily" else ""


def followers(book: Book) -> tuple[Follower, ...]:
    """Everybody who gets copies: readers, then players in the order of their seats."""
    players = (Follower(own, seat) for seat, own in sorted(book.seats.items()) if own.amount != "posts")
    return (*(Follower(reader) for reader in book.readers), *players)


def weight(told: Iterable[Section]) -> What:
    """How much a digest of these sections may wait."""
    return "urgent" if any(section.kind in URGENT for section in told) else "digest"
