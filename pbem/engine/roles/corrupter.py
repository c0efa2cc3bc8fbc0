"""CORR-1 to CORR-3: once, the corrupter turns a villager into a plain werewolf."""

from __future__ import annotations

from pbem.engine.roles.base import Dusk, Power, Role
from pbem.engine.roles.pack import not_ally
from pbem.engine.roles.targets import both, not_self
from pbem.engine.roles.werewolf import WOLF_POWERS, meet
from pbem.engine.verbs import Args, Verb

INFECT = Power(Verb("INFECT", ("CORROMPRE",), Args.PLAYER), "sunset", once=True, check=both(not_self, not_ally))


def corrupt(dusk: Dusk) -> None:
    """NIGHT-3: of several the first received takes effect (FINE-1); on such a night the pack makes no victim (CORR-1).

    The beast as target is unmasked, unspent, and nobody is killed (CORR-3, FINE-2); a protected target spends the power
    even while the beast lives; otherwise she makes it fail, unspent (BEAST-2).
    """
    first = next(iter(list(dusk.acting("INFECT"))), None)
    if not first:
        return
    dusk.corruption = True
    target = first.seats[0]
    if target in dusk.beasts:
        dusk.unmasked.append(target)
        dusk.quiet = True
    elif target in dusk.protected:
        dusk.spends.append((first.seat, "INFECT", "failed"))
    elif not dusk.beasts:
        dusk.converted = target
        dusk.spends.append((first.seat, "INFECT", "worked"))


ROLE = Role("corrupter", "wolves", (*WOLF_POWERS, INFECT), wolf=True, blocked_if_guarded=True, greet=meet)
