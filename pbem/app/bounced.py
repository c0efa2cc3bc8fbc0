"""Letters that come back (MAIL.md § 5): the address is marked, the storyteller told once, the letters kept.

When the player moves to another address (ADDRESS) they are sent again, to the new one; who takes over a seat (REPLACE)
gets its whole history anyway.
"""

from __future__ import annotations

import re
from datetime import timedelta
from typing import TYPE_CHECKING, Final

from pbem.app import notices
from pbem.app.desk import Desk
from pbem.mail.bounces import diagnose

if TYPE_CHECKING:
    from datetime import datetime

    from pbem.app.office import Office
    from pbem.mail.bounces import Bounce
    from pbem.post import Incoming
    from pbem.store import OutboxRow, PlayerRow, Tx

_BEFORE: Final = timedelta(days=2)
"""How long before its first bounce a letter may have been lost: mail servers try for a while before they give up."""
_NEVER_AGAIN: Final = frozenset({"confirm", "ack", "vote-reminder"})


def note(office: Office, tx: Tx, mail: Incoming, raw: bytes, now: datetime, cause: int | None) -> None:
    """Mark the addresses that a bounce says cannot be reached; nothing if it says nothing that holds.

    Anybody can write a bounce: only one that names a letter which the game did send to that address counts.
    """
    told = diagnose(mail, raw)
    if told is None or not told.failed:
        return
    for address in told.failed:
        if _is_ours(tx, told, address):
            for owner in tx.note_bounce(address, now):
                desk = Desk(office, tx, owner.game_id, now, cause)
                notices.tell_bounce(desk, owner.seat, told.status or "")


def _is_ours(tx: Tx, told: Bounce, address: str) -> bool:
    letter = tx.letter(told.original_message_id) if told.original_message_id else None
    return letter is not None and letter.to == address


def send_again(desk: Desk, old: PlayerRow, address: str) -> None:
    """Send what may have been lost at the old address to the new one."""
    if old.bounced is None:
        return
    for row in desk.tx.letters(desk.game_id, to=old.address):
        if row.created >= old.bounced - _BEFORE and row.kind not in _NEVER_AGAIN:
            _copy(desk, row, old, address)


def _copy(desk: Desk, row: OutboxRow, old: PlayerRow, address: str) -> None:
    message_id = desk.office.tokens.message_id(desk.office.settings.game.domain)
    head, gap, body = row.raw.partition(b"\r\n\r\n")
    head = re.sub(rb"(?im)^To: .*$", b"To: " + address.encode("ascii"), head, count=1)
    head = re.sub(rb"(?im)^Message-ID: .*$", b"Message-ID: " + message_id.encode("ascii"), head, count=1)
    desk.tx.enqueue(
        desk.game_id, row.kind, address, message_id, head + gap + body, row.thread, row.notices, desk.now, seat=old.seat
    )  # fmt: skip
