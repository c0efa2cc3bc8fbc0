"""`pbem status`: exit code 0 if all is well, 1 if something needs the host, who is told what it is, and no secret."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from pbem.app import health
from pbem.app.status import gather
from pbem.engine.decide import due_at
from tests.cli.playing import NAMES, ROLES, Play


def _healthy(store, **changes):
    now = datetime.now(UTC)
    seen = health.Health(at=now, started=now - timedelta(hours=1), polled=now)
    with store.begin() as tx:
        health.write(tx, replace(seen, **changes))


@pytest.mark.parametrize("command", [("status",), ("game", "list"), ("game", "show", "PL1"), ("game", "export", "PL1")])
def test_looking_makes_no_database(pbem, folder, command):
    code, out, err = pbem(*command)
    assert (code, out) == (1, "")
    assert "there is no database yet" in err
    assert not (folder / "var").exists()


def test_a_program_that_never_ran_is_not_healthy(pbem, store):
    code, told, _ = pbem("status")
    assert code == 1
    assert "not running" in told


def test_a_healthy_program(pbem, store):
    _healthy(store)
    Play(store).start()
    code, told, _ = pbem("status", "--json")
    assert code == 0
    value = json.loads(told)
    assert value["healthy"] is True
    assert value["problems"] == []
    assert value["games"][0]["code"] == "PL1"
    assert value["outbox"]["pending"] == 0
    code, told, _ = pbem("status")
    assert code == 0
    assert "All is well" in told


def test_what_needs_the_host_is_told(pbem, store):
    now = datetime.now(UTC)
    _healthy(
        store,
        error="imap.example.org: cannot connect: refused",
        since=now - timedelta(minutes=9),
        sending="smtp: refused",
    )
    with store.begin() as tx:
        tx.create_game("PL9", "", now)
        for number, state in enumerate(("late", "bad")):
            tx.enqueue(1, "ack", f"{state}@x.y", f"<{number}@x>", b"", "", [], now - timedelta(hours=2))
        tx.failed(tx.letter("<1@x>").id, "550 no")
    code, told, _ = pbem("status", "--json")
    assert code == 1
    problems = " / ".join(json.loads(told)["problems"])
    assert "the mailbox cannot be read since" in problems
    assert "letters have been waiting since" in problems
    assert "letters cannot leave (smtp: refused)" in problems
    assert "1 letter(s) could not be delivered in the last two days" in problems
    assert json.loads(told)["causes"] == ["mailbox", "sending", "stuck", "undelivered"]


def test_an_undelivered_letter_is_news_for_two_days(store):
    now = datetime.now(UTC)
    _healthy(store)
    with store.begin() as tx:
        tx.create_game("PL9", "", now)
        tx.failed(tx.enqueue(1, "ack", "a@x.y", "<1@x>", b"", "", [], now - timedelta(days=2, hours=1)), "550 no")
    with store.read() as tx:
        assert gather(tx, now).healthy
        assert [problem.cause for problem in gather(tx, now - timedelta(hours=2)).found] == ["undelivered"]


def test_a_way_out_that_is_too_narrow_is_told(store):
    now = datetime.now(UTC)
    _healthy(store)
    with store.begin() as tx:
        tx.create_game("PL9", "", now)
        for number in range(501):
            tx.enqueue(1, "ack", "a@x.y", f"<{number}@x>", b"", "", [], now)
    with store.read() as tx:
        assert gather(tx, now).problems == ("501 letters are waiting to leave",)


def test_a_deadline_that_waits_is_told(store):
    play = Play(store)
    play.start()
    due = due_at(play.game)
    with store.read() as tx:
        for late, told in (
            (timedelta(minutes=5), []),
            (timedelta(minutes=6), ["PL1 has been waiting for its mailbox"]),
        ):
            problems = [text for text in gather(tx, due + late).problems if "PL1" in text]
            assert [text.split(" since")[0] for text in problems] == told


def test_status_tells_no_secret(pbem, store):
    _healthy(store)
    play = Play(store)
    play.start()
    told = pbem("status", "--json")[1] + pbem("status")[1]
    for secret in (*ROLES, "example.org", "tag1", play.game.seed, *NAMES):
        assert secret not in told
