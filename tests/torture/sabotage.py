"""Faults put into the program on purpose, to see that the harness finds them: each breaks one promise, now and then.

A worker told to `commit` one of these is no longer the program that is delivered; a campaign never does.
"""

from __future__ import annotations

import re

from pbem.app.reader import Reader
from pbem.app.sending import Sender


def read_ahead() -> None:
    """The mailbox counts as read when its mails are fetched, not when they are dealt with."""
    fetch = Reader._fetch

    def fetched(self):
        spool = fetch(self)
        if spool.position is not None:
            with self._store.begin() as tx:
                tx.set_position(spool.position, self._folder)
        return spool

    Reader._fetch = fetched


def mark_early() -> None:
    """A letter counts as sent before it is."""
    start = Sender._start

    def started(self, row):
        with self._store.begin() as tx:
            tx.sent(row.id, self._clock.now())
        start(self, row)

    Sender._start = started


def rename() -> None:
    """A letter gets another Message-ID with each attempt."""
    fly = Sender._fly

    async def flown(self, row):
        attempt = f"<{row.attempts:032x}@village.example>".encode()
        row = type(row)(**{name: getattr(row, name) for name in row.__slots__} | {
            "raw": re.sub(rb"(?mi)^(Message-ID:\s*)<[^>]+>", lambda found: found[1] + attempt, row.raw)
        })  # fmt: skip
        await fly(self, row)

    Sender._fly = flown


def commit(name: str) -> None:
    """That one."""
    {"read_ahead": read_ahead, "mark_early": mark_early, "rename": rename}[name]()
