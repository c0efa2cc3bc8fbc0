"""UNDO: the last resolution is taken back, as long as nothing was built on it (MAIL.md § 3, *The storyteller's*).

The log keeps everything: an `Undone` says which events no longer count. The phase opens again, with half an hour for
the storyteller to put right what was wrong (he may EXTEND, or RESOLVE at once): without it the clock, which has passed
the old deadline, would close it again at the next poll. Dice that are drawn again are new ones.
"""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Final

from pbem.app import addresses, narration
from pbem.app.deliver import GRAVEYARD_KINDS
from pbem.app.desk import Refusal
from pbem.engine import commands as c
from pbem.engine.events import (
    DeadlineMoved,
    DigestsHeld,
    ElectionSet,
    Excused,
    Narrated,
    OrderTaken,
    PhaseClosed,
    Undone,
)
from pbem.engine.evolve import replay
from pbem.engine.state import Phase

if TYPE_CHECKING:
    from collections.abc import Collection
    from datetime import datetime

    from pbem.app.deeds import Events
    from pbem.app.desk import Desk
    from pbem.engine.events import Event
    from pbem.engine.state import Game
    from pbem.store import CommandRow

ROOM: Final = timedelta(minutes=30)
_TALK: Final = frozenset({"SAY", "PACK", "GRAVEYARD", "QUESTION", "ABSENT"})
_HARMLESS: Final = (c.Narrate, c.Hold, c.Announce, c.Tell, c.Excuse, c.MailboxDown)


def objection(desk: Desk) -> Refusal | None:
    """`wrong-time`: there is nothing to take back; `too-late`: something was built on it."""
    if desk.game.phase is Phase.OVER:
        return Refusal("game-over")
    found = _last(desk)
    if found is None:
        return Refusal("wrong-time")
    return Refusal("too-late") if found[1] else None


def take_back(desk: Desk, at: datetime) -> Events:
    """Append what takes the last resolution back; what happened."""
    version, before = _goal(desk)
    narration.drop(desk, version)
    _leave_the_graveyard(desk, _risen(desk, before))
    events = (Undone(version, at), *_kept_on(desk, version), *_reopened(before, at))
    desk.put(events)
    return events


def warning(desk: Desk) -> tuple[str, str]:
    """What the storyteller is told with the acceptance (`Deed.remark`): whoever lives again has read with the dead."""
    seats = _risen(desk, _goal(desk)[1])
    rows = [row for row in desk.tx.players(desk.game_id) if row.seat in seats]
    read = any(addresses.read_graveyard(desk.tx, desk.game_id, row.address) for row in rows)
    return ("warning", "read-graveyard") if read else ("", "")


def _goal(desk: Desk) -> tuple[int, Game]:
    """The version to go back to, and the game as it was then."""
    found = _last(desk)
    assert found is not None
    version = found[0].version
    return version, replay(row.event for row in desk.tx.events(desk.game_id) if row.n <= version)


def _risen(desk: Desk, before: Game) -> frozenset[int]:
    """The seats of those who are dead now, and were not then."""
    return frozenset(player.seat for player in before.living if not desk.game.player(player.seat).alive)


def _leave_the_graveyard(desk: Desk, seats: Collection[int]) -> None:
    """ORG-2: who lives again reads no more among the dead, under none of his addresses, nor what still waits there."""

    def theirs(address: str) -> bool:
        return addresses.former_seat(desk.tx, desk.game_id, address) in seats

    for reader in desk.tx.readers(desk.game_id):
        if theirs(reader.address):
            desk.tx.remove_reader(desk.game_id, reader.address)
    kept = [one for one in desk.tx.collected(desk.game_id) if theirs(one[0])]
    for address in {address for address, _, _ in kept}:
        desk.tx.take_collected(desk.game_id, address)
    for address, due, piece in kept:
        if piece["kind"] not in GRAVEYARD_KINDS:
            desk.tx.collect(desk.game_id, address, due, piece)
    desk.people_changed()


def _kept_on(desk: Desk, version: int) -> list[Event]:
    """What the storyteller has said and settled since stays."""
    since = (row.event for row in desk.tx.events(desk.game_id, after=version))
    return [event for event in since if isinstance(event, (Narrated, DigestsHeld, Excused))]


def _reopened(before: Game, at: datetime) -> list[Event]:
    """Time for what was closed too early: at least `ROOM` from now."""
    events: list[Event] = []
    end = at + ROOM
    if before.deadline is not None and before.deadline < end:
        events.append(DeadlineMoved(before.phase.value, end))
    if before.election is not None and before.election.opens <= at and before.election.closes < end:
        events.append(ElectionSet(before.election.opens, end))
    return events


def _last(desk: Desk) -> tuple[CommandRow, bool] | None:
    """The command of the last resolution (vision and its murder are one), and whether something stands on it."""
    log = [row.event for row in desk.tx.events(desk.game_id)]
    built = False
    undone = max((n for n, event in enumerate(log) if isinstance(event, Undone)), default=-1)
    rows = [row for row in desk.tx.commands(desk.game_id) if row.count and row.version > undone]
    while rows:
        row = rows.pop()
        happened = log[row.version : row.version + row.count]
        closed = [event.what for event in happened if isinstance(event, PhaseClosed)]
        if closed:
            return (_vision_of(rows, log) if closed == ["murder"] else None) or row, built
        # A post is talk, but its last sentence may be a ballot (MAYOR-2), which is an order like any other.
        built = built or not _harmless(row.command) or any(isinstance(event, OrderTaken) for event in happened)
    return None


def _vision_of(rows: list[CommandRow], log: list[Event]) -> CommandRow | None:
    """The close of vision, if it came right before its murder (FINE-15)."""
    if not rows:
        return None
    events = log[rows[-1].version : rows[-1].version + rows[-1].count]
    return rows[-1] if any(isinstance(event, PhaseClosed) and event.what == "vision" for event in events) else None


def _harmless(command: c.Command) -> bool:
    """What stands on nothing: talk, the storyteller's pen, reminders."""
    if isinstance(command, c.Order):
        return command.verb in _TALK
    return isinstance(command, (*_HARMLESS, c.Tick))
