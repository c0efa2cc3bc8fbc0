"""What hinders a running program, kept in the store for `pbem status`: games that stand still, a host's own templates
that cannot be used. Types, places in the program and lines of a host's files; nothing of a mail or a letter.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pbem.letters.mistakes import Mistake
    from pbem.store import Tx

STUMBLED: Final = "the program stumbled: "
"""How the reason begins for which a mail was put aside that is no fault of the mail's."""
_STILL: Final = "standing-still"
_TEMPLATES: Final = "wrong-templates"


@dataclass(frozen=True, slots=True)
class Still:
    """A game that made the program stumble at that `version`, when, and over what. Over once the game moves on."""

    version: int
    at: datetime
    why: str


def stands_still(tx: Tx, game_id: int, found: Still) -> None:
    """Keep that, in place of what was known of the game."""
    known = {**standing(tx), game_id: found}
    tx.set(_STILL, json.dumps({key: (one.version, one.at.isoformat(), one.why) for key, one in known.items()}))


def standing(tx: Tx) -> dict[int, Still]:
    """By game id; some may have moved on since."""
    values = json.loads(tx.get(_STILL) or "{}")
    return {int(key): Still(version, datetime.fromisoformat(at), why) for key, (version, at, why) in values.items()}


def note_templates(tx: Tx, mistakes: Sequence[Mistake]) -> None:
    """Keep what has come to light of a host's own templates since the start; nothing, if nothing has."""
    told = "; ".join(one.discreet for one in mistakes[:3]) + (" …" if len(mistakes) > 3 else "")  # noqa: PLR2004
    if told != templates(tx):
        tx.set(_TEMPLATES, told)


def templates(tx: Tx) -> str:
    """The same in words; '' if all is well with them."""
    return tx.get(_TEMPLATES) or ""
