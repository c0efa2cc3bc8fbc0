"""What a bot is, whatever its strength."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pbem.balance.minds.facts import Fact, Name, Statement


class Mind(Protocol):
    """One player's head.

    Public facts reach it by the commons it shares; `hear` brings those that are meant for it alone. The moments of a
    turn are: morning (it speaks), afternoon (it may answer what was said), evening (votes and the day's powers), dusk
    (the pack whispers, the night's powers) and, for a prescient, vision.
    """

    name: Name

    def hear(self, fact: Fact) -> None:
        """Learn something in private."""

    def speak(self) -> Sequence[Statement]:
        """What it says in the morning; nothing is small talk."""

    def answer(self) -> Sequence[Statement]:
        """What it says when it has heard the others; if nothing, it keeps quiet."""

    def whisper(self) -> Sequence[Statement]:
        """What it says to the pack before the night."""

    def use(self, verb: str, choices: Sequence[Name]) -> tuple[Name, ...] | None:
        """Whether, and on whom, it uses this verb (by its English name); `choices` are all that it may name now.

        () uses a verb that names nobody; two names for those that take two; ("ANYONE",) and a role's slug where the
        verb knows them; None leaves it.
        """
