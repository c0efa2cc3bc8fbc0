"""BEAST-1 to BEAST-5: alone; each night she names a victim, wolf or not, and while she lives the pack kills nobody."""

from __future__ import annotations

from pbem.engine.roles.base import Dusk, Power, Role
from pbem.engine.roles.targets import both, not_immune, not_self
from pbem.engine.verbs import Args, Verb

HUNT = Power(Verb("HUNT", ("CHASSER",), Args.PLAYER), "sunset", check=both(not_self, not_immune))


def hunt(dusk: Dusk) -> None:
    """NIGHT-3: her victim is threatened, unless protected; on a night when she fights the pack nobody is (BEAST-3)."""
    victims = [order.seats[0] for order in dusk.acting("HUNT")]
    if not dusk.quiet:
        dusk.main.extend(v for v in dict.fromkeys(victims) if v not in dusk.protected and v not in dusk.main)


ROLE = Role("beast", "beast", (HUNT,))
