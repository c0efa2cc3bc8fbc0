"""Moments as people read them: the game's local time, with its zone, and in how many hours; and the closings to come.

Instants are aware (UTC); what is printed is local to the game's time zone, daylight saving respected (CAL-1).
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo

from babel.dates import format_datetime, get_day_names

from pbem.letters.typography import NBSP

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from pbem.engine.view import PublicView
    from pbem.letters.words import Words

_MINUTE, _HOUR = 60, 3600


@dataclass(frozen=True, slots=True)
class Closing:
    """Something that will end: `key` as in SCENARIOS.md. `sure` is False where it hangs on what comes before it."""

    key: str
    at: datetime
    sure: bool = True


@dataclass(frozen=True, slots=True)
class Clock:
    """The time in one language and zone, at the moment `at` of writing."""

    words: Words
    timezone: str
    at: datetime

    def hour(self, moment: datetime) -> str:
        """`22:00`."""
        return self._hour(moment, self.timezone)

    def _hour(self, moment: datetime, timezone: str) -> str:
        """As the language writes it, which may write a full hour in another way ("22 h", "22 h 30")."""
        sharp = self.words.get("date", "sharp") if _format(moment, "m", "en", timezone) == "0" else ""
        pattern = sharp or self.words("date", "hour")
        return _format(moment, pattern, self.words.language, timezone).replace(" ", NBSP)

    def day(self, moment: datetime) -> str:
        """`Tuesday 8 December`; the first of a month as the language writes it, which may be another way ("1er")."""
        first = self.words.get("date", "first") if _format(moment, "d", "en", self.timezone) == "1" else ""
        return _format(moment, first or self.words("date", "day"), self.words.language, self.timezone)

    def when(self, moment: datetime) -> str:
        """`Tuesday 8 December at 22:00 (Paris)`."""
        zone = _format(moment, "VVV", self.words.language, self.timezone) if "/" in self.timezone else self.timezone
        return self.words("date", "moment", day=self.day(moment), hour=self.hour(moment), zone=zone.replace(" ", NBSP))

    def weekdays(self, days: Iterable[int]) -> list[str]:
        """The names of days of the week (0 is Monday)."""
        names = get_day_names("wide", locale=self.words.language)
        return [str(names[day]) for day in days]

    def minute(self, minute: int) -> str:
        """`22:00`: a minute of the day, local."""
        return self._hour(datetime(2024, 1, 1, minute // _MINUTE, minute % _MINUTE, tzinfo=UTC), "UTC")

    def left(self, moment: datetime) -> str:
        """`in 25 hours`, `in 40 minutes`, or that it is now."""
        seconds = (moment - self.at).total_seconds()
        if seconds < _MINUTE:
            return self.words("date", "now")
        return self.words("date", "in", span=self.span(round(seconds)))

    def span(self, seconds: int) -> str:
        """`25 hours`, `40 minutes`: hours from two on."""
        if seconds < 2 * _HOUR:
            return self.words.count("minute", max(1, round(seconds / _MINUTE)))
        return self.words.count("hour", round(seconds / _HOUR))

    def full(self, moment: datetime) -> str:
        """`Tuesday 8 December at 22:00 (Paris), in 25 hours`."""
        return self.words("date", "full", when=self.when(moment), left=self.left(moment))

    def between(self, start: datetime, end: datetime) -> str:
        """`Tuesday 8 December, from 00:00 to 22:00`, or from one day's hour to another's."""
        days, hours = (self.day(start), self.day(end)), {"start": self.hour(start), "end": self.hour(end)}
        key = "within" if days[0] == days[1] else "between"
        return self.words("date", key, day=days[0], end_day=days[1], **hours)

    def begun(self, moment: datetime) -> bool:
        """Whether that moment has come."""
        return moment <= self.at

    def closing(self, closing: Closing) -> str:
        """When something ends; only about, if it is not sure."""
        return (
            self.full(closing.at)
            if closing.sure
            else self.words("date", "about", hour=self.hour(closing.at), day=self.day(closing.at))
        )


@lru_cache(maxsize=1024)
def _format(moment: datetime, pattern: str, language: str, timezone: str) -> str:
    return format_datetime(moment, pattern, locale=language, tzinfo=ZoneInfo(timezone))


def closings(game: PublicView) -> tuple[Closing, ...]:
    """What will close next, in this turn, in order (CAL-4). Nothing if no time runs."""
    if game.deadline is None:
        return ()
    options, deadline = game.options, game.deadline
    tie_break, sunset, vision = (timedelta(seconds=s) for s in (options.tie_break, options.sunset, options.vision))
    if game.phase == "vision":
        return (Closing("vision", deadline), Closing("murder", deadline))
    if game.phase == "sunset":
        return (
            Closing("sunset", deadline),
            Closing("vision", deadline + vision, sure=False),
            Closing("murder", deadline + vision, sure=False),
        )
    if game.phase not in {"day", "tie-break"}:
        return ()
    dusk = deadline + sunset
    night = tuple(
        Closing(key, at, sure=False)
        for key, at in (("sunset", dusk), ("vision", dusk + vision), ("murder", dusk + vision))
    )
    if game.phase == "tie-break":
        return (Closing("tie-break", deadline), *night)
    election = (Closing("election", game.election[1]),) if game.election else ()
    coming = (*election, Closing("execution", deadline), Closing("tie-break", deadline + tie_break, sure=False), *night)
    return tuple(sorted(coming, key=lambda closing: closing.at))


def closing_of(coming: Mapping[str, Closing], until: str) -> Closing | None:
    """Which of the closings to come, by key, a verb is open until (`VerbView.until`); None if it is open at any time,
    or no time runs.
    """
    if until == "first-election":
        return coming.get("election") or coming.get("execution")
    return coming.get(until)
