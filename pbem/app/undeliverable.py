"""A letter that the mail server refuses for good is as good as a bounce (MAIL.md § 5): the address is marked, and the
storyteller told once.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbem.app.desk import Desk
from pbem.app.notices import tell_bounce

if TYPE_CHECKING:
    from datetime import datetime

    from pbem.app.office import Office
    from pbem.store import OutboxRow, Tx


def tell(office: Office, tx: Tx, letter: OutboxRow, why: str, now: datetime) -> None:
    """Mark every seat of a running game that is written to at that address; tell each game's storyteller."""
    for game_id, seat in tx.note_bounce(letter.to, now):
        tell_bounce(Desk(office, tx, game_id, now), seat, why)
