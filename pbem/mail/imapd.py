"""The embedded post office's IMAP side: pymap speaks the protocol to clients of this machine.

Promises: nobody sees a mailbox without its password; no name is looked up in the DNS; nothing a client sends is logged.
"""

from __future__ import annotations

import asyncio
import logging
import ssl
from argparse import Namespace
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

from proxyprotocol.reader import ProxyProtocolReader
from pymap.backend.session import BaseSession
from pymap.concurrent import Subsystem
from pymap.config import BackendCapability, IMAPConfig
from pymap.exceptions import AuthorizationFailure, InvalidAuth, NotAllowedError
from pymap.imap import IMAPServer
from pymap.interfaces.login import IdentityInterface, LoginInterface
from pymap.token import AllTokens
from pymap.user import UserMetadata
from pysasl.hashing import Cleartext

from pbem.mail.folders import StoredMail

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from datetime import datetime

    from pysasl.creds.server import ServerCredentials

    from pbem.mail.accounts import Accounts
    from pbem.mail.folders import FolderSet, Mailboxes

_LINE_LIMIT = 1 << 20
_APPEND_LIMIT = 50_000_000


class Config(IMAPConfig):
    """pymap's settings for a server that is reached over loopback alone."""

    def __init__(self) -> None:
        super().__init__(
            Namespace(passlib_cfg=None, proxy_protocol=None),
            host=None,
            port=0,
            ssl_context=ssl.create_default_context(ssl.Purpose.CLIENT_AUTH),
            tls_enabled=False,  # passwords do not leave the machine
            hash_context=Cleartext(),
            cpu_subsystem=Subsystem.for_asyncio(),
            reject_dnsbl=False,
            max_append_len=_APPEND_LIMIT,
        )

    @property
    def backend_capability(self) -> BackendCapability:
        """What the folders can do."""
        return BackendCapability(idle=True, object_id=True, multi_append=True)

    @property
    def greeting(self) -> bytes:
        """Pymap's own asks the DNS for the host's name."""
        return b"The village's post office is open"


class Session(BaseSession[StoredMail]):
    """One login."""

    resource = __name__

    def __init__(self, owner: str, config: Config, folders: FolderSet) -> None:
        super().__init__(owner)
        self._config = config
        self._folders = folders

    @property
    def config(self) -> Config:
        """The server's."""
        return self._config

    @property
    def mailbox_set(self) -> FolderSet:
        """The owner's folders."""
        return self._folders


class Identity(IdentityInterface):
    """An account, to pymap. Passwords are not changed over IMAP."""

    def __init__(self, name: str, config: Config, folders: FolderSet) -> None:
        self._name = name
        self._config = config
        self._folders = folders

    @property
    def name(self) -> str:
        """The address."""
        return self._name

    @property
    def roles(self) -> frozenset[str]:
        """No account is more than another."""
        return frozenset()

    @asynccontextmanager
    async def new_session(self) -> AsyncIterator[Session]:
        """A session over the account's folders."""
        yield Session(self._name, self._config, self._folders)

    async def new_token(self, *, expiration: datetime | None = None) -> str | None:
        """No tokens."""
        del expiration
        return None

    async def get(self) -> UserMetadata:
        """The account without its password."""
        return UserMetadata(self._config, self._name)

    async def set(self, metadata: UserMetadata) -> int | None:
        """Not here."""
        del metadata
        raise NotAllowedError

    async def delete(self) -> None:
        """Not here."""
        raise NotAllowedError


class Login(LoginInterface):
    """Checks passwords against `Accounts`."""

    def __init__(self, config: Config, accounts: Accounts, mailboxes: Mailboxes) -> None:
        self._config = config
        self._accounts = accounts
        self._mailboxes = mailboxes
        self._tokens = AllTokens(config)

    @property
    def tokens(self) -> AllTokens:
        """None are made."""
        return self._tokens

    async def authenticate(self, credentials: ServerCredentials) -> Identity:
        """The account that these credentials are right for. Raises InvalidAuth."""
        account = self._accounts.find(credentials.authcid)
        if account is None:
            raise InvalidAuth
        user = UserMetadata(self._config, credentials.authcid, password=self._accounts.password(account))
        if not credentials.verify(user):
            raise InvalidAuth
        return Identity(account, self._config, self._mailboxes.of(account))

    async def authorize(self, authenticated: IdentityInterface, authzid: str) -> Identity:
        """Nobody acts for another."""
        if self._accounts.find(authzid) != authenticated.name:
            raise AuthorizationFailure
        return Identity(authenticated.name, self._config, self._mailboxes.of(authenticated.name))


async def serve(accounts: Accounts, mailboxes: Mailboxes, host: str, port: int) -> asyncio.Server:
    """Listen. Raises OSError if the port is taken."""
    logging.getLogger("pymap").setLevel(logging.WARNING)  # below that it prints what clients send
    config = Config()
    server = IMAPServer(Login(config, accounts, mailboxes), config)
    connected: Any = ProxyProtocolReader(config.proxy_protocol).get_callback(server)
    return await asyncio.start_server(connected, host, port, limit=_LINE_LIMIT)
