"""`pbem status`: whether the program runs and all is well, from the store alone. Nothing secret is in it: no role, no
order, no tag, no address, no mail.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from pbem.app import health, troubles
from pbem.engine.decide import due_at

if TYPE_CHECKING:
    from datetime import datetime

    from pbem.app.health import Health
    from pbem.store import Tx

OVERDUE = timedelta(minutes=5)
SILENT_POLLS = 4
SILENT_SECONDS = 120.0
STUCK = timedelta(hours=1)
FULL = 500
"""Letters that wait; more is no busy evening, but a way out that is too narrow."""
FRESH = timedelta(days=2)
"""How long a letter that could not be delivered, or a mail over which the program stumbled, is news; its storyteller
has been told at once.
"""


@dataclass(frozen=True, slots=True)
class Problem:
    """Something that needs the host. `cause` is a stable word for machines: stopped, mailbox, sending, stuck, full,
    undelivered, stumbled, still, templates, late.
    """

    cause: str
    text: str


@dataclass(frozen=True, slots=True)
class GameLine:
    """One running game: its phase (paused included), when the phase ends, how many play, and how many of them live."""

    code: str
    phase: str
    turn: int
    deadline: datetime | None
    players: int
    living: int
    waiting_confirmation: int


@dataclass(frozen=True, slots=True)
class Status:
    """Everything that a host may want to know; no `found` problems: all is well."""

    at: datetime
    health: Health | None
    running: bool
    games: tuple[GameLine, ...]
    outbox: dict[str, int]
    oldest_letter: datetime | None
    quarantine: int
    found: tuple[Problem, ...] = field(default=())

    @property
    def problems(self) -> tuple[str, ...]:
        """What needs the host, in sentences."""
        return tuple(problem.text for problem in self.found)

    @property
    def healthy(self) -> bool:
        """Nothing needs the host."""
        return not self.found

    def as_json(self) -> dict[str, Any]:
        """For `--json`; moments in ISO 8601, UTC."""
        seen = self.health
        return {
            "healthy": self.healthy,
            "problems": list(self.problems),
            "causes": [problem.cause for problem in self.found],
            "at": self.at.isoformat(),
            "running": self.running,
            "mailbox": {
                "last_poll": _iso(seen.polled) if seen else None,
                "error": (seen.error if seen else "") or None,
                "down_since": _iso(seen.since) if seen else None,
                "mails_waiting": seen.waiting if seen else 0,
                "clock_offset_seconds": seen.offset if seen else 0.0,
                "renumbered": seen.renumbered if seen else 0,
                "stumbled_over": seen.faults if seen else 0,
                "quarantine": self.quarantine,
            },
            "games": [
                {
                    "code": line.code,
                    "phase": line.phase,
                    "turn": line.turn,
                    "deadline": _iso(line.deadline),
                    "players": line.players,
                    "living": line.living,
                    "waiting_confirmation": line.waiting_confirmation,
                }
                for line in self.games
            ],
            "outbox": {**self.outbox, "oldest_unsent": _iso(self.oldest_letter)},
        }


def gather(tx: Tx, now: datetime) -> Status:
    """Look at the store, as of `now` (aware)."""
    seen = health.read(tx)
    lines = tuple(_line(tx, row.id, row.code) for row in tx.games(running_only=True))
    status = Status(
        at=now,
        health=seen,
        running=_running(seen, now),
        games=lines,
        outbox=tx.outbox_counts(),
        oldest_letter=tx.oldest_letter(),
        quarantine=tx.count_quarantined(),
    )
    since = now - FRESH
    found = (*_problems(status, tx.count_failed(since)), *_stumbles(tx, status, since), *_overdue(tx, now))
    return replace(status, found=found)


def _line(tx: Tx, game_id: int, code: str) -> GameLine:
    game = tx.load(game_id)[0]
    phase = "paused" if game.paused else game.phase.value
    deadline = None if game.paused else game.deadline
    return GameLine(code, phase, game.turn, deadline, len(game.players), len(game.living), len(tx.held(game_id)))


def _running(seen: Health | None, now: datetime) -> bool:
    if seen is None or seen.stopped:
        return False
    silence = max(SILENT_SECONDS, SILENT_POLLS * seen.poll_seconds)
    return now - seen.at <= timedelta(seconds=silence) or (bool(seen.error) and now - seen.at <= timedelta(minutes=10))


def _problems(status: Status, failed: int) -> list[Problem]:
    found = []
    seen = status.health
    waiting = status.outbox["pending"] + status.outbox["claimed"]
    if not status.running:
        sign = f" (last sign of it {seen.at:%Y-%m-%d %H:%M} UTC)" if seen else ""
        found.append(Problem("stopped", f"pbem run is not running{sign}"))
    if seen is not None and seen.error and status.running:
        since = f"since {seen.since:%Y-%m-%d %H:%M} UTC " if seen.since else ""
        found.append(Problem("mailbox", f"the mailbox cannot be read {since}({seen.error})"))
    if seen is not None and seen.sending and status.running:
        found.append(Problem("sending", f"letters cannot leave ({seen.sending})"))
    if status.oldest_letter is not None and status.oldest_letter < status.at - STUCK:
        found.append(Problem("stuck", f"letters have been waiting since {status.oldest_letter:%Y-%m-%d %H:%M} UTC"))
    if waiting > FULL:
        found.append(Problem("full", f"{waiting} letters are waiting to leave"))
    if failed:
        found.append(Problem("undelivered", f"{failed} letter(s) could not be delivered in the last two days"))
    return found


def _stumbles(tx: Tx, status: Status, since: datetime) -> list[Problem]:
    """What the program could not do, though it goes on with the rest."""
    mails, wrong = tx.count_quarantined(since, troubles.STUMBLED), troubles.templates(tx)
    found = []
    if mails:
        text = f"{mails} mail(s) made the program stumble in the last two days, and were put aside"
        found.append(Problem("stumbled", text))
    if wrong and status.running:
        text = f"a template of your own is wrong, the program's is used instead ({wrong})"
        found.append(Problem("templates", text))
    return found


def _overdue(tx: Tx, now: datetime) -> list[Problem]:
    """Games that should have moved on: those that made the program stumble, and those that wait for their mailbox."""
    standing, still, late = troubles.standing(tx), [], []
    for row in tx.games(running_only=True):
        game, version = tx.load(row.id)
        known, due = standing.get(row.id), due_at(game)
        if known is not None and known.version == version:
            still.append(Problem("still", f"{row.code} stands still since {known.at:%Y-%m-%d %H:%M} UTC ({known.why})"))
        elif due is not None and due < now - OVERDUE:
            late.append(Problem("late", f"{row.code} has been waiting for its mailbox since {due:%Y-%m-%d %H:%M} UTC"))
    return [*still, *late]


def _iso(moment: datetime | None) -> str | None:
    return None if moment is None else moment.isoformat()
