"""One live IMAP connection with the game's folder open: what imapclient leaves to be done, and where it must be led.

Promises: certificates are verified; whatever goes wrong comes out as one of `FAULTS`; `reason` puts it into words that
hold no secret and nothing of a mail. imapclient's own `idle` and `idle_check` are not used: the first gives up when the
server has something to say before it starts idling, the second breaks on half a line and takes the end of a connection
for silence.
"""

from __future__ import annotations

import contextlib
import imaplib
import logging
import select
import socket
import ssl
import time
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

from imapclient import IMAPClient, SocketTimeout
from imapclient.exceptions import IMAPClientError, IMAPClientReadOnlyError, LoginError, ProtocolError

from pbem.settings import ConfigError

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from pbem.settings import Imap

    Answers = dict[int, dict[bytes, Any]]

_log = logging.getLogger(__name__)
# imapclient prints whole mails and logins at DEBUG.
logging.getLogger("imapclient").setLevel(logging.WARNING)

FAULTS = (OSError, IMAPClientError, ConfigError, ValueError, AssertionError, LookupError)
UID_WINDOW = 10_000
_CLOCK_FOLDER = "pbem-clock"
_TEMPORARY = ("[UNAVAILABLE]", "[INUSE]", "[LIMIT]", "[SERVERBUG]")
_WORDS = 200


class Link:
    """A connection that `open_link` made. Every method raises one of `FAULTS`."""

    def __init__(self, client: IMAPClient, settings: Imap) -> None:
        self._client = client
        self._settings = settings
        self.delimiter = "/"
        self.folder = settings.folder
        self.can_idle = bool(client.has_capability("IDLE"))
        self._uid_next = 0
        self.uidvalidity = 0

    def select(self) -> None:
        """Open the folder, named with `/` or as the server writes it; one that is read-only will do."""
        try:
            listed = self._client.list_folders()
        except imaplib.IMAP4.abort:
            raise
        except imaplib.IMAP4.error:
            listed = []
        self.delimiter = next((_text(entry[1]) for entry in listed if entry[1]), "/")
        self.folder = _spelled(self._settings.folder, {str(entry[2]) for entry in listed}, self.delimiter)
        try:
            found = self._client.select_folder(self.folder)
        except IMAPClientReadOnlyError:
            found = self._client.select_folder(self.folder, readonly=True)
        self._uid_next = int(found.get(b"UIDNEXT", 0))
        self.uidvalidity = int(found[b"UIDVALIDITY"])

    def uids_above(self, floor: int) -> list[int]:
        """The UIDs above `floor` that are there now, ascending; in windows that no answer outgrows."""
        self._client.noop()  # a folder that is open shows new mails only after the server could say so
        found: set[int] = set()
        start = floor + 1
        while start + UID_WINDOW < self._uid_next:
            found.update(self._client.search(["UID", f"{start}:{start + UID_WINDOW - 1}"]))
            start += UID_WINDOW
        found.update(self._client.search(["UID", f"{start}:*"]))
        return sorted(uid for uid in found if uid > floor)  # `n:*` names the last mail even if it is below n

    def ask(self, uids: list[int], items: list[str]) -> Answers:
        """FETCH; what the server refuses together is asked for one by one, so that a bad mail holds back no other.

        For a mail refused even alone only the INTERNALDATE is in the answer.
        """
        if not uids:
            return {}
        try:
            return dict(self._client.fetch(uids, items))
        except (imaplib.IMAP4.abort, ProtocolError, OSError):
            raise
        except imaplib.IMAP4.error:
            if len(uids) == 1:
                return dict(self._client.fetch(uids, ["INTERNALDATE"]))
        found: Answers = {}
        for uid in uids:
            found |= self.ask([uid], items)
        return found

    def mark_seen(self, uids: list[int]) -> None:
        r"""Set \\Seen."""
        self._client.add_flags(uids, [rb"\Seen"], silent=True)

    def idle(self, seconds: float, wakened: socket.socket) -> bool:
        """Idle until mail comes (True), the time is over, or `wakened` can be read (False)."""
        end = time.monotonic() + seconds
        while True:
            early = self._start_idle()
            spoken = early or self._watch(wakened, end)
            _, lines = self._client.idle_done()
            if early or any(b"EXISTS" in line for line in lines if isinstance(line, tuple)):
                return True
            if not spoken or time.monotonic() >= end:
                return False  # else it was a sign of life or a flag: idle on

    def clock_offset(self) -> timedelta:
        """How far the server's clock is ahead of ours, to a second or two.

        It is read off a mail put into a folder made for it; the game's folder is opened again afterwards.
        """
        folder = _spelled(_CLOCK_FOLDER, set(), self.delimiter)
        with contextlib.suppress(IMAPClientError):
            self._client.create_folder(folder)
        try:
            before = datetime.now(UTC)
            self._client.append(folder, b"Subject: what time is it?\r\n\r\n")
            after = datetime.now(UTC)
            self._client.select_folder(folder)
            self._uid_next = 0
            answers = self.ask(self.uids_above(0), ["INTERNALDATE"])
        finally:
            self.select()
            self._client.delete_folder(folder)
        received: datetime = answers[max(answers)][b"INTERNALDATE"]
        return received.astimezone(UTC) - before.replace(microsecond=0) - (after - before) / 2

    def close(self, *, politely: bool) -> None:
        """End the connection; never raises."""
        if politely:
            with contextlib.suppress(*FAULTS):
                self._client.logout()
        with contextlib.suppress(*FAULTS):
            self._client.shutdown()

    def _start_idle(self) -> bool:
        """Say IDLE; whether the server spoke of new mail before it went idle."""
        imap = self._client._imap  # noqa: SLF001  (imapclient's own idle() is no help, see above)
        tag = imap._command("IDLE")  # noqa: SLF001
        news = False
        while (line := imap._get_response()) is not None:  # noqa: SLF001
            if imap.tagged_commands[tag]:
                raise imaplib.IMAP4.error("idle failed")
            news = news or b"EXISTS" in bytes(line)
        self._client._idle_tag = tag  # noqa: SLF001
        return news

    def _watch(self, wakened: socket.socket, end: float) -> bool:
        """Until the server says something (True), or the time is over or `wakened` is written to (False)."""
        server = self._client.socket()
        if self._buffered(server):
            return True
        left = max(0.0, end - time.monotonic())
        ready, _, _ = select.select([server, wakened], [], [], left)
        return server in ready

    def _buffered(self, server: socket.socket) -> bool:
        """Whether something the server said was read from the socket already, where `select` does not see it."""
        imap = self._client._imap  # noqa: SLF001
        if getattr(imap, "_readbuf", None) or (isinstance(server, ssl.SSLSocket) and server.pending()):
            return True
        reader = vars(imap).get("file")  # Python 3.14's imaplib has its own buffer, above
        if reader is None:
            return False
        server.setblocking(False)
        try:
            return bool(reader.peek(1))
        except (BlockingIOError, ssl.SSLWantReadError):
            return False
        finally:
            server.settimeout(self._settings.timeout_seconds)


def open_link(settings: Imap) -> Link:
    """Connect, log in, open the folder. Raises one of `FAULTS`."""
    host, port = settings.endpoint
    context = None if settings.tls == "none" else tls_context(settings.ca_file)
    timeout = SocketTimeout(connect=settings.timeout_seconds, read=settings.timeout_seconds)
    client = IMAPClient(host, port, ssl=settings.tls == "tls", ssl_context=context, timeout=timeout)
    # imapclient sends some commands in two pieces; unless told, the system holds the second one back for 40 ms.
    client.socket().setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    client.normalise_times = False  # dates with their offset, not turned into this machine's local time
    try:
        if settings.tls == "starttls":
            client.starttls(context)
        _login(client, settings)
        link = Link(client, settings)
        link.select()
    except BaseException:
        with contextlib.suppress(*FAULTS):
            client.shutdown()
        raise
    return link


def tls_context(ca_file: Path | None) -> ssl.SSLContext:
    """Verify certificates and names, against the system's authorities or those of the file."""
    return ssl.create_default_context(ssl.Purpose.SERVER_AUTH, cafile=str(ca_file) if ca_file else None)


def refusal(error: Exception) -> bool:
    """Whether trying again alone will not help: a wrong password, certificate or folder."""
    if isinstance(error, LoginError):
        return not any(code in str(error).upper() for code in _TEMPORARY)
    lasting = ssl.SSLCertVerificationError, ConfigError
    return isinstance(error, lasting) or "select failed" in str(error)


def reason(error: Exception) -> str:
    """What went wrong, in words for the host."""
    match error:
        case ssl.SSLCertVerificationError():
            return f"its certificate is not to be trusted ({error.verify_message})"
        case TimeoutError():
            return "no answer in time"
        case imaplib.IMAP4.abort():
            return "the connection broke"
        case ProtocolError() | ValueError() | AssertionError() | LookupError():
            return "its answer is no IMAP"  # the error's own text may quote a mail
        case OSError():
            return error.strerror or type(error).__name__
        case _:
            return " ".join(str(error).split())[:_WORDS]


def _login(client: IMAPClient, settings: Imap) -> None:
    if settings.oauth is not None:
        client.oauth2_login(settings.user, settings.oauth.reveal())
        return
    password = settings.password.reveal() if settings.password is not None else ""
    if client.has_capability("LOGINDISABLED"):
        raise LoginError("the server takes no password on this connection")
    plain = not (password.isascii() and settings.user.isascii())  # LOGIN carries ASCII alone
    login: Callable[[str, str], Any] = client.plain_login if plain else client.login
    login(settings.user, password)


def _spelled(wanted: str, names: set[str], delimiter: str) -> str:
    """The folder's name as this server spells it: its own delimiter, and under INBOX if it keeps all folders there."""
    folder = wanted if wanted in names else wanted.replace("/", delimiter)
    below = f"INBOX{delimiter}{folder}"
    return below if folder not in names and below in names else folder


def _text(value: bytes | str) -> str:
    return value.decode("ascii", "replace") if isinstance(value, bytes) else value
