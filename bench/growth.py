"""What one mail costs as games grow in number and in age; what many games cost to have, and to start with."""

from __future__ import annotations

import statistics
import tempfile
import time
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from bench import servers
from bench.town import Person, found, grow_old, votes
from bench.whole import settings
from pbem import wiring
from pbem.app.receive import Receiver
from pbem.post import RawMail
from pbem.store import Store

SIZES = (10, 1000)
DAYS = 40
WRITING = 8
"""So many games get the mails; the others are only there."""
MAILS = 60
ROUNDS = 5
USER = "growth@example.org"


class Place:
    """A store with so many games, the first few of them `days` old, and their mail."""

    def __init__(self, folder: Path, games: int, days: int) -> None:
        self.file = folder / f"{games}-{days}.sqlite"
        chosen = settings(str(self.file), "1", USER, "x", "1")
        self.store = Store(chosen.database.url)
        self.store.migrate()
        self.now = datetime.now(UTC)
        self.people: list[Person] = found(self.store, games, self.now)
        for number in range(1, WRITING + 1) if days > 1 else ():
            grow_old(self.store, f"PL{number}", days, self.now)
        self._receiver = Receiver(self.store, wiring.scribe(chosen), chosen)
        writers = [person for person in self.people if int(person.code[2:]) <= WRITING]
        self._mails = votes(writers, MAILS * (ROUNDS + 1), datetime.now(UTC))
        self._uid = 0
        self.round()  # the first mails of a game find nothing remembered

    def round(self) -> float:
        """CPU milliseconds a mail, for some mails."""
        batch = [next(self._mails) for _ in range(MAILS)]
        now, begin = datetime.now(UTC), time.process_time()
        for raw in batch:
            self._uid += 1
            self._receiver.receive(RawMail(1, self._uid, now, raw), now)
        return 1000 * (time.process_time() - begin) / MAILS


def measure(sizes: tuple[int, ...] = SIZES) -> dict[str, Any]:
    """CPU milliseconds a mail by number of games and day, medians of rounds that take turns; ratios to the first."""
    with tempfile.TemporaryDirectory(prefix="pbem-bench-") as folder:
        cases = [(games, 1) for games in sizes] + [(sizes[0], DAYS)]
        places = {case: Place(Path(folder), *case) for case in cases}
        costs: dict[tuple[int, int], list[float]] = {case: [] for case in cases}
        for _ in range(ROUNDS):
            for case, place in places.items():
                costs[case].append(place.round())
        for place in places.values():
            place.store.close()
    least = statistics.median(costs[cases[0]])
    return {
        f"{games} games, day {day}": {"CPU ms a mail": round(mid, 2), "ratio": round(mid / least, 2)}
        for (games, day), all_costs in costs.items()
        for mid in [statistics.median(all_costs)]
    }


def standing(games: int = 1000) -> dict[str, Any]:
    """So many games and no mail: seconds until the program is ready and has looked at its mailbox, and megabytes."""
    with tempfile.TemporaryDirectory(prefix="pbem-bench-") as place, servers.dovecot() as imap:
        folder = Path(place)
        store = Store(f"sqlite:///{folder / 'games.sqlite'}")
        store.migrate()
        found(store, games, datetime.now(UTC))
        store.close()
        servers.fill(imap, USER, [], datetime.now(UTC))
        with servers.sink(folder) as sink:
            begin = time.monotonic()
            told = servers.run("whole", folder / "games.sqlite", imap.imap, USER, servers.PASSWORD, sink.port, 0)
    ready = told["began"] - begin
    return {
        "games": games, "seconds until ready": round(ready, 2), "seconds of a poll": round(told["seconds"], 2),
        "megabytes": round(told["megabytes"]),
    }  # fmt: skip
