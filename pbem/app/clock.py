"""The clock that the program lives by; everything that needs the time is given one, so that time can be driven."""

from __future__ import annotations

import time
from datetime import UTC, datetime, timedelta
from typing import Protocol


class Clock(Protocol):
    """`now` is aware, in UTC. `speed`: how many of its seconds pass in one of ours."""

    speed: float

    def now(self) -> datetime:
        """The moment."""
        ...


class WallClock:
    """The host's own clock."""

    speed = 1.0

    def now(self) -> datetime:
        """The moment, as the host has it."""
        return datetime.now(UTC)


class FastClock:
    """Runs `speed` times as fast as ours, from `start` on (aware); safe to read from any thread."""

    def __init__(self, start: datetime, speed: float) -> None:
        self.speed = speed
        self._start = start.astimezone(UTC)
        self._origin = time.monotonic()

    def now(self) -> datetime:
        """The moment."""
        return self._start + timedelta(seconds=(time.monotonic() - self._origin) * self.speed)


class DrivenClock:
    """Stands still until it is moved; safe to read from any thread."""

    speed = 1.0

    def __init__(self, start: datetime) -> None:
        self._now = start.astimezone(UTC)

    def now(self) -> datetime:
        """The moment that it was last moved to."""
        return self._now

    def move(self, to: datetime) -> None:
        """Go on to that moment. Raises ValueError for a moment in its past."""
        if to < self._now:
            raise ValueError("this clock runs forward only")
        self._now = to.astimezone(UTC)
