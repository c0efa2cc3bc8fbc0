"""UNDO: which events of a log still count, and which dice fell for nothing (MAIL.md § 3, *The storyteller's*).

The log keeps everything. After `Undone(version)` the events behind that number count no more; whoever tells what
happened (a newcomer's dossier, WIN-8's chronicle) has to ask here, as `replay` does for the state. What people said is
no deed: it was read, and nothing takes it back.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from pbem.engine import events as e

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

SPOKEN: Final = (
    *(e.Posted, e.PackTalked, e.GraveyardTalked, e.Announced, e.Told),
    *(e.QuestionAsked, e.AbsenceAsked, e.Intruded),
)
"""Words that reached somebody: they stand whatever is taken back."""


@dataclass(frozen=True, slots=True)
class Entry:
    """An event of the log. `stands`: it counts. `epoch`: how many UNDOs came before it, which its dice are named by."""

    event: e.Event
    stands: bool
    epoch: int


def judged(log: Iterable[e.Event]) -> list[Entry]:
    """Every event of a whole log, in its order, with whether it still counts."""
    log = list(log)
    counting, entries, epoch = _counting(log), [], 0
    for number, event in enumerate(log, 1):
        entries.append(Entry(event, number in counting or isinstance(event, SPOKEN), epoch))
        epoch += isinstance(event, e.Undone)
    return entries


def standing(log: Iterable[e.Event]) -> list[e.Event]:
    """The events of a whole log that count: what really happened. The UNDOs themselves are among them."""
    return [entry.event for entry in judged(log) if entry.stands]


def _counting(log: Sequence[e.Event]) -> set[int]:
    """The numbers of the events that made the state as it is, read from the last one back."""
    counting, number = set(), len(log)
    while number > 0:
        event = log[number - 1]
        counting.add(number)
        number = min(event.version, number - 1) if isinstance(event, e.Undone) else number - 1
    return counting
