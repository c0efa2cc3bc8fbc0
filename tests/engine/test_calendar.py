"""CAL-1 to CAL-7, ORG-4, FINE-11, FINE-15, FINE-20, VOTE-7: deadlines, windows, late mailboxes."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from pbem.engine import commands as c
from pbem.engine import events as e
from pbem.engine.calendar import add_days, eve, executions, first_execution, next_election, resumed_execution
from pbem.engine.decide import decide, due, due_at, next_wakeup
from pbem.engine.options import Options
from tests.kit.village import Village

rule = pytest.mark.rule
FIVE = "Ann: villager, Bob: werewolf, Cid: villager, Dan: villager, Eve: villager"


def village(front="", **more):
    return Village(front + FIVE, **more)


def utc(text):
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


# ---- the calendar alone


@rule("CAL-1")
def test_the_executions_of_a_week_by_default():
    times = executions(Options(), utc("2026-12-07T08:00"))
    assert [next(times).isoformat() for _ in range(4)] == [
        "2026-12-08T21:00:00+00:00",
        "2026-12-10T21:00:00+00:00",
        "2026-12-13T21:00:00+00:00",
        "2026-12-15T21:00:00+00:00",
    ]


@rule("CAL-1")
def test_an_execution_at_this_very_moment_is_over():
    assert next(executions(Options(), utc("2026-12-08T21:00"))) == utc("2026-12-10T21:00")


@rule("CAL-1")
def test_several_a_day_in_order_and_in_the_games_own_zone():
    options = Options(timezone="America/Montreal", executions=((2, 20 * 60), (2, 8 * 60)))
    times = executions(options, utc("2026-12-09T00:00"))
    assert [next(times) for _ in range(3)] == [
        utc("2026-12-09T13:00"),
        utc("2026-12-10T01:00"),
        utc("2026-12-16T13:00"),
    ]


@rule("CAL-1")
@pytest.mark.parametrize(
    ("before", "after"),
    [("2027-03-25T21:00", "2027-03-28T20:00"), ("2026-10-22T20:00", "2026-10-25T21:00")],
)
def test_ten_in_the_evening_stays_ten_when_the_clocks_change(before, after):
    assert next(executions(Options(), utc(before))) == utc(after)


@rule("CAL-2")
def test_the_eve_in_the_night_when_the_clocks_change_is_as_long_as_it_is():
    spring = eve(Options(executions=((0, 22 * 60),)), utc("2027-03-29T20:00"))  # Monday, after a short Sunday
    assert (spring.opens, spring.closes) == (utc("2027-03-27T23:00"), utc("2027-03-28T20:00"))


@rule("CAL-2")
def test_the_eve_ends_at_the_clock_time_of_t_to_the_minute():
    options = Options(timezone="America/St_Johns", executions=((1, 20 * 60 + 45),))
    tuesday = next(executions(options, utc("2026-12-07T00:00")))
    assert tuesday == utc("2026-12-09T00:15")  # three and a half hours behind
    hours = eve(options, tuesday)
    assert (hours.opens, hours.closes) == (utc("2026-12-07T03:30"), utc("2026-12-08T00:15"))


@rule("CAL-3")
@pytest.mark.parametrize(
    ("start", "debate", "first"),
    [
        ("2026-12-07T08:00", 86400, "2026-12-10T21:00"),  # Monday 09:00: Tuesday's election would close too soon
        ("2026-12-08T21:00", 86400, "2026-12-10T21:00"),  # exactly 24 hours
        ("2026-12-08T21:00:59", 86400, "2026-12-10T21:00"),  # to the minute
        ("2026-12-08T21:01", 86400, "2026-12-13T21:00"),
        ("2026-12-07T08:00", 0, "2026-12-08T21:00"),
        ("2026-12-08T08:00", 0, "2026-12-10T21:00"),  # Tuesday morning: its eve is over
        ("2026-12-07T08:00", 7 * 86400, "2026-12-15T21:00"),
    ],
)
def test_the_first_execution_leaves_time_to_debate(start, debate, first):
    assert first_execution(Options(min_debate=debate), utc(start)) == utc(first)


@rule("CAL-3")
def test_min_debate_is_elapsed_time_when_the_clocks_change():
    options = Options(executions=((0, 22 * 60), (2, 22 * 60)), min_debate=86400)
    # Saturday 22:00 to Sunday 22:00 are 23 hours only.
    assert first_execution(options, utc("2027-03-27T21:00")) == utc("2027-03-31T20:00")
    assert first_execution(options, utc("2027-03-27T20:00")) == utc("2027-03-29T20:00")


@rule("CAL-7")
def test_a_resumed_day_ends_at_the_first_calendar_t_that_leaves_the_time_that_was_left():
    now = utc("2026-12-08T11:00")  # Tuesday noon
    for left, then in ((10, "08"), (10.01, "10"), (58, "10"), (59, "13")):
        assert resumed_execution(Options(), now, timedelta(hours=left)) == utc(f"2026-12-{then}T21:00")


@rule("FINE-12")
def test_the_next_eve_that_has_not_closed():
    options = Options(executions=((1, 22 * 60), (2, 22 * 60)))
    tuesday = utc("2026-12-08T21:00")
    assert next_election(options, utc("2026-12-07T20:59"), tuesday).closes == utc("2026-12-07T21:00")
    assert next_election(options, utc("2026-12-07T21:00"), tuesday).closes == utc("2026-12-08T21:00")
    assert next_election(options, utc("2026-12-08T21:00"), tuesday).closes == utc("2026-12-14T21:00")


@rule("CAL-7")
def test_a_day_more_is_the_same_clock_time():
    assert add_days(Options(), utc("2027-03-27T21:00"), 1) == utc("2027-03-28T20:00")


# ---- a turn's windows


@rule("CAL-4", "FINE-15")
def test_a_turn_goes_by_its_windows():
    v = village(sunset="45m", vision="20m")
    v.until("execution")
    assert (v.phase, v.deadline) == ("sunset", "tue 22:45")
    assert v.happened(e.SunsetOpened) == [e.SunsetOpened(1, v.game.deadline)]
    v.until("sunset")
    assert v.happened(e.VisionOpened) == [e.VisionOpened(1, v.game.deadline)]
    assert (v.phase, v.deadline) == ("vision", "tue 23:05")
    v.until("vision")
    assert (v.clock(v.now), v.game.turn) == ("tue 23:05", 1)
    v.until("murder")
    assert (v.phase, v.clock(v.now), v.game.turn, v.deadline) == ("day", "tue 23:05", 2, "thu 22:00")
    assert v.happened(e.MurderDone) == [e.MurderDone(1, (), asleep=False)]
    assert v.happened(e.TurnEnded) == [e.TurnEnded(1, 0)]
    assert v.happened(e.DayOpened) == [e.DayOpened(2, v.now, v.game.deadline)]


@rule("CAL-4")
def test_tick_resolves_one_closing_at_a_time_and_nothing_before_its_hour():
    v = village()
    t = v.game.deadline
    assert decide(v.game, c.Tick(t - timedelta(seconds=1))) == ()
    assert (due(v.game, t), due(v.game, t - timedelta(seconds=1)), due_at(v.game)) == ("execution", None, t)
    told = v.run(c.Tick(t + timedelta(hours=9)))
    assert [x.what for x in told if isinstance(x, e.PhaseClosed)] == ["execution"]


@rule("CAL-4")
def test_nothing_is_due_when_the_game_is_over_or_has_not_begun():
    v = village(begin=False)
    assert next_wakeup(v.game) is None
    v = village()
    v.admin("SMITE Bob", "mon 10:00")
    assert (v.phase, next_wakeup(v.game), due_at(v.game)) == ("over", None, None)


@rule("CAL-4", "CAL-6", "FINE-11")
def test_every_window_runs_from_the_late_reading_that_opened_it():
    v = village(mayor="Eve")
    v.votes("tue 20:00", "Ann Cid; Cid Ann")
    v.until("execution", late="10m")
    assert (v.phase, v.deadline) == ("tie-break", "tue 22:40")
    assert v.told("storyteller", "late-mailbox") == ["true"]
    v.until("tie-break", late="5m")
    assert (v.phase, v.deadline) == ("sunset", "tue 23:15")
    v.until("sunset", late="20m")
    assert (v.phase, v.deadline) == ("vision", "wed 00:05")
    v.until("vision", late="10m")
    assert v.told("storyteller", "late-mailbox") == ["true"]
    v.until("murder")
    assert (v.clock(v.now), v.phase, v.deadline) == ("wed 00:15", "day", "thu 22:00")
    assert v.told("storyteller", "late-mailbox") == []  # for the same hour once only


@rule("CAL-6", "FINE-11")
def test_a_reading_within_the_minute_is_not_late():
    v = village()
    t = v.game.deadline
    v.run(c.Tick(t + timedelta(seconds=59)))
    assert v.game.deadline == t + timedelta(minutes=30)
    assert v.told("storyteller") == []
    v = village()
    v.run(c.Tick(t + timedelta(seconds=60)))
    assert v.game.deadline == t + timedelta(minutes=31)
    assert v.told("storyteller") == [{"late-mailbox": "true"}]


@rule("FINE-11", "VOTE-5", "CAL-6")
def test_an_answer_that_is_read_late_opens_sunset_from_its_reading():
    v = village(mayor="Eve")
    v.votes("tue 20:00", "Ann Cid; Cid Ann")
    v.until("execution")
    v.do("Eve", "DECIDE Ann", "tue 22:10", read="tue 23:05")
    assert (v.phase, v.deadline) == ("sunset", "tue 23:35")


@rule("FINE-11", "ORG-4", "VOTE-5")
def test_a_heart_attack_that_is_read_late_opens_windows_from_its_reading():
    v = village(mayor="Eve", heir="Dan")
    v.votes("tue 20:00", "Ann Cid; Cid Ann")
    v.until("execution")
    v.admin("SMITE Eve", "tue 22:10", read="tue 22:25")
    assert (v.asked, v.deadline) == ("Dan", "tue 22:55")
    v.admin("SMITE Cid", "tue 22:26", read="tue 22:50")
    assert (v.phase, v.deadline) == ("sunset", "tue 23:20")


@rule("CAL-6")
def test_the_mailbox_is_down_and_the_storyteller_is_told_once():
    v = village()
    v.go("tue 21:59")
    t = v.game.deadline
    assert v.run(c.MailboxDown(t - timedelta(minutes=1))) == ()
    assert v.run(c.MailboxDown(t)) == ()  # nobody is late yet
    v.run(c.MailboxDown(t + timedelta(minutes=5)))
    assert v.happened(e.MailboxLate) == [e.MailboxLate(0, "execution", t)]
    v.run(c.MailboxDown(t + timedelta(minutes=9)))
    v.run(c.Tick(t + timedelta(minutes=15)))
    assert v.told("storyteller", "late-mailbox") == ["true"]
    assert v.phase == "sunset"


@rule("CAL-6", "VOTE-7")
def test_a_mailbox_down_over_days_loses_no_window():
    v = village()
    v.until("execution", late="3d")
    assert (v.phase, v.deadline) == ("sunset", "fri 22:30")
    v.until("murder")
    assert (v.phase, v.deadline) == ("day", "sun 22:00")
