"""VILL-1: the villager has no power."""

from __future__ import annotations

from pbem.engine.roles.base import Role

ROLE = Role("villager")
