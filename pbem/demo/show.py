"""What the onlooker of a demonstration sees: the story as it happens, told in the terminal.

The letters tell it to the players; here a few words an event are enough.
"""

from __future__ import annotations

from functools import singledispatch
from typing import TYPE_CHECKING

from pbem.engine import events as e
from pbem.engine.calendar import local
from pbem.engine.state import Game

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from datetime import datetime

CAUSES = {
    "executed": "is burned",
    "murdered": "is found dead",
    "sacrificed": "is found dead, sacrificed by the pack",
    "love": "dies of love",
    "heart-attack": "has a heart attack",
    "inactive": "is eliminated for silence",
}
WINNERS = {
    "village": "The village wins",
    "wolves": "The wolves win",
    "lovers": "The lovers win",
    "beast": "The beast wins",
    "nobody": "Nobody wins",
}


class Show:
    """Tells events by `say(line)`, each with the village's day and hour."""

    def __init__(self, say: Callable[[str], None]) -> None:
        self._say = say

    def __call__(self, events: Sequence[e.Event], game: Game, now: datetime) -> None:
        """Tell what of these is worth a line."""
        clock = local(game.options, now)
        for event in events:
            line = _line(event, game)
            if line:
                self._say(f"{clock:%a %d %b %H:%M}  {line}")


@singledispatch
def _line(event: e.Event, game: Game) -> str:
    """What an onlooker is told of this event; '' if nothing."""
    del game
    assert isinstance(event, e.Event)
    return ""


@_line.register
def _(event: e.Joined, game: Game) -> str:
    return f"{event.name} signs up ({len(game.players)} so far)"


@_line.register
def _(event: e.GameStarted, game: Game) -> str:
    del event
    roles = ", ".join(sorted(p.dealt for p in game.players))
    return f"The game begins: {roles}"


@_line.register
def _(event: e.Posted, game: Game) -> str:
    text = " ".join(event.text.split())
    return f"{game.player(event.seat).name}: “{text}”"


@_line.register
def _(event: e.ElectionClosed, game: Game) -> str:
    return f"{game.player(event.mayor).name} is elected mayor" if event.mayor else "Nobody is elected mayor"


@_line.register
def _(event: e.MayorChanged, game: Game) -> str:
    return f"{game.player(event.mayor).name} succeeds as mayor" if event.mayor and event.how == "heir" else ""


@_line.register
def _(event: e.VotesPublished, game: Game) -> str:
    votes = ", ".join(f"{game.player(seat).name} {number}" for seat, number in event.tally)
    return f"Day {event.turn}, the votes: {votes or 'none'}" + (" (forged!)" if event.forged else "")


@_line.register
def _(event: e.TieAnnounced, game: Game) -> str:
    return "A tie: " + " and ".join(game.player(seat).name for seat in event.tied)


@_line.register
def _(event: e.ExecutionDone, game: Game) -> str:
    del game
    return "" if event.burned else "Nobody is burned"


@_line.register
def _(event: e.Died, game: Game) -> str:
    return f"{game.player(event.seat).name} {CAUSES[event.cause]}: {event.role}"


@_line.register
def _(event: e.MurderDone, game: Game) -> str:
    del game
    return "" if event.found else "Nobody is found dead in the morning"


@_line.register
def _(event: e.GameWon, game: Game) -> str:
    names = ", ".join(game.player(seat).name for seat in event.winners)
    return f"{WINNERS[event.winner]}" + (f": {names}" if names else "")
