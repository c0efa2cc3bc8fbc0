"""The public half of a batch of events, as the sections of one digest to the list (MAIL.md § 5).

Only public events are read, and of a death only what all may know: never `Died.cause` itself (NIGHT-7). What a digest
says besides comes from the public view after the batch.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from pbem.engine import events as e
from pbem.engine.roles import side_of
from pbem.engine.roles.pack import WOLVES
from pbem.letters.section import Section, fields_of, in_order

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from pbem.engine.view import Face, PublicView

ORDER = (
    "undone",
    "narration",
    "opening",
    "murder",
    "execution",
    "tie",
    "heart-attack",
    "grief",
    "silence",
    "election",
    "mayor-repudiated",
    "mayor",
    "votes",
    "end",
    "election-set",
    "replaced",
    "paused",
    "resumed",
    "deadline-moved",
    "registration-opened",
    "registration-closed",
    "joined",
    "left",
    "announcement",
    "daybreak",
    "nightfall",
    "agenda",
    "village",
)
FRESH = frozenset({"agenda", "village"})
"""Sections that are only right when they are written: a collected digest goes without."""
"""Every section of a digest, in the order in which they stand in it: as things happened, so that who reads on is not
told the end first."""

LEADING = ("undone", "end")
"""Sections that give a letter its kind and subject wherever they stand in it."""

SILENT = (e.VisionOpened, e.ElectionDropped, e.Posted)
"""Public events that make no section: the hours of the night were announced at nightfall, a mayor's coming tells that
no election is due, and a post is a letter of its own."""


_ASIDES = frozenset({"announcement", "narration"})
"""What is told without saying how the village stands."""


def lead(told: Sequence[Section]) -> Section:
    """The section that a digest is about: it gives the letter its kind and its subject."""
    heavy = [section for kind in LEADING for section in told if section.kind == kind]
    return next((section for section in (*heavy, *told) if section.kind != "narration"), told[0])


def sections(
    events: Sequence[e.Event], before: PublicView, after: PublicView, narration: Sequence[str] = ()
) -> list[Section]:
    """The sections of the digest that follows from these events; none if there is nothing to tell the list."""
    told = [section for event in events if (section := _section(event, before, after))]
    told += _bereft(events, after)
    if not told:
        return []
    if narration:
        told.append(Section("narration", {"texts": tuple(narration)}))
    if after.started_at is not None and after.phase != "over" and any(one.kind not in _ASIDES for one in told):
        told.append(Section("village"))
    return in_order(told, ORDER)


def _section(event: e.Event, before: PublicView, after: PublicView) -> Section | None:
    tell = _TELLERS.get(type(event))
    return tell(event, before, after) if tell else None


def _bereft(events: Sequence[e.Event], after: PublicView) -> list[Section]:
    """Deaths that no execution or murder names: of love, of silence."""
    kinds = {"love": "grief", "inactive": "silence"}
    found: dict[str, list[int]] = {}
    for event in events:
        if isinstance(event, e.Died) and event.cause in kinds:
            found.setdefault(kinds[event.cause], []).append(event.seat)
    causes = {kind: cause for cause, kind in kinds.items()}
    return [
        Section(kind, {"faces": [after.face(seat) for seat in seats], "number": _dead_of(after, causes[kind])})
        for kind, seats in found.items()
    ]


def _dead_of(view: PublicView, cause: str) -> int:
    """How many died so by now: the number of the verse about it."""
    return sum(face.cause == cause for face in view.faces)


def _heart_attack(event: e.Died, _before: PublicView, after: PublicView) -> Section | None:
    if event.cause != "heart-attack":
        return None
    number = _dead_of(after, "heart-attack")
    return Section("heart-attack", {"face": after.face(event.seat), "reason": event.reason, "number": number})


def _opening(event: e.GameStarted, _before: PublicView, _after: PublicView) -> Section:
    return Section(
        "opening", {"commitment": event.commitment, "immune": event.immune, "composition": event.composition}
    )


def _election(event: e.ElectionClosed, _before: PublicView, after: PublicView) -> Section:
    tally = Counter(candidate for _, candidate in event.ballots).most_common()
    mayor = after.face(event.mayor) if event.mayor else None
    facts = {"ballots": event.ballots, "tally": tally, "mayor": mayor, "turn": after.turn}
    return Section("election", facts)


def _mayor(event: e.MayorChanged, _before: PublicView, after: PublicView) -> Section | None:
    if event.how == "elected":
        return None
    return Section("mayor", {"mayor": after.face(event.mayor) if event.mayor else None, "how": event.how})


def _votes(event: e.VotesPublished, _before: PublicView, _after: PublicView) -> Section:
    return Section("votes", {"record": event.record, "tally": event.tally, "forged": event.forged, "turn": event.turn})


def _tie(event: e.TieAnnounced, _before: PublicView, after: PublicView) -> Section:
    mayor = after.face(event.mayor) if event.mayor else None
    return Section("tie", {"tied": event.tied, "mayor": mayor, "until_told": event.until})


def _execution(event: e.ExecutionDone, _before: PublicView, after: PublicView) -> Section:
    burned = [after.face(seat) for seat in event.burned]
    return Section("execution", {"burned": burned, "turn": event.turn, "burned_as": _burned_as(burned)})


def _burned_as(burned: Sequence[Face]) -> str:
    """What the village makes of it: wolf, innocent, or other for whatever is less clear."""
    roles = {face.role for face in burned}
    if roles and roles <= WOLVES:
        return "wolf"
    return "innocent" if all(side_of(role) == "village" for role in roles) else "other"


def _murder(event: e.MurderDone, _before: PublicView, after: PublicView) -> Section:
    found = [after.face(seat) for seat in event.found]
    return Section("murder", {"found": found, "asleep": event.asleep, "turn": event.turn})


def _end(event: e.GameWon, _before: PublicView, after: PublicView) -> Section:
    winners = [after.face(seat) for seat in event.winners]
    facts = {
        "winner": event.winner,
        "winners": winners,
        "roles": event.roles,
        "seed": event.seed,
        "aborted": event.aborted,
    }
    return Section("end", facts)


def _replaced(event: e.Replaced, before: PublicView, after: PublicView) -> Section:
    return Section("replaced", {"old": before.face(event.seat), "new": after.face(event.seat)})


def _joined(event: e.Joined, _before: PublicView, after: PublicView) -> Section:
    return Section("joined", {"who": after.face(event.seat), "number": len(after.faces)})


def _left(event: e.Left, before: PublicView, after: PublicView) -> Section:
    return Section("left", {"who": before.face(event.seat), "number": len(after.faces)})


def _kind(kind: str, *names: str) -> Callable[[Any, PublicView, PublicView], Section]:
    """A section that tells some of the event's fields as they are."""

    def tell(event: Any, _before: PublicView, _after: PublicView) -> Section:
        return Section(kind, fields_of(event, *names) if names else {})

    return tell


_TELLERS: dict[type[e.Event], Callable[[Any, PublicView, PublicView], Section | None]] = {
    e.RegistrationOpened: _kind("registration-opened"),
    e.RegistrationClosed: _kind("registration-closed"),
    e.Joined: _joined,
    e.Left: _left,
    e.GameStarted: _opening,
    e.DayOpened: _kind("daybreak", "turn", "execution"),
    e.DeadlineMoved: _kind("deadline-moved", "phase", "deadline"),
    e.Paused: _kind("paused", "left"),
    e.Resumed: _kind("resumed", "phase", "deadline"),
    e.ElectionSet: _kind("election-set", "opens", "closes"),
    e.Replaced: _replaced,
    e.ElectionClosed: _election,
    e.MayorChanged: _mayor,
    e.Repudiated: lambda event, _before, after: Section("mayor-repudiated", {"face": after.face(event.seat)}),
    e.VotesPublished: _votes,
    e.TieAnnounced: _tie,
    e.ExecutionDone: _execution,
    e.Died: _heart_attack,
    e.SunsetOpened: _kind("nightfall", "until"),
    e.MurderDone: _murder,
    e.GameWon: _end,
    e.Announced: _kind("announcement", "text"),
    e.Undone: _kind("undone"),
}
"""What each public event tells the list."""
