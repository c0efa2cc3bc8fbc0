"""The time grammar of scenario files: `tue 20:00`, `2026-12-07T09:00`, `+45m`, `+2h`, `+1d`.

A moment is read once (`read`) and found on the clock when its step comes (`find`). Local times are those of the game's
zone: a day more is the same clock time on the next date, whatever the clocks do in between.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any, Final

from pbem.rehearsal.shapes import ScenarioError, local

if TYPE_CHECKING:
    from zoneinfo import ZoneInfo

DAYS: Final = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
START: Final = datetime(2026, 12, 7, 9, 0)  # noqa: DTZ001  (local, in whatever zone the scenario has)
"""A Monday: when a scenario starts that does not say when."""
_WEEKLY: Final = re.compile(rf"({'|'.join(DAYS)}) ([01]\d|2[0-3]):([0-5]\d)", re.ASCII)
_LATER: Final = re.compile(r"\+(\d{1,6})([mhd])", re.ASCII)


@dataclass(frozen=True, slots=True)
class Weekly:
    """The next such moment of the week, the present one included. `minute` is of the day, local."""

    day: int
    minute: int


@dataclass(frozen=True, slots=True)
class Later:
    """So much later: `minutes` elapsed, then `days` of the calendar."""

    minutes: int
    days: int


@dataclass(frozen=True, slots=True)
class Fixed:
    """That date and time, local (naive)."""

    at: datetime


Moment = Weekly | Later | Fixed


def weekly(value: Any) -> Weekly:
    """`tue 22:00`; raises ScenarioError."""
    found = _WEEKLY.fullmatch(value) if isinstance(value, str) else None
    if found is None:
        raise ScenarioError(f"a day and an hour such as tue 22:00 is wanted, not {value!r}")
    return Weekly(DAYS.index(found[1]), int(found[2]) * 60 + int(found[3]))


def read(value: Any) -> Moment:
    """Any moment of the grammar; raises ScenarioError."""
    if not isinstance(value, str):
        raise ScenarioError("a moment is wanted")
    if _WEEKLY.fullmatch(value):
        return weekly(value)
    if found := _LATER.fullmatch(value):
        count = int(found[1])
        return Later({"m": count, "h": 60 * count, "d": 0}[found[2]], count if found[2] == "d" else 0)
    try:
        return Fixed(local(value))
    except ScenarioError:
        raise ScenarioError(f"a moment such as tue 20:00, +45m or 2026-12-07T09:00 is wanted, not {value!r}") from None


def find(moment: Moment, now: datetime, zone: ZoneInfo) -> datetime:
    """The instant (aware, UTC) that `moment` means at `now` (aware); ScenarioError if it is beyond the calendar."""
    try:
        return _find(moment, now, zone).astimezone(UTC)
    except OverflowError:
        raise ScenarioError("that moment is beyond the calendar") from None


def _find(moment: Moment, now: datetime, zone: ZoneInfo) -> datetime:
    if isinstance(moment, Fixed):
        return moment.at.replace(tzinfo=zone)
    if isinstance(moment, Later):
        there = (now + timedelta(minutes=moment.minutes)).astimezone(zone)
        return (there.replace(tzinfo=None) + timedelta(days=moment.days)).replace(tzinfo=zone, fold=there.fold)
    here = now.astimezone(zone)
    midnight = here.replace(hour=0, minute=0, second=0, microsecond=0, tzinfo=None)
    first = midnight + timedelta(days=(moment.day - here.weekday()) % 7, minutes=moment.minute)
    soon = first.replace(tzinfo=zone)
    return soon if soon.astimezone(UTC) >= now else (first + timedelta(days=7)).replace(tzinfo=zone)
