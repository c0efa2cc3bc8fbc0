"""The clockwork: once for each key, never early, however late."""

from __future__ import annotations

import asyncio
import time
from datetime import UTC, datetime, timedelta

import pytest

from pbem.schedule.wakeups import Wakeups


class Log:
    def __init__(self, now):
        self.calls = []
        self._now = now

    async def __call__(self, key):
        self.calls.append((key, self._now()))


class Racing:
    """A clock that runs `speed` times as fast as the machine's, and can be put forward or back."""

    def __init__(self, speed=1.0):
        self.speed = speed
        self._start = time.monotonic()
        self._epoch = datetime(2026, 12, 7, 8, 0, tzinfo=UTC)

    def __call__(self):
        return self._epoch + timedelta(seconds=(time.monotonic() - self._start) * self.speed)

    def jump(self, seconds):
        self._epoch += timedelta(seconds=seconds)


@pytest.fixture
def now():
    return Racing()


async def until(condition, seconds=5):
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "it did not come"
        await asyncio.sleep(0.01)


async def test_each_at_its_moment_never_before(now):
    log = Log(now)
    wakeups = Wakeups(log, now)
    wakeups.start()
    start = now()
    due = {f"PL{number}": start + timedelta(seconds=0.1 * number) for number in (3, 1, 2)}
    for key, moment in due.items():
        wakeups.set(key, moment)
    await until(lambda: len(log.calls) == 3)
    wakeups.stop()
    assert [key for key, _ in log.calls] == ["PL1", "PL2", "PL3"]
    assert all(timedelta() <= at - due[key] < timedelta(seconds=1) for key, at in log.calls)
    assert wakeups.due == {}


async def test_what_is_past_fires_at_once(now):
    log = Log(now)
    wakeups = Wakeups(log, now)
    wakeups.set("before the start", now() - timedelta(days=30))
    wakeups.start()
    wakeups.set("after it", now() - timedelta(days=30))
    await until(lambda: len(log.calls) == 2)
    wakeups.stop()


async def test_set_again_replaces_and_clear_forgets(now):
    log = Log(now)
    wakeups = Wakeups(log, now)
    wakeups.start()
    wakeups.set("a", now() + timedelta(seconds=0.1))
    wakeups.set("a", now() + timedelta(seconds=0.4))
    wakeups.set("b", now() + timedelta(seconds=0.1))
    wakeups.clear("b")
    wakeups.clear("unknown")
    await asyncio.sleep(0.25)
    assert log.calls == []
    await until(lambda: log.calls)
    await asyncio.sleep(0.2)
    wakeups.stop()
    assert [key for key, _ in log.calls] == ["a"]


async def test_a_clock_that_runs_faster():
    now = Racing(speed=3600)
    log = Log(now)
    wakeups = Wakeups(log, now, speed=3600)
    wakeups.start()
    moment = now() + timedelta(minutes=30)
    wakeups.set("sunset", moment)
    await until(lambda: log.calls)
    wakeups.stop()
    assert moment <= log.calls[0][1] < moment + timedelta(minutes=30)


async def test_a_clock_put_forward_is_noticed(now, monkeypatch):
    monkeypatch.setattr("pbem.schedule.wakeups.LOOK_AGAIN_SECONDS", 0.1)
    log = Log(now)
    wakeups = Wakeups(log, now)
    wakeups.start()
    wakeups.set("T", now() + timedelta(hours=1))
    await asyncio.sleep(0.05)
    now.jump(3600)
    await until(lambda: log.calls, 2)
    wakeups.stop()


async def test_a_clock_put_back_fires_nothing_early(now, monkeypatch):
    monkeypatch.setattr("pbem.schedule.wakeups.LOOK_AGAIN_SECONDS", 0.05)
    log = Log(now)
    wakeups = Wakeups(log, now)
    wakeups.start()
    wakeups.set("T", now() + timedelta(seconds=0.2))
    now.jump(-3600)
    await asyncio.sleep(0.5)
    wakeups.stop()
    assert log.calls == []


async def test_a_callback_that_fails_stops_nothing(now, caplog):
    called = []

    def callback(key):
        called.append(key)
        if key == "bad":
            raise ValueError("no")

    wakeups = Wakeups(callback, now)
    wakeups.start()
    wakeups.set("bad", now())
    wakeups.set("good", now() + timedelta(seconds=0.1))
    await until(lambda: len(called) == 2)
    wakeups.stop()
    assert "the wakeup bad failed" in caplog.text


async def test_a_callback_may_set_itself_again_and_runs_to_its_end(now):
    wakeups = None
    ended = []

    async def callback(key):
        if len(ended) < 3:
            wakeups.set(key, now())
        await asyncio.sleep(0.05)
        ended.append(key)

    wakeups = Wakeups(callback, now)
    wakeups.start()
    wakeups.set("again", now())
    await until(lambda: len(ended) >= 3)
    wakeups.set("last", now())
    await asyncio.sleep(0.02)
    wakeups.stop()
    started = len(ended)
    await asyncio.sleep(0.2)
    assert len(ended) >= started
    assert ended[-1] == "last"


async def test_stopped_is_stopped_until_it_is_started_again(now):
    log = Log(now)
    wakeups = Wakeups(log, now)
    wakeups.start()
    wakeups.set("a", now() + timedelta(seconds=0.1))
    wakeups.stop()
    await asyncio.sleep(0.2)
    assert log.calls == []
    wakeups.start()
    await until(lambda: log.calls)
    wakeups.stop()


def test_a_moment_needs_a_zone():
    with pytest.raises(ValueError, match="time zone"):
        Wakeups(print).set("a", datetime(2026, 12, 7))  # noqa: DTZ001  (that is what is refused)
