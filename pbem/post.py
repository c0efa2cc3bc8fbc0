"""The envelopes that the layers hand to each other.

`RawMail` is what the mailbox gave, `Incoming` the same mail opened and decoded, `Letter` what the game has to say.
All three are frozen; nothing here reads a mail or sends one.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime


@dataclass(frozen=True, slots=True)
class RawMail:
    """One mail as the mailbox holds it.

    `received` is the server's INTERNALDATE, aware, in UTC (CAL-6). `uidvalidity` and `uid` name it in its folder.
    """

    uidvalidity: int
    uid: int
    received: datetime
    raw: bytes


@dataclass(frozen=True, slots=True)
class Incoming:
    """A mail opened: headers decoded and unfolded, the text chosen, nothing yet understood.

    Addresses are bare (`a@b.c`), lower case. `senders` are the addresses of every From header, so two forged ones show.
    `recipients` are those of Delivered-To, X-Original-To and their like; `to` and `cc` as the writer put them (Bcc
    counts as Cc).
    `headers` keep the order of the mail, top first, names as written, values decoded to text on one line.
    `text` is the body as plain text (from HTML where there is nothing better), quotation included; None if there is
    none.
    `html_text` is the HTML part as text, with `> ` before each line that the sender's program marked as quotation.
    `content_types` are those of all parts, depth first (`multipart/report; report-type=…`, `text/calendar; method=…`).
    `encrypted`: the mail, or a piece of it, can only be read with a key.
    `faults` says in words what was odd or unreadable.
    """

    message_id: str | None
    received: datetime
    senders: tuple[str, ...]
    sender_name: str
    to: tuple[str, ...]
    cc: tuple[str, ...]
    recipients: tuple[str, ...]
    subject: str
    headers: tuple[tuple[str, str], ...]
    text: str | None
    html: str | None = None
    html_text: str | None = None
    content_types: tuple[str, ...] = ()
    encrypted: bool = False
    faults: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Letter:
    """One letter that the game writes, to one envelope address (a player's, the storyteller's, a reader's, the list's).

    `kind` is the slug of its folder of templates, `notices` what it tells, for machines (SCENARIOS.md, *Notices*).
    `thread` is a stable key: letters of one thread refer to each other. `daily`: it is no letter by itself but a
    piece of
    its reader's one mail a day; `text` and `html` are then without what stands around a letter.
    """

    to: str
    kind: str
    language: str
    subject: str
    text: str
    html: str
    notices: tuple[Mapping[str, Any], ...] = ()
    reply_to: str | None = None
    in_reply_to: str | None = None
    thread: str = ""
    headers: tuple[tuple[str, str], ...] = ()
    attachments: tuple[tuple[str, str, bytes], ...] = field(default=())
    daily: bool = False
