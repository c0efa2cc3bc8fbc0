"""MAIL.md § 4, CAL-6, FINE-17: what is confirmed late, ordered on behalf, or done by the storyteller."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from pbem.engine import commands as c
from pbem.engine import events as e
from pbem.engine.decide import decide
from tests.kit.village import Village, everybody

rule = pytest.mark.rule


@rule("CAL-6")
def test_a_held_vote_counts_as_of_its_arrival_and_never_over_a_later_one():
    v = everybody(mayor="")
    v.do("Ann", "VOTE Bob", "mon 12:00", sent="mon 10:00")
    assert v.standing("Ann", "VOTE") == ["Bob"]
    v.do("Cid", "VOTE Bob", "mon 13:00")
    assert v.order("Cid", "VOTE Tom", "mon 14:00", sent="mon 11:00") == "too-late"
    assert v.standing("Cid", "VOTE") == ["Bob"]
    v.do("Cid", "CANCEL VOTE", "mon 15:00")
    assert v.order("Cid", "VOTE Tom", "mon 16:00", sent="mon 14:30") == "too-late"
    v.do("Cid", "VOTE Tom", "mon 17:00", sent="mon 16:30")


@rule("CAL-6")
def test_a_held_cancel_never_withdraws_what_came_after_it():
    v = everybody(mayor="")
    v.do("Ann", "VOTE Bob", "mon 12:00")
    assert v.order("Ann", "CANCEL VOTE", "mon 13:00", sent="mon 11:00") == "too-late"
    assert v.standing("Ann", "VOTE") == ["Bob"]


@rule("CAL-6", "FINE-17")
@pytest.mark.parametrize(
    ("who", "text", "sent", "confirmed", "code"),
    [
        # the hours were over when it was confirmed
        ("Ann", "VOTE Bob", "tue 21:00", "tue 22:10", "too-late"),
        ("Ann", "VOTE Bob", "tue 21:00", "wed 10:00", "too-late"),
        ("Ann", "VOTE Bob", "tue 22:00", "wed 10:00", "too-late"),
        ("Hal", "GUARD Bob", "tue 21:00", "tue 22:10", "too-late"),
        ("Ned", "KILL Bob", "tue 21:00", "tue 22:10", "accepted"),
        ("Ned", "KILL Bob", "tue 21:00", "tue 22:40", "too-late"),
        ("Ned", "KILL Bob", "tue 21:00", "wed 10:00", "too-late"),
        ("Bob", "SAVE Ann", "mon 21:00", "tue 22:40", "accepted"),
        ("Bob", "SAVE Ann", "tue 22:40", "wed 10:00", "too-late"),
        # out of hours when it was sent, and so it stays
        ("Ann", "VOTE Bob", "tue 22:10", "tue 22:40", "wrong-time"),
        ("Ann", "VOTE Bob", "tue 22:10", "wed 10:00", "wrong-time"),
        ("Ned", "KILL Bob", "tue 22:40", "wed 10:00", "wrong-time"),
        ("Hal", "GUARD Bob", "tue 22:40", "wed 10:00", "wrong-time"),
        # sent in this very day
        ("Ann", "VOTE Bob", "tue 23:05", "wed 10:00", "accepted"),
        ("Ned", "KILL Bob", "tue 23:05", "thu 22:10", "accepted"),
        # what works at any moment
        ("Fay", "SPY Bob", "tue 21:00", "wed 10:00", "accepted"),
        ("Lea", "ASK seer", "tue 21:00", "wed 10:00", "accepted"),
    ],
)
def test_a_held_order_belongs_to_the_phase_it_was_sent_in(who, text, sent, confirmed, code):
    v = everybody(mayor="")
    v.until(sent)
    v.go(confirmed)
    assert v.order(who, text, sent=sent) == code


@rule("CAL-6", "FINE-1", "FORGE-1")
def test_a_held_order_takes_its_place_by_its_arrival():
    v = Village("Ann: forger, Bob: forger, Cid: werewolf, Dan: villager, Eve: villager")
    v.do("Ann", "FORGE Dan", "mon 12:00")
    v.do("Bob", "FORGE Eve", "mon 14:00", sent="mon 11:00")
    v.until("execution")
    assert (v.died, v.can("Ann"), v.can("Bob")) == ({"Eve"}, {"FORGE"}, set())


@rule("CAL-6", "MATCH-1")
@pytest.mark.parametrize("mayor", [None, "", "Ann"])
def test_a_pairing_confirmed_after_its_hours_is_too_late(mayor):
    v = everybody(mayor=mayor)
    v.go("tue 22:10")
    assert v.order("Max", "PAIR Tom and Ann", sent="mon 12:00") == "too-late"
    assert v.order("Max", "PAIR Tom and Ann", "tue 22:20", sent="tue 22:11") == "wrong-time"


@rule("CAL-6", "MATCH-1")
def test_after_the_first_election_it_is_too_late_though_the_first_t_has_not_come():
    v = everybody(mayor=None)
    v.go("mon 23:00")
    assert v.order("Max", "PAIR Tom and Ann", sent="mon 12:00") == "too-late"


@rule("CAL-6", "MAYOR-2")
def test_a_ballot_confirmed_after_the_election_is_too_late():
    v = everybody(mayor=None)
    v.until("election")
    assert v.order("Ann", "ELECT Tom", "mon 23:00", sent="mon 21:00") == "too-late"
    assert v.order("Ann", "ELECT Tom", "wed 10:00", sent="mon 23:00") == "wrong-time"


@rule("CAL-6", "VOTE-5")
def test_an_answer_confirmed_after_the_tie_break_is_too_late_and_one_confirmed_in_it_counts():
    v = everybody(mayor="Ann")
    v.votes("tue 12:00", "Tom Quin; Quin Tom")
    v.until("tie-break")
    assert v.order("Ann", "DECIDE Tom", "tue 22:40", sent="tue 22:20") == "too-late"
    assert v.order("Tom", "DECIDE Tom", "tue 22:41", sent="tue 22:20") == "not-your-power"
    assert v.order("Ann", "DECIDE Tom", "tue 22:42") == "not-your-power"
    v = everybody(mayor="Ann")
    v.votes("tue 12:00", "Tom Quin; Quin Tom")
    v.until("execution")
    v.do("Ann", "DECIDE Tom", "tue 22:25", sent="tue 22:05")
    assert (v.died, v.deadline) == ({"Tom"}, "tue 22:55")


@rule("CAL-6", "NIGHT-10")
def test_the_dead_confirm_nothing():
    v = everybody(mayor="")
    v.admin("SMITE Ann", "mon 12:00")
    assert v.order("Ann", "VOTE Bob", "mon 13:00", sent="mon 11:00") == "dead-actor"


@rule("CAL-7")
def test_an_order_by_the_storyteller_is_told_to_its_owner_and_judged_like_any_other():
    v = everybody(mayor="")
    assert v.admin("ORDER Hal: GUARD Tom", "mon 10:00") == "accepted"
    assert v.happened(e.OrderedFor) == [e.OrderedFor(8, "GUARD")]
    assert v.standing("Hal", "GUARD") == ["Tom"]
    assert v.admin("ORDER Ann: GUARD Tom") == "not-your-power"


@rule("ORG-4")
def test_what_the_storyteller_cannot_do_to_the_dead_or_before_the_start():
    v = everybody(mayor="")
    v.admin("SMITE Tom", "mon 10:00")
    assert v.admin("SMITE Tom") == v.admin("EXCUSE Tom") == v.admin("REPLACE Tom") == "dead-target"
    v = everybody(begin=False)
    assert v.admin("SMITE Tom") == v.admin("EXCUSE Tom") == v.admin("MAYOR Tom") == "wrong-time"


@rule("ORG-4")
def test_a_replacement_keeps_the_seat_the_role_and_the_orders_under_a_free_name():
    v = everybody(mayor="Hal", heir="Tom")
    v.do("Hal", "GUARD Ann", "mon 10:00")
    assert v.admin("REPLACE Hal ann") == "name-taken"
    assert v.admin("REPLACE Hal HAL") == "accepted"
    assert v.admin("REPLACE Hal Zoé") == "accepted"
    v.names[7] = "Zoé"
    assert (v.mayor, v.standing("Zoé", "GUARD"), v.can("Zoé")) == ("Zoé", ["Ann"], {"GUARD"})
    told = v._reply(v.run(c.Replace(v.now, 8, "VOTE", bad_name=True)))
    assert told == "bad-name"


@rule("WIN-10")
@pytest.mark.parametrize("text", ["NARRATE", "ANNOUNCE", "TELL Ann"])
def test_the_storyteller_says_something_or_nothing_happens(text):
    v = everybody(mayor="")
    assert v.admin(text) == "empty"
    assert v.admin(f"{text} Il pleut.") == "accepted"


@rule("WIN-8")
def test_a_command_that_nobody_knows_is_the_programmers_fault():
    with pytest.raises(TypeError):
        decide(everybody().game, c.Command(datetime(2026, 12, 7, tzinfo=UTC)))
