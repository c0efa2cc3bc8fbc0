"""The one mail a day (MAIL daily): pieces are kept as they are written, and go out together at a fixed local hour.

Keeping a piece and taking it out are part of the transactions that write what it tells and the mail that holds it, so
none is lost and none comes twice. When the game ends nothing waits any more.
"""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from pbem.engine.calendar import local
from pbem.letters.copies import Follower

if TYPE_CHECKING:
    from datetime import datetime, time

    from pbem.app.desk import Desk
    from pbem.engine.options import Options


def due(options: Options, hour: time, now: datetime) -> datetime:
    """When what is written now goes out: the next time that the village clock shows `hour`."""
    today = local(options, now)
    moment = today.replace(hour=hour.hour, minute=hour.minute, second=0, microsecond=0, fold=0)
    return (moment if moment > today else moment + timedelta(days=1)).astimezone(now.tzinfo)


def send_all(desk: Desk) -> None:
    """Everything that waits in that game, whenever it is due."""
    for address in desk.tx.collected_for(desk.game_id):
        send(desk, address)


def send(desk: Desk, address: str, by: datetime | None = None) -> None:
    """What is due by then (None: all) for that address; nothing for somebody who is not written to any more."""
    pieces = desk.tx.take_collected(desk.game_id, address, by)
    one = _follower(desk, address)
    if one is not None:
        desk.send(desk.office.scribe.daily(one, pieces, desk.game, desk.book, at=desk.now))


def _follower(desk: Desk, address: str) -> Follower | None:
    """Who has that address now, however much mail he wants by now."""
    players = (Follower(own, seat) for seat, own in desk.book.seats.items() if own.address == address)
    readers = (Follower(reader) for reader in desk.book.readers if reader.address == address)
    return next(iter((*players, *readers)), None)
