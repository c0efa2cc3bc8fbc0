"""Letters that do not arrive: the storyteller hears of it, soon of a digest, after a day of the others, and once."""

from __future__ import annotations

from datetime import timedelta

import pytest

from pbem.app import undeliverable
from pbem.rehearsal.mailwriter import LIST, STORYTELLER

DAY, HOUR, MINUTE = timedelta(days=1), timedelta(hours=1), timedelta(minutes=1)


def told(village):
    """What the storyteller has been written about it since the last time."""
    return [row for row in village.take("storyteller") if row.kind == "undelivered"]


def text(row):
    return row.raw.decode("utf-8", "replace").replace("=\r\n", "")


def leave(village, *but):
    """All that is written has left, but for letters to these."""
    with village.store.begin() as tx:
        for row in tx.letters():
            if row.to not in but:
                tx.sent(row.id, village.now)
            else:
                tx.retry(row.id, village.now + HOUR, "451 come back later")


def look(village, **later):
    village.stage.now += timedelta(**later)
    return undeliverable.overdue(village.receiver.office, village.now)


def test_a_private_letter_that_has_not_left_for_a_day(village):
    leave(village, "alice@example.org", "bruno@example.org")
    assert look(village, hours=23) == []
    assert look(village, hours=1) == ["PL1"]
    (letter,) = told(village)
    assert "Alice" in text(letter)
    assert "Bruno" in text(letter)
    assert "451 come back later" in text(letter)
    assert look(village, hours=13) == []


def test_a_digest_for_the_list_at_once(village):
    """Or nearly: a server that knows nobody yet lets everybody wait for some minutes."""
    leave(village, LIST)
    assert look(village, minutes=9) == []
    assert look(village, minutes=1) == ["PL1"]
    assert LIST in text(told(village)[0])
    assert look(village, minutes=10) == []


def test_a_list_that_was_only_not_tried_yet_is_no_trouble(village):
    """It waits for its turn (max_per_hour), or has just been written."""
    leave(village)
    village.send("Alice", "SAY", "Bonsoir.")
    assert look(village, minutes=20) == []


def refuse(village, address):
    with village.store.begin() as tx:
        row = next(row for row in tx.letters() if row.to == address)
        tx.failed(row.id, "550 5.1.1 no such user")
        undeliverable.tell(village.receiver.office, tx, row, "550 5.1.1 no such user", village.now)


def test_a_digest_that_the_list_refuses_for_good_is_told_in_that_moment(village):
    leave(village, LIST)
    refuse(village, LIST)
    (letter,) = told(village)
    assert LIST in text(letter)
    assert "550 5.1.1 no such user" in text(letter)
    assert look(village, hours=1) == []


def test_an_address_that_is_known_to_fail_is_told_once_whatever_else_it_refuses(village):
    leave(village, "alice@example.org")
    refuse(village, "alice@example.org")
    assert [dict(notice) for row in village.take("storyteller") for notice in row.notices] == [{"bounce": "Alice"}]
    village.send("Alice", "STATUS")
    leave(village, "alice@example.org")
    assert look(village, days=2) == []
    assert told(village) == []


def test_of_a_relay_that_is_dead_for_days_he_hears_twice_a_day_not_more(village):
    leave(village)
    letters = 0
    for _ in range(2 * 24):
        village.send("Alice", "STATUS")
        leave(village, "alice@example.org")
        look(village, hours=1)
        letters += len(told(village))
    assert 2 <= letters <= 3


def test_nobody_is_told_that_he_cannot_be_told(village):
    village.send("storyteller", "ADMIN STATUS")
    leave(village, STORYTELLER)
    assert look(village, days=2) == []
    assert told(village) == []


def test_a_letter_of_no_game_is_nobodys_trouble(village):
    village.send(("Zoé", "zoe@example.net"), "HELP")
    leave(village, "zoe@example.net")
    assert look(village, days=2) == []


@pytest.mark.parametrize("minutes", [1, 6])
def test_the_running_program_looks_now_and_then(village, minutes):
    leave(village)
    village.receiver.tick(village.now, village.now)
    village.send("Alice", "STATUS")
    leave(village, "alice@example.org")
    with village.store.begin() as tx:
        tx._connection.exec_driver_sql(
            "UPDATE outbox SET created = '2020-01-01T00:00:00.000000+00:00' WHERE state != 'sent'"
        )
    village.stage.now += minutes * MINUTE
    village.receiver.tick(village.now, village.now)
    assert len(told(village)) == (1 if minutes > 5 else 0)
