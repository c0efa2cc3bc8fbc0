"""The collected part of a transaction: what waits for somebody's one mail a day (MAIL daily).

A piece is kept, in the transaction of what it tells, for one address and game, with the moment when its mail is due.
Pieces are taken out together, in the order in which they were put in, by the transaction that writes the mail.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import sqlalchemy as sa

from pbem.store import schema
from pbem.store.base import Part, given

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

_C = schema.collected.c
_OF = (_C.game_id == given("game"), _C.address == given("whom"))
_DUE = (
    sa.select(_C.game_id, _C.address, sa.func.min(_C.id))
    .where(_C.due <= given("now"))
    .group_by(_C.game_id, _C.address)
    .order_by(sa.func.min(_C.id))
)
_WAITING = sa.select(_C.address, sa.func.min(_C.id)).where(_C.game_id == given("game")).group_by(_C.address)
_WAITING = _WAITING.order_by(sa.func.min(_C.id))
_PIECES = sa.select(_C.piece).where(*_OF, _C.due <= given("now")).order_by(_C.id)
_ALL_PIECES = sa.select(_C.piece).where(*_OF).order_by(_C.id)
_KEPT = sa.select(_C.address, _C.due, _C.piece).where(_C.game_id == given("game")).order_by(_C.id)
_TAKE = sa.delete(schema.collected).where(*_OF, _C.due <= given("now"))
_TAKE_ALL = sa.delete(schema.collected).where(*_OF)
_MOVE = sa.update(schema.collected).where(*_OF)
_NEXT = sa.select(sa.func.min(_C.due))


class Collected(Part):
    """Pieces of daily mails."""

    def collect(self, game_id: int, address: str, due: datetime, piece: Mapping[str, Any]) -> None:
        """Keep a piece (anything that JSON can hold) for that address's next daily mail."""
        self._insert(
            schema.collected, game_id=game_id, address=address.lower(), due=due,
            piece=json.dumps(dict(piece), ensure_ascii=False),
        )  # fmt: skip

    def collected_due(self, now: datetime) -> list[tuple[int, str]]:
        """(game, address) of every mail that is due; who waits longest first."""
        return [(int(game), str(address)) for game, address, _ in self._all(_DUE, now=now)]

    def collected_for(self, game_id: int) -> list[str]:
        """The addresses for which that game keeps anything, due or not."""
        return [str(address) for address, _ in self._all(_WAITING, game=game_id)]

    def collected(self, game_id: int) -> list[tuple[str, datetime, dict[str, Any]]]:
        """All that this game keeps: address, when it is due, the piece; in the order in which it came."""
        return [(str(row.address), row.due, json.loads(row.piece)) for row in self._all(_KEPT, game=game_id)]

    def take_collected(self, game_id: int, address: str, now: datetime | None = None) -> list[dict[str, Any]]:
        """The pieces that are due by then (None: all), which are gone from here."""
        values: dict[str, Any] = {"game": game_id, "whom": address.lower()}
        if now is None:
            rows = self._all(_ALL_PIECES, **values)
            self._run(_TAKE_ALL, **values)
        else:
            rows = self._all(_PIECES, **values, now=now)
            self._run(_TAKE, **values, now=now)
        return [json.loads(piece) for (piece,) in rows]

    def move_collected(self, game_id: int, old: str, new: str) -> None:
        """Somebody has another address now."""
        self._run(_MOVE, game=game_id, whom=old.lower(), address=new.lower())

    def next_collected(self) -> datetime | None:
        """When the next daily mail is due; None if nothing waits."""
        found: datetime | None = self._value(_NEXT)
        return found
