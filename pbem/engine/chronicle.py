"""WIN-8: the game as it really was, told from its log once it is over: every order with its effect, every die.

`chronicle(events)` gives one `TurnRecord` a turn. It is the storyteller's truth: never to be shown before the end.
What an UNDO took back did not happen: of that only the dice are told, apart from those that counted.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import singledispatch
from typing import TYPE_CHECKING

from pbem.engine import events as e
from pbem.engine.undoing import judged

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import datetime

    from pbem.engine.events import Event

SILENT = frozenset({"VOTE", "ELECT"})
"""Verbs whose outcome is public every day: they are no deeds of the chronicle."""


@dataclass(slots=True)
class Deed:
    """One order, or one use of a power.

    `effect` is worked, failed, blocked, void, cancelled, replaced or none. `seen` tells what it showed: (seat, role);
    for ASK (how many, role), for a child the wolf without its role.
    """

    seat: int
    verb: str
    at: datetime | None
    seats: tuple[int, ...] = ()
    word: str = ""
    effect: str = ""
    seen: tuple[tuple[int, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Draw:
    """One die. `name` is what its value was computed from, with the seed (`pbem.engine.dice`); `given` as in the event,
    `epoch` as in `pbem.engine.undoing.Entry`.
    """

    purpose: str
    counter: int
    sides: int
    value: int
    given: bool = False
    epoch: int = 0

    @property
    def number(self) -> str:
        """`counter`, or `counter/epoch` after an UNDO."""
        return f"{self.counter}/{self.epoch}" if self.epoch else str(self.counter)

    @property
    def name(self) -> str:
        """`purpose/counter`, or `purpose/counter/epoch` after an UNDO."""
        return f"{self.purpose}/{self.number}"


@dataclass(slots=True)
class TurnRecord:
    """One turn: what was ordered, how votes were forced, which dice fell, who died of what.

    `undone` is how many resolutions the storyteller took back in it, `spilt` the dice that had fallen for them.
    """

    turn: int
    deeds: list[Deed] = field(default_factory=list)
    forced: list[e.VoteForced] = field(default_factory=list)
    dice: list[Draw] = field(default_factory=list)
    undone: int = 0
    spilt: list[Draw] = field(default_factory=list)
    votes: e.VotesPublished | None = None
    deaths: list[e.Died] = field(default_factory=list)
    night: e.NightFixed | None = None
    saved: list[e.LifeSaved] = field(default_factory=list)


@dataclass(slots=True)
class Chronicle:
    """The whole game: its turns, the draws of the deal, and all that was said among the dead."""

    turns: list[TurnRecord] = field(default_factory=lambda: [TurnRecord(0)])
    graveyard: list[e.GraveyardTalked] = field(default_factory=list)
    standing: dict[tuple[int, str], Deed] = field(default_factory=dict)

    @property
    def now(self) -> TurnRecord:
        """The turn being told."""
        return self.turns[-1]

    @property
    def deal(self) -> list[Draw]:
        """The draws before the first day."""
        return self.turns[0].dice

    def settle(self, seat: int, verb: str, effect: str, *, ends: bool = True) -> None:
        """The order that stands by that verb came to this; `ends`: it stands no longer."""
        deed = self.standing.get((seat, verb))
        if deed is None:
            return
        deed.effect = deed.effect or effect
        if ends:
            del self.standing[seat, verb]


def chronicle(events: Iterable[Event]) -> Chronicle:
    """The game that these events were: the whole log, what was taken back included."""
    told = Chronicle()
    for entry in judged(events):
        if isinstance(entry.event, e.DiceRolled):
            _draw(entry.event, entry.epoch, told.now.dice if entry.stands else told.now.spilt)
        elif entry.stands:
            _tell(entry.event, told)
    return told


def _draw(event: e.DiceRolled, epoch: int, among: list[Draw]) -> None:
    among.append(Draw(event.purpose, event.counter, event.sides, event.value, event.given, epoch))


@singledispatch
def _tell(event: Event, told: Chronicle) -> None:
    """What this event adds."""


@_tell.register
def _(event: e.DayOpened, told: Chronicle) -> None:
    told.turns.append(TurnRecord(event.turn))


@_tell.register
def _(event: e.OrderTaken, told: Chronicle) -> None:
    if event.verb in SILENT:
        return
    told.settle(event.seat, event.verb, "replaced")
    deed = Deed(event.seat, event.verb, event.at, event.seats, event.word)
    told.standing[event.seat, event.verb] = deed
    told.now.deeds.append(deed)


@_tell.register
def _(event: e.OrderCancelled, told: Chronicle) -> None:
    told.settle(event.seat, event.verb, "cancelled")


@_tell.register
def _(event: e.OrderVoided, told: Chronicle) -> None:
    told.settle(event.to, event.verb, "void")


@_tell.register
def _(event: e.OrdersLapsed, told: Chronicle) -> None:
    for seat, verb in event.orders:
        told.settle(seat, verb, "none")


@_tell.register
def _(event: e.PowerSpent, told: Chronicle) -> None:
    if event.verb == "SPY":
        told.now.deeds.append(Deed(event.seat, event.verb, None, effect=event.effect))
    elif (event.seat, event.verb) in told.standing:
        told.settle(event.seat, event.verb, event.effect)
    else:
        late = (d for d in reversed(told.now.deeds) if (d.seat, d.verb) == (event.seat, event.verb))
        deed = next(late, None)
        if deed:
            deed.effect = event.effect


@_tell.register
def _(event: e.VoteForced, told: Chronicle) -> None:
    told.now.forced.append(event)


@_tell.register
def _(event: e.VotesPublished, told: Chronicle) -> None:
    told.now.votes = event


@_tell.register
def _(_event: e.Undone, told: Chronicle) -> None:
    told.now.undone += 1


@_tell.register
def _(event: e.RoleSeen, told: Chronicle) -> None:
    seen = ((event.seat, event.role),)
    deed = told.standing.get((event.to, event.by))
    if deed:
        deed.effect, deed.seen = "worked", seen
    elif event.by == "SPY" and told.now.deeds[-1].seat == event.to:  # the one who pried, not who was pried upon
        told.now.deeds[-1].seats, told.now.deeds[-1].seen = (event.seat,), seen


@_tell.register
def _(event: e.RoleCounted, told: Chronicle) -> None:
    seen = ((event.count, event.role),)
    told.now.deeds.append(Deed(event.to, "ASK", None, word=event.role, effect="worked", seen=seen))


@_tell.register
def _(event: e.LoversPaired, told: Chronicle) -> None:
    told.now.deeds.append(Deed(event.by, "PAIR", None, (event.a, event.b), effect="worked"))


@_tell.register
def _(event: e.NightFixed, told: Chronicle) -> None:
    told.now.night = event
    for seat, verb in event.stopped:
        told.settle(seat, verb, "blocked", ends=verb != "SAVE")
    hunted = {deed.seats[0] for deed in told.standing.values() if deed.verb == "HUNT"}
    for (seat, verb), deed in list(told.standing.items()):
        if _worked(event, deed, hunted):
            told.settle(seat, verb, "worked")


def _worked(night: e.NightFixed, deed: Deed, hunted: set[int]) -> bool:
    """Whether an order that is spent by nothing had its effect this night; the beast's prey is hers alone."""
    if deed.verb == "GUARD":
        return deed.seats[0] in night.protected
    if deed.verb == "KILL":
        return deed.seats[0] in night.main and deed.seats[0] not in hunted
    return deed.verb == "HUNT" and deed.seats[0] in night.main


@_tell.register
def _(event: e.ExecutionDone, told: Chronicle) -> None:
    """An answer that broke a tie has lapsed by now: it worked if whom it named burns."""
    for deed in told.now.deeds:
        if deed.verb == "DECIDE" and deed.effect == "none" and set(deed.seats) <= set(event.burned):
            deed.effect = "worked"


@_tell.register
def _(event: e.LifeSaved, told: Chronicle) -> None:
    told.now.saved.append(event)


@_tell.register
def _(event: e.WolfGlimpsed, told: Chronicle) -> None:
    deed = told.standing.get((event.to, "PEEK"))
    if deed:
        deed.effect, deed.seen = "worked", ((event.seat, ""),)


@_tell.register
def _(event: e.NothingGlimpsed, told: Chronicle) -> None:
    told.settle(event.to, "PEEK", "none", ends=False)


@_tell.register
def _(event: e.Died, told: Chronicle) -> None:
    told.now.deaths.append(event)
    for seat, verb in list(told.standing):
        if seat == event.seat:
            told.settle(seat, verb, "void")


@_tell.register
def _(event: e.GraveyardTalked, told: Chronicle) -> None:
    told.graveyard.append(event)
