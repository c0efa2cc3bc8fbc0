"""NEIGH-1: once, at any moment, the nosy neighbour learns another's role, and that one learns who pries."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbem.engine.events import PowerSpent, RoleSeen
from pbem.engine.roles.base import Power, Role
from pbem.engine.roles.targets import not_self
from pbem.engine.verbs import Args, Verb

if TYPE_CHECKING:
    from pbem.engine.commands import Order
    from pbem.engine.story import Story


def _spy(story: Story, order: Order) -> None:
    """Both at the same moment, with the role as it shows (NIGHT-12)."""
    target = story.game.player(order.words.seats[0])
    story.tell(
        PowerSpent(order.seat, "SPY"),
        RoleSeen(order.seat, target.seat, target.role, "SPY"),
        RoleSeen(target.seat, order.seat, ROLE.slug, "SPY"),
    )


SPY = Power(Verb("SPY", ("EPIER",), Args.PLAYER), "any", once=True, check=not_self, at_once=_spy)
ROLE = Role("nosy-neighbour", powers=(SPY,))
