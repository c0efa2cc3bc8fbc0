"""SAND-1: once, until sunset closes, the sandman puts the whole village to sleep for this night."""

from __future__ import annotations

from pbem.engine.roles.base import Dusk, Power, Role
from pbem.engine.verbs import Args, Verb

SLEEP = Power(Verb("SLEEP", ("ENDORMIR",), Args.NONE), "sunset", once=True)


def put_to_sleep(dusk: Dusk) -> None:
    """NIGHT-1: of several the first received takes effect (FINE-1)."""
    first = next(iter(dusk.story.game.orders_for("SLEEP")), None)
    if first:
        dusk.asleep = True
        dusk.spends.append((first.seat, "SLEEP", "worked"))


ROLE = Role("sandman", powers=(SLEEP,))
