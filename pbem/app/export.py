"""`pbem game export`: a game as one JSON object, so that anybody can decide it again (`pbem verify`).

It holds the log of events and the commands that led to them, as the store's codec writes them: names, roles, orders,
posts, dice, the seed; no address, no tag, no mail. Of a game that is not over that is every secret.

With people it holds besides what the game needs to go on elsewhere (`pbem game import`): who is written to and how, the
letters that have not left, pieces of daily mails, mails that wait for their confirmation, the threads of letters; and
up to when the mailbox has been read, with the record of what was read, so that nothing is dealt with twice.
"""

from __future__ import annotations

import base64
import dataclasses
import json
from datetime import datetime
from typing import TYPE_CHECKING, Any, Final

from pbem import __version__
from pbem.app import imported
from pbem.store import codec

if TYPE_CHECKING:
    from pbem.store import Tx

FORMAT: Final = "pbem-game"
VERSION: Final = 1
_LOCAL: Final = frozenset({"id", "game_id", "mail_id", "uidvalidity", "uid"})


def export(tx: Tx, game_id: int, *, people: bool = False) -> dict[str, Any]:
    """The object, ready for `json.dumps`. Raises KeyError if there is no such game."""
    game = tx.game(game_id)
    return {
        **({"people": _people(tx, game_id)} if people else {}),
        "format": FORMAT,
        "version": VERSION,
        "program": __version__,
        "codec": codec.VERSION,
        "code": game.code,
        "series": game.series,
        "created": game.created.isoformat(),
        "ended": game.ended.isoformat() if game.ended else None,
        "commands": [
            {
                "n": row.n,
                "at": row.at.isoformat(),
                "version": row.version,
                "count": row.count,
                "command": json.loads(codec.encode_command(row.command)),
            }
            for row in tx.commands(game_id)
        ],
        "events": [
            {"n": row.n, "at": row.at.isoformat(), "event": json.loads(codec.encode_event(row.event))}
            for row in tx.events(game_id)
        ],
    }


def _people(tx: Tx, game_id: int) -> dict[str, Any]:
    """Everything else that is known of this game and still needed."""
    read_to = imported.read_to(tx, game_id)
    values = {key: value for key, value in tx.values_of(game_id).items() if key != imported.KEY}
    waiting = [letter for letter in tx.letters(game_id) if letter.state in {"pending", "claimed", "held"}]
    return {
        "players": [_plain(row) for row in tx.players(game_id)],
        "storytellers": [_plain(row) for row in tx.storytellers(game_id)],
        "readers": [_plain(row) for row in tx.readers(game_id)],
        "graveyard": tx.graveyard(game_id),
        "threads": [list(row) for row in tx.threads(game_id)],
        "values": values,
        "collected": [[address, due.isoformat(), piece] for address, due, piece in tx.collected(game_id)],
        "letters": [_plain(letter) for letter in waiting],
        "held": [_plain(row) for row in tx.held(game_id)],
        "read_to": read_to.isoformat() if read_to else None,
        "mails": [_plain(row) for row in tx.mails_of_game(game_id, since=read_to)],
    }


def _plain(row: Any) -> dict[str, Any]:
    """A row of the store for JSON: moments in ISO format, octets in base64, no number that is this database's own."""
    values = {field.name: getattr(row, field.name) for field in dataclasses.fields(row)}
    return {name: _json(value) for name, value in values.items() if name not in _LOCAL}


def _json(value: Any) -> Any:
    if isinstance(value, datetime):
        return value.isoformat()
    return base64.b64encode(value).decode("ascii") if isinstance(value, bytes) else value
