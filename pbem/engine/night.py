"""The night, as readable data: who reads the two tables below reads the rule book (NIGHT-1 to NIGHT-6)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbem.engine.events import NightFixed, OrdersLapsed
from pbem.engine.roles import ROSTER, beast, corrupter, militia, pack_leader, prescient, sandman, seer, werewolf
from pbem.engine.roles.base import Dusk

if TYPE_CHECKING:
    from collections.abc import Callable

    from pbem.engine.state import Game
    from pbem.engine.story import Story

AT_SUNSET: tuple[Callable[[Dusk], None], ...] = (
    sandman.put_to_sleep,  # NIGHT-1
    militia.protect,  # NIGHT-2
    corrupter.corrupt,  # NIGHT-3: corruption; then
    werewolf.choose,  # the pack's choice,
    beast.hunt,  # the beast's, who fights alone or with the pack;
    pack_leader.sacrifice,  # then the pack leader's
    seer.see,  # NIGHT-4: seer and shaman
    prescient.warn,  # NIGHT-5
)
"""What happens at the close of sunset, in this order."""

NIGHT_VERBS = ("SLEEP", "GUARD", "INFECT", "KILL", "HUNT", "SACRIFICE", "SEE")
"""Orders that hold for one night and are resolved at the close of sunset (NIGHT-9)."""


def fall(story: Story) -> None:
    """Work the night out at the close of sunset, and put it on record; its deaths come with the murder."""
    dusk = Dusk(story, {p.seat: ROSTER[p.role] for p in story.game.players})
    for step in AT_SUNSET:
        step(dusk)
    wolves = dusk.living(lambda role: role.wolf or role.side == "beast")
    fixed = NightFixed(
        asleep=dusk.asleep,
        protected=tuple(sorted(dusk.protected)),
        blocked=tuple(sorted(dusk.blocked)),
        main=tuple(dusk.main),
        extra=dusk.extra,
        sacrificed=dusk.sacrificed,
        converted=dusk.converted,
        unmasked=tuple(dict.fromkeys(dusk.unmasked)),
        spends=tuple(dusk.spends),
        stopped=tuple(dict.fromkeys(dusk.stopped)),
        wolves=wolves,
        innocents=len(story.game.living) - len(wolves),
    )
    story.tell(fixed)
    lapse(story, NIGHT_VERBS)


def lapse(story: Story, verbs: tuple[str, ...], seat: int = 0) -> None:
    """Orders by these verbs, of everybody or of one seat, are no longer on record."""
    gone = tuple((o.seat, o.verb) for o in story.game.orders if o.verb in verbs and seat in (0, o.seat))
    if gone:
        story.tell(OrdersLapsed(gone))


def victims(game: Game, saved: set[int]) -> tuple[int, ...]:
    """Who of the threatened dies after all: not the saved, nor who died meanwhile (FINE-6)."""
    night = game.night
    return tuple(s for s in night.threatened if s not in saved and game.player(s).alive) if night else ()
