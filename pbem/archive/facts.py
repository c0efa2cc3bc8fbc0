"""What the archive is told: frozen records, gathered by the application, with nothing secret in them before the end.

Texts are as people wrote them, but for `safe.public` having taken out control characters and addresses. Instants are
aware, in UTC. Whoever makes these records answers for what they hold; nothing else reaches a page.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from datetime import datetime

    from pbem.engine.chronicle import Chronicle
    from pbem.engine.events import Public
    from pbem.engine.view import PublicView


class Tongue(Protocol):
    """One language: its words, and the names of roles in it."""

    language: str

    def __call__(self, context: str, key: str, **fields: object) -> str:
        """The word for `key`. Raises KeyError if there is none."""
        ...

    def get(self, context: str, key: str) -> str:
        """The same, or ''."""
        ...

    def gendered(self, context: str, key: str, gender: str, **fields: object) -> str:
        """The word in the form of that gender, where the language has one."""
        ...

    def count(self, key: str, n: int) -> str:
        """So many of something."""
        ...

    def role(self, slug: str, gender: str = "m", form: str = "bare") -> str:
        """A role's name: `form` is bare, name (with the article), indefinite or plural."""
        ...


@dataclass(frozen=True, slots=True)
class Narration:
    """The storyteller's words at the head of a digest, in his little markup."""

    text: str


@dataclass(frozen=True, slots=True)
class Happening:
    """One thing that everybody was told, in the order of the telling.

    `turn` is the day under which the list told it (0: before the first). `name` is, for a post, a departure or a
    replacement, what the seat was called until then. `undone`: the storyteller took it back later. `mark` tells this
    record from any other, so that who has it knows what a page is made of without reading it. `answers` is, for a post,
    the mark of the post that it answers ('': none that is known).
    """

    at: datetime
    turn: int
    event: Public | Narration
    name: str = ""
    undone: bool = False
    mark: str = ""
    answers: str = ""


@dataclass(frozen=True, slots=True)
class Deadline:
    """Something that will close: `key` is election, execution, tie-break, sunset, vision or murder."""

    key: str
    at: datetime
    sure: bool = True


@dataclass(frozen=True, slots=True)
class Closed:
    """Something that closed on that day: `key` as in `Deadline`; `at` is its deadline, or when it was ended early."""

    turn: int
    key: str
    at: datetime


@dataclass(frozen=True, slots=True)
class Truth:
    """The game as it really was, once it is over (WIN-8).

    `dealt` are the roles of the start in seat order, `couples` pairs of seats. `export` makes the file for
    `pbem verify`; `program` is the version that wrote it. `mark` as in `Happening`.
    """

    chronicle: Chronicle
    dealt: tuple[str, ...]
    couples: tuple[tuple[int, int], ...]
    seed: str
    commitment: str
    program: str
    export: Callable[[], bytes]
    mark: str = ""


@dataclass(frozen=True, slots=True)
class GameFacts:
    """One game as it may be shown now. `telling`: a digest waits for the storyteller's words, so the story stands
    still a while. `truth` is None until the end has been told. `first` says when it was opened. `deadlines` are what
    will close, `closed` what has, in order.
    """

    view: PublicView
    happenings: tuple[Happening, ...]
    first: datetime
    deadlines: tuple[Deadline, ...] = ()
    telling: bool = False
    truth: Truth | None = None
    closed: tuple[Closed, ...] = ()


@dataclass(frozen=True, slots=True)
class Mail:
    """One mail of the list as it was sent, without any person's address in it; `n` grows from one to the next."""

    n: int
    at: datetime
    raw: bytes


@dataclass(frozen=True, slots=True)
class Honour:
    """A line of the hall of fame: what one person did under one name.

    `played` and `won` count finished games by role as dealt; `sides` the same by side: (played, won).
    """

    name: str
    gender: str
    games: tuple[str, ...]
    played: int
    won: int
    sides: Mapping[str, tuple[int, int]] = field(default_factory=dict)
    roles: Mapping[str, tuple[int, int]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class House:
    """What holds for the whole site: its name, its language, where readers find it ('' if nobody said), the addresses
    of the game's own mailbox and of its list, and whether search engines should stay away.
    """

    name: str
    language: str
    url: str = ""
    mailbox: str = ""
    list_address: str = ""
    noindex: bool = False
