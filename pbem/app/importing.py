"""`pbem game import`: a game from the file that `pbem game export` wrote, into this database.

The record is checked first, as `pbem verify` does: what comes in follows from its commands, event by event. A game that
is over comes in as it is, for the archive and for keeps. One that goes on needs its people (`export --people`): then it
goes on here, its letters answer those of before, and personal tags stay good where the game's address is the same.
"""

from __future__ import annotations

import base64
import json
from datetime import datetime
from typing import TYPE_CHECKING, Any

from pbem.app.verify import NotAnExport, Record, parse, verify
from pbem.store import StoreError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from pbem.engine.commands import Command
    from pbem.engine.events import Event
    from pbem.store import Tx


class CannotImport(ValueError):  # noqa: N818  (it says what is in the way)
    """The game does not come in; the text says why, in one line."""


def bring_in(tx: Tx, text: str) -> str:
    """The game's code, when all of it is written. Raises CannotImport; then the transaction must be given up."""
    try:
        record, given = parse(text), json.loads(text)
    except NotAnExport as error:
        raise CannotImport(str(error)) from None
    _check(tx, record, given)
    try:
        game_id = tx.create_game(record.code, str(given["series"]), datetime.fromisoformat(given["created"]))
        for at, command, events in _pieces(record, given):
            tx.append(game_id, events, tx.load(game_id)[1], at, command=command)
        if "people" in given:
            _people(tx, game_id, given["people"])
    except (KeyError, TypeError, ValueError) as error:
        raise CannotImport(f"it is damaged ({type(error).__name__} {error})") from None
    except StoreError as error:
        if error.kind != "broken-rule":
            raise
        raise CannotImport("its letters or personal tags are in this database already: is it this very game?") from None
    return record.code


def _check(tx: Tx, record: Record, given: Mapping[str, Any]) -> None:
    report = verify(record)
    wrong = next((fault for check in report.checks for fault in check.faults), "")
    if wrong:
        raise CannotImport(f"it does not hold: {wrong}")
    if tx.game_id(record.code) is not None:
        raise CannotImport(f"there is a game {record.code} already")
    if not report.over and "people" not in given:
        raise CannotImport("the game is not over and nobody's address is in it: export it with --people")


def _pieces(record: Record, given: Mapping[str, Any]) -> Iterator[tuple[datetime, Command | None, list[Event]]]:
    """The log in the pieces in which it was written: when, the command if there was one, the events."""
    moments = [datetime.fromisoformat(row["at"]) for row in given["events"]]
    decided = [datetime.fromisoformat(row["at"]) for row in given["commands"]]
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


def _people(tx: Tx, game_id: int, given: Mapping[str, Any]) -> None:
    """Who is written to; and what was under way."""
    for row in given["players"]:
        tx.add_player(game_id, row["seat"], row["address"], row["language"], row["gender"], row["tag"])
        tx.set_player(game_id, row["seat"], amount=row["amount"], reminders=row["reminders"])
    for row in given["storytellers"]:
        known = {"name": row["name"], "language": row["language"], "gender": row["gender"]}
        tx.add_storyteller(game_id, row["address"], **known)
    for row in given["readers"]:
        known = {"name": row["name"], "language": row["language"], "amount": row["amount"]}
        tx.add_reader(game_id, row["address"], row["tag"], **known)
    for address in given["graveyard"]:
        tx.note_graveyard(game_id, address)
    for thread, root, last in given["threads"]:
        tx.note_thread(game_id, thread, root)
        tx.note_thread(game_id, thread, last)
    for key, value in given["values"].items():
        tx.set(f"{key}:{game_id}", value)
    for address, due, piece in given["collected"]:
        tx.collect(game_id, address, datetime.fromisoformat(due), piece)
    for row in given["letters"]:
        _letter(tx, game_id, row)
    for row in given["held"]:
        moments = datetime.fromisoformat(row["received"]), datetime.fromisoformat(row["created"])
        raw = base64.b64decode(row["raw"])
        tx.hold(row["code"], game_id, row["seat"], row["address"], raw, moments[0], row["commands"], moments[1])


def _letter(tx: Tx, game_id: int, row: Mapping[str, Any]) -> None:
    tx.enqueue(
        game_id, row["kind"], row["to"], row["message_id"], base64.b64decode(row["raw"]), row["thread"], row["notices"],
        datetime.fromisoformat(row["not_before"]), seat=row["seat"], held=row["state"] == "held",
        created=datetime.fromisoformat(row["created"]),
    )  # fmt: skip
