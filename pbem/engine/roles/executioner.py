"""EXEC-1: once, before T, the executioner has the two highest scores of the day executed."""

from __future__ import annotations

from pbem.engine.roles.base import Power, Role
from pbem.engine.verbs import Args, Verb

DOUBLE = Power(Verb("DOUBLE", ("DOUBLER",), Args.NONE), "execution", once=True)
ROLE = Role("executioner", powers=(DOUBLE,), sways=True)
