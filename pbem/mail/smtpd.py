"""The embedded post office's SMTP side: aiosmtpd speaks the protocol, this module decides and delivers.

Promises: "250" to a mail means that it lies, synced, in the mailbox of every recipient that was accepted; nothing
leaves the machine (550 for every address of elsewhere); the list belongs to the game: only its own login may post
there, and each subscriber gets a copy. What is delivered carries on top `Return-Path`, `Delivered-To`, `X-Original-To`
and, above our `Received`, one `Authentication-Results` of ours; those that the sender wrote in our name are dropped
(RFC 8601 § 5). It says `dmarc=pass` only if whoever logged in is the one address of the one From header.
"""

from __future__ import annotations

import asyncio
import email.utils
import logging
import re
import secrets
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from aiosmtpd.smtp import SMTP, AuthResult, LoginPassword

from pbem.mail.accounts import TooManyAccountsError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from datetime import datetime

    from aiosmtpd.smtp import Envelope, Session

    from pbem.mail.accounts import Accounts
    from pbem.mail.folders import Mailboxes

_log = logging.getLogger(__name__)

_HEADER = re.compile(rb"(?m)^([!-9;-~]+)[ \t]*:[^\n]*\n(?:[ \t][^\n]*\n)*")
_BARE_CR = re.compile(rb"\r(?!\n)")
_OURS = frozenset({b"return-path", b"delivered-to", b"x-original-to"})
_SPEC = r"[^<>\s,;\"()@]+@[^<>\s,;\"()@]+"
_FROM = re.compile(rf'\s*(?:"(?:[^"\\]|\\.)*"|[^"<>@,;:()\\]*)\s*<\s*({_SPEC})\s*>\s*|\s*({_SPEC})\s*')
_AUTHSERV = re.compile(rb"[ \t\r\n]*(?:\([^)]*\)[ \t\r\n]*)*\"?([^\s;\"]+)", re.ASCII)
_UNSAFE = re.compile(r"[^A-Za-z0-9.:_\-\[\]]")


@dataclass(frozen=True, slots=True)
class Rules:
    """What the SMTP side must know: whose list is whose, how big a mail may be, what it is called, what time it is."""

    game: str
    list_address: str
    authserv_id: str
    size_limit: int
    now: Callable[[], datetime]
    subscribers: Callable[[str], Iterable[str]]


class Handler:
    """aiosmtpd's hooks."""

    def __init__(self, rules: Rules, accounts: Accounts, mailboxes: Mailboxes) -> None:
        self._rules = rules
        self._accounts = accounts
        self._mailboxes = mailboxes

    def authenticate(
        self, _server: SMTP, _session: Session, _envelope: Envelope, _mechanism: str, login: Any
    ) -> AuthResult:
        """Check a login; PLAIN and LOGIN bring a name and a password."""
        if not isinstance(login, LoginPassword):
            return AuthResult(success=False, handled=False)
        name, password = (part.decode("utf-8", "replace") for part in login)
        account = self._accounts.check(name, password)
        return AuthResult(success=account is not None, handled=False, auth_data=account)

    async def handle_RCPT(  # noqa: N802  (aiosmtpd finds it by this name)
        self, _server: SMTP, session: Session, envelope: Envelope, address: str, _options: list[str]
    ) -> str:
        """Take a recipient or say why not."""
        account = self._accounts.base(address)
        if account is None:
            return "550 5.7.1 This post office serves its own village: no mail leaves the machine"
        if account == self._rules.list_address and _login(session) != self._rules.game:
            return "550 5.7.1 The list speaks with the game's voice: write to the game, or answer a post"
        try:
            self._accounts.password(account)
        except TooManyAccountsError:
            return "452 4.2.1 There is no room for another mailbox"
        except OSError:
            return "452 4.3.1 The mailbox cannot be made now"
        envelope.rcpt_tos.append(address)
        return "250 2.1.5 OK"

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:  # noqa: N802
        """Deliver to every recipient, then answer; an error means that the sender must try again."""
        raw = envelope.content if isinstance(envelope.content, bytes) else b""
        mail = strip_forged(raw, self._rules.authserv_id)
        verdict = self._verdict(session, mail)
        received = self._rules.now()
        number = secrets.token_hex(6)
        try:
            for recipient, original in self._fan_out(envelope.rcpt_tos):
                account = self._accounts.base(recipient)
                if account is None:
                    continue
                self._accounts.password(account)
                top = [f"Return-Path: <{_clean(envelope.mail_from or '')}>", f"Delivered-To: {_clean(recipient)}"]
                top += [f"X-Original-To: {_clean(original)}"]
                top += [f"Authentication-Results: {self._rules.authserv_id}; {verdict}"]
                top += [_trace(server, session, number, received)]
                head = "".join(f"{line}\r\n" for line in top).encode("utf-8", "replace")
                self._mailboxes.inbox(account).deliver(head + mail, received)
        except (OSError, TooManyAccountsError):
            _log.exception("a mail could not be stored")
            return "452 4.3.1 The mail cannot be stored now"
        return f"250 2.0.0 Delivered as {number}"

    async def handle_exception(self, error: Exception) -> str:
        """What no client should see the inside of."""
        _log.error("the post office stumbled: %s", type(error).__name__)
        return "451 4.3.0 The post office stumbled; try again"

    def _fan_out(self, recipients: Iterable[str]) -> Iterable[tuple[str, str]]:
        """(mailbox, address written to): each once; a list is its own mailbox and those of its subscribers."""
        done: set[str] = set()
        for address in recipients:
            copies = [address]
            if self._accounts.base(address) == self._rules.list_address:
                copies += self._rules.subscribers(self._rules.list_address)
            for copy in copies:
                if copy.lower() not in done:
                    done.add(copy.lower())
                    yield copy, address

    def _verdict(self, session: Session, mail: bytes) -> str:
        """The result that goes behind our authserv-id (RFC 8601 § 2.2)."""
        account = _login(session)
        if account is None:
            return "none"
        writer = sole_author(mail)
        if writer is None or self._accounts.base(writer) != account:
            return f"auth=pass smtp.auth={account}; dmarc=none"
        return f"auth=pass smtp.auth={account}; dmarc=pass header.from={account.rpartition('@')[2]}"


def _login(session: Session) -> str | None:
    """The account that logged in, as `Handler.authenticate` put it there."""
    account: Any = session.auth_data
    return account if isinstance(account, str) else None


def strip_forged(mail: bytes, authserv_id: str) -> bytes:
    """The mail without the trace headers that only this post office may write."""
    end = re.search(rb"(?m)^\r?\n", mail)
    head, body = (mail[: end.start()], mail[end.start() :]) if end else (mail, b"")
    head = _BARE_CR.sub(b" ", head)  # some parsers take it for the end of a line

    def keep(match: re.Match[bytes]) -> bytes:
        name = match[1].lower()
        if name in _OURS or (name == b"authentication-results" and _names(match[0], authserv_id)):
            return b""
        return match[0]

    return _HEADER.sub(keep, head) + body


def _names(field: bytes, authserv_id: str) -> bool:
    found = _AUTHSERV.match(field.partition(b":")[2])
    return found is None or found[1].decode("latin-1").lower() == authserv_id.lower()


def sole_author(mail: bytes) -> str | None:
    """The address of the From header, lower case, if there is exactly one header with exactly one plain address."""
    head = re.split(rb"(?m)^\r?\n", mail, maxsplit=1)[0]
    fields = [match[0] for match in _HEADER.finditer(head) if match[1].lower() == b"from"]
    if len(fields) != 1:
        return None
    value = re.sub(rb"\r?\n", b"", fields[0].partition(b":")[2]).decode("utf-8", "replace")
    match = _FROM.fullmatch(value)
    return (match[1] or match[2]).lower() if match else None


def _trace(server: SMTP, session: Session, number: str, received: datetime) -> str:
    """Our Received header (RFC 5321 § 4.4)."""
    protocol = "ESMTPA" if _login(session) else "ESMTP"
    greeting = _UNSAFE.sub("?", session.host_name or "unknown")[:255]
    stamp = email.utils.format_datetime(received)
    return f"Received: from {greeting} (localhost)\r\n\tby {server.hostname} with {protocol} id {number};\r\n\t{stamp}"


def _clean(address: str) -> str:
    return "".join(char for char in address if char.isprintable() and char not in "<>")


async def serve(rules: Rules, accounts: Accounts, mailboxes: Mailboxes, host: str, port: int) -> asyncio.Server:
    """Listen. Raises OSError if the port is taken."""
    # What clients send (passwords, addresses with tags) has no place in a log.
    logging.getLogger("mail.log").setLevel(logging.CRITICAL)
    loop = asyncio.get_running_loop()
    handler = Handler(rules, accounts, mailboxes)

    def connected() -> SMTP:
        return SMTP(
            handler,
            hostname=rules.authserv_id,
            ident="pbem",
            enable_SMTPUTF8=True,
            auth_require_tls=False,  # loopback: passwords do not leave the machine
            authenticator=handler.authenticate,
            data_size_limit=rules.size_limit,
            loop=loop,
        )

    return await loop.create_server(connected, host, port)
