"""Wake the program at given moments; a clockwork without memory.

Promises: the callback is called once for each key at or soon after its moment, however late that is (a suspended
laptop, a clock put forward, a moment already past when it is set), and never before it by the clock that `Wakeups` was
given. Nothing is kept across a restart: the store knows the deadlines, and the application sets them all again at the
start.
"""

from __future__ import annotations

import asyncio
import contextlib
import inspect
import logging
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from apscheduler.jobstores.base import JobLookupError
from apscheduler.schedulers.asyncio import AsyncIOScheduler
from apscheduler.triggers.date import DateTrigger

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

_log = logging.getLogger(__name__)
logging.getLogger("apscheduler").setLevel(logging.WARNING)

LOOK_AGAIN_SECONDS = 30.0


class Wakeups:
    """Timers by key. `callback(key)` runs in the event loop; it may be a coroutine function. For one event loop.

    `now` is the clock that counts, aware; `speed` says how many of its seconds pass in one of ours (a demonstration
    runs faster). The clock is looked at anew at least every 30 s, so that one that jumps, or a machine that slept, is
    noticed within that time. An exception in the callback is logged and changes no other timer.
    """

    def __init__(
        self,
        callback: Callable[[str], Awaitable[None] | None],
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
        *,
        speed: float = 1.0,
    ) -> None:
        self._callback = callback
        self._now = now
        self._speed = speed
        self._due: dict[str, datetime] = {}
        self._running: set[asyncio.Task[None]] = set()
        self._scheduler: AsyncIOScheduler | None = None

    @property
    def due(self) -> dict[str, datetime]:
        """What is set and has not fired yet: key to moment, UTC."""
        return dict(self._due)

    def start(self) -> None:
        """Begin; what is due already fires at once. To be called in the running event loop."""
        # No grace time: late is better than never.
        self._scheduler = AsyncIOScheduler(timezone=UTC, job_defaults={"misfire_grace_time": None, "coalesce": True})
        self._scheduler.start()
        for key in self._due:
            self._arm(key)

    def stop(self) -> None:
        """Fire nothing more until `start`; a callback that runs, runs to its end."""
        if self._scheduler is not None:
            self._scheduler.shutdown(wait=False)
            self._scheduler = None

    def set(self, key: str, at_utc: datetime) -> None:
        """Wake for `key` at that moment, instead of any set for it before. Raises ValueError if it is not aware."""
        if at_utc.tzinfo is None:
            raise ValueError("a moment without a time zone")
        self._due[key] = at_utc.astimezone(UTC)
        self._arm(key)

    def clear(self, key: str) -> None:
        """Do not wake for `key` any more; no matter if it was not set."""
        self._due.pop(key, None)
        if self._scheduler is not None:
            with contextlib.suppress(JobLookupError):
                self._scheduler.remove_job(key)

    def _arm(self, key: str) -> None:
        """Look at the clock again when `key` should be due, or sooner."""
        if self._scheduler is None:
            return
        left = (self._due[key] - self._now()).total_seconds() / self._speed
        moment = datetime.now(UTC) + timedelta(seconds=min(max(left, 0.0), LOOK_AGAIN_SECONDS))
        self._scheduler.add_job(self._look, DateTrigger(moment), args=[key], id=key, replace_existing=True)

    async def _look(self, key: str) -> None:
        if self._scheduler is None or key not in self._due:
            return
        if self._now() < self._due[key]:
            self._arm(key)
            return
        del self._due[key]
        # In a task of its own: the scheduler would cancel it when it stops.
        task = asyncio.create_task(self._fire(key))
        self._running.add(task)
        task.add_done_callback(self._running.discard)

    async def _fire(self, key: str) -> None:
        try:
            result = self._callback(key)
            if inspect.isawaitable(result):
                await result
        except Exception:  # noqa: BLE001  (whatever it is, the other timers go on)
            _log.exception("the wakeup %s failed", key)
