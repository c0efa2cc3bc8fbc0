r"""The mailbox reader: new mails by UID, over any IMAP server; blocking, for a thread of its own.

Promises: every mail of the folder is given at least once, in the order of its UIDs, whole or cut at the size limit,
with the server's date in UTC (CAL-6). One that the server hands over empty is asked for again, and if it stays empty is
given as an empty mail rather than passed over. No mail is changed by being read (BODY.PEEK[]), and no flag that another
client sets changes what is read. A broken connection raises `MailboxError` and nothing else; the next call connects
anew, after a pause that grows (1 s to 5 min) while it fails. `state` tells any thread how it stands.

UIDs mean something only together with UIDVALIDITY (RFC 9051 § 2.3.1.1): when the server's changed, all mails are given
again under the new one, `state.uidvalidity_changes` counts it, and the caller knows mails he had by their Message-ID.
"""

from __future__ import annotations

import contextlib
import logging
import random
import select
import socket
import threading
import time
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from pbem.mail.imap_link import FAULTS, Link, open_link, reason, refusal
from pbem.post import RawMail

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from datetime import timedelta

    from pbem.settings import Imap

_log = logging.getLogger(__name__)

BATCH = 50
BATCH_BYTES = 4_000_000
EMPTY_TRIES = 4
IDLE_SECONDS = 28 * 60.0
FIRST_PAUSE = 1.0
LONGEST_PAUSE = 300.0


class MailboxError(Exception):
    """The mailbox cannot be read now; the text says why, for the host, without secrets. Calling again tries again."""


class MailboxRefusedError(MailboxError):
    """The server will not let us in until somebody changes something: password, certificate, folder."""


@dataclass(frozen=True, slots=True)
class MailboxState:
    """How the reader stands, for `pbem status`. Times are aware, UTC, by this host's clock; `last_ok` is a whole
    poll's.
    """

    connected: bool = False
    idle: bool = False
    last_ok: datetime | None = None
    last_error: str = ""
    last_error_at: datetime | None = None
    failures: int = 0
    uidvalidity: int | None = None
    uidvalidity_changes: int = 0
    empty_bodies: int = 0


class Mailbox:
    """The game's folder. One thread works with it; `stop`, `wake` and `state` are for any.

    `size_limit` is how many octets of one mail are read at most.
    """

    def __init__(self, settings: Imap, *, size_limit: int = 1_000_000) -> None:
        self.state = MailboxState()
        self._settings = settings
        self._size_limit = size_limit
        self._link: Link | None = None
        self._not_before = 0.0
        self._stopped = threading.Event()
        self._waker, self._wakened = socket.socketpair()
        for end in (self._waker, self._wakened):
            end.setblocking(False)

    def connect(self) -> None:
        """Connect, log in and open the folder, if that is not so. Raises MailboxError, at once while a pause lasts."""
        self._linked()

    @property
    def retry_in(self) -> float:
        """Seconds until the next attempt to connect; 0: now."""
        return max(0.0, self._not_before - time.monotonic()) if self._link is None else 0.0

    def fetch_new(self, after: tuple[int, int] | None = None, batch: int = BATCH) -> Iterator[RawMail]:
        """The mails that came after (uidvalidity, last uid), lowest UID first; None: all there are.

        When the iterator ends without an error, all that the server had when it began was given: a complete poll.
        Raises MailboxError (from `next`); what was given before stands.
        """
        with self._guarded("read"):
            link = self._linked()
            wanted = link.uids_above(self._floor(link, after))
        for group in self._groups(link, wanted, batch):
            with self._guarded("read"):
                mails = self._mails(link, group)
            yield from mails
        self._note(last_ok=datetime.now(UTC), last_error="", failures=0)

    def refetch(self, uids: Iterable[int]) -> list[RawMail]:
        """Those mails once more (that came empty, say), of the present UIDVALIDITY; those gone are left out."""
        with self._guarded("read"):
            link = self._linked()
            return [mail for group in self._groups(link, sorted(uids), BATCH) for mail in self._mails(link, group)]

    def mark_done(self, uids: Iterable[int]) -> bool:
        r"""Flag mails \Seen, for people who look into the mailbox; return whether it worked. Never raises."""
        numbers = list(uids)
        try:
            for start in range(0, len(numbers), BATCH):
                with self._guarded("flag mails"):
                    self._linked().mark_seen(numbers[start : start + BATCH])
        except MailboxError as error:
            _log.info("mails were not marked as read: %s", error)
            return False
        return True

    def wait(self, seconds: float) -> bool:
        """Wait for mail, with IDLE where the server has it; True: the server says that something came.

        Returns False after `seconds` (or 28 min: RFC 2177), or when `wake` or `stop` is called. Raises MailboxError if
        the connection broke meanwhile.
        """
        if self._stopped.is_set():
            return False
        try:
            if self._link is None or not self.state.idle:
                select.select([self._wakened], [], [], seconds)
                return False
            with self._guarded("wait"):
                return self._link.idle(min(seconds, IDLE_SECONDS), self._wakened)
        finally:
            with contextlib.suppress(BlockingIOError):
                self._wakened.recv(4096)

    def wake(self) -> None:
        """End the present `wait` (or the next, if there is none)."""
        with contextlib.suppress(OSError):
            self._waker.send(b"!")

    def stop(self) -> None:
        """End the present `wait` and every later one at once."""
        self._stopped.set()
        self.wake()

    def close(self) -> None:
        """Log out if possible and end for good; never raises."""
        self._stopped.set()
        link, self._link = self._link, None
        if link is not None:
            link.close(politely=True)
        for end in (self._waker, self._wakened):
            end.close()
        self._note(connected=False, idle=False)

    def clock_offset(self) -> timedelta:
        """How far the mail server's clock is ahead of this host's, to a second or two. Raises MailboxError.

        It puts a mail into a folder of its own and deletes both again.
        """
        with self._guarded("compare clocks"):
            return self._linked().clock_offset()

    # ---- inside

    def _linked(self) -> Link:
        if self._link is not None:
            return self._link
        if self.retry_in:
            raise MailboxError(self.state.last_error)
        with self._guarded("connect"):
            self._link = open_link(self._settings)
        idle = self._settings.idle and self._link.can_idle
        self._note(connected=True, idle=idle, uidvalidity=self._link.uidvalidity)
        _log.info("the mailbox on %s is open", self._settings.host)
        return self._link

    def _floor(self, link: Link, after: tuple[int, int] | None) -> int:
        """The last UID that need not be given again."""
        if after is None or after[0] == link.uidvalidity:
            return after[1] if after else 0
        _log.warning("the mailbox has a new UIDVALIDITY: all its mails are read again")
        self._note(uidvalidity_changes=self.state.uidvalidity_changes + 1)
        return 0

    def _groups(self, link: Link, uids: list[int], batch: int) -> Iterator[dict[int, int]]:
        """{uid: size} of no more than `batch` mails and about `BATCH_BYTES` octets; a size not told counts as 1."""
        for start in range(0, len(uids), batch):
            chunk = uids[start : start + batch]
            with self._guarded("read"):
                sizes = link.ask(chunk, ["RFC822.SIZE"])
            group: dict[int, int] = {}
            for uid in chunk:
                if sum(group.values()) > BATCH_BYTES:
                    yield group
                    group = {}
                group[uid] = int(sizes.get(uid, {}).get(b"RFC822.SIZE", 1))
            yield group

    def _mails(self, link: Link, group: dict[int, int]) -> list[RawMail]:
        """Those that are still there; what came empty though it has a size is asked for again."""
        mails = self._bodies(link, group)
        for attempt in range(1, EMPTY_TRIES):
            empty = {uid: group[uid] for uid, mail in mails.items() if not mail.raw and group[uid]}
            if not empty:
                break
            _log.warning("%d mail(s) came without a body; asking again", len(empty))
            self._stopped.wait(0.05 * 4**attempt)
            mails |= self._bodies(link, empty)
        else:
            still = sum(not mail.raw and group[uid] > 0 for uid, mail in mails.items())
            self._note(empty_bodies=self.state.empty_bodies + still)
        return [mails[uid] for uid in sorted(mails)]

    def _bodies(self, link: Link, group: dict[int, int]) -> dict[int, RawMail]:
        whole = [uid for uid, size in group.items() if size <= self._size_limit]
        large = [uid for uid, size in group.items() if size > self._size_limit]
        answers = link.ask(whole, ["BODY.PEEK[]", "INTERNALDATE"])
        answers |= link.ask(large, [f"BODY.PEEK[]<0.{self._size_limit}>", "INTERNALDATE"])
        return {
            uid: RawMail(link.uidvalidity, uid, _moment(answer[b"INTERNALDATE"]), _body(answer)[: self._size_limit])
            for uid, answer in answers.items()
            if b"INTERNALDATE" in answer  # else it is somebody's flag on a mail that is gone
        }

    @contextlib.contextmanager
    def _guarded(self, doing: str) -> Iterator[None]:
        try:
            yield
        except FAULTS as error:
            raise self._lost(doing, error) from None

    def _lost(self, doing: str, error: Exception) -> MailboxError:
        """Drop the connection, note why, and set the time of the next attempt."""
        link, self._link = self._link, None
        if link is not None:
            link.close(politely=False)
        failures = self.state.failures + 1
        pause = min(LONGEST_PAUSE, FIRST_PAUSE * 2.0 ** min(failures - 1, 16))
        self._not_before = time.monotonic() + pause * random.uniform(0.8, 1.2)  # noqa: S311  (so that readers spread out)
        text = f"{self._settings.host}: cannot {doing}: {reason(error)}"
        self._note(connected=False, idle=False, failures=failures, last_error=text, last_error_at=datetime.now(UTC))
        return MailboxRefusedError(text) if refusal(error) else MailboxError(text)

    def _note(self, **changes: Any) -> None:
        self.state = replace(self.state, **changes)


def _moment(date: datetime | None) -> datetime:
    """INTERNALDATE in UTC; a date that cannot be read counts as now, when the mail was first seen."""
    if date is None or date.tzinfo is None:
        _log.warning("the server gave a mail a date that is none")
        return datetime.now(UTC)
    return date.astimezone(UTC)


def _body(answer: dict[bytes, Any]) -> bytes:
    for key, value in answer.items():
        if key.startswith(b"BODY[]"):
            return value if isinstance(value, bytes) else b""
    return b""
