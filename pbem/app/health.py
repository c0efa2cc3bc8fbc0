"""How the running program is, written into the store for `pbem status` to read: moments and counts, never contents."""

from __future__ import annotations

import dataclasses
import json
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pbem.store import Tx

_KEY = "health"


@dataclass(frozen=True, slots=True)
class Health:
    """`at`: when it was written. `polled`: when the last whole poll began. `error`: why the mailbox cannot be read, ''
    if it can; `since` when that began. `waiting`: mails fetched and not dealt with. `offset`: how many seconds the mail
    server's clock is ahead of the host's. `renumbered`: how often the server gave all mails new numbers (UIDVALIDITY).
    `faults`: mails that made the program stumble (they are in quarantine). `sending`: why letters cannot leave.
    """

    at: datetime
    started: datetime
    pid: int = 0
    polled: datetime | None = None
    error: str = ""
    since: datetime | None = None
    waiting: int = 0
    idle: bool = False
    offset: float = 0.0
    renumbered: int = 0
    faults: int = 0
    sending: str = ""
    poll_seconds: float = 30.0
    stopped: bool = False


def write(tx: Tx, health: Health) -> None:
    """Keep it, in place of the one before."""
    values = dataclasses.asdict(health)
    tx.set(_KEY, json.dumps(values, default=datetime.isoformat))


def read(tx: Tx) -> Health | None:
    """The last one written; None if the program has never run on this store, or a later version has."""
    text = tx.get(_KEY)
    if text is None:
        return None
    values: dict[str, Any] = json.loads(text)
    try:
        return Health(**{name: _moment(name, value) for name, value in values.items()})
    except TypeError:
        return None


def _moment(name: str, value: Any) -> Any:
    moments = {"at", "started", "polled", "since"}
    return datetime.fromisoformat(value) if name in moments and isinstance(value, str) else value
