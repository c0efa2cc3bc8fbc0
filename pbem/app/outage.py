"""A phase whose players could not write is given time back (RULES.md, option `outage_extension`).

"Could not be read" is what the mailbox reader has written down as outages. Who wrote during one loses nothing (his mail
was received); but a server that is down takes no mail, so a phase is extended when half of its last hour was lost.
"""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Final

from pbem.engine.commands import MoveDeadline

if TYPE_CHECKING:
    from datetime import datetime

    from pbem.app.desk import Desk
    from pbem.store import Tx

LAST: Final = timedelta(hours=1)
"""The part of a phase that is looked at."""


def extend(desk: Desk, closing: str) -> str | None:
    """Move the deadline instead of closing, if the mailbox was down for long before it: "extended", else None."""
    game = desk.game
    extension = game.options.outage_extension
    if not extension or closing not in {"execution", "tie-break", "sunset", "vision"} or game.deadline is None:
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
    """How much of the time between the two moments the mailbox could not be read."""
    total = timedelta()
    for row in tx.outages(began):
        start, end = max(row.began, began), min(row.ended or now, ended)
        total += max(timedelta(), end - start)
    return total
