"""The evening storm: a thousand games whose executions fall on one moment, all votes cast in the hour before.

The program runs when that moment comes, and resolves the games by its own clock. Measured in each round: from the
moment until the sink has accepted the last letter, and the last digest; then, with the same letters, how long the
program takes that finds them written (the goal compares with that), and how long a bare sender takes
(`bench.postman`). Each round has its own games.
"""

from __future__ import annotations

import signal
import tempfile
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any
from zoneinfo import ZoneInfo

from bench import servers
from bench.figures import ROUNDS, Figure, median
from bench.town import DOMAIN, TOGETHER, found, play_on
from pbem.app import tables
from pbem.app.reader import SECOND, UNCERTAIN
from pbem.engine import commands as c
from pbem.engine.options import DAY, Options
from pbem.store import Store, schema

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from bench.servers import Sink
    from pbem.engine.state import Game

GAMES = 1000
RATIO = 3.0
"""Goal: so many times what the program takes for letters that are written already."""
DIGEST_SECONDS = 60.0
MARGIN = (SECOND + UNCERTAIN).total_seconds() + 0.2
"""How long after a deadline the program begins the poll that may close it (`Reader.late_by`)."""
LEAD_SECONDS = 20.0
LONGEST_SECONDS = 900.0


def measure(games: int = GAMES, rounds: int = ROUNDS) -> list[Figure]:
    """The storm on SQLite."""
    with tempfile.TemporaryDirectory(prefix="pbem-bench-") as place, servers.dovecot() as imap:
        folder = Path(place)
        urls = [f"sqlite:///{folder / f'storm{number}.sqlite'}" for number in range(rounds)]
        return report([once(folder, imap, url, games) for url in urls], games)


def once(folder: Path, imap: Any, url: str, games: int, workers: int = 1) -> dict[str, float]:
    """One round on that empty database, with so many workers."""
    store = Store(url)
    store.migrate()
    moment = gather(store, games)
    user = f"storm{moment.timestamp():.0f}@example.org"
    servers.fill(imap, user, [], moment)
    with servers.sink(folder) as sink:
        arguments = (url, imap.imap, user, servers.PASSWORD, sink.port, "until told")
        running = [servers.start("whole", *arguments) for _ in range(workers)]
        settle(store, games)
        for worker in running:
            worker.send_signal(signal.SIGTERM)
        for worker in running:
            servers.finish(worker)
    with store.begin() as tx:
        tx._connection.execute(schema.outbox.update().values(state="pending", sent=None))  # noqa: SLF001 - once more
    store.close()
    with servers.sink(folder) as again:
        told = servers.run("whole", url, imap.imap, user, servers.PASSWORD, again.port, 0)
    with servers.sink(folder) as floor:
        bare = servers.run("postman", url, floor.port)
    assert len(again.taken) == len(sink.taken), "the same letters"
    sending = max(taken for taken, _ in again.taken) - told["began"]
    return figures(sink, _monotonic(moment), games) | {"sending": sending, "bare": bare["seconds"]}


def _monotonic(moment: datetime) -> float:
    """That moment by the clock that all processes here share."""
    return time.monotonic() - (datetime.now(UTC) - moment).total_seconds()


def gather(store: Store, games: int) -> datetime:
    """Put so many games into the store whose next execution is at one minute not far ahead; which one."""
    soon = datetime.now(UTC) + timedelta(seconds=LEAD_SECONDS + games / 20)
    moment = soon.replace(second=0, microsecond=0) + timedelta(minutes=1)
    local = moment.astimezone(ZoneInfo(Options().timezone))
    minute = local.hour * 60 + local.minute
    options = Options(
        peek=tables.child(), reminders=(), sunset=DAY, executions=tuple((day, minute) for day in range(7))
    )  # the reminders went out long ago, and the night waits until all is measured
    found(store, games, moment - timedelta(days=2, hours=1), options=options)
    codes = [f"PL{number}" for number in range(1, games + 1)]
    for start in range(0, games, TOGETHER):
        play_on(store, codes[start : start + TOGETHER], lambda game: evening(game, moment), moment)
    assert datetime.now(UTC) < moment, "this machine is too slow to make so many games in time"
    return moment


def settle(store: Store, games: int) -> None:
    """Wait until every game has sent its digest, and no letter has waited for a while."""
    until, still = time.monotonic() + LONGEST_SECONDS, 0
    while time.monotonic() < until and still < 3:  # noqa: PLR2004 - looks in a row
        time.sleep(0.5)
        with store.read() as tx:
            counts = tx.outbox_counts()
        still = still + 1 if counts["sent"] >= games and counts["pending"] + counts["claimed"] == 0 else 0


def evening(game: Game, moment: datetime) -> Iterator[c.Command]:
    """The eve's election, and the votes in the hour before the execution: nearly all for one."""
    assert game.deadline == moment, "the games wait for that moment"
    if game.election is not None:
        for player in game.living:
            yield c.Order(game.election.closes - timedelta(minutes=5), player.seat, "ELECT", c.Words((1,)))
        yield c.Tick(game.election.closes)
    living = [player.seat for player in game.living]
    chosen, other = living[-1], living[0]
    for place, seat in enumerate(living):
        yield c.Order(
            moment - timedelta(minutes=59 - 3 * place), seat, "VOTE", c.Words((other if seat == chosen else chosen,))
        )


def figures(sink: Sink, moment: float, games: int) -> dict[str, float]:
    """What one round gave; seconds since the moment. Raises AssertionError if a game has no digest."""
    digests = [taken - moment for taken, to in sink.taken if to == f"village@{DOMAIN}"]
    assert len(digests) >= games, f"{len(digests)} letters to the list from {games} games"
    last = max(taken for taken, _ in sink.taken) - moment
    return {"letters": len(sink.taken), "last": last, "first digest": min(digests), "last digest": max(digests)}


def report(rows: Sequence[dict[str, float]], games: int, where: str = "") -> list[Figure]:
    """Medians of the rounds. The reader's safety margin is no work, so the ratios leave it out."""

    def mid(what: str) -> float:
        return median([row[what] for row in rows])

    def ratio(what: str) -> float:
        return median([(row["last"] - MARGIN) / row[what] for row in rows])

    return [
        Figure(f"games{where}", games),
        Figure("letters", mid("letters")),
        Figure("from the moment to the first digest", mid("first digest"), "s"),
        Figure("from the moment to the last digest", mid("last digest"), "s", most=DIGEST_SECONDS),
        Figure("from the moment to the last letter", mid("last"), "s"),
        Figure("the same letters, written already, by the program", mid("sending"), "s"),
        Figure("the same letters by a bare sender", mid("bare"), "s"),
        Figure("resolved, written and sent / only sent", ratio("sending"), most=RATIO),
        Figure("resolved, written and sent / by a bare sender", ratio("bare")),
    ]
