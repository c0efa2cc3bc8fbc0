"""TELE-1: once, before T, the telepath names a player and whom that player votes for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbem.engine.roles.base import Power, Role
from pbem.engine.roles.targets import not_immune
from pbem.engine.verbs import Args, Verb

if TYPE_CHECKING:
    from pbem.engine.state import Game, Player


def _check(game: Game, player: Player, seats: tuple[int, ...]) -> str:
    """An immune player cannot be voted for (NEXT-1), but his own vote can be forced (FINE-5)."""
    return not_immune(game, player, seats[1:])


FORCE = Power(Verb("FORCE", ("FORCER",), Args.TWO_PLAYERS), "execution", once=True, check=_check)
ROLE = Role("telepath", powers=(FORCE,), sways=True)
