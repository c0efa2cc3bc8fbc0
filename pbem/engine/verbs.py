"""The words of the protocol: every verb of MAIL.md § 3, its French forms, what follows it, and who may use it.

Roles bring their own verbs (`pbem/engine/roles/`); here is what belongs to nobody in particular, and the shape of a
verb.
`pbem.engine.roles.LEXICON` joins the two: that is what the parser reads.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum


class Args(Enum):
    """What follows a verb."""

    NONE = "none"
    BODY = "body"  # the mail's own words
    PLAYER = "player"
    MAYBE_PLAYER = "maybe-player"  # SAVE: a player, ANYONE, or nothing
    PLAYERS = "players"  # DECIDE: one player or two
    TWO_PLAYERS = "two-players"
    ROLE = "role"
    VERB = "verb"
    TEXT = "text"  # free words, read by the verb itself
    MAYBE_TEXT = "maybe-text"


@dataclass(frozen=True, slots=True)
class Verb:
    """A word of command: `name` is the English word, `french` its other forms, capitals without accents.

    `publishes`: its body is passed on to others (SAY, PACK, GRAVEYARD). `secret`: it must not stand in a mail for
    publication (MAIL.md § 2.5). `storyteller`: only the storyteller's mails are read for it.
    """

    name: str
    french: tuple[str, ...]
    args: Args
    secret: bool = True
    publishes: bool = False
    storyteller: bool = False


def _open(name: str, french: str, args: Args) -> Verb:
    return Verb(name, tuple(french.split()), args)


VOTE = _open("VOTE", "VOTER", Args.PLAYER)
ELECT = Verb("ELECT", ("ELIRE", "ELISONS"), Args.PLAYER, secret=False)
HEIR = _open("HEIR", "SUCCESSEUR", Args.PLAYER)
DECIDE = _open("DECIDE", "TRANCHER", Args.PLAYERS)

COMMON: tuple[Verb, ...] = (
    _open("JOIN", "INSCRIPTION", Args.TEXT),
    _open("LEAVE", "DESISTER", Args.NONE),
    _open("WATCH", "SUIVRE", Args.NONE),
    _open("UNWATCH", "NEPLUSSUIVRE", Args.NONE),
    VOTE,
    ELECT,
    HEIR,
    DECIDE,
    Verb("SAY", ("DIRE",), Args.BODY, secret=False, publishes=True),
    Verb("GRAVEYARD", ("CIMETIERE",), Args.BODY, secret=False, publishes=True),
    _open("CANCEL", "ANNULER", Args.VERB),
    _open("STATUS", "STATUT", Args.NONE),
    _open("ABSENT", "", Args.MAYBE_TEXT),
    _open("HELP", "AIDE", Args.MAYBE_TEXT),
    _open("RULES", "REGLES", Args.MAYBE_TEXT),
    _open("LANG", "LANGUE", Args.TEXT),
    _open("MAIL", "COURRIER", Args.TEXT),
    _open("ADDRESS", "ADRESSE", Args.TEXT),
    _open("QUESTION", "", Args.BODY),
)


def _admin(name: str, french: str, args: Args) -> Verb:
    return Verb(name, tuple(french.split()), args, storyteller=True)


STORYTELLER: tuple[Verb, ...] = (
    _admin("OPEN", "OUVRIR", Args.NONE),
    _admin("CLOSE", "FERMER", Args.NONE),
    _admin("COMPOSITION", "", Args.TEXT),
    _admin("DEAL", "DISTRIBUER", Args.NONE),
    _admin("START", "COMMENCER", Args.NONE),
    _admin("PAUSE", "", Args.NONE),
    _admin("RESUME", "REPRENDRE", Args.NONE),
    _admin("EXTEND", "PROLONGER", Args.TEXT),
    _admin("DEADLINE", "ECHEANCE", Args.TEXT),
    _admin("RESOLVE", "RESOUDRE", Args.NONE),
    _admin("EXCUSE", "EXCUSER", Args.TEXT),
    _admin("SMITE", "FOUDROYER", Args.TEXT),
    _admin("REPLACE", "REMPLACER", Args.TEXT),
    _admin("PAIR", "UNIR", Args.TWO_PLAYERS),
    _admin("MAYOR", "MAIRE", Args.PLAYER),
    _admin("NARRATE", "RACONTER", Args.BODY),
    _admin("HOLD", "RETENIR", Args.NONE),
    _admin("RELEASE", "PUBLIER", Args.NONE),
    _admin("ANNOUNCE", "ANNONCER", Args.BODY),
    _admin("TELL", "ECRIRE", Args.TEXT),
    _admin("ORDER", "ORDRE", Args.TEXT),
    _admin("UNDO", "DEFAIRE", Args.NONE),
    _admin("ABORT", "AVORTER", Args.NONE),
    _admin("STATUS", "STATUT", Args.NONE),
    _admin("LOG", "JOURNAL", Args.NONE),
)
