"""The embedded post office: SMTP to write, IMAP to read, Maildirs between them, on this machine alone.

Promises: it listens on loopback or not at all; one post office at a time owns a folder of Maildirs (a lock that dies
with the process); mails carry the time of the clock it was given; everyone at the game's and the list's domain has a
mailbox as soon as somebody writes to it. It runs in a thread of its own, so that a busy game keeps no client waiting.

A mail to the list is kept in the list's own mailbox and copied to each of its subscribers.
"""

from __future__ import annotations

import asyncio
import fcntl
import os
import threading
from concurrent.futures import Future
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Self

from pbem.mail import imapd, smtpd
from pbem.mail.accounts import Accounts
from pbem.mail.folders import Mailboxes
from pbem.settings import Imap, Secret, Settings, Smtp
from pbem.settings.fields import is_loopback

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from types import TracebackType

_LOCK = ".pbem-lock"
_SLACK = 4  # times what the game reads of one mail: that a mail is too long is for the game to say


def wall_clock() -> datetime:
    """The time, aware, in UTC."""
    return datetime.now(UTC)


class PostOffice:
    """`async with PostOffice(settings, now) as office:` serves from entry to exit.

    `now` gives the time, aware. `subscribers(list address)` gives the addresses that a post to the list is copied to.
    `announce(address, password)` is told each new account once. All three are called in the office's own thread: they
    must be thread-safe and quick. `durable=False` leaves out the disk syncs.

    Raises ConfigError if the host is not loopback, a port is taken, or another office owns the Maildirs.
    """

    def __init__(
        self,
        settings: Settings,
        now: Callable[[], datetime] = wall_clock,
        *,
        subscribers: Callable[[str], Iterable[str]] = lambda _list: (),
        announce: Callable[[str, str], None] | None = None,
        durable: bool = True,
    ) -> None:
        self._settings = settings
        self._now = now
        self._subscribers = subscribers
        self._announce = announce
        self._durable = durable
        self._lock: int | None = None
        self._thread = threading.Thread(target=self._run, name="post office", daemon=True)
        self._opened: Future[None] = Future()
        self._servers: list[asyncio.Server] = []

    async def __aenter__(self) -> Self:
        await asyncio.to_thread(self.start)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await asyncio.to_thread(self.stop)

    def start(self) -> None:
        """Open; returns when both servers listen. An office is opened once."""
        where = self._settings.embedded
        if not is_loopback(where.host):
            raise self._settings.refusal("embedded.host", where.host, "a loopback address such as 127.0.0.1")
        try:
            where.maildirs.mkdir(parents=True, exist_ok=True, mode=0o700)
            self._lock = os.open(where.maildirs / _LOCK, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        except OSError as error:
            raise self._settings.refusal(
                "embedded.maildirs", where.maildirs, f"a folder that can be written to ({error.strerror or error})"
            ) from None
        try:
            fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(self._lock)
            self._lock = None
            raise self._settings.refusal(
                "embedded.maildirs", where.maildirs, "a folder that no other post office uses"
            ) from None
        self._loop = asyncio.new_event_loop()
        self._thread.start()
        try:
            self._opened.result()
        except BaseException:
            self.stop()
            raise

    def stop(self) -> None:
        """Close: connections are ended; what was taken is on the disk."""
        if self._lock is None:
            return
        if self._opened.exception() is None:
            self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        os.close(self._lock)
        self._lock = None

    @property
    def smtp_port(self) -> int:
        """Where it takes mail."""
        return self._port(0)

    @property
    def imap_port(self) -> int:
        """Where it gives mail."""
        return self._port(1)

    def password(self, address: str) -> str:
        """The password of that address's account, made now if need be. From any thread but the office's."""
        return asyncio.run_coroutine_threadsafe(self._password(address), self._loop).result()

    def deliver(self, address: str, raw: bytes, received: datetime) -> None:
        """Put a mail into that address's INBOX as it is, received at that moment. Raises ValueError, OSError."""

        async def put() -> None:
            account = self._accounts.base(address)
            self._accounts.password(address)
            assert account is not None  # else there was no password
            self._mailboxes.inbox(account).deliver(raw, received)

        asyncio.run_coroutine_threadsafe(put(), self._loop).result()

    def imap_settings(self) -> Imap:
        """How the game reads its mailbox here; poll and IDLE as configured."""
        login = {"user": self._settings.game.address, "password": Secret.of(self.password(self._settings.game.address))}
        return self._settings.imap.model_copy(update=self._place(self.imap_port) | login)

    def smtp_settings(self) -> Smtp:
        """How the game sends here, logged in as itself; sender's name and connections as configured."""
        login = {"user": self._settings.game.address, "password": Secret.of(self.password(self._settings.game.address))}
        return self._settings.smtp.model_copy(update=self._place(self.smtp_port) | login)

    def _place(self, port: int) -> dict[str, object]:
        return {"host": self._settings.embedded.host, "port": port, "tls": "none", "oauth": None, "ca_file": None}

    async def _password(self, address: str) -> str:
        return self._accounts.password(address)

    def _port(self, index: int) -> int:
        port: int = self._servers[index].sockets[0].getsockname()[1]
        return port

    def _run(self) -> None:
        """The office's thread: serve until `stop`."""
        asyncio.set_event_loop(self._loop)
        try:
            self._loop.run_until_complete(self._open())
        except BaseException as error:  # noqa: BLE001  (it belongs to whoever waits in `start`)
            self._opened.set_exception(error)
        else:
            self._opened.set_result(None)
            self._loop.run_forever()
        finally:
            self._loop.run_until_complete(self._close())
            self._loop.close()

    async def _open(self) -> None:
        settings, where = self._settings, self._settings.embedded
        domains = dict.fromkeys(
            address.rpartition("@")[2] for address in (settings.game.address, settings.game.list_address)
        )
        self._accounts = Accounts(where.maildirs, domains, announce=self._announce)
        self._mailboxes = mailboxes = Mailboxes(where.maildirs, self._now, durable=self._durable)
        for address in (settings.game.address, settings.game.list_address, *settings.game.storytellers):
            account = self._accounts.base(address)
            if account is not None:  # a storyteller may live elsewhere, and then reads nothing here
                self._accounts.password(account)
                mailboxes.inbox(account)
        rules = smtpd.Rules(
            game=settings.game.address,
            list_address=settings.game.list_address,
            authserv_id=settings.authserv_id,
            size_limit=settings.limits.mail_bytes * _SLACK,
            now=self._now,
            subscribers=self._subscribers,
        )
        key = "smtp_port"
        try:
            self._servers.append(await smtpd.serve(rules, self._accounts, mailboxes, where.host, where.smtp_port))
            key = "imap_port"
            self._servers.append(await imapd.serve(self._accounts, mailboxes, where.host, where.imap_port))
        except OSError as error:
            wanted = getattr(where, key)
            raise self._settings.refusal(
                f"embedded.{key}", wanted, f"a free port ({error.strerror or error})"
            ) from None

    async def _close(self) -> None:
        for server in self._servers:
            server.close()
        others = asyncio.all_tasks() - {asyncio.current_task()}
        for task in others:
            task.cancel()
        await asyncio.gather(*others, return_exceptions=True)
        await self._loop.shutdown_asyncgens()
