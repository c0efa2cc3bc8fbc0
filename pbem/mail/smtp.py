"""The way out: letters to an SMTP server over a few connections that are kept open.

Promises: each letter ends in exactly one `Outcome`, told as soon as it is known; what happens to one letter (refused,
connection dropped in DATA, no answer) never changes what happens to another; "sent" means that the server took it over.
If the connection breaks between the end of DATA and the server's answer nobody can know: that is `retry`, and the same
letter with the same Message-ID may arrive twice. A server that refuses the sender or the login refuses us, not the
letter: `retry`, for the host to mend.
"""

from __future__ import annotations

import asyncio
import contextlib
import re
import time
from collections import deque
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from aiosmtplib import (
    SMTP,
    SMTPException,
    SMTPNotSupported,
    SMTPResponseException,
    SMTPSenderRefused,
    SMTPServerDisconnected,
    SMTPTimeoutError,
)

from pbem.mail.dialogue import Dialogue
from pbem.mail.imap_link import tls_context
from pbem.settings import ConfigError

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Hashable, Sequence

    from pbem.settings import Smtp

Status = Literal["sent", "retry", "failed"]

_SCHEDULE = (30.0, 60.0, 120.0, 300.0, 600.0, 900.0, 1800.0, 3600.0)
_HOUR = 3600.0
_ADDRESS = re.compile(r"[^\s<>@\x00-\x1f\x7f]+@[^\s<>@\x00-\x1f\x7f]+")
_QUIT_SECONDS = 3.0
_TEXT = 300
_PERMANENT = 500
_CLOSING = 421
_TOO_MUCH = 552
_BAD_ADDRESS = 553


@dataclass(frozen=True, slots=True)
class Outgoing:
    """A letter to send: the caller's name for it, the envelope (bare addresses, one recipient), the finished mail."""

    id: Hashable
    envelope_from: str
    envelope_to: str
    raw: bytes


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of a letter.

    `code` is the server's reply code, 0 if it gave none. `after`: not before so many seconds (0: as `next_attempt`
    says). `tried` is False if the letter was not offered to the server (it is down, or the hourly limit is reached):
    that is no attempt to count.
    """

    id: Hashable
    status: Status
    code: int = 0
    text: str = ""
    after: float = 0.0
    tried: bool = True


_FINE = Outcome(None, "sent")


def next_attempt(attempts: int) -> float:
    """How many seconds to wait after that many failed attempts (1 or more): half a minute at first, an hour at last."""
    return _SCHEDULE[min(max(attempts, 1), len(_SCHEDULE)) - 1]


async def deliver(messages: Sequence[Outgoing], settings: Smtp) -> AsyncIterator[Outcome]:
    """Send them over connections that are opened and closed for it."""
    courier = Courier(settings)
    try:
        async for outcome in courier.deliver(messages):
            yield outcome
    finally:
        await courier.close()


class Pace:
    """How many letters went to a domain in the last hour, against `max_per_hour`. It forgets when the process ends."""

    def __init__(self, settings: Smtp, clock: Callable[[], float] = time.monotonic) -> None:
        self._settings = settings
        self._clock = clock
        self._sent: dict[str, deque[float]] = {}

    def hold(self, address: str) -> float:
        """Seconds until another letter may go there; 0 if now."""
        limit = self._settings.hourly_limit(address)
        times = self._sent.get(_domain(address))
        if limit is None or times is None:
            return 0.0
        now = self._clock()
        while times and times[0] <= now - _HOUR:
            times.popleft()
        return 0.0 if len(times) < limit else times[-limit] + _HOUR - now

    def note(self, address: str) -> None:
        """One more goes there now."""
        if self._settings.hourly_limit(address) is not None:
            self._sent.setdefault(_domain(address), deque()).append(self._clock())


class _Shift:
    """The letters of one call of `deliver`, and how many workers still have a connection or hope for one."""

    def __init__(self, waiting: deque[Outgoing], outcomes: asyncio.Queue[Outcome], workers: int) -> None:
        self.waiting = waiting
        self.outcomes = outcomes
        self._workers = workers

    def leave(self, problem: Outcome) -> None:
        """A worker gets no connection: the others go on; the last one returns the letters unsent."""
        self._workers -= 1
        while self.waiting and not self._workers:
            letter = self.waiting.popleft()
            self.outcomes.put_nowait(Outcome(letter.id, "retry", problem.code, problem.text, tried=False))


class Courier:
    """Connections to the server of `[smtp]`, opened when needed, kept for the next letters. For one event loop."""

    def __init__(self, settings: Smtp, pace: Pace | None = None) -> None:
        self._settings = settings
        self._pace = pace or Pace(settings)
        self._free: list[Dialogue] = []
        self._workers: set[asyncio.Task[None]] = set()

    async def deliver(self, messages: Sequence[Outgoing]) -> AsyncIterator[Outcome]:
        """Send them, `connections` at a time; outcomes come in the order in which they are known."""
        waiting = deque(messages)
        outcomes: asyncio.Queue[Outcome] = asyncio.Queue()
        count = min(self._settings.connections, len(waiting))
        shift = _Shift(waiting, outcomes, count)
        workers = [asyncio.create_task(self._work(shift)) for _ in range(count)]
        self._workers.update(workers)
        for worker in workers:
            worker.add_done_callback(self._workers.discard)
        try:
            for _ in messages:
                yield await outcomes.get()
        except BaseException:
            await _end(workers)
            raise

    async def close(self) -> None:
        """Stop what is being sent (its outcome is not known then) and take leave of the server; never raises."""
        await _end(list(self._workers))
        while self._free:
            await _leave(self._free.pop())
        await asyncio.sleep(0)  # asyncio closes sockets in its next turn, and there may be no later one

    async def _work(self, shift: _Shift) -> None:
        """Send one letter after another, until none waits or no connection is to be had."""
        line: Dialogue | None = None
        problem = _FINE
        try:
            while shift.waiting:
                if line is None:
                    line, problem = await self._connection()
                if line is None:
                    shift.leave(problem)
                    return
                if shift.waiting:
                    outcome, good = await self._send(line, shift.waiting.popleft())
                    line = line if good else None
                    shift.outcomes.put_nowait(outcome)
        except BaseException:
            if line is not None:
                line.close()  # in the middle of something
                line = None
            raise
        finally:
            if line is not None:
                self._free.append(line)

    async def _send(self, line: Dialogue, letter: Outgoing) -> tuple[Outcome, bool]:
        """Send one letter; return its outcome, and whether the connection is still good."""
        hold = self._pace.hold(letter.envelope_to)
        if hold:
            return Outcome(letter.id, "retry", text="the hourly limit is reached", after=hold, tried=False), True
        try:
            options = _options(line, letter)
            self._pace.note(letter.envelope_to)
            code, text = await line.hand_over(letter.envelope_from, letter.envelope_to, options, letter.raw)
        except SMTPResponseException as error:
            return _refused(letter, error), await _reset(line, closing=error.code == _CLOSING)
        except (SMTPNotSupported, ValueError) as error:
            return Outcome(letter.id, "failed", _BAD_ADDRESS, _clip(str(error))), True
        except (SMTPException, OSError) as error:
            line.close()
            return Outcome(letter.id, "retry", text=_clip(_fault(error))), False
        return Outcome(letter.id, "sent", code, _clip(text)), True

    async def _connection(self) -> tuple[Dialogue | None, Outcome]:
        """A connection, free or new, or what is in the way."""
        while self._free:
            line = self._free.pop()
            if await line.alive():
                return line, _FINE
            line.close()
        try:
            return Dialogue(await self._connect(), self._settings.timeout_seconds), _FINE
        except SMTPResponseException as error:
            return None, Outcome(None, "retry", error.code, _clip(f"{self._where}: {error.message}"))
        except (SMTPException, OSError, ConfigError, ValueError) as error:
            return None, Outcome(None, "retry", text=_clip(f"{self._where}: {_fault(error)}"))

    @property
    def _where(self) -> str:
        return ":".join(map(str, self._settings.endpoint))

    async def _connect(self) -> SMTP:
        settings = self._settings
        host, port = settings.endpoint
        secure = settings.tls != "none"
        client = SMTP(
            hostname=host,
            port=port,
            use_tls=settings.tls == "tls",
            start_tls=settings.tls == "starttls",
            tls_context=tls_context(settings.ca_file) if secure else None,
            timeout=settings.timeout_seconds,
            local_hostname="[127.0.0.1]",  # as mail programs do; asking the DNS for our name can take seconds
        )
        try:
            await client.connect()
            await self._login(client)
        except BaseException:
            transport = client.transport
            client.close()
            if isinstance(transport, asyncio.WriteTransport):
                transport.abort()
            raise
        return client

    async def _login(self, client: SMTP) -> None:
        user, password, oauth = self._settings.user, self._settings.password, self._settings.oauth
        if oauth is not None:
            await client.auth_xoauth2(user, await asyncio.to_thread(oauth.reveal))
        elif user and password is not None:
            await client.login(user, await asyncio.to_thread(password.reveal))


def hang_up(client: SMTP) -> None:
    """Close the line in the loop's next turn: a polite end of TLS takes several, and there may be none later."""
    transport = client.transport
    client.close()
    if isinstance(transport, asyncio.WriteTransport):
        transport.abort()


def _options(line: Dialogue, letter: Outgoing) -> list[str]:
    """The options of MAIL. Raises ValueError for what is no address, SMTPNotSupported for one the server can't take."""
    if not _ADDRESS.fullmatch(letter.envelope_to) or not _ADDRESS.fullmatch(letter.envelope_from or "null@sender"):
        raise ValueError("that is no mail address")
    options = []
    if line.offers("size"):
        options.append(f"size={len(letter.raw)}")
    if not (letter.envelope_to + letter.envelope_from).isascii():
        if not line.offers("smtputf8"):
            raise SMTPNotSupported("the server takes no address with other letters than ASCII")
        options.append("smtputf8")
    return options


def _refused(letter: Outgoing, error: SMTPResponseException) -> Outcome:
    """5xx is for good, unless it is us whom the server refuses, or a mailbox that is full now (RFC 5321 4.5.3.1.10)."""
    ours = isinstance(error, SMTPSenderRefused) and error.code != _TOO_MUCH
    full = not isinstance(error, SMTPSenderRefused) and error.code == _TOO_MUCH
    lasting = error.code >= _PERMANENT and not ours and not full
    return Outcome(letter.id, "failed" if lasting else "retry", error.code, _clip(error.message))


async def _reset(line: Dialogue, *, closing: bool = False) -> bool:
    """Make the connection ready for the next letter; whether that worked (not if the server is closing it: 421)."""
    with contextlib.suppress(SMTPException, OSError):
        if not closing and await line.reset():
            return True
    line.close()
    return False


async def _end(workers: Sequence[asyncio.Task[None]]) -> None:
    for worker in workers:
        worker.cancel()
    await asyncio.gather(*workers, return_exceptions=True)


async def _leave(line: Dialogue) -> None:
    with contextlib.suppress(SMTPException, OSError):
        async with asyncio.timeout(_QUIT_SECONDS):
            await line.leave()
    line.close()


def _fault(error: Exception) -> str:
    if isinstance(error, SMTPTimeoutError | TimeoutError):
        return "no answer in time"
    if isinstance(error, SMTPServerDisconnected):
        return "the connection broke"
    return str(error) or type(error).__name__


def _clip(text: str) -> str:
    return " ".join(text.split())[:_TEXT]


def _domain(address: str) -> str:
    return address.rpartition("@")[2].lower()
