"""Mail addresses that people type, whether a letter can go there, and whose they were."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from pbem.settings import Game
    from pbem.store import Tx

_FIT: Final = re.compile(
    r"[a-z0-9!#$%&'*/=?^_`{|}~+-]+(?:\.[a-z0-9!#$%&'*/=?^_`{|}~+-]+)*@[a-z0-9-]+(?:\.[a-z0-9-]+)+", re.IGNORECASE
)
_LONGEST: Final = 254
_LOCAL: Final = 64
_FORMER: Final = "former"


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
    tx.set(f"{_FORMER}:{game_id}", json.dumps({**_former(tx, game_id), mailbox(address): seat}))


def former_seat(tx: Tx, game_id: int, address: str) -> int:
    """The seat whose player has, or had, that mailbox, be it under another sub-address; 0 if nobody's."""
    theirs = mailbox(address)
    now = next((row.seat for row in tx.players(game_id) if mailbox(row.address) == theirs), 0)
    return now or _former(tx, game_id).get(theirs, 0)


def _former(tx: Tx, game_id: int) -> dict[str, int]:
    """The seats by the mailboxes that their players have left. It is the game's own: it moves with it."""
    return dict(json.loads(tx.get(f"{_FORMER}:{game_id}") or "{}"))


def read_graveyard(tx: Tx, game_id: int, address: str) -> bool:
    """ORG-2: whether that mailbox has ever received the graveyard of that game, be it under another sub-address."""
    return mailbox(address) in {mailbox(one) for one in tx.graveyard(game_id)}


def reads_no_more(tx: Tx, game_id: int, address: str) -> None:
    """Whoever has that mailbox follows the game no longer."""
    for row in tx.readers(game_id):
        if mailbox(row.address) == mailbox(address):
            tx.remove_reader(game_id, row.address)


def ours(game: Game, address: str) -> bool:
    """Whether it leads to the game or to the village's list, under whatever sub-address: no person's."""
    return mailbox(address) in {mailbox(game.address), mailbox(game.list_address)}


def mailbox(address: str) -> str:
    """The address without its sub-address, in lower case."""
    local, _, domain = address.lower().rpartition("@")
    return f"{local.split('+')[0]}@{domain}"
