"""The hall of fame: who played and won what, over all games of the store whose end has been told.

A person is known by the name played under: who plays under two names stands there twice, and nothing tells that it is
one person. Games that the storyteller broke off count for nobody.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from pbem.app.ledger import first_held
from pbem.archive.facts import Honour
from pbem.archive.safe import clean
from pbem.engine.events import GameWon
from pbem.engine.names import fold
from pbem.engine.roles import side_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pbem.engine.state import Game, Player
    from pbem.store import Tx

Tally = dict[str, list[int]]
"""Key -> [played, won]."""


@dataclass(slots=True)
class _Line:
    """One person under one name, while it is added up."""

    name: str
    gender: str
    games: list[str] = field(default_factory=list)
    won: int = 0
    sides: Tally = field(default_factory=dict)
    roles: Tally = field(default_factory=dict)

    def add(self, game: Game, player: Player) -> None:
        won = player.seat in game.winners
        self.name, self.gender = clean(player.name), player.gender
        self.games.append(game.code)
        self.won += won
        for tally, key in ((self.sides, side_of(player.role)), (self.roles, player.dealt)):
            entry = tally.setdefault(key, [0, 0])
            entry[0] += 1
            entry[1] += won

    def honour(self) -> Honour:
        sides, roles = ({key: (n, won) for key, (n, won) in tally.items()} for tally in (self.sides, self.roles))
        return Honour(self.name, self.gender, tuple(self.games), len(self.games), self.won, sides, roles)


def honours(tx: Tx) -> list[Honour]:
    """The lines, those who won most first."""
    lines: dict[tuple[str, str], _Line] = {}
    for game_id, game in _finished(tx):
        addresses = {row.seat: row.address for row in tx.players(game_id)}
        for player in game.players:
            key = (addresses.get(player.seat, ""), fold(player.name))
            lines.setdefault(key, _Line(player.name, player.gender)).add(game, player)
    return sorted((line.honour() for line in lines.values()), key=lambda h: (-h.won, h.played, fold(h.name), h.games))


def _finished(tx: Tx) -> Iterator[tuple[int, Game]]:
    for row in tx.games():
        if not row.over or first_held(tx.get(f"digests-kept:{row.id}")) is not None:
            continue
        game, _ = tx.load(row.id)
        if game.winner != "nobody" or not _broken_off(tx, row.id):
            yield row.id, game


def _broken_off(tx: Tx, game_id: int) -> bool:
    return any(isinstance(row.event, GameWon) and row.event.aborted for row in tx.events(game_id))
