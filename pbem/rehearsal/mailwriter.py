"""The mails of a scenario, as bytes: what a mail server would hold after it has taken them in.

An authentic mail carries the receiving server's `Authentication-Results` (passed, aligned with From) above its
`Received`; a forged one carries none (SCENARIOS.md, *Senders*). Nothing here reads the program's mind: an answer is
made of the letter that was received, as a mail program would make it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from email import message_from_bytes, policy
from email.headerregistry import Address
from email.message import EmailMessage
from email.utils import format_datetime
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

GAME: Final = "lune@example.org"
LIST: Final = "village@example.org"
STORYTELLER: Final = "conteur@example.org"
READER: Final = "reader@example.org"
AUTHSERV: Final = "mx.example.org"
ELSEWHERE: Final = "ailleurs@example.net"
"""From where a mail with a personal tag comes: any address will do."""

_POLICY: Final = policy.SMTP.clone(max_line_length=78, refold_source="none")
_REPLY: Final = re.compile(r"\s*re\s*:", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Draft:
    """A mail to be written. `sender` is (name, address), `at` when it is received (aware). `number` makes it unique."""

    sender: tuple[str, str]
    at: datetime
    number: int
    subject: str = ""
    body: str = ""
    html: str = ""
    to: str = GAME
    cc: Sequence[tuple[str, str]] = ()
    authentic: bool = True
    auto: bool = False
    in_reply_to: str = ""
    references: Sequence[str] = field(default=())


def write(draft: Draft) -> bytes:
    """The mail, CRLF lines."""
    mail = EmailMessage(policy=_POLICY)
    address = draft.sender[1]
    mail["Return-Path"] = f"<{'' if draft.auto else address}>"
    mail["Delivered-To"] = draft.to
    domain = address.rpartition("@")[2]
    if draft.authentic:
        mail["Authentication-Results"] = (
            f"{AUTHSERV}; spf=pass smtp.mailfrom={address}; dmarc=pass header.from={domain}"
        )
    moment = format_datetime(draft.at)
    mail["Received"] = f"from client.{domain} by {AUTHSERV} with ESMTPS id {draft.number:06}; {moment}"
    mail["From"] = _mailbox(*draft.sender)
    mail["To"] = draft.to
    if draft.cc:
        mail["Cc"] = [_mailbox(*one) for one in draft.cc]
    mail["Date"] = moment
    mail["Message-ID"] = f"<step-{draft.number}.{draft.at:%Y%m%d%H%M}@{domain}>"
    if draft.in_reply_to:
        mail["In-Reply-To"] = draft.in_reply_to
        mail["References"] = " ".join(draft.references or [draft.in_reply_to])
    if draft.auto:
        mail["Auto-Submitted"] = "auto-replied"
    mail["Subject"] = " ".join(draft.subject.split("\n"))
    _fill(mail, draft)
    return mail.as_bytes()


def _mailbox(name: str, address: str) -> Address:
    return Address(name, addr_spec=address)


def _fill(mail: EmailMessage, draft: Draft) -> None:
    """Plain text, HTML, or both as alternatives."""
    if draft.html and not draft.body:
        mail.set_content(draft.html, subtype="html", cte="quoted-printable")
        return
    mail.set_content(draft.body, cte="8bit" if draft.body.isascii() else "quoted-printable")
    if draft.html:
        mail.add_alternative(draft.html, subtype="html", cte="quoted-printable")


@dataclass(frozen=True, slots=True)
class Received:
    """A letter of the game as it lies in somebody's mailbox."""

    raw: bytes

    def open(self) -> EmailMessage:
        """The letter, opened with Python's own parser (not the program's)."""
        return message_from_bytes(self.raw, policy=policy.default)


@dataclass(frozen=True, slots=True)
class Answer:
    """What an answer takes from the letter: to whom, subject with `Re: `, threading, the quoted text."""

    to: str
    subject: str
    in_reply_to: str
    references: tuple[str, ...]
    quotation: str


def answer_to(letter: bytes) -> Answer:
    """As a mail program answers: to Reply-To if there is one, and with the letter quoted below."""
    mail = Received(letter).open()
    subject = str(mail.get("Subject", ""))
    own = str(mail.get("Message-ID", "")).strip()
    return Answer(
        to=_first_address(mail.get("Reply-To")) or _first_address(mail.get("From")) or GAME,
        subject=subject if _REPLY.match(subject) else f"Re: {subject}",
        in_reply_to=own,
        references=(*str(mail.get("References", "")).split(), own),
        quotation=f"Le lun. 7 déc. 2026 à 20:00, Le Conteur <{GAME}> a écrit :\n{_quoted(text_of(mail))}",
    )


def text_of(mail: EmailMessage) -> str:
    """The plain text part; '' if there is none."""
    part = mail.get_body(("plain",))
    return str(part.get_content()) if part is not None else ""


def _quoted(text: str) -> str:
    return "".join(f"> {line}\n" if line else ">\n" for line in text.splitlines())


def _first_address(header: object) -> str:
    addresses = getattr(header, "addresses", ())
    return str(addresses[0].addr_spec) if addresses else ""
