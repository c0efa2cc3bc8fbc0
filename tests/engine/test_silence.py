"""VOTE-7, VOTE-2, MAIL.md § 5: who is silent, who is warned, who is reminded."""

from __future__ import annotations

import pytest

from pbem.engine import commands as c
from pbem.engine import events as e
from tests.kit.village import Village

rule = pytest.mark.rule


FIVE = "Ann: villager, Bob: werewolf, Cid: villager, Dan: villager, Eve: villager"
DAILY = ("mon 22:00", "tue 22:00", "wed 22:00", "thu 22:00", "fri 22:00", "sat 22:00", "sun 22:00")


def village(front="", **more):
    return Village(front + FIVE, **more)


# ---- inactivity


def quiet(**more):
    return village(inactivity="eliminate", **more)


@rule("VOTE-7")
def test_the_first_span_starts_at_the_first_execution():
    v = quiet()
    v.until("execution")
    assert v.dead == set()
    v.orders("wed 10:00", "Ann: SAY a; Bob: SAY b; Cid: SAY c; Dan: SAY d")
    v.until("execution")
    assert (v.died, v.cause("Eve")) == ({"Eve"}, "inactive")


@rule("VOTE-7")
def test_a_post_between_t_and_the_murder_counts_for_the_new_span_and_one_before_t_does_not():
    v = quiet()
    v.orders("tue 21:50", "Ann: SAY a; Bob: SAY b; Cid: SAY c; Dan: SAY d; Eve: SAY e")
    v.orders("tue 22:05", "Ann: SAY a; Bob: SAY b")
    v.do("Cid", "SAY c", "thu 22:00")  # at the last moment
    v.until("execution")
    assert v.died == {"Dan", "Eve"}


@rule("VOTE-7", "LOVE-3")
def test_the_inactives_lover_follows_and_his_vote_of_that_day_counts():
    v = quiet(lovers=("Dan", "Eve"))
    v.until("execution")
    v.orders("wed 10:00", "Ann: SAY a; Bob: SAY b; Cid: SAY c; Dan: SAY d; Eve: VOTE Cid")
    v.until("execution")
    assert v.record["Eve"] == "Cid"
    assert {n: v.cause(n) for n in v.died} == {"Cid": "executed", "Eve": "inactive", "Dan": "love"}


@rule("VOTE-7")
def test_an_excuse_lasts_for_its_span_or_until_its_date():
    v = quiet()
    v.until("execution")
    v.orders("wed 10:00", "Ann: SAY a; Bob: SAY b; Cid: SAY c")
    v.admin("EXCUSE Dan", "wed 11:00")
    v.admin("EXCUSE Eve until 2026-12-13T22:00", "wed 11:00")
    v.until("execution")
    assert v.died == set()
    v.orders("fri 10:00", "Ann: SAY a; Bob: SAY b; Cid: SAY c")
    v.until("execution")
    assert v.died == {"Dan"}
    v.orders("mon 10:00", "Ann: SAY a; Bob: SAY b; Cid: SAY c")
    v.until("execution")
    assert v.died == {"Eve"}


@rule("VOTE-7")
def test_an_excuse_before_the_first_span_holds_for_it():
    v = quiet()
    v.admin("EXCUSE Dan", "mon 11:00")
    v.until("execution")
    v.orders("wed 10:00", "Ann: SAY a; Bob: SAY b; Cid: SAY c; Eve: SAY e")
    v.until("execution")
    assert v.died == set()


@rule("VOTE-7", "VOTE-5")
def test_the_inactive_go_after_the_tie_break_and_an_excuse_in_it_still_counts():
    v = quiet(mayor="Ann")
    v.until("execution")
    v.orders("wed 10:00", "Ann: SAY a; Bob: SAY b; Cid: SAY c; Ann: VOTE Ann; Bob: VOTE Cid; Cid: VOTE Bob")
    v.orders("wed 12:00", "Dan: VOTE Bob; Eve: VOTE Cid")
    v.until("execution")
    assert (v.phase, v.died) == ("tie-break", set())
    v.do("Eve", "SAY Trop tard.", "thu 22:05")
    v.admin("EXCUSE Dan", "thu 22:06")
    v.do("Ann", "DECIDE Cid", "thu 22:07")
    assert {n: v.cause(n) for n in v.died} == {"Cid": "executed", "Eve": "inactive"}


@rule("VOTE-7")
def test_who_takes_over_a_seat_in_the_tie_break_is_not_blamed_for_the_silence():
    v = quiet(mayor="Ann")
    v.until("execution")
    v.orders("wed 10:00", "Ann: SAY a; Bob: SAY b; Cid: SAY c; Dan: SAY d; Bob: VOTE Cid; Cid: VOTE Bob; Ann: VOTE Ann")
    v.do("Dan", "VOTE Cid")
    v.do("Eve", "VOTE Bob")
    v.until("execution")
    v.admin("REPLACE Eve Zoé", "thu 22:05")
    v.do("Ann", "DECIDE Cid", "thu 22:07")
    assert v.died == {"Cid"}


@rule("VOTE-7")
def test_report_tells_the_storyteller_and_eliminates_nobody_off_does_neither():
    v = village(inactivity="report")
    v.until("execution")
    assert v.happened(e.SilenceReported) == []
    v.orders("wed 10:00", "Ann: SAY a")
    v.until("execution")
    assert v.happened(e.SilenceReported) == [e.SilenceReported(0, (2, 3, 4, 5))]
    assert v.died == set()
    v = village(inactivity="off")
    v.until("execution")
    v.until("execution")
    assert v.happened(e.SilenceReported) == []
    assert v.happened(e.SilentNoted) == [e.SilentNoted(())]
    assert v.died == set()


@rule("VOTE-7")
def test_the_warning_goes_out_24_hours_before_to_who_has_not_posted_nor_is_excused():
    v = quiet()
    v.until("murder")
    v.orders("wed 10:00", "Ann: SAY a")
    v.admin("EXCUSE Bob")
    v.go("wed 21:59")
    v.go("wed 22:00")
    assert v.happened(e.InactivityWarned) == [e.InactivityWarned(seat, v.game.deadline) for seat in (3, 4, 5)]
    v.go("thu 21:59")
    assert not any(v.told(name, "inactivity-warning") for name in v.names)


@rule("VOTE-7")
def test_with_daily_executions_the_warning_goes_out_when_the_day_opens():
    v = village(inactivity="eliminate", executions=DAILY)
    v.until("murder")
    v.go("+1m")
    warned = {x.to for x in v.log if isinstance(x, e.InactivityWarned)}
    assert warned == {1, 2, 3, 4, 5}


@rule("VOTE-7")
def test_there_is_no_warning_before_the_first_span():
    v = quiet()
    v.go("tue 21:59")
    assert not any(isinstance(x, e.InactivityWarned) for x in v.log)


@rule("VOTE-7")
def test_a_new_span_warns_anew():
    v = quiet()
    v.until("murder")
    v.orders("thu 10:00", "Ann: SAY a; Bob: SAY b; Cid: SAY c; Dan: SAY d; Eve: SAY e")
    v.until("murder")
    v.go("sat 22:00")
    assert v.told("Eve", "inactivity-warning") == ["true"]


# ---- reminders


@rule("VOTE-2")
def test_reminders_go_to_who_has_not_voted_each_once():
    v = village(reminders=(24, 3))
    v.do("Ann", "VOTE Cid", "mon 21:00")
    v.go("mon 22:00")
    assert [bool(v.told(name, "vote-reminder")) for name in v.names] == [False, True, True, True, True]
    v.orders("tue 18:00", "Bob: VOTE Cid; Ann: CANCEL VOTE")
    v.go("tue 19:00")
    assert {(x.hours, x.execution) for x in v.happened(e.VoteReminded)} == {(3, v.game.deadline)}
    assert [len(v.told(name, "vote-reminder")) for name in v.names] == [1, 0, 1, 1, 1]
    v.go("tue 21:59")
    assert v.news == []


def reminded(v):
    """How often Ann has been reminded, and how long before T."""
    return [x.hours for x in v.log if isinstance(x, e.VoteReminded) and x.to == 1]


@rule("CAL-7", "VOTE-2")
def test_when_t_has_moved_the_reminders_that_lie_before_it_again_are_sent_again():
    v = village(reminders=(24, 3))
    v.go("tue 20:00")
    assert reminded(v) == [24, 3]
    v.admin("EXTEND 2h")  # until midnight: 21:00 is three hours before it
    v.go("tue 23:59")
    assert reminded(v) == [24, 3, 3]
    v.admin("EXTEND 10m")
    v.go("wed 00:09")
    assert reminded(v) == [24, 3, 3]
    v.admin("DEADLINE thu 22:00")
    v.go("thu 21:59")
    assert reminded(v) == [24, 3, 3, 24, 3]


@rule("CAL-7", "VOTE-2")
def test_after_a_pause_the_new_t_has_its_reminders_too():
    v = village(reminders=(24, 3))
    v.admin("PAUSE", "tue 12:00")
    v.admin("RESUME", "tue 13:00")
    assert v.deadline == "thu 22:00"
    v.go("thu 21:59")
    assert reminded(v) == [24, 24, 3]


@rule("CAL-7", "VOTE-2")
def test_when_t_comes_nearer_a_reminder_goes_out_at_once():
    v = village(reminders=(24, 3))
    v.admin("DEADLINE mon 20:00", "mon 18:00")
    v.go("+1m")
    assert reminded(v) == [3]


@rule("VOTE-2")
def test_a_reminder_whose_hour_was_before_the_day_opened_is_left_out():
    v = village(reminders=(48, 3))
    v.go("tue 18:59")
    assert not any(isinstance(x, e.VoteReminded) for x in v.log)


@rule("CAL-6")
def test_a_closing_that_is_due_leaves_no_time_for_reminders():
    v = village(reminders=(3,))
    v.run(c.Tick(v.game.deadline))
    assert v.phase == "sunset"
    assert not any(isinstance(x, e.VoteReminded) for x in v.log)
