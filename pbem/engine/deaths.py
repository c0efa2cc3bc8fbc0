"""A batch of deaths and all that follows at once: love, void orders, ghosts, the end, the mayor's succession.

The order is that of FINE-10: deaths and lovers are one batch, then the wins, then the succession.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbem.engine.events import Died, GameWon, OrderVoided, RoleChanged
from pbem.engine.roles import ROSTER
from pbem.engine.statuses.mayor import heir_of, succeed
from pbem.engine.victory import Victory, after_deaths, true_role

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from pbem.engine.state import Game
    from pbem.engine.story import Story


def bury(story: Story, deaths: Sequence[tuple[int, str]], reason: str = "") -> None:
    """Let these (seat, cause) die, those who still live, and what follows from it. May end the game."""
    mayor = story.game.mayor
    heir = heir_of(story.game, mayor)
    batch = with_lovers(story.game, deaths)
    dead = [seat for seat, _ in batch]
    if not dead:
        return
    for seat, cause in batch:
        role = true_role(story.game, story.game.player(seat)).slug
        story.tell(Died(seat, cause, role, story.game.turn, reason if cause == "heart-attack" else ""))
    _void_orders(story, dead)
    _haunt(story, dead)
    won = after_deaths(story.game)
    if won:
        end(story, won)
    elif mayor in dead:
        wolf = ROSTER[story.game.player(mayor).role].wolf
        succeed(story, 0 if wolf else heir)


def with_lovers(game: Game, deaths: Iterable[tuple[int, str]]) -> list[tuple[int, str]]:
    """LOVE-3: the deaths, then those of love that follow from them."""
    batch = [(seat, cause) for seat, cause in deaths if game.player(seat).alive]
    dying = {seat for seat, _ in batch}
    for seat, _ in batch:
        for lover in game.lovers_of(seat):
            if lover not in dying and game.player(lover).alive:
                dying.add(lover)
                batch.append((lover, "love"))
    return batch


def end(story: Story, won: Victory, *, aborted: bool = False) -> None:
    """WIN-8: the game is over, and everything public; a conversion of this night is one already (FINE-6)."""
    night = story.game.night
    if night and night.converted and story.game.player(night.converted).alive:
        story.tell(RoleChanged(night.converted, true_role(story.game, story.game.player(night.converted)).slug))
    roles = tuple(player.role for player in story.game.players)
    story.tell(GameWon(won.winner, won.seats, roles, story.game.seed, aborted))


def _void_orders(story: Story, dead: Sequence[int]) -> None:
    """NIGHT-9, VOTE-3: who named one of them is told and may choose again while the verb is open."""
    for order in story.game.orders:
        target = next((seat for seat in order.seats if seat in dead), 0)
        if target:
            story.tell(OrderVoided(order.seat, order.verb, target))


def _haunt(story: Story, dead: Sequence[int]) -> None:
    for seat in dead:
        player = story.game.player(seat)
        hook = ROSTER[player.role].on_death
        if hook:
            hook(story, player)
