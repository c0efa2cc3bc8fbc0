"""The games part of a transaction: their logs of events and of commands, and their present state.

A game's version is the number of its events. Its state is folded from them once, then kept and carried on event by
event; what a transaction has folded is forgotten if it is rolled back (`Store.begin`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import sqlalchemy as sa

from pbem.engine.events import Undone
from pbem.engine.evolve import evolve, replay
from pbem.engine.state import Game, Phase
from pbem.store import codec, schema
from pbem.store.base import Part, fields_of, given
from pbem.store.errors import Conflict, StoreError
from pbem.store.rows import CommandRow, EventRow, GameRow

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from pbem.engine.commands import Command
    from pbem.engine.events import Event

_G, _E, _C = schema.games.c, schema.events.c, schema.commands.c

_GAMES = sa.select(*fields_of(schema.games, GameRow)).order_by(_G.id)
_RUNNING = _GAMES.where(sa.not_(_G.over))
_RUNNING_VERSIONS = sa.select(_G.id, _G.version).where(sa.not_(_G.over)).order_by(_G.id)
_CODES = sa.select(_G.code).order_by(_G.id)
_LATEST = sa.select(_G.id, _G.code).order_by(_G.id.desc()).limit(1)
_GAME = _GAMES.where(_G.id == given("game"))
_OF_SERIES = (
    sa.select(*fields_of(schema.games, GameRow))
    .where(_G.series == given("of"), _G.over, _G.id < given("before"))
    .order_by(_G.id.desc())
    .limit(1)
)
_BY_CODE = sa.select(_G.id).where(sa.func.lower(_G.code) == given("lower"))
_VERSION = sa.select(_G.version).where(_G.id == given("game"))
_VERSION_LOCKED = _VERSION.with_for_update()
_ADVANCE = sa.update(schema.games).where(_G.id == given("game"), _G.version == given("old"))
_EVENTS = (
    sa.select(_E.n, _E.at, _E.body, _E.codec).where(_E.game_id == given("game"), _E.n > given("after")).order_by(_E.n)
)
_NEW_EVENT = sa.insert(schema.events)
_COMMANDS = (
    sa.select(_C.n, _C.at, _C.version, _C.count, _C.body, _C.codec, _C.mail_id)
    .where(_C.game_id == given("game"))
    .order_by(_C.n)
)
_NEW_COMMAND = sa.insert(schema.commands).values(
    n=sa.select(sa.func.coalesce(sa.func.max(_C.n), 0) + 1).where(_C.game_id == given("game")).scalar_subquery()
)
_NEWEST = 2**31 - 1


class Games(Part):
    """Create games, load them, append to them."""

    def create_game(self, code: str, series: str, now: datetime) -> int:
        """A new game without events; its id. `code` as it is written (PL1). Raises StoreError if the code is taken."""
        return self._insert(schema.games, code=code, series=series, version=0, over=False, created=now)

    def game_id(self, code: str) -> int | None:
        """The id of the game of that code, case free."""
        found = self._value(_BY_CODE, lower=code.lower())
        return None if found is None else int(found)

    def game(self, game_id: int) -> GameRow:
        """That game's row. Raises KeyError if there is none."""
        row = self._record(GameRow, _GAME, game=game_id)
        if row is None:
            raise KeyError(game_id)
        return row

    def games(self, *, running_only: bool = False) -> list[GameRow]:
        """All games, the oldest first; with `running_only` those that are not over."""
        return self._records(GameRow, _RUNNING if running_only else _GAMES)

    def game_codes(self, *, running_only: bool = False) -> list[str]:
        """Their codes, the oldest game first."""
        if running_only:
            return [row.code for row in self.games(running_only=True)]
        return [str(code) for (code,) in self._all(_CODES)]

    def latest_game(self) -> tuple[int, str] | None:
        """Id and code of the game that was made last: while it is the same, so are the codes of all games."""
        row = self._one(_LATEST)
        return (int(row.id), str(row.code)) if row else None

    def running_versions(self) -> list[tuple[int, int]]:
        """(id, version) of the games that are not over, the oldest first."""
        return [(game_id, version) for game_id, version in self._all(_RUNNING_VERSIONS)]

    def last_of_series(self, series: str, *, before: int | None = None) -> GameRow | None:
        """The latest finished game of that series, made before the game with id `before` if given (NEXT-1)."""
        return self._record(GameRow, _OF_SERIES, of=series, before=_NEWEST if before is None else before)

    def load(self, game_id: int) -> tuple[Game, int]:
        """The game's state and version. In a writing transaction the game is this one's alone until it ends.

        Raises KeyError if there is no such game.
        """
        if game_id in self.loaded:  # nobody else can have changed it since
            version, game = self.loaded[game_id]
            return game, version
        version, known = self._version(game_id), self._cache.get(game_id)
        if known is None or known[0] != version:
            known = (version, self._fold(game_id, known, version))
        self.loaded[game_id] = known
        return known[1], version

    def _version(self, game_id: int) -> int:
        version = self._value(_VERSION if self.reads else _VERSION_LOCKED, game=game_id)
        if version is None:
            raise KeyError(game_id)
        return int(version)

    def _fold(self, game_id: int, known: tuple[int, Game] | None, version: int) -> Game:
        """The state at `version`: carried on from an earlier one where that is at hand, else from the first event."""
        start, game = known if known is not None and known[0] < version else (0, Game())
        happened = [row.event for row in self.events(game_id, after=start)]
        if start and any(isinstance(event, Undone) for event in happened):
            return replay(row.event for row in self.events(game_id))
        if start == 0:
            return replay(happened)
        for event in happened:
            game = evolve(game, event)
        return game

    def append(
        self,
        game_id: int,
        events: Sequence[Event],
        version: int,
        now: datetime,
        cause: int | None = None,
        command: Command | None = None,
    ) -> int:
        """Write what `command` (decided on the game of `version`) led to; the new version.

        `cause` is the record of the mail that it came in (`record_mail`). The command is kept with its events, so that
        a finished game can be decided again (`pbem verify`). Raises Conflict if the game is at another version.
        """
        before, at_version = self.load(game_id)
        if at_version != version:
            raise Conflict(game_id, version)
        if command is not None:
            self._keep_command(game_id, command, version, len(events), now, cause)
        if not events:
            return version
        rows = [
            {
                "game_id": game_id, "n": version + i, "at": now, "codec": codec.VERSION,
                "body": codec.encode_event(event), "cause": cause,
            }
            for i, event in enumerate(events, 1)
        ]  # fmt: skip
        self._connection.execute(_NEW_EVENT, rows)
        game = self._carry_on(game_id, before, events)
        self._advance(game_id, version, version + len(events), game, now)
        self.loaded[game_id] = (version + len(events), game)
        return version + len(events)

    def _keep_command(
        self, game_id: int, command: Command, version: int, count: int, now: datetime, cause: int | None
    ) -> None:
        self._run(
            _NEW_COMMAND, game=game_id, game_id=game_id, at=now, version=version, count=count, codec=codec.VERSION,
            body=codec.encode_command(command), mail_id=cause,
        )  # fmt: skip

    def _carry_on(self, game_id: int, game: Game, events: Sequence[Event]) -> Game:
        if any(isinstance(event, Undone) for event in events):  # only the whole log can tell what was before
            return replay(row.event for row in self.events(game_id))
        for event in events:
            game = evolve(game, event)
        return game

    def _advance(self, game_id: int, version: int, new: int, game: Game, now: datetime) -> None:
        over = game.phase is Phase.OVER
        done = self._run(_ADVANCE, game=game_id, old=version, version=new, over=over, ended=now if over else None)
        if done.rowcount != 1:
            raise Conflict(game_id, version)

    def events(self, game_id: int, after: int = 0) -> list[EventRow]:
        """The log from event number `after` + 1 on: (number, when it was committed, event).

        Raises StoreError (corrupt) if a row is not of this program.
        """
        rows = self._all(_EVENTS, game=game_id, after=after)
        try:
            return [EventRow(n, at, codec.decode_event(body, version)) for n, at, body, version in rows]
        except codec.CodecError:
            raise StoreError("corrupt", f"an event of game {game_id} cannot be read") from None

    def commands(self, game_id: int) -> list[CommandRow]:
        """Every command that was decided and kept, in that order. Raises StoreError (corrupt)."""
        rows = self._all(_COMMANDS, game=game_id)
        try:
            return [
                CommandRow(n, game_id, at, version, count, codec.decode_command(body, encoding), mail_id)
                for n, at, version, count, body, encoding, mail_id in rows
            ]
        except codec.CodecError:
            raise StoreError("corrupt", f"a command of game {game_id} cannot be read") from None
