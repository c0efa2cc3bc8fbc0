"""When each game needs looking at is remembered from one start to the next, and never when it is no longer true."""

from __future__ import annotations

import pytest

from pbem.app import agendas
from pbem.app.agendas import Agendas
from pbem.engine.decide import next_wakeup


@pytest.fixture
def loads(village, monkeypatch):
    """How many games were folded for an agenda."""
    counted = []

    def counting(game):
        counted.append(game)
        return next_wakeup(game)

    monkeypatch.setattr(agendas, "next_wakeup", counting)
    return counted


def _look(village, known):
    with village.store.read() as tx:
        return known.look(tx)[1].at


def _save(village, known):
    with village.store.begin() as tx:
        known.save(tx)


def test_the_next_start_reads_no_log_of_a_game_that_has_not_changed(village, loads):
    known = Agendas()
    at = _look(village, known)
    _save(village, known)
    assert len(loads) == 1
    assert _look(village, Agendas()) == at == next_wakeup(village.game)
    assert len(loads) == 1


def test_a_game_that_has_changed_since_is_looked_at_anew(village, loads):
    known = Agendas()
    before = _look(village, known)
    _save(village, known)
    village.send("storyteller", "ADMIN EXTEND 48h")
    assert _look(village, Agendas()) > before
    assert len(loads) == 2


def test_other_rules_may_have_other_hours(village, loads, monkeypatch):
    known = Agendas()
    _look(village, known)
    _save(village, known)
    monkeypatch.setattr(agendas, "_rules", lambda: "others")
    _look(village, Agendas())
    assert len(loads) == 2


def test_a_game_that_stands_still_is_remembered_too(village, loads):
    village.send("storyteller", "ADMIN PAUSE")
    known = Agendas()
    assert _look(village, known) is None
    _save(village, known)
    assert _look(village, Agendas()) is None
    assert len(loads) == 1
