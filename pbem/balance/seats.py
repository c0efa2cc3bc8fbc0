"""From the engine to the minds: which events are facts for whom.

Only what a player may know passes: public events, and the private ones of his own seat. Of a death's cause no more goes
on than the village sees (NIGHT-7).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pbem.balance.minds import facts as f
from pbem.balance.minds import talk
from pbem.engine import events as e

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from pbem.engine.view import PublicView

    Names = Sequence[str]


def fact_of(event: e.Event, names: Names) -> f.Fact | None:
    """What this event tells those whom it reaches; None if nothing that a mind could use. `names` by seat, from 1."""
    tell = _TELL.get(type(event))
    return tell(event, names) if tell else None


def dawn(view: PublicView) -> f.Dawn:
    """The day that has opened."""
    return f.Dawn(view.turn, tuple(face.name for face in view.living))


def _posted(event: e.Posted, names: Names) -> f.Fact | None:
    statements = talk.read(event.text)
    return f.Said(names[event.seat], statements) if statements else None


def _voted(event: e.VotesPublished, names: Names) -> f.Fact:
    own = ((voter, target) for voter, target, how in event.record if how == "vote")
    return f.Voted(tuple((names[voter], names[target]) for voter, target in own))


def _many(seats: Sequence[int], names: Names) -> tuple[str, ...]:
    return tuple(names[seat] for seat in seats)


_TELL: dict[type[e.Event], Callable[[Any, Names], f.Fact | None]] = {
    e.Posted: _posted,
    e.VotesPublished: _voted,
    e.Died: lambda ev, names: f.Fell(names[ev.seat], ev.role, burned=ev.cause == "executed"),
    e.MayorChanged: lambda ev, names: f.Mayor(names[ev.mayor] if ev.mayor else ""),
    e.RoleDealt: lambda ev, _: f.Became(ev.role),
    e.ConvertedTold: lambda ev, names: f.Became("werewolf", _many(ev.pack, names)),
    e.PackShown: lambda ev, names: f.Pack(_many(ev.pack, names)),
    e.PackJoined: lambda ev, names: f.Pack((names[ev.seat],)),
    e.LoverShown: lambda ev, names: f.Loves(names[ev.seat]),
    e.RoleSeen: lambda ev, names: f.Learnt(names[ev.seat], ev.role),
    e.WolfGlimpsed: lambda ev, names: f.Learnt(names[ev.seat], "werewolf"),
    e.PeeperSpotted: lambda ev, names: f.Learnt(names[ev.seat], "little-child"),
    e.BeastUnmasked: lambda ev, names: f.Learnt(names[ev.seat], "beast"),
    e.RoleCounted: lambda ev, _: f.Counted(ev.role, ev.count),
    e.ThreatShown: lambda ev, names: f.Threatened(_many(ev.seats, names)),
    e.PackTalked: lambda ev, names: f.Whispered(names[ev.seat], talk.read(ev.text)),
}
