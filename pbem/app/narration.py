"""HOLD, NARRATE, RELEASE: digests that wait for the storyteller's words (MAIL.md § 3, *The storyteller's*).

While digests are held, a digest that tells a piece of the story is written and kept back, and the storyteller is shown
it. When it is released it is written anew, with what he has narrated since. Posts, announcements and new deadlines are
never kept back.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from datetime import datetime
from typing import TYPE_CHECKING

from pbem.engine.evolve import replay
from pbem.letters.copies import followers
from pbem.letters.scribe import HOLDABLE

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pbem.app.desk import Desk
    from pbem.engine.events import Event
    from pbem.engine.state import Game
    from pbem.post import Letter


@dataclass(frozen=True, slots=True)
class _Kept:
    """A digest kept back: it tells of the events after number `first` up to `last`, written at `at`.

    `words` are the narration that it had when it was kept.
    """

    first: int
    last: int
    at: datetime
    words: tuple[str, ...]


def untold(desk: Desk, game: Game) -> Game:
    """The game with only the narration that no released digest has told yet, for the scribe."""
    told = int(desk.tx.get(_told(desk)) or 0)
    return replace(game, narration=game.narration[told:]) if told else game


def send(desk: Desk, events: Sequence[Event], before: Game, letters: Sequence[Letter]) -> None:
    """Send the letters of a batch, but keep its digest back while digests are held."""
    waits = [desk.game.held and _is_digest(desk, letter) for letter in letters]
    desk.send(letter for letter, held in zip(letters, waits, strict=True) if not held)
    if any(waits):
        desk.send((letter for letter, held in zip(letters, waits, strict=True) if held), held=True)
        words = () if desk.game.narration else untold(desk, before).narration
        _note(desk, [*_kept(desk), _Kept(desk.version - len(events), desk.version, desk.now, words)])
    if before.narration and not desk.game.narration:
        desk.tx.set(_told(desk), "0")


def release(desk: Desk) -> None:
    """RELEASE: the digests that were kept go out, the last one with all that was narrated by now."""
    kept = _kept(desk)
    if not kept:
        return
    desk.tx.drop_held(desk.game_id)
    for one in kept:
        desk.send(_digest(desk, one, latest=one is kept[-1]))
    _note(desk, [])
    desk.tx.set(_told(desk), str(len(desk.game.narration)))


def show_draft(desk: Desk) -> None:
    """Show the storyteller how the digest that waits would read now."""
    kept = _kept(desk)
    digest = (
        next((d for d in _digest(desk, kept[-1], latest=True) if d.to == desk.book.list_address), None)
        if kept
        else None
    )
    if digest is not None:
        desk.send(desk.office.scribe.draft(digest, desk.game, desk.book, at=desk.now))


def drop(desk: Desk, version: int) -> None:
    """UNDO: what was kept back of events after that number is never sent; the words that were told with what is taken
    back are told with what comes in its place.
    """
    desk.tx.set(_told(desk), "0")
    stay = [one for one in _kept(desk) if one.last <= version]
    if len(stay) < len(_kept(desk)):
        desk.tx.drop_held(desk.game_id)
        _note(desk, stay)


def _digest(desk: Desk, one: _Kept, *, latest: bool) -> list[Letter]:
    log = [row.event for row in desk.tx.events(desk.game_id)]
    before, after = replay(log[: one.first]), replay(log[: one.last])
    since = untold(desk, desk.game).narration if latest else ()
    return desk.office.scribe.digest(
        log[one.first : one.last], before, after, desk.book, at=one.at, narration=(*one.words, *since),
        history=log[: one.first],
    )  # fmt: skip


def _is_digest(desk: Desk, letter: Letter) -> bool:
    """To the list or a copy of it; what really happened (WIN-8) waits for the digest of the end."""
    copied = {one.person.address for one in followers(desk.book)}
    return letter.kind in {*HOLDABLE, "chronicle"} and (letter.to == desk.book.list_address or letter.to in copied)


def _kept(desk: Desk) -> list[_Kept]:
    found = json.loads(desk.tx.get(f"digests-kept:{desk.game_id}") or "[]")
    return [_Kept(first, last, datetime.fromisoformat(at), tuple(words)) for first, last, at, words in found]


def _note(desk: Desk, kept: Sequence[_Kept]) -> None:
    rows = [(one.first, one.last, one.at.isoformat(), one.words) for one in kept]
    desk.tx.set(f"digests-kept:{desk.game_id}", json.dumps(rows))


def _told(desk: Desk) -> str:
    return f"narration-told:{desk.game_id}"
