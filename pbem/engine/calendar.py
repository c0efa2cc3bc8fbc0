"""When things happen: executions, their eves, and what remains after a pause (CAL-1 to CAL-3, CAL-7).

Everything comes in and goes out as aware instants in UTC; local time is only looked at here, with its summer time.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from functools import lru_cache
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo

from pbem.engine.state import Election

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pbem.engine.options import Options

_INSTANT = timedelta.resolution
"""The shortest time there is: what is later than a moment less this is that moment or later."""


@lru_cache(maxsize=64)
def zone(name: str) -> ZoneInfo:
    """The time zone of that name; ZoneInfoNotFoundError if there is none."""
    return ZoneInfo(name)


def local(options: Options, moment: datetime) -> datetime:
    """The same instant on the village clock."""
    return moment.astimezone(zone(options.timezone))


def _at(options: Options, day: datetime, minute: int) -> datetime:
    clock = datetime(day.year, day.month, day.day, minute // 60, minute % 60, tzinfo=zone(options.timezone))
    return clock.astimezone(UTC)


def executions(options: Options, after: datetime) -> Iterator[datetime]:
    """CAL-1: the calendar's executions later than `after`, without end."""
    day = local(options, after)
    while True:
        minutes = sorted(m for weekday, m in options.executions if weekday == day.weekday())
        yield from (t for m in minutes if (t := _at(options, day, m)) > after)
        day = day.replace(hour=12) + timedelta(days=1)


def eve(options: Options, execution: datetime) -> Election:
    """CAL-2: the hours of an election on the eve of that execution, from midnight to the clock time of T."""
    clock = local(options, execution)
    before = clock.replace(hour=12) - timedelta(days=1)
    return Election(_at(options, before, 0), _at(options, before, clock.hour * 60 + clock.minute))


def first_execution(options: Options, start: datetime) -> datetime:
    """CAL-3: the first whose eve's election closes at least `min_debate` after the start, to the minute (FINE-20)."""
    earliest = start.replace(second=0, microsecond=0) + timedelta(seconds=options.min_debate)
    return next(t for t in executions(options, start) if eve(options, t).closes >= earliest)


def next_election(options: Options, now: datetime, execution: datetime) -> Election:
    """The next eve's election that has not closed by `now`; one that is running opens at `now` (CAL-2, FINE-12).

    `execution` is the T of the running day: its eve comes first, then those of the calendar after it.
    """
    for t in _and_then(execution, executions(options, execution)):
        hours = eve(options, t)
        if hours.closes > now:
            return Election(max(hours.opens, now), hours.closes)
    raise AssertionError


def _and_then(first: datetime, rest: Iterator[datetime]) -> Iterator[datetime]:
    yield first
    yield from rest


def resumed_execution(options: Options, now: datetime, left: timedelta) -> datetime:
    """CAL-7: the first calendar T that leaves at least the time that was left."""
    return next(executions(options, max(now, now + left - _INSTANT)))


def add_days(options: Options, moment: datetime, days: int) -> datetime:
    """The same clock time some days later."""
    clock = local(options, moment)
    return _at(options, clock.replace(hour=12) + timedelta(days=days), clock.hour * 60 + clock.minute)
