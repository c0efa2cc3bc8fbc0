"""Stand-ins for what the mailbox's thread and the outbox's loop work with: a mailbox, a receiver, a carrier."""

from __future__ import annotations

import asyncio
import hashlib
import threading
from datetime import UTC, datetime, timedelta

from pbem.engine import commands as c
from pbem.engine import events as e
from pbem.engine.decide import decide
from pbem.engine.options import Options
from pbem.mail.imap import MailboxError
from pbem.mail.smtp import Outcome
from pbem.post import RawMail

NOW = datetime(2026, 12, 7, 8, 0, tzinfo=UTC)
SECOND = timedelta(seconds=1)


class FakeBox:
    """A mailbox in memory. `breaks_after`: how many mails a fetch gives before the connection breaks; None: all."""

    def __init__(self):
        self.mails = []
        self.breaks_after = None
        self.down = ""
        self.done = []
        self.offset = timedelta()
        self.asked_offset = 0
        self.retry_in = 0.01
        self._wake = threading.Event()
        self.stopped = False

    def put(self, uid, received, raw=b"mail", uidvalidity=7):
        self.mails.append(RawMail(uidvalidity, uid, received, raw))

    def fetch_new(self, after=None):
        if self.down:
            raise MailboxError(self.down)
        floor = after[1] if after else 0
        wanted = sorted((m for m in self.mails if m.uid > floor), key=lambda m: m.uid)
        for given, mail in enumerate(wanted):
            if self.breaks_after is not None and given >= self.breaks_after:
                raise MailboxError("the connection broke")
            yield mail

    def mark_done(self, uids):
        self.done.extend(uids)
        return True

    def wait(self, seconds):
        self._wake.wait(seconds)
        self._wake.clear()
        return False

    def wake(self):
        self._wake.set()

    def stop(self):
        self.stopped = True
        self._wake.set()

    def close(self):
        pass

    def clock_offset(self):
        self.asked_offset += 1
        return self.offset


class FakeReceiver:
    """Notes what it is asked, and records mails as the real one does."""

    def __init__(self, store):
        self.store = store
        self.calls = []
        self.stumbles = {}
        self.before = lambda _mail: None

    def receive(self, raw, poll_at):
        self.before(raw)
        with self.store.begin() as tx:
            if tx.recorded(raw.uidvalidity, raw.uid):
                return
            if raw.uid in self.stumbles:
                raise self.stumbles[raw.uid]
            digest = hashlib.sha256(raw.raw).hexdigest()
            tx.record_mail(raw.uidvalidity, raw.uid, raw.received, None, "a@b.c", digest, "post", "")
        self.calls.append(("mail", raw.uid, poll_at))

    def receive_together(self, mails, poll_at):
        self.receive(mails[0], poll_at)
        return 1

    def tick(self, read_to, poll_at, _changed=None):
        self.calls.append(("tick", read_to, poll_at))

    def reopened(self, read_to, poll_at):
        self.calls.append(("reopened", read_to, poll_at))

    def mailbox_down(self, at):
        self.calls.append(("down", at))

    @property
    def mails(self):
        return [uid for kind, uid, *_ in self.calls if kind == "mail"]

    @property
    def ticks(self):
        return [read_to for kind, read_to, *_ in self.calls if kind == "tick"]


class FakeCarrier:
    """Says of each letter what `answers` holds for its recipient (default: sent); `hangs` never answers."""

    def __init__(self):
        self.answers = {}
        self.hangs = set()
        self.carried = []
        self.most = 0
        self._now = 0
        self.closed = False

    async def deliver(self, messages):
        for letter in messages:
            self._now += 1
            self.most = max(self.most, self._now)
            try:
                if letter.envelope_to in self.hangs:
                    await asyncio.sleep(3600)
                await asyncio.sleep(0)
                self.carried.append(letter)
                status, extra = self.answers.get(letter.envelope_to, ("sent", {}))
                yield Outcome(letter.id, status, **extra)
            finally:
                self._now -= 1

    async def close(self):
        self.closed = True


def start_game(store, code="PL1", players=5):
    """A game of which the first day has begun at `NOW`."""
    with store.begin() as tx:
        game_id = tx.create_game(code, "", NOW)
        steps = [c.OpenGame(NOW, code, Options(min_debate=0), "ab" * 32), c.OpenRegistration(NOW)]
        steps += [c.Join(NOW, f"Player{i} X") for i in range(players)]
        roles = ("werewolf", "seer") + ("villager",) * (players - 2)
        steps += [c.CloseRegistration(NOW), c.Deal(NOW, roles=roles), c.Start(NOW)]
        for step in steps:
            game, version = tx.load(game_id)
            events = decide(game, step)
            assert not any(isinstance(event, e.Rejected) for event in events), events
            tx.append(game_id, events, version, NOW, command=step)
    return game_id
