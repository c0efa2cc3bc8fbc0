"""Stores to test with: in memory, in a file, and on a private PostgreSQL that listens on a socket of its own."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from datetime import UTC, datetime
from pathlib import Path

import pytest
import sqlalchemy as sa

from pbem.store import Store

NOW = datetime(2026, 12, 7, 8, 0, tzinfo=UTC)


def _binaries() -> Path | None:
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=lambda path: int(path.parts[-3]))
    return found[-1].parent if found else None


def _as_postgres(*words: str) -> None:
    """PostgreSQL refuses to run as root; then Debian's own user runs it."""
    prefix = ("runuser", "-u", "postgres", "--") if os.geteuid() == 0 else ()
    subprocess.run([*prefix, *words], check=True, capture_output=True, cwd="/")


@pytest.fixture(scope="session")
def postgres_server():
    """The folder of its socket; the server is gone after the tests."""
    binaries = _binaries()
    if binaries is None:
        pytest.skip("no PostgreSQL on this machine")
    folder = Path(tempfile.mkdtemp(prefix="pbem-pg-", dir="/tmp"))
    if os.geteuid() == 0:
        shutil.chown(folder, "postgres")
    data = folder / "data"
    _as_postgres(str(binaries / "initdb"), "-D", str(data), "-U", "pbem", "-A", "trust", "-E", "UTF8", "--no-sync")
    options = f"-c listen_addresses='' -c unix_socket_directories={folder} -c fsync=off"
    control = str(binaries / "pg_ctl")
    _as_postgres(control, "-D", str(data), "-w", "-l", str(folder / "log"), "-o", options, "start")
    yield folder
    _as_postgres(control, "-D", str(data), "-m", "immediate", "stop")
    shutil.rmtree(folder)


@pytest.fixture
def postgres_url(postgres_server):
    """The URL of an empty database."""
    admin = sa.create_engine(
        f"postgresql+psycopg://pbem@/postgres?host={postgres_server}", isolation_level="AUTOCOMMIT"
    )
    name = f"t{os.urandom(6).hex()}"
    with admin.connect() as connection:
        connection.execute(sa.text(f"CREATE DATABASE {name}"))
    yield f"postgresql+psycopg://pbem@/{name}?host={postgres_server}"
    with admin.connect() as connection:
        connection.execute(sa.text(f"DROP DATABASE {name} WITH (FORCE)"))
    admin.dispose()


@pytest.fixture(params=["memory", "file", pytest.param("postgres", marks=pytest.mark.postgres)])
def url(request, tmp_path):
    """The URL of an empty database, of each kind in turn."""
    if request.param == "memory":
        return "sqlite://"
    if request.param == "file":
        return f"sqlite:///{tmp_path}/var/pbem.sqlite"
    return request.getfixturevalue("postgres_url")


@pytest.fixture
def store(url):
    """A store with all its tables, on each kind of database in turn."""
    opened = Store(url)
    opened.migrate()
    yield opened
    opened.close()


@pytest.fixture
def file_url(tmp_path):
    """A store in a file."""
    return f"sqlite:///{tmp_path}/pbem.sqlite"
