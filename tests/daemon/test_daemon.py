"""The running program with the embedded post office: mails in, deadlines, letters out, a clean end, a new start."""

from __future__ import annotations

import asyncio
import smtplib
from contextlib import asynccontextmanager
from datetime import timedelta
from email.message import EmailMessage

import pytest

from pbem.app import health
from pbem.app.clock import DrivenClock, FastClock
from pbem.app.daemon import Daemon
from pbem.engine.decide import due_at
from pbem.settings import ConfigError
from pbem.store import Store, StoreError
from tests.daemon.fakes import NOW, SECOND, FakeReceiver, start_game

GAME = "lune@village.example"


@pytest.fixture
def store(database_url):
    store = Store(database_url)
    store.migrate()
    yield store
    store.close()


@pytest.fixture
def receiver(store):
    return FakeReceiver(store)


@asynccontextmanager
async def running(daemon):
    task = asyncio.create_task(daemon.serve(signals=False))
    starting = asyncio.create_task(daemon.started.wait())
    await asyncio.wait([task, starting], return_when=asyncio.FIRST_COMPLETED)
    if task.done():
        starting.cancel()
        await task
    try:
        yield daemon
    finally:
        daemon.stop()
        await asyncio.wait_for(task, 15)


async def _send(daemon, sender, subject, to=GAME):
    mail = EmailMessage()
    mail["From"], mail["To"], mail["Subject"] = sender, to, subject
    mail.set_content("x")

    def send():
        with smtplib.SMTP("127.0.0.1", daemon.office.smtp_port, local_hostname="localhost") as post:
            post.login(sender, daemon.office.password(sender))
            post.send_message(mail)

    await asyncio.to_thread(send)


async def _until(condition, seconds=10):
    for _ in range(int(seconds * 50)):
        if condition():
            return
        await asyncio.sleep(0.02)
    raise AssertionError("it did not come to that")


async def test_a_mail_sent_is_received_and_a_letter_written_is_delivered(settings, store, receiver):
    clock = DrivenClock(NOW)
    daemon = Daemon(settings, store, receiver, clock, durable=False)
    async with running(daemon):
        await daemon.poll()
        await _send(daemon, "alice@village.example", "VOTE Bruno")
        await _until(lambda: receiver.mails)  # IDLE tells of it at once
        with store.begin() as tx:
            game = tx.create_game("PL1", "", NOW)
            raw = b"From: lune@village.example\r\nTo: bruno@village.example\r\nSubject: x\r\n\r\nx\r\n"
            tx.enqueue(game, "ack", "bruno@village.example", "<1@village.example>", raw, "", [], NOW)
        await daemon.poll()
        await daemon.quiet()
    folder = settings.embedded.maildirs / "bruno@village.example"
    assert [file for file in folder.rglob("*") if file.parent.name in {"new", "cur"}]
    with store.read() as tx:
        assert tx.letter("<1@village.example>").state == "sent"


async def test_the_list_reaches_who_plays_and_steers(settings, store, receiver):
    clock = DrivenClock(NOW)
    game = start_game(store)
    with store.begin() as tx:
        tx.add_player(game, 1, "alice@village.example", "fr", "f", "tag")
        tx.add_storyteller(game, "conteur@village.example")
        raw = b"From: lune@village.example\r\nTo: village@village.example\r\nSubject: x\r\n\r\nx\r\n"
        tx.enqueue(game, "digest", "village@village.example", "<1@village.example>", raw, "", [], NOW)
    async with running(Daemon(settings, store, receiver, clock, durable=False)) as daemon:
        await daemon.quiet()
    for name in ("alice", "conteur", "village"):
        folder = settings.embedded.maildirs / f"{name}@village.example"
        assert len([f for f in folder.rglob("*") if f.parent.name in {"new", "cur"}]) == 1, name


async def test_passwords_are_told_once(settings, store, receiver):
    told = []
    for _ in range(2):
        daemon = Daemon(
            settings, store, receiver, DrivenClock(NOW), announce=lambda address, _: told.append(address), durable=False
        )
        async with running(daemon):
            pass
    assert sorted(told) == ["conteur@village.example", GAME, "village@village.example"]


async def test_a_poll_begins_right_after_each_deadline(settings, store, receiver):
    """CAL-6: nothing else wakes it: polls come every thirty seconds of ours, and the clock runs 5000 times as fast."""
    game = start_game(store)
    with store.read() as tx:
        deadline = due_at(tx.load(game)[0])
    clock = FastClock(deadline - timedelta(hours=2), 5000)
    async with running(Daemon(settings, store, receiver, clock, durable=False)):
        await _until(lambda: receiver.ticks and receiver.ticks[-1] >= deadline)
    late = min(read_to for read_to in receiver.ticks if read_to >= deadline) - deadline
    assert late < timedelta(seconds=5000 * 2)


async def test_deadlines_are_derived_from_the_store_at_the_start(settings, store, receiver):
    game = start_game(store)
    async with running(Daemon(settings, store, receiver, DrivenClock(NOW), durable=False)) as daemon:
        due = daemon._wakeups.due[str(game)]
    with store.read() as tx:
        assert NOW < due <= due_at(tx.load(game)[0]) + 2 * SECOND


async def test_status_knows_that_it_runs_and_that_it_was_stopped(settings, store, receiver):
    async with running(Daemon(settings, store, receiver, DrivenClock(NOW), durable=False)) as daemon:
        await daemon.poll()
        with store.read() as tx:
            seen = health.read(tx)
        assert (seen.polled, seen.error, seen.stopped) == (NOW, "", False)
    with store.read() as tx:
        assert health.read(tx).stopped


async def test_letters_of_a_killed_predecessor_leave_at_once(settings, store, receiver):
    if store.shared:
        pytest.skip("among several workers, the claim must run out first")
    with store.begin() as tx:
        game = tx.create_game("PL1", "", NOW)
        tx.enqueue(game, "ack", "bruno@village.example", "<1@village.example>", b"Subject: x\r\n\r\nx\r\n", "", [], NOW)
        tx.claim(1, NOW, 3600)
    async with running(Daemon(settings, store, receiver, DrivenClock(NOW), durable=False)) as daemon:
        await daemon.quiet()
    with store.read() as tx:
        assert tx.letter("<1@village.example>").state == "sent"


async def test_two_programs_do_not_serve_one_file(settings, tmp_path):
    url = f"sqlite:///{tmp_path}/alone.sqlite"
    store, other = Store(url), Store(url)
    store.migrate()
    receiver = FakeReceiver(store)
    async with running(Daemon(settings, store, receiver, DrivenClock(NOW), durable=False)):
        with pytest.raises(StoreError, match="another pbem"):
            await Daemon(settings, other, receiver, DrivenClock(NOW)).serve(signals=False)
        other.close()
    store.close()


async def test_a_port_that_is_taken_is_a_matter_of_configuration(settings, store, receiver):
    async with running(Daemon(settings, store, receiver, DrivenClock(NOW), durable=False)) as daemon:
        embedded = settings.embedded.model_copy(
            update={"smtp_port": daemon.office.smtp_port, "maildirs": settings.embedded.maildirs / "other"}
        )
        other = Store("sqlite://")
        with pytest.raises(ConfigError, match="smtp_port"):
            await Daemon(settings.model_copy(update={"embedded": embedded}), other, receiver).serve(signals=False)
        other.close()
