"""MATCH-1: the matchmaker pairs two living players, himself allowed, by the close of the first election."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbem.engine.roles.base import Power, Role
from pbem.engine.statuses.lovers import may_pair, pair
from pbem.engine.verbs import Args, Verb

if TYPE_CHECKING:
    from pbem.engine.commands import Order
    from pbem.engine.state import Game, Player
    from pbem.engine.story import Story


def _check(game: Game, player: Player, seats: tuple[int, ...]) -> str:
    return "already-paired" if player.seat in game.paired_by else may_pair(game, seats)


def _unite(story: Story, order: Order) -> None:
    one, other = order.words.seats
    pair(story, one, other, by=order.seat)


PAIR = Power(Verb("PAIR", ("UNIR",), Args.TWO_PLAYERS), "first-election", check=_check, at_once=_unite)
ROLE = Role("matchmaker", powers=(PAIR,))
