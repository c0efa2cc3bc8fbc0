"""Mail addresses that people type, whether a letter can go there, and whose they were."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from pbem.store import Tx

_FIT: Final = re.compile(
    r"[a-z0-9!#$%&'*/=?^_`{|}~+-]+(?:\.[a-z0-9!#$%&'*/=?^_`{|}~+-]+)*@[a-z0-9-]+(?:\.[a-z0-9-]+)+", re.IGNORECASE
)
_LONGEST: Final = 254
_LOCAL: Final = 64


def fit(address: str) -> bool:
    """Whether an envelope can carry it (RFC 5321 § 4.5.3.1): plain ASCII, no quoting, a domain with a dot."""
    local, _, _ = address.rpartition("@")
    return len(address) <= _LONGEST and len(local) <= _LOCAL and _FIT.fullmatch(address) is not None


def typed(text: str) -> str:
    """The address that somebody typed, lower case; '' if it is none that a letter can go to."""
    found = text.strip().strip("<>").removeprefix("mailto:").lower()
    return found if fit(found) else ""


def leave_behind(tx: Tx, game_id: int, seat: int, address: str) -> None:
    """ADDRESS: a seat's former address, by which its player could still read along (ORG-2)."""
    tx.set(f"former:{game_id}:{_mailbox(address)}", str(seat))


def former_seat(tx: Tx, game_id: int, address: str) -> int:
    """The seat whose player has, or had, that mailbox, be it under another sub-address; 0 if nobody's."""
    mailbox = _mailbox(address)
    now = next((row.seat for row in tx.players(game_id) if _mailbox(row.address) == mailbox), 0)
    return now or int(tx.get(f"former:{game_id}:{mailbox}") or 0)


def _mailbox(address: str) -> str:
    local, _, domain = address.lower().rpartition("@")
    return f"{local.split('+')[0]}@{domain}"
