"""What tells the host how the program is: status by cause, metrics, health check, JSON log, alerts that repeat nothing."""

from __future__ import annotations

import contextlib
import json
import logging
import os
import re
import signal
import subprocess
import sys
import time
import urllib.error
import urllib.request
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from email import message_from_bytes, policy
from pathlib import Path

import pytest

from pbem.app import alerts, health, metrics, status
from pbem.app.monitor import Monitor
from pbem.app.status import Problem, gather
from pbem.cli import logs
from pbem.engine.decide import due_at
from pbem.settings import ConfigError, parse
from pbem.store import Store, StoreError
from tests.cli.playing import Play
from tests.conftest import EMBEDDED

NOW = datetime(2026, 12, 7, 8, 0, tzinfo=UTC)
PATIENCE = timedelta(minutes=10)
MINUTE = timedelta(minutes=1)
DOWN = Problem("mailbox", "the mailbox cannot be read (no answer)")
STUCK = Problem("stuck", "letters have been waiting since 07:00")
MONITORED = EMBEDDED + '\n[monitor]\nport = 0\nalerts = ["host@example.org", "other@example.org"]\n'


@pytest.fixture
def store():
    store = Store.in_memory()
    yield store
    store.close()


@pytest.fixture
def monitored(tmp_path):
    return parse(MONITORED, origin="pbem.toml", base=tmp_path)


def write_health(store, at=NOW, **changes):
    seen = health.Health(at=at, started=at, polled=at)
    with store.begin() as tx:
        health.write(tx, replace(seen, **changes))


# --- which problem is news ------------------------------------------------------------------------------------------


def days(*looks):
    """What is told at each look: (moment, problems found) in, news out."""
    known, told = {}, []
    for moment, found in looks:
        known, news = alerts.judge(known, found, moment, PATIENCE)
        told.append(([problem.cause for problem in news.problems], list(news.over)))
    return told


def test_a_problem_is_told_when_it_has_lasted_and_not_before():
    assert days((NOW, [DOWN]), (NOW + 9 * MINUTE, [DOWN]), (NOW + 10 * MINUTE, [DOWN]), (NOW + 11 * MINUTE, [DOWN])) == [
        ([], []), ([], []), (["mailbox"], []), ([], []),
    ]  # fmt: skip


def test_a_problem_that_goes_by_is_never_told():
    assert (
        days((NOW, [DOWN]), (NOW + 5 * MINUTE, []), (NOW + 6 * MINUTE, [DOWN]), (NOW + 15 * MINUTE, [DOWN]))
        == [([], [])] * 4
    )


def test_a_problem_that_lasts_is_told_each_day():
    hours = [NOW + timedelta(hours=hour) for hour in range(0, 50, 6)]
    told = [news for news, _ in days(*((hour, [DOWN]) for hour in hours))]
    assert told == [[], ["mailbox"], [], [], [], ["mailbox"], [], [], []]


def test_the_end_of_what_was_told_is_told_once():
    looks = [(NOW, [DOWN]), (NOW + 10 * MINUTE, [DOWN]), (NOW + 20 * MINUTE, []), (NOW + 30 * MINUTE, [])]
    assert days(*looks)[2:] == [([], [DOWN.text]), ([], [])]


def test_several_problems_are_told_together_one_a_cause():
    more = Problem("mailbox", "another")
    assert days((NOW, [DOWN, more, STUCK]), (NOW + 10 * MINUTE, [DOWN, more, STUCK]))[1] == (["mailbox", "stuck"], [])


def test_every_cause_of_the_status_has_words_that_mend():
    source = Path(status.__file__).read_text("utf-8")
    causes = set(re.findall(r'Problem\("([a-z]+)"', source))
    assert causes == set(alerts._MEND)


# --- the letters ----------------------------------------------------------------------------------------------------


def letters(store):
    with store.read() as tx:
        return [(row.to, message_from_bytes(row.raw, policy=policy.default)) for row in tx.letters()]


def test_alerts_leave_as_letters_to_each_address_and_a_restart_repeats_none(store, monitored):
    write_health(store, error="imap.example.org: no answer", since=NOW)
    clock = [NOW]
    first = Monitor(monitored, store, lambda: clock[0])
    first.watch_once()
    clock[0] = NOW + 10 * MINUTE
    write_health(store, clock[0], error="imap.example.org: no answer", since=NOW)
    first.watch_once()
    second = Monitor(monitored, store, lambda: clock[0])
    second.watch_once()
    found = letters(store)
    assert [to for to, _ in found] == ["host@example.org", "other@example.org"]
    mail = found[0][1]
    assert mail["Auto-Submitted"] == "auto-generated"
    assert mail["Subject"] == "Pleine Lune: something needs you"
    text = mail.get_body(("plain",)).get_content()
    assert "the mailbox cannot be read since 2026-12-07 08:00 UTC (imap.example.org: no answer)" in text
    assert "pbem doctor" in text
    clock[0] += MINUTE
    write_health(store, clock[0])
    second.watch_once()
    assert [mail["Subject"] for _, mail in letters(store)][2:] == ["Pleine Lune: all is well again"] * 2


def test_a_late_phase_and_a_stuck_poller_are_told(store, monitored):
    play = Play(store)
    play.start()
    due = due_at(play.game)
    write_health(store, due - MINUTE)
    with store.read() as tx:
        assert gather(tx, due).healthy
        assert [problem.cause for problem in gather(tx, due + 6 * MINUTE).found] == ["stopped", "late"]


def test_without_addresses_nothing_is_written_but_the_log_tells_once(store, monitored, caplog):
    alone = monitored.model_copy(update={"monitor": monitored.monitor.model_copy(update={"alerts": ()})})
    write_health(store, error="no answer", since=NOW)
    watching = Monitor(alone, store, lambda: NOW)
    with caplog.at_level(logging.WARNING, "pbem.app.monitor"):
        watching.watch_once()
        watching.watch_once()
    assert [record.message for record in caplog.records] == [
        "the mailbox cannot be read since 2026-12-07 08:00 UTC (no answer)"
    ]
    assert letters(store) == []


def test_of_two_workers_one_tells(store, monitored):
    write_health(store, error="no answer", since=NOW)
    clock = [NOW]
    one, two = Monitor(monitored, store, lambda: clock[0]), Monitor(monitored, store, lambda: clock[0])
    two._owner = "another:1"
    for minutes in (0, 10):
        clock[0] = NOW + minutes * MINUTE
        write_health(store, clock[0], error="no answer", since=NOW)
        one.watch_once()
        two.watch_once()
    assert len(letters(store)) == 2


# --- metrics and health ---------------------------------------------------------------------------------------------

LINE = re.compile(r'([a-z_]+)(?:\{((?:[a-z_]+="(?:[^"\\\n]|\\.)*",?)*)\})? (-?\d+(?:\.\d+)?)')


def samples(text):
    """{name with labels: value}; every line is as the format wants it, under its HELP and TYPE."""
    found, family = {}, ""
    for line in text.splitlines():
        if line.startswith("# HELP "):
            family = line.split()[2]
            continue
        if line.startswith("# TYPE "):
            assert line.split()[2:] in ([family, "gauge"], [family, "counter"])
            continue
        name, labels, value = LINE.fullmatch(line).groups()
        assert name == family
        found[f"{name}{{{labels}}}" if labels else name] = float(value)
    return found


def test_metrics_say_what_the_status_says(store):
    play = Play(store)
    play.start()
    write_health(store, polled=NOW, waiting=3, offset=-1.5, faults=2)
    with store.begin() as tx:
        tx.enqueue(1, "ack", "a@x.y", "<1@x>", b"", "", [], NOW - timedelta(hours=2))
    with store.read() as tx:
        found = samples(metrics.text(gather(tx, NOW)))
    assert found["pbem_running"] == 1
    assert found["pbem_healthy"] == 0
    assert found['pbem_problems{cause="stuck"}'] == 1
    assert found["pbem_last_poll_timestamp_seconds"] == NOW.timestamp()
    assert found["pbem_mails_waiting"] == 3
    assert found["pbem_clock_offset_seconds"] == -1.5
    assert found["pbem_stumbles_total"] == 2
    assert found['pbem_letters{state="pending"}'] == 1
    assert found["pbem_oldest_letter_timestamp_seconds"] == (NOW - timedelta(hours=2)).timestamp()
    assert found['pbem_game_living{game="PL1",phase="day"}'] == 8
    assert found['pbem_game_deadline_timestamp_seconds{game="PL1"}'] == play.game.deadline.timestamp()


def test_metrics_of_a_program_that_never_ran(store):
    with store.read() as tx:
        found = samples(metrics.text(gather(tx, NOW)))
    assert found["pbem_running"] == 0
    assert "pbem_mails_waiting" not in found


def test_labels_are_escaped():
    assert metrics._labels((("a", 'x"\\\n'),)) == r'{a="x\"\\\n"}'


def get(port, page):
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}{page}", timeout=10) as answer:
            return answer.status, answer.headers["Content-Type"], answer.read().decode()
    except urllib.error.HTTPError as error:
        with error:
            return error.code, error.headers["Content-Type"], error.read().decode()


def test_the_loopback_port_shows_metrics_and_health(store, monitored):
    write_health(store)
    with Monitor(monitored, store, lambda: NOW) as watching:
        code, kind, text = get(watching.port, "/metrics")
        assert (code, kind) == (200, "text/plain; version=0.0.4; charset=utf-8")
        assert samples(text)["pbem_healthy"] == 1
        assert get(watching.port, "/health")[::2] == (200, '{"healthy": true, "problems": []}\n')
        write_health(store, error="no answer", since=NOW)
        code, kind, text = get(watching.port, "/health")
        assert (code, json.loads(text)["healthy"]) == (503, False)
        assert get(watching.port, "/anything")[0] == 404
    with pytest.raises(urllib.error.URLError):
        get(watching.port, "/health")


def test_a_database_that_fails_is_a_503(store, monitored):
    with Monitor(monitored, store, lambda: NOW) as watching, contextlib.ExitStack() as stack:
        stack.callback(setattr, store, "read", store.read)
        store.read = _fail
        assert get(watching.port, "/metrics")[::2] == (503, "the database: the disk is full\n")


def _fail():
    raise StoreError("full")


def test_a_port_that_is_taken_is_one_line(store, monitored):
    with Monitor(monitored, store, lambda: NOW) as first:
        busy = monitored.model_copy(update={"monitor": monitored.monitor.model_copy(update={"port": first.port})})
        with (
            pytest.raises(ConfigError, match=rf"monitor\.port = {first.port}: expected a free port"),
            Monitor(busy, store),
        ):
            pass


@pytest.mark.parametrize(
    ("key", "value"), [("host", '"0.0.0.0"'), ("port", "70000"), ("log", '"xml"'), ("alerts", '["nobody"]')]
)
def test_wrong_settings_are_told(tmp_path, key, value):
    with pytest.raises(ConfigError, match=rf"monitor\.{key}"):
        parse(f"{EMBEDDED}\n[monitor]\n{key} = {value}\n", origin="pbem.toml", base=tmp_path)


# --- the log --------------------------------------------------------------------------------------------------------


def test_a_json_log_is_one_object_a_line():
    record = logging.LogRecord("pbem.x", logging.WARNING, "f", 1, "%s\nand é", ("two lines",), None)
    line = logs.JsonLines().format(record)
    assert "\n" not in line
    found = json.loads(line)
    assert found["message"] == "two lines\nand é"
    assert (found["level"], found["logger"]) == ("warning", "pbem.x")
    assert datetime.fromisoformat(found["at"]).tzinfo is not None


def test_a_json_log_holds_no_traceback():
    error = ValueError("what a mail said")
    record = logging.LogRecord("pbem.x", logging.ERROR, "f", 1, "stumbled", (), (type(error), error, None))
    line = logs.JsonLines().format(record)
    assert json.loads(line)["error"] == "ValueError"
    assert "what a mail said" not in line


# --- all together, as a process -------------------------------------------------------------------------------------


@pytest.mark.slow
def test_pbem_run_serves_metrics_logs_json_and_ends_by_sigterm(tmp_path):
    (tmp_path / "pbem.toml").write_text(MONITORED.replace("port = 0\nalerts", 'port = 0\nlog = "json"\nalerts'))
    running = subprocess.Popen(
        [sys.executable, "-m", "pbem.cli", "run"], cwd=tmp_path, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        env={**os.environ, "PYTHONUNBUFFERED": "1"},
    )  # fmt: skip
    try:
        port, lines = 0, []
        while not port:
            line = running.stderr.readline()
            assert line, running.stdout.read()
            lines.append(json.loads(line))
            found = re.search(r"http://127\.0\.0\.1:(\d+)/metrics", lines[-1]["message"])
            port = int(found[1]) if found else 0
        deadline = time.monotonic() + 20
        while samples(get(port, "/metrics")[2]).get("pbem_healthy") != 1:
            assert time.monotonic() < deadline
            time.sleep(0.2)
        running.send_signal(signal.SIGTERM)
        out, err = running.communicate(timeout=30)
        assert running.returncode == 0
        lines += [json.loads(line) for line in err.splitlines()]
        assert "stopping" in [line["message"] for line in lines]
        assert str(tmp_path / "var" / "mail" / "passwords.json") in out
    finally:
        running.kill()
        running.wait()
