"""Logs with UNDOs in them, made of a log without any: the same game, parts of which were taken back and played again.

`with_undos(log, rng)` gives the long log, and what a reader of it who knows nothing of UNDO would be wrong about: the
events that were taken back. Played again they are the same ones, so the plain log is what really happened.
"""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

from pbem.engine import events as e

if TYPE_CHECKING:
    import random

AT = datetime(2026, 12, 9, 8, tzinfo=UTC)


def with_undos(log: list[e.Event], rng: random.Random, times: int = 3) -> tuple[list[e.Event], list[e.Event]]:
    """(the log with so many UNDOs at random moments after the start, the events that they took back)."""
    begun = next(n for n, event in enumerate(log, 1) if isinstance(event, e.GameStarted))
    long, lost, number, least, again = [], [], {}, begun, 0
    ends = sorted(rng.sample(range(begun, len(log) - 1), min(times, len(log) - 1 - begun)))
    for end in ends:
        for place in range(again, end):
            long.append(log[place])
            number[place + 1] = len(long)
        back = rng.randint(max(least, end - 60), end)
        long.append(e.Undone(number[back], AT))
        number[back] = len(long)
        lost += log[back:end]
        least = again = back
    return [*long, *log[again:]], lost
