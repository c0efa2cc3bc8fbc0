"""The weakest bot: it does anything that is allowed, for no reason, and has nothing to say."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbem.engine.roles import ROSTER

if TYPE_CHECKING:
    from collections.abc import Sequence
    from random import Random

    from pbem.balance.minds.commons import Commons
    from pbem.balance.minds.facts import Fact, Name, Statement

OFTEN = {
    "VOTE": 1.0, "ELECT": 0.8, "HEIR": 0.9, "DECIDE": 1.0, "KILL": 1.0, "SEE": 1.0, "GUARD": 1.0, "HUNT": 1.0,
    "PEEK": 0.5, "PAIR": 0.8, "SPY": 0.3, "FORGE": 0.2, "DOUBLE": 0.2, "SLEEP": 0.2, "INFECT": 0.4, "SAVE": 0.4,
    "FORCE": 0.2, "SACRIFICE": 0.1, "ASK": 0.5,
}  # fmt: skip
"""How likely it is to use each verb when it may."""
TWO_NAMES = ("PAIR", "FORCE", "SACRIFICE")
NO_NAME = ("PEEK", "DOUBLE", "SLEEP", "SAVE")


class Aimless:
    """A bot without a thought. `dice` is its own source of chance."""

    def __init__(self, name: Name, commons: Commons, dice: Random) -> None:
        self.name = name
        self._commons = commons
        self._dice = dice

    def hear(self, fact: Fact) -> None:
        """It does not listen."""

    def speak(self) -> Sequence[Statement]:
        """It chats."""
        return ()

    def answer(self) -> Sequence[Statement]:
        """It has nothing to add."""
        return ()

    def whisper(self) -> Sequence[Statement]:
        """It agrees with nobody about anything."""
        return ()

    def use(self, verb: str, choices: Sequence[Name]) -> tuple[Name, ...] | None:
        """With a fixed chance, on anybody."""
        if self._dice.random() >= OFTEN.get(verb, 0.0):
            return None
        if verb in NO_NAME:
            return ()
        if verb == "ASK":
            return (self._dice.choice(tuple(ROSTER)),)
        number = 2 if verb in TWO_NAMES else 1
        return tuple(self._dice.sample(choices, number)) if len(choices) >= number else None
