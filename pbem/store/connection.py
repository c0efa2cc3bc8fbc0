"""Engines for the databases we speak to, set up so that a transaction is one.

SQLite: WAL, `synchronous=FULL`, foreign keys on, and our own BEGIN (IMMEDIATE for writers), since Python's driver would
begin one late or not at all. A file is created readable by its owner alone; SQLite gives its `-wal` and `-shm` the same
rights. PostgreSQL: as the driver comes. Parameters never show in errors or logs.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import sqlite3
from pathlib import Path
from typing import Any

import sqlalchemy as sa
from sqlalchemy import event
from sqlalchemy.engine import Connection, Engine, make_url
from sqlalchemy.pool import StaticPool

from pbem.store import schema
from pbem.store.errors import StoreError

BUSY_MS = 10_000
"""How long a writer waits for another program's transaction."""
READ_ONLY = "pbem_read_only"
"""The execution option of a connection that only reads: it does not lock out writers."""

_shared: dict[str, Any] = {}


def is_memory(url: str) -> bool:
    """Whether that URL names an SQLite database that lives as long as its store."""
    parsed = make_url(url)
    return parsed.get_backend_name() == "sqlite" and parsed.database in {None, "", ":memory:"}


def sqlite_file(url: str) -> Path | None:
    """The file behind the URL, if it is one."""
    parsed = make_url(url)
    if parsed.get_backend_name() != "sqlite" or is_memory(url) or parsed.database is None:
        return None
    return Path(parsed.database)


def open_engine(url: str) -> Engine:
    """An engine for that URL. Raises OSError if the file or its folder cannot be made."""
    if is_memory(url):
        return _memory_engine()
    file = sqlite_file(url)
    if file is None:
        return sa.create_engine(url, hide_parameters=True, pool_pre_ping=True)
    _create_private(file)
    engine = sa.create_engine(url, hide_parameters=True)
    event.listen(engine, "connect", _prepare_file)
    event.listen(engine, "begin", _begin)
    return engine


def _create_private(file: Path) -> None:
    file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    with contextlib.suppress(FileExistsError):
        os.close(os.open(file, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))


def occupy(file: Path) -> int:
    """Lock `<file>.lock` for this process; its descriptor, to be closed when done. Raises StoreError."""
    try:
        lock = os.open(f"{file}.lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    except OSError as error:
        raise StoreError("readonly", error.strerror or type(error).__name__) from None
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(lock)
        raise StoreError("locked", f"another pbem works on {file}") from None
    return lock


def _memory_engine() -> Engine:
    """A fresh database. Its statements are compiled once a process: hundreds of rehearsals share them."""
    if "dialect" not in _shared:
        first = sa.create_engine("sqlite://", hide_parameters=True)
        with first.connect():
            _shared["dialect"] = first.dialect  # it learns what the driver can on its first connection
        _shared["url"] = first.url
        _shared["statements"] = {}
        first.dispose()
    pool = StaticPool(_new_memory)
    engine = Engine(pool, _shared["dialect"], _shared["url"], hide_parameters=True)
    event.listen(engine, "begin", _begin)
    return engine.execution_options(compiled_cache=_shared["statements"])


def _new_memory() -> Any:
    connection = sqlite3.connect(":memory:", check_same_thread=False, isolation_level=None)
    connection.execute("PRAGMA foreign_keys = ON")
    return connection


def _prepare_file(connection: Any, record: object) -> None:
    del record
    connection.isolation_level = None  # no BEGIN but ours
    for pragma in ("journal_mode = WAL", "synchronous = FULL", "foreign_keys = ON", f"busy_timeout = {BUSY_MS}"):
        connection.execute(f"PRAGMA {pragma}")


def _begin(connection: Connection) -> None:
    reads = connection.get_execution_options().get(READ_ONLY, False)
    connection.exec_driver_sql("BEGIN" if reads else "BEGIN IMMEDIATE")


def is_current(connection: Connection) -> bool:
    """Whether the database's tables are those of this program, by the stamp that Alembic keeps."""
    if not sa.inspect(connection).has_table("alembic_version"):
        return False
    return connection.exec_driver_sql("SELECT version_num FROM alembic_version").scalar() == schema.HEAD


def create_at_once(connection: Connection) -> None:
    """All tables and the stamp of the latest migration, on an empty database: what a rehearsal starts with."""
    if "script" not in _shared:
        mock = sa.create_mock_engine("sqlite://", lambda *_, **__: None)
        creations: list[Any] = []
        for table in schema.metadata.sorted_tables:
            creations.append(sa.schema.CreateTable(table))
            creations.extend(sa.schema.CreateIndex(index) for index in sorted(table.indexes, key=lambda i: str(i.name)))
        _shared["script"] = ";\n".join(str(creation.compile(dialect=mock.dialect)) for creation in creations) + ";"
    raw = connection.connection.driver_connection
    assert isinstance(raw, sqlite3.Connection)
    raw.executescript(_shared["script"] + _STAMP)


_STAMP = f"""
CREATE TABLE alembic_version (
    version_num VARCHAR(32) NOT NULL, CONSTRAINT alembic_version_pkc PRIMARY KEY (version_num)
);
INSERT INTO alembic_version VALUES ('{schema.HEAD}');
"""  # noqa: S608  (a constant of ours)
