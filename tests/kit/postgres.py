"""A private PostgreSQL on a socket of its own, and empty databases in it, started and stopped by the tests."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from pathlib import Path

import sqlalchemy as sa

from pbem.store import Store


def binaries():
    """The folder of Debian's latest PostgreSQL, or None."""
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=lambda path: int(path.parts[-3]))
    return found[-1].parent if found else None


def _as_postgres(*words):
    """PostgreSQL refuses to run as root; then Debian's own user runs it."""
    prefix = ("runuser", "-u", "postgres", "--") if os.geteuid() == 0 else ()
    subprocess.run([*prefix, *words], check=True, capture_output=True, cwd="/")


class Postgres:
    """The server. `new` and `ready` give URLs of databases, which `drop` forgets."""

    def __init__(self):
        programs = binaries()
        self.folder = Path(tempfile.mkdtemp(prefix="pbem-pg-", dir="/tmp"))
        if os.geteuid() == 0:
            shutil.chown(self.folder, "postgres")
        self._data, self._control = str(self.folder / "data"), str(programs / "pg_ctl")
        _as_postgres(str(programs / "initdb"), "-D", self._data, "-U", "pbem", "-A", "trust", "-E", "UTF8", "--no-sync")
        options = f"-c listen_addresses='' -c unix_socket_directories={self.folder} -c fsync=off"
        options += " -c full_page_writes=off -c synchronous_commit=off -c autovacuum=off -c wal_level=minimal -c max_wal_senders=0"
        log = str(self.folder / "log")
        _as_postgres(self._control, "-D", self._data, "-w", "-l", log, "-o", options, "start")
        # No connection is kept: tests fork.
        self._admin = sa.create_engine(self.url("postgres"), isolation_level="AUTOCOMMIT", poolclass=sa.NullPool)
        self._template = None

    def url(self, name):
        return f"postgresql+psycopg://pbem@/{name}?host={self.folder}"

    def _run(self, words):
        with self._admin.connect() as connection:
            connection.execute(sa.text(words))

    def new(self):
        """An empty database."""
        name = f"t{os.urandom(6).hex()}"
        self._run(f"CREATE DATABASE {name}")
        return self.url(name)

    def ready(self):
        """A database with all tables, copied from one that was migrated."""
        if self._template is None:
            url = self.new()
            store = Store(url)
            store.migrate()
            store.close()
            self._template = sa.make_url(url).database
        name = f"t{os.urandom(6).hex()}"
        self._run(f"CREATE DATABASE {name} TEMPLATE {self._template}")
        return self.url(name)

    def drop(self, url):
        self._run(f"DROP DATABASE IF EXISTS {sa.make_url(url).database} WITH (FORCE)")

    def stop(self):
        _as_postgres(self._control, "-D", self._data, "-m", "immediate", "stop")
        shutil.rmtree(self.folder)


class Lasting(Store):
    """What a test takes for a database in memory: it is gone when it is closed."""

    server: Postgres

    @classmethod
    def in_memory(cls):
        return cls(cls.server.ready())

    def close(self):
        super().close()
        self.server.drop(self.url)
