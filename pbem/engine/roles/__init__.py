"""The roster of roles, explicit and in the order of the rule book, and the lexicon of every verb."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING

from pbem.engine.roles import (
    beast,
    corrupter,
    executioner,
    forger,
    ghost,
    investigator,
    little_child,
    matchmaker,
    militia,
    nosy_neighbour,
    pack_leader,
    prescient,
    sandman,
    seer,
    shaman,
    telepath,
    traitor,
    villager,
    werewolf,
)
from pbem.engine.roles.pack import WOLVES
from pbem.engine.verbs import COMMON, STORYTELLER, Verb

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pbem.engine.roles.base import Role

ROSTER: Mapping[str, Role] = MappingProxyType(
    {
        module.ROLE.slug: module.ROLE
        for module in (
            villager,
            prescient,
            seer,
            little_child,
            forger,
            nosy_neighbour,
            ghost,
            militia,
            telepath,
            executioner,
            sandman,
            investigator,
            matchmaker,
            werewolf,
            corrupter,
            shaman,
            traitor,
            pack_leader,
            beast,
        )
    }
)
"""Every role by its slug."""

if frozenset(slug for slug, role in ROSTER.items() if role.wolf) != WOLVES:
    message = "roles/pack.py names other wolves than the roster"
    raise AssertionError(message)

ROLE_VERBS: tuple[Verb, ...] = tuple(dict.fromkeys(power.verb for role in ROSTER.values() for power in role.powers))
LEXICON: tuple[Verb, ...] = COMMON + ROLE_VERBS
"""Every verb of a player, a reader or a stranger, the roles' own included."""
ADMIN_LEXICON: tuple[Verb, ...] = STORYTELLER
"""Every verb of the storyteller."""


def side_of(slug: str) -> str:
    """village, wolves (the traitor included) or beast."""
    return ROSTER[slug].side
