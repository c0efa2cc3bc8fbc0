"""TRAI-1: a villager for every power, who wants the wolves to win, and knows how many there were at the start."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbem.engine.events import WolvesCounted
from pbem.engine.roles.base import Role
from pbem.engine.roles.pack import pack

if TYPE_CHECKING:
    from pbem.engine.state import Player
    from pbem.engine.story import Story


def _count(story: Story, player: Player) -> None:
    story.tell(WolvesCounted(player.seat, len(pack(story.game))))


ROLE = Role("traitor", "wolves", greet=_count)
