"""`pbem run`: the post office if it is embedded, the mailbox's thread, the deadlines, the outbox, until told to stop.

Promises: whatever is in the store when it starts goes on from where it was; deadlines are derived from the games, at
the start and after every poll, and a poll begins a little after each; SIGTERM and SIGINT let the transaction at hand
finish, the letters on their way arrive, and end it. Nothing of that is needed to survive a kill: the store sees to it.

`serve` is the whole life of it; `poll` and `quiet` are for who drives the clock (demonstrations, tests).
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import signal
import threading
import time
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from pbem.app import health, upgrade
from pbem.app.agendas import Agendas
from pbem.app.clock import WallClock
from pbem.app.reader import LEASE, LEASE_SECONDS, SECOND, Reader
from pbem.app.sending import Sender
from pbem.mail.imap import Mailbox
from pbem.mail.postoffice import PostOffice
from pbem.mail.smtp import Courier
from pbem.schedule.wakeups import Wakeups
from pbem.store import StoreError

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable

    from pbem.app.clock import Clock
    from pbem.app.odds import Oracle
    from pbem.app.publishing import Publisher
    from pbem.app.reader import Receiving
    from pbem.settings import Imap, Settings, Smtp
    from pbem.store import OutboxRow, Store, Tx

_log = logging.getLogger(__name__)

LATELY = timedelta(days=30)
"""How long after its end the players of a game still get what goes to the embedded list."""
LEAVE_SECONDS = 20.0
SAVE_SECONDS = 600.0
"""How often it is left in the store when each game needs looking at next."""


class Daemon:
    """The running program, for one event loop; `serve` once.

    `announce(address, password)` is told each new account of the embedded post office, in another thread.
    `undeliverable(tx, letter, text)` is told of each letter that the server refuses for good, in the transaction that
    marks it. `publisher` writes the archive and `oracle` tells odds, each in a thread of its own. `durable=False`
    spares the post office its disk syncs (demonstrations). `backup=False`: a database of an earlier version is brought
    up without a copy of it.
    `agendas` are the receiver's, so that no game is looked at twice.
    """

    def __init__(
        self,
        settings: Settings,
        store: Store,
        receiver: Receiving,
        clock: Clock | None = None,
        *,
        announce: Callable[[str, str], None] | None = None,
        undeliverable: Callable[[Tx, OutboxRow, str], None] = lambda _tx, _letter, _text: None,
        durable: bool = True,
        publisher: Publisher | None = None,
        oracle: Oracle | None = None,
        backup: bool = True,
        agendas: Agendas | None = None,
    ) -> None:
        self.settings = settings
        self.store = store
        self.clock = clock or WallClock()
        self.office: PostOffice | None = None
        self.started = asyncio.Event()
        """Set when everything runs."""
        self._receiver = receiver
        self._announce = announce
        self._undeliverable = undeliverable
        self._durable = durable
        self._helpers = [helper for helper in (publisher, oracle) if helper is not None]
        self._backup = backup
        self._agendas = agendas or Agendas()
        self._stop = asyncio.Event()
        self._through = asyncio.Event()
        self._polled = 0
        self._saved = -SAVE_SECONDS
        self._failure: BaseException | None = None

    async def serve(self, *, signals: bool = True) -> None:
        """Run until `stop` (or, with `signals`, SIGTERM or SIGINT). Raises ConfigError or StoreError at the start."""
        self.store.occupy()
        await asyncio.to_thread(self._open_store)
        loop = asyncio.get_running_loop()
        for number in (signal.SIGTERM, signal.SIGINT) if signals else ():
            loop.add_signal_handler(number, self.stop)
        try:
            async with self._servers() as (imap, smtp):
                await self._work(imap, smtp)
        finally:
            for number in (signal.SIGTERM, signal.SIGINT) if signals else ():
                loop.remove_signal_handler(number)
        if self._failure is not None:
            raise self._failure

    def stop(self) -> None:
        """End it, cleanly. In the event loop's thread."""
        _log.info("stopping")
        self._stop.set()

    async def poll(self) -> None:
        """Have the mailbox read out, and what is due resolved, from now on; returns when that is done."""
        number = self._reader.poll_soon()
        while self._polled < number and not self._stop.is_set():
            self._through.clear()
            await self._through.wait()

    async def quiet(self) -> None:
        """Wait until no letter that is due is left in the outbox, or on its way."""
        while not self._stop.is_set() and (self._sender.busy or await asyncio.to_thread(self._unsent)):
            self._sender.wake()
            await asyncio.sleep(0.01)

    def now(self) -> datetime:
        """The moment that deadlines are compared with."""
        return self._reader.now()

    # --- its life ---

    def _open_store(self) -> None:
        upgrade.bring_up(self.store, datetime.now(UTC), backup=self._backup)
        self.store.check()
        if not self.store.shared:
            with self.store.begin() as tx:
                tx.free_claims()

    @contextlib.asynccontextmanager
    async def _servers(self) -> AsyncIterator[tuple[Imap, Smtp]]:
        """The servers to talk to: those of the settings, or our own."""
        if not self.settings.embedded.enabled:
            yield self.settings.imap, self.settings.smtp
            return
        async with PostOffice(
            self.settings, self.clock.now,
            subscribers=self._subscribers, announce=self._announce, durable=self._durable,
        ) as office:  # fmt: skip
            self.office = office
            _log.info("the post office is open: SMTP on port %d, IMAP on port %d", office.smtp_port, office.imap_port)
            await asyncio.to_thread(self._note_ports, office)
            yield await asyncio.to_thread(office.imap_settings), await asyncio.to_thread(office.smtp_settings)

    def _note_ports(self, office: PostOffice) -> None:
        """For `pbem mail`, where the configuration leaves the ports open."""
        with self.store.begin() as tx:
            tx.set("ports", json.dumps({"smtp": office.smtp_port, "imap": office.imap_port}))

    async def _work(self, imap: Imap, smtp: Smtp) -> None:
        loop = asyncio.get_running_loop()
        embedded = self.settings.embedded.enabled
        self._reader = Reader(
            Mailbox(imap, size_limit=self.settings.limits.mail_bytes + 1),
            self._receiver,
            self.store,
            self.clock,
            folder=imap.folder,
            poll_seconds=imap.poll_seconds,
            compare_clocks=not embedded,
            changed=lambda: self._changed(loop),
            polled=lambda number: self._after_poll(loop, number),
            sending=lambda: self._sender.problem,
        )
        self._sender = Sender(
            self.store, Courier(smtp), smtp, self.clock,
            envelope_from=self.settings.game.address, failed=self._undeliverable,
        )  # fmt: skip
        self._wakeups = Wakeups(self._wake_up, self._reader.now, speed=self.clock.speed)
        self._wakeups.start()
        self._set_deadlines(await asyncio.to_thread(self._derive))
        await self._live(loop)

    async def _live(self, loop: asyncio.AbstractEventLoop) -> None:
        """Start the thread and the loops; when told to stop, end them in order."""
        ended = loop.create_future()
        thread = threading.Thread(target=self._read, args=(loop, ended), name="mailbox", daemon=True)
        sending = asyncio.create_task(self._sender.run(self._stop))
        sending.add_done_callback(self._broke)
        beating = asyncio.create_task(self._beat())
        thread.start()
        for helper in self._helpers:
            helper.start()
        self.started.set()
        try:
            await self._stop.wait()
        finally:
            self._wakeups.stop()
            self._reader.stop()
            beating.cancel()
            self._through.set()
            await asyncio.wait([ended], timeout=LEAVE_SECONDS)
            await asyncio.gather(sending, beating, return_exceptions=True)
            for helper in self._helpers:
                await asyncio.to_thread(helper.stop)
            await asyncio.to_thread(self._leave)

    def _broke(self, task: asyncio.Task[None]) -> None:
        """The outbox's loop has ended: if by a fault, so does everything."""
        if not task.cancelled() and (error := task.exception()) is not None:
            self._failure = self._failure or error
            self._stop.set()

    def _read(self, loop: asyncio.AbstractEventLoop, ended: asyncio.Future[None]) -> None:
        """The mailbox's thread."""
        try:
            self._reader.run()
        except BaseException as error:  # noqa: BLE001  (it belongs to `serve`)
            self._failure = error
            _soon(loop, self._stop.set)
        finally:
            _soon(loop, ended.set_result, None)

    async def _beat(self) -> None:
        """Keep the mailbox for this worker, if there may be others."""
        while self.store.shared:
            await asyncio.sleep(LEASE_SECONDS / 3)
            with contextlib.suppress(StoreError):
                await asyncio.to_thread(self._reader.renew)

    def _leave(self) -> None:
        with contextlib.suppress(StoreError), self.store.begin() as tx:
            self._agendas.save(tx)
            tx.end_lease(LEASE, self._reader.owner)
            health.write(tx, replace(self._reader.health, at=self.clock.now(), stopped=True))

    # --- what follows from changes ---

    def _changed(self, loop: asyncio.AbstractEventLoop) -> None:
        """In the mailbox's thread: there may be letters to send, and something for the archive to show."""
        _soon(loop, self._sender.wake)
        for helper in self._helpers:
            helper.wake()

    def _wake_up(self, _game: str) -> None:
        self._reader.poll_soon()

    def _derive(self) -> dict[str, datetime]:
        """When each running game needs a poll next; of a game that has not changed only what is still to come."""
        with self.store.read() as tx:
            games = {str(number): agenda.at for number, agenda in self._agendas.look(tx).items()}
            collected = tx.next_collected()
        earliest = (
            self._reader.now() + SECOND * self.clock.speed
        )  # what a poll could not resolve must not poll for ever
        due = {**games, "daily": collected}
        return {key: max(moment + self._reader.late_by, earliest) for key, moment in due.items() if moment is not None}

    def _set_deadlines(self, moments: dict[str, datetime]) -> None:
        for key in self._wakeups.due.keys() - moments.keys():
            self._wakeups.clear(key)
        for key, moment in moments.items():
            if self._wakeups.due.get(key) != moment:
                self._wakeups.set(key, moment)

    def _after_poll(self, loop: asyncio.AbstractEventLoop, number: int) -> None:
        """In the mailbox's thread."""
        try:
            moments = self._derive()
            self._save_agendas()
        except StoreError as error:
            _log.error("no deadlines: %s", error)
            return
        _soon(loop, self._on_poll, number, moments)

    def _save_agendas(self) -> None:
        """Now and then, for a start after a kill."""
        if time.monotonic() - self._saved >= SAVE_SECONDS:
            self._saved = time.monotonic()
            with self.store.begin() as tx:
                self._agendas.save(tx)

    def _on_poll(self, number: int, moments: dict[str, datetime]) -> None:
        self._sender.wake()
        if not self._stop.is_set():
            self._set_deadlines(moments)
        self._polled = max(self._polled, number)
        self._through.set()

    def _unsent(self) -> bool:
        with self.store.read() as tx:
            claimed = tx.outbox_counts()["claimed"]  # on their way, or about to be: the sender learns of it later
            due = tx.next_letter()
        return claimed > 0 or (due is not None and due <= self.clock.now())

    def _subscribers(self, _list: str) -> list[str]:
        """In the post office's thread: who plays, or steers, now or lately (the end of a game is news too)."""
        with self.store.read() as tx:
            return tx.list_members(self.clock.now() - LATELY)


def _soon(loop: asyncio.AbstractEventLoop, call: Callable[..., object], *args: object) -> None:
    """Have the loop do it, if it still runs."""
    with contextlib.suppress(RuntimeError):
        loop.call_soon_threadsafe(call, *args)
