"""A `Story` unfolds inside one decision: each event told is applied at once, so that what follows sees the game after
it.

It lives only within `decide`; from outside the engine stays a function of a game and a command.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbem.engine.dice import D100, roll
from pbem.engine.evolve import evolve

if TYPE_CHECKING:
    from datetime import datetime

    from pbem.engine.events import Event
    from pbem.engine.state import Game


class Story:
    """The game as it is now, and what has happened since the decision began.

    `at` is the command's moment, `read` that of its reading, never before it.
    """

    def __init__(self, game: Game, at: datetime, read: datetime | None = None) -> None:
        self.game = game
        self.at = at
        self.read = max(at, read or at)
        self.events: list[Event] = []

    def tell(self, *events: Event) -> None:
        """Let these things happen, in this order."""
        for event in events:
            self.events.append(event)
            self.game = evolve(self.game, event)

    def roll(self, purpose: str, sides: int = D100) -> int:
        """Throw a die, on record."""
        thrown = roll(self.game, purpose, sides)
        self.tell(thrown)
        return thrown.value

    @property
    def over(self) -> bool:
        """Whether somebody, or nobody, has won."""
        return self.game.winner != ""
