"""SEER-1: each night the seer names a player and learns his exact role; the shaman's sight is the same."""

from __future__ import annotations

from pbem.engine.events import RoleSeen
from pbem.engine.roles.base import Dusk, Power, Role
from pbem.engine.roles.targets import not_self
from pbem.engine.verbs import Args, Verb

SEE = Power(Verb("SEE", ("SONDER", "VOIR"), Args.PLAYER), "sunset", check=not_self)


def see(dusk: Dusk) -> None:
    """NIGHT-4: told when sunset closes. One converted this night shows as a werewolf (CORR-2)."""
    for order in list(dusk.acting("SEE")):
        target = order.seats[0]
        role = "werewolf" if target == dusk.converted else dusk.roles[target].slug
        dusk.story.tell(RoleSeen(order.seat, target, role))


ROLE = Role("seer", powers=(SEE,))
