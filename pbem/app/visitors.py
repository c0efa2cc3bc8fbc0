"""What may be asked by who does not play: readers and strangers (MAIL.md § 3). Everything else is `not-in-game`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from pbem.app import correspondence, players, registration
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
    if reading.secret_in_public:
        return [refused(reading.publication or "SAY", "", "secret-in-public")]
    found = [_deed(asking, spoken, may) for spoken in reading.commands if spoken.where != "closing"]
    lost = [refused("", line, "not-in-game" if may is _ANYONE else "unknown-command", line) for line in reading.unknown]
    return [*found, *lost, *players.dropped(reading)]


def _deed(asking: Asking, spoken: Spoken, may: dict[str, Callable[[Asking, Spoken], Deed]]) -> Deed:
    make = may.get(spoken.verb)
    if make is None or spoken.admin:
        return refused(spoken.verb, spoken.args, "not-in-game")
    return make(asking, spoken)
