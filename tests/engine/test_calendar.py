"""CAL-1 to CAL-7, ORG-4, FINE-11, FINE-15, FINE-20, VOTE-7: deadlines, windows, pauses, late mailboxes."""

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


# ---- the storyteller's hand on the clock


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
