"""Letters to outbox rows, in the transaction of what they tell: Message-ID, date, thread and bytes are fixed here.

Whoever sends them later changes nothing. A letter in a thread answers the thread's first letter (In-Reply-To,
References), so that mail programs keep them together; one that answers a mail names that mail (MAIL.md § 5).
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from pbem.app.answered import POST
from pbem.mail import wire

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from datetime import datetime

    from pbem.app.office import Office
    from pbem.post import Letter
    from pbem.store import Tx

GRAVEYARD_KINDS: Final = frozenset({"graveyard-talk"})
"""Kinds of letters that bring the graveyard: who has had one may not join that game any more (ORG-2)."""


def enqueue(
    office: Office,
    tx: Tx,
    letters: Iterable[Letter],
    now: datetime,
    *,
    game_id: int | None = None,
    seats: Mapping[str, int] | None = None,
    held: bool = False,
    collect_until: datetime | None = None,
    answering: str | None = None,
) -> list[int]:
    """Put letters into the outbox; the ids of their rows.

    `seats` maps addresses to seats of the game, for the record. `held` letters wait for RELEASE, which writes the
    pieces of daily mails anew; other pieces wait until `collect_until`. A letter to an address that no mail can carry
    is left out: it has nobody to reach. `answering` names the letter of the list that a post answers: within the day's
    thread it is made an answer to that one, not to the thread's first letter.
    """
    rows = []
    for letter in letters:
        if letter.daily:
            if not held and game_id is not None and collect_until is not None:
                _collect(tx, letter, game_id, collect_until)
            continue
        message_id = office.tokens.message_id(office.settings.game.domain)
        root = tx.thread_root(game_id, letter.thread) if letter.thread and game_id is not None else None
        parent = _parent(tx, letter, answering) or root
        raw = _bytes(office, letter, message_id, now, (root, parent))
        if raw is None:
            continue
        seat = (seats or {}).get(letter.to)
        rows.append(
            tx.enqueue(
                game_id, letter.kind, letter.to, message_id, raw, letter.thread, letter.notices, now, seat=seat,
                held=held,
            )
        )  # fmt: skip
        if letter.thread and game_id is not None and root is None:
            tx.note_thread(game_id, letter.thread, message_id)
        if letter.kind in GRAVEYARD_KINDS and game_id is not None:
            tx.note_graveyard(game_id, letter.to)
    return rows


def _collect(tx: Tx, letter: Letter, game_id: int, until: datetime) -> None:
    piece = {"kind": letter.kind, "text": letter.text, "html": letter.html, "notices": letter.notices}
    tx.collect(game_id, letter.to, until, piece)
    if letter.kind in GRAVEYARD_KINDS:
        tx.note_graveyard(game_id, letter.to)


def _parent(tx: Tx, letter: Letter, answering: str | None) -> str | None:
    """What a post answers, if that is in its own thread: each day of the game is one (MAIL.md § 5)."""
    if answering is None or letter.kind != POST:
        return None
    answered = tx.letter(answering)
    return answering if answered is not None and answered.thread == letter.thread else None


def _bytes(
    office: Office, letter: Letter, message_id: str, now: datetime, thread: tuple[str | None, str | None]
) -> bytes | None:
    """The mail; `thread` is the first letter of its thread, and the one that it follows in it."""
    (root, parent), answers = thread, letter.in_reply_to is not None
    speaker = next((value for name, value in letter.headers if name == "From"), office.settings.smtp.from_name)
    try:
        return wire.compose(
            letter if answers or parent is None else replace(letter, in_reply_to=parent),
            sender=office.settings.game.address,
            sender_name=speaker,
            message_id=message_id,
            date=now,
            auto_submitted="auto-replied" if answers else "auto-generated",
            references=(root,) if root else (),
        )
    except ValueError:
        return None
