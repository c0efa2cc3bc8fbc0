"""Trying out the two servers for `pbem doctor`: the program's own ways in, and what goes wrong by name.

`Trouble.kind` is one of `KINDS`; everything that these probes can raise is a `TroubleError` that holds one. Texts hold
no secret and nothing of a mail.
"""

from __future__ import annotations

import asyncio
import contextlib
import imaplib
import re
import socket
import ssl
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Self

from aiosmtplib import (
    SMTP,
    SMTPAuthenticationError,
    SMTPException,
    SMTPNotSupported,
    SMTPResponseException,
    SMTPSenderRefused,
    SMTPServerDisconnected,
)
from imapclient.exceptions import CapabilityError, IMAPClientError, LoginError

from pbem.mail import authenticity
from pbem.mail.imap_link import FAULTS, Link, open_link, reason
from pbem.mail.smtp import Courier, hang_up
from pbem.post import RawMail
from pbem.settings import ConfigError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from datetime import timedelta
    from types import TracebackType

    from pbem.post import Incoming
    from pbem.settings import Imap, Smtp

KINDS: Final = (
    *("secret", "unknown-host", "no-connection", "no-answer", "certificate-unknown", "certificate-name"),
    *("certificate-old", "no-tls", "login", "folder", "sender", "relay", "recipient", "server"),
)
_HOST: Final = re.compile(r"[a-z0-9](?:[a-z0-9._-]{0,251}[a-z0-9])?")
_OLD: Final = 10
_NAMES: Final = frozenset({62, 64})
_SENDER_WORDS: Final = ("sender", "from address", "sendas", "send as", "not owned", "5.7.60")
_RELAY_WORDS: Final = ("relay", "authentication required", "5.7.0 must issue")
_PERMANENT: Final = 500
_TEXT: Final = 200


@dataclass(frozen=True, slots=True)
class Trouble:
    """What is wrong, by name, and what the server or the system said of it."""

    kind: str
    text: str


class TroubleError(Exception):
    """The probe cannot go on."""

    def __init__(self, trouble: Trouble) -> None:
        super().__init__(trouble.text)
        self.trouble = trouble


def server_name(mail: Incoming, received_host: str = "") -> str:
    """The authserv-id under which the receiving server itself wrote Authentication-Results into that mail; '' if it
    wrote none. What stands where anybody could have put it does not count (MAIL.md § 4).
    """
    heads = [value for name, value in mail.headers if name.lower() == "authentication-results"]
    for name in dict.fromkeys(authenticity._identifier(value) for value in heads):  # noqa: SLF001  (of the same package)
        trust = authenticity.Trust(name, received_host or None)
        if _HOST.fullmatch(name) and any(authenticity._trusted_headers(mail, trust)):  # noqa: SLF001  (as above)
            return name
    return ""


def diagnose(error: BaseException) -> Trouble:
    """The name of an error on the way to a server, wherever in the chain of causes it is."""
    for one in _chain(error):
        found = _known(one)
        if found is not None:
            return found
    return Trouble("server", _clip(str(error) or type(error).__name__))


def _chain(error: BaseException | None) -> Iterator[BaseException]:
    seen: list[BaseException] = []
    while error is not None and error not in seen:
        seen.append(error)
        error = error.__cause__ or error.__context__
    yield from reversed(seen)  # the cause says more than what was made of it


def _known(error: BaseException) -> Trouble | None:
    return _protected(error) or _let_in(error) or _connected(error)


def _protected(error: BaseException) -> Trouble | None:
    """TLS that does not come about."""
    match error:
        case ssl.SSLCertVerificationError():
            kind = "certificate-name" if error.verify_code in _NAMES else "certificate-unknown"
            return Trouble("certificate-old" if error.verify_code == _OLD else kind, error.verify_message)
        case ssl.SSLError() | CapabilityError():
            return Trouble("no-tls", getattr(error, "reason", "") or str(error))
        case SMTPException() if "STARTTLS" in str(error):
            return Trouble("no-tls", "it offers no STARTTLS")
    return None


def _let_in(error: BaseException) -> Trouble | None:
    """A server that answers, with no."""
    match error:
        case ConfigError():
            return Trouble("secret", str(error))
        case LoginError() | SMTPAuthenticationError():
            return Trouble("login", _clip(_words(error)))
        case SMTPSenderRefused():
            return Trouble("sender", _clip(_words(error)))
        case IMAPClientError() if "select failed" in str(error):
            return Trouble("folder", _clip(str(error)))
    return None


def _connected(error: BaseException) -> Trouble | None:
    """A server that is not there."""
    match error:
        case socket.gaierror():
            return Trouble("unknown-host", error.strerror or "no such name")
        case TimeoutError():
            return Trouble("no-answer", "no answer in time")
        case ConnectionRefusedError():
            return Trouble("no-connection", "nothing listens there")
        case SMTPServerDisconnected() | imaplib.IMAP4.abort():
            return Trouble("server", "it ended the connection")
        case OSError() if error.strerror:
            return Trouble("no-connection", error.strerror)
    return None


def _words(error: BaseException) -> str:
    if isinstance(error, SMTPResponseException):
        return f"{error.code} {error.message}"
    text = reason(error) if isinstance(error, Exception) else str(error)
    return text[2:-1] if text[:2] in {"b'", 'b"'} else text  # imaplib shows some answers as bytes


def _clip(text: str) -> str:
    return " ".join(text.split())[:_TEXT]


@contextlib.contextmanager
def _named() -> Iterator[None]:
    try:
        yield
    except (*FAULTS, SMTPException) as error:
        raise TroubleError(diagnose(error)) from None


class ImapProbe:
    """The mailbox, opened as the program opens it; a context manager. Raises TroubleError."""

    def __init__(self, settings: Imap) -> None:
        self._settings = settings
        with _named():
            self._link: Link = open_link(settings)
        self._client: Any = self._link._client  # noqa: SLF001  (of the same package)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._link.close(politely=True)

    @property
    def can_idle(self) -> bool:
        """Whether the server tells of new mail by itself."""
        return self._link.can_idle

    def writable(self) -> bool:
        """Whether mails can be marked as read."""
        with _named():
            found = self._client.select_folder(self._link.folder)
            self._link.select()
        return b"READ-ONLY" not in found

    def clock_offset(self) -> timedelta:
        """How far the server's clock is ahead of ours, to a second or two."""
        with _named():
            return self._link.clock_offset()

    def last(self) -> int:
        """The highest UID of the folder; 0 if it is empty."""
        with _named():
            return max(self._link.uids_above(0), default=0)

    def newest(self, most: int) -> list[RawMail]:
        """The headers of the newest mails, the newest first."""
        with _named():
            return self._fetch(sorted(self._link.uids_above(0), reverse=True)[:most], "BODY.PEEK[HEADER]")

    def since(self, uid: int) -> list[RawMail]:
        """The mails above that UID, whole, the oldest first."""
        with _named():
            return self._fetch(self._link.uids_above(uid), "BODY.PEEK[]")

    def elsewhere(self, header: str, word: str) -> str:
        """The name of another folder that has a mail with that word in that header; '' if none has."""
        with _named():
            names = [str(name) for flags, _, name in self._client.list_folders() if rb"\Noselect" not in flags]
            try:
                return next((name for name in names if name != self._link.folder and self._has(name, header, word)), "")
            finally:
                self._link.select()

    def folders(self) -> list[str]:
        """All folders' names."""
        with _named():
            return [str(name) for _, _, name in self._client.list_folders()]

    def remove(self, uids: Sequence[int]) -> None:
        """Take our own test mails away again, and no other, if the server can do that."""
        with contextlib.suppress(*FAULTS):
            if uids and self._client.has_capability("UIDPLUS"):
                self._client.delete_messages(uids, silent=True)
                self._client.uid_expunge(uids)

    def _has(self, folder: str, header: str, word: str) -> bool:
        with contextlib.suppress(IMAPClientError):
            self._client.select_folder(folder, readonly=True)
            return bool(self._client.search(["HEADER", header, word]))
        return False

    def _fetch(self, uids: Sequence[int], item: str) -> list[RawMail]:
        answers = self._link.ask(list(uids), [item, "INTERNALDATE"])
        found = []
        for uid in uids:
            answer = answers.get(uid, {})
            raw = next((value for key, value in answer.items() if key.startswith(b"BODY[") and value), b"")
            if b"INTERNALDATE" in answer:
                found.append(RawMail(self._link.uidvalidity, uid, answer[b"INTERNALDATE"], raw))
        return found


class SmtpProbe:
    """A connection to send by, opened as the program opens it; a context manager. Raises TroubleError."""

    def __init__(self, settings: Smtp) -> None:
        self._settings = settings
        self._runner = asyncio.Runner()
        self._courier = Courier(settings)
        try:
            with _named():
                self._client: SMTP = self._run(self._courier._connect)  # noqa: SLF001  (of the same package)
        except BaseException:
            self._runner.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        with contextlib.suppress(SMTPException, OSError, TimeoutError):
            self._run(self._client.quit)
        hang_up(self._client)
        self._runner.run(asyncio.sleep(0))
        self._runner.close()

    def refuses(self, sender: str, recipient: str) -> Trouble | None:
        """Ask, without sending anything, whether a mail from one to the other would be taken."""
        try:
            self._run(self._client.mail, sender)
            self._run(self._client.rcpt, recipient)
        except (SMTPException, OSError) as error:
            return _refusal(error)
        finally:
            with contextlib.suppress(SMTPException, OSError):
                self._run(self._client.rset)
        return None

    def send(self, sender: str, recipient: str, raw: bytes) -> Trouble | None:
        """Send a mail; what is in the way if it was not taken."""
        try:
            self._run(self._client.mail, sender)
            self._run(self._client.rcpt, recipient)
            self._run(self._client.data, raw)
        except (SMTPException, OSError) as error:
            with contextlib.suppress(SMTPException, OSError):
                self._run(self._client.rset)
            return _refusal(error)
        return None

    def _run(self, call: Callable[..., Any], *arguments: Any) -> Any:
        async def do() -> Any:
            return await call(*arguments)

        return self._runner.run(do())


def _refusal(error: BaseException) -> Trouble:
    """A refused mail: because of its sender, because we may not send through this server, or of its recipient."""
    found = diagnose(error)
    if not isinstance(error, SMTPResponseException) or isinstance(error, SMTPSenderRefused | SMTPNotSupported):
        return found
    text = _clip(_words(error))
    said = text.lower()
    if any(word in said for word in _SENDER_WORDS):
        return Trouble("sender", text)
    if any(word in said for word in _RELAY_WORDS):
        return Trouble("relay", text)
    return Trouble("recipient" if error.code >= _PERMANENT else "server", text)
