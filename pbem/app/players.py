"""What a player's mail asks for (MAIL.md § 3), as deeds.

The engine judges what the rules know. What it cannot see is refused here, in the order of § 6: an unknown verb, a
storyteller's verb, a mail for publication that holds a secret.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from pbem.app import correspondence, interpret, registration
from pbem.app import heard as heard_of
from pbem.app.deeds import Deed, answered, barred, decided, refused
from pbem.engine.commands import Order, Words
from pbem.engine.phases.day import ballot_objection
from pbem.engine.roles import LEXICON
from pbem.engine.verbs import COMMON
from pbem.mail.glimpse import written_in
from pbem.orders import grammar

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from pbem.app.deeds import Asking
    from pbem.app.desk import Desk
    from pbem.orders.grammar import Spoken
    from pbem.orders.reading import Reading

PUBLISHING: Final = frozenset({"SAY", "PACK", "GRAVEYARD"})
_BEFORE_UNKNOWN: Final = frozenset({"not-in-game", "game-over", "game-paused"})
_BEFORE_SECRET: Final = _BEFORE_UNKNOWN | {
    "dead-actor",
    "graveyard-only",
    "not-your-power",
    "already-used",
    "wrong-time",
}
"""The codes that come before `unknown-command`, and before `secret-in-public` (MAIL.md § 6)."""
ROLE_VERBS: Final = frozenset(verb.name for verb in LEXICON) - frozenset(verb.name for verb in COMMON)
"""The verbs that roles bring."""


def deeds(asking: Asking) -> list[Deed]:
    """The deeds of a player's mail, in the order of its commands."""
    reading = asking.reading
    if reading.publication and reading.unknown:
        return [_whole(asking, "unknown-command", reading.unknown[0])]
    if reading.secret_in_public or shows_a_tag(asking):
        return [_whole(asking, "secret-in-public")]
    heard = heard_of.in_order(reading, asking.lines)
    return [*(_deed(asking, one) for one in heard), *dropped(reading)]


def shows_a_tag(asking: Asking) -> bool:
    """MAIL.md § 2.5: a mail for publication that holds anybody's personal tag in its subject or its own words."""
    reading, tx = asking.reading, asking.desk.tx
    if not reading.publication:
        return False
    said = (asking.subject, asking.name, reading.text, *reading.unknown, *(told.args for told in reading.commands))
    if written_in(said, tags(asking.desk)):
        return True
    return any(tx.by_tag(word) is not None for word in (*reading.exposed, *reading.tokens))


def tags(desk: Desk) -> list[str]:
    """The current personal tags of the game's players."""
    return [player.tag for player in desk.tx.players(desk.game_id)]


def _whole(asking: Asking, code: str, words: str = "") -> Deed:
    """A publication refused whole: nothing published, nothing done (MAIL.md § 2.5), by the first code of § 6."""
    verb, desk = asking.reading.publication or "SAY", asking.desk
    because = desk.judge(Order(asking.at, asking.party.seat, verb, Words(text="…"), asking.name))
    before = _BEFORE_UNKNOWN if code == "unknown-command" else _BEFORE_SECRET
    first = because.code if because is not None and because.code in before else code
    return refused(verb, "", first, words if first == code else "")


def unknown(desk: Desk, line: str) -> Deed:
    """A `!` line that no verb begins, with the verb that was perhaps meant."""
    because = barred(desk)
    tried = grammar.attempt(line)
    return refused("", line, because.code if because else "unknown-command", line, [tried] if tried else [])


def dropped(reading: Reading) -> Iterator[Deed]:
    """What one mail asks beyond the limit is not done; its writer is told once."""
    if reading.dropped:
        yield refused("", "", "too-long", str(reading.dropped))


def _deed(asking: Asking, spoken: Spoken | str) -> Deed:
    if isinstance(spoken, str):
        return unknown(asking.desk, spoken)
    if spoken.admin:
        because = barred(asking.desk)
        return refused(spoken.verb, spoken.args, because.code if because else "not-storyteller")
    make = _OWN.get(spoken.verb)
    return make(asking, spoken) if make else order(asking, spoken)


def order(asking: Asking, spoken: Spoken, *, seat: int | None = None, by_storyteller: bool = False) -> Deed:
    """A verb that the rules judge, of the writer or, by the storyteller's ORDER, of `seat`."""
    desk, reading = asking.desk, asking.reading
    seat = asking.party.seat if seat is None else seat
    closing = next((c.args for c in reading.commands if c.where == "closing"), "") if spoken.verb == "SAY" else ""
    text = body(spoken, reading)
    words = interpret.words(spoken.verb, spoken.args, desk.game, text=text, closing=closing)
    asked = Order(asking.at, seat, spoken.verb, words, asking.name, by_storyteller)
    deed = decided(desk, asked, spoken.verb, spoken.args, actor=0 if by_storyteller else seat)
    return Deed(
        deed.verb, deed.args, deed.objection, deed.act, deed.needs,
        remark=_ballot(desk, asked, closing) if closing else deed.remark, publishes=spoken.verb in PUBLISHING,
    )  # fmt: skip


def body(spoken: Spoken, reading: Reading) -> str:
    """The words that a command publishes or passes on: of a `!` line what stands in it, if anything does."""
    return "" if spoken.where == "bang" and spoken.args else reading.text


def _ballot(desk: Desk, asked: Order, closing: str) -> Callable[[], tuple[str, str]]:
    """FINE-20: why the last sentence of a post elects nobody, if so."""

    def remark() -> tuple[str, str]:
        code = ballot_objection(desk.game, asked)
        return (code, closing) if code else ("", "")

    return remark


def helped(asking: Asking, spoken: Spoken) -> Deed:
    """HELP and RULES: answered to anybody, proven or not."""
    del asking
    return answered(spoken.verb, spoken.args, "nothing")


def _status(asking: Asking, spoken: Spoken) -> Deed:
    del asking
    return answered(spoken.verb, spoken.args)


_OWN: Final[dict[str, Callable[[Asking, Spoken], Deed]]] = {
    "STATUS": _status,
    "HELP": helped,
    "RULES": helped,
    "LANG": correspondence.language,
    "MAIL": correspondence.amount,
    "ADDRESS": correspondence.address,
    "JOIN": registration.join,
    "LEAVE": registration.leave,
    "WATCH": registration.watch,
    "UNWATCH": registration.unwatch,
}
"""The verbs that need more than the engine."""
