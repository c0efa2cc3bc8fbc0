"""WIN-1 to WIN-9: who has won, after a batch of deaths and at a count."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from pbem.engine.roles import ROSTER
from pbem.engine.roles.werewolf import ROLE as WEREWOLF

if TYPE_CHECKING:
    from pbem.engine.roles.base import Role
    from pbem.engine.state import Game, Player

TWO = 2


class Victory(NamedTuple):
    """`winner` is village, wolves, lovers, beast or nobody; `seats` are those who win, in seat order."""

    winner: str
    seats: tuple[int, ...]


def true_role(game: Game, player: Player) -> Role:
    """The role that counts, a conversion of this night included (FINE-6)."""
    converted = game.night is not None and game.night.converted == player.seat
    return WEREWOLF if converted else ROSTER[player.role]


def is_villager(role: Role) -> bool:
    """Of the village in the count: neither wolf nor beast nor traitor (WIN-2)."""
    return role.side == "village"


def after_deaths(game: Game) -> Victory | None:
    """WIN-7, WIN-5, WIN-6, WIN-1, in this order."""
    living = [(p, true_role(game, p)) for p in game.living]
    if all(role.side == "wolves" and not role.wolf for _, role in living):
        return Victory("nobody", ())
    if len(living) == TWO and _mixed(game, living[0][0].seat, living[1][0].seat):
        return Victory("lovers", (living[0][0].seat, living[1][0].seat))
    if len(living) == 1 and living[0][1].side == "beast":
        return Victory("beast", (living[0][0].seat,))
    monsters = any(role.wolf or role.side == "beast" for _, role in living)
    if not monsters and any(is_villager(role) for _, role in living):
        return Victory("village", winners(game, "village"))
    return None


def at_count(game: Game) -> Victory | None:
    """WIN-2, unless WIN-3 keeps the game going."""
    living = [(p, true_role(game, p)) for p in game.living]
    wolves = sum(role.wolf for _, role in living)
    villagers = [(p, role) for p, role in living if is_villager(role)]
    if not wolves or wolves < len(villagers) or any(role.side == "beast" for _, role in living):
        return None
    if any(role.sways and _unspent(p, role) for p, role in villagers):
        return None
    if wolves == len(villagers) and any(p.seat == game.mayor for p, _ in villagers):
        return None
    return Victory("wolves", winners(game, "wolves"))


def winners(game: Game, side: str) -> tuple[int, ...]:
    """WIN-9: who wins with that side: dead or alive, but traitors alive only (WIN-4), and lovers by WIN-5."""
    return tuple(p.seat for p in game.players if _wins(game, p, side))


def _wins(game: Game, player: Player, side: str) -> bool:
    role = true_role(game, player)
    if role.side != side or (side == "wolves" and not role.wolf and not player.alive):
        return False
    loved = game.lovers_of(player.seat)
    return not loved or (player.alive and not any(_mixed(game, player.seat, other) for other in loved))


def _mixed(game: Game, a: int, b: int) -> bool:
    """Lovers of different sides."""
    sides = {true_role(game, game.player(seat)).side for seat in (a, b)}
    return b in game.lovers_of(a) and len(sides) > 1


def _unspent(player: Player, role: Role) -> bool:
    return any(power.once and power.verb.name not in player.spent for power in role.powers)
