"""What may be asked by who does not play: readers and strangers (MAIL.md § 3). Everything else is `not-in-game`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from pbem.app import correspondence, players, registration
from pbem.app import heard as heard_of
from pbem.app.deeds import Deed, refused

if TYPE_CHECKING:
    from collections.abc import Callable

    from pbem.app.deeds import Asking
    from pbem.orders.grammar import Spoken

_ANYONE: Final[dict[str, Callable[[Asking, Spoken], Deed]]] = {
    "HELP": players.helped,
    "RULES": players.helped,
    "JOIN": registration.join,
    "WATCH": registration.watch,
    "QUESTION": players.order,
}
_READER: Final[dict[str, Callable[[Asking, Spoken], Deed]]] = {
    **_ANYONE,
    "UNWATCH": registration.unwatch,
    "GRAVEYARD": players.order,
    "LANG": correspondence.language,
    "MAIL": correspondence.amount,
}


def deeds(asking: Asking) -> list[Deed]:
    """The deeds of a reader's or a stranger's mail."""
    reading = asking.reading
    may = _READER if asking.party.role == "reader" else _ANYONE
    if reading.publication and reading.publication not in may:
        return [refused(reading.publication, "", "not-in-game")]
    if reading.publication and reading.unknown:
        return [refused(reading.publication, "", "unknown-command", reading.unknown[0])]
    if reading.secret_in_public or players.shows_a_tag(asking):
        return [refused(reading.publication or "SAY", "", "secret-in-public")]
    heard = heard_of.in_order(reading, asking.lines)
    return [*(_deed(asking, one, may) for one in heard), *players.dropped(reading)]


def _deed(asking: Asking, spoken: Spoken | str, may: dict[str, Callable[[Asking, Spoken], Deed]]) -> Deed:
    if isinstance(spoken, str):
        return refused("", spoken, "not-in-game" if may is _ANYONE else "unknown-command", spoken)
    make = may.get(spoken.verb)
    if make is None or spoken.admin:
        return refused(spoken.verb, spoken.args, "not-in-game")
    return make(asking, spoken)
