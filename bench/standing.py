"""What many games cost to have and to start with: seconds until the program is ready, and its memory."""

from __future__ import annotations

import tempfile
import time
from datetime import UTC, datetime
from pathlib import Path

from bench import servers
from bench.figures import ROUNDS, Figure, median
from bench.town import found, grow_old
from pbem.store import Store

GAMES = 1000
DAYS = 10
USER = "standing@example.org"
SECONDS = 5.0
MEGABYTES = 400.0


def measure(games: int = GAMES, rounds: int = ROUNDS) -> list[Figure]:
    """So many games, on their first day and after ten days of talk and votes, and no mail; medians of start-ups.

    The first one, which has to read every game's log, stands by itself.

    Ready means: the store is checked, every game's next deadline is known, and the mailbox is about to be read.
    """
    figures: list[Figure] = []
    with tempfile.TemporaryDirectory(prefix="pbem-bench-") as place, servers.dovecot() as imap:
        folder = Path(place)
        servers.fill(imap, USER, [], datetime.now(UTC))
        for days in (1, DAYS):
            database = folder / f"day{days}.sqlite"
            _make(database, games, days)
            rows = [_start(folder, database, imap.imap) for _ in range(rounds + 1)]
            when = f"{games} games on day {days}"
            figures += [
                Figure(f"until ready for the first time, {when}", rows[0][0], "s"),
                Figure(f"until ready, {when}", median([ready for ready, _ in rows[1:]]), "s", most=SECONDS),
                Figure(f"memory, {when}", max(megabytes for _, megabytes in rows), "MB", most=MEGABYTES),
            ]
    return figures


def _make(database: Path, games: int, days: int) -> None:
    store = Store(f"sqlite:///{database}")
    store.migrate()
    now = datetime.now(UTC)
    found(store, games, now)
    if days > 1:
        grow_old(store, [f"PL{number}" for number in range(1, games + 1)], days, now)
    store.close()


def _start(folder: Path, database: Path, imap: int) -> tuple[float, float]:
    """One start: seconds from the command to readiness, and megabytes at the most."""
    with servers.sink(folder) as sink:
        begin = time.monotonic()
        told = servers.run("whole", database, imap, USER, servers.PASSWORD, sink.port, 0)
    return told["began"] - begin, told["megabytes"]
