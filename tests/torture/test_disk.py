"""The disk, in the middle of a game: full, not to be written, locked, damaged. Nothing is lost, nothing is half done."""

from __future__ import annotations

import os
import sqlite3

import pytest

from pbem.app.backup import restore, save
from tests.torture.audit import account, faults
from tests.torture.nursery import CANNOT
from tests.torture.rack import Rack, drain
from tests.torture.story import tell
from tests.torture.town import EndedError, Program, Town

pytestmark = pytest.mark.slow


@pytest.fixture(scope="session")
def recorded(tmp_path_factory):
    rack = Rack(tmp_path_factory.mktemp("story"), lambda _line: None)
    story = rack.record("disk", 4, spice=False)
    assert not rack.losses
    return story


class Trouble:
    """The story told with trouble before every third batch of mails, which is mended when the program has said so."""

    def __init__(self, folder, story):
        self.town = Town(folder, seed="disk")
        self.program = Program(self.town)
        self.story = story
        self.mails = self.times = 0
        self.on = False

    def tell(self):
        try:
            self.town.open_game()
            tell(self.town, self.program, self.story, self.before)
            drain(self.town, self.program)
            self.program.stop()
            return account(self.town)
        finally:
            self.program.close()
            self.town.close()

    def before(self, _number, step):
        if step.kind == "mail":
            self.mails += 1
            if self.mails % 3 == 1 and not self.on:
                self.program.settle()
                self.on, self.times = True, self.times + 1
                self.begin()
        if step.kind == "settle" and self.on:
            self.wait()
            self.mend()
            self.on = False
        return True

    def wait(self):
        self.program.await_log(self.words)
        self.program.log.rename(self.program.log.with_suffix(f".{self.times}"))
        self.program.log.touch()

    words = ""


class Full(Trouble):
    words = "the mailbox waits"

    def begin(self):
        self.program.say(b"full")

    def wait(self):
        """Its log cannot be written either: give it the time that it takes to stumble."""
        self.program.nudge()

    def mend(self):
        self.program.say(b"free")


class Locked(Trouble):
    words = "the database is locked by another program"

    def begin(self):
        self.other = sqlite3.connect(self.town.folder / "pbem.sqlite", isolation_level=None)
        self.other.execute("BEGIN IMMEDIATE")

    def wait(self):
        self.program.await_log(self.words)

    def mend(self):
        self.other.rollback()
        self.other.close()


@pytest.mark.parametrize("kind", [Full, Locked])
def test_the_game_waits_and_goes_on_as_if_nothing_had_been(tmp_path, recorded, kind):
    story, right = recorded
    trouble = kind(tmp_path / "town", story)
    found = trouble.tell()
    assert trouble.times > 3
    assert faults(right, found, trouble.program.windows) == []


def test_a_damaged_file_ends_it_with_one_line_and_a_backup_brings_everything_back(tmp_path, recorded):
    """The mails that came after the backup are still in the mailbox, and are read again."""
    story, right = recorded
    town = Town(tmp_path / "town", seed="disk")
    program = Program(town)
    mails = [number for number, step in enumerate(story.steps) if step.kind == "mail"]
    saved, harmed = mails[len(mails) // 2], mails[len(mails) // 2 + 3]

    def before(number, _step):
        if number == saved:
            program.settle()
            save(town.url, tmp_path / "copy.sqlite")  # while it runs
        if number == harmed:
            program.settle()
            recover()
        return True

    def recover():
        file = town.folder / "pbem.sqlite"
        program.kill_and_bury()
        damage(file)
        with pytest.raises(EndedError) as ended:
            program.settle()
        assert ended.value.code == CANNOT
        last = program.log.read_text().strip().splitlines()[-1]
        assert last.endswith(f"the database file is damaged; restore it from a backup ({file})")
        assert "Traceback" not in program.log.read_text()
        assert restore(town.url, tmp_path / "copy.sqlite", town.clock.now()).exists()
        town.reopen()

    try:
        town.open_game()
        tell(town, program, story, before)
        drain(town, program)
        program.stop()
        found = account(town)
    finally:
        program.close()
        town.close()
    wrong = faults(right, found, program.windows)
    again = [line for line in wrong if not line.startswith("nobody wrote")]  # letters of before, which it has forgotten
    assert again == []


def damage(file):
    with sqlite3.connect(file) as opened:
        opened.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        page = opened.execute("SELECT rootpage FROM sqlite_master WHERE name = 'events'").fetchone()[0]
        size = opened.execute("PRAGMA page_size").fetchone()[0]
    opened.close()
    with file.open("r+b") as raw:
        raw.seek((page - 1) * size)
        raw.write(os.urandom(size))
