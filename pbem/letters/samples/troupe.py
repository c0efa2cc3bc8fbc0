"""The people and the game that samples are written about: a real game, run through the engine.

The first seats, two a language, are the `lettered`: what is told to them shows in every language and gender. Behind
them sits one player of each role there is.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final

from pbem.engine.commands import Deal, Join, OpenGame, OpenRegistration, Order, Start, Tick, Words
from pbem.engine.decide import decide, next_wakeup
from pbem.engine.evolve import evolve
from pbem.engine.options import Options
from pbem.engine.roles import ROSTER
from pbem.engine.state import Game
from pbem.letters.book import Book, Correspondent

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from pbem.engine.commands import Command
    from pbem.engine.events import Event
    from pbem.letters.scribe import Scribe
    from pbem.post import Letter

MONDAY: Final = datetime(2026, 12, 7, 8, 0, tzinfo=UTC)
"""09:00 in Paris."""
LATER: Final = MONDAY + timedelta(hours=14)
SEED: Final = "ab" * 32
CODE: Final = "PL1"
GAME: Final = "lune@example.org"
LIST: Final = "village@example.org"
_NAMES: Final = ("Alice", "Bruno", "Chloé", "David", "Élodie", "Farid", "Gaëlle", "Hugo", "Inès", "Jonas")
_ROLES: Final = ("seer", "werewolf", "executioner", "corrupter")
_PATIENCE: Final = 40

Cast = tuple[tuple[str, str, str], ...]
"""Name, gender and role, in seat order."""


class Village:
    """A game that goes on, command by command; `events` of the last one, the game `before` and `after` it.

    `languages` are spoken by the seats in turn; `mayor` None is for an election, 0 for nobody in office.
    """

    def __init__(
        self, scribe: Scribe, cast: Sequence[tuple[str, str, str]], options: Options, languages: Sequence[str], *,
        mayor: int | None = 0, heir: int = 0, lovers: tuple[int, int] | None = None, immune: tuple[int, ...] = (),
        tags: str = "plus",
    ) -> None:  # fmt: skip
        self.scribe = scribe
        self.game = self.before = Game()
        self.history: list[Event] = []
        self.events: tuple[Event, ...] = ()
        self.at = MONDAY
        self.book = book_of(cast, languages, tags=tags, language=options.language)
        self.do(OpenGame(self.at, CODE, options, SEED))
        self.do(OpenRegistration(self.at))
        for name, gender, _ in cast:
            self.do(Join(self.at, name, gender))
        self.do(Deal(self.at, tuple(role for _, _, role in cast)))
        self._start = Start(self.at, immune, mayor, heir, lovers)

    def start(self) -> list[Letter]:
        """The first day begins."""
        return self.letters(self._start)

    def do(self, command: Command) -> tuple[Event, ...]:
        """What follows from a command."""
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
        return self.scribe.batch(
            self.events, self.before, self.game, self.book, at=self.at, actor=actor, history=history
        )

    def order(
        self, seat: int, verb: str, *seats: int, word: str = "", text: str = "", elects: int = 0
    ) -> tuple[Event, ...]:
        """An order of a player's, a minute after the last command."""
        self.at += timedelta(minutes=1)
        return self.do(Order(self.at, seat, verb, Words(seats, word, text, elects)))

    def until(self, letter_kind: str) -> list[Letter]:
        """Time passes until a letter of that kind is written, to whomever. Raises LookupError if none comes."""
        for _ in range(_PATIENCE):
            due = next_wakeup(self.game)
            if due is None:
                break
            letters = self.letters(Tick(due))
            if any(letter.kind == letter_kind for letter in letters):
                return letters
        raise LookupError(letter_kind)


def book_of(
    cast: Sequence[tuple[str, str, str]], languages: Sequence[str], *, tags: str = "plus", language: str = "fr"
) -> Book:
    """The people of a cast: seats speak the given languages in turn."""
    return Book(
        code=CODE,
        game_address=GAME,
        list_address=LIST,
        tags=tags,
        seats={
            n: Correspondent(f"p{n}@example.net", languages[(n - 1) % len(languages)], gender, tag_of(n), name)
            for n, (name, gender, _) in enumerate(cast, 1)
        },
        storytellers=(Correspondent("conteur@example.org", "fr", "f", None, "Conteur"),),
        readers=(Correspondent("lectrice@example.net", "en", "f", None, "Luce", "watch"),),
        language=language,
    )


def tag_of(seat: int) -> str:
    """The personal tag of a seat."""
    return f"tag{seat:02}k7f3q9x2m5z"[:16].ljust(16, "0")


def evolved(game: Game, events: Iterable[Event]) -> Game:
    """The game after these events."""
    for event in events:
        game = evolve(game, event)
    return game


@dataclass(frozen=True)
class Troupe:
    """Who plays in the samples that `scribe` writes; the list speaks `language`. The lettered are of several roles, or
    all of `role`.
    """

    scribe: Scribe
    language: str = "fr"
    role: str = ""

    @cached_property
    def languages(self) -> tuple[str, ...]:
        """All that the scribe speaks, the list's first."""
        others = sorted(set(self.scribe.languages) - {self.language}, reverse=True)
        return (self.language, *others)

    @cached_property
    def lettered(self) -> tuple[int, ...]:
        """The seats whose letters show every language and gender."""
        return tuple(range(1, 2 * len(self.languages) + 1))

    @cached_property
    def cast(self) -> Cast:
        """Everybody."""
        first = tuple(
            (_NAMES[n % len(_NAMES)] + " Bis" * (n // len(_NAMES)), "fm"[n % 2], self.role or _ROLES[n % len(_ROLES)])
            for n in range(len(self.lettered))
        )
        rest = tuple((f"{slug.replace('-', ' ').title()} d'Arc", "fm"[n % 2], slug) for n, slug in enumerate(ROSTER))
        return (*first, *rest)

    def other(self, number: int) -> int:
        """The seat of the `number`th player who is none of the lettered, from 1 on."""
        return len(self.lettered) + number

    def village(self, **more: Any) -> Village:
        """A game of all roles, on its first day."""
        options = Options(min_debate=0, composition=more.pop("composition", "public"), language=self.language)
        spoken = [language for language in self.languages for _ in range(2)]
        given = {"mayor": 2, "heir": 3, "immune": (self.other(1),), **more}
        start = Village(self.scribe, self.cast, options, spoken, **given)
        first = start.book.storytellers[0]
        tellers = [replace(first, language=one, address=f"t{n}@example.org") for n, one in enumerate(self.languages)]
        start.book = replace(start.book, storytellers=(replace(first, language=self.language), *tellers[1:]))
        start.start()
        return start

    @cached_property
    def day(self) -> Village:
        """The usual one of them; nobody changes it."""
        return self.village()

    def told(self, events: tuple[Event, ...], start: Village | None = None) -> list[Letter]:
        """What the game writes about these events."""
        start = start or self.day
        after = evolved(start.game, events)
        return self.scribe.batch(events, start.game, after, start.book, at=LATER, history=tuple(start.history))
