"""The game's deadlines as a calendar file (RFC 5545): what stands ahead, and what must be changed in a reader's own.

It goes along with the opening, and again whenever what was told before is no longer so: EXTEND, DEADLINE, PAUSE,
RESUME, UNDO, an election, the end. An entry keeps its UID while it moves and gets a higher SEQUENCE (the seconds since
the start); what falls away comes once more, as cancelled. Times are in UTC, so no time zone has to be described.
Everything in it is public.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, timedelta
from typing import TYPE_CHECKING, Final

from pbem.engine.calendar import executions

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from datetime import datetime

    from pbem.engine.view import PublicView
    from pbem.letters.scene import Scene

SLACK: Final = timedelta(minutes=2)
"""A start that moves by no more is the mailbox's, not the storyteller's, doing."""
_WIDEST: Final = 75
_FEWEST: Final = 3
"""Turns that are foretold at least."""


@dataclass(frozen=True, slots=True)
class Entry:
    """An execution with the night behind it, or an election: `kind`, its turn, and from when to when (UTC)."""

    kind: str
    turn: int
    start: datetime
    end: datetime


def entries(view: PublicView) -> dict[str, Entry]:
    """What stands ahead, by UID (without the domain); nothing while no time runs."""
    if view.deadline is None or view.started_at is None or view.phase == "over":
        return {}
    found = [_tonight(view), *_foretold(view)]
    if view.election:
        found.append(Entry("election", view.turn, *view.election))
    return {f"{view.code.lower()}-{entry.kind}-{entry.turn}": entry for entry in found}


def _night(view: PublicView) -> timedelta:
    """From the execution to the murder, as a rule."""
    return timedelta(seconds=view.options.sunset + view.options.vision)


def _tonight(view: PublicView) -> Entry:
    """This turn's execution; once it is over, the hour that it must have had."""
    assert view.deadline is not None
    tie_break, sunset = timedelta(seconds=view.options.tie_break), timedelta(seconds=view.options.sunset)
    passed = {"tie-break": tie_break, "sunset": sunset, "vision": _night(view)}.get(view.phase, timedelta())
    left = {"sunset": _night(view) - sunset, "vision": timedelta()}.get(view.phase, _night(view))
    return Entry("execution", view.turn, view.deadline - passed, view.deadline + left)


def _foretold(view: PublicView) -> Iterator[Entry]:
    """The executions of the turns to come, as far as anybody can tell: half as many as there are players."""
    last = max((len(view.faces) + 1) // 2, view.turn + _FEWEST - 1)
    night, ends = _night(view), _tonight(view).end
    for turn in range(view.turn + 1, last + 1):
        start = next(executions(view.options, ends))
        ends = start + night
        yield Entry("execution", turn, start, ends)


def changed(before: PublicView, after: PublicView, at: datetime) -> bool:
    """Whether a reader's calendar that was right before is wrong, or lacks something, after."""
    old, new = entries(before), entries(after)
    gone = any(uid not in new and entry.start > at for uid, entry in old.items())
    return gone or any(_moved(old.get(uid), entry) for uid, entry in new.items())


def _moved(old: Entry | None, new: Entry) -> bool:
    return old is None or abs(new.start - old.start) > SLACK


def file(scene: Scene, before: PublicView) -> tuple[str, str, bytes]:
    """The attachment (name, type, bytes) for that scene's readers: all that stands ahead, and what does no more."""
    lines = [
        "BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Pleine Lune//letters//EN", "METHOD:PUBLISH",
        f"X-WR-CALNAME:{_escaped(f'Pleine Lune · {scene.book.code}')}",
    ]  # fmt: skip
    new = entries(scene.game)
    gone = {uid: one for uid, one in entries(before).items() if uid not in new and one.start > scene.at}
    for uid, entry in sorted({**gone, **new}.items(), key=lambda found: (found[1].start, found[0])):
        lines += _event(scene, uid, entry, cancelled=uid in gone)
    text = b"".join(_folded(line) for line in (*lines, "END:VCALENDAR"))
    return f"pleine-lune-{scene.book.code}.ics", "text/calendar; charset=utf-8; method=PUBLISH", text


def _event(scene: Scene, uid: str, entry: Entry, *, cancelled: bool) -> list[str]:
    """One entry's lines. Written out here: an object for each property would be half of what a digest costs."""
    lines = [
        "BEGIN:VEVENT",
        f"UID:{uid}@{scene.book.game_address.rpartition('@')[2]}",
        f"DTSTAMP:{_moment(scene.at)}",
        f"SEQUENCE:{_sequence(scene)}",
        f"DTSTART:{_moment(entry.start)}",
        f"DTEND:{_moment(entry.end)}",
        f"SUMMARY:{_escaped(scene.words('agenda', entry.kind, code=scene.book.code, turn=entry.turn))}",
        f"DESCRIPTION:{_escaped(_hours(scene, entry))}",
        f"STATUS:{'CANCELLED' if cancelled else 'CONFIRMED'}",
        "TRANSP:TRANSPARENT",
    ]
    if scene.book.archive_url:
        lines.append(f"URL:{scene.book.archive_url.rstrip('/')}/{scene.book.code.lower()}/")
    return [*lines, "END:VEVENT"]


def _moment(at: datetime) -> str:
    return at.astimezone(UTC).strftime("%Y%m%dT%H%M%SZ")


def _escaped(text: str) -> str:
    """RFC 5545, 3.3.11."""
    for mark in ("\\", ";", ","):
        text = text.replace(mark, f"\\{mark}")
    return text.replace("\n", "\\n")


def _folded(line: str) -> bytes:
    """The line with its end, none longer than 75 bytes, no character cut in two (RFC 5545, 3.1)."""
    rest, lines = line.encode(), []
    while len(rest) > _WIDEST:
        end = _WIDEST
        while rest[end] & 0xC0 == 0x80:  # noqa: PLR2004 - within a character
            end -= 1
        lines.append(rest[:end])
        rest = b" " + rest[end:]
    return b"\r\n".join((*lines, rest)) + b"\r\n"


def _sequence(scene: Scene) -> int:
    """Never less than in an earlier letter, UNDO or not: the seconds of the game."""
    started = scene.game.started_at
    return max(0, int((scene.at - started).total_seconds())) if started else 0


def _hours(scene: Scene, entry: Entry) -> str:
    """What ends when, a line each."""
    moments: Mapping[str, datetime] = {"election": entry.end}
    if entry.kind == "execution":
        sunset = entry.end - timedelta(seconds=scene.game.options.vision)
        moments = {"execution": entry.start, "sunset": sunset, "murder": entry.end}
    return "\n".join(f"{scene.clock.hour(at)} · {scene.words('deadline', key)}" for key, at in moments.items())
