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
    from pbem.post import Incoming
    from pbem.store import OutboxRow, PlayerRow, Tx

_BEFORE: Final = timedelta(days=2)
"""How long before its first bounce a letter may have been lost: mail servers try for a while before they give up."""
_NEVER_AGAIN: Final = frozenset({"confirm", "ack", "vote-reminder"})


def note(office: Office, tx: Tx, mail: Incoming, raw: bytes, now: datetime, cause: int | None) -> None:
    """Mark the address that a bounce says cannot be reached; nothing if it says nothing that holds.

    Anybody can write a bounce: only one that names a letter of the game's to one person counts, whose Message-ID nobody
    else knows. It may name another address than his: that to which his mail is forwarded.
    """
    told = diagnose(mail, raw)
    letter = tx.letter(told.original_message_id) if told and told.failed and told.original_message_id else None
    if told is None or letter is None or letter.to == office.settings.game.list_address:
        return
    for owner in tx.note_bounce(letter.to, now):
        desk = Desk(office, tx, owner.game_id, now, cause)
        notices.tell_bounce(desk, owner.seat, told.status or "")


def send_again(desk: Desk, old: PlayerRow) -> None:
    """Send what may have been lost at the old address to the new one, with the tag that is good now."""
    now = desk.tx.player(desk.game_id, old.seat)
    if old.bounced is None or now is None:
        return
    for row in desk.tx.letters(desk.game_id, to=old.address):
        if row.created >= old.bounced - _BEFORE and row.kind not in _NEVER_AGAIN:
            _copy(desk, row, old, now)


def _copy(desk: Desk, row: OutboxRow, old: PlayerRow, now: PlayerRow) -> None:
    message_id = desk.office.tokens.message_id(desk.office.settings.game.domain)
    head, gap, body = _retagged(row.raw, old.tag, now.tag).partition(b"\r\n\r\n")
    head = re.sub(rb"(?im)^To: [^\r\n]*", b"To: " + now.address.encode("ascii"), head, count=1)
    head = re.sub(rb"(?im)^Message-ID: [^\r\n]*", b"Message-ID: " + message_id.encode("ascii"), head, count=1)
    desk.tx.enqueue(
        desk.game_id, row.kind, now.address, message_id, head + gap + body, row.thread, row.notices, desk.now,
        seat=old.seat,
    )  # fmt: skip


def _retagged(raw: bytes, old: str, new: str) -> bytes:
    """The letter with the one personal tag for the other, be it broken by the ends of quoted-printable lines."""
    if not old or len(old) != len(new):
        return raw
    broken = re.compile(b"(=\r\n)?".join(re.escape(char.encode()) for char in old))

    def replaced(found: re.Match[bytes]) -> bytes:
        breaks = [*(part or b"" for part in found.groups()), b""]
        return b"".join(char.encode() + gap for char, gap in zip(new, breaks, strict=True))

    return broken.sub(replaced, raw)
