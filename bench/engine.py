"""The rules alone: closings resolved a second, with their win checks, and orders decided a second.

The positions are those of real bot games of 24 players with every role: each closing and each order as it came. They
are decided again, in rounds; the figure is the median round's.
"""

from __future__ import annotations

import time
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from bench.figures import Figure, median
from bench.town import ADDRESS, DOMAIN, NAMES, Person, votes
from pbem.app import tables
from pbem.balance.table import START, Bots, Table
from pbem.engine.commands import Order, Tick
from pbem.engine.decide import decide
from pbem.engine.options import Options
from pbem.engine.roles import ROSTER
from pbem.engine.view import seat_view
from pbem.mail.mime import open_mail
from pbem.orders.house import House
from pbem.orders.reading import read

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from pbem.engine.commands import Command
    from pbem.engine.state import Game

PLAYERS = 24
GAMES = 12
ROUNDS = 7
HOUSE = House(address=ADDRESS, list_address=f"village@{DOMAIN}")
GOAL = 2000
"""Closings a second, on one core."""


def everybody() -> tuple[tuple[str, int], ...]:
    """One of every role, three more wolves, and villagers."""
    counts = dict.fromkeys(ROSTER, 1)
    counts["werewolf"] += 2
    counts["villager"] += PLAYERS - sum(counts.values())
    return tuple(counts.items())


class Recorder(Table):
    """A table that notes before which game each command came."""

    def __init__(self, *args: Any) -> None:
        self.seen: list[tuple[Game, Command]] = []
        super().__init__(*args)

    def _do(self, command: Command) -> None:
        self.seen.append((self.game, command))
        super()._do(command)


def positions() -> list[tuple[Game, Command]]:
    """All commands of some games, each with the game it was given to."""
    options = Options(peek=tables.child())
    found: list[tuple[Game, Command]] = []
    for number in range(GAMES):
        table = Recorder(everybody(), options, Bots(), f"bench/{number}")
        table.play()
        found += table.seen
    return found


def measure() -> list[Figure]:
    """How many a second, on one core: closings resolved, orders decided, views of a seat made; orders parsed."""
    seen = positions()
    closings = [(game, command) for game, command in seen if isinstance(command, Tick)]
    orders = [(game, command) for game, command in seen if isinstance(command, Order)]
    evenings = [game for game, command in closings if game.phase == "day"]
    people = [Person("PL1", seat, name, f"a{seat}@{DOMAIN}", "k7f3q9a2b4c6d8e0") for seat, name in enumerate(NAMES, 1)]
    mails = list(votes(people, 100, datetime.now(UTC)))
    views = [(game, player.seat) for game in evenings for player in game.players]
    return [
        Figure("closings resolved a second", _rate(lambda: [decide(*one) for one in closings]), least=GOAL),
        Figure("orders decided a second", _rate(lambda: [decide(*one) for one in orders])),
        Figure("views of a seat a second", _rate(lambda: [seat_view(*one) for one in views])),
        Figure("mails parsed and read a second", _rate(lambda: [_read(raw) for raw in mails])),
    ]


def _read(raw: bytes) -> object:
    return read(open_mail(raw, START), HOUSE)


def _rate(work: Callable[[], Sequence[object]]) -> float:
    took = []
    for _ in range(ROUNDS):
        begin = time.process_time()
        number = len(work())
        took.append(number / (time.process_time() - begin))
    return median(took)
