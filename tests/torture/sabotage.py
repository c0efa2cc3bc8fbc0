"""Faults put into the program on purpose, to see that the harness finds them: each breaks one promise, now and then.

A worker told to `commit` one of these is no longer the program that is delivered; a campaign never does.
"""

from __future__ import annotations

import asyncio
import gc
import re
import threading
import warnings

from pbem.app.desk import Desk
from pbem.app.handling import Handling
from pbem.app.reader import Reader
from pbem.app.sending import Sender
from pbem.mail.smtp import Courier
from pbem.schedule.wakeups import Wakeups


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


def stumble() -> None:
    """It stumbles everywhere, now and then, over errors whose text is what it has in its hands."""
    run, tell, deliver, fire = Handling.run, Desk.tell, Courier.deliver, Wakeups._fire
    told, counted = set(), [0]

    def now_and_then(every: int) -> bool:
        counted[0] += 1
        return counted[0] % every == 0

    def ran(self):
        if self._raw.uid > 20 and self._raw.uid % 5 == 4:
            raise ValueError(self._raw.raw.decode("utf-8", "replace"))
        return run(self)

    def telling(self, events, before, *, actor=0):
        if self.version % 3 == 1 and self.version not in told and self.game.started_at is not None:
            told.add(self.version)
            raise RuntimeError(f"{events} {self.game} {self.book}")
        tell(self, events, before, actor=actor)

    async def delivered(self, messages):
        if now_and_then(9):
            _drop(messages[0].raw)
            raise KeyError(messages[0].raw)
        async for outcome in deliver(self, messages):
            yield outcome

    async def fired(self, key):
        self._callback = _raise_always
        await fire(self, key)

    Handling.run, Desk.tell, Courier.deliver, Wakeups._fire = ran, telling, delivered, fired


def _raise_always(key: str) -> None:
    raise LookupError(f"canary {key}")


class _Dropped:
    def __init__(self, secret: bytes) -> None:
        self.secret = secret

    def __del__(self) -> None:
        raise ValueError(self.secret)


def _drop(secret: bytes) -> None:
    """Errors that nobody catches: in a thread, in a task, in passing; and a warning."""

    def broke() -> None:
        raise ValueError(secret)

    async def broke_too() -> None:
        raise ValueError(secret)

    thread = threading.Thread(target=broke)
    thread.start()
    thread.join()
    task = asyncio.get_running_loop().create_task(broke_too())
    task.add_done_callback(lambda _task: gc.collect())
    asyncio.get_running_loop().call_soon(_raise_secret, secret)
    _Dropped(secret)
    warnings.warn(secret.decode("utf-8", "replace"), RuntimeWarning, stacklevel=1)


def _raise_secret(secret: bytes) -> None:
    raise ValueError(secret)


def commit(name: str) -> None:
    """That one."""
    {"read_ahead": read_ahead, "mark_early": mark_early, "rename": rename, "stumble": stumble}[name]()
