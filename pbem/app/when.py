"""Times as a storyteller or a player writes them, French or English, read on the village clock (MAIL.md § 3).

Durations: `24h`, `90 min`, `1 h 30`, `2 jours`, `une semaine`. Dates: `2026-12-14`, `14/12`, `14 décembre`, `samedi`,
`demain`, with or without a time (`22:00`, `22h`, `22 h 30`). A date without a year is the next such one. Nothing is
guessed: what is not understood whole is None.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from typing import TYPE_CHECKING, Final

from pbem.orders.words import fold

if TYPE_CHECKING:
    from collections.abc import Iterator
    from zoneinfo import ZoneInfo

LONGEST: Final = timedelta(days=60)
"""The longest EXTEND."""
_HORIZON: Final = 366
_MINUTE, _HOUR = 60, 3600


@dataclass(frozen=True, slots=True)
class Span:
    """A length of time: `seconds` that elapse, then `days` of the calendar."""

    seconds: int = 0
    days: int = 0


def _table(text: str) -> dict[str, int]:
    return {word: value for value, words in enumerate(text.split(";")) for word in words.split()}


_UNITS: Final = {
    **dict.fromkeys(("m", "mn", "min", "mins", "minute", "minutes"), (_MINUTE, 0)),
    **dict.fromkeys(("h", "hr", "hrs", "heure", "heures", "hour", "hours"), (_HOUR, 0)),
    **dict.fromkeys(("j", "jr", "jrs", "jour", "jours", "d", "day", "days"), (0, 1)),
    **dict.fromkeys(("sem", "semaine", "semaines", "w", "week", "weeks"), (0, 7)),
}
_NUMBERS: Final = {
    "un": 1, "une": 1, "one": 1, "a": 1, "an": 1, "deux": 2, "two": 2, "trois": 3, "three": 3, "quatre": 4, "four": 4,
    "cinq": 5, "five": 5, "six": 6, "sept": 7, "seven": 7, "huit": 8, "eight": 8,
}  # fmt: skip
_DAYS: Final = _table(
    "lundi lun monday mon;mardi mar tuesday tue;mercredi mer wednesday wed;jeudi jeu thursday thu;"
    "vendredi ven friday fri;samedi sam saturday sat;dimanche dim sunday sun"
)
_MONTHS: Final = _table(
    ";janvier janv january jan;fevrier fevr fev february feb;mars march mar;avril avr april apr;mai may;juin june jun;"
    "juillet juil july jul;aout august aug;septembre sept september sep;octobre oct october;novembre nov november;"
    "decembre dec december"
)
_PIECE: Final = re.compile(r"(\d{1,4}|[a-z]+)\s*([a-z]+)\.?(?:\s*(\d{1,2})(?!\s*[a-z\d]))?\s*(?:et|and|,)?\s*")
_CLOCK: Final = re.compile(
    r"\b(?:a |at )?(\d{1,2}) ?(?::|h|\.(?=\d\d\b)) ?(\d{2})?(?: ?(am|pm))?\b|\b(\d{1,2}) ?(am|pm)\b"
)
_NOISE: Final = re.compile(
    r"^(?:(?:until|till|jusqu'?(?:en|au|a)?|jusque|le|la|les|the|du|au|to|on|of|de|prochaine?|next) )+"
)


def duration(text: str) -> Span | None:
    """A length of time, more than nothing and at most `LONGEST`; None if it is none."""
    rest = _opened(fold(text)).lstrip("+ ")
    seconds = days = 0
    while rest:
        found = _PIECE.match(rest)
        piece = _piece(found) if found else None
        if found is None or piece is None:
            return None
        seconds, days, rest = seconds + piece.seconds, days + piece.days, rest[found.end() :]
    whole = timedelta(days=days, seconds=seconds)
    return Span(seconds, days) if timedelta() < whole <= LONGEST else None


def _opened(text: str) -> str:
    """`24h` as `24 h`, `1h30` as `1 h 30`."""
    return re.sub(r"(\d)([a-z])", r"\1 \2", re.sub(r"([a-z])(\d)", r"\1 \2", text))


def _piece(found: re.Match[str]) -> Span | None:
    number = int(found[1]) if found[1].isdigit() else _NUMBERS.get(found[1])
    unit = _UNITS.get(found[2])
    if number is None or unit is None:
        return None
    more = int(found[3] or 0) * _MINUTE if unit[0] == _HOUR else 0
    if found[3] and unit[0] != _HOUR:
        return None
    return Span(number * unit[0] + more, number * unit[1])


def moment(text: str, now: datetime, zone: ZoneInfo) -> datetime | None:
    """A date and time (UTC): `mardi 22h`, `14/12 22:00`; a time alone is its next occurrence. None without a time."""
    rest = fold(text)
    clock = _clock(rest)
    if clock is None:
        return None
    at, rest = clock
    here = now.astimezone(zone)
    rest = _bare(rest)
    if not rest:
        today = _instant(here.date(), at, zone)
        return today if today > now else _instant(here.date() + timedelta(days=1), at, zone)
    return next((found for day in _days(rest, here.date()) if (found := _instant(day, at, zone)) > now), None)


def until(text: str, now: datetime, zone: ZoneInfo) -> datetime | None:
    """How long an absence lasts: to the end of the day that is named, or to the time that stands with it."""
    if (found := moment(text, now, zone)) is not None:
        return found
    days = _days(_bare(fold(text)), now.astimezone(zone).date())
    ends = (_instant(day + timedelta(days=1), time(0), zone) for day in days)
    return next((end for end in ends if end > now), None)


def _bare(text: str) -> str:
    return _NOISE.sub("", f"{text.strip(' .,!;:')} ").strip(" .,!;:")


def _instant(day: date, at: time, zone: ZoneInfo) -> datetime:
    return datetime.combine(day, at, zone).astimezone(UTC)


def _clock(text: str) -> tuple[time, str] | None:
    """The time of day in `text`, and the rest of it."""
    for word, hour in (("midi", 12), ("noon", 12), ("minuit", 0), ("midnight", 0)):
        if re.search(rf"\b{word}\b", text):
            return time(hour), re.sub(rf"\b(?:a |at )?{word}\b", " ", text)
    found = next((f for f in _CLOCK.finditer(text) if f.start() == 0 or text[f.start() - 1] not in "/-."), None)
    if found is None:
        return None
    hour, minute = int(found[1] or found[4]), int(found[2] or 0)
    half = found[3] or found[5]
    if half:
        hour = hour % 12 + (12 if half == "pm" else 0)
    if hour > 23 or minute > 59:  # noqa: PLR2004
        return None
    return time(hour, minute), f"{text[: found.start()]} {text[found.end() :]}"


def _days(text: str, today: date) -> Iterator[date]:
    """The days that `text` can mean, soonest first; none if it is no date."""
    words = [word for word in re.split(r"[\s,]+", text) if word]
    if len(words) > 1 and words[0] in _DAYS:
        words = words[1:]  # `samedi 12 décembre`: the date decides
    whole = " ".join(words)
    yield from _named(whole, today)
    if found := re.fullmatch(r"(\d{4})-(\d{1,2})-(\d{1,2})", whole):
        yield from _date(int(found[1]), int(found[2]), int(found[3]))
    elif found := re.fullmatch(r"(\d{1,2})[/.-](\d{1,2})(?:[/.-](\d{4}|\d{2}))?\.?", whole):
        yield from _yearly(int(found[1]), int(found[2]), found[3], today)
    elif found := re.fullmatch(r"(\d{1,2})(?:er|st|nd|rd|th)? ([a-z]+)\.?(?: (\d{4}))?", whole):
        yield from _yearly(int(found[1]), _MONTHS.get(found[2], 0), found[3], today)
    elif found := re.fullmatch(r"([a-z]+)\.? (\d{1,2})(?:st|nd|rd|th)?(?: (\d{4}))?", whole):
        yield from _yearly(int(found[2]), _MONTHS.get(found[1], 0), found[3], today)


def _named(word: str, today: date) -> Iterator[date]:
    """`demain`, `samedi`: today's own name means today first, then in a week."""
    ahead = {"aujourd'hui": 0, "ce soir": 0, "today": 0, "tonight": 0, "demain": 1, "demain soir": 1, "tomorrow": 1,
             "apres-demain": 2}.get(word)  # fmt: skip
    if ahead is not None:
        yield today + timedelta(days=ahead)
    elif word in _DAYS:
        first = today + timedelta(days=(_DAYS[word] - today.weekday()) % 7)
        yield from (first, first + timedelta(days=7))


def _yearly(day: int, month: int, year: str | None, today: date) -> Iterator[date]:
    if year:
        yield from _date(int(year) + (2000 if len(year) == 2 else 0), month, day)  # noqa: PLR2004
        return
    for candidate in (today.year, today.year + 1):
        yield from (d for d in _date(candidate, month, day) if d >= today and (d - today).days <= _HORIZON)


def _date(year: int, month: int, day: int) -> Iterator[date]:
    """That day; none if there is no such day, or it lies so near the end of all time that its hours cannot be told."""
    try:
        if date.min.year < year < date.max.year:
            yield date(year, month, day)
    except ValueError:
        return
