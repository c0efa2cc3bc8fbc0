"""SHAM-1: a wolf with the seer's power; the beast does not stop his sight."""

from __future__ import annotations

from pbem.engine.roles.base import Role
from pbem.engine.roles.seer import SEE
from pbem.engine.roles.werewolf import WOLF_POWERS, meet

ROLE = Role("shaman", "wolves", (*WOLF_POWERS, SEE), wolf=True, blocked_if_guarded=True, greet=meet)
