"""Which letter of the village's list a mail answers, so that posts keep the shape of the talk (MAIL.md § 5).

Only what all have read is named again: a letter of the game's list. A copy that the game sent to somebody whom the list
does not reach stands for what it copies. That a post answers a private letter, or one of another game, is told nobody.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from pbem.post import Incoming
    from pbem.store import OutboxRow, Tx

POST: Final = "post"
"""The kind of letter that brings somebody's words to the list."""
_HEADERS: Final = ("in-reply-to", "references")
_IDENTIFIER: Final = re.compile(r"<[^<>\s]{1,250}>")
_MOST: Final = 5
"""Identifiers of one header that are looked at, the latest first."""
_COPIES: Final = 1_000
"""Letters that one post can lead to: to the list, then to each who follows it by himself."""


def by(tx: Tx, game_id: int, mail: Incoming, list_address: str) -> str | None:
    """The Message-ID of the list's letter that the mail answers; None if it answers none."""
    for header in _HEADERS:
        for identifier in named(mail, header):
            found = tx.letter(identifier)
            if found is not None and found.game_id == game_id:
                original = _original(tx, found, list_address.lower())
                return original.message_id if original else None
    return None


def named(mail: Incoming, header: str) -> list[str]:
    """The Message-IDs that this header (`in-reply-to` or `references`) says the mail answers, the latest first."""
    values = (value for name, value in mail.headers if name.lower() == header)
    return [one for value in values for one in reversed(_IDENTIFIER.findall(value))][:_MOST]


def _original(tx: Tx, letter: OutboxRow, address: str) -> OutboxRow | None:
    """The letter itself if it went to the list, or the post that it is a copy of: copies are written right after it."""
    if letter.to == address:
        return letter
    if letter.kind != POST or letter.game_id is None:
        return None
    before = tx.letters(letter.game_id, after=letter.id - _COPIES, to=address)
    return max((one for one in before if one.id < letter.id and one.kind == POST), key=lambda one: one.id, default=None)
