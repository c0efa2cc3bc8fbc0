"""`pbem game import`: a game from the file that `pbem game export` wrote, into this database.

The record is checked first, as `pbem verify` does: what comes in follows from its commands, event by event. A game that
is over comes in as it is, for the archive and for keeps. One that goes on needs its people (`export --people`): then it
goes on here, its letters answer those of before, and personal tags stay good where the game's address is the same.
Mails that were dealt with there have no effect here, even if the whole mailbox is read again (`imported`).
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from pbem.app import imported, luggage
from pbem.app.verify import NotAnExport, Record, parse, verify
from pbem.engine.evolve import replay
from pbem.store import StoreError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from datetime import datetime

    from pbem.app.luggage import Frame, LetterPart, People
    from pbem.engine.commands import Command
    from pbem.engine.events import Event
    from pbem.store import Tx


__all__ = ["CannotImport", "NotAnExport", "bring_in"]


class CannotImport(ValueError):  # noqa: N818  (it says what is in the way)
    """The game does not come in; the text says why, in one line."""


def bring_in(tx: Tx, text: str) -> str:
    """The game's code, when all of it is written.

    Raises NotAnExport (the file is damaged, or not what `pbem game export` writes) and CannotImport; then the
    transaction must be given up.
    """
    record = parse(text)
    given = json.loads(text)
    frame = luggage.frame(given)
    _check(tx, record, given)
    people = _people_of(record, given)
    try:
        game_id = tx.create_game(record.code, frame.series, frame.created)
        for at, command, events in _pieces(record, frame):
            tx.append(game_id, events, tx.load(game_id)[1], at, command=command)
        if people is not None:
            _settle(tx, game_id, people)
    except (KeyError, TypeError, ValueError) as error:
        raise NotAnExport(f"it is damaged ({type(error).__name__} {error})") from None
    except StoreError as error:
        if error.kind != "broken-rule":
            raise
        raise CannotImport("its letters or personal tags are in this database already: is it this very game?") from None
    return record.code


def _people_of(record: Record, given: Mapping[str, Any]) -> People | None:
    if "people" not in given:
        return None
    game = replay(record.events)
    return luggage.people(given["people"], [player.seat for player in game.players])


def _check(tx: Tx, record: Record, given: Mapping[str, Any]) -> None:
    report = verify(record)
    wrong = next((fault for check in report.checks for fault in check.faults), "")
    if wrong:
        raise CannotImport(f"it does not hold: {wrong}")
    if tx.game_id(record.code) is not None:
        raise CannotImport(f"there is a game {record.code} already")
    if not report.over and "people" not in given:
        raise CannotImport("the game is not over and nobody's address is in it: export it with --people")


def _pieces(record: Record, frame: Frame) -> Iterator[tuple[datetime, Command | None, list[Event]]]:
    """The log in the pieces in which it was written: when, the command if there was one, the events."""
    moments, decided = [row.at for row in frame.events], [row.at for row in frame.commands]
    events, reached = list(record.events), 0
    for step, at in zip(record.steps, decided, strict=True):
        start = max(step.version, reached)
        yield from _uncommanded(events, moments, reached, start)
        yield at, step.command, events[start : start + step.count]
        reached = start + step.count
    yield from _uncommanded(events, moments, reached, len(events))


def _uncommanded(
    events: list[Event], moments: list[datetime], start: int, end: int
) -> Iterator[tuple[datetime, None, list[Event]]]:
    """What belongs to an UNDO, one moment at a time."""
    while start < end:
        stop = next((i for i in range(start, end) if moments[i] != moments[start]), end)
        yield moments[start], None, events[start:stop]
        start = stop


def _settle(tx: Tx, game_id: int, people: People) -> None:
    """Who is written to."""
    for player in people.players:
        tx.add_player(game_id, player.seat, player.address, player.language, player.gender, player.tag)
        tx.set_player(game_id, player.seat, amount=player.amount, reminders=player.reminders)
    for teller in people.storytellers:
        known = {"name": teller.name, "language": teller.language, "gender": teller.gender}
        tx.add_storyteller(game_id, teller.address, **known)
    for reader in people.readers:
        known = {"name": reader.name, "language": reader.language, "amount": reader.amount}
        tx.add_reader(game_id, reader.address, reader.tag, **known)
    for address in people.graveyard:
        tx.note_graveyard(game_id, address)
    _go_on(tx, game_id, people)
    imported.remember(tx, game_id, people)


def _go_on(tx: Tx, game_id: int, people: People) -> None:
    """What was under way."""
    for thread, root, last in people.threads:
        tx.note_thread(game_id, thread, root)
        tx.note_thread(game_id, thread, last)
    for key, value in people.values.items():
        if key == imported.KEY:
            continue  # that is said by `read_to`
        tx.set(f"{key}:{game_id}", value)
    for address, due, piece in people.collected:
        tx.collect(game_id, address, due, piece)
    for letter in people.letters:
        _letter(tx, game_id, letter)
    for held in people.held:
        where = game_id, held.seat, held.address
        tx.hold(held.code, *where, held.raw, held.received, held.commands, held.created)


def _letter(tx: Tx, game_id: int, letter: LetterPart) -> None:
    tx.enqueue(
        game_id, letter.kind, letter.to, letter.message_id, letter.raw, letter.thread, letter.notices,
        letter.not_before, seat=letter.seat, held=letter.state == "held", created=letter.created,
    )  # fmt: skip
