"""The calendar to subscribe to: what happened stands where it happened, and what fell away is not there at all."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from icalendar import Calendar

from pbem.engine import commands as c
from pbem.engine import events as e
from tests.archive.test_undone import take_back
from tests.archive.test_writing import hold
from tests.archive.troupe import Stage, Wildly

BURNS = datetime(2026, 12, 8, 21, 0, tzinfo=UTC)


def entries(stage):
    """The calendar of PL1: (day and closing, moment, status), with nothing told twice."""
    stage.publish()
    book = Calendar.from_ical(stage.folder.file("pl1/deadlines.ics").read_bytes())
    events = book.walk("VEVENT")
    assert len({event["uid"] for event in events}) == len(events)
    assert all(event["dtstamp"].dt <= stage.now for event in events)
    return [
        (
            str(event["summary"]).replace("\xa0", " ").removeprefix("PL1, jour "),
            event["dtstart"].dt,
            str(event["status"]),
        )
        for event in events
    ]


def moments(stage):
    found = {}
    for what, at, _ in entries(stage):
        found.setdefault(what, []).append(at)
    return found


def happened(stage, game):
    """When what closed did, as the log has it."""
    with stage.store.read() as tx:
        log = [row.event for row in tx.events(game.id)]
    return sorted(event.at for event in log if isinstance(event, e.PhaseClosed) and event.what != "murder")


@pytest.mark.parametrize("later", [{"seconds": 3600}, {"days": 3}])
def test_an_execution_that_was_put_off_and_then_brought_on_stands_where_it_was(stage, later):
    game = stage.open("PL1")
    game.start(mayor=1)
    game.admin(c.Extend, **later)
    assert moments(stage)["1 : Exécution"] > [BURNS]
    game.admin(c.Resolve)
    ended = stage.now
    assert moments(stage)["1 : Exécution"] == [ended]
    assert moments(stage)["1 : Fin du crépuscule"][0] > ended
    game.admin(c.Resolve)
    dusk = stage.now
    game.until("murder")
    found = moments(stage)
    assert (found["1 : Exécution"], found["1 : Fin du crépuscule"]) == ([ended], [dusk])
    assert "1 : Fin du départage" not in found
    assert found["2 : Exécution"][0] > stage.now


def test_a_closing_that_came_late_keeps_its_hour(stage):
    """The machine was off for a day: the execution was at T all the same."""
    game = stage.open("PL1")
    game.start(mayor=1)
    stage.now = BURNS + timedelta(days=1)
    game.tick()
    assert moments(stage)["1 : Exécution"] == [BURNS]


@pytest.mark.parametrize("end", [(c.Abort,), (c.Smite, 2, "")])
def test_nothing_is_to_come_once_the_game_is_over(stage, end):
    cast = (("Alice", "f", "seer"), ("Bruno", "m", "werewolf"), ("Chloé", "f", "villager"), ("David", "m", "villager"))
    game = stage.open("PL1", cast)
    game.start(mayor=None)
    assert {"1 : Exécution", "1 : Clôture de l’élection"} <= set(moments(stage))
    game.admin(c.Extend, days=5)
    game.admin(*end)
    assert entries(stage) == []


def test_an_election_that_fell_away_is_not_there(stage):
    game = stage.open("PL1")
    game.start(mayor=None)
    assert "1 : Clôture de l’élection" in moments(stage)
    game.admin(c.AppointMayor, 1)
    assert "1 : Clôture de l’élection" not in moments(stage)


def test_two_elections_of_one_day_are_two_entries(stage):
    game = stage.open("PL1")
    game.start(mayor=None)
    game.admin(c.Extend, days=4)
    game.until("election")  # nobody votes, so another one comes
    first = happened(stage, game)
    assert moments(stage)["1 : Clôture de l’élection"][:1] == first
    game.until("election")
    found = moments(stage)["1 : Clôture de l’élection"]
    assert found[:2] == happened(stage, game)
    assert len(set(found)) == len(found) >= 2


def test_what_was_taken_back_did_not_close(stage):
    game = stage.open("PL1")
    game.start(mayor=1)
    game.admin(c.Resolve)
    take_back(stage, game)
    assert moments(stage)["1 : Exécution"] == [BURNS]
    game.until("execution")
    assert moments(stage)["1 : Exécution"] == [BURNS]


def test_a_paused_game_keeps_only_what_was(stage):
    game = stage.open("PL1")
    game.start(mayor=1)
    game.night()
    was = happened(stage, game)
    game.admin(c.Pause)
    assert sorted(at for _, at, _ in entries(stage)) == was
    game.admin(c.Resume)
    assert moments(stage)["2 : Exécution"][0] > stage.now


def test_a_held_digest_leaves_the_calendar_as_it_was(tmp_path):
    stage = Stage(tmp_path, letters=True)
    game = stage.open("PL1")
    game.start(mayor=1)
    game.admin(c.Extend, days=1)
    hold(game, c.Hold(stage.now, held=True))
    announced = moments(stage)["1 : Exécution"]
    game.admin(c.Resolve)
    ended = stage.now
    assert moments(stage) == {"1 : Exécution": announced}
    hold(game, c.Hold(stage.now, held=False))
    assert moments(stage)["1 : Exécution"] == [ended]
    stage.store.close()


@pytest.mark.parametrize("seed", [2, 9])
def test_whatever_happens_the_calendar_holds_what_closed_when_it_did(tmp_path, seed):
    stage = Stage(tmp_path)
    wild = Wildly(seed, stage, lambda one: setattr(one.stage, "now", max(one.stage.now, one.now)))
    wild.play()
    over = [at for _, at, status in entries(stage)]
    assert sorted(over) == happened(stage, wild)
    assert all(at <= stage.now for at in over)
    stage.store.close()
