"""VOTE-8, TELE-1, EXEC-1, FORGE-1, FINE-5, FINE-7, FINE-8, FINE-10: who meddles with the vote, and who burns for it."""

from __future__ import annotations

import pytest

from pbem.engine import events as e
from tests.kit.village import Village

rule = pytest.mark.rule


EIGHT = "Alice: {}, Bruno: werewolf, Chloé: {}, David: villager, Émile: villager, Fanny: villager, Gaël: villager, Hélène: villager"


def village(one="villager", other="villager", **more):
    return Village(EIGHT.format(one, other), **more)


# ---- telepath, executioner, forger


@rule("TELE-1", "FINE-16")
def test_force_with_oneself_as_the_voter_replaces_ones_own_vote():
    v = village("telepath")
    v.orders("tue 10:00", "Alice: VOTE David; Alice: FORCE Alice against Émile")
    v.until("execution")
    assert v.record["Alice"] == "Émile"


@rule("TELE-1", "NIGHT-10")
def test_force_is_void_with_its_voter_or_its_target_and_not_spent():
    for gone in ("David", "Émile"):
        v = village("telepath")
        v.do("Alice", "FORCE David against Émile", "tue 10:00")
        v.admin(f"SMITE {gone}", "tue 11:00")
        assert v.told("Alice", "order-void") == ["FORCE"]
        v.until("execution")
        assert v.can("Alice") == {"FORCE"}


@rule("TELE-1")
def test_the_dead_telepaths_force_is_void():
    v = village("telepath")
    v.do("Alice", "FORCE David against Émile", "tue 10:00")
    v.admin("SMITE Alice", "tue 11:00")
    v.until("execution")
    assert v.record["David"] == "blank"


@rule("TELE-1", "FINE-1")
def test_the_last_received_is_the_arrival_of_the_order_that_stands():
    v = village("telepath", "telepath")
    v.do("Alice", "FORCE David against Émile", "tue 10:00")
    v.do("Chloé", "FORCE David against Fanny", "tue 11:00")
    v.do("Alice", "FORCE David against Gaël", "tue 12:00")
    v.until("execution")
    assert v.record["David"] == "Gaël"
    assert (v.can("Alice"), v.can("Chloé")) == (set(), {"FORCE"})


@rule("TELE-1", "FINE-1", "FINE-16")
def test_two_telepaths_on_two_players_both_take_effect():
    v = village("telepath", "telepath")
    v.orders("tue 10:00", "Alice: FORCE David against Émile; Chloé: FORCE Fanny against Émile")
    v.until("execution")
    assert (v.record["David"], v.record["Fanny"]) == ("Émile", "Émile")
    assert (v.can("Alice"), v.can("Chloé")) == (set(), set())


@rule("FINE-5", "NEXT-1")
def test_immunity_stops_no_force_with_an_immune_voter_and_no_infection():
    v = village("telepath", "corrupter", immune=("David",))
    assert v.order("Alice", "FORCE Émile against David", "tue 10:00") == "immune-target"
    v.do("Alice", "FORCE David against Émile")
    v.do("Chloé", "INFECT David")
    v.until("murder")
    assert v.player("David").role == "werewolf"


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


@rule("FORGE-1", "FINE-16")
def test_the_forger_may_name_himself():
    v = village("forger")
    v.orders("tue 10:00", "Alice: FORGE Alice; Chloé: VOTE David")
    v.until("execution")
    assert (v.died, v.forged) == ({"Alice"}, True)


@rule("FINE-7")
def test_the_forger_names_whom_the_votes_designate_anyway():
    v = village("forger")
    v.orders("tue 10:00", "Alice: FORGE David; Chloé: VOTE David")
    v.until("execution")
    assert (v.died, v.forged, v.can("Alice")) == ({"David"}, True, set())


@rule("FORGE-1", "VOTE-5")
def test_a_forged_day_asks_no_mayor():
    v = village("forger", mayor="Hélène")
    v.orders("tue 10:00", "Alice: FORGE Gaël; Chloé: VOTE David; David: VOTE Chloé")
    v.until("execution")
    assert (v.died, v.phase) == ({"Gaël"}, "sunset")


@rule("FORGE-1", "NIGHT-9", "NIGHT-10")
def test_the_forged_one_dies_first_and_the_forging_is_void():
    v = village("forger", "forger")
    v.do("Alice", "FORGE Gaël", "tue 10:00")
    v.do("Chloé", "FORGE David", "tue 10:01")
    v.admin("SMITE Gaël", "tue 11:00")
    assert v.told("Alice", "order-void") == ["FORGE"]
    v.until("execution")
    assert (v.died, v.can("Alice"), v.can("Chloé")) == ({"David"}, {"FORGE"}, set())


@rule("FORGE-1", "FINE-1")
def test_a_forging_that_is_changed_arrives_anew():
    v = village("forger", "forger")
    v.orders("tue 10:00", "Alice: FORGE Gaël; Chloé: FORGE David; Alice: FORGE Émile")
    v.until("execution")
    assert (v.died, v.can("Alice"), v.can("Chloé")) == ({"David"}, {"FORGE"}, set())
    assert v.standing("Alice", "FORGE") is None  # it lapses at T (FINE-17)


@rule("FINE-17", "TELE-1", "EXEC-1")
def test_an_overridden_force_and_a_second_doubling_lapse_at_t():
    v = Village(
        "Ann: telepath, Bob: telepath, Cid: executioner, Dan: executioner, Eve: werewolf, Fay: villager, Guy: villager"
    )
    v.orders("tue 10:00", "Ann: FORCE Eve against Fay; Bob: FORCE Eve against Fay; Cid: DOUBLE; Dan: DOUBLE")
    v.until("execution")
    assert v.game.orders == ()
    assert [(x.seat, x.voter, x.target) for x in v.happened(e.VoteForced)] == [(2, 5, 6)]
    v.votes("thu 10:00", "Eve Guy; Guy Bob; Cid Guy")
    v.until("execution")
    assert v.record["Eve"] == "Guy"


@rule("FINE-17")
def test_a_second_forgers_order_lapses_at_t():
    v = village("forger", "forger")
    v.orders("tue 10:00", "Alice: FORGE Gaël; Chloé: FORGE David")
    v.until("execution")
    assert v.died == {"Gaël"}
    v.until("execution")
    assert (v.died, v.forged) == (set(), False)


def forged_and_doubled(votes, named):
    v = Village(
        "Alice: executioner, Bruno: werewolf, Chloé: forger, David: villager, Émile: villager, Fanny: villager, "
        "Gaël: villager, Hélène: villager, Iris: villager, Jules: villager",
        mayor="Iris",
    )
    v.orders("mon 10:00", f"Alice: DOUBLE; Chloé: FORGE {named}")
    v.votes("tue 10:00", votes)
    v.until("execution")
    return v


@rule("EXEC-1", "FORGE-1")
@pytest.mark.parametrize(
    ("votes", "named", "burn", "ask"),
    [
        # nobody has a vote: the forged one burns, the doubling has no effect
        ("", "David", {"David"}, set()),
        # one has votes: his place is taken, and there is no second
        ("Alice David", "Émile", {"Émile"}, set()),
        ("Alice David", "David", {"David"}, set()),
        # David first, Émile second
        ("Alice David; Bruno David; Fanny Émile", "Gaël", {"Gaël", "Émile"}, set()),
        ("Alice David; Bruno David; Fanny Émile", "David", {"David", "Émile"}, set()),
        ("Alice David; Bruno David; Fanny Émile", "Émile", {"Émile"}, set()),
        # David and Émile share the first place
        ("Alice David; Bruno Émile", "Gaël", {"Gaël"}, {"David", "Émile"}),
        ("Alice David; Bruno Émile", "David", {"David", "Émile"}, set()),
        # David first, Émile and Fanny share the second
        ("Alice David; Bruno David; Gaël Émile; Hélène Fanny", "Gaël", {"Gaël"}, {"Émile", "Fanny"}),
        ("Alice David; Bruno David; Gaël Émile; Hélène Fanny", "David", {"David"}, {"Émile", "Fanny"}),
        ("Alice David; Bruno David; Gaël Émile; Hélène Fanny", "Émile", {"Émile", "Fanny"}, set()),
        # David first, three share the second: two are left to pick from
        ("Alice David; Bruno David; Gaël Émile; Hélène Fanny; Iris Jules", "Émile", {"Émile"}, {"Fanny", "Jules"}),
        # three share the first place
        ("Alice David; Bruno Émile; Gaël Fanny", "Hélène", {"Hélène"}, {"David", "Émile", "Fanny"}),
        ("Alice David; Bruno Émile; Gaël Fanny", "Fanny", {"Fanny"}, {"David", "Émile"}),
    ],
)
def test_a_forged_and_doubled_day(votes, named, burn, ask):
    """EXEC-1, FINE-7: the forged one takes the first place; who burns beside him, and whether it has to be asked."""
    v = forged_and_doubled(votes, named) if votes else None
    if v is None:
        v = Village("Alice: executioner, Bruno: werewolf, Chloé: forger, David: villager, Émile: villager")
        v.orders("mon 10:00", "Alice: DOUBLE; Chloé: FORGE David")
        v.until("execution")
        assert v.can("Alice") == {"DOUBLE"}
    else:
        assert v.can("Alice") == set()
    assert v.can("Chloé") == set()
    if not ask:
        assert (v.died, v.phase) == (burn, "sunset")
        return
    assert (v.died, v.asked) == (set(), "Alice")
    assert set(v.told("Alice", "asked")[0]) == ask
    v.until("tie-break")
    assert v.died == burn
    assert v.mayor == "Iris"


@rule("VOTE-8")
def test_forced_votes_count_before_the_executioner_and_the_forger():
    v = Village(
        "Alice: telepath, Bruno: werewolf, Chloé: executioner, David: villager, Émile: villager, Fanny: villager, "
        "Gaël: villager"
    )
    v.orders("tue 10:00", "Chloé: DOUBLE; Alice: VOTE David; Bruno: VOTE David; Chloé: VOTE Émile; Fanny: VOTE Gaël")
    v.do("Alice", "FORCE Fanny against Émile")  # without it Émile and Gaël would tie
    v.until("execution")
    assert (v.died, v.asked) == ({"David", "Émile"}, "")


# ---- deaths at the execution


@rule("FINE-10", "LOVE-3")
def test_the_burned_and_their_lovers_are_one_batch_and_the_inactive_a_second():
    v = village(mayor="David", heir="Émile", lovers=("David", "Gaël"), inactivity="eliminate")
    v.until("murder")
    v.orders(
        "wed 10:00",
        "Alice: SAY Bonjour.; Bruno: SAY Bonjour.; Chloé: SAY Bonjour.; Fanny: SAY Bonjour.; Hélène: SAY Bonjour.",
    )
    v.votes("thu 10:00", "Alice David; Bruno David; Fanny David")
    v.until("execution")
    assert v.died == {"David", "Gaël", "Émile"}
    assert (v.cause("David"), v.cause("Gaël"), v.cause("Émile")) == ("executed", "love", "inactive")
    # Émile was mayor between the two batches, and named nobody.
    offices = [x.mayor for x in v.happened(e.MayorChanged)]
    assert offices == [5, None]


@rule("FINE-10", "WIN-1")
def test_the_game_ends_with_the_first_batch_and_the_inactive_live():
    v = village(inactivity="eliminate")
    v.until("murder")
    v.orders("wed 10:00", "Bruno: SAY Bonjour.; Alice: VOTE Bruno")
    v.until("over")
    assert v.dead == {"Bruno"}
    assert v.winner == "village"
