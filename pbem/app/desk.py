"""One game within one transaction: gather, decide, write down, tell.

`act` is the whole way of a command: the engine decides, the events are written with the command that led to them, and
the letters that follow go into the outbox, all in the transaction of the desk. `judge` only asks what would be refused.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from pbem.app import addressbook, daily, deliver, narration
from pbem.engine.commands import Tick
from pbem.engine.decide import decide, due, due_at
from pbem.engine.events import GameOpened, GameWon, Joined, Left, Rejected, Replaced, Undone

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from datetime import datetime

    from pbem.app.office import Office
    from pbem.engine.commands import Command
    from pbem.engine.events import Event
    from pbem.engine.state import Game
    from pbem.letters.book import Book
    from pbem.post import Letter
    from pbem.store import Tx

CLOSINGS: Final = frozenset({"election", "execution", "tie-break", "sunset", "vision", "murder"})
"""What ends a phase or an election; everything else that falls due is a letter."""
_PEOPLE: Final = (GameOpened, Joined, Left, Replaced, Undone)
"""Events after which the address book is another."""


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why a command is refused: its code (MAIL.md § 6), what was not understood, what was perhaps meant.

    `beside` are events that happen all the same (ORG-2: the storyteller hears of an intrusion).
    """

    code: str
    words: str = ""
    suggestions: tuple[str, ...] = ()
    beside: tuple[Event, ...] = ()


class Desk:
    """`now` is the moment of the poll, which letters are dated with; `cause` the record of the mail at hand.

    `answering` is the letter of the list that the mail answers, if one (`answered`): its posts go out as answers to it.
    """

    def __init__(self, office: Office, tx: Tx, game_id: int, now: datetime, cause: int | None = None) -> None:
        self.office = office
        self.tx = tx
        self.game_id = game_id
        self.now = now
        self.cause = cause
        self.answering: str | None = None
        self.happened: list[Event] = []
        self._book: Book | None = None
        self._state: tuple[Game, int] | None = None

    @property
    def game(self) -> Game:
        """As it stands after all that this desk has written."""
        return self._known()[0]

    @property
    def version(self) -> int:
        """How many events it has."""
        return self._known()[1]

    def _known(self) -> tuple[Game, int]:
        """State and version: nobody else changes the game within this transaction, so they are asked for once."""
        if self._state is None:
            self._state = self.tx.load(self.game_id)
        return self._state

    @property
    def book(self) -> Book:
        """Who is written to; made anew after `people_changed`."""
        if self._book is None:
            self._book = addressbook.book(self.tx, self.game_id, self.game, self.office.settings)
        return self._book

    def people_changed(self) -> None:
        """Somebody's address, name, tag or language is another now."""
        self._book = None

    def judge(self, command: Command) -> Refusal | None:
        """What speaks against that command as the game stands; None if nothing does."""
        return refusal(decide(self.game, replace(command, read=self.now)))

    def act(
        self, command: Command, *, actor: int = 0, between: Callable[[tuple[Event, ...]], None] | None = None
    ) -> tuple[Event, ...]:
        """Carry the command out: what happened, a refusal included (which is not written, what happens beside it is).

        `actor` is the seat whose mail this is: what he alone learns stands in his acknowledgement, so no other letter
        tells it. `between` runs after the events are written and before letters are made (new players get addresses).
        """
        before = self.game
        command = replace(command, read=self.now)  # FINE-11: a window runs from the reading that opened it
        events = decide(before, command)
        happened = tuple(event for event in events if not isinstance(event, Rejected))
        if happened or not events:
            self._write(happened, command)
            if between is not None:
                between(happened)
            self.tell(happened, before, actor=actor)
        return events

    def put(self, events: Sequence[Event], command: Command | None = None, *, actor: int = 0) -> None:
        """Write events that are decided already, and tell of them."""
        before = self.game
        self._write(events, command)
        self.tell(events, before, actor=actor)

    def _write(self, events: Sequence[Event], command: Command | None) -> None:
        self.tx.append(self.game_id, events, self.version, self.now, self.cause, command)
        self.happened += events
        self._state = None
        if any(isinstance(event, _PEOPLE) for event in events):
            self._book = None

    def tell(self, events: Sequence[Event], before: Game, *, actor: int = 0) -> None:
        """Write the letters that follow from events that have just been written."""
        if not events:
            return
        if any(isinstance(event, GameWon) for event in events):
            daily.send_all(self)  # what led to the end comes before it
        letters = self.office.scribe.batch(
            events, narration.untold(self, before), self.game, self.book, at=self.now, actor=actor,
            history=self._history(events),
        )  # fmt: skip
        narration.send(self, events, before, letters)

    def _history(self, events: Sequence[Event]) -> Sequence[Event]:
        """All that happened before: a newcomer is told (REPLACE), and everybody at the end (WIN-8).

        It is the whole log, UNDOs and what they took back included; the tellers ask `pbem.engine.undoing` what stands.
        """
        if not any(isinstance(event, Replaced | GameWon) for event in events):
            return ()
        return [row.event for row in self.tx.events(self.game_id)][: -len(events)]

    def send(self, letters: Iterable[Letter], *, held: bool = False) -> None:
        """Put letters of this game into the outbox."""
        seats = {one.address: seat for seat, one in self.book.seats.items()}
        deliver.enqueue(
            self.office, self.tx, letters, self.now, game_id=self.game_id, seats=seats, held=held,
            collect_until=daily.due(self.game.options, self.office.settings.letters.daily_at, self.now),
            answering=self.answering,
        )  # fmt: skip

    def resolve_one(self, read_to: datetime) -> str | None:
        """Let the first thing happen that is due by `read_to`, to which the mailbox has been read out; its name."""
        what = due(self.game, read_to)
        if what is not None:
            # A reminder is no leave to close what falls due between the two moments: its mails may not be read yet.
            self.act(Tick(self.now if what in CLOSINGS else min(self.now, read_to)))
        return what

    def catch_up(self, arrival: datetime) -> None:
        """CAL-6: what closed before that arrival is resolved before the mail; at the very moment it still counts."""
        while (first := due_at(self.game)) is not None and first < min(arrival, self.now):
            if self.resolve_one(arrival) is None:
                return


def refusal(events: Sequence[Event]) -> Refusal | None:
    """The refusal among events, if there is one; what happened beside it stays with it."""
    found = next((event for event in events if isinstance(event, Rejected)), None)
    if found is None:
        return None
    beside = tuple(event for event in events if event is not found)
    return Refusal(found.code, found.words, found.suggestions, beside)
