"""Who steers a game: naming one more storyteller, and taking one's leave.

Each of them gets what the storyteller gets and may write all that the storyteller may (MAIL.md § 3), so whoever is left
takes over. A storyteller's address cannot play in his game, and a game is never without one. MAIL.md has no verb for
it: it is the host's command, `pbem game storyteller`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbem.app import addresses, party
from pbem.app.desk import Desk
from pbem.letters.book import Correspondent

if TYPE_CHECKING:
    from datetime import datetime

    from pbem.app.office import Office
    from pbem.store import Tx


class Unfit(ValueError):  # noqa: N818  (it is the answer, not a failure)
    """He cannot be made a storyteller, or not be let go; the text says why."""


def name(office: Office, tx: Tx, game_id: int, address: str, now: datetime, *, language: str = "") -> bool:
    """One more storyteller: he gets the whole state of the game, as STATUS tells it. Whether that is news.

    Raises Unfit.
    """
    role = party.in_game(tx, game_id, address).role
    game = office.settings.game
    if role == "player":
        raise Unfit(f"{address}: plays in this game; expected somebody who does not")
    if addresses.ours(game, address):
        raise Unfit(f"{address}: expected a person, not the address of the game or of the list")
    if role == "storyteller":
        return False
    addresses.reads_no_more(tx, game_id, address)  # who knows everything follows nothing
    desk = Desk(office, tx, game_id, now)
    spoken = language or desk.game.options.language
    tx.add_storyteller(game_id, address, language=spoken)
    desk.people_changed()
    desk.send([office.scribe.storyteller_status(Correspondent(address, spoken), desk.game, desk.book, at=now)])
    return True


def dismiss(tx: Tx, game_id: int, address: str) -> None:
    """He steers no longer. Raises Unfit if he did not, or is the last."""
    steering = [row.address for row in tx.storytellers(game_id)]
    if address not in steering:
        raise Unfit(f"{address}: expected one of {', '.join(steering)}")
    if len(steering) == 1:
        raise Unfit(f"{address}: is the last storyteller; name another one first (--add)")
    tx.remove_storyteller(game_id, address)
