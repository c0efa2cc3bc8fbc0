"""The outbox's way out: claim what is due, hand it to the SMTP server, mark what became of it; for ever.

Promises: a letter that is committed leaves, at once if the server is there, else with a growing pause; what happens to
one letter changes nothing for another; a letter is marked as sent in the transaction after the server took it, and if
the program dies between the two it is sent again with the same Message-ID (the one window that cannot be closed).
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
from datetime import timedelta
from typing import TYPE_CHECKING, Protocol

from pbem.mail.smtp import Outcome, Outgoing, next_attempt
from pbem.store import StoreError

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Sequence
    from datetime import datetime

    from pbem.app.clock import Clock
    from pbem.settings import Smtp
    from pbem.store import OutboxRow, Store, Tx

_log = logging.getLogger(__name__)

LEASE_SECONDS = 20.0
"""So long a letter is a worker's after its last sign of life; another one sends it `LOOK_SECONDS` later at most."""
RENEW_SECONDS = 5.0
LOOK_SECONDS = 5.0
FULL_SECONDS = 5.0
LEAVE_SECONDS = 10.0
GATHER_SECONDS = 0.02
"""How long a letter that was taken waits for others, to be marked with them."""
_PER_CONNECTION = 2


class Carrier(Protocol):
    """What carries letters: `pbem.mail.smtp.Courier`, or a test's."""

    def deliver(self, messages: Sequence[Outgoing]) -> AsyncIterator[Outcome]:
        """Each letter's outcome, as it is known."""
        ...

    async def close(self) -> None:
        """Take leave."""
        ...


class Sender:
    """One worker of the outbox, in one event loop. `failed(letter, text)` is told, in a thread, of each letter refused
    for good, inside the transaction that marks it.
    """

    def __init__(
        self,
        store: Store,
        carrier: Carrier,
        settings: Smtp,
        clock: Clock,
        *,
        envelope_from: str,
        failed: Callable[[Tx, OutboxRow, str], None] = lambda _tx, _letter, _text: None,
    ) -> None:
        self._store = store
        self._carrier = carrier
        self._settings = settings
        self._clock = clock
        self._from = envelope_from
        self._failed = failed
        self._flying: dict[int, OutboxRow] = {}
        self._landed: list[Outcome] = []
        self._tasks: set[asyncio.Task[None]] = set()
        self._lines = asyncio.Semaphore(settings.connections)
        self._wake = asyncio.Event()
        self._server_failures = 0
        self._pause_until = 0.0
        self._renewed = 0.0
        self._store_problem = ""
        self.problem = ""
        """Why letters cannot leave at the moment; '' if they can."""

    def wake(self) -> None:
        """There may be new letters. In the event loop's thread."""
        self._wake.set()

    @property
    def busy(self) -> bool:
        """Whether letters are on their way, or landed and not marked yet."""
        return bool(self._flying)

    async def run(self, stop: asyncio.Event) -> None:
        """Send until `stop`; then let what is on its way arrive, mark it, and return."""
        stopping = asyncio.create_task(stop.wait())
        stopping.add_done_callback(lambda _task: self._wake.set())
        try:
            while not stop.is_set():
                await self._turn()
            await self._land()
        finally:
            stopping.cancel()
            for task in self._tasks:
                task.cancel()
            await asyncio.gather(*self._tasks, return_exceptions=True)
            await self._carrier.close()

    async def _turn(self) -> None:
        """Mark what has landed, claim what is due, and wait until there is something to do."""
        self._wake.clear()
        try:
            rows, pause = await asyncio.to_thread(self._exchange, self._take_landed())
        except StoreError as error:
            if error.kind == "corrupt":
                raise  # waiting mends nothing
            if self._store_problem != str(error):
                _log.error("the outbox waits: %s", error)
            self._store_problem = str(error)
            rows, pause = [], FULL_SECONDS
        else:
            self._store_problem = ""
        for row in rows:
            self._start(row)
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(pause):  # wait_for may swallow a cancellation that comes with the waking
                await self._wake.wait()

    async def _land(self) -> None:
        """Give what is on its way a little time, and mark it."""
        if self._tasks:
            await asyncio.wait(self._tasks, timeout=LEAVE_SECONDS)
        if self._landed:
            with contextlib.suppress(StoreError):  # the claims run out, and they are sent again
                await asyncio.to_thread(self._mark_only, self._take_landed())

    # --- in the event loop: letters in flight ---

    def _start(self, row: OutboxRow) -> None:
        self._flying[row.id] = row
        task = asyncio.create_task(self._fly(row))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _fly(self, row: OutboxRow) -> None:
        async with self._lines:
            outcome = Outcome(row.id, "retry", text="the program stumbled")
            try:
                letter = Outgoing(row.id, self._from, row.to, row.raw)
                async for outcome in self._carrier.deliver([letter]):  # noqa: B007  (one letter: one outcome, used below)
                    pass
            except Exception as error:  # noqa: BLE001  (whatever it is, the letter is not lost and the others go on)
                _log.error("sending stumbled: %s", type(error).__name__)
        self._landed.append(outcome)
        self._note_landing()

    def _note_landing(self) -> None:
        """Have what has landed marked: some at once, with one commit, but none waits for the others for long."""
        half = _PER_CONNECTION * self._settings.connections // 2
        if len(self._landed) >= min(half, len(self._flying)):
            self._wake.set()
        else:
            asyncio.get_running_loop().call_later(GATHER_SECONDS, self._wake.set)

    def _take_landed(self) -> list[Outcome]:
        landed, self._landed = self._landed, []
        return landed

    # --- in a thread: one transaction for what landed and what starts ---

    def _exchange(self, landed: list[Outcome]) -> tuple[list[OutboxRow], float]:
        """Mark, claim; return the letters to send and how long (our seconds) there is nothing else to do."""
        try:
            with self._store.begin() as tx:
                self._mark(tx, landed)
                aloft = self._flying.keys() - {_number(outcome) for outcome in landed}
                rows = self._claim(tx, aloft)
                pause = self._pause(tx, len(aloft) + len(rows))
        except BaseException:
            self._landed[:0] = landed
            raise
        self._note(landed)
        return rows, pause

    def _mark_only(self, landed: list[Outcome]) -> None:
        with self._store.begin() as tx:
            self._mark(tx, landed)
        self._note(landed)

    def _mark(self, tx: Tx, landed: list[Outcome]) -> None:
        now = self._clock.now()
        for outcome in landed:
            letter = self._flying[_number(outcome)]
            match outcome.status:
                case "sent":
                    tx.sent(letter.id, now)
                case "retry":
                    wait = outcome.after or next_attempt(letter.attempts)
                    tx.retry(letter.id, now + timedelta(seconds=wait), _line(outcome), tried=outcome.tried)
                case "failed":
                    tx.failed(letter.id, _line(outcome))
                    self._tell_failure(tx, letter, _line(outcome))

    def _tell_failure(self, tx: Tx, letter: OutboxRow, text: str) -> None:
        try:
            self._failed(tx, letter, text)
        except (ValueError, LookupError, TypeError, AttributeError) as error:  # no letter about it, but the mark stands
            _log.error("a refused letter could not be told: %s", type(error).__name__)

    def _note(self, landed: list[Outcome]) -> None:
        """What the outcomes say of the server itself: while it is down, nothing is claimed for a growing time."""
        for outcome in landed:
            del self._flying[_number(outcome)]
        if any(outcome.tried for outcome in landed):
            self._server_failures, self._pause_until, self.problem = 0, 0.0, ""
        down = [outcome for outcome in landed if not outcome.tried and not outcome.after]
        if down and self._pause_until <= time.monotonic():
            self._server_failures += 1
            self._pause_until = time.monotonic() + next_attempt(self._server_failures) / self._clock.speed
            self.problem = _line(down[0])
            _log.warning("letters cannot leave: %s", self.problem)

    def _claim(self, tx: Tx, aloft: set[int]) -> list[OutboxRow]:
        if aloft and time.monotonic() >= self._renewed + RENEW_SECONDS:
            self._renewed = time.monotonic()
            tx.keep(aloft, self._clock.now(), LEASE_SECONDS * self._clock.speed)
        room = _PER_CONNECTION * self._settings.connections - len(aloft)
        if room <= 0 or self._pause_until > time.monotonic():
            return []
        now = self._clock.now()
        rows = tx.claim(room, now, LEASE_SECONDS * self._clock.speed, skip_domains=self._full_domains(tx, now))
        return [row for row in rows if row.id not in aloft]

    def _full_domains(self, tx: Tx, now: datetime) -> list[str]:
        """Where this hour's letters have been sent already (`max_per_hour`), a restart included."""
        if not self._settings.max_per_hour:
            return []
        sent = tx.sent_by_domain(now - timedelta(hours=1))
        return [d for d, count in sent.items() if count >= (self._settings.hourly_limit(f"x@{d}") or count + 1)]

    def _pause(self, tx: Tx, aloft: int) -> float:
        """Our seconds until the next letter is due; new letters and landings wake us anyhow."""
        if aloft:
            return RENEW_SECONDS
        if self._pause_until > time.monotonic():
            return min(self._pause_until - time.monotonic(), LOOK_SECONDS)
        due = tx.next_letter()
        if due is None:
            return LOOK_SECONDS
        left = (due - self._clock.now()).total_seconds() / self._clock.speed
        return min(left, LOOK_SECONDS) if left > 0 else FULL_SECONDS


def _number(outcome: Outcome) -> int:
    assert isinstance(outcome.id, int)
    return outcome.id


def _line(outcome: Outcome) -> str:
    return f"{outcome.code} {outcome.text}" if outcome.code else outcome.text
