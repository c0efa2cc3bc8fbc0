"""What one mail costs as games grow in number and in age."""

from __future__ import annotations

import tempfile
import time
from datetime import UTC, datetime
from pathlib import Path

from bench.figures import Figure, median
from bench.town import Person, found, grow_old, votes
from bench.whole import settings
from pbem import wiring
from pbem.app.receive import Receiver
from pbem.post import RawMail
from pbem.store import Store

SIZES = (10, 1000, 10_000)
DAYS = 40
WRITING = 10
"""So many games get the mails, far apart from each other; the others are only there."""
MAILS = 60
ROUNDS = 7
USER = "growth@example.org"
FLAT = 1.2
"""Goal: within a fifth of what it costs with few young games."""


class Place:
    """A store with so many games, the first few of them `days` old, and their mail."""

    def __init__(self, folder: Path, games: int, days: int) -> None:
        self.file = folder / f"{games}-{days}.sqlite"
        chosen = settings(str(self.file), "1", USER, "x", "1")
        self.store = Store(chosen.database.url)
        self.store.migrate()
        self.now = datetime.now(UTC)
        self.people: list[Person] = found(self.store, games, self.now)
        writing = [f"PL{number}" for number in range(1, games + 1, games // WRITING)]
        if days > 1:
            grow_old(self.store, writing, days, self.now)
        self._receiver = Receiver(self.store, wiring.scribe(chosen), chosen)
        writers = [person for person in self.people if person.code in writing]
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


def measure(sizes: tuple[int, ...] = SIZES) -> list[Figure]:
    """CPU milliseconds a mail by number of games and day, medians of rounds that take turns; ratios to the first."""
    with tempfile.TemporaryDirectory(prefix="pbem-bench-") as folder:
        cases = [(games, 1) for games in sizes] + [(sizes[0], DAYS), (sizes[-1], DAYS)]
        places = {case: Place(Path(folder), *case) for case in cases}
        costs: dict[tuple[int, int], list[float]] = {case: [] for case in cases}
        for number in range(ROUNDS):
            for case in cases[number % len(cases) :] + cases[: number % len(cases)]:
                costs[case].append(places[case].round())
        for place in places.values():
            place.store.close()
    first, *others = cases
    figures = [Figure(_named(first), median(costs[first]), "CPU ms a mail")]
    for case in others:
        ratio = median([cost / least for cost, least in zip(costs[case], costs[first], strict=True)])
        figures.append(Figure(f"{_named(case)}, times that", ratio, most=FLAT))
    return figures


def _named(case: tuple[int, int]) -> str:
    return f"{case[0]:,} games, day {case[1]}"
