"""PRES-1 to PRES-3: the prescient learns each night who is threatened, and once a game saves one of them, never
himself.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbem.engine.events import LifeSaved, PowerSpent, Saved, ThreatShown
from pbem.engine.roles.base import Dusk, Power, Role
from pbem.engine.roles.targets import not_self
from pbem.engine.verbs import Args, Verb

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pbem.engine.state import Night, Order
    from pbem.engine.story import Story

ANYONE = "ANYONE"
SAVE = Power(Verb("SAVE", ("SAUVER",), Args.MAYBE_PLAYER), "vision", once=True, check=not_self)


def warn(dusk: Dusk) -> None:
    """NIGHT-5: at the close of sunset he is told who is threatened; asleep or protected he gets no letter (FINE-3)."""
    for seat in dusk.living(lambda role: role is ROLE):
        if dusk.asleep or seat in dusk.blocked:
            if dusk.story.game.order(seat, "SAVE"):
                dusk.stopped.append((seat, "SAVE"))
        elif seat != dusk.converted:
            threatened = (*dusk.main, *([dusk.extra] if dusk.extra and dusk.extra not in dusk.main else []))
            dusk.story.tell(ThreatShown(seat, threatened))


def save(story: Story, night: Night) -> set[int]:
    """PRES-2, PRES-3, FINE-19: whom the answers save; of two who save the same, only the first is spent."""
    saved: set[int] = set()
    threatened = [seat for seat in night.threatened if story.game.player(seat).alive]
    for order in story.game.orders_for("SAVE"):
        target = _rescued(order, threatened)
        if night.asleep or order.seat in (*night.blocked, night.converted) or not target or target in saved:
            continue
        saved.add(target)
        story.tell(LifeSaved(order.seat, target), PowerSpent(order.seat, "SAVE"), Saved(order.seat, target))
    return saved


def _rescued(order: Order, threatened: Sequence[int]) -> int:
    """The main victim before the extra one (PRES-3), himself left out (FINE-4)."""
    wanted = order.seats or threatened
    return next((seat for seat in threatened if seat in wanted and seat != order.seat), 0)


ROLE = Role("prescient", powers=(SAVE,), blocked_if_guarded=True)
