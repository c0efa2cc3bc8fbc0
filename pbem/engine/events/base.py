"""The families of events; see the package."""

from __future__ import annotations

from dataclasses import dataclass

STORYTELLER = 0
"""The `to` of what the storyteller is told."""


@dataclass(frozen=True, slots=True)
class Event:
    """Something that happened."""


@dataclass(frozen=True, slots=True)
class Fact(Event):
    """Changes the state; secret."""


@dataclass(frozen=True, slots=True)
class Public(Event):
    """Known to all from now on."""


@dataclass(frozen=True, slots=True)
class Private(Event):
    """Learned by one seat, or by the storyteller."""

    to: int


@dataclass(frozen=True, slots=True)
class Rejected(Event):
    """A command refused: `code` as in MAIL.md § 6. Changes nothing. `words` is what was not understood."""

    code: str
    verb: str
    seat: int = 0
    words: str = ""
    suggestions: tuple[str, ...] = ()
