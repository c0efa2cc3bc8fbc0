"""CAL-6 from the mailbox to the game: what breaks around a deadline never makes a mail late, nor a phase early."""

from __future__ import annotations

from datetime import timedelta

import pytest

from pbem.app.reader import LEASE, Reader
from pbem.engine import events as e
from pbem.mail.imap import MailboxError
from pbem.rehearsal import mailwriter
from tests.app.conftest import Village
from tests.daemon.fakes import FakeBox

SECOND, MINUTE, HOUR = timedelta(seconds=1), timedelta(minutes=1), timedelta(hours=1)


class Host:
    """A machine with its clock; that of the mail server is right, and apart from it by `wrong`."""

    speed = 1.0
    reader = None

    def __init__(self, village, *, embedded=False):
        self.village = village
        self.box = FakeBox()
        self.true = village.now
        self.wrong = timedelta()
        self.embedded = embedded
        self.box.clock_offset = self.offset
        self.start()

    def start(self):
        """The program begins anew."""
        self.end()
        self.reader = Reader(
            self.box, self.village.receiver, self.village.store, self,
            compare_clocks=not self.embedded, wall=lambda: self.now().timestamp(),
        )  # fmt: skip
        self.reader._compared = -1e9

    def end(self):
        if self.reader is not None:
            self.reader._drop_spool()
            with self.village.store.begin() as tx:
                tx.end_lease(LEASE, self.reader.owner)  # it ran out meanwhile

    def now(self):
        return self.true + self.wrong

    def offset(self):
        self.box.asked_offset += 1
        return -self.wrong

    def jump(self, **length):
        """Somebody sets the clock."""
        self.wrong += timedelta(**length)
        self.reader._drift -= timedelta(**length).total_seconds()

    def write(self, who, words, received=None):
        """A mail, received by the server's clock (the host's own, if that is the server)."""
        draft = self.village.draft(who, words)
        at = received or (self.now() if self.embedded else self.true)
        self.box.put(len(self.box.mails) + 1, at.replace(microsecond=0), mailwriter.write(draft))

    def live(self, *, until, every=30 * SECOND):
        """Poll regularly up to that moment."""
        while self.true < until:
            self.true = min(self.true + every, until)
            self.poll()

    def poll(self):
        self.village.stage._game = None
        self.reader._turn()
        self.village.stage._game = None

    def happened(self, kind):
        return [event for event in self.village.stage.events() if isinstance(event, kind)]

    @property
    def votes(self):
        """{voter: target} as published last; nothing for who missed it."""
        record = self.happened(e.VotesPublished)[-1].record
        return {voter: target for voter, target, how in record if how == "vote"}


def village_with(options):
    made = Village(options=options)
    made.t = made.game.deadline
    return made


@pytest.fixture
def village():
    made = village_with({"outage_extension": HOUR, "min_debate": timedelta()})
    yield made
    made.stage.close()


@pytest.fixture
def host(village):
    made = Host(village)
    yield made
    made.end()


def test_a_vote_of_the_last_second_that_is_read_late_counts(host, village):
    host.live(until=village.t - MINUTE, every=HOUR / 30)
    host.write("Alice", "VOTE Bruno", received=village.t)
    host.write("Bruno", "VOTE Alice", received=village.t + SECOND)
    host.true = village.t + 2 * MINUTE
    host.poll()
    assert host.votes == {1: 2}


def test_nothing_closes_while_the_mailbox_is_down_and_everything_is_right_when_it_is_back(host, village):
    """It was down for a short time over T: no extension; the storyteller hears of it once."""
    host.live(until=village.t - 10 * MINUTE, every=HOUR / 30)
    host.box.down = "imap.example.org: no answer"
    village.take()
    host.write("Alice", "VOTE David", received=village.t - MINUTE)
    host.write("Chloé", "VOTE David", received=village.t + MINUTE)
    host.live(until=village.t + 14 * MINUTE)
    assert village.game.phase == "day"
    assert [dict(notice) for row in village.take("storyteller") for notice in row.notices] == [{"late-mailbox": True}]
    host.box.down = ""
    host.poll()
    assert host.votes == {1: 4}
    assert village.game.phase == "sunset"
    assert village.game.deadline >= host.true + 29 * MINUTE


def test_down_for_the_last_hour_the_day_is_extended_before_what_came_after_t_is_read(host, village):
    """No mass of missed votes, and nobody who could write after all is late."""
    host.live(until=village.t - HOUR, every=HOUR / 30)
    host.box.down = "imap.example.org: no answer"
    host.live(until=village.t + 20 * MINUTE, every=5 * MINUTE)
    host.write("Alice", "VOTE Bruno", received=village.t + 5 * MINUTE)
    host.box.down = ""
    host.poll()
    assert village.game.phase == "day"
    assert village.game.deadline == host.true + HOUR
    assert host.happened(e.VotesPublished) == []
    host.write("Chloé", "VOTE Bruno")
    host.live(until=village.game.deadline + MINUTE, every=MINUTE)
    assert host.votes == {1: 2, 3: 2}


def test_a_suspended_laptop_gives_the_day_back(host, village):
    host.live(until=village.t - 3 * HOUR, every=HOUR / 30)
    host.write("Alice", "VOTE Bruno", received=village.t - HOUR)
    host.true = village.t + 8 * HOUR  # it slept
    host.poll()
    assert (village.game.phase, village.game.deadline) == ("day", host.true + HOUR)
    assert host.happened(e.VotesPublished) == []


def test_a_program_that_was_not_running_gives_the_day_back(host, village):
    host.live(until=village.t - 3 * HOUR, every=HOUR / 30)
    host.true = village.t + MINUTE
    host.start()
    host.poll()
    assert (village.game.phase, village.game.deadline) == ("day", host.true + HOUR)


def test_a_short_stop_gives_nothing_back(host, village):
    """An update, a restart: the phase ends as it should."""
    host.live(until=village.t - 10 * MINUTE, every=HOUR / 30)
    host.true = village.t + MINUTE
    host.start()
    host.poll()
    assert village.game.phase == "sunset"


@pytest.mark.parametrize("hours", [-30, -2, 2, 30, 1000])
def test_a_host_whose_clock_is_wrong_goes_by_the_mail_servers(host, village, hours):
    host.wrong = timedelta(hours=hours)
    host.start()
    host.write("Alice", "VOTE Bruno")
    host.live(until=village.t + 2 * SECOND, every=HOUR / 30)
    assert village.game.phase == "day"
    host.live(until=village.t + 10 * SECOND, every=SECOND)
    assert host.votes == {1: 2}


@pytest.mark.parametrize("hours", [-30, -2, 2, 30, 1000])
def test_a_clock_that_is_set_while_it_runs_closes_nothing_early(host, village, hours):
    host.live(until=village.t - 2 * HOUR, every=HOUR / 30)
    host.jump(hours=hours)
    asked = host.box.asked_offset
    host.poll()
    assert host.box.asked_offset == asked + 1
    assert village.game.phase == "day"
    host.live(until=village.t - 5 * SECOND, every=HOUR / 30)
    assert village.game.phase == "day"
    host.live(until=village.t + 10 * SECOND, every=SECOND)
    assert village.game.phase == "sunset"
    assert len(host.happened(e.DeadlineMoved)) == 0


def test_while_the_clocks_cannot_be_compared_nothing_closes(host, village):
    host.live(until=village.t - 2 * HOUR, every=HOUR / 30)
    host.jump(hours=3)

    def fails():
        raise MailboxError("imap.example.org: cannot compare clocks")

    host.box.clock_offset = fails
    host.poll()
    assert village.game.phase == "day"
    host.box.clock_offset = host.offset
    host.poll()
    assert village.game.phase == "day"


def test_a_post_office_on_the_same_machine_a_clock_put_forward_extends_and_put_back_waits():
    """Nobody can compare here; but a leap is seen, and no phase ends in it."""
    village = village_with({"outage_extension": HOUR, "min_debate": timedelta()})
    host = Host(village, embedded=True)
    host.live(until=village.t - 2 * HOUR, every=HOUR / 30)
    host.jump(hours=30)
    host.poll()
    assert (village.game.phase, village.game.deadline) == ("day", host.now() + HOUR)
    assert host.happened(e.VotesPublished) == []
    host.jump(hours=-30)
    host.live(until=host.true + 26 * HOUR, every=HOUR)
    assert village.game.phase == "day"
    village.stage.close()


# --- received while a poll was running ------------------------------------------------------------------------------


@pytest.mark.parametrize("ahead", [1, 2, 60])
def test_a_mail_that_came_when_the_poll_had_begun_waits_for_the_next(host, village, ahead):
    """The day closes between the two moments: the poll may not close it, and the mail may not count before it."""
    host.live(until=village.t - MINUTE, every=HOUR / 30)
    host.write("Alice", "VOTE Bruno", received=village.t)
    host.write("Chloé", "VOTE David", received=village.t + ahead * SECOND)
    host.true = village.t - SECOND / 2
    seconds = host.reader._turn()
    assert seconds == pytest.approx(0.5)
    village.stage._game = None
    assert (village.game.phase, village.game.order(3, "VOTE")) == ("day", None)
    host.live(until=village.t + (ahead + 5) * SECOND, every=SECOND)
    assert host.votes == {1: 2}
    assert len(host.happened(e.VotesPublished)) == 1


def test_what_waits_is_read_again_by_a_program_that_starts_meanwhile(host, village):
    host.live(until=village.t - MINUTE, every=HOUR / 30)
    host.write("Chloé", "VOTE David", received=village.t - 50 * SECOND)
    host.write("Alice", "VOTE Bruno", received=village.t - 55 * SECOND)
    host.true = village.t - 52 * SECOND
    host.poll()
    assert village.game.order(1, "VOTE").seats == (2,)
    assert village.game.order(3, "VOTE") is None
    host.start()
    host.true = village.t - 45 * SECOND
    host.poll()
    assert village.game.order(3, "VOTE").seats == (4,)


@pytest.mark.parametrize("days", [1, 4000])
def test_a_date_that_lies_far_ahead_is_that_of_the_poll(host, village, days):
    """A mail that somebody copied into the folder: it is dealt with, at once and once."""
    host.live(until=village.t - HOUR, every=HOUR / 30)
    host.write("Alice", "VOTE Bruno", received=village.t + timedelta(days=days))
    host.poll()
    assert village.game.order(1, "VOTE").seats == (2,)
    host.live(until=village.t + 5 * SECOND, every=HOUR / 30)
    assert host.votes == {1: 2}
