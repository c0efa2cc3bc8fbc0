"""The words that a scenario file may hold, as SCENARIOS.md, MAIL.md § 6 and RULES.md name them.

Rules, refusal codes and notices are listed here; roles and verbs come from the engine's roster and lexicon.
"""

from __future__ import annotations

import unicodedata
from typing import TYPE_CHECKING, Final

from pbem.engine.roles import ADMIN_LEXICON, LEXICON, ROSTER

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pbem.engine.verbs import Verb


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_FAMILIES: Final = {
    "ORG": 6, "CAL": 7, "VOTE": 8, "NIGHT": 12, "WIN": 10, "NEXT": 1, "VILL": 1, "PRES": 3, "SEER": 1, "PEEK": 5,
    "FORGE": 1, "NEIGH": 1, "GHOST": 1, "GUARD": 3, "TELE": 1, "EXEC": 1, "SAND": 1, "INV": 1, "MATCH": 1, "WOLF": 3,
    "CORR": 3, "SHAM": 1, "TRAI": 1, "CHIEF": 1, "LOVE": 4, "MAYOR": 6, "BEAST": 5, "FINE": 20, "MAIL": 7,
}  # fmt: skip
RULES: Final = frozenset(f"{family}-{n}" for family, last in _FAMILIES.items() for n in range(1, last + 1))
"""Every rule of RULES.md, and MAIL-n for the sections of MAIL.md."""

CODES: Final = _words(
    """unknown-command missing-argument unknown-player ambiguous-player not-your-power already-used wrong-time too-late
    dead-actor dead-target self-target ally-target lover-target repeat-target immune-target not-a-candidate not-a-choice
    ineligible not-in-game not-storyteller unknown-role composition-public already-paired name-taken bad-name
    registration-closed game-over game-paused graveyard-only living-only secret-in-public too-long empty"""
)
"""MAIL.md § 6."""
REPLIES: Final = frozenset({"accepted", "refused", "held", "none"} | {f"refused: {code}" for code in CODES})

EVENTS: Final = _words("election execution tie-break sunset vision murder over")
PHASES: Final = _words("registration day tie-break sunset vision over paused")
CAUSES: Final = _words("executed murdered love heart-attack inactive sacrificed")
WINNERS: Final = frozenset({"village", "wolves", "lovers", "beast", "nobody", ""})
ROLES: Final = frozenset(ROSTER)

NOTICES: Final = {
    "role-dealt": "role", "pack": "players", "wolf-count": "number", "lover": "player", "role-seen": "roles",
    "threatened": "players", "saved": "player", "wolf-glimpsed": "player", "nothing-glimpsed": "true",
    "peeper-spotted": "player", "beast-unmasked": "player", "corrupted": "players", "pack-joined": "player",
    "role-count": "counts", "no-effect": "verb", "vote-void": "player", "order-void": "verb", "vote-missed": "missed",
    "vote-reminder": "true", "inactivity-warning": "true", "asked": "players", "elected": "true", "mayor-now": "true",
    "repudiated": "true", "ghost": "true", "confirm": "verb", "pack-talk": "player", "graveyard-talk": "player",
    "tag-replaced": "true", "intrusion": "player", "absence": "player", "question": "player", "bounce": "player",
    "unreadable": "true", "stalemate": "true", "late-mailbox": "true", "replacement-wanted": "player",
}  # fmt: skip
"""Each kind of notice, and what it is about."""


def plain(text: str) -> str:
    """Capitals without accents: how verbs are compared (MAIL.md § 2.1)."""
    split = unicodedata.normalize("NFD", text.upper())
    return "".join(char for char in split if not unicodedata.combining(char))


def _forms(lexicon: Iterable[Verb]) -> frozenset[str]:
    return frozenset(form for verb in lexicon for form in (verb.name, *verb.french))


VERBS: Final = _forms(LEXICON)
"""All forms of the players' verbs."""
ADMIN_VERBS: Final = _forms(ADMIN_LEXICON)
"""All forms of the storyteller's."""
ENGLISH: Final = frozenset(verb.name for verb in LEXICON)
ANY_ENGLISH: Final = ENGLISH | {verb.name for verb in ADMIN_LEXICON}
