"""The outbox's way out: every letter leaves, none holds back another, and what fails is told."""

from __future__ import annotations

import asyncio
from datetime import timedelta

import pytest

from pbem.app.clock import DrivenClock
from pbem.app.sending import Sender
from pbem.settings import Smtp
from pbem.store import Store
from tests.daemon.fakes import NOW, SECOND, FakeCarrier


@pytest.fixture
def store():
    store = Store.in_memory()
    with store.begin() as tx:
        tx.create_game("PL1", "", NOW)
    yield store
    store.close()


@pytest.fixture
def clock():
    return DrivenClock(NOW)


@pytest.fixture
def carrier():
    return FakeCarrier()


def _write(store, *addresses):
    with store.begin() as tx:
        for number, to in enumerate(addresses, len(tx.letters())):
            tx.enqueue(1, "vote", to, f"<{number}@x>", b"raw", "", [], NOW)


def _states(store):
    with store.read() as tx:
        return {row.to: row.state for row in tx.letters()}


async def _until(condition):
    for _ in range(500):
        if condition():
            return
        await asyncio.sleep(0.01)
    raise AssertionError("it did not come to that")


class Running:
    def __init__(self, sender):
        self.sender, self.stop = sender, asyncio.Event()

    async def __aenter__(self):
        self.task = asyncio.create_task(self.sender.run(self.stop))
        return self

    async def __aexit__(self, *_):
        self.stop.set()
        await self.task


def _sender(store, carrier, clock, **options):
    settings = Smtp(**{"connections": 4, **options.pop("settings", {})})
    return Sender(store, carrier, settings, clock, envelope_from="lune@example.org", **options)


async def test_letters_leave_at_once_over_a_few_connections(store, carrier, clock):
    addresses = [f"p{i}@example.org" for i in range(30)]
    _write(store, *addresses)
    async with Running(_sender(store, carrier, clock)):
        await _until(lambda: set(_states(store).values()) == {"sent"})
    assert sorted(letter.envelope_to for letter in carrier.carried) == sorted(addresses)
    assert {letter.envelope_from for letter in carrier.carried} == {"lune@example.org"}
    assert 1 < carrier.most <= 4
    assert carrier.closed


async def test_a_new_letter_is_noticed_when_told(store, carrier, clock):
    sender = _sender(store, carrier, clock)
    async with Running(sender):
        await asyncio.sleep(0.05)
        _write(store, "a@example.org")
        sender.wake()
        await _until(lambda: _states(store) == {"a@example.org": "sent"})


async def test_a_recipient_refused_for_good_is_told_and_holds_nothing_back(store, carrier, clock):
    told = []
    carrier.answers["bad@example.org"] = ("failed", {"code": 550, "text": "no such user"})
    _write(store, "bad@example.org", "good@example.org")
    sender = _sender(store, carrier, clock, failed=lambda _tx, letter, text: told.append((letter.to, text)))
    async with Running(sender):
        await _until(lambda: _states(store) == {"bad@example.org": "failed", "good@example.org": "sent"})
    assert told == [("bad@example.org", "550 no such user")]


async def test_what_goes_wrong_while_telling_of_it_leaves_the_mark(store, carrier, clock, caplog):
    carrier.answers["bad@example.org"] = ("failed", {"code": 550, "text": "no"})
    _write(store, "bad@example.org")

    def stumble(_tx, _letter, _text):
        raise ValueError("canary")

    async with Running(_sender(store, carrier, clock, failed=stumble)):
        await _until(lambda: _states(store) == {"bad@example.org": "failed"})
    assert "canary" not in caplog.text


async def test_a_recipient_who_hangs_holds_nothing_back(store, carrier, clock):
    carrier.hangs.add("slow@example.org")
    others = [f"p{i}@example.org" for i in range(20)]
    _write(store, "slow@example.org", *others)
    sender = _sender(store, carrier, clock)
    running = Running(sender)
    await running.__aenter__()
    await _until(lambda: all(_states(store)[to] == "sent" for to in others))
    assert _states(store)["slow@example.org"] == "claimed"
    running.task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await running.task


async def test_a_temporary_refusal_is_tried_again_later_and_later(store, carrier, clock):
    carrier.answers["grey@example.org"] = ("retry", {"code": 450, "text": "greylisted"})
    _write(store, "grey@example.org")
    sender = _sender(store, carrier, clock)
    async with Running(sender):
        await _until(lambda: len(carrier.carried) == 1 and _states(store)["grey@example.org"] == "pending")
        clock.move(NOW + 29 * SECOND)
        sender.wake()
        await asyncio.sleep(0.05)
        assert len(carrier.carried) == 1
        clock.move(NOW + 30 * SECOND)
        sender.wake()
        await _until(lambda: len(carrier.carried) == 2)
        carrier.answers.clear()
        clock.move(NOW + timedelta(hours=1))
        await _until(lambda: sender.wake() or _states(store)["grey@example.org"] == "sent")
    with store.read() as tx:
        assert tx.letters()[0].attempts == 3
    assert {letter.id for letter in carrier.carried} == {1}


async def test_a_server_that_is_down_costs_no_attempt_and_is_left_in_peace(store, carrier, clock):
    for to in ("a@example.org", "b@example.org"):
        carrier.answers[to] = ("retry", {"text": "localhost:25: refused", "tried": False})
    _write(store, "a@example.org", "b@example.org")
    sender = _sender(store, carrier, clock)
    async with Running(sender):
        await _until(lambda: len(carrier.carried) == 2)
        await _until(lambda: sender.problem)
        clock.move(NOW + timedelta(hours=1))
        for _ in range(5):
            sender.wake()
            await asyncio.sleep(0.02)
        assert len(carrier.carried) == 2  # thirty seconds of ours must pass first
    with store.read() as tx:
        assert [row.attempts for row in tx.letters()] == [0, 0]
        assert tx.letters()[0].error == "localhost:25: refused"


async def test_a_domain_whose_hour_is_full_waits_even_after_a_restart(store, carrier, clock):
    _write(store, "a@gmail.com", "b@gmail.com", "c@gmail.com", "d@example.org")
    with store.begin() as tx:
        for row in tx.letters()[:2]:
            tx.sent(row.id, NOW - SECOND)
    sender = _sender(store, carrier, clock, settings={"max_per_hour": {"gmail.com": 2}})
    async with Running(sender):
        await _until(lambda: _states(store)["d@example.org"] == "sent")
        await asyncio.sleep(0.05)
        assert _states(store)["c@gmail.com"] == "pending"
        clock.move(NOW + timedelta(hours=1))
        await _until(lambda: sender.wake() or _states(store)["c@gmail.com"] == "sent")


async def test_what_is_on_its_way_arrives_and_is_marked_when_the_program_stops(store, carrier, clock):
    _write(store, *[f"p{i}@example.org" for i in range(8)])
    running = Running(_sender(store, carrier, clock))
    await running.__aenter__()
    await _until(lambda: carrier.carried)
    await running.__aexit__()
    states = list(_states(store).values())
    assert "claimed" not in states
    assert states.count("sent") == len(carrier.carried)


async def test_a_letter_that_makes_the_carrier_stumble_is_tried_again(store, carrier, clock, caplog):
    class Stumbling(FakeCarrier):
        async def deliver(self, messages):
            raise RuntimeError("canary")
            yield

    _write(store, "a@example.org")
    async with Running(_sender(store, Stumbling(), clock)):
        await _until(lambda: _states(store) == {"a@example.org": "pending"} and _attempts(store) == 1)
    assert "canary" not in caplog.text


def _attempts(store):
    with store.read() as tx:
        return tx.letters()[0].attempts
