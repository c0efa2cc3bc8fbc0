"""The mailbox's thread: poll after poll, each mail to the receiver, then what is due by then (CAL-6).

Promises: mails are dealt with in the order in which the server received them, over a whole poll, each once; nothing is
resolved unless a poll that began after its deadline has been read to the end; a mailbox that cannot be read, or a store
that cannot be written, only makes it wait. A mail that makes the program stumble is put into quarantine and the next
one comes; none is passed over. Stopping ends it after the mail at hand.

INTERNALDATE has whole seconds and is the server's: a poll counts as read to one second before it began, by the
server's clock where that is known to differ from ours; and to some seconds before where the two can only be compared
from afar.
"""

from __future__ import annotations

import contextlib
import hashlib
import logging
import os
import threading
import time
import traceback
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import islice
from typing import TYPE_CHECKING, Protocol

from pbem.app import health, outage
from pbem.app.spool import Spool
from pbem.app.troubles import STUMBLED
from pbem.engine.decide import due_at
from pbem.mail.imap import MailboxError
from pbem.store import StoreError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from pbem.app.clock import Clock
    from pbem.post import RawMail
    from pbem.store import Store

_log = logging.getLogger(__name__)

SECOND = timedelta(seconds=1)
GRACE = timedelta(minutes=1)
"""How long after a deadline an unreadable mailbox is told to the storyteller."""
TOGETHER = 16
"""So many mails at most are dealt with in one transaction: what a commit costs is shared, and nothing is lost by it."""
LEASE = "mailbox"
LEASE_SECONDS = 20.0
"""So long the mailbox is a worker's after its last sign of life; the others look thrice as often."""
STORE_PAUSE = 2.0
_JUMP_SECONDS = 5.0
_OFFSET_EVERY = 3600.0
_SMALL_OFFSET = 2.0
UNCERTAIN = timedelta(seconds=3)
"""How far the server's clock may be from where a comparison over the network puts it: a difference of up to two seconds
is taken for none, and a comparison is right to a second."""


class Receiving(Protocol):
    """What is done with mails and moments: `pbem.app.receive.Receiver`."""

    def receive(self, raw: RawMail, poll_at: datetime) -> object:
        """One mail, one transaction; nothing if it has been dealt with before."""
        ...

    def receive_together(self, mails: Sequence[RawMail], poll_at: datetime) -> int:
        """The first of several mails in one transaction; how many. Whatever it raises, they had no effect then."""
        ...

    def tick(self, read_to: datetime, poll_at: datetime, changed: Callable[[], None]) -> object:
        """What is due by `read_to`, one transaction a closing; `changed` is called after each."""
        ...

    def reopened(self, read_to: datetime, poll_at: datetime) -> object:
        """The mailbox is read again after an outage: phases that ended in it are extended before its mails count."""
        ...

    def mailbox_down(self, at: datetime) -> object:
        """A deadline has passed and the mailbox cannot be read: the storyteller is told, once."""
        ...


class Box(Protocol):
    """The mailbox: `pbem.mail.imap.Mailbox`, or a test's."""

    def fetch_new(self, after: tuple[int, int] | None = None) -> Iterator[RawMail]:
        """What came after that position, to the end."""
        ...

    def mark_done(self, uids: Iterable[int]) -> bool:
        """For people who look."""
        ...

    def wait(self, seconds: float) -> bool:
        """For mail, at most so long."""
        ...

    def wake(self) -> None:
        """End the wait."""
        ...

    def stop(self) -> None:
        """End every wait."""
        ...

    def close(self) -> None:
        """Log out."""
        ...

    def clock_offset(self) -> timedelta:
        """How far the server's clock is ahead of this host's."""
        ...

    @property
    def retry_in(self) -> float:
        """Seconds until it is worth trying again."""
        ...


class Reader:
    """One reader of the game's mailbox. `run` is for a thread of its own; `stop`, `poll_soon` and `now` for any.

    `changed()` is called in that thread when something may have been written into the store, `polled(number)` when a
    poll is through that began after `poll_soon` had been called `number` times. `sending()` says why letters cannot
    leave, for the record. `owner` names this worker among several on one database. `compare_clocks`: ask the server for
    its time (not where its clock is ours anyway). `wall` gives the host's own time, in seconds since 1970.
    """

    def __init__(
        self,
        box: Box,
        receiver: Receiving,
        store: Store,
        clock: Clock,
        *,
        folder: str = "INBOX",
        poll_seconds: float = 30.0,
        compare_clocks: bool = True,
        changed: Callable[[], None] = lambda: None,
        polled: Callable[[int], None] = lambda _number: None,
        sending: Callable[[], str] = lambda: "",
        wall: Callable[[], float] = time.time,
    ) -> None:
        self.health = health.Health(at=clock.now(), started=clock.now(), pid=os.getpid(), poll_seconds=poll_seconds)
        self.owner = f"{os.uname().nodename}:{os.getpid()}:{os.urandom(4).hex()}"
        self._box = box
        self._receiver = receiver
        self._store = store
        self._clock = clock
        self._folder = folder
        self._poll_seconds = poll_seconds
        self._changed = changed
        self._polled = polled
        self._sending = sending
        self._stopped = threading.Event()
        self._asked = 0
        self._spool: Spool | None = None
        self._compare = compare_clocks
        self._margin = SECOND + (UNCERTAIN if compare_clocks else timedelta())
        self.late_by = self._margin + timedelta(milliseconds=200)
        """How long after a deadline a poll must begin to close it: INTERNALDATE has whole seconds (CAL-6)."""
        self._wall = wall
        self._patience = max(outage.PATIENCE, timedelta(seconds=2 * poll_seconds))
        self._offset = timedelta()
        self._compared = -_OFFSET_EVERY
        self._drift = _drift()

    def now(self) -> datetime:
        """The moment by the mail server's clock, as far as we know it."""
        return self._clock.now() + self._offset

    def poll_soon(self) -> int:
        """Poll now, or again if a poll is running; the number by which `polled` will tell of it."""
        self._asked += 1
        self._box.wake()
        return self._asked

    def stop(self) -> None:
        """Leave after the mail at hand."""
        self._stopped.set()
        self._box.stop()

    def run(self) -> None:
        """Poll until `stop`."""
        try:
            while not self._stopped.is_set():
                self._wait(self._turn())
        finally:
            self._drop_spool()
            self._box.close()

    def _wait(self, seconds: float) -> None:
        if self._stopped.is_set():
            return
        try:
            self._box.wait(seconds)
        except MailboxError as error:
            _log.info("the mailbox went away: %s", error)

    def _turn(self) -> float:
        """One poll, whatever comes of it; how many seconds to wait for mail before the next."""
        try:
            if not self._mine():
                return min(self._poll_seconds, LEASE_SECONDS / 3)
            self.poll()
        except MailboxError as error:
            self._down(str(error))
            return max(0.2, min(self._box.retry_in, 300.0))
        except StoreError as error:
            if error.kind == "corrupt":
                raise  # waiting mends nothing, and each transaction may do more harm
            return self._wait_for_the_store(str(error))
        except OSError as error:  # the spool: no room for a file
            self._drop_spool()
            return self._wait_for_the_store(error.strerror or type(error).__name__)
        return self._poll_seconds if self._spool is None else self._until_received(self._spool)

    def _until_received(self, spool: Spool) -> float:
        """Seconds until a poll may deal with the first mail that came when the last one had begun."""
        return max(0.0, min(self._poll_seconds, (spool.first_received - self.now()).total_seconds()))

    def _wait_for_the_store(self, text: str) -> float:
        told = f"the store: {text}"
        if self.health.error != told:
            _log.error("the mailbox waits: %s", text)
        self.health = replace(self.health, error=told, since=self.health.since or self._clock.now())
        return STORE_PAUSE

    def _drop_spool(self) -> None:
        """What was fetched is fetched anew."""
        if self._spool is not None:
            with contextlib.suppress(OSError):
                self._spool.close()
            self._spool = None

    def poll(self) -> None:
        """Read the mailbox out, deal with every mail, resolve what is due. Raises MailboxError, StoreError."""
        asked, started, wall = self._asked, self._synchronised(), self._wall()
        spool = self._fetch()
        self._reopen(started, wall)
        waiting, left = spool.in_order(started), len(spool)
        batch = list(islice(waiting, TOGETHER))
        while batch:
            if self._stopped.is_set():
                return
            if len(spool) > 1:
                self._note(waiting=left)
            done = self._deal_with_some(batch, started)
            self._changed()
            left -= done
            batch = [*batch[done:], *islice(waiting, done)]
        self._finish(spool, started, wall)
        if not self._stopped.is_set():
            self._receiver.tick(started - self._margin, started, self._changed)
        self._changed()
        self._polled(asked)

    def _fetch(self) -> Spool:
        """What is new, complete; what an earlier, broken attempt brought is kept."""
        if self._spool is None:
            with self._store.read() as tx:
                self._spool = Spool(tx.position(self._folder))
        for mail in self._box.fetch_new(self._spool.position):
            self._spool.add(mail)
        return self._spool

    def _reopen(self, started: datetime, wall: float) -> None:
        """If nobody read the mailbox for long, that is on record before what follows from it."""
        with self._store.read() as tx:
            began = outage.gap(tx, started, wall, self._patience)
        if began is None:
            return
        _log.warning("nobody had read the mailbox for %.0f min", (started - began).total_seconds() / 60)
        with self._store.begin() as tx:
            tx.begin_outage(began)
            tx.end_outage(started)
        self._receiver.reopened(started - self._margin, started)

    def _finish(self, spool: Spool, started: datetime, wall: float) -> None:
        """All is in the store: go on from here next time."""
        position, uids, rest = spool.settled(started), spool.uids(started), spool.left_over(started)
        if self.health.error:
            _log.info("the mailbox is read again")
        self.health = replace(
            self.health, at=self._clock.now(), polled=started, error="", since=None, waiting=0,
            offset=self._offset.total_seconds(), sending=self._sending(),
        )  # fmt: skip
        with self._store.begin() as tx:
            if position is not None and uids:
                tx.set_position(position, self._folder)
            outage.polled(tx, started, wall)
            health.write(tx, self.health)
        spool.close()
        self._spool = rest
        if uids:
            _log.info("read %d mail(s)", len(uids))
            self._box.mark_done(uids)

    def _deal_with_some(self, mails: Sequence[RawMail], started: datetime) -> int:
        """Several mails with one commit; each with its own if that goes wrong, whatever it is. How many are done."""
        if len(mails) > 1:
            try:
                return self._receiver.receive_together(mails, started)
            except Exception as error:  # noqa: BLE001  (nothing has happened; it shows again where it belongs)
                _log.info("mails are dealt with one by one: %s", type(error).__name__)
        for done, mail in enumerate(mails):
            if self._stopped.is_set():
                return done
            self._deal_with(mail, started)
        return len(mails)

    def _deal_with(self, mail: RawMail, started: datetime) -> None:
        try:
            self._receiver.receive(mail, started)
        except StoreError:
            raise
        except Exception as error:  # noqa: BLE001  (whatever it is: the mail is kept, and the next one comes)
            _log.error("a mail made the program stumble: %s", where(error))
            self._put_aside(mail, type(error).__name__)

    def _put_aside(self, mail: RawMail, why: str) -> None:
        digest = hashlib.sha256(mail.raw).hexdigest()
        self.health = replace(self.health, faults=self.health.faults + 1)
        with self._store.begin() as tx:
            if not tx.recorded(mail.uidvalidity, mail.uid):
                record = tx.record_mail(
                    mail.uidvalidity,
                    mail.uid,
                    mail.received,
                    None,
                    "",
                    digest,
                    "unreadable",
                    why,
                    read=self._clock.now(),
                )
                tx.quarantine(mail.raw, STUMBLED + why, self._clock.now(), record)

    # --- when it does not work ---

    def _down(self, text: str) -> None:
        """The mailbox cannot be read: on record for `pbem status`; the storyteller is told if a deadline has passed."""
        now = self._clock.now()
        if self.health.error != text:
            _log.warning("%s", text)
        self.health = replace(self.health, at=now, error=text, since=self.health.since or now, sending=self._sending())
        try:
            with self._store.begin() as tx:
                health.write(tx, self.health)
            if self._overdue(self.now() - GRACE):
                self._receiver.mailbox_down(self.now())
                self._changed()
        except StoreError as error:
            _log.error("the store, too: %s", error)

    def _overdue(self, at: datetime) -> bool:
        with self._store.read() as tx:
            games = [tx.load(row.id)[0] for row in tx.games(running_only=True)]
        return any(due <= at for game in games if (due := due_at(game)) is not None)

    def _note(self, *, waiting: int) -> None:
        self.health = replace(self.health, at=self._clock.now(), waiting=waiting)
        with self._store.begin() as tx:
            health.write(tx, self.health)

    # --- several workers, several clocks ---

    def _mine(self) -> bool:
        """Whether this worker reads the mailbox: of several on one database only one does."""
        return not self._store.shared or self.renew()

    def renew(self) -> bool:
        """Take or keep the mailbox for this worker; whether it is. By the host's clock, not the game's."""
        with self._store.begin() as tx:
            return tx.lease(LEASE, self.owner, datetime.now(UTC), LEASE_SECONDS)

    def _synchronised(self) -> datetime:
        """The moment by the server's clock, compared anew each hour, and whenever ours has jumped."""
        jumped = abs(_drift() - self._drift) > _JUMP_SECONDS
        if self._compare and (jumped or time.monotonic() >= self._compared + _OFFSET_EVERY):
            self._drift, self._compared = _drift(), time.monotonic()
            offset = self._box.clock_offset()
            small = abs(offset.total_seconds()) <= _SMALL_OFFSET
            self._offset = timedelta() if small else offset
            if not small:
                _log.warning("the mail server's clock is %+.0f s from ours; its own counts", offset.total_seconds())
        return self.now()


def _drift() -> float:
    """Constant as long as nobody sets the host's clock and it does not sleep."""
    return time.time() - time.monotonic()


def where(error: BaseException) -> str:
    """What kind of error it was and in which lines, without a word of its text: it may hold a mail's."""
    frames = traceback.extract_tb(error.__traceback__)[-4:]
    return type(error).__name__ + " at " + ", ".join(f"{os.path.basename(f.filename)}:{f.lineno}" for f in frames)  # noqa: PTH119
