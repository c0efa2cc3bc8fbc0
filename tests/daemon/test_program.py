"""`pbem run` as a process: sign-up, start and votes by real SMTP and IMAP, SIGTERM and SIGKILL, and on where it was."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time

import pytest

from pbem.app.export import export
from pbem.app.verify import parse, verify
from pbem.engine import events as e
from pbem.store import Store
from tests.conftest import EMBEDDED
from tests.daemon.client import GAME, Client, text

TAGGED = re.compile(r"lune\+[a-z0-9]{16}@village\.example")
PLAYERS = ("Alice", "Bruno", "Chloé", "David", "Émile")


def _login(name):
    return name.lower().replace("é", "e")


class Program:
    """One `pbem run` in a folder of its own."""

    def __init__(self, folder):
        self.folder = folder
        (folder / "pbem.toml").write_text(EMBEDDED.replace("[imap]", "[imap]\npoll_seconds = 1"))
        self.process = None
        self.output = ""

    def start(self):
        environ = {**os.environ, "PYTHONUNBUFFERED": "1", "COLUMNS": "200"}
        self.process = subprocess.Popen(
            [sys.executable, "-m", "pbem.cli", "run", "--config", str(self.folder / "pbem.toml")],
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=environ,
        )  # fmt: skip
        while True:
            line = self.process.stdout.readline()
            assert line, self.output
            self.output += line
            if found := re.search(r"SMTP 127.0.0.1:(\d+), IMAP 127.0.0.1:(\d+)", line):
                self.ports = (int(found[1]), int(found[2]))
                return

    def end(self, number):
        self.process.send_signal(number)
        self.output += self.process.communicate(timeout=30)[0]
        code, self.process = self.process.returncode, None
        return code

    def command(self, *words, code=0):
        done = subprocess.run(
            [sys.executable, "-m", "pbem.cli", *words, "--config", str(self.folder / "pbem.toml")],
            capture_output=True, text=True, check=False,
        )  # fmt: skip
        assert done.returncode == code, done.stdout + done.stderr
        return done.stdout

    def complaint(self, *words, code=1):
        done = subprocess.run(
            [sys.executable, "-m", "pbem.cli", *words, "--config", str(self.folder / "pbem.toml")],
            capture_output=True, text=True, check=False,
        )  # fmt: skip
        assert done.returncode == code, done.stdout + done.stderr
        assert len(done.stderr.splitlines()) == 1
        return done.stderr

    def client(self, name):
        return Client(f"{_login(name)}@village.example", self.ports, self.folder / "var" / "mail")

    def events(self):
        store = Store(f"sqlite:///{self.folder}/var/pbem.sqlite")
        with store.read() as tx:
            found = [row.event for row in tx.events(tx.game_id("PL1"))]
        store.close()
        return found


@pytest.fixture
def program(tmp_path):
    program = Program(tmp_path)
    yield program
    if program.process is not None:
        program.process.kill()
        program.process.communicate()


@pytest.mark.slow
def test_people_sign_up_and_vote_by_mail_and_the_program_goes_on_where_it_was(program):
    program.start()
    assert "PL1 is open" in program.command("game", "new")
    teller, people = program.client("conteur"), {name: program.client(name) for name in PLAYERS}
    for name, person in people.items():
        asked = person.send(f"[PL1] JOIN {name}")
        person.answer(person.wait_for(lambda letter, asked=asked: letter["In-Reply-To"] == asked or letter["Reply-To"]))
    deadline = time.monotonic() + 30
    while sum(isinstance(event, e.Joined) for event in program.events()) < len(PLAYERS):
        assert time.monotonic() < deadline
        time.sleep(0.1)
    teller.answer_to(teller.send("[PL1] ADMIN", "!COMPOSITION werewolf=1 seer=1 villager=3\n!START"))
    roles = {
        name: person.wait_for(lambda letter: TAGGED.search(str(letter["Reply-To"]))) for name, person in people.items()
    }

    # a vote, and the end by SIGTERM
    alice = people["Alice"]
    alice.answer_to(alice.send("VOTE Bruno", to=_tag(roles["Alice"])))
    assert program.end(signal.SIGTERM) == 0
    assert program.command("status", code=1)

    # a start, another vote, a kill at once, a start: the vote counts once
    program.start()
    bruno = program.client("Bruno")
    bruno.send("VOTE Alice", to=_tag(roles["Bruno"]))
    program.end(signal.SIGKILL)
    program.start()
    bruno = program.client("Bruno")
    bruno.wait_for(lambda letter: "Alice" in text(letter) and letter["Auto-Submitted"] == "auto-replied")
    votes = [(event.seat, event.seats) for event in program.events() if isinstance(event, e.OrderTaken)]
    assert votes == [(1, (2,)), (2, (1,))]
    assert program.command("status")
    for name in PLAYERS:
        numbers = [letter["Message-ID"] for letter in people[name].letters]
        assert len(numbers) == len(set(numbers))
    assert program.end(signal.SIGTERM) == 0
    assert "Traceback" not in program.output
    _no_secret(program, roles)
    _follows(program)


def _tag(letter):
    return TAGGED.search(str(letter["Reply-To"]))[0]


def _no_secret(program, roles):
    for letter in roles.values():
        assert _tag(letter) not in program.output
    for word in ("werewolf", "loup-garou", "voyante", "seer"):
        assert word not in program.output


def _follows(program):
    """What is on record so far follows from the mails."""
    store = Store(f"sqlite:///{program.folder}/var/pbem.sqlite")
    with store.read() as tx:
        report = verify(parse(json.dumps(export(tx, tx.game_id("PL1")))))
    store.close()
    assert all(check.holds for check in report.checks)


@pytest.mark.slow
def test_a_stranger_gets_one_help_letter_and_the_log_holds_no_mail(program):
    program.start()
    program.command("game", "new")
    zoe = program.client("zoe")
    zoe.answer_to(zoe.send("HELP canary", to=GAME))
    assert program.end(signal.SIGINT) == 0
    assert "canary" not in program.output


@pytest.mark.slow
def test_the_two_small_mail_commands(program):
    program.start()
    program.command("game", "new")
    assert "Sent to lune@village.example: [PL1] JOIN Zoé" in program.command(
        "mail", "send", "--from", "zoe", "--subject", "[PL1] JOIN Zoé"
    )
    zoe = program.client("zoe")
    letter = zoe.wait_for(lambda letter: letter["Reply-To"])  # it has been read now, and is number 1
    listed = json.loads(program.command("mail", "read", "zoe", "--all", "--json"))
    assert [(mail["number"], mail["subject"]) for mail in listed] == [(1, str(letter["Subject"]))]
    assert "No new mail for zoe@village.example." in program.command("mail", "read", "zoe")
    shown = program.command("mail", "read", "zoe", "1")
    assert str(letter["Subject"]) in shown
    assert text(letter).splitlines()[0] in shown
    program.command("mail", "send", "--from", "zoe", "--reply-to", "1")
    zoe.wait_for(lambda letter: "Zoé" in text(letter))
    assert any(isinstance(event, e.Joined) and event.name == "Zoé" for event in program.events())
    assert "no mail number 99" in program.complaint("mail", "read", "zoe", "99")
    assert "has no mailbox here yet" in program.complaint("mail", "read", "yves")
    assert "no mail leaves the machine" in program.complaint(
        "mail", "send", "--from", "zoe", "--to", "a@elsewhere.example"
    )
    assert "its own village" in program.complaint("mail", "send", "--from", "a@elsewhere.example", code=2)
