"""What many games add up to: who won how often, how sure that is, how long it took.

A `Tally` can be added to another, in any order, with the same outcome: so it does not matter who played which games.
"""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from pbem.balance.table import Result

SIDES: Final = ("village", "wolves", "lovers", "beast", "nobody")
Z: Final = 1.959964
"""Standard deviations of a 95 % interval."""


class Share(NamedTuple):
    """A part of many: `value` of them, and between `low` and `high` in truth (95 %, Wilson)."""

    value: float
    low: float
    high: float


def wilson(hits: int, tries: int) -> Share:
    """How likely it is, by so many hits of so many tries; the score interval, that holds for few and for extremes."""
    if not tries:
        return Share(0.0, 0.0, 1.0)
    part, square = hits / tries, Z * Z / tries
    middle = (part + square / 2) / (1 + square)
    reach = Z / (1 + square) * math.sqrt(part * (1 - part) / tries + square / (4 * tries))
    return Share(part, max(0.0, middle - reach), min(1.0, middle + reach))


def difference(one: Share, other: Share) -> Share:
    """How much larger the first is, with Newcombe's interval made of the two."""
    apart = one.value - other.value
    down = math.hypot(one.value - one.low, other.high - other.value)
    up = math.hypot(one.high - one.value, other.value - other.low)
    return Share(apart, apart - down, apart + up)


@dataclass(slots=True)
class Tally:
    """So many `games`; `winners` by side, `turns` how many games took so many days.

    `seats` counts players by the role they were dealt, `won` those of them who won.
    """

    games: int = 0
    winners: Counter[str] = field(default_factory=Counter)
    turns: Counter[int] = field(default_factory=Counter)
    seats: Counter[str] = field(default_factory=Counter)
    won: Counter[str] = field(default_factory=Counter)

    def note(self, result: Result) -> None:
        """One game more."""
        self.games += 1
        self.winners[result.winner] += 1
        self.turns[result.turns] += 1
        for role, won in zip(result.dealt, result.won, strict=True):
            self.seats[role] += 1
            self.won[role] += won

    def add(self, other: Tally) -> None:
        """The other's games too."""
        self.games += other.games
        for mine, its in (
            (self.winners, other.winners), (self.turns, other.turns), (self.seats, other.seats), (self.won, other.won),
        ):  # fmt: skip
            mine.update(its)  # type: ignore[arg-type]  # counters of words and of numbers alike

    def side(self, side: str) -> Share:
        """How often that side wins."""
        return wilson(self.winners[side], self.games)

    def role(self, slug: str) -> Share:
        """How often a player wins who was dealt that role (WIN-9)."""
        return wilson(self.won[slug], self.seats[slug])

    def length(self, part: float) -> int:
        """The days that this part of the games did not exceed: 0.5 is the median."""
        wanted, so_far = part * self.games, 0
        for turns, number in sorted(self.turns.items()):
            so_far += number
            if so_far >= wanted:
                return turns
        return 0

    @property
    def mean_length(self) -> float:
        """Days a game takes on the average."""
        return sum(turns * number for turns, number in self.turns.items()) / max(1, self.games)
