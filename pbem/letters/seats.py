"""What one seat learns in a batch of events, as the sections of one private letter (one a seat and batch).

Read are the private events addressed to it, its own death, and the two public moments at which every living player is
written to: the start of the game and the opening of a day. Nothing else: that is what keeps secrets (ORG-1).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pbem.engine import events as e
from pbem.engine.undoing import standing
from pbem.letters.notices import notice_of
from pbem.letters.section import Section, fields_of, in_order

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from pbem.engine.view import SeatView

_WIN_ALIVE = frozenset({"traitor", "beast"})
ORDER = (
    "told",
    "ordered-for",
    "death",
    "ghost",
    "asked",
    "role-dealt",
    "corrupted",
    "pack",
    "wolf-count",
    "dossier",
    "lover",
    "role-seen",
    "threatened",
    "role-count",
    "elected",
    "mayor-now",
    "repudiated",
    "beast-unmasked",
    "wolf-glimpsed",
    "peeper-spotted",
    "pack-joined",
    "saved",
    "nothing-glimpsed",
    "no-effect",
    "vote-void",
    "order-void",
    "vote-missed",
    "inactivity-warning",
    "vote-reminder",
    "pack-talk",
    "ballot",
    "welcome",
)
"""Every section of a player's letter, the weightiest first: it gives the letter its kind and its subject."""

KINDS: dict[type[e.Event], str] = {
    e.RoleDealt: "role-dealt",
    e.PackShown: "pack",
    e.WolvesCounted: "wolf-count",
    e.LoverShown: "lover",
    e.RoleSeen: "role-seen",
    e.RoleCounted: "role-count",
    e.ThreatShown: "threatened",
    e.Saved: "saved",
    e.WolfGlimpsed: "wolf-glimpsed",
    e.NothingGlimpsed: "nothing-glimpsed",
    e.PeeperSpotted: "peeper-spotted",
    e.BeastUnmasked: "beast-unmasked",
    e.ConvertedTold: "corrupted",
    e.PackJoined: "pack-joined",
    e.NoEffect: "no-effect",
    e.VoteMissed: "vote-missed",
    e.VoteReminded: "vote-reminder",
    e.InactivityWarned: "inactivity-warning",
    e.Asked: "asked",
    e.OfficeLost: "repudiated",
    e.GhostRisen: "ghost",
    e.PackTalked: "pack-talk",
    e.OrderedFor: "ordered-for",
    e.Told: "told",
}
"""The section of each private event; `OrderVoided` and `OfficeTaken` have two each."""

LASTING = frozenset(
    {
        *("role-dealt", "pack", "wolf-count", "lover", "role-seen", "role-count", "saved", "wolf-glimpsed"),
        *("peeper-spotted", "beast-unmasked", "corrupted", "pack-joined", "told"),
    }
)
"""What somebody who takes over a seat must still be told of what its player once learned."""


def sections(events: Sequence[e.Event], seat: int, view: SeatView, *, acting: bool = False) -> list[Section]:
    """The sections of that seat's letter; none if the batch has nothing for it. `view` is the seat's after the batch.

    `acting`: its own mail brought this about.
    """
    told = [_private(event, view) for event in events if isinstance(event, e.Private) and event.to == seat]
    told = _once(told, "vote-reminder")
    if view.public.phase != "over":
        told += [_death(view) for event in events if isinstance(event, e.Died) and event.seat == seat]
    if view.face.alive and view.public.phase not in {"over", "registration"}:
        told += [Section("ballot") for event in events if isinstance(event, e.DayOpened)]
        told += [Section("welcome") for event in events if isinstance(event, e.GameStarted)]
    ballot = any(section.kind == "ballot" for section in told)
    ordered = in_order(told, ORDER)
    return [_with(section, ballot=ballot, acting=acting) for section in ordered]


def dossier(history: Iterable[e.Event], seat: int, view: SeatView) -> list[Section]:
    """What who takes over a seat gets: what its player knew, and what can be done now. `history` is the whole log: what
    the storyteller has taken back is no knowledge.
    """
    known = [_private(event, view) for event in standing(history) if isinstance(event, e.Private) and event.to == seat]
    told = [section for section in known if section.kind in LASTING]
    told.append(Section("dossier"))
    if view.face.alive and view.public.phase not in {"over", "registration"}:
        told += [Section("ballot"), Section("welcome")]
    return [_with(section, ballot=True, acting=False) for section in in_order(told, ORDER)]


def _with(section: Section, **facts: bool) -> Section:
    return Section(section.kind, {**section.facts, **facts}, section.notice)


def _private(event: e.Private, view: SeatView) -> Section:
    facts = fields_of(event)
    return Section(_kind(event), facts, notice_of(event, view.public))


def _kind(event: e.Private) -> str:
    if isinstance(event, e.OrderVoided):
        return "vote-void" if event.verb == "VOTE" else "order-void"
    if isinstance(event, e.OfficeTaken):
        return "elected" if event.how == "elected" else "mayor-now"
    return KINDS[type(event)]


def _once(told: list[Section], kind: str) -> list[Section]:
    """Several reminders that are due at once are one: the last, whose hour is nearest."""
    last = next((section for section in reversed(told) if section.kind == kind), None)
    return [section for section in told if section.kind != kind or section is last]


def _death(view: SeatView) -> Section:
    """`with_side`: he may still win, dead as he is (WIN-9); a traitor, the beast and a lover win alive only."""
    with_side = view.face.role not in _WIN_ALIVE and not view.lovers
    facts: dict[str, Any] = {"cause": view.face.cause, "ghost": view.face.ghost, "with_side": with_side}
    return Section("death", facts)
