"""The roster of roles, and the lexicon of every verb."""

from __future__ import annotations

from pbem.engine.verbs import COMMON, STORYTELLER, Args, Verb

ROLE_VERBS: tuple[Verb, ...] = (
    Verb("KILL", ("DEVORER",), Args.PLAYER),
    Verb("PACK", ("MEUTE",), Args.BODY, secret=False, publishes=True),
    Verb("INFECT", ("CORROMPRE",), Args.PLAYER),
    Verb("SACRIFICE", ("SACRIFIER",), Args.TWO_PLAYERS),
    Verb("SEE", ("SONDER", "VOIR"), Args.PLAYER),
    Verb("HUNT", ("CHASSER",), Args.PLAYER),
    Verb("SLEEP", ("ENDORMIR",), Args.NONE),
    Verb("SAVE", ("SAUVER",), Args.MAYBE_PLAYER),
    Verb("PEEK", ("REGARDER",), Args.NONE),
    Verb("GUARD", ("PROTEGER",), Args.PLAYER),
    Verb("FORGE", ("FAUSSER",), Args.PLAYER),
    Verb("FORCE", ("FORCER",), Args.TWO_PLAYERS),
    Verb("DOUBLE", ("DOUBLER",), Args.NONE),
    Verb("SPY", ("EPIER",), Args.PLAYER),
    Verb("ASK", ("ENQUETER",), Args.ROLE),
    Verb("PAIR", ("UNIR",), Args.TWO_PLAYERS),
)
LEXICON: tuple[Verb, ...] = COMMON + ROLE_VERBS
"""Every verb of a player, a reader or a stranger, the roles' own included."""
ADMIN_LEXICON: tuple[Verb, ...] = STORYTELLER
