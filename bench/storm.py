"""The evening storm: a thousand games whose executions fall on one moment, all votes cast in the hour before.

Measured, in rounds that take turns: from when the program begins the poll that may close them until the sink has
accepted the last letter; and how long a plain sender takes for the same letters, already written (`bench.postman`).
The digests of all games shall be out within a minute of the moment; the reader's safety margin is counted in.
"""

from __future__ import annotations

import tempfile
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo

from bench import servers
from bench.figures import ROUNDS, Figure, median
from bench.town import DOMAIN, NAMES, found, play_on
from pbem.app import tables
from pbem.app.reader import SECOND, UNCERTAIN
from pbem.engine import commands as c
from pbem.engine.options import DAY, Options
from pbem.store import Store

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from bench.servers import Sink
    from pbem.engine.state import Game

GAMES = 1000
USER = "storm@example.org"
RATIO = 3.0
"""Goal: so many times what the letters take that are written already."""
DIGEST_SECONDS = 60.0
MARGIN = (SECOND + UNCERTAIN).total_seconds() + 0.2
"""How long after a deadline the program begins the poll that may close it (`Reader.late_by`)."""


def measure(games: int = GAMES, rounds: int = ROUNDS) -> list[Figure]:
    """The storm on SQLite."""
    with tempfile.TemporaryDirectory(prefix="pbem-bench-") as place, servers.dovecot() as imap:
        folder = Path(place)
        master = folder / "master.sqlite"
        store = Store(f"sqlite:///{master}")
        store.migrate()
        gather(store, games)
        store.close()
        servers.fill(imap, USER, [], datetime.now(UTC))
        rows = []
        for number in range(rounds):
            database = folder / f"storm{number}.sqlite"
            database.write_bytes(master.read_bytes())
            with servers.sink(folder) as sink:
                told = servers.run("whole", database, imap.imap, USER, servers.PASSWORD, sink.port, 0)
            with servers.sink(folder) as floor:
                plain = servers.run("postman", f"sqlite:///{database}", floor.port)
            database.unlink()
            rows.append(figures(sink, told["began"], plain["seconds"], games))
    return report(rows, games)


def gather(store: Store, games: int) -> None:
    """Put so many games into the store that wait for one execution, at the minute that has just begun."""
    moment = datetime.now(UTC).replace(second=0, microsecond=0)
    local = moment.astimezone(ZoneInfo(Options().timezone))
    minute = local.hour * 60 + local.minute
    options = Options(
        peek=tables.child(), reminders=(), sunset=DAY, executions=tuple((day, minute) for day in range(7))
    )  # the reminders went out long ago, and the night waits until all is measured
    found(store, games, moment - timedelta(days=1, hours=1), options=options)
    for number in range(1, games + 1):
        play_on(store, f"PL{number}", lambda game: evening(game, moment), moment)


def evening(game: Game, moment: datetime) -> Iterator[c.Command]:
    """The votes of one game in the hour before its execution: nearly all for one."""
    assert game.deadline == moment, "the games wait for that moment"
    living = [player.seat for player in game.living]
    chosen, other = living[-1], living[0]
    for place, seat in enumerate(living):
        yield c.Order(
            moment - timedelta(minutes=59 - 3 * place), seat, "VOTE", c.Words((other if seat == chosen else chosen,))
        )


def figures(sink: Sink, began: float, plain: float, games: int) -> dict[str, float]:
    """What one round gave. Raises AssertionError if a game has no digest, or a player no letter."""
    everybody = {address for _, address in sink.taken}
    digests = [taken for taken, to in sink.taken if to == f"village@{DOMAIN}"]
    assert len(digests) >= games, f"{len(digests)} letters to the list from {games} games"
    assert len(everybody) >= games * (len(NAMES) - 1), f"only {len(everybody)} addresses got a letter"
    whole = max(taken for taken, _ in sink.taken) - began
    last: dict[str, float] = {}
    for taken, to in sink.taken:
        last[to.partition(".")[0]] = taken - began
    return {
        "letters": len(sink.taken), "seconds": whole, "plain": plain, "digests": max(digests) - began + MARGIN,
        "first": min(last.values()),
    }  # fmt: skip


def report(rows: Sequence[dict[str, float]], games: int, where: str = "") -> list[Figure]:
    """Medians of the rounds."""

    def mid(what: str) -> float:
        return median([row[what] for row in rows])

    return [
        Figure(f"games{where}", games),
        Figure("letters", mid("letters")),
        Figure("until the last letter is accepted", mid("seconds"), "s"),
        Figure("the same letters, written already", mid("plain"), "s"),
        Figure("whole / sending alone", median([row["seconds"] / row["plain"] for row in rows]), most=RATIO),
        Figure("from the moment to the last digest", mid("digests"), "s", most=DIGEST_SECONDS),
        Figure("the first game has all its letters after", mid("first"), "s"),
    ]
