"""Who the pack are, as it shows to commands (NIGHT-12), and the refusal that protects a fellow wolf."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pbem.engine.state import Game, Player

WOLVES = frozenset({"werewolf", "corrupter", "shaman", "pack-leader"})
"""The roles of the pack; `roles/__init__` checks it against the roster."""


def pack(game: Game) -> tuple[int, ...]:
    """The living wolves, in seat order."""
    return tuple([p.seat for p in game.players if p.alive and p.role in WOLVES])


def fellows(game: Game, seat: int) -> tuple[int, ...]:
    """The pack without that seat."""
    return tuple(s for s in pack(game) if s != seat)


def not_ally(game: Game, player: Player, seats: tuple[int, ...]) -> str:  # noqa: ARG001 - the shape of a check
    """WOLF-3, `ally-target`: no wolf names a fellow."""
    fellow = any(p.alive and p.role in WOLVES for p in map(game.player, seats))
    return "ally-target" if fellow else ""
