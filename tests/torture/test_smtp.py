"""Mail servers as they are, between a whole game and its people: dead for hours, deaf to one of them, slow to trust."""

from __future__ import annotations

from collections import Counter

import pytest

from tests.torture.audit import account, faults
from tests.torture.rack import Rack, drain
from tests.torture.story import tell
from tests.torture.town import Program, Town

pytestmark = pytest.mark.slow
SEED = "smtp"


@pytest.fixture(scope="session")
def recorded(tmp_path_factory):
    rack = Rack(tmp_path_factory.mktemp("story"), lambda _line: None)
    story = rack.record(SEED, 4, spice=False)
    assert not rack.losses
    return story


class Play:
    """The story told over wires that a test harms."""

    def __init__(self, folder, story, before=lambda _town, _number, _step: True):
        self.town = Town(folder, seed=SEED, faults=0.0)
        self.program = Program(self.town)
        self.story, self.before = story, before

    def told(self):
        try:
            self.town.open_game()
            tell(self.town, self.program, self.story, lambda number, step: self.before(self.town, number, step))
            drain(self.town, self.program)
            self.program.stop()
            with self.town.store.read() as tx:
                self.letters = tx.letters()
            return account(self.town)
        finally:
            self.program.close()
            self.town.close()


def but(found, *kinds):
    """The letters without those of some kinds."""
    return Counter({line: n for line, n in found.letters.items() if line.split(" ", 1)[0] not in kinds})


def test_a_relay_that_is_dead_for_hours(tmp_path, recorded):
    """The game goes on by the clock; every letter leaves in the end, once."""
    story, right = recorded
    clocks = [number for number, step in enumerate(story.steps) if step.kind == "settle"]
    dies, rises = clocks[-5], clocks[-2]

    def before(town, number, _step):
        town.wires.dead = dies <= number < rises
        return True

    play = Play(tmp_path / "town", story, before)
    found = play.told()
    assert play.town.wires.faults["relay-dead"] >= 2
    assert found.events == right.events
    assert but(found, "undelivered") == right.letters
    assert found.undelivered == ()
    assert set(found.copies.values()) == {1}


def test_one_bad_recipient_holds_nobody_back_and_is_told_once(tmp_path, recorded):
    story, right = recorded
    bad = "joueur2@village.example"

    def before(town, number, _step):
        if any(step.kind == "settle" for step in story.steps[:number]) and not town.wires.refusals and started(town):
            town.wires.refusals[bad] = "550 5.1.1 no such user"
        return True

    def started(town):
        with town.store.read() as tx:
            return tx.load(1)[0].started_at is not None

    play = Play(tmp_path / "town", story, before)
    found = play.told()
    assert found.events == right.events
    assert but(found, "bounce") == right.letters
    assert [row.to for row in play.letters if row.kind == "bounce"] == ["conteur@village.example"]
    failed = [row for row in play.letters if row.state == "failed"]
    assert failed
    assert {row.to for row in failed} == {bad}
    assert {row.error for row in failed} == {"550 5.1.1 no such user"}
    assert {row.state for row in play.letters if row.to != bad} == {"sent"}


def test_a_server_that_greylists_everybody(tmp_path, recorded):
    """Each mail is taken the second time only."""
    story, right = recorded
    play = Play(tmp_path / "town", story)

    class Grey:
        """Says no to every other one."""

        asked = 0

        def __contains__(self, _address):
            self.asked += 1
            return self.asked % 2 == 1

        def __getitem__(self, _address):
            return "451 4.7.1 greylisted, try again later"

    play.town.wires.refusals = Grey()
    found = play.told()
    assert play.town.wires.faults["refused"] > 10
    wrong = faults(right, found, {})
    assert [line for line in wrong if "undelivered" not in line] == []
