"""The store: games as logs of events, the people who play them, mails in and letters out, in one database.

`Store` opens it, `Tx` is one transaction of it, `rows` what it hands out, `codec` how events become text.
It knows the engine's records and nothing of mail, letters or the clock: every moment comes from the caller.
"""

from __future__ import annotations

from pbem.store.errors import Conflict, NewerDatabase, StoreError
from pbem.store.rows import (
    CommandRow,
    EventRow,
    GameRow,
    HeldRow,
    MailRow,
    OutageRow,
    OutboxRow,
    PlayerRow,
    QuarantineRow,
    ReaderRow,
    StorytellerRow,
    TagOwner,
    Thread,
)
from pbem.store.store import Store, Tx

__all__ = [
    "CommandRow",
    "Conflict",
    "EventRow",
    "GameRow",
    "HeldRow",
    "MailRow",
    "NewerDatabase",
    "OutageRow",
    "OutboxRow",
    "PlayerRow",
    "QuarantineRow",
    "ReaderRow",
    "Store",
    "StoreError",
    "StorytellerRow",
    "TagOwner",
    "Thread",
    "Tx",
]
