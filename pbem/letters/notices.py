"""What a private letter tells, as a mapping for machines (SCENARIOS.md, *Notices*): kind to what it is about.

Names, not seats; roles and verbs by their slugs and English words. `told` facts of the letters that no event brings
(`confirm`, `tag-replaced`, `bounce`, `unreadable`) are written where those letters are.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pbem.engine import events as e

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from pbem.engine.state import Game
    from pbem.engine.view import PublicView

    Named = Game | PublicView


def notice_of(event: e.Event, game: Game | PublicView) -> Mapping[str, Any] | None:
    """The notice of a private event; None for one that has none. Names are those of `game`."""
    make = _NOTICES.get(type(event))
    return make(event, _Names(game)) if make else None


class _Names:
    def __init__(self, game: Game | PublicView) -> None:
        self._people = game.faces if hasattr(game, "faces") else game.players

    def one(self, seat: int) -> str:
        return self._people[seat - 1].name

    def all(self, seats: Iterable[int]) -> list[str]:
        return [self.one(seat) for seat in seats]


def _voided(event: e.OrderVoided, names: _Names) -> Mapping[str, Any]:
    return {"vote-void": names.one(event.target)} if event.verb == "VOTE" else {"order-void": event.verb}


def _asker(event: e.QuestionAsked, names: _Names) -> Mapping[str, Any]:
    return {"question": names.one(event.seat) if event.seat else event.name}


_OFFICE = {"elected": {"elected": True}}
_NOTICES: dict[type[e.Event], Callable[[Any, _Names], Mapping[str, Any]]] = {
    e.RoleDealt: lambda ev, _: {"role-dealt": ev.role},
    e.PackShown: lambda ev, names: {"pack": names.all(ev.pack)},
    e.WolvesCounted: lambda ev, _: {"wolf-count": ev.count},
    e.LoverShown: lambda ev, names: {"lover": names.one(ev.seat)},
    e.RoleSeen: lambda ev, names: {"role-seen": {names.one(ev.seat): ev.role}},
    e.RoleCounted: lambda ev, _: {"role-count": {ev.role: ev.count}},
    e.ThreatShown: lambda ev, names: {"threatened": names.all(ev.seats)},
    e.Saved: lambda ev, names: {"saved": names.one(ev.seat)},
    e.WolfGlimpsed: lambda ev, names: {"wolf-glimpsed": names.one(ev.seat)},
    e.NothingGlimpsed: lambda _ev, _names: {"nothing-glimpsed": True},
    e.PeeperSpotted: lambda ev, names: {"peeper-spotted": names.one(ev.seat)},
    e.BeastUnmasked: lambda ev, names: {"beast-unmasked": names.one(ev.seat)},
    e.ConvertedTold: lambda ev, names: {"corrupted": names.all(ev.pack)},
    e.PackJoined: lambda ev, names: {"pack-joined": names.one(ev.seat)},
    e.NoEffect: lambda ev, _: {"no-effect": ev.verb},
    e.OrderVoided: _voided,
    e.VoteMissed: lambda ev, _: {"vote-missed": ev.how},
    e.VoteReminded: lambda _ev, _names: {"vote-reminder": True},
    e.InactivityWarned: lambda _ev, _names: {"inactivity-warning": True},
    e.Asked: lambda ev, names: {"asked": names.all(ev.tied)},
    e.OfficeTaken: lambda ev, _: _OFFICE.get(ev.how, {"mayor-now": True}),
    e.OfficeLost: lambda _ev, _names: {"repudiated": True},
    e.GhostRisen: lambda _ev, _names: {"ghost": True},
    e.PackTalked: lambda ev, names: {"pack-talk": names.one(ev.seat)},
    e.OrderedFor: lambda ev, _: {"ordered-for": ev.verb},
    e.Told: lambda _ev, _names: {"told": True},
    e.Intruded: lambda ev, names: {"intrusion": names.one(ev.seat)},
    e.AbsenceAsked: lambda ev, names: {"absence": names.one(ev.seat)},
    e.QuestionAsked: _asker,
    e.ReplacementWanted: lambda ev, names: {"replacement-wanted": names.one(ev.seat)},
    e.SilenceReported: lambda ev, names: {"silence": names.all(ev.seats)},
    e.StalemateNoted: lambda _ev, _names: {"stalemate": True},
    e.MailboxLate: lambda _ev, _names: {"late-mailbox": True},
}
"""Every private event."""
