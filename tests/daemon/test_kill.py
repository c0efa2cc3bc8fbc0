"""A whole game, with the process killed again and again: it ends as the undisturbed one does, and nobody lacks a letter.

The same people send the same mails at the same moments in both; the clock is driven, the mails are real.
"""

from __future__ import annotations

import email
import random
import subprocess
import sys
import time
from collections import Counter
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta

import pytest

from pbem import settings as configuring
from pbem import wiring
from pbem.app.opening import open_game
from pbem.app.tables import options
from pbem.app.tokens import Counted
from pbem.engine.decide import due_at
from pbem.engine.state import Phase
from pbem.store import codec
from tests.conftest import EMBEDDED
from tests.daemon.client import Client

START = datetime(2026, 12, 7, 8, 0, tzinfo=UTC)
SECOND = timedelta(seconds=1)
NAMES = ("Alice", "Bruno", "Chloe", "David", "Emile", "Flora", "Gael", "Hana")


class Driven:
    """The process, and the moment that its clock stands at."""

    def __init__(self, folder):
        self.folder = folder
        self.now = START
        self.kills = 0
        self.process = None
        (folder / "pbem.toml").write_text(EMBEDDED.replace("[imap]", "[imap]\npoll_seconds = 600"))
        self.start()

    def start(self):
        self.process = subprocess.Popen(
            [sys.executable, "-m", "tests.daemon.driven", str(self.folder / "pbem.toml"), self.now.isoformat()],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
        )  # fmt: skip
        word, *ports = self.process.stdout.readline().split()
        assert word == "ready"
        self.ports = tuple(map(int, ports))

    def tell(self, line, *, wait=True):
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()
        if wait:
            assert self.process.stdout.readline() == "ok\n"

    def move(self, to):
        self.now = max(self.now, to)
        self.tell(f"to {self.now.isoformat()}")

    def kill(self):
        self.process.kill()
        self.process.communicate()
        self.kills += 1
        self.start()

    def end(self):
        self.process.terminate()
        self.process.communicate(timeout=20)
        return self.process.returncode


@dataclass
class Outcome:
    """What a game left behind."""

    events: list[str] = field(default_factory=list)
    letters: Counter = field(default_factory=Counter)
    states: set[str] = field(default_factory=set)
    delivered: Counter = field(default_factory=Counter)
    kills: int = 0
    winner: str = ""


class Evening:
    """One whole game. `disturb(driven)` reads the mailbox out in its own way."""

    def __init__(self, folder, disturb):
        self.driven = Driven(folder)
        self.settings = configuring.load(folder / "pbem.toml", {})
        self.store = wiring.store(self.settings)
        self.disturb = disturb
        with self.store.begin() as tx:
            office = wiring.office(self.settings, self.store, Counted("always the same"))
            open_game(
                office, tx, START, code="PL1", options=options(self.settings), storytellers=["conteur@village.example"]
            )

    @property
    def game(self):
        with self.store.read() as tx:
            return tx.load(1)[0]

    def client(self, name):
        return Client(f"{name.lower()}@village.example", self.driven.ports, self.settings.embedded.maildirs)

    def mails(self, *mails):
        """(who, subject, body) of each, a second apart; then they are read."""
        for who, subject, body in mails:
            self.driven.move(self.driven.now + SECOND)
            self.client(who).send(subject, body)
        self.driven.move(self.driven.now + 2 * SECOND)
        self.disturb(self.driven)

    def sign_up(self):
        self.mails(*((name, f"[PL1] JOIN {name}", "") for name in NAMES))
        for name in NAMES:
            client = self.client(name)
            self.driven.move(self.driven.now + SECOND)
            client.answer(client.wait_for(lambda letter: letter["Reply-To"]))
        self.driven.move(self.driven.now + 2 * SECOND)
        self.disturb(self.driven)
        self.mails(("conteur", "[PL1] ADMIN", "!COMPOSITION werewolf=2 seer=1 militia=1 villager=4\n!START\n"))
        assert self.game.started

    def play(self):
        self.sign_up()
        while (game := self.game).phase is not Phase.OVER:
            if game.phase is Phase.DAY:
                self.mails(*self.orders(game))
            self.driven.move(due_at(self.game) + 2 * SECOND)
            self.disturb(self.driven)
        self.driven.tell("quiet")
        return self.outcome()

    def orders(self, game):
        """Everybody votes for the first whom he may; the wolf has chosen, the seer looks."""
        first = game.living[0].name
        for player in game.living:
            target = first if player.name != first else game.living[1].name
            yield player.name, f"[PL1] VOTE {target}", f"!KILL {game.living[-1].name}\n!SEE {target}\n!HEIR {target}\n"

    def outcome(self):
        found = Outcome(kills=self.driven.kills, winner=self.game.winner)
        with self.store.read() as tx:
            found.events = [codec.encode_event(row.event) for row in tx.events(1)]
            rows = tx.letters()
        found.letters = Counter((row.kind, row.to) for row in rows)
        found.states = {row.state for row in rows}
        inboxes = [f for f in self.settings.embedded.maildirs.rglob("*") if f.parent.name in {"new", "cur"}]
        heads = [email.message_from_bytes(file.read_bytes()) for file in inboxes]
        arrived = Counter((str(head["Message-ID"]).strip(), head["Delivered-To"]) for head in heads)
        for row in rows:
            found.delivered[row.message_id] = arrived[row.message_id, row.to]
        assert self.driven.end() == 0
        self.store.close()
        return found


def quietly(driven):
    driven.tell("poll")
    driven.tell("quiet")


class Violently:
    """Kills the process before, while and after it reads the mailbox and sends its letters."""

    def __init__(self, seed, kills):
        self.chance = random.Random(seed)
        self.left = kills

    def __call__(self, driven):
        for moment in ("before", "while", "after"):
            if self.left and self.chance.random() < 0.6:
                self.left -= 1
                if moment == "while":
                    driven.tell("poll", wait=False)
                    time.sleep(self.chance.random() * 0.25)
                elif moment == "after":
                    driven.tell("poll")
                    driven.tell("quiet", wait=False)
                    time.sleep(self.chance.random() * 0.05)
                driven.kill()
        quietly(driven)


@pytest.mark.slow
def test_a_game_whose_process_is_killed_ends_as_the_undisturbed_one(tmp_path):
    folders = tmp_path / "quiet", tmp_path / "killed"
    for folder in folders:
        folder.mkdir()
    expected = Evening(folders[0], quietly).play()
    found = Evening(folders[1], Violently(seed=2026, kills=12)).play()
    assert expected.winner
    assert found.kills >= 10
    assert found.events == expected.events
    assert found.letters == expected.letters
    assert found.states == {"sent"}
    assert set(expected.delivered.values()) == {1}
    assert min(found.delivered.values()) == 1
    twice = [count for count in found.delivered.values() if count > 1]
    assert len(twice) <= found.kills * 8  # in flight at a kill, over four connections; then with the same Message-ID
