"""The beginning: registration, the deal, the calendar, and what the storyteller does with the clock."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from pbem.engine.events.base import Fact, Private, Public

if TYPE_CHECKING:
    from datetime import datetime

    from pbem.engine.options import Options


@dataclass(frozen=True, slots=True)
class GameOpened(Fact):
    """The game exists. `seed` is its secret, 64 hexadecimal digits; `dice` are d100 rolls given in advance
    (rehearsals).
    """

    code: str
    options: Options
    seed: str
    at: datetime
    dice: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class RegistrationOpened(Public):
    """People may join (ORG-6)."""


@dataclass(frozen=True, slots=True)
class RegistrationClosed(Public):
    """Nobody may join any more."""


@dataclass(frozen=True, slots=True)
class Joined(Public):
    """Somebody takes the next seat. `gender` is m or f."""

    seat: int
    name: str
    gender: str


@dataclass(frozen=True, slots=True)
class Left(Public):
    """Somebody gives his seat back before the start; the seats above move down by one."""

    seat: int


@dataclass(frozen=True, slots=True)
class CompositionSet(Fact):
    """The storyteller said which roles are dealt: pairs (role, how many)."""

    counts: tuple[tuple[str, int], ...]


@dataclass(frozen=True, slots=True)
class RolesDealt(Fact):
    """Every seat has its role, in seat order."""

    roles: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class GameStarted(Public):
    """The first day begins. `commitment` is the SHA-256 of the seed, `composition` None where it is hidden."""

    at: datetime
    commitment: str
    immune: tuple[int, ...] = ()
    composition: tuple[tuple[str, int], ...] | None = None


@dataclass(frozen=True, slots=True)
class RoleDealt(Private):
    """His role."""

    role: str


@dataclass(frozen=True, slots=True)
class PackShown(Private):
    """WOLF-1: his fellow wolves, himself left out."""

    pack: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class WolvesCounted(Private):
    """TRAI-1: how many wolves there were at the start."""

    count: int


@dataclass(frozen=True, slots=True)
class DayOpened(Public):
    """A day begins: turn number from 1, and T, the moment of its execution."""

    turn: int
    at: datetime
    execution: datetime


@dataclass(frozen=True, slots=True)
class PhaseClosed(Fact):
    """A closing: election, execution, tie-break, sunset, vision or murder; `at` is its deadline, or the moment of an
    earlier end.
    """

    what: str
    at: datetime


@dataclass(frozen=True, slots=True)
class DeadlineMoved(Public):
    """The storyteller moved the end of the current phase (CAL-7), at `at` (None: nobody is reminded anew)."""

    phase: str
    deadline: datetime
    at: datetime | None = None


@dataclass(frozen=True, slots=True)
class Paused(Public):
    """CAL-7. `left` seconds remained of the phase."""

    at: datetime
    left: int


@dataclass(frozen=True, slots=True)
class Resumed(Public):
    """CAL-7. The phase goes on until `deadline`."""

    at: datetime
    phase: str
    deadline: datetime


@dataclass(frozen=True, slots=True)
class ElectionSet(Public):
    """An election will run from `opens` to `closes` (CAL-2)."""

    opens: datetime
    closes: datetime


@dataclass(frozen=True, slots=True)
class ElectionDropped(Public):
    """There is a mayor: the election that was due is not."""
