"""VOTE-1 to VOTE-6, FINE-9, MAYOR-3: votes sent, missed and void, and ties before the mayor."""

from __future__ import annotations

import pytest

from pbem.engine import events as e
from tests.kit.village import Village

rule = pytest.mark.rule
EIGHT = "Alice: {}, Bruno: werewolf, Chloé: {}, David: villager, Émile: villager, Fanny: villager, Gaël: villager, Hélène: villager"


def village(one="villager", other="villager", **more):
    return Village(EIGHT.format(one, other), **more)


# ---- votes of one's own, missed, void


@rule("VOTE-1")
def test_the_last_vote_received_by_t_counts_and_one_may_vote_for_oneself():
    v = village()
    v.orders("tue 21:00", "Alice: VOTE David; Alice: VOTE Alice; Chloé: VOTE David")
    v.do("Alice", "VOTE Émile", "tue 22:00")  # at the stroke of ten
    v.do("Chloé", "VOTE Chloé")
    v.until("execution")
    assert v.record["Alice"] == "Émile"
    assert v.record["Chloé"] == "Chloé"


@rule("VOTE-1", "CAL-4")
def test_no_vote_from_t_to_the_murder():
    v = village(mayor="Hélène")
    v.votes("tue 20:00", "Alice David; David Alice")
    v.until("execution")
    assert v.phase == "tie-break"
    assert v.order("Chloé", "VOTE David", "+1m") == "wrong-time"
    v.until("tie-break")
    assert v.order("Chloé", "VOTE David", "+1m") == "wrong-time"
    v.until("sunset")
    assert v.order("Chloé", "VOTE David", "+1m") == "wrong-time"
    v.until("murder")
    assert v.order("Chloé", "VOTE David", "+1m") == "accepted"


@rule("VOTE-2")
def test_only_the_first_missed_vote_is_blank_and_a_vote_between_does_not_renew_it():
    v = village()
    v.votes("tue 20:00", "Alice Fanny")
    v.until("execution")
    assert v.told("David", "vote-missed") == ["blank"]
    assert v.told("Alice", "vote-missed") == []
    v.votes("thu 20:00", "David Alice")
    v.until("execution")
    v.until("execution")  # Sunday
    assert v.record["David"] == "self"
    assert v.told("David", "vote-missed") == ["self"]


@rule("VOTE-3")
def test_a_void_vote_is_blank_and_free_even_for_who_has_missed_before():
    v = village()
    v.until("execution")  # everybody misses
    v.votes("thu 10:00", "David Gaël; Émile Gaël")
    v.admin("SMITE Gaël", "thu 11:00")
    assert v.told("David", "vote-void") == ["Gaël"]
    v.until("execution")
    assert v.record["David"] == "blank"
    assert v.record["Fanny"] == "self"
    assert v.told("David", "vote-missed") == []
    v.until("execution")
    assert v.record["David"] == "self"  # he had missed on Tuesday, and misses now


@rule("VOTE-3")
def test_who_votes_again_after_a_void_vote_has_voted():
    v = village()
    v.votes("tue 10:00", "David Gaël")
    v.admin("SMITE Gaël", "tue 11:00")
    v.do("David", "VOTE Alice", "tue 12:00")
    v.until("execution")
    assert v.record["David"] == "Alice"


@rule("VOTE-3")
def test_a_void_vote_of_tuesday_does_not_excuse_a_missed_one_on_thursday():
    v = village()
    v.votes("tue 10:00", "David Gaël")
    v.admin("SMITE Gaël", "tue 11:00")
    v.until("execution")
    assert v.record["David"] == "blank"
    v.until("execution")
    assert v.record["David"] == "blank"  # the first missed one
    v.until("execution")
    assert v.record["David"] == "self"


@rule("FINE-9")
def test_a_cancelled_vote_is_a_missed_one_whatever_was_void_before():
    v = village()
    v.votes("tue 10:00", "David Gaël")
    v.admin("SMITE Gaël", "tue 11:00")
    v.orders("tue 12:00", "David: VOTE Alice; David: CANCEL VOTE")
    v.until("execution")
    assert v.told("David", "vote-missed") == ["blank"]
    v.until("execution")
    assert v.record["David"] == "self"


@rule("VOTE-3", "LOVE-2", "TELE-1")
def test_a_vote_for_one_who_becomes_the_lover_is_void_but_a_forced_one_is_not():
    v = village("telepath", "matchmaker", mayor=None)
    v.orders("mon 09:00", "David: VOTE Émile; Émile: VOTE David; Alice: FORCE David against Émile")
    v.do("Chloé", "PAIR David and Émile", "mon 10:00")
    assert v.told("David", "vote-void") == ["Émile"]
    assert v.told("Émile", "vote-void") == ["David"]
    assert v.told("Alice") == []
    v.until("execution")
    assert v.record["David"] == "Émile"
    assert v.record["Émile"] == "blank"
    assert v.told("David", "vote-missed") == []


@rule("VOTE-3", "LOVE-1")
def test_love_voids_the_lovers_votes_against_each_other_and_no_others():
    v = village("forger", "forger")
    v.orders(
        "mon 10:00", "Alice: VOTE David; David: VOTE Chloé; Chloé: VOTE David; Émile: VOTE Alice; Chloé: FORGE David"
    )
    v.do("Bruno", "KILL Alice")
    v.admin("PAIR Alice AND David", "mon 12:00")
    assert [(x.to, x.verb, x.target) for x in v.happened(e.OrderVoided)] == [(1, "VOTE", 4)]
    v.until("execution")
    assert v.died == {"David", "Alice"}


@rule("VOTE-4")
def test_a_village_that_sends_nothing_burns_nobody():
    v = village()
    v.until("execution")
    assert v.died == set()
    assert v.last(e.VotesPublished).tally == ()
    assert v.happened(e.ExecutionDone)[0].burned == ()


@rule("VOTE-6", "TELE-1", "VOTE-8", "VOTE-2")
def test_a_forced_vote_is_published_as_his_own_and_he_has_still_missed_it():
    v = village("telepath", "telepath")
    v.orders("tue 10:00", "Alice: FORCE David against Émile; Alice: VOTE Gaël; Chloé: VOTE Gaël")
    v.until("execution")
    assert v.record["David"] == "Émile"
    assert v.told("David", "vote-missed") == ["blank"]
    v.orders("thu 10:00", "Chloé: FORCE David against Fanny")
    v.until("execution")
    assert v.record["David"] == "Fanny"
    assert v.told("David", "vote-missed") == ["self"]


@rule("ORG-3", "VOTE-6")
def test_the_record_names_every_living_voter_in_seat_order_and_is_public():
    v = village("telepath")
    v.admin("SMITE Gaël", "tue 09:00")
    v.orders("tue 10:00", "Hélène: VOTE Bruno; David: VOTE Émile; Alice: FORCE Chloé against Émile")
    v.until("execution")
    shown = v.last(e.VotesPublished)
    assert isinstance(shown, e.Public)
    assert [(v.name(a), v.name(b), how) for a, b, how in shown.record] == [
        ("Alice", "", "blank"),
        ("Bruno", "", "blank"),
        ("Chloé", "Émile", "vote"),
        ("David", "Émile", "vote"),
        ("Émile", "", "blank"),
        ("Fanny", "", "blank"),
        ("Hélène", "Bruno", "vote"),
    ]
    assert shown.tally == ((5, 2), (2, 1))
    # Who forced whom is nobody's to know.
    assert not any(isinstance(x, (e.Public, e.Private)) and "FORCE" in repr(x) for x in v.log)


# ---- ties


@rule("VOTE-5")
def test_a_tie_is_broken_by_the_vote_that_went_against_the_mayor_himself():
    v = village(mayor="Hélène")
    v.votes("tue 10:00", "Alice Chloé; Bruno Chloé; Chloé Alice; David Alice; Émile David")
    v.until("execution")
    assert v.asked == "Hélène"
    v.do("Hélène", "DECIDE Alice", "+5m")
    v.votes("thu 10:00", "Bruno Chloé; Chloé Bruno; David Chloé; Émile Hélène; Fanny David; Gaël Bruno")
    v.until("execution")
    assert v.record["Hélène"] == "self"
    assert v.died == {"Hélène"}  # two for each of three, and she is one of them
    assert v.asked == ""


@rule("VOTE-5", "MAYOR-3")
def test_the_mayors_void_vote_decides_nothing():
    v = village(mayor="Hélène")
    v.votes("tue 10:00", "Hélène Gaël; Alice Chloé; Chloé Alice")
    v.admin("SMITE Gaël", "tue 11:00")
    v.until("execution")
    assert v.asked == "Hélène"


@rule("VOTE-5")
def test_without_a_mayor_a_tie_burns_nobody_and_no_window_opens():
    v = village()
    v.votes("tue 10:00", "Alice Chloé; Chloé Alice")
    v.until("execution")
    assert (v.phase, v.died, v.deadline) == ("sunset", set(), "tue 22:30")


@rule("VOTE-5", "MAYOR-6")
def test_a_silent_mayor_is_repudiated_for_good_and_may_still_vote_for_others():
    v = village(mayor="Hélène")
    v.votes("tue 10:00", "Alice Chloé; Chloé Alice")
    v.until("tie-break")
    assert v.told("Hélène", "repudiated")
    assert v.mayor == ""
    v.until("murder")
    assert v.order("Alice", "ELECT Hélène", "wed 10:00") == "ineligible"
    assert v.admin("MAYOR Hélène") == "ineligible"
    v.do("Hélène", "ELECT Chloé")
    v.until("election")
    assert v.mayor == "Chloé"
    assert v.order("Chloé", "HEIR Hélène", "thu 10:00") == "ineligible"


@rule("VOTE-5")
def test_of_three_tied_one_dies_and_the_mayor_chooses_between_the_others():
    v = village(mayor="Hélène")
    v.votes("tue 10:00", "Alice Chloé; Chloé David; David Alice")
    v.until("execution")
    v.admin("SMITE David", "tue 22:10")
    assert (v.phase, v.asked, v.deadline) == ("tie-break", "Hélène", "tue 22:30")
    assert v.order("Hélène", "DECIDE David", "tue 22:15") == "dead-target"
    v.do("Hélène", "DECIDE Chloé")
    assert v.died == {"Chloé"}


@rule("VOTE-5", "LOVE-3")
def test_the_tied_who_die_of_love_drop_out_too():
    v = village(mayor="Hélène", lovers=("Alice", "Gaël"))
    v.votes("tue 10:00", "Alice Chloé; Chloé Alice")
    v.until("execution")
    v.admin("SMITE Gaël", "tue 22:10")
    assert v.died == {"Gaël", "Alice", "Chloé"}
    assert (v.cause("Alice"), v.cause("Chloé")) == ("love", "executed")
    assert v.deadline == "tue 22:40"  # sunset runs from then


@rule("VOTE-5")
def test_both_tied_die_and_nobody_burns():
    v = village(mayor="Hélène", lovers=("Alice", "Chloé"))
    v.votes("tue 10:00", "Alice David; David Chloé; Chloé Bruno; Bruno Alice; Émile Chloé; Fanny Alice")
    v.until("execution")
    assert v.asked == "Hélène"
    v.admin("SMITE Alice", "tue 22:10")
    assert v.died == {"Alice", "Chloé"}
    assert (v.phase, v.mayor) == ("sunset", "Hélène")


@rule("VOTE-5")
def test_the_asked_mayor_dies_without_an_heir_and_nobody_burns():
    v = village(mayor="Hélène")
    v.votes("tue 10:00", "Alice Chloé; Chloé Alice")
    v.until("execution")
    v.admin("SMITE Hélène", "tue 22:10")
    assert (v.died, v.phase, v.deadline) == ({"Hélène"}, "sunset", "tue 22:40")
    assert [(x.what, x.at) for x in v.happened(e.PhaseClosed)] == [("tie-break", v.now)]


@rule("VOTE-5", "MAYOR-5")
def test_the_asked_mayor_was_a_wolf_and_his_heir_is_not_asked():
    v = village("werewolf", mayor="Bruno", heir="Gaël")
    v.votes("tue 10:00", "David Chloé; Chloé David")
    v.until("execution")
    v.admin("SMITE Bruno", "tue 22:10")
    assert (v.died, v.mayor, v.phase) == ({"Bruno"}, "", "sunset")


@rule("VOTE-5")
def test_the_asked_mayor_is_one_of_two_tied_and_dies_the_other_burns_at_once():
    v = village(mayor="Hélène", heir="Gaël")
    v.votes("tue 10:00", "Alice Hélène; Chloé Alice")
    v.until("execution")
    v.admin("SMITE Hélène", "tue 22:10")
    assert v.died == {"Hélène", "Alice"}
    assert (v.mayor, v.phase) == ("Gaël", "sunset")


@rule("VOTE-5")
def test_the_heir_who_is_asked_has_a_fresh_window_and_is_repudiated_if_he_is_silent():
    v = village(mayor="Hélène", heir="Gaël")
    v.votes("tue 10:00", "Alice Chloé; Chloé Alice")
    v.until("execution")
    v.admin("SMITE Hélène", "tue 22:20")
    assert (v.asked, v.deadline) == ("Gaël", "tue 22:50")
    assert v.told("Gaël", "asked") == [["Alice", "Chloé"]]
    assert v.order("Gaël", "DECIDE Alice and Chloé", "+1m") == "not-a-choice"
    v.until("tie-break")
    assert v.told("Gaël", "repudiated")
    assert v.died == set()


@rule("VOTE-5")
def test_the_storyteller_appoints_another_mayor_in_the_window_and_that_one_is_asked():
    v = village(mayor="Hélène")
    v.votes("tue 10:00", "Alice Chloé; Chloé Alice")
    v.until("execution")
    assert v.admin("MAYOR Gaël", "tue 22:10") == "accepted"
    assert (v.asked, v.deadline) == ("Gaël", "tue 22:40")
    assert v.order("Hélène", "DECIDE Alice", "tue 22:11") == "not-your-power"
    v.do("Gaël", "DECIDE Alice")
    assert v.died == {"Alice"}


@rule("VOTE-5", "FINE-17")
def test_who_has_a_lover_among_the_tied_is_offered_the_others_only():
    v = village(mayor="Hélène", lovers=("Hélène", "Alice"))
    v.votes("tue 10:00", "Alice Chloé; Chloé Alice")
    v.until("execution")
    assert v.told("Hélène", "asked") == [["Chloé"]]
    assert v.last(e.TieAnnounced) == e.TieAnnounced((1, 3), 8, v.game.deadline)
    assert v.last(e.Asked) == e.Asked(8, (3,), 1, v.game.deadline, "mayor")
    assert v.order("Hélène", "DECIDE Alice", "+1m") == "lover-target"
    v.do("Hélène", "DECIDE Chloé")
    assert v.died == {"Chloé"}


@rule("VOTE-5", "LOVE-2", "TELE-1")
def test_the_mayors_forced_vote_for_her_lover_breaks_the_tie():
    v = village("telepath", mayor="Hélène", lovers=("Hélène", "Gaël"))
    v.orders("tue 10:00", "Alice: FORCE Hélène against Gaël; Chloé: VOTE David")
    v.until("execution")
    assert v.died == {"Gaël", "Hélène"}


@rule("VOTE-5", "CAL-5")
def test_the_mayor_may_choose_himself_and_the_window_ends_with_his_answer():
    v = village(mayor="Alice", heir="Gaël")
    v.votes("tue 10:00", "David Chloé; Chloé Alice")
    v.until("execution")
    v.do("Alice", "DECIDE Alice", "tue 22:07")
    assert (v.died, v.mayor, v.deadline) == ({"Alice"}, "Gaël", "tue 22:37")


@rule("FINE-16")
def test_a_mayor_who_names_two_names_too_many():
    v = village(mayor="Hélène")
    v.votes("tue 10:00", "Alice Chloé; Chloé Alice")
    v.until("execution")
    assert v.order("Hélène", "DECIDE Alice and Chloé", "+1m") == "not-a-choice"
    assert v.order("Hélène", "DECIDE Gaël", "+1m") == "not-a-choice"
    assert v.order("Hélène", "DECIDE Alice and Alice", "+1m") == "not-a-choice"


@rule("VOTE-5")
def test_the_storyteller_resolves_the_window_and_the_silent_mayor_is_repudiated():
    v = village(mayor="Hélène")
    v.votes("tue 10:00", "Alice Chloé; Chloé Alice")
    v.until("execution")
    assert v.admin("RESOLVE", "tue 22:10") == "accepted"
    assert (v.mayor, v.player("Hélène").ineligible, v.deadline) == ("", True, "tue 22:40")
