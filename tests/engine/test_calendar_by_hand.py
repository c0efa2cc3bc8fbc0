"""CAL-7, ORG-4: the storyteller's hand on the clock: resolve, extend, deadline, pause and resume."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from pbem.engine import commands as c
from pbem.engine import events as e
from tests.kit.village import Village

rule = pytest.mark.rule
START = datetime(2026, 12, 7, 8, tzinfo=UTC)
FIVE = "Ann: villager, Bob: werewolf, Cid: villager, Dan: villager, Eve: villager"


def village(front="", **more):
    return Village(front + FIVE, **more)


@rule("CAL-7")
def test_resolve_ends_the_present_phase_now():
    v = village()
    v.do("Bob", "KILL Ann", "mon 10:00")
    v.do("Cid", "VOTE Dan", "mon 10:01")
    assert v.admin("RESOLVE", "mon 12:00") == "accepted"
    assert (v.phase, v.died, v.deadline) == ("sunset", {"Dan"}, "mon 12:30")
    v.admin("RESOLVE", "mon 12:05")
    assert (v.phase, v.deadline) == ("vision", "mon 12:35")
    v.admin("RESOLVE", "mon 12:10")
    assert (v.phase, v.died, v.deadline, v.game.turn) == ("day", {"Ann"}, "tue 22:00", 2)


@rule("CAL-7")
@pytest.mark.parametrize(
    ("closing", "ends"), [("", "wed 22:00"), ("execution", "wed 22:30"), ("sunset", "wed 23:00"), ("vision", "")]
)
def test_extend_moves_the_present_deadline(closing, ends):
    v = village()
    if closing:
        v.until(closing)
    assert v.admin("EXTEND 1d") == "accepted"
    if ends:
        assert v.deadline == ends
        assert v.happened(e.DeadlineMoved) == [e.DeadlineMoved(v.phase, v.game.deadline, v.now)]


@rule("CAL-7", "VOTE-5")
def test_a_tie_break_can_be_extended_and_paused():
    v = village(mayor="Eve")
    v.votes("tue 20:00", "Ann Cid; Cid Ann")
    v.until("execution")
    v.admin("EXTEND 2h", "tue 22:10")
    assert v.deadline == "wed 00:30"
    v.admin("PAUSE", "tue 23:00")
    assert v.order("Eve", "DECIDE Ann", "tue 23:10") == "game-paused"
    v.admin("RESUME", "wed 12:00")
    assert v.deadline == "wed 13:30"
    v.do("Eve", "DECIDE Ann", "wed 13:00")
    assert (v.died, v.deadline) == ({"Ann"}, "wed 13:30")


@rule("CAL-7")
def test_extend_a_day_is_the_same_clock_time_over_the_change():
    v = village(start="2027-03-26T09:00", executions=("sat 22:00",))
    v.admin("EXTEND 1d")
    assert v.deadline == "sun 22:00"
    v = village(start="2027-03-26T09:00", executions=("sat 22:00",))
    v.admin("EXTEND 24h")
    assert v.deadline == "sun 23:00"


@rule("CAL-7")
def test_deadline_sets_any_moment_that_has_not_passed():
    v = village()
    assert v.admin("DEADLINE 2026-12-07T09:00") == "not-a-choice"
    assert v.admin("DEADLINE mon 15:00", "mon 10:00") == "accepted"
    assert v.happened(e.DeadlineMoved) == [e.DeadlineMoved("day", v.game.deadline, v.now)]
    v.go("mon 15:00")
    assert (v.phase, v.deadline) == ("sunset", "mon 15:30")


FAR = (
    (datetime(9999, 12, 31, 22, 59, tzinfo=UTC), 10**18),
    (datetime(5000, 1, 1, 21, 0, tzinfo=UTC), 1_100_000),
    (datetime(2027, 12, 9, 22, 31, tzinfo=UTC), 367),
)
"""Moments more than 366 days after Tuesday night, and as many days."""


@rule("CAL-7")
@pytest.mark.parametrize(("moment", "days"), FAR)
@pytest.mark.parametrize("closing", ["", "execution", "sunset"])
def test_nothing_can_be_set_further_ahead_than_a_year(moment, days, closing):
    """Whatever carries a time or a length is refused, in every phase, and nothing changes."""
    v = village()
    if closing:
        v.until(closing)
    before = v.game
    for command in (
        *(c.MoveDeadline(v.now, moment), c.Excuse(v.now, 1, moment)),
        *(c.Extend(v.now, days=days), c.Extend(v.now, days * 86400), c.Extend(v.now, days * 86400 // 2, days // 2 + 1)),
    ):
        told = v.run(command)
        assert [(x.code, x.verb) for x in told] == [
            ("not-a-choice", {c.MoveDeadline: "DEADLINE", c.Excuse: "EXCUSE", c.Extend: "EXTEND"}[type(command)])
        ]
    assert v.game == before


@rule("CAL-7")
def test_a_year_ahead_can_be_set_and_resumed_but_not_moved_further_by_and_by():
    v = village()
    year = v.now + timedelta(days=366)
    assert [type(x) for x in v.run(c.MoveDeadline(v.now, year))] == [e.DeadlineMoved]
    assert [type(x) for x in v.run(c.Excuse(v.now, 1, year))] == [e.Excused]
    assert v.admin("EXTEND 1m") == "not-a-choice"
    v.admin("PAUSE", "+1d")
    assert v.admin("RESUME", "+1d") == "accepted"
    assert timedelta() <= v.game.deadline - (year + timedelta(days=1)) < timedelta(days=3)  # the next T of the calendar


@rule("CAL-7")
@pytest.mark.parametrize("command", [c.Extend(START, 0), c.Extend(START, -60), c.Extend(START, days=-1)])
def test_extend_never_brings_the_end_nearer(command):
    v = village()
    assert [x.code for x in v.run(command)] == ["not-a-choice"]


@rule("CAL-7", "CAL-6")
def test_a_vote_after_a_forced_t_is_for_the_next_day_only_when_that_has_opened():
    v = village()
    v.admin("RESOLVE", "mon 12:00")
    assert v.order("Ann", "VOTE Cid", "mon 12:05") == "wrong-time"
    v.until("murder")
    v.do("Ann", "VOTE Cid", "mon 13:05")


@rule("CAL-7")
@pytest.mark.parametrize("word", ["PAUSE", "EXTEND 1h", "DEADLINE sun 10:00", "RESOLVE"])
def test_what_cannot_be_done_before_the_start_in_a_pause_or_after_the_end(word):
    v = village(begin=False)
    assert v.admin(word) == "wrong-time"
    v = village()
    v.admin("PAUSE", "mon 10:00")
    assert v.admin(word) == "game-paused"
    v.admin("ABORT")
    assert v.admin(word) == "game-over"


@rule("CAL-7")
@pytest.mark.parametrize("command", [c.Pause, c.Resolve, lambda at: c.Extend(at, 3600)])
def test_a_command_to_the_clock_confirmed_after_its_phase_comes_too_late(command):
    """MAIL.md § 4: it was meant for the phase in which it was sent, not for the one that runs now."""
    v = village()
    sent = v.moment("mon 12:00")
    v.until("execution")
    assert [event.code for event in v.run(command(sent))] == ["too-late"]
    assert v.phase == "sunset"


@rule("CAL-7")
def test_resume_without_a_pause_is_out_of_time():
    assert village().admin("RESUME") == "wrong-time"


@rule("CAL-7")
def test_pause_and_resume_of_every_window_keep_the_time_that_was_left():
    v = village()
    v.until("execution")
    for phase, closing in (("sunset", "sunset"), ("vision", "murder")):
        assert v.phase == phase
        v.admin("PAUSE", "+10m")
        assert v.phase == "paused"
        assert v.happened(e.Paused) == [e.Paused(v.now, 20 * 60)]
        v.go("+5h")
        assert v.phase == "paused"
        v.admin("RESUME", "+1m")
        assert v.game.deadline == v.now + timedelta(minutes=20)
        assert v.happened(e.Resumed) == [e.Resumed(v.now, phase, v.game.deadline)]
        v.until(closing)
    assert v.phase == "day"


@rule("CAL-7", "FINE-20")
def test_during_a_pause_only_talk_and_questions_pass():
    v = village("Gil: corrupter, ", mayor="Eve", heir="Dan")
    v.admin("SMITE Dan", "mon 10:00")
    v.do("Ann", "VOTE Cid")
    v.admin("PAUSE", "mon 11:00")
    for who, text in (
        ("Ann", "VOTE Cid"),
        ("Ann", "CANCEL VOTE"),
        ("Bob", "KILL Ann"),
        ("Eve", "HEIR Ann"),
        ("Ann", "LEAVE"),
        ("Ann", "ABSENT"),
        ("Ann", "GUARD Cid"),
        ("Dan", "VOTE Cid"),
    ):
        assert v.order(who, text) == "game-paused", text
    for who, text in (
        ("Ann", "SAY Patience."),
        ("Bob", "PACK Chut."),
        ("Dan", "GRAVEYARD Hou."),
        ("Ann", "QUESTION Quand ?"),
    ):
        assert v.order(who, text) == "accepted", text
    assert v.order("Ann", "GRAVEYARD Hou.") == "living-only"
    assert v.order("Dan", "SAY Hou.") == "graveyard-only"
    assert v.order("reader", "GRAVEYARD Bonsoir.") == "accepted"


@rule("CAL-7", "ORG-4", "VOTE-5")
def test_a_heart_attack_in_a_paused_tie_break_burns_the_last_one_and_sunset_waits_whole():
    v = village(mayor="Eve")
    v.votes("tue 20:00", "Ann Cid; Cid Ann")
    v.until("execution")
    v.admin("PAUSE", "tue 22:20")
    v.admin("SMITE Cid", "wed 10:00")
    assert (v.died, v.phase) == ({"Cid", "Ann"}, "paused")
    v.admin("RESUME", "wed 12:00")
    assert (v.phase, v.deadline) == ("sunset", "wed 12:30")


@rule("CAL-7", "VOTE-5")
def test_in_a_paused_tie_break_the_heir_gets_his_whole_window_when_it_goes_on():
    v = village(mayor="Eve", heir="Dan")
    v.votes("tue 20:00", "Ann Cid; Cid Ann")
    v.until("execution")
    v.admin("PAUSE", "tue 22:20")
    v.admin("SMITE Eve", "wed 10:00")
    v.admin("RESUME", "wed 12:00")
    assert (v.asked, v.deadline) == ("Dan", "wed 12:30")


@rule("CAL-7", "ORG-4")
def test_a_heart_attack_in_a_pause_may_end_the_game():
    v = village()
    v.admin("PAUSE", "tue 12:00")
    v.admin("SMITE Bob", "tue 13:00")
    assert (v.phase, v.winner) == ("over", "village")


@rule("CAL-1", "CAL-4")
def test_a_t_of_the_calendar_that_falls_into_the_night_is_left_out():
    v = village(executions=("tue 22:00", "tue 22:30", "thu 22:00"))
    v.until("murder")
    assert v.deadline == "thu 22:00"
