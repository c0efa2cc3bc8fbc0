"""Several `pbem run` on one PostgreSQL: nothing is done twice, and the work of a killed one is taken over within 30 s."""

from __future__ import annotations

import re
import signal
import subprocess
import sys
import time
from collections import Counter

import pytest
import sqlalchemy as sa

from pbem.app.reader import LEASE_SECONDS as MAILBOX
from pbem.app.sending import LEASE_SECONDS as LETTERS
from pbem.app.sending import LOOK_SECONDS, RENEW_SECONDS
from pbem.engine import events as e
from pbem.mail.postoffice import PostOffice
from pbem.settings import parse
from pbem.store import Store
from tests.conftest import EMBEDDED
from tests.daemon.client import Client

TAKEN_OVER = 30.0
"""Seconds after a worker's death at which another does its work, at the latest."""
HOSTED = """
[game]
address = "lune@village.example"
list_address = "village@village.example"
storytellers = ["conteur@village.example"]

[embedded]
enabled = false

[imap]
host = "127.0.0.1"
port = {imap}
tls = "none"
user = "lune@village.example"
password = "{password}"

[smtp]
host = "127.0.0.1"
port = {smtp}
tls = "none"
user = "lune@village.example"
password = "{password}"

[database]
url = "{url}"

[auth]
authserv_id = "village.example"

[archive]
folder = "archive"
"""


class Host:
    """A post office, a database, and as many workers as one likes."""

    def __init__(self, folder, url):
        self.config, self.folder = folder / "pbem.toml", folder
        self.store, self.database = Store(url), sa.create_engine(url)
        self.office = PostOffice(
            parse(EMBEDDED, origin="test.toml", base=folder), subscribers=lambda _list: self._members(), durable=False
        )
        self.office.start()
        self.ports = self.office.smtp_port, self.office.imap_port
        password = self.office.password("lune@village.example")
        text = HOSTED.format(smtp=self.ports[0], imap=self.ports[1], password=password, url=url)
        self.config.write_text(text)
        self.config.chmod(0o600)
        self.workers = {}

    def _members(self):
        return []

    def command(self, *words):
        subprocess.run(
            [sys.executable, "-m", "pbem.cli", *words, "--config", str(self.config)], check=True, capture_output=True
        )

    def start(self):
        with (self.folder / "log").open("ab") as log:
            worker = subprocess.Popen(
                [sys.executable, "-m", "pbem.cli", "run", "--config", str(self.config)], stdout=log, stderr=log
            )
        self.workers[worker.pid] = worker
        return worker

    def reading(self):
        """The worker that holds the mailbox; waits until there is one."""
        end = time.monotonic() + 2 * TAKEN_OVER
        while time.monotonic() < end:
            with self.database.connect() as connection:
                row = connection.exec_driver_sql("SELECT owner FROM leases WHERE name = 'mailbox'").first()
            if row and (worker := self.workers.get(int(row[0].split(":")[1]))) is not None:
                return worker
            time.sleep(0.1)
        raise AssertionError("nobody reads the mailbox")

    def kill(self, worker):
        worker.send_signal(signal.SIGKILL)
        worker.wait()
        del self.workers[worker.pid]

    def close(self):
        for worker in self.workers.values():
            worker.kill()
        for worker in self.workers.values():
            worker.wait()
        self.office.stop()
        self.store.close()
        self.database.dispose()

    def client(self, name):
        self.office.password(f"{name}@village.example")
        return Client(f"{name}@village.example", self.ports, self.folder / "var" / "mail")

    def joined(self):
        with self.store.read() as tx:
            rows = tx.events(tx.game_id("PL1"))
            return [row.event.name for row in rows if isinstance(row.event, e.Joined)]


@pytest.fixture
def host(postgres_url, tmp_path):
    host = Host(tmp_path, postgres_url)
    yield host
    host.close()


def _sign_up(host, name):
    """Somebody asks to play, is asked back, and answers; all that he got."""
    person = host.client(name)
    asked = person.send(f"[PL1] JOIN {name.title()}")
    person.answer(person.wait_for(lambda letter: letter["In-Reply-To"] == asked or letter["Reply-To"], 60))
    end = time.monotonic() + 60
    while name.title() not in host.joined():
        assert time.monotonic() < end, f"{name} never got in"
        time.sleep(0.1)
    return person


def test_what_a_killed_worker_held_is_free_in_time():
    """The longest that a claim lasts, and the longest until the others look again."""
    assert MAILBOX + MAILBOX / 3 < TAKEN_OVER
    assert LETTERS + LOOK_SECONDS < TAKEN_OVER
    assert 2 * RENEW_SECONDS < LETTERS, "a worker that lives keeps its letters"


@pytest.mark.postgres
@pytest.mark.slow
def test_several_workers_do_nothing_twice_and_the_next_one_takes_over(host):
    host.command("game", "new")
    for _ in range(3):
        host.start()
    people = [_sign_up(host, "anna")]
    host.kill(host.reading())
    began = time.monotonic()
    boris = host.client("boris")
    asked = boris.send("[PL1] AIDE")
    boris.wait_for(lambda letter: letter["In-Reply-To"] == asked, TAKEN_OVER)
    assert time.monotonic() - began < TAKEN_OVER
    people.append(_sign_up(host, "boris"))
    assert host.joined() == ["Anna", "Boris"]
    time.sleep(1)
    for person in people:
        person.read()
        seen = Counter((str(letter["Subject"]), str(letter["In-Reply-To"])) for letter in person.letters)
        assert max(seen.values()) == 1, seen
        assert len({letter["Message-ID"] for letter in person.letters}) == len(person.letters)
        assert all(re.match(r"\[PL1\]", str(letter["Subject"])) for letter in person.letters)
