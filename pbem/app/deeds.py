"""A deed: one command of a mail, ready to be refused, held or done; and the doing of a mail's deeds in their order.

What a command means is worked out where the deed is made (`players`, `visitors`, `storyteller`); here it is only
decided what becomes of it: refused as the game stands, held until it is proven or confirmed, or carried out.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from pbem.app.desk import Refusal
from pbem.letters.outcome import Outcome

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from datetime import datetime

    from pbem.app.desk import Desk
    from pbem.app.party import Party
    from pbem.engine.commands import Command
    from pbem.engine.events import Event
    from pbem.orders.reading import Reading

Need = Literal["nothing", "proof", "consent"]
"""What a deed needs: nothing (HELP), proof of who wrote it, or his consent by answering a letter (JOIN, ABORT)."""
Events = tuple["Event", ...]


@dataclass(frozen=True, slots=True)
class Asking:
    """A mail that asks for something: who, in which game, in what words, received when (aware, UTC).

    `name` is the sender's own, from his From line. `lines` are the whole mail's, quotation included. `subject` is as
    it came, tags and codes included.
    """

    desk: Desk
    party: Party
    reading: Reading
    at: datetime
    name: str = ""
    lines: tuple[str, ...] = ()
    subject: str = ""


@dataclass(frozen=True, slots=True)
class Deed:
    """`objection` says what speaks against it now; `act` does it and gives what happened.

    `behalf`: the seat in whose name the storyteller gives an order, and its verb.
    `remark` is told with the acceptance: a code and words (FINE-20: a last sentence that is no ballot).
    """

    verb: str
    args: str
    objection: Callable[[], Refusal | None]
    act: Callable[[], Events]
    needs: Need = "proof"
    remark: Callable[[], tuple[str, str]] = lambda: ("", "")
    publishes: bool = False
    behalf: tuple[int, str] | None = None


def nothing_against() -> Refusal | None:
    """No objection."""
    return None


def nothing_happens() -> Events:
    """No event: the acknowledgement is all there is."""
    return ()


def refused(verb: str, args: str, code: str, words: str = "", suggestions: Sequence[str] = ()) -> Deed:
    """A deed that is refused whatever happens."""
    because = Refusal(code, words, tuple(suggestions))
    return Deed(verb, args, lambda: because, nothing_happens, "nothing")


def answered(
    verb: str, args: str, needs: Need = "proof", objection: Callable[[], Refusal | None] = nothing_against
) -> Deed:
    """A deed that only asks for something the acknowledgement tells (STATUS, HELP, RULES)."""
    return Deed(verb, args, objection, nothing_happens, needs)


def decided(desk: Desk, command: Command, verb: str, args: str, *, actor: int = 0, needs: Need = "proof") -> Deed:
    """A deed that the engine decides."""
    return Deed(verb, args, lambda: desk.judge(command), lambda: desk.act(command, actor=actor), needs)


def barred(desk: Desk, *, over: bool = True) -> Refusal | None:
    """FINE-20 and the end: what keeps everything but a few verbs from working. `over` False: it works after the end."""
    if over and desk.game.winner:
        return Refusal("game-over")
    return Refusal("game-paused") if desk.game.paused else None


def perform(deeds: Sequence[Deed], *, proven: bool, consented: bool = False) -> list[Outcome]:
    """Do the deeds in their order; what becomes of each. A publication refused is refused whole (MAIL.md § 6)."""
    outcomes: list[Outcome] = []
    for deed in deeds:
        outcome = _perform(deed, proven=proven, consented=consented)
        if deed.publishes and outcome.status == "refused":
            return [*outcomes, outcome] if any(o.status == "accepted" for o in outcomes) else [outcome]
        outcomes.append(outcome)
    return outcomes


def _perform(deed: Deed, *, proven: bool, consented: bool) -> Outcome:
    against = deed.objection()
    if against is not None:
        beside = deed.act() if against.beside and proven else ()
        return Outcome(
            deed.verb, deed.args, "refused", against.code, against.words, against.suggestions, beside, deed.behalf
        )
    if (deed.needs == "proof" and not proven) or (deed.needs == "consent" and not consented):
        return Outcome(deed.verb, deed.args, "held")
    code, words = deed.remark()
    return Outcome(deed.verb, deed.args, "accepted", code, words, events=deed.act(), behalf=deed.behalf)
