"""A whole game in a store, played by the engine alone, on record as the application would have it."""

from __future__ import annotations

import random
from datetime import UTC, datetime, timedelta

from pbem.engine import commands as c
from pbem.engine import events as e
from pbem.engine.decide import decide, due_at
from pbem.engine.options import Options
from pbem.engine.state import Phase

NOW = datetime(2026, 12, 7, 8, 0, tzinfo=UTC)
SECOND = timedelta(seconds=1)
NAMES = ("Alice", "Bruno", "Chloé", "David", "Émile", "Flora", "Gaspard", "Hana")
ROLES = ("werewolf", "werewolf", "seer", "militia", "ghost", "matchmaker", "villager", "little-child")


class Play:
    """One game, appended to command by command."""

    def __init__(self, store, code="PL1", series="", seed="5e" * 32):
        self.store = store
        with store.begin() as tx:
            self.game_id = tx.create_game(code, series, NOW)
            for seat in range(1, len(NAMES) + 1):
                tx.add_player(self.game_id, seat, f"p{seat}@example.org", "fr", "m", f"{code}tag{seat}")
            tx.add_storyteller(self.game_id, "conteur@example.org")
        self.now = NOW
        options = Options(inactivity="off", composition="hidden", peek=((2, 2, 30, 30),))
        self.do(c.OpenGame(NOW, code, options, seed))
        self.do(c.OpenRegistration(NOW))
        for name in NAMES:
            self.do(c.Join(NOW, name))
        self.do(c.SetComposition(NOW, tuple((role, ROLES.count(role)) for role in dict.fromkeys(ROLES))))

    @property
    def game(self):
        with self.store.read() as tx:
            return tx.load(self.game_id)[0]

    def do(self, command):
        """Decide and write, like the application: what is refused leaves no trace."""
        with self.store.begin() as tx:
            game, version = tx.load(self.game_id)
            events = decide(game, command)
            if not any(isinstance(event, e.Rejected) for event in events):
                tx.append(self.game_id, events, version, command.at, command=command)
        return events

    def start(self):
        self.do(c.Start(self.now))

    def resolve_next(self):
        """Let the next closing come."""
        self.now = max(self.now, due_at(self.game)) + 2 * SECOND
        while self.do(c.Tick(self.now)):
            pass

    def undo(self, version):
        with self.store.begin() as tx:
            _, at_version = tx.load(self.game_id)
            tx.append(self.game_id, [e.Undone(version, self.now)], at_version, self.now)

    def to_the_end(self, seed=1):
        """Everybody does something foolish until somebody wins."""
        chance = random.Random(seed)
        while self.game.phase is not Phase.OVER:
            for player in self.game.living:
                for verb in ("VOTE", "KILL", "SEE", "GUARD", "HEIR", "ELECT"):
                    target = chance.choice(self.game.living).seat
                    self.do(c.Order(self.now, player.seat, verb, c.Words((target,))))
            self.resolve_next()
