"""Who is asked to break a tie, and what he may answer (VOTE-5, EXEC-1, LOVE-2, FINE-16, FINE-17)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbem.engine.roles.base import Power
from pbem.engine.verbs import DECIDE as DECIDE_VERB

if TYPE_CHECKING:
    from pbem.engine.state import Game, Player, Tie

MAYOR = "mayor"
EXECUTIONER = "executioner"


def choices(game: Game, tie: Tie) -> tuple[int, ...]:
    """Whom the one asked may name: the tied, but for a lover of his (FINE-17)."""
    return tuple(seat for seat in tie.tied if seat not in game.lovers_of(tie.asked))


def _check(game: Game, player: Player, seats: tuple[int, ...]) -> str:
    tie = game.tie
    if not tie:
        return "not-your-power"
    if set(seats) & set(game.lovers_of(player.seat)):
        return "lover-target"
    among = set(seats) <= set(tie.tied) and len(seats) <= tie.places and len(set(seats)) == len(seats)
    return "" if among else "not-a-choice"


DECIDE = Power(DECIDE_VERB, "tie-break", check=_check)
