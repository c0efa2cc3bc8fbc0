"""Small games to write letters about: a real game run through the engine, and the book of its people."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from pbem.engine.commands import Deal, Join, OpenGame, OpenRegistration, Order, Start, Tick, Words
from pbem.engine.decide import decide, next_wakeup
from pbem.engine.evolve import evolve
from pbem.engine.options import Options
from pbem.engine.state import Game
from pbem.letters.book import Book, Correspondent
from pbem.letters.scribe import Scribe
from pbem.resources import templates_dir

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pbem.engine.commands import Command
    from pbem.engine.events import Event
    from pbem.post import Letter

MONDAY = datetime(2026, 12, 7, 8, 0, tzinfo=UTC)
"""09:00 in Paris."""
SCRIBE = Scribe([templates_dir()])
CAST = (
    ("Alice", "f", "seer"),
    ("Bruno", "m", "werewolf"),
    ("Chloé", "f", "villager"),
    ("David", "m", "militia"),
    ("Émile", "m", "villager"),
)
"""Name, gender and role, in seat order."""
OPTIONS = Options(min_debate=0, inactivity="off", composition="public")


class Village:
    """A game that goes on, command by command; `events` of the last one, the game `before` and `after` it."""

    def __init__(
        self,
        cast: Sequence[tuple[str, str, str]] = CAST,
        options: Options = OPTIONS,
        *,
        mayor: int | None = 0,
        heir: int = 0,
        lovers: tuple[int, int] | None = None,
        immune: tuple[int, ...] = (),
        languages: str = "fr en",
        tags: str = "plus",
    ) -> None:
        self.game = self.before = Game()
        self.history: list[Event] = []
        self.events: tuple[Event, ...] = ()
        self.at = MONDAY
        self.book = book(cast, languages=languages, tags=tags, language=options.language)
        self.do(OpenGame(self.at, "PL1", options, "ab" * 32))
        self.do(OpenRegistration(self.at))
        for name, gender, _ in cast:
            self.do(Join(self.at, name, gender))
        self.do(Deal(self.at, tuple(role for _, _, role in cast)))
        self._start = Start(self.at, immune, mayor, heir, lovers)

    def start(self) -> list[Letter]:
        """The first day begins."""
        return self.letters(self._start)

    def do(self, command: Command) -> tuple[Event, ...]:
        self.before, self.at = self.game, command.at
        self.events = decide(self.game, command)
        for event in self.events:
            self.game = evolve(self.game, event)
        self.history += self.events
        return self.events

    def letters(self, command: Command, actor: int = 0) -> list[Letter]:
        """What the game writes because of that command."""
        history = tuple(self.history)
        self.do(command)
        return SCRIBE.batch(self.events, self.before, self.game, self.book, at=self.at, actor=actor, history=history)

    def order(
        self, seat: int, verb: str, *seats: int, word: str = "", text: str = "", elects: int = 0
    ) -> tuple[Event, ...]:
        """An order of a player's, a minute after the last command."""
        self.at += timedelta(minutes=1)
        return self.do(Order(self.at, seat, verb, Words(seats, word, text, elects)))

    def until(self, letter_kind: str) -> list[Letter]:
        """Time passes until a letter of that kind to the list, or to anybody."""
        for _ in range(40):
            due = next_wakeup(self.game)
            assert due is not None, f"no {letter_kind}"
            letters = self.letters(Tick(due))
            if any(letter.kind == letter_kind for letter in letters):
                return letters
        raise AssertionError(f"no {letter_kind}")


def book(
    cast: Sequence[tuple[str, str, str]], *, languages: str = "fr en", tags: str = "plus", language: str = "fr"
) -> Book:
    """The people of a cast: seats speak the given languages in turn."""
    spoken = languages.split()
    return Book(
        code="PL1",
        game_address="lune@example.org",
        list_address="village@example.org",
        tags=tags,
        seats={
            n: Correspondent(f"p{n}@example.net", spoken[(n - 1) % len(spoken)], gender, tag_of(n), name)
            for n, (name, gender, _) in enumerate(cast, 1)
        },
        storytellers=(Correspondent("conteur@example.org", "fr", "f", None, "Conteur"),),
        readers=(Correspondent("lectrice@example.net", "en", "f", None, "Luce", "watch"),),
        language=language,
    )


def tag_of(seat: int) -> str:
    """The personal tag of a seat."""
    return f"tag{seat:02}k7f3q9x2m5z"[:16].ljust(16, "0")


def with_roles(cast: Sequence[tuple[str, str, str]], **roles: str) -> list[tuple[str, str, str]]:
    """The same people, some with other roles."""
    return [(name, gender, roles.get(name, role)) for name, gender, role in cast]


def to(letters: Sequence[Letter], seat: int) -> list[Letter]:
    """Those to that seat."""
    return [letter for letter in letters if letter.to == f"p{seat}@example.net"]


def to_list(letters: Sequence[Letter]) -> list[Letter]:
    """Those to the list."""
    return [letter for letter in letters if letter.to == "village@example.org"]


__all__ = ["CAST", "OPTIONS", "SCRIBE", "Village", "book", "replace", "tag_of", "to", "to_list", "with_roles"]
