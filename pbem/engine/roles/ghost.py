"""GHOST-1: after his death the ghost may go on posting in the village until the next execution's T."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbem.engine.events import GhostRisen
from pbem.engine.roles.base import Role

if TYPE_CHECKING:
    from pbem.engine.state import Player
    from pbem.engine.story import Story


def rise(story: Story, player: Player) -> None:
    """He haunts the village for a while."""
    story.tell(GhostRisen(player.seat))


ROLE = Role("ghost", on_death=rise)
