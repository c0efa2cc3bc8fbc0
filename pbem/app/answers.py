"""The one answer to a mail: acknowledgement, confirmation letter, or help (MAIL.md §§ 4 and 5).

An answer goes to the registered address, never to the address that a mail came from; a stranger has only his own. It is
written in the transaction of what it tells.
"""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Final

from pbem.app import party
from pbem.letters.book import Correspondent

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pbem.app.desk import Desk
    from pbem.app.party import Party
    from pbem.engine.state import Game
    from pbem.letters.outcome import Outcome

DAY: Final = timedelta(days=1)


def correspondent(desk: Desk, who: Party) -> Correspondent:
    """How the writer is written to."""
    book = desk.book
    if who.role == "player" and who.seat in book.seats:
        return book.seats[who.seat]
    known = book.storytellers if who.role == "storyteller" else book.readers
    found = next((one for one in known if one.address == who.address), None)
    return found or Correspondent(who.address, book.language)


def acknowledge(
    desk: Desk, who: Party, writer: Correspondent, outcomes: Sequence[Outcome], before: Game, message_id: str | None
) -> None:
    """Answer a mail once, with all that became of it."""
    if not writer.address:
        return
    admin = who.role == "storyteller"
    log = [outcome for outcome in outcomes if admin and outcome.verb == "LOG" and outcome.status == "accepted"]
    if log:
        events = ((row.n, row.at, row.event) for row in desk.tx.events(desk.game_id))
        scribe = desk.office.scribe
        desk.send([scribe.storyteller_log(writer, desk.game, events, desk.book, at=desk.now, message_id=message_id)])
    rest = [outcome for outcome in outcomes if outcome not in log]
    if not rest:
        return
    seat = who.seat if who.role == "player" and who.seat in desk.book.seats else 0
    letter = desk.office.scribe.acknowledge(
        rest, before, desk.game, desk.book, seat, at=desk.now, message_id=message_id,
        to=None if seat else writer, admin=admin,
    )  # fmt: skip
    desk.send([letter])


def seated(desk: Desk, who: Party) -> Party:
    """The same person after his mail was done: who joined sits somewhere now, who left does not."""
    if who.role == "storyteller":
        return who
    if who.role == "player" and desk.game.started:
        return who
    return party.in_game(desk.tx, desk.game_id, who.address)
