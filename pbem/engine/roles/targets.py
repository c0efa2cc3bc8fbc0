"""Refusals that several powers share, each a check of `Power` on living targets (MAIL.md § 6)."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pbem.engine.roles.base import Check
    from pbem.engine.state import Game, Player

FIRST_TURN = 1


def both(*checks: Check) -> Check:
    """The first objection of several checks."""

    def check(game: Game, player: Player, seats: tuple[int, ...]) -> str:
        for one in checks:
            code = one(game, player, seats)
            if code:
                return code
        return ""

    return check


def not_self(game: Game, player: Player, seats: tuple[int, ...]) -> str:  # noqa: ARG001 - the shape of a check
    """`self-target`: no one does this to himself."""
    return "self-target" if player.seat in seats else ""


def not_immune(game: Game, player: Player, seats: tuple[int, ...]) -> str:  # noqa: ARG001 - the shape of a check
    """NEXT-1, `immune-target`: on the first evening; immunity is public."""
    spared = game.turn <= FIRST_TURN and any(game.player(seat).immune for seat in seats)
    return "immune-target" if spared else ""


def not_lover(game: Game, player: Player, seats: tuple[int, ...]) -> str:
    """LOVE-2, `lover-target`: the lover he knows of."""
    loved = game.lovers_of(player.seat)
    return "lover-target" if loved and set(seats) & set(loved) else ""
