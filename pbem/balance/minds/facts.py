"""What a bot may hear, and what it may say. Players are their names; nothing here knows of seats or letters.

Facts are what the game tells: to everybody (`Public`), or to one player. Statements are what players tell each other:
true or not, they are only words.
"""

from __future__ import annotations

from dataclasses import dataclass

Name = str
"""A player, by the name that the village calls him."""

ACCUSE = "accuse"
CLAIM = "claim"
SAW = "saw"
PREY = "prey"
"""The kinds of statements: I suspect `who`; I am a `role`; I know that `who` is a `role`; let the pack take `who`."""


@dataclass(frozen=True, slots=True)
class Statement:
    """One thing said. `who` and `role` as the kind wants them."""

    kind: str
    who: Name = ""
    role: str = ""


@dataclass(frozen=True, slots=True)
class Fact:
    """Something that a player learns."""


@dataclass(frozen=True, slots=True)
class Public(Fact):
    """Something that all learn."""


@dataclass(frozen=True, slots=True)
class Dawn(Public):
    """A day begins, with these alive, in the order of their seats."""

    day: int
    living: tuple[Name, ...]


@dataclass(frozen=True, slots=True)
class Said(Public):
    """A post in the village."""

    who: Name
    statements: tuple[Statement, ...]


@dataclass(frozen=True, slots=True)
class Voted(Public):
    """The vote record of an execution (ORG-3): pairs (voter, target), blanks left out."""

    record: tuple[tuple[Name, Name], ...]


@dataclass(frozen=True, slots=True)
class Fell(Public):
    """A death; `burned`: by the village's vote."""

    who: Name
    role: str
    burned: bool


@dataclass(frozen=True, slots=True)
class Mayor(Public):
    """Who is mayor now; '' for nobody."""

    who: Name


@dataclass(frozen=True, slots=True)
class Became(Fact):
    """One's own role, at the start or by corruption; with the pack that one has then joined."""

    role: str
    pack: tuple[Name, ...] = ()


@dataclass(frozen=True, slots=True)
class Pack(Fact):
    """One's fellow wolves, or who has joined them."""

    who: tuple[Name, ...]


@dataclass(frozen=True, slots=True)
class Loves(Fact):
    """One's lover."""

    who: Name


@dataclass(frozen=True, slots=True)
class Learnt(Fact):
    """The role that somebody has for certain; `werewolf` also for who is only known to be of the night."""

    who: Name
    role: str


@dataclass(frozen=True, slots=True)
class Counted(Fact):
    """How many were dealt that role."""

    role: str
    number: int


@dataclass(frozen=True, slots=True)
class Threatened(Fact):
    """Who would die tonight."""

    who: tuple[Name, ...]


@dataclass(frozen=True, slots=True)
class Whispered(Fact):
    """Words in the pack."""

    who: Name
    statements: tuple[Statement, ...]
