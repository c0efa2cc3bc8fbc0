"""What one seat, or everybody, may know: the only thing that templates are given.

`public_view(game)` is what a reader of the list knows; `seat_view(game, seat)` adds what that seat knows of itself.
No function here returns the game.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from datetime import datetime

    from pbem.engine.options import Options
    from pbem.engine.state import Game


@dataclass(frozen=True, slots=True)
class Face:
    """A player as all see him: `role` is '' while he lives (until the end); `mayor`, `ineligible`, `immune` are public."""

    seat: int
    name: str
    gender: str
    alive: bool
    role: str
    cause: str
    died: int
    mayor: bool
    ineligible: bool
    immune: bool
    ghost: bool


@dataclass(frozen=True, slots=True)
class PublicView:
    """The game as the village knows it.

    `phase` as in SCENARIOS.md, `paused` included. `tied`, `tie_mayor`: the announced tie. `heirless`: a mayor in office
    without a successor is *not* public and not here; `election` is (opens, closes) or None.
    """

    code: str
    options: Options
    phase: str
    turn: int
    deadline: datetime | None
    election: tuple[datetime, datetime] | None
    faces: tuple[Face, ...]
    mayor: int
    tied: tuple[int, ...]
    tie_mayor: int
    winner: str
    winners: tuple[int, ...]
    started_at: datetime | None
    open: bool
    composition: tuple[tuple[str, int], ...] | None

    def face(self, seat: int) -> Face:
        """That seat's face."""
        return self.faces[seat - 1]

    @property
    def living(self) -> tuple[Face, ...]:
        """In seat order."""
        return tuple(f for f in self.faces if f.alive)


@dataclass(frozen=True, slots=True)
class OrderView:
    """One of a seat's own standing orders."""

    verb: str
    seats: tuple[int, ...]
    word: str


@dataclass(frozen=True, slots=True)
class VerbView:
    """A verb that the seat can use: `until` names the closing (execution, election, tie-break, sunset, vision or any),
    `open_now` whether this phase takes it, `choices` whom it may name now (for two names: each alone)."""

    verb: str
    until: str
    open_now: bool
    choices: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class SeatView:
    """What a seat knows besides the public: its role, orders, powers, pack, lovers and what it is asked."""

    public: PublicView
    seat: int
    role: str
    dealt: str
    orders: tuple[OrderView, ...]
    verbs: tuple[VerbView, ...]
    spent: frozenset[str]
    pack: tuple[int, ...]
    lovers: tuple[int, ...]
    asked: tuple[int, ...]
    asked_places: int
    heir: int
    posted: bool
    missed_votes: int
    excused: bool

    @property
    def face(self) -> Face:
        """Its own face."""
        return self.public.face(self.seat)
