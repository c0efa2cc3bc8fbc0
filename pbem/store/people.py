"""The people part of a transaction: who sits where, how he is written to, who steers, who reads along.

Addresses are kept and compared in lower case. Seats are numbers from 1, those of the game's events.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import sqlalchemy as sa

from pbem.store import schema
from pbem.store.base import Part, fields_of, given
from pbem.store.rows import PlayerRow, ReaderRow, StorytellerRow, TagOwner

if TYPE_CHECKING:
    from datetime import datetime

_P, _T, _S, _R = schema.players.c, schema.tags.c, schema.storytellers.c, schema.readers.c
_GAMES = schema.games

_PLAYERS = sa.select(
    _P.game_id, _P.seat, _P.address, _P.language, _P.gender, _T.tag, _P.amount, _P.reminders, _P.bounced
).select_from(schema.players.join(schema.tags, sa.and_(_T.player_id == _P.id, sa.not_(_T.retired))))
_AT_SEAT = (_P.game_id == given("game"), _P.seat == given("at"))
_OF_GAME = _PLAYERS.where(_P.game_id == given("game")).order_by(_P.seat)
_PLAYER = _PLAYERS.where(*_AT_SEAT)
_PLAYER_ID = sa.select(_P.id).where(*_AT_SEAT)
_BY_TAG = _PLAYERS.where(_T.tag == given("own"))
_RETIRED = sa.select(_T.game_id, _T.seat).where(_T.tag == given("own"), _T.retired)
_RETIRE = sa.update(schema.tags).where(_T.player_id == given("player"))
_CHANGE = sa.update(schema.players).where(_P.id == given("player"))
_LEAVE = sa.delete(schema.players).where(_P.id == given("player"))
_MOVE_DOWN = (
    sa.update(schema.players).where(_P.game_id == given("game"), _P.seat > given("at")).values(seat=_P.seat - 1)
)

_STORYTELLERS = (
    sa.select(*fields_of(schema.storytellers, StorytellerRow)).where(_S.game_id == given("game")).order_by(_S.address)
)
_REMOVE_STORYTELLER = sa.delete(schema.storytellers).where(_S.game_id == given("game"), _S.address == given("who"))
_READERS = sa.select(*fields_of(schema.readers, ReaderRow)).order_by(_R.address)
_READERS_OF_GAME = _READERS.where(_R.game_id == given("game"))
_READER_BY_TAG = _READERS.where(_R.tag == given("own"))
_THAT_READER = (_R.game_id == given("game"), _R.address == given("who"))
_CHANGE_READER = sa.update(schema.readers).where(*_THAT_READER)
_REMOVE_READER = sa.delete(schema.readers).where(*_THAT_READER)
_GRAVEYARD = (
    sa.select(schema.graveyard.c.address).where(schema.graveyard.c.game_id == given("game")).order_by("address")
)


def _games_of(table: sa.Table, *columns: sa.Column[Any]) -> tuple[sa.Select[Any], sa.Select[Any]]:
    """What an address is in games that are not over, and in all games; the oldest game first."""
    every = (
        sa.select(*columns)
        .join_from(table, _GAMES, _GAMES.c.id == table.c.game_id)
        .where(table.c.address == given("who"))
        .order_by(*columns)
    )
    return every.where(sa.not_(_GAMES.c.over)), every


_SEATS_RUNNING, _SEATS = _games_of(schema.players, _P.game_id, _P.seat)
_STEERED_RUNNING, _STEERED = _games_of(schema.storytellers, _S.game_id)
_WATCHED_RUNNING, _WATCHED = _games_of(schema.readers, _R.game_id)
_MEMBERS = [
    sa.select(table.c.address)
    .join_from(table, _GAMES, _GAMES.c.id == table.c.game_id)
    .where(sa.or_(sa.not_(_GAMES.c.over), _GAMES.c.ended > given("since")), *wanting)
    for table, wanting in ((schema.players, (_P.amount == "posts",)), (schema.storytellers, ()))
]


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
            self._run(_CHANGE, player=player, **changes)
        if tag is not None:
            self._run(_RETIRE, player=player, retired=True)
            self._new_tag(game_id, player, seat, tag)

    def remove_player(self, game_id: int, seat: int) -> None:
        """He gives his seat back; the seats above move down by one, as in `Left`. Raises KeyError for an empty seat."""
        player = self._player_id(game_id, seat)
        self._run(_RETIRE, player=player, retired=True, player_id=None)
        self._run(_LEAVE, player=player)
        self._run(_MOVE_DOWN, game=game_id, at=seat)

    def _player_id(self, game_id: int, seat: int) -> int:
        found = self._value(_PLAYER_ID, game=game_id, at=seat)
        if found is None:
            raise KeyError((game_id, seat))
        return int(found)

    def _new_tag(self, game_id: int, player: int, seat: int, tag: str) -> None:
        self._add(schema.tags, tag=tag, game_id=game_id, player_id=player, seat=seat, retired=False)

    def players(self, game_id: int) -> list[PlayerRow]:
        """Everybody who plays, in seat order."""
        return self._records(PlayerRow, _OF_GAME, game=game_id)

    def player(self, game_id: int, seat: int) -> PlayerRow | None:
        """Who sits there."""
        return self._record(PlayerRow, _PLAYER, game=game_id, at=seat)

    def by_tag(self, tag: str) -> TagOwner | None:
        """Whose current personal tag this is."""
        row = self._record(PlayerRow, _BY_TAG, own=tag)
        return None if row is None else TagOwner(row.game_id, row.seat)

    def retired_tag(self, tag: str) -> TagOwner | None:
        """Whose tag this was before it was replaced, or before he left: the seat it was given to then."""
        return self._record(TagOwner, _RETIRED, own=tag)

    def by_address(self, address: str, *, running_only: bool = True) -> list[TagOwner]:
        """The seats registered under that address, the oldest game first; by default in games that are not over."""
        return self._records(TagOwner, _SEATS_RUNNING if running_only else _SEATS, who=address.lower())

    # --- storytellers ---

    def add_storyteller(
        self, game_id: int, address: str, *, name: str = "", language: str = "fr", gender: str = "m"
    ) -> None:
        """One more who steers; the same address again changes what is known of him."""
        self._put(
            schema.storytellers, game_id=game_id, address=address.lower(), name=name, language=language, gender=gender
        )

    def remove_storyteller(self, game_id: int, address: str) -> bool:
        """He steers no longer; whether he did."""
        return self._run(_REMOVE_STORYTELLER, game=game_id, who=address.lower()).rowcount > 0

    def storytellers(self, game_id: int) -> list[StorytellerRow]:
        """Who steers that game, by address."""
        return self._records(StorytellerRow, _STORYTELLERS, game=game_id)

    def steered_by(self, address: str, *, running_only: bool = True) -> list[int]:
        """The ids of the games that this address steers, the oldest first."""
        rows = self._all(_STEERED_RUNNING if running_only else _STEERED, who=address.lower())
        return [int(game_id) for (game_id,) in rows]

    # --- readers ---

    def add_reader(
        self, game_id: int, address: str, tag: str, *, name: str = "", language: str = "fr", amount: str = "watch"
    ) -> None:
        """Somebody follows that game (WATCH); `tag` is his way out. The same address again changes what is known."""
        self._put(
            schema.readers, game_id=game_id, address=address.lower(), tag=tag, name=name, language=language,
            amount=amount,
        )  # fmt: skip

    def set_reader(self, game_id: int, address: str, **changes: Any) -> None:
        """Change `name`, `language`, `amount` or `bounced` of a reader, if he is one."""
        self._run(_CHANGE_READER, game=game_id, who=address.lower(), **changes)

    def remove_reader(self, game_id: int, address: str) -> bool:
        """He follows no longer; whether he did."""
        return self._run(_REMOVE_READER, game=game_id, who=address.lower()).rowcount > 0

    def readers(self, game_id: int) -> list[ReaderRow]:
        """Who follows that game, by address."""
        return self._records(ReaderRow, _READERS_OF_GAME, game=game_id)

    def reader_by_tag(self, tag: str) -> ReaderRow | None:
        """Whose way out that is."""
        return self._record(ReaderRow, _READER_BY_TAG, own=tag)

    def watched_by(self, address: str, *, running_only: bool = True) -> list[int]:
        """The ids of the games that this address follows, the oldest first."""
        rows = self._all(_WATCHED_RUNNING if running_only else _WATCHED, who=address.lower())
        return [int(game_id) for (game_id,) in rows]

    def list_members(self, since: datetime) -> list[str]:
        """Who plays or steers in games that are not over, or ended after that moment: addresses, each once, sorted.

        The list is one for all games: who wants every post of one of them is on it; who wants fewer of all his games is
        not, and the game itself writes to him (MAIL).
        """
        return sorted({str(address) for statement in _MEMBERS for (address,) in self._all(statement, since=since)})

    # --- the graveyard ---

    def note_graveyard(self, game_id: int, address: str) -> None:
        """This address has received the graveyard of that game."""
        self._put(schema.graveyard, game_id=game_id, address=address.lower())

    def graveyard(self, game_id: int) -> list[str]:
        """Every address that has received it, sorted."""
        return [str(address) for (address,) in self._all(_GRAVEYARD, game=game_id)]

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
