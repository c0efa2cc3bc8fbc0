"""A phase whose players could not write is given time back (RULES.md, option `outage_extension`).

An outage lies between two polls that were read to the end, further apart than `PATIENCE` by the host's clock: the mail
server was down, or this program, or the host slept, or its clock was put forward. Who wrote meanwhile loses nothing if
his mail was received; but a server that is down takes no mail, and who got no letters had nothing to answer. So a phase
is extended when half of its last hour was lost, before anything is read that was written after it.
"""

from __future__ import annotations

import json
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Final

from pbem.engine.commands import MoveDeadline
from pbem.engine.state import Phase

if TYPE_CHECKING:
    from pbem.app.desk import Desk
    from pbem.store import Tx

LAST: Final = timedelta(hours=1)
"""The part of a phase that is looked at."""
PATIENCE: Final = timedelta(minutes=3)
"""How far apart two polls may be. A poll comes at least every thirty seconds, or as `[imap] poll_seconds` says."""
_POLLED: Final = "polled"
_CLOSING: Final = {
    Phase.DAY: "execution", Phase.TIE_BREAK: "tie-break", Phase.SUNSET: "sunset", Phase.VISION: "vision",
}  # fmt: skip


def polled(tx: Tx, at: datetime, wall: float) -> None:
    """A poll that began at `at` has been read to the end, at `wall` seconds by the host's clock."""
    tx.set(_POLLED, json.dumps([at.isoformat(), wall]))


def gap(tx: Tx, at: datetime, wall: float, patience: timedelta = PATIENCE) -> datetime | None:
    """When the outage began that ends with the poll begun at `at`; None if there was none."""
    known = tx.get(_POLLED)
    if known is None:
        return None
    last_at, last_wall = json.loads(known)
    began = datetime.fromisoformat(last_at)
    return began if wall - last_wall > patience.total_seconds() and began < at else None


def reopen(desk: Desk, read_to: datetime) -> str | None:
    """After an outage, before the mails that waited are dealt with: extend what ended in it, as `extend` does."""
    closing = _CLOSING.get(desk.game.phase)
    if closing is None or desk.game.deadline is None or desk.game.deadline > read_to:
        return None
    return extend(desk, closing)


def extend(desk: Desk, closing: str) -> str | None:
    """Move the deadline instead of closing, if the mailbox was down for long before it: "extended", else None."""
    game = desk.game
    extension = game.options.outage_extension
    if not extension or closing not in _CLOSING.values() or game.deadline is None or game.paused:
        return None
    opened = game.day_opened if closing == "execution" and game.day_opened else game.deadline - LAST
    began = max(opened, game.deadline - LAST)
    if 2 * lost(desk.tx, began, game.deadline, desk.now) < game.deadline - began:
        return None
    key = f"extended:{desk.game_id}"
    if desk.tx.get(key) == game.deadline.isoformat():
        return None  # this very deadline is an extension: a server that stays down does not stop the game for ever
    deadline = max(desk.now, game.deadline) + timedelta(seconds=extension)
    desk.tx.set(key, deadline.isoformat())
    desk.act(MoveDeadline(desk.now, deadline))
    return "extended"


def lost(tx: Tx, began: datetime, ended: datetime, now: datetime) -> timedelta:
    """How much of the time between the two moments the mailbox could not be read; outages may overlap."""
    total, reached = timedelta(), began
    for row in sorted(tx.outages(began), key=lambda row: row.began):
        start, end = max(row.began, reached), min(row.ended or now, ended)
        if end > start:
            total, reached = total + (end - start), end
    return total
