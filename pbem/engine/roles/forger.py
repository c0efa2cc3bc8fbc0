"""FORGE-1: once, before T, the forger names who is executed instead of the one whom the votes designate."""

from __future__ import annotations

from pbem.engine.roles.base import Power, Role
from pbem.engine.roles.targets import both, not_immune, not_lover
from pbem.engine.verbs import Args, Verb

FORGE = Power(Verb("FORGE", ("FAUSSER",), Args.PLAYER), "execution", once=True, check=both(not_lover, not_immune))
ROLE = Role("forger", powers=(FORGE,), sways=True)
