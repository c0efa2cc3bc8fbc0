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
from pbem.store.base import Part
from pbem.store.errors import Conflict
from pbem.store.rows import CommandRow, EventRow, GameRow

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from pbem.engine.commands import Command
    from pbem.engine.events import Event

_G, _E, _C = schema.games.c, schema.events.c, schema.commands.c


class Games(Part):
    """Create games, load them, append to them."""

    def create_game(self, code: str, series: str, now: datetime) -> int:
        """A new game without events; its id. `code` as it is written (PL1). Raises StoreError if the code is taken."""
        return self._insert(schema.games, code=code, series=series, version=0, over=False, created=now)

    def game_id(self, code: str) -> int | None:
        """The id of the game of that code, case free."""
        found = self._value(sa.select(_G.id).where(sa.func.lower(_G.code) == code.lower()))
        return None if found is None else int(found)

    def game(self, game_id: int) -> GameRow:
        """That game's row. Raises KeyError if there is none."""
        row = self._one(sa.select(schema.games).where(_G.id == game_id))
        if row is None:
            raise KeyError(game_id)
        return GameRow(**row)

    def games(self, *, running_only: bool = False) -> list[GameRow]:
        """All games, the oldest first; with `running_only` those that are not over."""
        statement = sa.select(schema.games).order_by(_G.id)
        return [GameRow(**row) for row in self._all(statement.where(sa.not_(_G.over)) if running_only else statement)]

    def game_codes(self, *, running_only: bool = False) -> list[str]:
        """Their codes, the oldest game first."""
        return [row.code for row in self.games(running_only=running_only)]

    def last_of_series(self, series: str, *, before: int | None = None) -> GameRow | None:
        """The latest finished game of that series, made before the game with id `before` if given (NEXT-1)."""
        statement = sa.select(schema.games).where(_G.series == series, _G.over).order_by(_G.id.desc()).limit(1)
        row = self._one(statement if before is None else statement.where(_G.id < before))
        return None if row is None else GameRow(**row)

    def load(self, game_id: int) -> tuple[Game, int]:
        """The game's state and version. In a writing transaction the game is this one's alone until it ends.

        Raises KeyError if there is no such game.
        """
        version = self._version(game_id)
        known = self.loaded.get(game_id) or self._cache.get(game_id)
        if known is None or known[0] != version:
            known = (version, self._fold(game_id, known, version))
        self.loaded[game_id] = known
        return known[1], version

    def _version(self, game_id: int) -> int:
        statement = sa.select(_G.version).where(_G.id == game_id)
        version = self._value(statement if self.reads else statement.with_for_update())
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
        self._run(sa.insert(schema.events), rows)
        game = self._carry_on(game_id, before, events)
        self._advance(game_id, version, version + len(events), game, now)
        self.loaded[game_id] = (version + len(events), game)
        return version + len(events)

    def _keep_command(
        self, game_id: int, command: Command, version: int, count: int, now: datetime, cause: int | None
    ) -> None:
        last = self._value(sa.select(sa.func.max(_C.n)).where(_C.game_id == game_id)) or 0
        values = {"game_id": game_id, "n": last + 1, "at": now, "version": version, "count": count, "mail_id": cause}
        body = {"codec": codec.VERSION, "body": codec.encode_command(command)}
        self._run(sa.insert(schema.commands).values(**values, **body))

    def _carry_on(self, game_id: int, game: Game, events: Sequence[Event]) -> Game:
        if any(isinstance(event, Undone) for event in events):  # only the whole log can tell what was before
            return replay(row.event for row in self.events(game_id))
        for event in events:
            game = evolve(game, event)
        return game

    def _advance(self, game_id: int, version: int, new: int, game: Game, now: datetime) -> None:
        over = game.phase is Phase.OVER
        statement = (
            sa.update(schema.games)
            .where(_G.id == game_id, _G.version == version)
            .values(version=new, over=over, ended=now if over else None)
        )
        if self._run(statement).rowcount != 1:
            raise Conflict(game_id, version)

    def events(self, game_id: int, after: int = 0) -> list[EventRow]:
        """The log from event number `after` + 1 on: (number, when it was committed, event).

        Raises CodecError if a row is not of this program.
        """
        statement = sa.select(_E.n, _E.at, _E.body, _E.codec).where(_E.game_id == game_id, _E.n > after).order_by(_E.n)
        rows = self._connection.execute(statement).all()
        return [EventRow(row.n, row.at, codec.decode_event(row.body, row.codec)) for row in rows]

    def commands(self, game_id: int) -> list[CommandRow]:
        """Every command that was decided and kept, in that order."""
        statement = sa.select(schema.commands).where(_C.game_id == game_id).order_by(_C.n)
        return [
            CommandRow(
                row["n"], game_id, row["at"], row["version"], row["count"],
                codec.decode_command(row["body"], row["codec"]), row["mail_id"],
            )
            for row in self._all(statement)
        ]  # fmt: skip
