"""GUARD-1 to GUARD-3: the militia protects one player a night, never the same one twice running."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbem.engine.events import Remembered
from pbem.engine.roles.base import Dusk, Power, Role
from pbem.engine.verbs import Args, Verb

if TYPE_CHECKING:
    from pbem.engine.state import Game, Player

LAST = "last-guarded"


def _another_than_last(game: Game, player: Player, seats: tuple[int, ...]) -> str:  # noqa: ARG001 - a check
    """GUARD-2: the last one protected is excluded until somebody else has been."""
    return "repeat-target" if player.memory.get(LAST) in seats else ""


GUARD = Power(Verb("GUARD", ("PROTEGER",), Args.PLAYER), "execution", check=_another_than_last)


def protect(dusk: Dusk) -> None:
    """NIGHT-2: who is protected, and whose powers that blocks (GUARD-3)."""
    for order in list(dusk.acting("GUARD")):
        target = order.seats[0]
        dusk.protected.add(target)
        if dusk.roles[target].blocked_if_guarded:
            dusk.blocked.add(target)
        dusk.story.tell(Remembered(order.seat, LAST, target))


ROLE = Role("militia", powers=(GUARD,))
