"""The store itself: one database, opened by URL, and its transactions.

`with store.begin() as tx:` is all or nothing: an exception takes everything back, the games' cached states included.
Writers take turns, within this process by a lock and among processes by the database. `store.read()` looks without
holding anybody up. Failures of the database are `StoreError`s.
"""

from __future__ import annotations

import os
import threading
from collections import OrderedDict
from contextlib import contextmanager
from typing import TYPE_CHECKING

from sqlalchemy.exc import DBAPIError, SQLAlchemyError

from pbem.store import connection as connecting
from pbem.store.collected import Collected
from pbem.store.errors import StoreError, translate
from pbem.store.games import Games
from pbem.store.inbox import Inbox
from pbem.store.outbox import Outbox
from pbem.store.people import People

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sqlalchemy.engine import Connection

    from pbem.engine.state import Game

_CACHED_GAMES = 2048
"""States kept in memory, some 20 kB each; one that is not there is folded from its log: a millisecond for each fifty
events.
"""


class Tx(Games, People, Inbox, Outbox, Collected):
    """One transaction: everything the store can do, each part described in its own module."""


class Store:
    """A database of games.

    `url` as SQLAlchemy has it: `sqlite:///file`, `sqlite://` (in memory, as long as this object lives) or
    `postgresql+psycopg://…`. Raises StoreError if it cannot be opened. Safe to use from several threads.
    """

    def __init__(self, url: str) -> None:
        self.url = url
        self._memory = connecting.is_memory(url)
        self._file = connecting.sqlite_file(url)
        self._occupied: int | None = None
        try:
            self._engine = connecting.open_engine(url)
        except OSError as error:
            raise StoreError("unreachable", error.strerror or type(error).__name__) from None
        self._sqlite = self._engine.dialect.name == "sqlite"
        self._turn = threading.Lock()
        self._cache_turn = threading.Lock()
        self._holder: int | None = None
        self._cache: OrderedDict[int, tuple[int, Game]] = OrderedDict()

    @classmethod
    def in_memory(cls) -> Store:
        """A fresh database in memory with all its tables: for rehearsals and tests, made in a moment."""
        store = cls("sqlite://")
        store.migrate()
        return store

    def migrate(self) -> None:
        """Bring the tables to this version of the program. Raises NewerDatabase, StoreError."""
        if self._memory:
            with self._connected() as connection:
                if not connection.exec_driver_sql("SELECT 1 FROM sqlite_master LIMIT 1").first():
                    connecting.create_at_once(connection)
            return
        with self._connected(reads=True) as connection, connection.begin():
            if connecting.is_current(connection):
                return
        from pbem.store import migrate  # noqa: PLC0415  (mostly not needed, and Alembic takes its time to load)

        with self._exclusive(), self._connected() as connection, connection.begin():
            migrate.upgrade(connection)

    def check(self) -> None:
        """Look whether an SQLite file is whole: a fraction of a second for a thousand games. Raises StoreError."""
        if not self._sqlite:
            return
        with self._connected(reads=True) as connection, connection.begin():
            found = connection.exec_driver_sql("PRAGMA quick_check(1)").scalar()
        if found != "ok":
            raise StoreError("corrupt", str(self._file))

    @contextmanager
    def begin(self) -> Iterator[Tx]:
        """A transaction that may write. Raises StoreError; RuntimeError inside another one of this thread."""
        with self._exclusive(), self._connected() as connection, connection.begin():
            tx = Tx(connection, self._cache)
            yield tx
        self._remember(tx)

    @contextmanager
    def read(self) -> Iterator[Tx]:
        """A transaction that only looks: one consistent state, no waiting for writers, none of them waiting."""
        with self._exclusive(needed=self._memory), self._connected(reads=True) as connection, connection.begin():
            tx = Tx(connection, self._cache, reads=True)
            yield tx
        self._remember(tx)

    @property
    def shared(self) -> bool:
        """Whether several workers may serve this database at once."""
        return not self._sqlite

    def occupy(self) -> None:
        """Make this process the only worker of an SQLite file until `close`, or until it dies, however it dies.

        Nothing for other databases. Raises StoreError (locked) if another process serves the file.
        """
        if self._file is not None and self._occupied is None:
            self._occupied = connecting.occupy(self._file)

    def close(self) -> None:
        """Give the connections back; what was in memory is gone."""
        self._engine.dispose()
        if self._occupied is not None:
            os.close(self._occupied)
            self._occupied = None

    @contextmanager
    def _connected(self, *, reads: bool = False) -> Iterator[Connection]:
        try:
            with self._engine.connect() as connection:
                if reads:
                    connection.execution_options(**self._read_options())
                yield connection
        except DBAPIError as error:
            raise translate(error, self._file) from None
        except SQLAlchemyError as error:
            raise StoreError("other", type(error).__name__) from None

    def _read_options(self) -> dict[str, object]:
        if self._sqlite:
            return {connecting.READ_ONLY: True}
        return {"isolation_level": "REPEATABLE READ", "postgresql_readonly": True}

    @contextmanager
    def _exclusive(self, *, needed: bool | None = None) -> Iterator[None]:
        """SQLite has one writer (in memory: one connection): threads of this process queue here, fairly and at once."""
        if not (self._sqlite if needed is None else needed):
            yield
            return
        if self._holder == threading.get_ident():
            raise RuntimeError("a transaction inside a transaction")
        with self._turn:
            self._holder = threading.get_ident()
            try:
                yield
            finally:
                self._holder = None

    def _remember(self, tx: Tx) -> None:
        """Keep the states that a transaction came to, or saw; the longest unused ones go."""
        with self._cache_turn:
            for game_id, known in tx.loaded.items():
                if game_id not in self._cache or self._cache[game_id][0] <= known[0]:
                    self._cache[game_id] = known
                self._cache.move_to_end(game_id)
            while len(self._cache) > _CACHED_GAMES:
                self._cache.popitem(last=False)
