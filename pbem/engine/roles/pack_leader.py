"""CHIEF-1: once, in a night, the pack leader sacrifices a wolf to make one more victim among the others."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbem.engine.roles.base import Dusk, Power, Role
from pbem.engine.roles.pack import pack
from pbem.engine.roles.targets import not_immune
from pbem.engine.roles.werewolf import WOLF_POWERS, meet
from pbem.engine.verbs import Args, Verb

if TYPE_CHECKING:
    from pbem.engine.state import Game, Player


def _check(game: Game, player: Player, seats: tuple[int, ...]) -> str:
    """FINE-16 to FINE-18: a wolf for one who is none, himself no victim; NEXT-1: neither of them immune."""
    wolf, victim = seats
    if wolf not in pack(game):
        return "not-a-choice"
    if victim == player.seat:
        return "self-target"
    if victim in pack(game):
        return "ally-target"
    return not_immune(game, player, seats)


SACRIFICE = Power(Verb("SACRIFICE", ("SACRIFIER",), Args.TWO_PLAYERS), "sunset", once=True, check=_check)


def sacrifice(dusk: Dusk) -> None:
    """After the pack's choice. Only the first of two counts, even stopped (FINE-19); the beast, a corruption and the
    wolf's own protection stop it, unspent; the victim's protection saves the victim alone.
    """
    first = next(iter(list(dusk.acting("SACRIFICE"))), None)
    if not first or dusk.corruption or dusk.beasts:
        return
    wolf, victim = first.seats
    if wolf in dusk.protected:
        return
    dusk.spends.append((first.seat, "SACRIFICE", "worked"))
    dusk.sacrificed = wolf
    if victim not in dusk.protected:
        dusk.extra = victim


ROLE = Role(
    "pack-leader", "wolves", (*WOLF_POWERS, SACRIFICE), wolf=True, blocked_if_guarded=True, floor=16, greet=meet
)
