"""A person with a mail program: writes by SMTP, reads by IMAP, and knows only what the letters say."""

from __future__ import annotations

import email
import email.policy
import email.utils
import imaplib
import json
import smtplib
import time
from email.message import EmailMessage
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

GAME = "lune@village.example"


class Client:
    """Somebody of the embedded post office. `maildirs` holds the passwords, as `pbem run` wrote them."""

    def __init__(self, address: str, ports: tuple[int, int], maildirs: Path) -> None:
        self.address = address
        self.smtp_port, self.imap_port = ports
        self._passwords = maildirs / "passwords.json"
        self.letters: list[EmailMessage] = []

    def _password(self) -> str:
        return json.loads(self._passwords.read_text())[self.address]

    def send(self, subject: str, body: str = "", *, to: str = GAME) -> str:
        """Write a mail; its Message-ID."""
        mail = EmailMessage()
        mail["From"], mail["To"], mail["Subject"] = self.address, to, subject
        mail["Message-ID"] = email.utils.make_msgid(domain="village.example")
        mail.set_content(body or "\n")
        with smtplib.SMTP("127.0.0.1", self.smtp_port, local_hostname="localhost", timeout=20) as post:
            post.ehlo()
            post.mail(self.address)
            post.rcpt(self.address)  # makes the mailbox
            post.rset()
            post.login(self.address, self._password())
            post.send_message(mail)
        return mail["Message-ID"]

    def answer(self, letter: EmailMessage, body: str = "") -> str:
        """Reply, the subject kept."""
        to = email.utils.parseaddr(letter["Reply-To"] or letter["From"])[1]
        return self.send(f"Re: {letter['Subject']}", body, to=to)

    def read(self) -> list[EmailMessage]:
        """The letters that came since the last time."""
        with imaplib.IMAP4("127.0.0.1", self.imap_port, timeout=20) as box:
            box.login(self.address, self._password())
            box.select("INBOX")
            numbers = (box.search(None, "UNSEEN")[1][0] or b"").split()
            found = [body(box.fetch(n.decode(), "(BODY[])")[1]) for n in numbers]
        news = [email.message_from_bytes(raw, policy=email.policy.default) for raw in found]
        self.letters += news
        return news

    def wait_for(self, what, seconds: float = 30) -> EmailMessage:
        """The first new letter for which `what` is true."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            for letter in self.read():
                if what(letter):
                    return letter
            time.sleep(0.1)
        subjects = [str(letter["Subject"]) for letter in self.letters]
        raise AssertionError(f"{self.address} waits in vain; he has {subjects}")

    def answer_to(self, message_id: str, seconds: float = 30) -> EmailMessage:
        """The acknowledgement of that mail."""
        return self.wait_for(lambda letter: letter["In-Reply-To"] == message_id, seconds)


def text(letter: EmailMessage) -> str:
    """Its plain text."""
    return letter.get_body(("plain",)).get_content()


def body(answer) -> bytes:
    """The mail in an answer to FETCH, which may also bring news of other mails."""
    return next(part[1] for part in answer if isinstance(part, tuple))
