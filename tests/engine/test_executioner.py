"""EXEC-1, FINE-8, CAL-5: two burn, and the executioner chooses among those who are tied."""

from __future__ import annotations

import pytest

from pbem.engine import events as e
from tests.kit.village import Village

rule = pytest.mark.rule


EIGHT = "Alice: {}, Bruno: werewolf, Chloé: {}, David: villager, Émile: villager, Fanny: villager, Gaël: villager, Hélène: villager"


def village(one="villager", other="villager", **more):
    return Village(EIGHT.format(one, other), **more)


@rule("EXEC-1")
def test_the_first_place_is_shared_by_two_both_burn_unasked():
    v = village("executioner", mayor="Hélène")
    v.orders(
        "tue 10:00",
        "Alice: DOUBLE; Alice: VOTE David; Chloé: VOTE Émile; David: VOTE Gaël; Gaël: VOTE David; Fanny: VOTE Gaël",
    )
    v.until("execution")
    assert (v.died, v.asked) == ({"David", "Gaël"}, "")


@rule("EXEC-1", "ORG-3")
def test_the_first_and_the_second_burn_in_seat_order_and_the_record_says_of_which_turn():
    v = village("executioner", mayor="Hélène")
    v.orders("tue 10:00", "Alice: DOUBLE; Alice: VOTE Gaël; Chloé: VOTE Gaël; David: VOTE Émile")
    v.until("execution")
    assert (v.died, v.phase) == ({"Émile", "Gaël"}, "sunset")
    assert v.happened(e.ExecutionDone) == [e.ExecutionDone(1, (5, 7))]
    assert (v.last(e.VotesPublished).turn, v.last(e.VotesPublished).tally) == (1, ((7, 2), (5, 1)))


@rule("EXEC-1")
def test_only_one_has_votes_one_burns_and_the_power_is_spent():
    v = village("executioner")
    v.orders("tue 10:00", "Alice: DOUBLE; Alice: VOTE David; Chloé: VOTE David")
    v.until("execution")
    assert (v.died, v.can("Alice")) == ({"David"}, set())


@rule("FINE-8")
def test_double_when_nobody_has_a_vote_has_no_effect_and_lapses_unspent():
    v = village("executioner")
    v.do("Alice", "DOUBLE", "tue 10:00")
    v.until("execution")
    assert (v.died, v.can("Alice"), v.standing("Alice", "DOUBLE")) == (set(), {"DOUBLE"}, None)


@rule("EXEC-1", "FINE-1")
def test_of_two_executioners_the_first_received_and_only_he_is_asked():
    v = village("executioner", "executioner", mayor="Hélène")
    v.do("Chloé", "DOUBLE", "tue 09:00")
    v.orders("tue 10:00", "Alice: DOUBLE; David: VOTE Gaël; Émile: VOTE Fanny; Fanny: VOTE Bruno")
    v.until("execution")
    assert v.asked == "Chloé"
    assert (v.can("Alice"), v.can("Chloé")) == ({"DOUBLE"}, set())
    assert v.order("Alice", "DECIDE Gaël", "+1m") == "not-your-power"
    assert v.order("Hélène", "DECIDE Gaël", "+1m") == "not-your-power"
    assert v.last(e.TieAnnounced).mayor is None


def tie_for_the_second(**more):
    v = village("executioner", **more)
    v.orders("tue 10:00", "Alice: DOUBLE; Alice: VOTE David; Bruno: VOTE David; Chloé: VOTE Émile; Fanny: VOTE Gaël")
    v.until("execution")
    assert v.asked == "Alice"
    return v


@rule("EXEC-1", "CAL-5")
def test_the_executioners_window_lasts_whatever_he_answers_and_he_may_change_or_cancel():
    v = tie_for_the_second()
    v.do("Alice", "DECIDE Émile", "tue 22:05")
    v.do("Alice", "DECIDE Gaël", "tue 22:06")
    v.do("Alice", "CANCEL DECIDE", "tue 22:07")
    v.do("Alice", "DECIDE Émile", "tue 22:30")
    assert v.phase == "tie-break"
    v.until("tie-break")
    assert v.died == {"David", "Émile"}
    assert v.deadline == "tue 23:00"


@rule("EXEC-1", "FINE-16")
def test_the_executioner_names_too_many_or_one_who_is_sure():
    v = tie_for_the_second()
    assert v.order("Alice", "DECIDE Émile and Gaël", "+1m") == "not-a-choice"
    assert v.order("Alice", "DECIDE David", "+1m") == "not-a-choice"


@rule("FINE-8", "FINE-19")
def test_the_asked_executioner_dies_after_he_has_chosen_and_the_place_stays_empty():
    v = tie_for_the_second()
    v.do("Alice", "DECIDE Émile", "tue 22:05")
    v.admin("SMITE Alice", "tue 22:10")
    assert (v.phase, v.deadline) == ("tie-break", "tue 22:30")
    v.until("tie-break")
    assert v.died == {"David"}


@rule("FINE-8")
def test_one_of_two_tied_dies_and_the_other_burns_at_the_end_of_the_window():
    v = tie_for_the_second()
    v.admin("SMITE Gaël", "tue 22:10")
    assert v.phase == "tie-break"
    v.until("tie-break")
    assert v.died == {"David", "Émile"}


@rule("FINE-8")
def test_the_asked_and_one_of_the_tied_die_and_the_last_one_burns_all_the_same():
    v = tie_for_the_second(lovers=("Alice", "Gaël"))
    v.admin("SMITE Alice", "tue 22:10")
    v.until("tie-break")
    assert v.died == {"David", "Émile"}


@rule("FINE-8")
def test_the_sure_one_dies_in_the_window_and_his_place_is_not_given_to_another():
    v = tie_for_the_second()
    v.admin("SMITE David", "tue 22:10")
    v.do("Alice", "DECIDE Émile", "tue 22:15")
    v.until("tie-break")
    assert v.died == {"Émile"}


@rule("FINE-8")
def test_the_one_named_dies_and_the_executioner_is_told_and_may_choose_again():
    v = village("executioner")
    v.orders("tue 10:00", "Alice: DOUBLE; Chloé: VOTE Émile; Fanny: VOTE Gaël; Gaël: VOTE Fanny; Hélène: VOTE David")
    v.until("execution")
    v.do("Alice", "DECIDE Émile and Gaël", "tue 22:05")
    v.admin("SMITE Gaël", "tue 22:10")
    assert v.told("Alice", "order-void") == ["DECIDE"]
    v.do("Alice", "DECIDE Émile and Fanny", "tue 22:15")
    v.until("tie-break")
    assert v.died == {"Émile", "Fanny"}


@rule("FINE-8")
def test_decide_with_one_name_for_two_places_leaves_the_other_empty():
    v = village("executioner")
    v.orders("tue 10:00", "Alice: DOUBLE; Chloé: VOTE Émile; Fanny: VOTE Gaël; Gaël: VOTE Fanny")
    v.until("execution")
    v.do("Alice", "DECIDE Émile", "+1m")
    v.until("tie-break")
    assert v.died == {"Émile"}


@rule("FINE-8")
def test_all_that_are_left_may_be_named():
    v = village("executioner")
    v.orders("tue 10:00", "Alice: DOUBLE; Chloé: VOTE Émile; Fanny: VOTE Gaël; Gaël: VOTE Fanny")
    v.until("execution")
    assert v.last(e.Asked) == e.Asked(1, (5, 6, 7), 2, v.game.deadline, "executioner")
    v.admin("SMITE Gaël", "tue 22:05")
    v.do("Alice", "DECIDE Fanny and Émile")
    v.until("tie-break")
    assert v.died == {"Émile", "Fanny"}


@rule("FINE-8")
def test_a_later_decide_with_two_names_fills_both_places():
    v = village("executioner")
    v.orders("tue 10:00", "Alice: DOUBLE; Chloé: VOTE Émile; Fanny: VOTE Gaël; Gaël: VOTE Fanny")
    v.until("execution")
    v.do("Alice", "DECIDE Émile", "+1m")
    v.do("Alice", "DECIDE Fanny and Gaël", "+1m")
    v.until("tie-break")
    assert v.died == {"Fanny", "Gaël"}


@rule("EXEC-1", "LOVE-2", "FINE-17")
def test_the_executioner_is_not_offered_his_lover():
    v = tie_for_the_second(lovers=("Alice", "Gaël"))
    assert v.last(e.Asked).tied == (5,)
    assert v.order("Alice", "DECIDE Gaël", "+1m") == "lover-target"


@rule("EXEC-1")
def test_the_executioner_may_be_one_of_those_who_burn():
    v = village("executioner")
    v.orders("tue 10:00", "Alice: DOUBLE; David: VOTE Alice; Bruno: VOTE Alice; Chloé: VOTE Émile; Fanny: VOTE Gaël")
    v.until("execution")
    v.do("Alice", "DECIDE Gaël", "+1m")
    v.until("tie-break")
    assert v.died == {"Alice", "Gaël"}
