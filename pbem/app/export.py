"""`pbem game export`: a game as one JSON object, so that anybody can decide it again (`pbem verify`).

It holds the log of events and the commands that led to them, as the store's codec writes them: names, roles, orders,
posts, dice, the seed; no address, no tag, no mail. Of a game that is not over that is every secret.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final

from pbem import __version__
from pbem.store import codec

if TYPE_CHECKING:
    from pbem.store import Tx

FORMAT: Final = "pbem-game"
VERSION: Final = 1


def export(tx: Tx, game_id: int) -> dict[str, Any]:
    """The object, ready for `json.dumps`. Raises KeyError if there is no such game."""
    game = tx.game(game_id)
    return {
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
