"""What `make bench` measures with: real mails, real games, and a verdict that tells a miss."""

from __future__ import annotations

import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path

import pytest

from bench import __main__ as report
from bench import archive, engine, growth, servers, storm
from bench.figures import Figure
from bench.town import DOMAIN, found, votes
from pbem import wiring
from pbem.app.receive import Receiver
from pbem.engine.decide import due
from pbem.post import RawMail
from pbem.store import Store

ROOT = Path(__file__).parents[2]
NOW = datetime(2026, 12, 7, 8, 0, tzinfo=UTC)


@pytest.fixture
def store():
    store = Store.in_memory()
    yield store
    store.close()


@pytest.mark.parametrize(
    ("figure", "held", "broken", "words"),
    [
        (Figure("a", 0.9, least=0.8, must=0.5), True, False, "goal ≥ 0.8: holds"),
        (Figure("a", 0.6, least=0.8, must=0.5), False, False, "goal ≥ 0.8: MISSED)"),
        (Figure("a", 0.4, least=0.8, must=0.5), False, True, "MISSED, and so is the must"),
        (Figure("a", 1.4, most=1.5, must=2.0), True, False, "goal ≤ 1.5: holds"),
        (Figure("a", 2.1, "ms", most=1.5, must=2.0), False, True, "2.1 ms"),
        (Figure("a", 12345.6, "ms"), None, False, "a: 12,346 ms"),
    ],
)
def test_a_figure_knows_whether_its_goal_holds(figure, held, broken, words):
    assert (figure.held, figure.broken) == (held, broken)
    assert words in figure.line()


def test_every_mail_of_the_bench_is_a_vote_that_counts(store, tmp_path):
    """Else the bench would measure how quickly mails are refused."""
    from bench.whole import settings  # noqa: PLC0415 - it loads everything

    people = found(store, 3, NOW)
    receiver = Receiver(store, wiring.scribe(settings(str(tmp_path / "x"), "1", "u", "p", "1")),
                        settings(str(tmp_path / "x"), "1", "u", "p", "1"))  # fmt: skip
    handled = [receiver.receive(RawMail(1, uid, NOW, raw), NOW) for uid, raw in enumerate(votes(people, 90, NOW), 1)]
    assert {(one.kind, one.outcomes[0].verb, one.outcomes[0].status) for one in handled} == {
        ("command", "VOTE", "accepted")
    }
    with store.read() as tx:
        assert len([row for row in tx.letters() if row.kind == "ack"]) == 90


def test_the_storms_games_wait_for_one_moment_with_all_their_votes(store):
    moment = storm.gather(store, 3)
    with store.read() as tx:
        games = [tx.load(row.id)[0] for row in tx.games()]
    assert [game.deadline for game in games] == [moment] * 3
    assert all(len(game.orders_for("VOTE")) == len(game.living) for game in games)
    assert {due(game, moment) for game in games} == {"execution"}


def test_a_round_of_the_storm_needs_every_digest():
    sink = servers.Sink.__new__(servers.Sink)
    sink.taken = [(10.0, f"village@{DOMAIN}"), (12.0, "a@b.example")]
    assert storm.figures(sink, 5.0, 1) == {"letters": 2, "last": 7.0, "first digest": 5.0, "last digest": 5.0}
    with pytest.raises(AssertionError):
        storm.figures(sink, 5.0, 2)


def test_growth_and_the_archive_are_measured(monkeypatch):
    monkeypatch.setattr(growth, "MAILS", 4)
    monkeypatch.setattr(growth, "ROUNDS", 1)
    monkeypatch.setattr(growth, "WRITING", 2)
    monkeypatch.setattr(growth, "DAYS", 2)
    assert [figure.value > 0 for figure in growth.measure((2, 4))] == [True] * 4
    assert archive.measure(posts=6, more=3)[-1].value > 0


def test_the_engine_is_measured_with_every_role():
    counts = dict(engine.everybody())
    assert sum(counts.values()) == engine.PLAYERS
    assert set(counts) == set(engine.ROSTER)


def test_the_floor_and_the_postman_start():
    """They are programs of their own, that nothing here imports."""
    for module in ("floor", "postman", "whole", "sink"):
        done = subprocess.run(
            [sys.executable, "-c", f"import bench.{module}"], cwd=ROOT, capture_output=True, check=False
        )
        assert done.returncode == 0, done.stderr


def test_an_unknown_part_is_refused(monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", ["bench", "sped"])
    with pytest.raises(SystemExit) as ended:
        report.main()
    assert ended.value.code == 2
    assert "engine, throughput, latency, storm" in capsys.readouterr().err
