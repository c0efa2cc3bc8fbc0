"""What the store hands out: frozen records, one for each kind of row. Every moment in them is aware, in UTC."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    from pbem.engine.commands import Command
    from pbem.engine.events import Event


class TagOwner(NamedTuple):
    """Whose a personal tag is, or was."""

    game_id: int
    seat: int


class Thread(NamedTuple):
    """The Message-IDs of a thread's first and latest letter."""

    root: str
    last: str


class EventRow(NamedTuple):
    """One entry of a game's log: its number from 1, when it was committed, and what happened."""

    n: int
    at: datetime
    event: Event


@dataclass(frozen=True, slots=True)
class CommandRow:
    """One command as it was decided: on the game of `version` events, with `count` events following from it.

    `events` numbers version + 1 … version + count are its own. `mail_id` is the mail that it came in, if one.
    """

    n: int
    game_id: int
    at: datetime
    version: int
    count: int
    command: Command
    mail_id: int | None


@dataclass(frozen=True, slots=True)
class GameRow:
    """A game without its log. `version` is the number of events so far, `over` whether it has ended."""

    id: int
    code: str
    series: str
    version: int
    over: bool
    created: datetime
    ended: datetime | None


@dataclass(frozen=True, slots=True)
class PlayerRow:
    """Who sits at a seat and how he is written to. `amount` is posts, daily or digest (MAIL).

    `bounced` is when his address first failed, None while it works.
    """

    game_id: int
    seat: int
    address: str
    language: str
    gender: str
    tag: str
    amount: str
    reminders: bool
    bounced: datetime | None


@dataclass(frozen=True, slots=True)
class ReaderRow:
    """Somebody who follows a game without playing (WATCH); `tag` is the secret of his one-click way out.

    `amount` is watch (digests and the graveyard) until he says MAIL posts, daily or digest.
    """

    game_id: int
    address: str
    name: str
    language: str
    amount: str
    tag: str
    bounced: datetime | None


@dataclass(frozen=True, slots=True)
class StorytellerRow:
    """Who steers a game."""

    game_id: int
    address: str
    name: str
    language: str
    gender: str


@dataclass(frozen=True, slots=True)
class MailRow:
    """The record of one mail read. `raw` is kept only where it is still needed. `authentic` as MAIL.md § 4 means it."""

    id: int
    uidvalidity: int
    uid: int
    received: datetime
    read: datetime
    message_id: str
    sender: str
    authentic: bool
    digest: str
    kind: str
    outcome: str
    game_id: int | None
    seat: int | None
    raw: bytes | None


@dataclass(frozen=True, slots=True)
class HeldRow:
    """A mail that waits for its confirmation (MAIL.md § 4).

    `commands` is the app's own JSON. `state` is waiting, taken or void. `seat` 0: no player's.
    """

    code: str
    game_id: int
    seat: int
    address: str
    raw: bytes
    received: datetime
    commands: str
    created: datetime
    state: str
    mail_id: int | None


@dataclass(frozen=True, slots=True)
class OutboxRow:
    """A letter on its way. `state` is pending, held, claimed, sent or failed; `attempts` counts deliveries begun."""

    id: int
    game_id: int | None
    seat: int | None
    kind: str
    to: str
    message_id: str
    raw: bytes
    thread: str
    notices: tuple[Mapping[str, Any], ...]
    state: str
    attempts: int
    created: datetime
    not_before: datetime
    sent: datetime | None
    error: str


@dataclass(frozen=True, slots=True)
class QuarantineRow:
    """A mail that could not be read, whole, and why."""

    id: int
    at: datetime
    why: str
    mail_id: int | None
    raw: bytes


@dataclass(frozen=True, slots=True)
class OutageRow:
    """A time in which the mailbox could not be read; `ended` None: it still cannot."""

    began: datetime
    ended: datetime | None
