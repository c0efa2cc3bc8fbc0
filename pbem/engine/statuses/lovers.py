"""LOVE-1 to LOVE-4: two who love each other, made by the matchmaker or the storyteller."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbem.engine.events import STORYTELLER, LoverShown, LoversPaired, OrderVoided

if TYPE_CHECKING:
    from pbem.engine.state import Game
    from pbem.engine.story import Story

SPARING = ("VOTE", "FORGE", "DECIDE")
"""What one may not do to one's lover (LOVE-2): such an order that stands is void when they learn of each other."""


def may_pair(game: Game, seats: tuple[int, ...]) -> str:
    """`not-a-choice`: one with himself (FINE-16); `already-paired`: who is a lover already."""
    if len(set(seats)) != len(seats):
        return "not-a-choice"
    return "already-paired" if any(game.lovers_of(seat) for seat in seats) else ""


def storyteller_may_pair(game: Game, seats: tuple[int, ...]) -> str:
    """FINE-13: where a couple exists the storyteller makes no other."""
    return "already-paired" if game.couples else may_pair(game, seats)


def pair(story: Story, a: int, b: int, by: int = STORYTELLER) -> None:
    """LOVE-1: each learns who the other is; orders against each other are void (VOTE-3, FINE-18)."""
    story.tell(LoversPaired(a, b, by), LoverShown(a, b), LoverShown(b, a))
    for one, other in ((a, b), (b, a)):
        story.tell(
            *(
                OrderVoided(one, o.verb, other)
                for o in story.game.orders
                if o.seat == one and o.verb in SPARING and other in o.seats
            )
        )
