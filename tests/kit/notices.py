"""Private events as the notices of SCENARIOS.md, for tests that have no letters: names instead of seats, lists sorted."""

from __future__ import annotations

from pbem.engine import events as e

_FLAGS = {
    e.NothingGlimpsed: "nothing-glimpsed",
    e.VoteReminded: "vote-reminder",
    e.InactivityWarned: "inactivity-warning",
    e.OfficeLost: "repudiated",
    e.GhostRisen: "ghost",
    e.StalemateNoted: "stalemate",
    e.MailboxLate: "late-mailbox",
}
_SEATS = {
    e.LoverShown: "lover",
    e.Saved: "saved",
    e.WolfGlimpsed: "wolf-glimpsed",
    e.PeeperSpotted: "peeper-spotted",
    e.BeastUnmasked: "beast-unmasked",
    e.PackJoined: "pack-joined",
    e.PackTalked: "pack-talk",
    e.Intruded: "intrusion",
    e.AbsenceAsked: "absence",
    e.QuestionAsked: "question",
    e.ReplacementWanted: "replacement-wanted",
}
_LISTS = {
    e.PackShown: ("pack", "pack"),
    e.ThreatShown: ("threatened", "seats"),
    e.ConvertedTold: ("corrupted", "pack"),
    e.Asked: ("asked", "tied"),
}


def notice_of(event, name) -> dict:
    """`{kind: what}`; `name` turns a seat into a name. Other private events: their class's name."""
    if type(event) in _FLAGS:
        return {_FLAGS[type(event)]: "true"}
    if type(event) in _SEATS:
        return {_SEATS[type(event)]: name(event.seat)}
    if type(event) in _LISTS:
        kind, field = _LISTS[type(event)]
        return {kind: sorted(map(name, getattr(event, field)))}
    match event:
        case e.RoleDealt():
            return {"role-dealt": event.role}
        case e.WolvesCounted():
            return {"wolf-count": str(event.count)}
        case e.RoleSeen():
            return {"role-seen": {name(event.seat): event.role}}
        case e.RoleCounted():
            return {"role-count": {event.role: str(event.count)}}
        case e.NoEffect():
            return {"no-effect": event.verb}
        case e.OrderVoided():
            return {"vote-void": name(event.target)} if event.verb == "VOTE" else {"order-void": event.verb}
        case e.VoteMissed():
            return {"vote-missed": event.how}
        case e.OfficeTaken():
            return {"elected" if event.how == "elected" else "mayor-now": "true"}
        case _:
            return {type(event).__name__: event}
