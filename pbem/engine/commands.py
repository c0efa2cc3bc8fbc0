"""What may be asked of a game, imperative and frozen. `at` is the arrival of the mail (CAL-6), aware, in UTC.

`read`, if it is not None, is the moment when the mailbox was read, or a held mail confirmed: windows run from there
(FINE-11).

An `Order` is whatever a player says by a verb of the protocol; what stands behind the verb is read already, into
`Words`.
The storyteller's commands are classes of their own. `Tick` says that the mailbox has been read to a moment.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from datetime import datetime

    from pbem.engine.options import Options


@dataclass(frozen=True, slots=True)
class Words:
    """What followed the verb.

    `seats` in the order named. `word`: ANYONE, a role's slug, a verb's English name. `text`: the mail's own words, or
    free
    arguments. `elects`: the seat that a post's last sentence elects (MAYOR-2), -1 if it names nobody known.
    `fault`: missing-argument, unknown-player, ambiguous-player, unknown-role or not-a-choice, if the words make no
    sense;
    `unread` is then what was not understood, and `suggestions` what was perhaps meant.
    """

    seats: tuple[int, ...] = ()
    word: str = ""
    text: str = ""
    elects: int = 0
    fault: str = ""
    unread: str = ""
    suggestions: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Command:
    """Anything asked of a game."""

    at: datetime
    read: datetime | None = field(default=None, kw_only=True)


@dataclass(frozen=True, slots=True)
class OpenGame(Command):
    """Begin a game in registration."""

    code: str
    options: Options
    seed: str
    dice: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Join(Command):
    """JOIN: take a seat. `known` says that this person sits at a seat of this game already."""

    name: str
    gender: str = "m"
    known: bool = False
    bad_name: bool = False


@dataclass(frozen=True, slots=True)
class Order(Command):
    """A player's verb, one that the rules judge (VOTE, KILL, SAY, LEAVE, ABSENT, QUESTION …). `seat` 0: no player."""

    seat: int
    verb: str
    words: Words = field(default_factory=Words)
    name: str = ""
    by_storyteller: bool = False


@dataclass(frozen=True, slots=True)
class OpenRegistration(Command):
    """OPEN."""


@dataclass(frozen=True, slots=True)
class CloseRegistration(Command):
    """CLOSE."""


@dataclass(frozen=True, slots=True)
class SetComposition(Command):
    """COMPOSITION: pairs (role, how many)."""

    counts: tuple[tuple[str, int], ...]


@dataclass(frozen=True, slots=True)
class Deal(Command):
    """DEAL: draw the roles, or deal `roles` (in seat order) as they are given. `table` is drawn from where no
    composition is set.
    """

    roles: tuple[str, ...] = ()
    table: tuple[tuple[str, int], ...] = ()


@dataclass(frozen=True, slots=True)
class Start(Command):
    """START. `mayor`: None elects one, 0 leaves the office empty at first. The other fields set a scene (rehearsals),
    and
    `immune` those of NEXT-1.
    """

    immune: tuple[int, ...] = ()
    mayor: int | None = None
    heir: int = 0
    lovers: tuple[int, int] | None = None
    table: tuple[tuple[str, int], ...] = ()


@dataclass(frozen=True, slots=True)
class Pause(Command):
    """PAUSE (CAL-7)."""


@dataclass(frozen=True, slots=True)
class Resume(Command):
    """RESUME (CAL-7)."""


@dataclass(frozen=True, slots=True)
class Extend(Command):
    """EXTEND: the current deadline moves by `seconds` of elapsed time, then by `days` of the calendar."""

    seconds: int = 0
    days: int = 0


@dataclass(frozen=True, slots=True)
class MoveDeadline(Command):
    """DEADLINE: the current phase ends at `deadline`."""

    deadline: datetime


@dataclass(frozen=True, slots=True)
class Resolve(Command):
    """RESOLVE: the current phase ends now."""


@dataclass(frozen=True, slots=True)
class Excuse(Command):
    """EXCUSE (VOTE-7); `until` None: the current span."""

    seat: int
    until: datetime | None = None


@dataclass(frozen=True, slots=True)
class Smite(Command):
    """SMITE: heart attack (ORG-4)."""

    seat: int
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Replace(Command):
    """REPLACE: somebody else plays on; an empty `name` keeps the old one."""

    seat: int
    name: str = ""
    gender: str = ""
    bad_name: bool = False


@dataclass(frozen=True, slots=True)
class Pair(Command):
    """PAIR: the storyteller makes a couple (LOVE-1)."""

    a: int
    b: int


@dataclass(frozen=True, slots=True)
class AppointMayor(Command):
    """MAYOR."""

    seat: int


@dataclass(frozen=True, slots=True)
class Narrate(Command):
    """NARRATE: told in the next digest, or in the present one if it is held."""

    text: str


@dataclass(frozen=True, slots=True)
class Hold(Command):
    """HOLD (True) or RELEASE (False)."""

    held: bool


@dataclass(frozen=True, slots=True)
class Announce(Command):
    """ANNOUNCE."""

    text: str


@dataclass(frozen=True, slots=True)
class Tell(Command):
    """TELL."""

    seat: int
    text: str


@dataclass(frozen=True, slots=True)
class Abort(Command):
    """ABORT, confirmed: the game ends, nobody wins (WIN-10)."""


@dataclass(frozen=True, slots=True)
class Tick(Command):
    """A poll that began after `at` has been read to the end: what was due by then may be resolved, one closing a
    command.
    """


@dataclass(frozen=True, slots=True)
class MailboxDown(Command):
    """A deadline has passed and the mailbox cannot be read (CAL-6): the storyteller is told once."""
