"""Mails that another program dealt with before the game was brought here (`pbem game import`).

The mailbox may be the same one, or a copy, and is then read from its beginning. What was received before the moment up
to which the former program had read it has had its effect and its answer, and gets neither here. Mailboxes count whole
seconds: of the last one nothing is taken for granted, but what the export has on record is known again by its
Message-ID or its octets, however often it comes.

A database that has never read a mailbox takes the former one's over: there that holds for mails to no game as well.
"""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from pbem.app.luggage import People
    from pbem.store import Tx

KEY: Final = "imported"
"""`imported:<game>` in the store is up to when that game's mails were dealt with elsewhere, `imported` all others."""


def read_to(tx: Tx, game_id: int) -> datetime | None:
    """Up to when that game's mails have been dealt with, here or before, in whole seconds; None: no mail ever was."""
    moments = [_known(tx, f"{KEY}:{game_id}"), tx.read_to()]
    return max((moment.replace(microsecond=0) for moment in moments if moment is not None), default=None)


def remember(tx: Tx, game_id: int, people: People) -> None:
    """Write down what was dealt with elsewhere. The records keep a place that no mailbox has: a negative number."""
    for number, mail in enumerate(people.mails, 1):
        tx.record_mail(
            -game_id, number, mail.received, mail.message_id, mail.sender, mail.digest, mail.kind, mail.outcome,
            game_id=game_id, read=mail.read, authentic=mail.authentic, seat=mail.seat,
        )  # fmt: skip
    if people.read_to is None:
        return
    tx.set(f"{KEY}:{game_id}", people.read_to.isoformat())
    former = _known(tx, KEY)
    if not tx.ever_read() and (former is None or former < people.read_to):
        tx.set(KEY, people.read_to.isoformat())


def dealt_with(tx: Tx, game_id: int | None, received: datetime) -> bool:
    """Whether a mail to that game (None: to no game) received then has been dealt with elsewhere."""
    until = _known(tx, KEY if game_id is None else f"{KEY}:{game_id}")
    return until is not None and received < until


def _known(tx: Tx, key: str) -> datetime | None:
    found = tx.get(key)
    return datetime.fromisoformat(found) if found else None
