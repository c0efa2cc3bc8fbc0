"""A bot's mail program: SMTP to write, IMAP to read, nothing else.

It knows an address, a password and two ports; what comes back is opened into `Letter`s. Blocking, for one thread.
"""

from __future__ import annotations

import re
import smtplib
import socket
from dataclasses import dataclass
from datetime import UTC, datetime
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import format_datetime, parseaddr
from html import unescape
from urllib.parse import unquote

from imapclient import IMAPClient

from pbem.mail.mime import open_mail

_MAILTO = re.compile(r'href="mailto:([^"?]+)\?subject=([^"&]*)', re.IGNORECASE)
TIMEOUT_SECONDS = 30.0


@dataclass(frozen=True, slots=True)
class Offer:
    """A button of a letter: the address it writes to, and the command it puts into the subject."""

    address: str
    subject: str

    @property
    def verb(self) -> str:
        """The first word."""
        return self.subject.partition(" ")[0]

    @property
    def rest(self) -> str:
        """What stands behind the verb."""
        return self.subject.partition(" ")[2]


@dataclass(frozen=True, slots=True)
class Letter:
    """A letter as its reader sees it. `offers` are its buttons, `reply_to` where an answer goes."""

    message_id: str
    to: str
    subject: str
    text: str
    reply_to: str
    offers: tuple[Offer, ...]


class MailClient:
    """One person's mail program, logged in to the post office on this machine."""

    def __init__(self, address: str, password: str, smtp_port: int, imap_port: int, name: str = "") -> None:
        self.address = address
        self.name = name
        self._read = 0
        self._smtp = smtplib.SMTP("127.0.0.1", smtp_port, timeout=TIMEOUT_SECONDS)
        self._smtp.login(address, password)
        self._imap = IMAPClient("127.0.0.1", imap_port, ssl=False, timeout=TIMEOUT_SECONDS)
        self._imap.socket().setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)  # else each question waits 40 ms
        self._imap.login(address, password)

    def write(self, to: str, subject: str, body: str, now: datetime, *, answers: str = "") -> None:
        """Send a mail; `answers` is the Message-ID of the letter it replies to."""
        mail = EmailMessage()
        mail["From"] = f"{self.name} <{self.address}>" if self.name else self.address
        mail["To"] = to
        mail["Subject"] = subject
        mail["Date"] = format_datetime(now)
        mail["Message-ID"] = f"<{now.timestamp():.0f}.{len(subject)}.{self.address}>"
        if answers:
            mail["In-Reply-To"] = answers
        mail.set_content(body or "\n")
        self._smtp.sendmail(self.address, [to], mail.as_bytes(policy=SMTP))  # `send_message` alters lines `From …`

    def new_letters(self) -> list[Letter]:
        """What has come since the last look, in an order that does not depend on who was served first."""
        box = self._imap.select_folder("INBOX", readonly=True)
        numbers = range(self._read + 1, int(box[b"UIDNEXT"]))
        fresh = self._imap.fetch(list(numbers), ["BODY.PEEK[]"]) if numbers else {}
        self._read = max(fresh, default=self._read)
        return sorted((_open(data[b"BODY[]"]) for data in fresh.values()), key=lambda mail: (mail.subject, mail.text))

    def close(self) -> None:
        """Log out."""
        self._imap.logout()
        self._smtp.quit()


def _open(raw: bytes) -> Letter:
    mail = open_mail(raw, datetime.now(UTC))
    headers = {name.lower(): value for name, value in mail.headers}
    links = ((unescape(address), unquote(unescape(subject))) for address, subject in _MAILTO.findall(mail.html or ""))
    return Letter(
        message_id=mail.message_id or "",
        to=mail.to[0] if mail.to else "",
        subject=mail.subject,
        text=mail.text or "",
        reply_to=parseaddr(headers.get("reply-to") or headers.get("from", ""))[1],
        offers=tuple(Offer(address, subject) for address, subject in links),
    )
