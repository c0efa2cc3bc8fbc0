"""Letters go out at least once, each by one worker at a time, and none holds back another."""

from __future__ import annotations

import threading
from datetime import timedelta

import pytest

from pbem.store import Store
from tests.store.conftest import NOW

SECOND = timedelta(seconds=1)


def _write(tx, i, *, to="alice@example.org", held=False, not_before=NOW, game=1):
    return tx.enqueue(game, "vote", to, f"<{i}@x>", b"raw", "PL1/day/1", [{"n": i}], not_before, seat=2, held=held)


@pytest.fixture
def filled(store):
    with store.begin() as tx:
        tx.create_game("PL1", "", NOW)
        for i in range(6):
            _write(tx, i)
    return store


def test_a_letter_is_claimed_sent_and_kept(filled):
    with filled.begin() as tx:
        one, two = tx.claim(2, NOW, 60)
        assert (one.message_id, one.attempts, one.notices, one.state) == ("<0@x>", 1, ({"n": 0},), "claimed")
        tx.sent(one.id, NOW + SECOND)
        tx.failed(two.id, "550 no such user")
        assert tx.outbox_counts() == {"pending": 4, "held": 0, "claimed": 0, "sent": 1, "failed": 1}
        assert tx.letter("<0@x>").sent == NOW + SECOND
        assert tx.letter("<1@x>").error == "550 no such user"
        assert tx.letter("<nobody@x>") is None


def test_a_claim_that_ran_out_is_anybodys_with_the_same_message_id(filled):
    with filled.begin() as tx:
        first = tx.claim(6, NOW, 30)
    with filled.begin() as tx:
        assert tx.claim(6, NOW + 29 * SECOND, 30) == []
        again = tx.claim(6, NOW + 30 * SECOND, 30)
        assert [row.message_id for row in again] == [row.message_id for row in first]
        assert {row.attempts for row in again} == {2}


def test_a_letter_that_was_sent_stays_sent_whatever_a_late_worker_says(filled):
    with filled.begin() as tx:
        (row,) = tx.claim(1, NOW, 30)
        tx.sent(row.id, NOW)
        tx.retry(row.id, NOW, "450 later")
        tx.failed(row.id, "550 no")
        assert tx.letter(row.message_id).state == "sent"


def test_a_retry_waits_and_holds_nothing_back(filled):
    with filled.begin() as tx:
        (row,) = tx.claim(1, NOW, 30)
        tx.retry(row.id, NOW + 60 * SECOND, "450 greylisted")
        assert [r.message_id for r in tx.claim(9, NOW, 30)] == [f"<{i}@x>" for i in range(1, 6)]
        assert tx.next_letter() == NOW + 30 * SECOND  # when those claims run out
        for i in range(1, 6):
            tx.sent(tx.letter(f"<{i}@x>").id, NOW)
        assert tx.next_letter() == NOW + 60 * SECOND
        assert tx.claim(9, NOW + 60 * SECOND, 30)[0].error == "450 greylisted"


def test_a_domain_whose_hour_is_full_is_skipped(filled):
    with filled.begin() as tx:
        _write(tx, 99, to="bob@Elsewhere.example")
        assert [r.to for r in tx.claim(9, NOW, 30, skip_domains=["example.org"])] == ["bob@elsewhere.example"]
        tx.sent(tx.letter("<99@x>").id, NOW)
        assert tx.sent_by_domain(NOW - SECOND) == {"elsewhere.example": 1}
        assert tx.sent_by_domain(NOW) == {}


def test_held_letters_wait_for_their_release(filled):
    with filled.begin() as tx:
        _write(tx, 50, held=True)
        assert [r.message_id for r in tx.held_letters(1)] == ["<50@x>"]
        assert len(tx.claim(99, NOW, 30)) == 6
        assert tx.release(1, NOW) == 1
        assert [r.message_id for r in tx.claim(99, NOW, 30)] == ["<50@x>"]
        _write(tx, 51, held=True)
        assert tx.drop_held(1) == 1
        assert tx.letter("<51@x>") is None


def test_letters_that_do_not_arrive_are_reported_once(filled):
    with filled.begin() as tx:
        rows = tx.claim(2, NOW, 30)
        tx.sent(rows[0].id, NOW)
        tx.failed(rows[1].id, "550")
        assert len(tx.undelivered(NOW)) == 5
        for row in tx.undelivered(NOW):
            tx.report(row.id)
        assert tx.undelivered(NOW) == []
        assert tx.undelivered(NOW - SECOND) == []


def test_letters_can_be_looked_up_and_counted(filled):
    with filled.begin() as tx:
        assert [r.notices[0]["n"] for r in tx.letters(1, after=4, to="Alice@example.org")] == [4, 5]
        assert tx.letters(2) == []
        assert tx.count_letters("ALICE@example.org", "vote", NOW - SECOND) == 6
        assert tx.count_letters("alice@example.org", "help", NOW - SECOND) == 0


def test_no_letter_is_claimed_by_two(filled, url):
    """Several workers, each with connections of its own: PostgreSQL skips what is locked, SQLite queues them."""
    taken, lock = [], threading.Lock()

    def work():
        own = filled if url == "sqlite://" else Store(url)
        for _ in range(3):
            with own.begin() as tx:
                rows = tx.claim(1, NOW, 600)
            with lock:
                taken.extend(row.id for row in rows)
        if own is not filled:
            own.close()

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(taken) == sorted(set(taken))
    assert len(taken) == 6


@pytest.mark.postgres
def test_a_worker_does_not_wait_for_anothers_claim(postgres_url):
    """SKIP LOCKED: while one transaction holds two letters, another takes the next two at once."""
    store = Store(postgres_url)
    store.migrate()
    with store.begin() as tx:
        tx.create_game("PL1", "", NOW)
        for i in range(4):
            _write(tx, i)
    with store.begin() as one, store.begin() as two:
        assert [r.message_id for r in one.claim(2, NOW, 30)] == ["<0@x>", "<1@x>"]
        assert [r.message_id for r in two.claim(2, NOW, 30)] == ["<2@x>", "<3@x>"]
    store.close()


def test_a_thread_has_a_root_and_a_latest_letter(filled):
    with filled.begin() as tx:
        assert tx.thread(1, "PL1/day/1") is None
        tx.note_thread(1, "PL1/day/1", "<a@x>")
        tx.note_thread(1, "PL1/day/1", "<b@x>")
        assert tx.thread(1, "PL1/day/1") == ("<a@x>", "<b@x>")
        assert tx.thread_root(1, "PL1/day/1") == "<a@x>"
        assert tx.thread_root(1, "PL1/day/2") is None


def test_one_worker_at_a_time_holds_a_lease(filled):
    with filled.begin() as tx:
        assert tx.lease("mailbox", "one", NOW, 30)
        assert not tx.lease("mailbox", "two", NOW + 29 * SECOND, 30)
        assert tx.lease("mailbox", "one", NOW + 29 * SECOND, 30)
        assert tx.lease("mailbox", "two", NOW + 59 * SECOND, 30)  # the first was killed
        tx.end_lease("mailbox", "one")
        assert not tx.lease("mailbox", "one", NOW + 60 * SECOND, 30)
        tx.end_lease("mailbox", "two")
        assert tx.lease("mailbox", "one", NOW + 60 * SECOND, 30)


def test_named_values(filled):
    with filled.begin() as tx:
        assert tx.get("a") is None
        tx.set("a", "1")
        tx.set("a", "2")
        assert tx.get("a") == "2"


def test_a_letter_that_was_not_offered_has_not_been_tried(filled):
    with filled.begin() as tx:
        (row,) = tx.claim(1, NOW, 30)
        tx.retry(row.id, NOW, "the server is down", tried=False)
        assert tx.claim(1, NOW, 30)[0].attempts == 1


def test_a_claim_can_be_kept_while_the_server_takes_its_time(filled):
    with filled.begin() as tx:
        ids = [row.id for row in tx.claim(6, NOW, 30)]
        tx.keep(ids[:1], NOW + 20 * SECOND, 30)
        assert len(tx.claim(6, NOW + 30 * SECOND, 30)) == 5


def test_the_only_worker_frees_what_its_killed_predecessor_claimed(filled):
    with filled.begin() as tx:
        tx.claim(2, NOW, 3000)
        assert tx.free_claims() == 2
        assert len(tx.claim(9, NOW, 30)) == 6
