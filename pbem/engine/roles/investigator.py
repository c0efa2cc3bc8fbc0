"""INV-1: once a turn, from murder to murder, the investigator asks how many players were dealt a role."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbem.engine.events import Remembered, RoleCounted
from pbem.engine.roles.base import Power, Role
from pbem.engine.verbs import Args, Verb

if TYPE_CHECKING:
    from pbem.engine.commands import Order
    from pbem.engine.state import Game, Player
    from pbem.engine.story import Story

LAST = "asked-in-turn"


def _available(game: Game, player: Player) -> str:
    """`already-used`: a second ASK in a turn (FINE-16)."""
    return "already-used" if player.memory.get(LAST) == game.turn else ""


def _check(game: Game, player: Player, seats: tuple[int, ...]) -> str:  # noqa: ARG001 - the shape of a check
    return "composition-public" if game.options.composition == "public" else ""


def _ask(story: Story, order: Order) -> None:
    role = order.words.word
    count = sum(player.dealt == role for player in story.game.players)
    story.tell(Remembered(order.seat, LAST, story.game.turn), RoleCounted(order.seat, role, count))


ASK = Power(Verb("ASK", ("ENQUETER",), Args.ROLE), "any", check=_check, available=_available, at_once=_ask)
ROLE = Role("investigator", powers=(ASK,), needs_hidden=True)
