"""The mails of a scenario, as bytes: what a mail server would hold after it has taken them in.

An authentic mail carries the receiving server's `Authentication-Results` (passed, aligned with From) above its
`Received`; a forged one carries none (SCENARIOS.md, *Senders*). Nothing here reads the program's mind: an answer is
made of the letter that was received, as a mail program would make it.
"""

from __future__ import annotations

import binascii
import re
from dataclasses import dataclass, field
from email import message_from_bytes, policy
from email.header import Header
from email.utils import format_datetime, formataddr
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime
    from email.message import EmailMessage

GAME: Final = "lune@example.org"
LIST: Final = "village@example.org"
STORYTELLER: Final = "conteur@example.org"
READER: Final = "reader@example.org"
AUTHSERV: Final = "mx.example.org"
ELSEWHERE: Final = "ailleurs@example.net"
"""From where a mail with a personal tag comes: any address will do."""

_REPLY: Final = re.compile(r"\s*re\s*:", re.IGNORECASE)
_BOUNDARY: Final = "=_two-forms-of-one-text"


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
    """The mail, CRLF lines, 7-bit: quoted-printable bodies, encoded words (RFC 2047) where a header is not ASCII."""
    address = draft.sender[1]
    domain = address.rpartition("@")[2]
    moment = format_datetime(draft.at)
    fields = [
        ("Return-Path", f"<{'' if draft.auto else address}>"),
        ("Delivered-To", draft.to),
        *([("Authentication-Results", _passed(address, domain))] if draft.authentic else []),
        ("Received", f"from client.{domain} by {AUTHSERV} with ESMTPS id {draft.number:06};\r\n {moment}"),
        ("From", _mailbox(*draft.sender)),
        ("To", draft.to),
        *([("Cc", ",\r\n ".join(_mailbox(*one) for one in draft.cc))] if draft.cc else []),
        ("Date", moment),
        ("Message-ID", f"<step-{draft.number}.{draft.at:%Y%m%d%H%M}@{domain}>"),
        *([("In-Reply-To", draft.in_reply_to)] if draft.in_reply_to else []),
        *([("References", "\r\n ".join(draft.references))] if draft.references else []),
        *([("Auto-Submitted", "auto-replied")] if draft.auto else []),
        ("Subject", _words(" ".join(draft.subject.split("\n")))),
        ("MIME-Version", "1.0"),
    ]
    head = "".join(f"{name}: {value}\r\n" for name, value in fields)
    return head.encode("ascii") + _content(draft)


def _passed(address: str, domain: str) -> str:
    return f"{AUTHSERV};\r\n spf=pass smtp.mailfrom={address};\r\n dmarc=pass header.from={domain}"


def _words(text: str) -> str:
    return text if text.isascii() else Header(text, "utf-8", header_name="Subject").encode(linesep="\r\n")


def _mailbox(name: str, address: str) -> str:
    return formataddr((name, address)) if name else address


def _content(draft: Draft) -> bytes:
    """Plain text, HTML, or both as alternatives."""
    if not draft.html:
        return _part("plain", draft.body)
    if not draft.body:
        return _part("html", draft.html)
    parts = (_part("plain", draft.body), _part("html", draft.html))
    head = f'Content-Type: multipart/alternative; boundary="{_BOUNDARY}"\r\n\r\n'.encode()
    mark = f"--{_BOUNDARY}".encode()
    return head + b"".join(mark + b"\r\n" + part for part in parts) + mark + b"--\r\n"


def _part(subtype: str, text: str) -> bytes:
    head = f"Content-Type: text/{subtype}; charset=utf-8\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n"
    lines = text.rstrip("\n").encode() + b"\n"
    return head.encode() + binascii.b2a_qp(lines, istext=True).replace(b"\n", b"\r\n")


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
