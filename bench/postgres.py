"""The same on PostgreSQL with two workers: command mails, and the evening storm.

A private server of Debian's on a socket, with full syncs. Both workers are `pbem run`'s daemon; one of them reads the
mailbox, both send. Each round has a database of its own, copied from one that is ready.
"""

from __future__ import annotations

import itertools
import os
import shutil
import signal
import subprocess
import tempfile
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import sqlalchemy as sa

from bench import servers, storm
from bench.figures import ROUNDS, Figure, median
from bench.throughput import GAMES, MAILS
from bench.town import found, votes
from pbem.store import Store

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from bench.servers import Sink

WORKERS = 2
_users = itertools.count(1)


def unavailable() -> str | None:
    """Why PostgreSQL cannot be used here, or None."""
    return None if _binaries() else "Debian's postgresql is not installed"


def _binaries() -> Path | None:
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=lambda path: int(path.parts[-3]))
    return found[-1].parent if found else None


def _as_postgres(*words: str) -> None:
    """PostgreSQL refuses to run as root; then Debian's own user runs it."""
    prefix = ("runuser", "-u", "postgres", "--") if os.geteuid() == 0 else ()
    subprocess.run([*prefix, *words], check=True, capture_output=True, cwd="/")  # noqa: S603 - Debian's own programs


class Server:
    """The running server; `new` gives URLs of databases."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._admin = sa.create_engine(self.url("postgres"), isolation_level="AUTOCOMMIT")

    def url(self, name: str) -> str:
        """Of the database of that name."""
        return f"postgresql+psycopg://pbem@/{name}?host={self._folder}"

    def new(self, name: str, like: str = "template1") -> str:
        """A copy of another database."""
        with self._admin.connect() as connection:
            connection.execute(sa.text(f"CREATE DATABASE {name} TEMPLATE {like}"))
        return self.url(name)

    def drop(self, name: str) -> None:
        """Forget it."""
        with self._admin.connect() as connection:
            connection.execute(sa.text(f"DROP DATABASE {name} WITH (FORCE)"))

    def close(self) -> None:
        """Let go of the server."""
        self._admin.dispose()


@contextmanager
def server() -> Iterator[Server]:
    """PostgreSQL until the end of the block."""
    binaries = _binaries()
    assert binaries is not None
    folder = Path(tempfile.mkdtemp(prefix="pbem-bpg-", dir="/tmp"))  # its socket's path must be short
    if os.geteuid() == 0:
        shutil.chown(folder, "postgres")
    data, control = str(folder / "data"), str(binaries / "pg_ctl")
    _as_postgres(str(binaries / "initdb"), "-D", data, "-U", "pbem", "-A", "trust", "-E", "UTF8", "--no-sync")
    options = f"-c listen_addresses='' -c unix_socket_directories={folder}"
    _as_postgres(control, "-D", data, "-w", "-l", str(folder / "log"), "-o", options, "start")
    running = Server(folder)
    try:
        yield running
    finally:
        running.close()
        _as_postgres(control, "-D", data, "-m", "immediate", "stop")
        shutil.rmtree(folder)


def measure(mails: int = MAILS, games: int = storm.GAMES, rounds: int = ROUNDS) -> list[Figure]:
    """Medians of rounds."""
    with tempfile.TemporaryDirectory(prefix="pbem-bench-") as place, servers.dovecot() as imap, server() as postgres:
        folder = Path(place)
        return _mails(folder, imap, postgres, mails, rounds) + _storm(folder, imap, postgres, games, rounds)


def _prepare(postgres: Server, name: str, fill: Callable[[Store], Any]) -> Any:
    store = Store(postgres.new(name))
    store.migrate()
    found = fill(store)
    store.close()
    return found


def _mails(folder: Path, imap: Any, postgres: Server, mails: int, rounds: int) -> list[Figure]:
    now = datetime.now(UTC)
    letters = list(_prepare(postgres, "mails", lambda store: votes(found(store, GAMES, now), mails, now)))
    rows = []
    for number in range(rounds):
        url = postgres.new(f"mails{number}", "mails")
        told, sink = _run(folder, imap, url, letters)
        assert len(sink.taken) == len(letters), f"{len(sink.taken)} letters for {len(letters)} mails"
        seconds = max(taken for taken, _ in sink.taken) - min(one["began"] for one in told)
        rows.append((mails / seconds, 1000 * sum(one["cpu"] for one in told) / mails))
        postgres.drop(f"mails{number}")
    return [
        Figure(f"mails a second, {WORKERS} workers", median([rate for rate, _ in rows])),
        Figure("CPU a mail, both together", median([cpu for _, cpu in rows]), "ms"),
    ]


def _storm(folder: Path, imap: Any, postgres: Server, games: int, rounds: int) -> list[Figure]:
    rows = [storm.once(folder, imap, postgres.new(f"storm{number}"), games, WORKERS) for number in range(rounds)]
    return storm.report(rows, games, f" in the storm, {WORKERS} workers")


def _run(folder: Path, imap: Any, url: str, letters: Sequence[bytes]) -> tuple[list[dict[str, Any]], Sink]:
    """Both workers until every mail is answered: what they tell, and the sink."""
    user = f"postgres{next(_users)}@example.org"
    servers.fill(imap, user, letters, datetime.now(UTC))
    store = Store(url)
    with servers.sink(folder) as sink:
        arguments = (url, imap.imap, user, servers.PASSWORD, sink.port, "until told")
        workers = [servers.start("whole", *arguments) for _ in range(WORKERS)]
        storm.settle(store, len(letters))
        for worker in workers:
            worker.send_signal(signal.SIGTERM)
        told = [servers.finish(worker) for worker in workers]
    store.close()
    return told, sink
