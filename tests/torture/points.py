"""Points at which a worker kills itself: before and after every commit, IMAP command, SMTP command and SMTP reply.

This is the only place that knows how to wrap the program; the program knows nothing of it. A point has a name, made of
what is about to happen or has happened, and to what (and of the step of the story, if the same done later is to be
another point). A worker dies at a point at most once: its name is written down first, and who comes by again lives on.
So each life gets further than the one before.
"""

from __future__ import annotations

import contextlib
import hashlib
import imaplib
import json
import os
import re
import signal
import threading
import time
from datetime import datetime
from typing import TYPE_CHECKING

import sqlalchemy as sa
from aiosmtplib.protocol import SMTPProtocol
from imapclient import IMAPClient

from pbem.mail import imap, imap_link
from pbem.mail.dialogue import Dialogue
from pbem.mail.maildir import Maildir
from pbem.store import Store

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from tests.torture.shared import SharedClock

KINDS = (
    "commit-before", "commit-after", "imap-before", "imap-sent", "imap-after", "smtp-before", "smtp-sent", "smtp-reply",
    "maildir-before", "maildir-after",
)  # fmt: skip
"""The last two: before and after a mail is put into a mailbox, where the worker is its own post office."""
_MESSAGE_ID = re.compile(rb"(?mi)^Message-ID:\s*(<[^>]+>)")
_WRITES = re.compile(r"\s*(INSERT INTO|UPDATE|DELETE FROM)\s+\"?(\w+)")


class Points:
    """`shares`: how likely each kind of point is fatal, 0 to 1, drawn once for each name from `seed`. `stepwise`: names
    hold the step.

    `deaths` is where the fatal ones are written down, `journal` what the harness must know of a life that is over.
    """

    def __init__(
        self, shares: Mapping[str, float], seed: str, deaths: Path, journal: Path, clock: SharedClock, *, stepwise: bool
    ) -> None:
        self._shares = shares
        self._seed = seed
        self._stepwise = stepwise
        self._deaths = deaths
        self._journal = journal
        self._clock = clock
        self._lock = threading.Lock()
        self._over = set(deaths.read_text().splitlines()) if deaths.exists() else set()

    def reach(self, kind: str, what: str) -> None:
        """Die here, or go on."""
        name = f"{kind} {self._clock.step} {what}" if self._stepwise else f"{kind} {what}"
        with self._lock:
            if name in self._over or not self._fatal(kind, name):
                return
            _append(self._deaths, name)
            os.kill(os.getpid(), signal.SIGKILL)
            time.sleep(60)

    def note(self, **facts: str) -> None:
        """Leave word for the harness, unless the disk is full."""
        with contextlib.suppress(OSError):
            _append(self._journal, json.dumps(facts))

    def _fatal(self, kind: str, name: str) -> bool:
        share = self._shares.get(kind, 0.0)
        drawn = int.from_bytes(hashlib.sha256(f"{self._seed} {name}".encode()).digest()[:4]) / 2**32
        return drawn < share


def _append(file: Path, line: str) -> None:
    descriptor = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
    os.write(descriptor, f"{line}\n".encode())
    os.close(descriptor)


def arm(points: Points, clock: SharedClock) -> None:
    """Wrap this process' store, IMAP and SMTP; let the mail server's clock be compared with the shared one."""
    _arm_commits(points)
    _arm_imap(points)
    _arm_smtp(points)
    _arm_maildirs(points)
    imap_link.datetime = _time_of(clock)
    imap.FIRST_PAUSE, imap.LONGEST_PAUSE = 0.02, 0.2


def _time_of(clock: SharedClock) -> type[datetime]:
    class Shared(datetime):
        @classmethod
        def now(cls, tz=None):
            return clock.now().astimezone(tz)

    return Shared


# --- commits ---


def _arm_commits(points: Points) -> None:
    begin, made = Store.begin, Store.__init__
    writing = threading.local()

    def opened(store, url):
        made(store, url)
        sa.event.listen(store._engine, "before_cursor_execute", noted)

    def noted(_connection, _cursor, statement, parameters, _context, many):
        found = _WRITES.match(statement)
        if found and getattr(writing, "what", None) is not None:
            writing.what.append((found[2], _numbers(parameters, many)))

    @contextlib.contextmanager
    def begun(store):
        writing.what = []
        try:
            with begin(store) as tx:
                yield tx
                name = _digest(writing.what)
                points.reach("commit-before", name)
        finally:
            writing.what = None
        points.reach("commit-after", name)

    Store.__init__, Store.begin = opened, begun


def _numbers(parameters, many: bool) -> list[int]:
    """The whole numbers of a statement: ids, versions, UIDs; not its times and texts."""
    rows = parameters if many else [parameters]
    values = (value for row in rows for value in (row.values() if isinstance(row, dict) else row))
    return [value for value in values if isinstance(value, int) and not isinstance(value, bool)]


def _digest(what: list) -> str:
    tables = ",".join(sorted({table for table, _ in what})) or "nothing"
    return f"{tables}:{hashlib.sha256(repr(what).encode()).hexdigest()[:12]}"


# --- IMAP ---


def _arm_imap(points: Points) -> None:
    send, complete, idle_done = imaplib.IMAP4.send, imaplib.IMAP4._command_complete, IMAPClient.idle_done

    def sent(self, data):
        what = _command(bytes(data))
        points.reach("imap-before", what)
        send(self, data)
        points.reach("imap-sent", what)

    def completed(self, name, tag):
        found = complete(self, name, tag)
        points.reach("imap-after", str(name))
        return found

    def idled(self):
        found = idle_done(self)
        points.reach("imap-after", "IDLE")
        return found

    imaplib.IMAP4.send, imaplib.IMAP4._command_complete, IMAPClient.idle_done = sent, completed, idled


def _command(data: bytes) -> str:
    """The command without its tag and without what is secret."""
    words = data.decode("ascii", "replace").split()
    if len(words) < 2:
        return " ".join(words)[:20]
    return words[1] if words[1] in {"LOGIN", "AUTHENTICATE"} else " ".join(words[1:])[:80]


# --- SMTP ---


def _arm_smtp(points: Points) -> None:
    """The way in is aiosmtplib's, what is said there for each letter our own."""
    _arm_line(points, SMTPProtocol, "write", "read_response")
    _arm_line(points, Dialogue, "_write", "_reply")


def _arm_line(points: Points, kind, writes: str, reads: str) -> None:
    write, read = getattr(kind, writes), getattr(kind, reads)

    def written(self, data):
        what = _smtp_command(bytes(data))
        self.torture_said = what
        points.reach("smtp-before", what)
        if what.startswith("mail <"):
            points.note(flight=what[5:])
        write(self, data)
        points.reach("smtp-sent", what)

    async def answered(self, *args, **named):
        found = await read(self, *args, **named)
        points.reach("smtp-reply", f"{getattr(self, 'torture_said', 'greeting')} {found.code}")
        return found

    setattr(kind, writes, written)
    setattr(kind, reads, answered)


def _smtp_command(data: bytes) -> str:
    verb = data.split(None, 1)[0].decode("ascii", "replace").upper() if data.split() else ""
    if verb in {"MAIL", "RCPT", "EHLO", "RSET", "NOOP", "QUIT", "DATA"} and data.count(b"\n") == 1:
        return data.decode("utf-8", "replace").strip()
    found = _MESSAGE_ID.search(data)
    return f"mail {found[1].decode()}" if found else "login"


# --- mailboxes ---


def _arm_maildirs(points: Points) -> None:
    deliver = Maildir.deliver

    def delivered(self, raw, received, flags=()):
        what = f"{self.path.name} {_MESSAGE_ID.search(raw)[1].decode() if _MESSAGE_ID.search(raw) else self.next_uid}"
        points.reach("maildir-before", what)
        found = deliver(self, raw, received, flags)
        points.reach("maildir-after", what)
        return found

    Maildir.deliver = delivered
