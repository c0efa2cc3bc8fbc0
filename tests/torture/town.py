"""The world around a worker: a post office that survives it, the clock, its database, and who brings it back to life.

`Town` is one folder with all of that. `Program` is the worker as the harness sees it: it is born when needed, killed as
the plan says, and born again; `settle` returns when the whole of what was asked is done, however many lives that took.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections import Counter
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

from pbem import settings as configuration
from pbem import wiring
from pbem.app.opening import open_game
from pbem.app.tables import options
from pbem.app.tokens import Counted
from pbem.mail.postoffice import PostOffice
from pbem.store import Store
from tests.torture.shared import SharedClock
from tests.torture.wires import Wires

if TYPE_CHECKING:
    from collections.abc import Mapping

START = datetime(2026, 12, 7, 8, 0, tzinfo=UTC)
"""A Monday, nine in the morning in Paris: when the bots' stories begin."""
CODE = "PL1"
STORYTELLER = "conteur@village.example"
HANGS_SECONDS = 240.0
ROOT = Path(__file__).resolve().parents[2]

_CONFIG = """
[game]
address = "lune@village.example"
list_address = "village@village.example"
storytellers = ["{storyteller}"]

[embedded]
enabled = {embedded}
smtp_port = {own_smtp}
imap_port = {own_imap}
maildirs = "mail"

[imap]
host = "127.0.0.1"
port = {imap}
tls = "none"
user = "lune@village.example"
password = "{password}"
poll_seconds = 30
timeout_seconds = 20

[smtp]
host = "127.0.0.1"
port = {smtp}
tls = "none"
user = "lune@village.example"
password = "{password}"
timeout_seconds = 20

[database]
url = "{url}"

[auth]
authserv_id = "village.example"

[limits]
mails_per_hour = 1000

[archive]
folder = "archive"
"""


@dataclass(frozen=True, slots=True)
class Plan:
    """How a worker is to be treated.

    `shares`, `stepwise`: see `Points`. `pause`: the mean time in seconds after which a life is ended at a random instant, 0 for
    never; `random` is the share of lives that are. `most` kills, then it is left in peace. `sabotage`: a fault of `tests.torture.sabotage` that it has. `loud`: it logs all.
    """

    seed: str = ""
    shares: Mapping[str, float] = field(default_factory=dict)
    pause: float = 0.0
    random: float = 0.0
    most: int = 1_000_000
    stepwise: bool = True
    sabotage: str = ""
    loud: bool = False


class EndedError(AssertionError):
    """The worker ended by itself."""

    def __init__(self, code: int, tail: str) -> None:
        super().__init__(f"the worker ended by itself ({code}):\n{tail}")
        self.code = code


class Town:
    """A game of mails in a folder of its own. `faults`: cut and disturb the wires to the post office, so often; None: no
    wires between.

    `embedded`: the post office is the worker's own, and dies with it; `office` is None.
    """

    def __init__(
        self, folder: Path, *, url: str = "", faults: float | None = None, seed: str = "torture", embedded: bool = False
    ) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.folder = folder
        self.seed = seed
        self.clock = SharedClock(folder / "clock", START)
        self.url = url or f"sqlite:///{folder}/pbem.sqlite"
        self.config = folder / "pbem.toml"
        self.wires: Wires | None = None
        self.office: PostOffice | None = None
        self.ports = _free_port(), _free_port()
        if embedded:
            self._configure(self.config, embedded=True)
        else:
            self._open_office(faults)
        self.settings = configuration.load(self.config)
        self.store = Store(self.url)
        self.store.migrate()

    def _open_office(self, faults: float | None) -> None:
        own = self.folder / "office.toml"
        self._configure(own, embedded=True)
        self.office = PostOffice(configuration.load(own), self.clock, subscribers=self._subscribers, durable=False)
        self.office.start()
        if faults is not None:
            self.wires = Wires(*self.ports, faults, Random(f"wires {self.seed}"))
        self._configure(self.config, embedded=False)

    def _configure(self, file: Path, *, embedded: bool) -> None:
        wired = (self.wires.smtp_port, self.wires.imap_port) if self.wires else self.ports
        password = "none" if self.office is None else self.office.password("lune@village.example")
        file.write_text(
            _CONFIG.format(
                storyteller=STORYTELLER,
                embedded=str(embedded).lower(), url=self.url, password=password, own_smtp=self.ports[0],
                own_imap=self.ports[1], smtp=wired[0], imap=wired[1],
            )
        )  # fmt: skip

    def password(self, address: str) -> str | None:
        """Of that address's account; None while it has none."""
        file = self.folder / "mail" / "passwords.json"
        return json.loads(file.read_text()).get(address) if file.exists() else None

    def open_game(self) -> None:
        """The game that is played; its dice follow from the seed."""
        office = wiring.office(self.settings, self.store, Counted(self.seed))
        with self.store.begin() as tx:
            tellers = self.settings.game.storytellers
            open_game(
                office, tx, START, code=CODE, options=options(self.settings), storytellers=tellers, registration=False
            )

    def reopen(self) -> None:
        """Its database is another file now."""
        self.store.close()
        self.store = Store(self.url)

    def close(self) -> None:
        """End of the world."""
        if self.wires is not None:
            self.wires.close()
        if self.office is not None:
            self.office.stop()
        self.store.close()

    def _subscribers(self, _list: str) -> list[str]:
        with self.store.read() as tx:
            return tx.list_members(START)


def _free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as server:
        return int(server.getsockname()[1])


class Program:
    """The worker, as `pbem.demo.play.Evening` wants its daemon and the harness its victim."""

    def __init__(self, town: Town, plan: Plan | None = None, name: str = "worker") -> None:
        self.town = town
        self.settings, self.office = town.settings, town.office
        self.plan = plan or Plan()
        self.kills: Counter[str] = Counter()
        """How often it died, by kind of point; `random` are those at random instants."""
        self.windows: Counter[str] = Counter()
        """How often a letter, by Message-ID, was on its way when the worker died, and not marked as sent."""
        self.lives = 0
        self._dice = Random(f"program {self.plan.seed}")
        self._name = name
        self._deaths = town.folder / f"{name}.deaths"
        self._journal = town.folder / f"{name}.journal"
        self.log = town.folder / f"{name}.log"
        ours, theirs = socket.socketpair()
        self._nursery = subprocess.Popen(
            [sys.executable, "-m", "tests.torture.nursery", str(theirs.fileno())],
            cwd=ROOT, pass_fds=[theirs.fileno()], stdin=subprocess.DEVNULL,
        )  # fmt: skip
        theirs.close()
        self._line = ours
        self._replies = ours.makefile("rb")
        self._control: socket.socket | None = None
        self._words = None
        self._handle = -1
        self._timer: threading.Timer | None = None
        self._shot = threading.Event()

    # --- what `Evening` uses ---

    @property
    def store(self) -> Store:
        """The town's."""
        return self.town.store

    async def poll(self) -> None:
        """All mails read, all that is due resolved, all letters out."""
        await asyncio.to_thread(self.settle)

    async def quiet(self) -> None:
        """The same."""

    # --- the harness' own ---

    def settle(self) -> None:
        """Until all is done; through as many lives as it takes."""
        for _ in range(5_000):
            if self._ask(b"settle\n") == b"settled\n":
                return
        raise AssertionError("it dies and dies and gets nowhere")

    def nudge(self) -> None:
        """See to it that it lives."""
        for _ in range(5_000):
            if self._ask(b"ping\n") == b"pong\n":
                return
        raise AssertionError("it dies and dies and gets nowhere")

    def say(self, word: bytes) -> None:
        """Have it do something that `nursery` knows."""
        assert self._ask(word + b"\n") == word + b"\n"

    def await_log(self, words: str, seconds: float = 60.0) -> None:
        """Until its log says so."""
        end = time.monotonic() + seconds
        while words not in self.log.read_text():
            assert time.monotonic() < end, f"it never said {words!r}:\n{self.log.read_text()[-2000:]}"
            time.sleep(0.05)

    def stop(self) -> None:
        """End it cleanly, if it lives; and the nursery."""
        if self._control is not None:
            self._disarm()
            self._control.sendall(b"stop\n")
            self._control.settimeout(60)
            self._words.read()
            self._end(expected=0)
        self.close()

    def close(self) -> None:
        """It is no longer needed; harmless if it has been stopped."""
        if self._control is not None:
            self.kill_and_bury()
        self._replies.close()
        self._line.close()
        self._nursery.wait(30)

    def kill(self) -> None:
        """Now."""
        self._shot.set()
        with contextlib.suppress(ProcessLookupError):
            signal.pidfd_send_signal(self._handle, signal.SIGKILL)

    def kill_and_bury(self) -> None:
        """Now, and wait until it is dead."""
        if self._control is not None:
            self.kill()
            self._words.read()
            self._end()

    def _ask(self, word: bytes) -> bytes:
        """The answer; empty if it died over it."""
        if self._control is None:
            self._bear()
        if self._control is None:
            return b""
        try:
            self._control.sendall(word)
            answer = self._words.readline()
        except TimeoutError:
            self.kill()
            raise AssertionError(f"the worker hangs; see {self.log}") from None
        except OSError:
            answer = b""
        if not answer:
            self._end()
        return answer

    def _bear(self) -> None:
        ours, theirs = socket.socketpair()
        order = {
            "config": str(self.town.config), "clock": str(self.town.folder / "clock"), "log": str(self.log),
            "deaths": str(self._deaths), "journal": str(self._journal), "seed": self.plan.seed,
            "stepwise": self.plan.stepwise, "sabotage": self.plan.sabotage, "loud": self.plan.loud,
            "shares": dict(self.plan.shares) if self.kills.total() < self.plan.most else {},
        }  # fmt: skip
        socket.send_fds(self._line, [json.dumps(order).encode()], [theirs.fileno()])
        theirs.close()
        _, descriptors, _, _ = socket.recv_fds(self._line, 1, 1)
        self._handle = descriptors[0]
        self._shot.clear()
        self.lives += 1
        ours.settimeout(HANGS_SECONDS)
        self._control, self._words = ours, ours.makefile("rb")
        self._arm()
        try:
            started = self._words.readline()
        except OSError:
            started = b""
        if not started:
            self._end()

    def _arm(self) -> None:
        if self.plan.pause and self.kills.total() < self.plan.most and self._dice.random() < self.plan.random:
            self._timer = threading.Timer(self._dice.expovariate(1 / self.plan.pause), self.kill)
            self._timer.start()

    def _disarm(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer.join()
            self._timer = None

    def _end(self, expected: int | None = None) -> None:
        """It is dead: how, and over what?"""
        self._disarm()
        status = int(self._replies.readline())
        os.close(self._handle)
        self._words.close()
        self._control.close()
        self._control = self._words = None
        if os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGKILL:
            self.kills["random" if self._shot.is_set() else self._last_point()] += 1
        elif expected is None or os.waitstatus_to_exitcode(status) != expected:
            raise EndedError(
                os.waitstatus_to_exitcode(status), self.log.read_text()[-3000:] if self.log.exists() else ""
            )
        self._look_out_of_the_window()

    def _last_point(self) -> str:
        return self._deaths.read_text().splitlines()[-1].split()[0]

    def _look_out_of_the_window(self) -> None:
        """Which letters the server may have, and the store does not know it."""
        if not self._journal.exists():
            return
        flights = [json.loads(line)["flight"] for line in self._journal.read_text().splitlines()]
        self._journal.unlink()
        with self.store.read() as tx:
            for message_id in flights:
                letter = tx.letter(message_id)
                if letter is None or letter.state != "sent":
                    self.windows[message_id] += 1
