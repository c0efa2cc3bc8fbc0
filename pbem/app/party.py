"""Who is writing, to which game, and what proves it (MAIL.md §§ 1, 3 and 4).

A current personal tag names game and player; otherwise the game's code and the From address do. Who plays in exactly
one running game may leave the code out. A storyteller's address is his game's storyteller and nothing else there.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from pbem.orders.reading import Reading
    from pbem.store import Tx

Role = Literal["player", "reader", "storyteller", "stranger"]


@dataclass(frozen=True, slots=True)
class Party:
    """`address` is the registered one, to which alone answers go (a stranger's own); '' if there is none to answer.

    `game_id` is None if no game is meant, or it cannot be told which. `by_tag`: the personal tag proves him.
    """

    role: Role
    address: str
    game_id: int | None = None
    seat: int = 0
    by_tag: bool = False


def recognise(tx: Tx, reading: Reading, sender: str) -> Party:
    """Whose mail it is. `sender` is the single From address, '' if there are none or several."""
    if reading.tag and (owner := tx.by_tag(reading.tag)) is not None:
        row = tx.player(*owner)
        assert row is not None
        return Party("player", row.address, owner.game_id, owner.seat, by_tag=True)
    game_id = _game_meant(tx, reading)
    if game_id is not None:
        return in_game(tx, game_id, sender)
    if reading.code:
        return Party("stranger", sender)
    return _without_code(tx, reading, sender)


def _game_meant(tx: Tx, reading: Reading) -> int | None:
    if reading.code and (found := tx.game_id(reading.code)) is not None:
        return found
    retired = tx.retired_tag(reading.tag) if reading.tag else None
    return retired.game_id if retired else None


def in_game(tx: Tx, game_id: int, address: str) -> Party:
    """Who has that address in that game."""
    if any(row.address == address for row in tx.storytellers(game_id)):
        return Party("storyteller", address, game_id)
    seat = next((row.seat for row in tx.players(game_id) if row.address == address), 0)
    if seat:
        return Party("player", address, game_id, seat)
    follows = any(row.address == address for row in tx.readers(game_id))
    return Party("reader" if follows else "stranger", address, game_id)


def _without_code(tx: Tx, reading: Reading, address: str) -> Party:
    """The one running game that this address belongs to, else the last one it belonged to, else the one to join."""
    steers = any(spoken.admin for spoken in reading.commands)
    for running in (True, False):
        plays = [owner.game_id for owner in tx.by_address(address, running_only=running)]
        leads = tx.steered_by(address, running_only=running)
        ways: list[list[int]] = [leads, plays] if steers else [plays, leads]
        for games in (*ways, tx.watched_by(address, running_only=running)):
            meant = dict.fromkeys(games)
            if len(meant) == 1 or (meant and not running):
                return in_game(tx, list(meant)[-1], address)
            if meant:
                return Party("stranger", address)
    return Party("stranger", address, _open_game(tx))


def _open_game(tx: Tx) -> int | None:
    """The game that a stranger can mean: the only one that takes players, or the only one that runs."""
    running = [row.id for row in tx.games(running_only=True)]
    taking = [game_id for game_id in running if tx.load(game_id)[0].open]
    for games in (taking, running):
        if len(games) == 1:
            return games[0]
    return None


def known(tx: Tx, game_id: int, address: str) -> bool:
    """Whether that address has a seat in that game."""
    return in_game(tx, game_id, address).role == "player"
