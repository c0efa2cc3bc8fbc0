"""WOLF-1 to WOLF-3: the werewolf, and what every wolf shares: the pack, its talk and its choice."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from pbem.engine.events import PackShown
from pbem.engine.roles.base import Dusk, Power, Role
from pbem.engine.roles.pack import fellows, not_ally
from pbem.engine.roles.targets import both, not_immune, not_self
from pbem.engine.verbs import Args, Verb

if TYPE_CHECKING:
    from pbem.engine.state import Player
    from pbem.engine.story import Story

KILL = Power(Verb("KILL", ("DEVORER",), Args.PLAYER), "sunset", check=both(not_self, not_ally, not_immune))
PACK = Power(Verb("PACK", ("MEUTE",), Args.BODY, secret=False, publishes=True), "any")
WOLF_POWERS = (KILL, PACK)


def meet(story: Story, player: Player) -> None:
    """WOLF-1: wolves know each other from the start; a lone one is told an empty pack (FINE-19)."""
    story.tell(PackShown(player.seat, fellows(story.game, player.seat)))


def choose(dusk: Dusk) -> None:
    """WOLF-3: the most named is the pack's, a tie means none; not on a night of corruption (CORR-1).

    While the beast lives nobody dies of it, but the choice of her, or of her victim, unmasks her (BEAST-2, BEAST-3).
    """
    ballots = Counter(order.seats[0] for order in dusk.acting("KILL"))
    top = [seat for seat, votes in ballots.items() if votes == max(ballots.values())]
    if dusk.corruption or len(top) != 1:
        return
    choice = top[0]
    if dusk.beasts:
        _provoke(dusk, choice)
    elif choice not in dusk.protected:
        dusk.main.append(choice)


def _provoke(dusk: Dusk, choice: int) -> None:
    hunted = {order.seat: order.seats[0] for order in dusk.story.game.orders_for("HUNT") if not dusk.asleep}
    met = [beast for beast in dusk.beasts if choice == beast or hunted.get(beast) == choice]
    if met:
        dusk.unmasked.extend(met)
        dusk.quiet = True


ROLE = Role("werewolf", "wolves", WOLF_POWERS, wolf=True, blocked_if_guarded=True, greet=meet)
