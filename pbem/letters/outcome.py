"""What became of one command of a mail: what an acknowledgement is made of (MAIL.md § 5)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pbem.engine.events import Event


@dataclass(frozen=True, slots=True)
class Outcome:
    """`verb` is the English word, `args` what followed it as typed; `status` accepted, refused or held.

    A refusal has its `code` (MAIL.md § 6), what was not understood in `words`, and what was perhaps meant in
    `suggestions` (names). `events` are those that the command brought about, a refused one those beside
    the refusal (ORG-2: the storyteller is told).
    `behalf`: the seat in whose name a storyteller gave an ORDER, and the verb of it.
    """

    verb: str
    args: str
    status: str
    code: str = ""
    words: str = ""
    suggestions: tuple[str, ...] = ()
    events: tuple[Event, ...] = ()
    behalf: tuple[int, str] | None = None
