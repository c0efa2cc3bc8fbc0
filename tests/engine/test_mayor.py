"""MAYOR-1 to MAYOR-6, CAL-2, FINE-12, FINE-20: elections and the office (who follows in it: test_heir.py)."""

from __future__ import annotations

import pytest

from pbem.engine import commands as c
from pbem.engine import events as e
from pbem.engine.phases.day import ballot_objection
from tests.kit.village import Village

rule = pytest.mark.rule
SIX = "Ann: villager, Bob: werewolf, Cid: villager, Dan: villager, Eve: villager, Fay: villager"
DAILY = ("mon 22:00", "tue 22:00", "wed 22:00", "thu 22:00", "fri 22:00", "sat 22:00", "sun 22:00")


def village(**more):
    return Village(SIX, **more)


def hours(v):
    """When the election that is due opens and closes, on the village clock."""
    due = v.game.election
    return (v.clock(due.opens), v.clock(due.closes)) if due else None


# ---- who is elected


@rule("MAYOR-1", "CAL-2")
def test_the_first_mayor_is_elected_on_the_eve_from_the_opening_of_the_day():
    v = village(mayor=None)
    assert hours(v) == ("mon 09:00", "mon 22:00")
    v.do("Ann", "ELECT Cid", "mon 22:00")  # at its hour
    v.until("election")
    assert (v.mayor, v.told("Cid", "elected")) == ("Cid", ["true"])
    assert hours(v) is None


@rule("MAYOR-2")
def test_the_last_ballot_counts_and_may_be_withdrawn():
    v = village(mayor=None)
    v.orders("mon 10:00", "Ann: ELECT Cid; Bob: ELECT Cid; Ann: ELECT Dan; Bob: CANCEL ELECT; Dan: ELECT Dan")
    v.until("election")
    assert v.election == {"Ann": "Dan", "Dan": "Dan"}
    assert v.mayor == "Dan"


@rule("MAYOR-2", "FINE-12")
def test_a_tie_goes_to_the_candidate_whose_last_standing_ballot_came_first():
    v = village(mayor=None)
    v.orders("mon 10:00", "Ann: ELECT Cid; Bob: ELECT Cid; Dan: ELECT Eve; Eve: ELECT Eve")
    v.do("Ann", "ELECT Cid", "mon 11:00")  # once more: it now came last
    v.until("election")
    assert v.mayor == "Eve"


@rule("MAYOR-2")
def test_more_votes_win_whoever_was_first():
    v = village(mayor=None)
    v.orders("mon 10:00", "Ann: ELECT Cid; Bob: ELECT Cid; Dan: ELECT Eve; Eve: ELECT Eve; Fay: ELECT Eve")
    v.until("election")
    assert v.mayor == "Eve"


@rule("FINE-12")
def test_ballots_of_the_dead_and_for_the_dead_drop():
    v = village(mayor=None)
    v.orders("mon 10:00", "Ann: ELECT Cid; Bob: ELECT Cid; Dan: ELECT Eve; Fay: ELECT Dan")
    v.admin("SMITE Cid", "mon 11:00")
    assert v.told("Ann", "order-void") == ["ELECT"]
    v.admin("SMITE Fay", "mon 11:05")
    v.do("Ann", "ELECT Dan", "mon 11:10")
    v.until("election")
    assert v.election == {"Ann": "Dan", "Dan": "Eve"}
    assert v.mayor == "Eve"  # one each, and hers came first


@rule("MAYOR-2", "FINE-20")
def test_a_post_that_elects_whom_nobody_may_elect_is_published_without_a_ballot():
    v = village(mayor=None)
    v.admin("SMITE Fay", "mon 10:00")
    v.do("Ann", "SAY Adieu. Élisons Fay !", "mon 10:05")
    assert [x.text for x in v.happened(e.Posted)] == ["Adieu. Élisons Fay !"]
    v.do("Bob", "SAY Élisons Zoé !", "mon 10:06")
    v.until("election")
    assert (v.election, v.mayor) == ({}, "")


@rule("MAYOR-2")
def test_a_posts_last_sentence_is_a_ballot_and_replaces_the_one_by_mail():
    v = village(mayor=None)
    v.orders(
        "mon 10:00", "Ann: ELECT Cid; Ann: SAY Tout compte fait, non. Élisons Dan !; Bob: SAY Élisons Eve ! Ou pas."
    )
    v.until("election")
    assert v.election == {"Ann": "Dan"}


@rule("MAYOR-2", "VOTE-7")
def test_elect_by_mail_posts_that_sentence_alone():
    v = village(mayor=None)
    v.do("Ann", "ELECT Cid", "mon 10:00")
    assert v.happened(e.Posted) == [e.Posted(1, "Élisons Cid\u00a0!", v.now)]
    assert v.player("Ann").posted
    english = village(mayor=None, language="en")
    english.do("Ann", "ELECT Cid", "mon 10:00")
    assert [x.text for x in english.happened(e.Posted)] == ["Let’s elect Cid!"]


@rule("MAYOR-2", "MAYOR-6", "CAL-2")
def test_nobody_voted_no_mayor_until_the_next_eve():
    v = village(mayor=None)
    v.until("election")
    assert v.mayor == ""
    assert hours(v) == ("wed 00:00", "wed 22:00")
    assert v.order("Ann", "ELECT Cid", "tue 10:00") == "wrong-time"
    v.until("murder")
    v.do("Ann", "ELECT Cid", "wed 00:00")
    v.until("election")
    assert v.mayor == "Cid"


@rule("MAYOR-1")
def test_an_office_left_empty_at_the_start_is_filled_after_the_first_execution():
    v = village(mayor="")
    assert hours(v) is None
    v.until("murder")
    assert hours(v) == ("wed 00:00", "wed 22:00")


# ---- the hours


@rule("CAL-2")
@pytest.mark.parametrize("when", ["tue 00:01", "tue 21:59"])
def test_off_the_eve_it_is_the_wrong_time(when):
    v = village(mayor=None, min_debate="24h")  # the first execution is Thursday's, its eve is Wednesday
    assert hours(v) == ("wed 00:00", "wed 22:00")
    assert v.order("Ann", "ELECT Cid", when) == "wrong-time"


@rule("CAL-2", "VOTE-1")
def test_with_daily_executions_the_election_closes_first():
    v = village(mayor=None, min_debate="24h", executions=DAILY)
    assert (v.deadline, hours(v)) == ("wed 22:00", ("tue 00:00", "tue 22:00"))
    v.until("election")  # nobody; Wednesday's eve is over, so for Thursday's execution
    assert hours(v) == ("wed 00:00", "wed 22:00")
    v.orders("wed 20:00", "Ann: ELECT Dan; Bob: VOTE Eve; Cid: VOTE Fay")
    v.until("election")
    assert (v.mayor, v.dead) == ("Dan", set())
    v.until("execution")
    assert v.asked == "Dan"  # mayor for a moment, and asked already


@rule("CAL-2", "FINE-12")
def test_with_daily_executions_a_mayor_who_burns_is_replaced_two_days_later():
    v = village(mayor="Cid", executions=DAILY)
    assert v.deadline == "tue 22:00"
    v.votes("tue 20:00", "Ann Cid")
    v.until("murder")
    assert v.dead == {"Cid"}
    # Wednesday's eve closed when Tuesday's execution came: the next is Thursday's.
    assert (v.deadline, hours(v)) == ("wed 22:00", ("wed 00:00", "wed 22:00"))


@rule("FINE-12", "MAYOR-6")
def test_the_office_falls_vacant_on_the_eve_the_election_opens_at_once_and_closes_at_its_hour():
    v = village(mayor="Cid")
    v.admin("SMITE Cid", "mon 15:00")
    assert hours(v) == ("mon 15:00", "mon 22:00")
    v.do("Ann", "ELECT Dan", "mon 15:01")
    v.until("election")
    assert v.mayor == "Dan"


@rule("FINE-12", "MAYOR-6")
def test_after_that_hour_it_is_the_next_eve():
    v = village(mayor="Cid")
    v.admin("SMITE Cid", "mon 22:00:01")
    assert hours(v) == ("wed 00:00", "wed 22:00")
    assert v.order("Ann", "ELECT Dan", "tue 12:00") == "wrong-time"


@rule("FINE-12", "MAYOR-6")
@pytest.mark.parametrize("closing", ["execution", "sunset"])
def test_the_mayor_dies_between_t_and_the_murder(closing):
    v = village(mayor="Cid")
    v.until(closing)
    v.admin("SMITE Cid", "+5m")
    assert v.mayor == ""
    v.until("murder")
    assert hours(v) == ("wed 00:00", "wed 22:00")


@rule("FINE-20", "CAL-3")
def test_a_game_that_starts_when_an_election_would_close_holds_none_for_that_execution():
    v = village(mayor=None, start="2026-12-07T22:00")
    assert (v.deadline, hours(v)) == ("tue 22:00", ("wed 00:00", "wed 22:00"))
    same = village(mayor=None, start="2026-12-07T22:00:30")
    assert (same.deadline, hours(same)) == ("tue 22:00", ("wed 00:00", "wed 22:00"))
    early = village(mayor=None, start="2026-12-07T21:59")
    assert (early.deadline, hours(early)) == ("tue 22:00", ("mon 21:59", "mon 22:00"))


@rule("FINE-20")
def test_extend_and_deadline_move_t_only():
    v = village(mayor=None)
    v.admin("EXTEND 24h", "mon 10:00")
    assert (v.deadline, hours(v)) == ("wed 22:00", ("mon 09:00", "mon 22:00"))
    v.admin("DEADLINE thu 15:00")
    assert (v.deadline, hours(v)) == ("thu 15:00", ("mon 09:00", "mon 22:00"))


@rule("FINE-20")
def test_the_storytellers_mayor_ends_the_election_and_drops_its_ballots():
    v = village(mayor=None)
    v.do("Ann", "ELECT Cid", "mon 10:00")
    v.admin("MAYOR Dan", "mon 11:00")
    assert (v.mayor, hours(v), v.told("Dan", "mayor-now")) == ("Dan", None, ["true"])
    assert v.standing("Ann", "ELECT") is None
    assert v.order("Ann", "ELECT Cid", "mon 12:00") == "wrong-time"


@rule("FINE-20", "CAL-7")
def test_a_pause_moves_the_election_to_the_new_ts_eve():
    v = village(mayor=None)
    v.do("Ann", "ELECT Cid", "mon 10:00")
    v.admin("PAUSE", "mon 12:00")
    assert v.order("Bob", "ELECT Cid", "mon 12:30") == "game-paused"
    v.admin("RESUME", "mon 13:00")  # 34 hours were left: Thursday
    assert (v.deadline, hours(v)) == ("thu 22:00", ("wed 00:00", "wed 22:00"))
    v.until("election")
    assert v.mayor == "Cid"  # her ballot still stands


@rule("FINE-20", "CAL-7", "MAYOR-6")
def test_the_mayor_dies_during_a_pause_and_an_election_is_due_when_it_ends():
    v = village(mayor="Cid")
    v.admin("PAUSE", "mon 12:00")
    v.admin("SMITE Cid", "mon 12:30")
    assert v.mayor == ""
    v.admin("RESUME", "mon 13:00")
    assert (v.deadline, hours(v)) == ("thu 22:00", ("wed 00:00", "wed 22:00"))


@rule("FINE-20", "CAL-7")
def test_a_pause_before_the_first_execution_makes_no_election_for_an_empty_office():
    v = village(mayor="")
    v.admin("PAUSE", "mon 12:00")
    v.admin("RESUME", "mon 13:00")
    assert hours(v) is None


@rule("FINE-20", "CAL-7", "MAYOR-6")
def test_a_pause_from_sunset_over_the_eve_loses_no_election():
    v = village(mayor="Cid")
    v.votes("tue 12:00", "Ann Cid")
    v.until("execution")
    v.admin("PAUSE", "tue 22:10")
    v.admin("RESUME", "thu 10:00")
    v.until("murder")
    assert v.clock(v.now) == "thu 10:50"
    assert v.last(e.DayOpened).turn == 2
    assert not any(isinstance(x, e.ElectionClosed) for x in v.log)
    assert (v.deadline, hours(v)) == ("thu 22:00", ("sat 00:00", "sat 22:00"))


@rule("FINE-20", "CAL-7")
def test_an_election_still_due_when_t_was_forced_waits_for_the_pause_of_a_window():
    v = village(mayor=None)
    v.do("Ann", "ELECT Cid", "mon 10:00")
    v.admin("RESOLVE", "mon 12:00")
    assert (v.phase, hours(v)) == ("sunset", ("mon 09:00", "mon 22:00"))
    v.admin("PAUSE", "mon 12:10")
    v.admin("RESUME", "tue 10:00")
    assert hours(v) == ("wed 00:00", "wed 22:00")
    v.until("election")
    assert v.mayor == "Cid"


@rule("MAYOR-2", "MAYOR-4", "MAYOR-6")
def test_how_the_office_changes_hands_is_public():
    v = village(mayor=None)
    v.do("Ann", "SAY Élisons Ann !", "mon 10:00")  # seat 1
    v.do("Eve", "ELECT Ann")
    v.until("election")
    assert v.happened(e.ElectionClosed) == [e.ElectionClosed(((1, 1), (5, 1)), 1)]
    assert v.happened(e.MayorChanged) == [e.MayorChanged(1, "elected")]
    assert v.happened(e.OfficeTaken) == [e.OfficeTaken(1, "elected")]
    assert v.happened(e.ElectionDropped) == []
    v.do("Ann", "HEIR Dan", "tue 10:00")
    v.admin("SMITE Ann")
    assert v.happened(e.MayorChanged) == [e.MayorChanged(4, "heir")]
    assert v.happened(e.OfficeTaken) == [e.OfficeTaken(4, "heir")]
    v.admin("MAYOR Eve")
    assert v.happened(e.MayorChanged) == [e.MayorChanged(5, "appointed")]
    assert v.happened(e.ElectionDropped) == []
    v.admin("SMITE Eve")
    assert v.happened(e.MayorChanged) == [e.MayorChanged(None, "vacant")]
    v.admin("MAYOR Fay")
    assert v.happened(e.ElectionDropped) == [e.ElectionDropped()]
    v = village(mayor=None)
    v.until("election")
    assert v.happened(e.ElectionClosed) == [e.ElectionClosed((), None)]


@rule("FINE-20", "MAYOR-2")
def test_why_a_last_sentence_is_no_ballot():
    v = village(mayor=None)
    v.admin("SMITE Fay", "mon 10:00")

    def why(elects):
        return ballot_objection(v.game, c.Order(v.now, 2, "SAY", c.Words(text="…", elects=elects)))

    assert (why(0), why(-1), why(1), why(2), why(6)) == ("", "unknown-player", "", "", "dead-target")
    v.until("election")
    assert why(1) == "too-late"
    v.go("tue 10:00")
    assert why(1) == "wrong-time"


@rule("MAYOR-4", "MAYOR-6")
def test_the_dead_cannot_be_appointed():
    v = village(mayor="Cid")
    v.admin("SMITE Fay", "mon 10:00")
    assert v.admin("MAYOR Fay") == "dead-target"
