"""One mail at a time, on an idle program: from when it is noticed to when the sink has accepted the acknowledgement."""

from __future__ import annotations

import statistics
import tempfile
import time
from datetime import UTC, datetime
from pathlib import Path

from bench import servers
from bench.figures import Figure, median
from bench.town import found, votes
from pbem.store import Store

MAILS = 40
WARM = 5
"""The first are not counted: templates are compiled, connections opened."""
PAUSE_SECONDS = 0.4
USER = "latency@example.org"
GOAL_MS = 30


def measure(mails: int = MAILS) -> list[Figure]:
    """Milliseconds: median, and what nine of ten stay below. The commit is a full one."""
    with tempfile.TemporaryDirectory(prefix="pbem-bench-") as place, servers.dovecot() as imap:
        folder = Path(place)
        store = Store(f"sqlite:///{folder / 'games.sqlite'}")
        store.migrate()
        now = datetime.now(UTC)
        letters = list(votes(found(store, (WARM + mails) // 15 + 1, now), WARM + mails, now))
        store.close()
        servers.fill(imap, USER, letters[:1], now)
        with servers.sink(folder) as sink:
            program = servers.start(
                "whole", folder / "games.sqlite", imap.imap, USER, servers.PASSWORD, sink.port, len(letters)
            )
            for raw in letters[1:]:
                time.sleep(PAUSE_SECONDS)
                imap.deliver(raw, datetime.now(UTC), USER)
            told = servers.finish(program)
    waits = [
        1000 * (taken - noticed) for (taken, _), noticed in zip(sink.taken, told["noticed"], strict=True)
    ][WARM:]  # fmt: skip
    return [
        Figure("mails", len(waits)),
        Figure("median", median(waits), "ms", most=GOAL_MS),
        Figure("nine of ten below", statistics.quantiles(waits, n=10)[-1], "ms"),
    ]
