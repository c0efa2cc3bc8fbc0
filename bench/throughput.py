"""N command mails through the whole program, against the floor: seconds and CPU seconds, in rounds that take turns.

Each round has a fresh database and a fresh mailbox for either; the mails are the same.
"""

from __future__ import annotations

import itertools
import tempfile
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bench import servers
from bench.figures import ROUNDS, Figure, median
from bench.town import found, votes
from pbem.store import Store

if TYPE_CHECKING:
    from bench.servers import Sink

MAILS = 1000
GAMES = 50
_users = itertools.count(1)


def measure(mails: int = MAILS, games: int = GAMES, rounds: int = ROUNDS) -> list[Figure]:
    """Medians: mails a second and CPU milliseconds a mail of both, and the program's ratios to the floor.

    The goals: throughput at least 0.8 of the floor's (must: 0.5), CPU at most 1.5 times (must: 2 times).
    """
    rows = []
    with tempfile.TemporaryDirectory(prefix="pbem-bench-") as place, servers.dovecot() as imap:
        folder = Path(place)
        master = folder / "master.sqlite"
        store = Store(f"sqlite:///{master}")
        store.migrate()
        now = datetime.now(UTC)
        letters = list(votes(found(store, games, now), mails, now))
        store.close()
        for number in range(rounds):
            pair = {}
            for program in ("whole", "floor") if number % 2 else ("floor", "whole"):
                pair[program] = _once(program, folder, imap, letters, master)
            rows.append(pair)
    return _figures(rows, mails)


def _once(program: str, folder: Path, imap: Any, letters: list[bytes], master: Path) -> dict[str, float]:
    user = f"bench{next(_users)}@example.org"
    servers.fill(imap, user, letters, datetime.now(UTC))
    database = folder / f"{user}.sqlite"
    if program == "whole":
        database.write_bytes(master.read_bytes())
    with servers.sink(folder) as sink:
        told = servers.run(program, database, imap.imap, user, servers.PASSWORD, sink.port, len(letters))
    _check(program, sink, len(letters))
    return {"rate": len(letters) / told["seconds"], "cpu": 1000 * told["cpu"] / len(letters)}


def _check(program: str, sink: Sink, number: int) -> None:
    if len(sink.taken) != number:
        raise AssertionError(f"{program}: {len(sink.taken)} letters for {number} mails")


def _figures(rows: list[dict[str, dict[str, float]]], mails: int) -> list[Figure]:
    def mid(program: str, what: str) -> float:
        return median([row[program][what] for row in rows])

    def ratio(what: str) -> float:
        return median([row["whole"][what] / row["floor"][what] for row in rows])

    return [
        Figure("mails", mails),
        Figure("mails a second", mid("whole", "rate")), Figure("the floor's", mid("floor", "rate")),
        Figure("CPU a mail", mid("whole", "cpu"), "ms"), Figure("the floor's", mid("floor", "cpu"), "ms"),
        Figure("throughput / floor", ratio("rate"), least=0.8, must=0.5),
        Figure("CPU / floor", ratio("cpu"), most=1.5, must=2.0),
    ]  # fmt: skip
