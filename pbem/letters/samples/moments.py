"""A sample of each thing that can happen: to the lettered, to the storyteller, to everybody."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from pbem.engine import events as e
from pbem.letters.samples.troupe import LATER, MONDAY, SEED

if TYPE_CHECKING:
    from collections.abc import Callable

    from pbem.engine.events import Event
    from pbem.letters.samples.troupe import Troupe

_TWO_DAYS = timedelta(hours=48)
_ONE_DAY = timedelta(hours=24)
_SOON = timedelta(hours=3)
_WINDOW = timedelta(minutes=30)


def private(o: Callable[[int], int]) -> dict[str, tuple[Any, ...]]:
    """Each private event to a player: name to (class, fields but the recipient). `o(n)` is somebody's seat."""
    return {
        "RoleDealt": (e.RoleDealt, "prescient"),
        "PackShown": (e.PackShown, (o(1), o(2))),
        "PackShown, alone": (e.PackShown, ()),
        "WolvesCounted": (e.WolvesCounted, 3),
        "OrderVoided, vote": (e.OrderVoided, "VOTE", o(1)),
        "OrderVoided": (e.OrderVoided, "SEE", o(2)),
        "OrderedFor": (e.OrderedFor, "VOTE"),
        "PackTalked": (e.PackTalked, o(2), "Ce soir, <b>le boulanger</b> & sa femme.\n\n> non\n  Sûr ?"),
        "VoteReminded": (e.VoteReminded, 3, LATER + _SOON),
        "InactivityWarned": (e.InactivityWarned, LATER + _ONE_DAY),
        "RoleSeen": (e.RoleSeen, o(1), "traitor", "SEE"),
        "RoleSeen, spied": (e.RoleSeen, o(1), "nosy-neighbour", "SPY"),
        "RoleCounted": (e.RoleCounted, "werewolf", 2),
        "LoverShown": (e.LoverShown, o(2)),
        "OfficeTaken, elected": (e.OfficeTaken, "elected"),
        "OfficeTaken, heir": (e.OfficeTaken, "heir"),
        "OfficeTaken, appointed": (e.OfficeTaken, "appointed"),
        "OfficeLost": (e.OfficeLost,),
        "VoteMissed, blank": (e.VoteMissed, "blank"),
        "VoteMissed, self": (e.VoteMissed, "self"),
        "Asked, mayor": (e.Asked, (o(1), o(2)), 1, LATER + _WINDOW, "mayor"),
        "Asked, executioner": (e.Asked, (o(1), o(2), o(3)), 2, LATER + _WINDOW, "executioner"),
        "GhostRisen": (e.GhostRisen,),
        "ThreatShown": (e.ThreatShown, (o(1), o(2))),
        "ThreatShown, nobody": (e.ThreatShown, ()),
        "Saved": (e.Saved, o(1)),
        "ConvertedTold": (e.ConvertedTold, (o(1), o(2))),
        "ConvertedTold, alone": (e.ConvertedTold, ()),
        "PackJoined": (e.PackJoined, o(1)),
        "WolfGlimpsed": (e.WolfGlimpsed, o(1)),
        "NothingGlimpsed": (e.NothingGlimpsed,),
        "PeeperSpotted": (e.PeeperSpotted, o(1)),
        "BeastUnmasked": (e.BeastUnmasked, o(1)),
        "NoEffect": (e.NoEffect, "GUARD"),
        "Told": (e.Told, "Chère amie,\n\n*patience*.\n\n- un\n- deux"),
    }


def secret(o: Callable[[int], int]) -> dict[str, e.Private]:
    """Each event that the storyteller alone is told."""
    return {
        "Intruded": e.Intruded(0, o(1)),
        "AbsenceAsked": e.AbsenceAsked(0, o(1), "vendredi", "Je pars en voyage."),
        "AbsenceAsked, bare": e.AbsenceAsked(0, o(2), "", ""),
        "QuestionAsked": e.QuestionAsked(0, o(1), "", "Un maire peut-il\nvoter ?"),
        "QuestionAsked, stranger": e.QuestionAsked(0, 0, "Luc", "Qui êtes-vous ?"),
        "ReplacementWanted": e.ReplacementWanted(0, o(1)),
        "SilenceReported": e.SilenceReported(0, (o(1), o(2))),
        "StalemateNoted": e.StalemateNoted(0),
        "MailboxLate": e.MailboxLate(0, "execution", MONDAY),
    }


def public(troupe: Troupe) -> dict[str, tuple[Event, ...]]:
    """Batches that everybody hears of."""
    return {
        **_steered(troupe),
        **_elected(troupe),
        **_executed(troupe),
        **_died(troupe),
        **_said(troupe),
        **_won(troupe),
    }


def _steered(troupe: Troupe) -> dict[str, tuple[Event, ...]]:
    return {
        "RegistrationOpened": (e.RegistrationOpened(),),
        "RegistrationClosed": (e.RegistrationClosed(),),
        "Joined": (e.Joined(len(troupe.cast) + 1, "Zoé", "f"),),
        "Left": (e.Left(len(troupe.cast)),),
        "DeadlineMoved": (e.DeadlineMoved("day", LATER),),
        "DeadlineMoved, by two days": (e.DeadlineMoved("day", LATER + _TWO_DAYS),),
        "Paused": (e.Paused(MONDAY, 7_300),),
        "Resumed": (e.Resumed(MONDAY, "day", LATER),),
        "Announced": (e.Announced("Bonsoir *à tous*,\n\n- un\n- deux\n\n<script>"),),
        "Undone": (e.Undone(3, MONDAY),),
        "Replaced": (e.Replaced(1, "Agathe", "f"), e.Replaced(4, "Denis", "m")),
        "Replaced, same name": (e.Replaced(3, "Chloé", "f"),),
    }


def _elected(troupe: Troupe) -> dict[str, tuple[Event, ...]]:
    o = troupe.other
    ballots = ((1, o(1)), (2, o(1)), (3, o(2)))
    return {
        "ElectionSet": (e.ElectionSet(MONDAY, LATER),),
        "ElectionSet, for later": (e.ElectionSet(LATER + _ONE_DAY, LATER + _TWO_DAYS),),
        "ElectionClosed": (e.ElectionClosed(ballots, o(1)), e.MayorChanged(o(1), "elected")),
        "ElectionClosed, nobody": (e.ElectionClosed((), None),),
        "MayorChanged, heir": (e.MayorChanged(o(1), "heir"),),
        "MayorChanged, appointed": (e.MayorChanged(o(2), "appointed"),),
        "MayorChanged, vacant": (e.MayorChanged(None, "vacant"), e.ElectionDropped()),
        "Repudiated": (e.Repudiated(2), e.OfficeLost(2), e.MayorChanged(3, "heir"), e.OfficeTaken(3, "heir")),
    }


def _executed(troupe: Troupe) -> dict[str, tuple[Event, ...]]:
    o, died = troupe.other, e.Died
    return {
        "Execution": (_votes(troupe), e.ExecutionDone(1, (o(1),)), died(o(1), "executed", "villager", 1), *_dusk()),
        "Execution, forged, love, silence": (
            _votes(troupe, forged=True),
            e.ExecutionDone(1, (o(1), o(2))),
            died(o(1), "executed", "villager", 1),
            died(o(2), "executed", "prescient", 1),
            died(o(3), "love", "seer", 1),
            died(o(4), "inactive", "militia", 1),
            *_dusk(),
        ),
        "Execution, of a wolf": (e.ExecutionDone(1, (2,)), died(2, "executed", "werewolf", 1), *_dusk()),
        "Execution, nobody": (e.VotesPublished(1, ((1, 0, "blank"),), (), False), e.ExecutionDone(1, ()), *_dusk()),
        "Tie": (
            _votes(troupe),
            e.TieAnnounced((o(1), o(2)), 2, LATER + _WINDOW),
            e.Asked(2, (o(1), o(2)), 1, LATER + _WINDOW, "mayor"),
        ),
        "Tie, no mayor": (_votes(troupe), e.TieAnnounced((o(1), o(2)), None, LATER + _WINDOW)),
    }


def _died(troupe: Troupe) -> dict[str, tuple[Event, ...]]:
    o, died, lettered = troupe.other, e.Died, troupe.lettered
    dawn = e.DayOpened(2, LATER, LATER + _TWO_DAYS)
    return {
        "Murder": (
            e.MurderDone(1, (o(1), o(2)), False),
            died(o(1), "murdered", "villager", 1),
            died(o(2), "sacrificed", "werewolf", 1),
            died(o(3), "love", "seer", 1),
            dawn,
            e.ElectionSet(LATER, LATER + _ONE_DAY),
        ),
        "Murder, asleep": (e.MurderDone(1, (), True), dawn),
        "HeartAttack, in the graveyard": (e.Intruded(0, o(1)), died(o(1), "heart-attack", "villager", 1)),
        "HeartAttack": (died(o(1), "heart-attack", "villager", 1, "Il a <triché>."),),
        "HeartAttack, unexplained": (died(o(2), "heart-attack", "villager", 1),),
        "Death of the lettered": tuple(died(seat, "murdered", "villager", 1) for seat in lettered),
        "Death by fire": tuple(died(seat, "executed", "villager", 1) for seat in lettered),
        "Death of the ghosts": tuple(
            event for s in lettered for event in (died(s, "love", "ghost", 1), e.GhostRisen(s))
        ),
    }


def _said(troupe: Troupe) -> dict[str, tuple[Event, ...]]:
    o = troupe.other
    return {
        "Posted": (e.Posted(1, "Bonsoir !\n\n<b>Non</b> & oui. " + "très " * 40 + "long !", MONDAY),),
        "Posted, ghost": (e.Posted(o(1), "Hou.", MONDAY, ghost=True),),
        "GraveyardTalked": (e.GraveyardTalked(o(1), "", "Il fait sombre.", MONDAY, (o(2), o(3), 1, 3)),),
        "GraveyardTalked, reader": (e.GraveyardTalked(0, "Luce", "Il fait clair.", MONDAY, (o(2), 2, 4)),),
    }


def _won(troupe: Troupe) -> dict[str, tuple[Event, ...]]:
    o = troupe.other
    night = (e.MurderDone(1, (o(1),), False), e.Died(o(1), "murdered", "villager", 1))
    return {
        **{
            f"GameWon, {winner}": (won(troupe, winner),)
            for winner in ("village", "wolves", "lovers", "beast", "nobody")
        },
        "GameWon, at dawn": (*night, e.MayorChanged(3, "heir"), won(troupe, "wolves")),
        "GameWon, aborted": (replace(won(troupe, "nobody"), aborted=True),),
        "GameWon, with a graveyard": (
            e.GraveyardTalked(0, "Luc", "Il fait sombre.", LATER, ()),
            won(troupe, "village"),
        ),
    }


def won(troupe: Troupe, winner: str) -> e.GameWon:
    """The end."""
    winners = () if winner == "nobody" else (1, 2)
    return e.GameWon(winner, winners, tuple(role for _, _, role in troupe.cast), SEED)


def _votes(troupe: Troupe, *, forged: bool = False) -> e.VotesPublished:
    one, two, three = (troupe.other(n) for n in (1, 2, 3))
    record = ((1, one, "vote"), (2, two, "vote"), (3, one, "vote"), (4, 0, "blank"), (three, three, "self"))
    return e.VotesPublished(1, record, ((one, 2), (two, 1), (three, 1)), forged)


def _dusk() -> tuple[Event, ...]:
    return (e.SunsetOpened(1, LATER + timedelta(minutes=30)),)
