"""What is said to an SMTP server that has let us in: one letter after another, in as few turns as it allows.

aiosmtplib connects, secures the line and logs in, but waits for the answer to every command; that waiting was most of
what a letter cost. From there on this module speaks: MAIL, RCPT and DATA go out together where the server offers
PIPELINING (RFC 2920), else one by one. Refusals are aiosmtplib's exceptions; a line that breaks or stays silent raises
OSError (TimeoutError among them) or SMTPServerDisconnected, and is good for nothing afterwards.
"""

from __future__ import annotations

import asyncio
import re
import time
from typing import TYPE_CHECKING, Final, NamedTuple

from aiosmtplib import SMTP, SMTPDataError, SMTPRecipientRefused, SMTPSenderRefused, SMTPServerDisconnected

if TYPE_CHECKING:
    from collections.abc import Sequence

OK: Final = 250
WILL_FORWARD: Final = 251
GO_AHEAD: Final = 354
CLOSING: Final = 421
_FRESH_SECONDS: Final = 1.0
"""A line that was used so lately still stands, unless the server has said otherwise."""
_LONGEST_LINE: Final = 1 << 16
_LONE_END: Final = re.compile(rb"\r(?!\n)|(?<!\r)\n")


class Reply(NamedTuple):
    """A server's answer: its code, and its text without the code."""

    code: int
    text: str


class Dialogue:
    """The line of a client that is connected and logged in; the client itself is not to be used any more.

    `extensions` are asked of the client before. For one event loop.
    """

    def __init__(self, client: SMTP, timeout_seconds: float) -> None:
        transport = client.transport
        assert transport is not None, "it is connected"
        loop = asyncio.get_running_loop()
        self._client = client
        self._timeout = timeout_seconds
        self._pipelining = client.supports_extension("pipelining")
        self._reader = asyncio.StreamReader(_LONGEST_LINE, loop)
        protocol = asyncio.StreamReaderProtocol(self._reader, loop=loop)
        transport.set_protocol(protocol)
        protocol.connection_made(transport)
        self._writer = asyncio.StreamWriter(transport, protocol, self._reader, loop)  # type: ignore[arg-type]
        self._used = time.monotonic()

    def offers(self, extension: str) -> bool:
        """Whether the server has offered that extension (RFC 5321, 2.2)."""
        return self._client.supports_extension(extension)

    async def hand_over(self, sender: str, to: str, options: Sequence[str], raw: bytes) -> Reply:
        """Give the server a letter to one address; its answer once it has taken it over.

        Raises SMTPSenderRefused, SMTPRecipientRefused or SMTPDataError: then the line is still good, but for 421.
        """
        async with asyncio.timeout(self._timeout):
            await self._envelope(sender, to, options)
        async with asyncio.timeout(self._timeout):
            reply = await self._say(_stuffed(raw))
        if reply.code != OK:
            raise SMTPDataError(reply.code, reply.text)
        return reply

    async def _envelope(self, sender: str, to: str, options: Sequence[str]) -> None:
        """Up to where the server waits for the letter's text."""
        commands = [" ".join([f"MAIL FROM:<{sender}>", *options]), f"RCPT TO:<{to}>", "DATA"]
        if self._pipelining:
            self._write("".join(f"{command}\r\n" for command in commands).encode())
        refusal: SMTPSenderRefused | SMTPRecipientRefused | None = None
        for command in commands:
            reply = await (self._reply() if self._pipelining else self._say(f"{command}\r\n".encode()))
            if command == "DATA":
                await self._begin(reply, refusal)
            elif reply.code not in (OK, WILL_FORWARD):
                refusal = refusal or _refusal(command, reply, sender, to)
            if refusal is not None and (reply.code == CLOSING or not self._pipelining):
                raise refusal

    async def _begin(self, reply: Reply, refusal: SMTPSenderRefused | SMTPRecipientRefused | None) -> None:
        """After DATA: go on, or raise what spoke against it. A letter to nobody, if wanted, is empty."""
        if refusal is not None:
            if reply.code == GO_AHEAD:
                await self._say(b".\r\n")
            raise refusal
        if reply.code != GO_AHEAD:
            raise SMTPDataError(reply.code, reply.text)

    async def reset(self) -> bool:
        """Take back what was begun; whether the server agrees."""
        async with asyncio.timeout(self._timeout):
            return (await self._say(b"RSET\r\n")).code == OK

    async def alive(self) -> bool:
        """Whether the line still stands; servers close those that lie idle. Never raises."""
        for _ in range(2):
            await asyncio.sleep(0)  # if the server has hung up, the event loop comes to know of it
        if self._reader.at_eof() or self._writer.is_closing():
            return False
        if time.monotonic() - self._used < _FRESH_SECONDS:
            return True
        try:
            async with asyncio.timeout(self._timeout):
                return (await self._say(b"NOOP\r\n")).code == OK
        except (SMTPServerDisconnected, OSError):
            return False

    async def leave(self) -> None:
        """Take leave of the server."""
        await self._say(b"QUIT\r\n")

    def close(self) -> None:
        """Hang up, at once: over TLS a polite end would take several turns of a loop that may be over by then."""
        self._writer.transport.abort()

    # --- words ---

    async def _say(self, words: bytes) -> Reply:
        self._write(words)
        await self._writer.drain()
        return await self._reply()

    def _write(self, words: bytes) -> None:
        if self._writer.is_closing():
            raise SMTPServerDisconnected("Connection lost")
        self._writer.write(words)

    async def _reply(self) -> Reply:
        """The next answer, however many lines it has (RFC 5321, 4.2.1)."""
        texts = []
        while True:
            line = await self._line()
            texts.append(line[4:].decode("utf-8", "replace").strip())
            if line[3:4] != b"-":
                self._used = time.monotonic()
                return Reply(int(line[:3]), "\n".join(texts))

    async def _line(self) -> bytes:
        try:
            line = await self._reader.readline()
        except ValueError:  # too long
            line = b"?"
        if not line[:3].isdigit():
            raise SMTPServerDisconnected("the server talks nonsense" if line else "Connection lost")
        return line


def _refusal(command: str, reply: Reply, sender: str, to: str) -> SMTPSenderRefused | SMTPRecipientRefused:
    if command.startswith("MAIL"):
        return SMTPSenderRefused(reply.code, reply.text, sender)
    return SMTPRecipientRefused(reply.code, reply.text, to)


def _stuffed(raw: bytes) -> bytes:
    """A letter's text as it goes out: lines end in CRLF, a dot that begins one is doubled (RFC 5321 4.5.2)."""
    if not raw.count(b"\r\n") == raw.count(b"\n") == raw.count(b"\r"):
        raw = _LONE_END.sub(b"\r\n", raw)
    stuffed = (b"\r\n" + raw).replace(b"\r\n.", b"\r\n..")[2:]
    return stuffed + (b".\r\n" if raw.endswith(b"\r\n") else b"\r\n.\r\n")
