"""What a game is at a moment: frozen records, folded from its events by `evolve`.

Everything here is truth, secrets included. What one seat may know is made of it by `view`.
Instants are aware, in UTC. Seats are numbered from 1; 0 stands for nobody (or, as an owner, for the storyteller).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, TypeVar

from pbem.engine.options import Options

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime


class Phase(StrEnum):
    """Where the game is in its turn (CAL-4)."""

    REGISTRATION = "registration"
    DAY = "day"
    TIE_BREAK = "tie-break"
    SUNSET = "sunset"
    VISION = "vision"
    OVER = "over"


NOTHING: Mapping[str, Any] = MappingProxyType({})

Record = TypeVar("Record", "Game", "Player")


def altered(record: Record, **changes: Any) -> Record:
    """The same record but for these fields: `dataclasses.replace`, several times faster, for the two that change at
    every event. That is why they have no slots: their fields are copied as one mapping.
    """
    new = object.__new__(type(record))
    new.__dict__.update(record.__dict__, **changes)
    return new


@dataclass(frozen=True)
class Player:
    """One seat.

    `role` is the role as it shows to commands now (NIGHT-12), `dealt` the one of the start; '' before the deal.
    `memory` is for the roles to keep what they like in. `spent` holds the verbs of once-only powers that are gone.
    `missed`: votes missed so far (VOTE-2). `voided`: his vote was void and he has not voted since (VOTE-3).
    `posted`: in the village since the last execution. `haunting`: a ghost in his time (GHOST-1).
    """

    seat: int
    name: str
    gender: str = "m"
    role: str = ""
    dealt: str = ""
    alive: bool = True
    cause: str = ""
    died: int = 0
    immune: bool = False
    ineligible: bool = False
    missed: int = 0
    voided: bool = False
    posted: bool = False
    warned: bool = False
    reminded: tuple[int, ...] = ()
    excused: bool = False
    excused_until: datetime | None = None
    haunting: bool = False
    spent: frozenset[str] = frozenset()
    memory: Mapping[str, Any] = field(default_factory=lambda: NOTHING)


@dataclass(frozen=True, slots=True)
class Order:
    """A standing order: kept in the order of arrival of what stands (FINE-1)."""

    seat: int
    verb: str
    at: datetime
    seats: tuple[int, ...] = ()
    word: str = ""


@dataclass(frozen=True, slots=True)
class Election:
    """An election that is due (CAL-2)."""

    opens: datetime
    closes: datetime


@dataclass(frozen=True, slots=True)
class Tie:
    """A tie-break window: `asked` chooses up to `places` of `tied`; `sure` burn besides. `office`: mayor or
    executioner.
    """

    tied: tuple[int, ...]
    places: int
    sure: tuple[int, ...]
    asked: int
    office: str


@dataclass(frozen=True, slots=True)
class Night:
    """What the close of sunset fixed.

    `protected` by a militia, `blocked`: whose own power does not work (GUARD-3). `main` and `extra` (0: none) are
    threatened, `sacrificed` (0: none) dies for the extra one. `converted` (0: none) is a werewolf from now on, though
    it
    shows only from the murder on (NIGHT-12). `unmasked` beasts. `spends`: (seat, verb, effect) of powers used.
    `stopped`: (seat, verb) to be told NIGHT-11's letter. `wolves`, `innocents`: the child's numbers (PEEK-2).
    """

    asleep: bool = False
    protected: tuple[int, ...] = ()
    blocked: tuple[int, ...] = ()
    main: tuple[int, ...] = ()
    extra: int = 0
    sacrificed: int = 0
    converted: int = 0
    unmasked: tuple[int, ...] = ()
    spends: tuple[tuple[int, str, str], ...] = ()
    stopped: tuple[tuple[int, str], ...] = ()
    wolves: tuple[int, ...] = ()
    innocents: int = 0

    @property
    def threatened(self) -> tuple[int, ...]:
        """Main victims, then the extra one; each once."""
        return self.main + ((self.extra,) if self.extra and self.extra not in self.main else ())


@dataclass(frozen=True)
class Game:
    """The whole truth of one game.

    `deadline` ends the present phase (T in the day; None while T is worked out). `last_asked` was asked in the last
    tie-break. `vacant`: the office has fallen vacant. `span`: an inactivity span is running (VOTE-7).
    `closed` tells for each kind of closing the deadline at which it last happened, `latest` for (seat, verb) when its
    owner last spoke of it: both judge mails that come late or are confirmed late.
    """

    code: str = ""
    options: Options = field(default_factory=Options)
    seed: str = ""
    dice: tuple[int, ...] = ()
    counters: Mapping[str, int] = field(default_factory=lambda: NOTHING)
    epoch: int = 0
    phase: Phase = Phase.REGISTRATION
    open: bool = False
    paused_left: int | None = None
    players: tuple[Player, ...] = ()
    composition: tuple[tuple[str, int], ...] = ()
    opened_at: datetime | None = None
    started_at: datetime | None = None
    turn: int = 0
    day_opened: datetime | None = None
    deadline: datetime | None = None
    election: Election | None = None
    first_election_over: bool = False
    mayor: int = 0
    vacant: bool = False
    couples: tuple[tuple[int, int], ...] = ()
    paired_by: frozenset[int] = frozenset()
    orders: tuple[Order, ...] = ()
    tie: Tie | None = None
    last_asked: int = 0
    night: Night | None = None
    vision_closed: bool = False
    silent: tuple[int, ...] = ()
    span: bool = False
    deaths_this_turn: int = 0
    quiet_turns: int = 0
    closed: Mapping[str, datetime] = field(default_factory=lambda: NOTHING)
    latest: Mapping[tuple[int, str], datetime] = field(default_factory=lambda: MappingProxyType({}))
    late_told: datetime | None = None
    narration: tuple[str, ...] = ()
    held: bool = False
    winner: str = ""
    winners: tuple[int, ...] = ()

    @property
    def paused(self) -> bool:
        """CAL-7."""
        return self.paused_left is not None

    @property
    def started(self) -> bool:
        """Whether the first day has begun."""
        return self.phase is not Phase.REGISTRATION

    @property
    def living(self) -> tuple[Player, ...]:
        """In seat order."""
        return tuple([p for p in self.players if p.alive])

    def player(self, seat: int) -> Player:
        """The player at that seat; IndexError if there is none."""
        if seat < 1:
            raise IndexError(seat)
        return self.players[seat - 1]

    def order(self, seat: int, verb: str) -> Order | None:
        """What stands on record for that seat and verb."""
        return next((o for o in self.orders if o.verb == verb and o.seat == seat), None)

    def orders_for(self, verb: str) -> tuple[Order, ...]:
        """All standing orders of that verb, by arrival."""
        return tuple(o for o in self.orders if o.verb == verb)

    def lovers_of(self, seat: int) -> tuple[int, ...]:
        """LOVE-1: whom that seat loves; mostly nobody, or one."""
        if not self.couples:
            return ()
        return tuple([b if a == seat else a for a, b in self.couples if seat in (a, b)])
