"""Who has a mailbox in the embedded post office, and with which password.

Promises: an address of the post office's domains becomes an account the first time something is sent to it or its
password is asked for (so anyone may sign up under any local address); passwords are drawn by `secrets`, kept in
`passwords.json` (0600) beside the mailboxes, written before they are used, and announced once, when drawn. An address
is its own account whatever its case and whatever follows a `+` in its local part.
"""

from __future__ import annotations

import hmac
import json
import re
import secrets
from typing import TYPE_CHECKING

from pbem.mail.maildir import replace_file

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from pathlib import Path

FILE = "passwords.json"
MOST = 2_000
_LOCAL = re.compile(r"[a-z0-9_][a-z0-9._-]{0,63}")
_PASSWORD_BYTES = 12


class TooManyAccountsError(Exception):
    """There are `MOST` accounts already: someone is making them up."""


class Accounts:
    """The accounts under `root`, for these domains (lower case; the first is that of logins without one)."""

    def __init__(
        self, root: Path, domains: Iterable[str], *, announce: Callable[[str, str], None] | None = None
    ) -> None:
        self._file = root / FILE
        self._domains = tuple(domains)
        self._announce = announce or (lambda _address, _password: None)
        try:
            self._passwords: dict[str, str] = json.loads(self._file.read_text("utf-8"))
        except FileNotFoundError:
            self._passwords = {}

    def __iter__(self) -> Iterator[str]:
        return iter(tuple(self._passwords))

    def base(self, address: str) -> str | None:
        """The account that an address belongs to (RFC 5233 sub-addresses dropped), or None if it can be none here."""
        local, _, domain = address.lower().rpartition("@")
        name = local.partition("+")[0]
        if domain not in self._domains or not _LOCAL.fullmatch(name) or ".." in name:
            return None
        return f"{name}@{domain}"

    def password(self, address: str) -> str:
        """The account's password; a new account if need be. Raises ValueError for an address of elsewhere."""
        account = self.base(address)
        if account is None:
            raise ValueError("no address of this post office")
        if account not in self._passwords:
            self._open(account)
        return self._passwords[account]

    def find(self, login: str) -> str | None:
        """The account of that login name (its address, or its local part), or None if there is none yet."""
        account = self.base(login if "@" in login else f"{login}@{self._domains[0]}")
        return account if account in self._passwords else None

    def check(self, login: str, password: str) -> str | None:
        """The account that logs in so, or None."""
        account = self.find(login)
        if account is None:
            return None
        right = hmac.compare_digest(self._passwords[account].encode(), password.encode("utf-8", "surrogateescape"))
        return account if right else None

    def _open(self, account: str) -> None:
        if len(self._passwords) >= MOST:
            raise TooManyAccountsError
        passwords = {**self._passwords, account: secrets.token_urlsafe(_PASSWORD_BYTES)}
        replace_file(self._file, json.dumps(passwords, indent=1, sort_keys=True).encode())
        self._passwords = passwords
        self._announce(account, passwords[account])
