"""CAL-6: the mailbox's thread reads out, in order, once, and never resolves what it has not read."""

from __future__ import annotations

import threading
import time
from dataclasses import replace
from datetime import timedelta

import pytest

from pbem.app import health
from pbem.app.clock import DrivenClock
from pbem.app.reader import LEASE, Reader, where
from pbem.engine.decide import due_at
from pbem.mail.imap import MailboxError
from pbem.store import Store, StoreError
from tests.daemon.fakes import NOW, SECOND, FakeBox, FakeReceiver, start_game

HOUR = timedelta(hours=1)


@pytest.fixture
def store():
    store = Store.in_memory()
    yield store
    store.close()


@pytest.fixture
def box():
    return FakeBox()


@pytest.fixture
def receiver(store):
    return FakeReceiver(store)


@pytest.fixture
def clock():
    return DrivenClock(NOW)


@pytest.fixture
def reader(box, receiver, store, clock):
    reader = Reader(box, receiver, store, clock, poll_seconds=0.01, compare_clocks=False)
    yield reader
    if reader._spool is not None:
        reader._spool.close()


def test_mails_are_dealt_with_in_the_order_of_their_reception_over_the_whole_poll(reader, box, receiver):
    box.put(1, NOW - 2 * SECOND)
    box.put(2, NOW - 5 * SECOND)  # moved into the folder later, received earlier
    box.put(4, NOW - 5 * SECOND)
    box.put(3, NOW - 5 * SECOND)
    reader.poll()
    assert receiver.mails == [2, 3, 4, 1]


def test_a_poll_counts_as_read_to_one_second_before_it_began(reader, receiver):
    """INTERNALDATE has whole seconds: what comes within the running second may still bear that second."""
    reader.poll()
    assert receiver.calls == [("tick", NOW - SECOND, NOW)]


def test_mails_come_before_what_is_due(reader, box, receiver):
    box.put(1, NOW)
    reader.poll()
    assert [call[0] for call in receiver.calls] == ["mail", "tick"]


def test_the_position_moves_on_and_mails_are_marked_when_all_is_in_the_store(reader, box, receiver, store):
    box.put(1, NOW)
    box.put(2, NOW)
    reader.poll()
    box.put(3, NOW)
    reader.poll()
    assert receiver.mails == [1, 2, 3]
    assert box.done == [1, 2, 3]
    with store.read() as tx:
        assert tx.position() == (7, 3)


def test_a_mail_that_stumbles_among_others_is_put_aside_and_the_others_count_once(reader, box, receiver, store):
    """Several mails share a transaction; what one of them brings about is none of the others' business."""
    together = []

    def receive_together(mails, poll_at):
        together.append([mail.uid for mail in mails])
        if any(mail.uid in receiver.stumbles for mail in mails):
            raise ValueError("whatever")
        for mail in mails:
            receiver.receive(mail, poll_at)
        return len(mails)

    receiver.receive_together = receive_together
    receiver.stumbles[3] = ValueError("whatever")
    for uid in range(1, 20):
        box.put(uid, NOW)
    reader.poll()
    assert together == [list(range(1, 17)), [17, 18, 19]]
    assert sorted(receiver.mails) == [uid for uid in range(1, 20) if uid != 3]
    with store.read() as tx:
        assert all(tx.recorded(7, uid) for uid in range(1, 20))
        assert tx.position() == (7, 19)


def test_nothing_is_dealt_with_or_resolved_in_a_poll_that_broke(reader, box, receiver, store):
    for uid in (1, 2, 3):
        box.put(uid, NOW - uid * SECOND)
    box.breaks_after = 2
    with pytest.raises(MailboxError):
        reader.poll()
    assert receiver.calls == []
    box.breaks_after = None
    reader.poll()
    assert receiver.mails == [3, 2, 1]  # what the broken attempt brought is sorted in with the rest
    assert len(receiver.ticks) == 1


def test_a_slow_line_gets_there_in_the_end(reader, box, receiver):
    for uid in range(1, 6):
        box.put(uid, NOW)
    box.breaks_after = 1
    for _ in range(4):
        with pytest.raises(MailboxError):
            reader.poll()
    reader.poll()
    assert receiver.mails == [1, 2, 3, 4, 5]


def test_after_a_crash_before_the_position_was_written_no_mail_counts_twice(reader, box, receiver, store, clock):
    box.put(1, NOW)
    box.put(2, NOW)
    receiver.before = lambda mail: mail.uid == 2 and reader.stop()  # the program ends in the middle of the poll
    reader.poll()
    assert receiver.mails == [1, 2]
    assert receiver.ticks == []
    with store.read() as tx:
        assert tx.position() == (7, 2)
    fresh = FakeReceiver(store)
    Reader(box, fresh, store, clock, compare_clocks=False).poll()
    assert fresh.mails == []
    assert len(fresh.ticks) == 1


def test_stopping_ends_after_the_mail_at_hand_and_the_rest_comes_at_the_next_start(reader, box, receiver, store, clock):
    for uid in (1, 2, 3):
        box.put(uid, NOW)
    receiver.before = lambda mail: mail.uid == 2 and reader.stop()
    reader.poll()
    assert receiver.mails == [1, 2]
    assert receiver.ticks == []
    assert box.done == []
    with store.read() as tx:
        assert tx.position() is None
    fresh = FakeReceiver(store)
    Reader(box, fresh, store, clock, compare_clocks=False).poll()
    assert fresh.mails == [3]


def test_a_mail_that_makes_the_program_stumble_is_kept_and_the_next_one_comes(reader, box, receiver, store, caplog):
    box.put(1, NOW, b"canary in the mail")
    box.put(2, NOW)
    receiver.stumbles[1] = RuntimeError("canary in the error")
    reader.poll()
    assert receiver.mails == [2]
    with store.read() as tx:
        assert [(row.raw, row.why) for row in tx.quarantined()] == [
            (b"canary in the mail", "the program stumbled: RuntimeError")
        ]
        assert tx.recorded(7, 1)
    assert "RuntimeError at" in caplog.text
    assert "canary" not in caplog.text
    reader.poll()
    assert reader.health.faults == 1


def test_a_store_that_cannot_be_written_makes_the_mails_wait(reader, box, receiver, store):
    box.put(1, NOW)
    receiver.stumbles[1] = StoreError("full")
    with pytest.raises(StoreError):
        reader.poll()
    assert receiver.ticks == []
    with store.read() as tx:
        assert tx.position() is None
        assert tx.quarantined() == []
    receiver.stumbles.clear()
    reader.poll()
    assert receiver.mails == [1]


def test_the_storyteller_is_told_when_a_deadline_has_passed_and_the_mailbox_cannot_be_read(
    reader, box, receiver, store, clock
):
    game = start_game(store)
    with store.read() as tx:
        deadline = due_at(tx.load(game)[0])
    box.down = "imap.example.org: cannot connect"
    clock.move(deadline + 59 * SECOND)
    reader._turn()
    assert receiver.calls == []
    clock.move(deadline + 60 * SECOND)
    assert reader._turn() > 0
    assert receiver.calls == [("down", deadline + 60 * SECOND)]


class Hours:
    """The host's clock, in step with the one that the program is given."""

    def __init__(self, clock):
        self.clock = clock

    def __call__(self):
        return self.clock.now().timestamp()


def test_an_outage_is_on_record_from_the_last_whole_poll_to_the_next(box, receiver, store, clock):
    reader = Reader(box, receiver, store, clock, compare_clocks=False, wall=Hours(clock))
    reader._turn()
    box.down = "imap.example.org: cannot connect"
    clock.move(NOW + HOUR)
    reader._turn()
    with store.read() as tx:
        seen = health.read(tx)
        assert (seen.error, seen.since, seen.polled) == (box.down, NOW + HOUR, NOW)
        assert tx.outages(NOW) == []
    box.down = ""
    clock.move(NOW + 2 * HOUR)
    box.put(1, NOW + HOUR)
    reader._turn()
    with store.read() as tx:
        assert [(o.began, o.ended) for o in tx.outages(NOW)] == [(NOW, NOW + 2 * HOUR)]
        assert health.read(tx) == replace(reader.health, error="", since=None, polled=NOW + 2 * HOUR, at=NOW + 2 * HOUR)
    read_to, poll_at = NOW + 2 * HOUR - SECOND, NOW + 2 * HOUR
    assert receiver.calls[1:] == [("reopened", read_to, poll_at), ("mail", 1, poll_at), ("tick", read_to, poll_at)]


def test_the_time_between_a_death_and_the_next_life_is_an_outage(box, receiver, store, clock):
    """So is a host that slept, or whose clock was put forward."""
    for _ in range(2):
        reader = Reader(box, receiver, store, clock, compare_clocks=False, wall=Hours(clock))
        reader._turn()
        clock.move(clock.now() + HOUR)
        with store.begin() as tx:
            tx.end_lease(LEASE, reader.owner)  # which has run out long since
    with store.read() as tx:
        assert [(o.began, o.ended) for o in tx.outages(NOW)] == [(NOW, NOW + HOUR)]


@pytest.mark.parametrize("seconds", [1, 60, 170, -3600])
def test_polls_that_are_near_or_a_clock_put_back_are_no_outage(box, receiver, store, clock, seconds):
    Reader(box, receiver, store, clock, compare_clocks=False, wall=lambda: 1e9)._turn()
    Reader(box, receiver, store, clock, compare_clocks=False, wall=lambda: 1e9 + seconds)._turn()
    with store.read() as tx:
        assert tx.outages(NOW - 9 * HOUR) == []


def test_who_polls_seldom_has_no_outage_between_two_polls(box, receiver, store, clock):
    wall = Hours(clock)
    reader = Reader(box, receiver, store, clock, compare_clocks=False, wall=wall, poll_seconds=600)
    reader._turn()
    clock.move(NOW + timedelta(minutes=19))
    reader._turn()
    assert [kind for kind, *_ in receiver.calls] == ["tick", "tick"]


def test_a_clock_compared_from_afar_closes_nothing_until_it_cannot_be_wrong(box, receiver, store, clock):
    """CAL-6: the server may be seconds behind, and take a mail at T that we have not seen."""
    reader = Reader(box, receiver, store, clock)
    reader.poll()
    assert receiver.ticks == [NOW - 4 * SECOND]
    assert reader.late_by == timedelta(seconds=4.2)


def test_the_mail_servers_clock_counts(box, receiver, store, clock):
    box.offset = timedelta(minutes=-10)  # this host is ten minutes ahead: nothing may be resolved early
    reader = Reader(box, receiver, store, clock)
    reader.poll()
    server = NOW - timedelta(minutes=10)
    assert receiver.calls == [("tick", server - 4 * SECOND, server)]
    assert reader.now() == NOW - timedelta(minutes=10)
    reader.poll()
    assert box.asked_offset == 1


def test_a_clock_that_jumped_is_compared_anew(box, receiver, store, clock, monkeypatch):
    reader = Reader(box, receiver, store, clock)
    reader.poll()
    box.offset = timedelta(hours=1)
    monkeypatch.setattr("pbem.app.reader._drift", lambda: 1e9)
    reader.poll()
    assert reader.now() == NOW + timedelta(hours=1)


def test_a_second_of_difference_is_the_lines_not_the_clocks(box, receiver, store, clock):
    box.offset = timedelta(seconds=1.5)
    reader = Reader(box, receiver, store, clock)
    reader.poll()
    assert reader.now() == NOW


def test_the_thread_polls_until_it_is_stopped_and_tells_of_asked_polls(box, receiver, store, clock):
    told = []
    through = threading.Event()

    def polled(number):
        told.append(number)
        through.set()

    reader = Reader(box, receiver, store, clock, poll_seconds=600, compare_clocks=False, polled=polled)
    thread = threading.Thread(target=reader.run)
    thread.start()
    assert through.wait(5)
    through.clear()
    box.put(1, NOW)
    number = reader.poll_soon()
    while told[-1] < number:
        assert through.wait(5)
        through.clear()
    assert receiver.mails == [1]
    reader.stop()
    thread.join(5)
    assert not thread.is_alive()


def test_thousands_of_mails_are_put_in_order_without_being_held_in_memory(reader, box, receiver, monkeypatch):
    monkeypatch.setattr("pbem.app.spool._IN_MEMORY", 10_000)
    for uid in range(1, 301):
        box.put(uid, NOW - uid * SECOND, b"x" * 100 + str(uid).encode())
    seen = []
    receiver.before = lambda mail: seen.append(mail.raw)
    reader.poll()
    assert seen == [b"x" * 100 + str(uid).encode() for uid in range(300, 0, -1)]


def test_where_tells_lines_not_words():
    with pytest.raises(ValueError) as caught:
        int("canary")
    told = where(caught.value)
    assert told.startswith("ValueError at test_reader.py:")
    assert "canary" not in told


@pytest.mark.postgres
def test_of_several_workers_on_one_database_one_reads_the_mailbox(postgres_url, clock, monkeypatch):
    monkeypatch.setattr("pbem.app.reader.LEASE_SECONDS", 0.5)
    stores = [Store(postgres_url), Store(postgres_url)]
    stores[0].migrate()
    boxes, receivers = [FakeBox(), FakeBox()], [FakeReceiver(store) for store in stores]
    one, two = (Reader(*parts, clock, compare_clocks=False) for parts in zip(boxes, receivers, stores, strict=True))
    one._turn()
    assert 0 < two._turn() < 1
    assert (len(receivers[0].ticks), len(receivers[1].ticks)) == (1, 0)
    time.sleep(0.6)  # the first was killed
    two._turn()
    one._turn()
    assert (len(receivers[0].ticks), len(receivers[1].ticks)) == (1, 1)
    for store in stores:
        store.close()
