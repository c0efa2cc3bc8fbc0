"""What players do and learn in the open day: orders, talk, powers that work at once, love, the mayor."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from pbem.engine.events.base import Fact, Private, Public

if TYPE_CHECKING:
    from datetime import datetime


@dataclass(frozen=True, slots=True)
class OrderTaken(Fact):
    """An order, vote, ballot or choice stands, in place of an earlier one of that verb. `word` is ANYONE for such a
    SAVE.
    """

    seat: int
    verb: str
    at: datetime
    seats: tuple[int, ...] = ()
    word: str = ""


@dataclass(frozen=True, slots=True)
class OrderCancelled(Fact):
    """Withdrawn by its owner (CANCEL)."""

    seat: int
    verb: str
    at: datetime


@dataclass(frozen=True, slots=True)
class OrdersLapsed(Fact):
    """What was not resolved, or has been, is no longer on record: pairs (seat, verb)."""

    orders: tuple[tuple[int, str], ...]


@dataclass(frozen=True, slots=True)
class OrderVoided(Private):
    """NIGHT-9, VOTE-3: his order or vote no longer stands, because of `target`."""

    verb: str
    target: int


@dataclass(frozen=True, slots=True)
class OrderedFor(Private):
    """The storyteller gave an order in his name."""

    verb: str


@dataclass(frozen=True, slots=True)
class PowerSpent(Fact):
    """NIGHT-10: the once-only power behind `verb` is gone, and no order by it stands. `effect` says in a word what it
    did: worked, failed.
    """

    seat: int
    verb: str
    effect: str = "worked"


@dataclass(frozen=True, slots=True)
class Remembered(Fact):
    """A role notes something for later in its seat's memory."""

    seat: int
    key: str
    value: Any


@dataclass(frozen=True, slots=True)
class DiceRolled(Fact):
    """One draw: `value` from 1 to `sides`, by (`purpose`, `counter`) from the seed; `given` if it came from a
    rehearsal.
    """

    purpose: str
    counter: int
    sides: int
    value: int
    given: bool = False


@dataclass(frozen=True, slots=True)
class Posted(Public):
    """Said in the village (SAY); `ghost` by a ghost in his time (GHOST-1)."""

    seat: int
    text: str
    at: datetime
    ghost: bool = False


@dataclass(frozen=True, slots=True)
class PackTalked(Private):
    """WOLF-2: one wolf's words, to each of the others."""

    seat: int
    text: str


@dataclass(frozen=True, slots=True)
class GraveyardTalked(Fact):
    """ORG-2: said among the dead and the readers. `seat` 0: by a reader called `name`. `readers` are the seats that
    get it.
    """

    seat: int
    name: str
    text: str
    at: datetime
    readers: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Intruded(Private):
    """ORG-2: a living player wrote to the graveyard; for the storyteller."""

    seat: int


@dataclass(frozen=True, slots=True)
class AbsenceAsked(Private):
    """ABSENT, for the storyteller: until when in the player's words, and why."""

    seat: int
    until: str
    text: str


@dataclass(frozen=True, slots=True)
class QuestionAsked(Private):
    """ORG-5, for the storyteller. `seat` 0: by somebody called `name` who does not play."""

    seat: int
    name: str
    text: str


@dataclass(frozen=True, slots=True)
class ReplacementWanted(Private):
    """A player wants to leave a running game; for the storyteller."""

    seat: int


@dataclass(frozen=True, slots=True)
class Replaced(Public):
    """Somebody else plays on at this seat, under `name`."""

    seat: int
    name: str
    gender: str


@dataclass(frozen=True, slots=True)
class Excused(Fact):
    """VOTE-7: the storyteller excuses him; `until` None: for the current span."""

    seat: int
    until: datetime | None


@dataclass(frozen=True, slots=True)
class VoteReminded(Private):
    """He has not voted yet; T is near. `hours` before T this reminder belongs to."""

    hours: int
    execution: datetime


@dataclass(frozen=True, slots=True)
class InactivityWarned(Private):
    """VOTE-7: he has posted nothing since the last execution."""

    execution: datetime


@dataclass(frozen=True, slots=True)
class RoleSeen(Private):
    """SEER-1, SHAM-1, NEIGH-1: somebody's role, as it showed. `by` is the verb that showed it: SEE or SPY."""

    seat: int
    role: str
    by: str = "SEE"


@dataclass(frozen=True, slots=True)
class RoleCounted(Private):
    """INV-1: how many players were dealt that role."""

    role: str
    count: int


@dataclass(frozen=True, slots=True)
class LoversPaired(Fact):
    """LOVE-1. `by` is the matchmaker's seat, or STORYTELLER."""

    a: int
    b: int
    by: int


@dataclass(frozen=True, slots=True)
class LoverShown(Private):
    """LOVE-1: whom he loves."""

    seat: int


@dataclass(frozen=True, slots=True)
class ElectionClosed(Public):
    """MAYOR-2, ORG-3: pairs (voter, candidate) of the standing ballots in seat order; None: nobody voted."""

    ballots: tuple[tuple[int, int], ...]
    mayor: int | None


@dataclass(frozen=True, slots=True)
class MayorChanged(Public):
    """The office: `how` is elected, heir, appointed, vacant."""

    mayor: int | None
    how: str


@dataclass(frozen=True, slots=True)
class Repudiated(Public):
    """VOTE-5: a mayor who did not answer; he can never hold the office again in this game."""

    seat: int


@dataclass(frozen=True, slots=True)
class OfficeTaken(Private):
    """He is mayor now: `how` is elected, heir or appointed. He must name a successor (MAYOR-4)."""

    how: str


@dataclass(frozen=True, slots=True)
class OfficeLost(Private):
    """VOTE-5: he is repudiated."""
