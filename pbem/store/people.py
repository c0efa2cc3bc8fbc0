"""The people part of a transaction: who sits where, how he is written to, who steers, who reads along.

Addresses are kept and compared in lower case. Seats are numbers from 1, those of the game's events.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import sqlalchemy as sa

from pbem.store import schema
from pbem.store.base import Part
from pbem.store.rows import PlayerRow, ReaderRow, StorytellerRow, TagOwner

if TYPE_CHECKING:
    from datetime import datetime

_P, _T, _S, _R, _GY = (
    schema.players.c, schema.tags.c, schema.storytellers.c, schema.readers.c, schema.graveyard.c,
)  # fmt: skip
_PLAYER = (_P.game_id, _P.seat, _P.address, _P.language, _P.gender, _T.tag, _P.amount, _P.reminders, _P.bounced)


def _players() -> sa.Select[Any]:
    current = sa.and_(_T.player_id == _P.id, sa.not_(_T.retired))
    return sa.select(*_PLAYER).select_from(schema.players.join(schema.tags, current))


class People(Part):
    """Players, storytellers and readers of games."""

    # --- players ---

    def add_player(self, game_id: int, seat: int, address: str, language: str, gender: str, tag: str) -> None:
        """Somebody new at that seat; `tag` is his personal tag."""
        player = self._insert(
            schema.players, game_id=game_id, seat=seat, address=address.lower(), language=language, gender=gender,
            amount="posts", reminders=True,
        )  # fmt: skip
        self._new_tag(game_id, player, seat, tag)

    def set_player(self, game_id: int, seat: int, **changes: Any) -> None:
        """Change `address`, `language`, `gender`, `amount`, `reminders`, `bounced` or `tag` of whoever sits there.

        A tag that is replaced is known from then on as a retired one. Raises KeyError for an empty seat.
        """
        player = self._player_id(game_id, seat)
        tag = changes.pop("tag", None)
        if "address" in changes:
            changes["address"] = changes["address"].lower()
        if changes:
            self._run(sa.update(schema.players).where(_P.id == player).values(**changes))
        if tag is not None:
            self._run(sa.update(schema.tags).where(_T.player_id == player).values(retired=True))
            self._new_tag(game_id, player, seat, tag)

    def remove_player(self, game_id: int, seat: int) -> None:
        """He gives his seat back; the seats above move down by one, as in `Left`. Raises KeyError for an empty seat."""
        player = self._player_id(game_id, seat)
        self._run(sa.update(schema.tags).where(_T.player_id == player).values(retired=True, player_id=None))
        self._run(sa.delete(schema.players).where(_P.id == player))
        above = sa.update(schema.players).where(_P.game_id == game_id, _P.seat > seat)
        self._run(above.values(seat=_P.seat - 1))

    def _player_id(self, game_id: int, seat: int) -> int:
        found = self._value(sa.select(_P.id).where(_P.game_id == game_id, _P.seat == seat))
        if found is None:
            raise KeyError((game_id, seat))
        return int(found)

    def _new_tag(self, game_id: int, player: int, seat: int, tag: str) -> None:
        self._run(sa.insert(schema.tags).values(tag=tag, game_id=game_id, player_id=player, seat=seat, retired=False))

    def players(self, game_id: int) -> list[PlayerRow]:
        """Everybody who plays, in seat order."""
        return [PlayerRow(**row) for row in self._all(_players().where(_P.game_id == game_id).order_by(_P.seat))]

    def player(self, game_id: int, seat: int) -> PlayerRow | None:
        """Who sits there."""
        row = self._one(_players().where(_P.game_id == game_id, _P.seat == seat))
        return None if row is None else PlayerRow(**row)

    def by_tag(self, tag: str) -> TagOwner | None:
        """Whose current personal tag this is."""
        row = self._one(_players().where(_T.tag == tag))
        return None if row is None else TagOwner(row["game_id"], row["seat"])

    def retired_tag(self, tag: str) -> TagOwner | None:
        """Whose tag this was before it was replaced, or before he left: the seat it was given to then."""
        row = self._one(sa.select(_T.game_id, _T.seat).where(_T.tag == tag, _T.retired))
        return None if row is None else TagOwner(row["game_id"], row["seat"])

    def by_address(self, address: str, *, running_only: bool = True) -> list[TagOwner]:
        """The seats registered under that address, the oldest game first; by default in games that are not over."""
        games = schema.games
        statement = (
            sa.select(_P.game_id, _P.seat)
            .join_from(schema.players, games, games.c.id == _P.game_id)
            .where(_P.address == schema.clean(address.lower()))
            .order_by(_P.game_id, _P.seat)
        )
        rows = self._all(statement.where(sa.not_(games.c.over)) if running_only else statement)
        return [TagOwner(row["game_id"], row["seat"]) for row in rows]

    # --- storytellers ---

    def add_storyteller(
        self, game_id: int, address: str, *, name: str = "", language: str = "fr", gender: str = "m"
    ) -> None:
        """One more who steers; the same address again changes what is known of him."""
        self._put(
            schema.storytellers, game_id=game_id, address=address.lower(), name=name, language=language, gender=gender
        )

    def storytellers(self, game_id: int) -> list[StorytellerRow]:
        """Who steers that game, by address."""
        statement = sa.select(schema.storytellers).where(_S.game_id == game_id).order_by(_S.address)
        return [StorytellerRow(**row) for row in self._all(statement)]

    def steered_by(self, address: str, *, running_only: bool = True) -> list[int]:
        """The ids of the games that this address steers, the oldest first."""
        games = schema.games
        statement = (
            sa.select(_S.game_id)
            .join_from(schema.storytellers, games, games.c.id == _S.game_id)
            .where(_S.address == schema.clean(address.lower()))
            .order_by(_S.game_id)
        )
        rows = self._all(statement.where(sa.not_(games.c.over)) if running_only else statement)
        return [int(row["game_id"]) for row in rows]

    # --- readers ---

    def add_reader(
        self, game_id: int, address: str, tag: str, *, name: str = "", language: str = "fr", amount: str = "posts"
    ) -> None:
        """Somebody follows that game (WATCH); `tag` is his way out. The same address again changes what is known."""
        self._put(
            schema.readers, game_id=game_id, address=address.lower(), tag=tag, name=name, language=language,
            amount=amount,
        )  # fmt: skip

    def set_reader(self, game_id: int, address: str, **changes: Any) -> None:
        """Change `name`, `language`, `amount` or `bounced` of a reader, if he is one."""
        mine = (_R.game_id == game_id, _R.address == schema.clean(address.lower()))
        self._run(sa.update(schema.readers).where(*mine).values(**changes))

    def remove_reader(self, game_id: int, address: str) -> bool:
        """He follows no longer; whether he did."""
        mine = (_R.game_id == game_id, _R.address == schema.clean(address.lower()))
        return self._run(sa.delete(schema.readers).where(*mine)).rowcount > 0

    def readers(self, game_id: int) -> list[ReaderRow]:
        """Who follows that game, by address."""
        statement = sa.select(schema.readers).where(_R.game_id == game_id).order_by(_R.address)
        return [ReaderRow(**row) for row in self._all(statement)]

    def reader_by_tag(self, tag: str) -> ReaderRow | None:
        """Whose way out that is."""
        row = self._one(sa.select(schema.readers).where(_R.tag == tag))
        return None if row is None else ReaderRow(**row)

    def watched_by(self, address: str, *, running_only: bool = True) -> list[int]:
        """The ids of the games that this address follows, the oldest first."""
        games = schema.games
        statement = (
            sa.select(_R.game_id)
            .join_from(schema.readers, games, games.c.id == _R.game_id)
            .where(_R.address == schema.clean(address.lower()))
            .order_by(_R.game_id)
        )
        rows = self._all(statement.where(sa.not_(games.c.over)) if running_only else statement)
        return [int(row["game_id"]) for row in rows]

    def list_members(self, since: datetime) -> list[str]:
        """Who plays or steers in games that are not over, or ended after that moment: addresses, each once, sorted."""
        games = schema.games
        recent = sa.or_(sa.not_(games.c.over), games.c.ended > since)
        people = [
            sa.select(table.c.address).join_from(table, games, games.c.id == table.c.game_id).where(recent)
            for table in (schema.players, schema.storytellers)
        ]
        return sorted({str(row["address"]) for statement in people for row in self._all(statement)})

    # --- the graveyard ---

    def note_graveyard(self, game_id: int, address: str) -> None:
        """This address has received the graveyard of that game."""
        self._put(schema.graveyard, game_id=game_id, address=address.lower())

    def received_graveyard(self, game_id: int, address: str) -> bool:
        """ORG-2: whether it ever has; then nobody may join that game under it."""
        statement = sa.select(_GY.address).where(_GY.game_id == game_id, _GY.address == schema.clean(address.lower()))
        return self._value(statement) is not None

    def note_bounce(self, address: str, at: datetime) -> list[TagOwner]:
        """Mark an address that mail came back from; the seats, of running games, for which that is news."""
        news = [
            owner
            for owner in self.by_address(address)
            if (row := self.player(*owner)) is not None and row.bounced is None
        ]
        for owner in news:
            self.set_player(*owner, bounced=at)
        return news
