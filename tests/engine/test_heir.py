"""MAYOR-4 to MAYOR-6, FINE-20: who follows in the mayor's office, and who cannot."""

from __future__ import annotations

import pytest

from tests.kit.village import Village

rule = pytest.mark.rule
SIX = "Ann: villager, Bob: werewolf, Cid: villager, Dan: villager, Eve: villager, Fay: villager"


def village(**more):
    return Village(SIX, **more)


def hours(v):
    """When the election that is due opens and closes, on the village clock."""
    due = v.game.election
    return (v.clock(due.opens), v.clock(due.closes)) if due else None


@rule("MAYOR-4")
def test_what_an_heir_may_not_be():
    v = village(mayor="Cid")
    v.admin("SMITE Fay", "mon 10:00")
    assert v.order("Cid", "HEIR Cid", "mon 10:05") == "not-a-candidate"
    assert v.order("Cid", "HEIR Fay") == "dead-target"
    assert v.order("Ann", "HEIR Dan") == "not-your-power"
    v.do("Cid", "HEIR Dan")
    v.do("Cid", "CANCEL HEIR")
    assert v.heir == ""


@rule("MAYOR-4")
def test_an_heir_may_be_named_at_any_time_and_stands_over_the_days():
    v = village(mayor="Cid")
    v.until("execution")
    v.do("Cid", "HEIR Dan", "tue 22:05")
    v.until("sunset")
    v.do("Cid", "HEIR Eve", "tue 22:35")
    v.until("murder")
    v.votes("thu 10:00", "Cid Fay; Ann Fay")
    v.until("murder")
    assert v.heir == "Eve"
    v.admin("SMITE Cid", "fri 10:00")
    assert (v.mayor, v.told("Eve", "mayor-now")) == ("Eve", ["true"])
    assert v.heir == ""


@rule("MAYOR-4", "NIGHT-9")
def test_the_heir_dies_the_mayor_is_told_and_without_another_there_is_an_election():
    v = village(mayor="Cid", heir="Dan")
    v.admin("SMITE Dan", "mon 10:00")
    assert (v.told("Cid", "order-void"), v.heir) == (["HEIR"], "")
    v.admin("SMITE Cid", "mon 10:05")
    assert (v.mayor, hours(v)) == ("", ("mon 10:05", "mon 22:00"))


@rule("MAYOR-4")
def test_both_die_together_and_there_is_an_election():
    v = village(mayor="Cid", heir="Dan", lovers=("Cid", "Dan"))
    v.admin("SMITE Dan", "mon 10:00")
    assert (v.mayor, hours(v)) == ("", ("mon 10:00", "mon 22:00"))


@rule("MAYOR-4", "MAYOR-5")
@pytest.mark.parametrize(
    ("role", "follows"),
    [
        ("villager", True),
        ("traitor", True),
        ("beast", True),
        ("werewolf", False),
        ("shaman", False),
        ("corrupter", False),
    ],
)
def test_only_a_mayor_who_was_a_wolf_has_no_successor(role, follows):
    v = Village(f"{SIX}, Guy: {role}, Hal: beast", mayor="Guy", heir="Dan")
    v.admin("SMITE Guy", "mon 10:00")
    assert v.mayor == ("Dan" if follows else "")


@rule("MAYOR-6", "VOTE-5")
def test_a_repudiated_wolfs_heir_takes_over_but_not_one_who_cannot_be_mayor():
    v = village(mayor="Bob", heir="Dan")
    v.votes("tue 12:00", "Ann Cid; Cid Ann")
    v.until("tie-break")
    assert v.mayor == "Dan"
    v.until("murder")
    v.admin("MAYOR Eve", "wed 10:00")
    assert v.order("Eve", "HEIR Bob") == "ineligible"


@rule("MAYOR-4")
def test_the_heir_was_repudiated_himself_meanwhile():
    v = village(mayor="Cid", heir="Dan")
    v.admin("MAYOR Dan", "mon 10:00")
    v.votes("tue 12:00", "Ann Cid; Cid Ann")
    v.until("tie-break")
    assert v.player("Dan").ineligible
    assert v.mayor == ""


@rule("MAYOR-4", "FINE-20")
def test_another_mayor_by_the_storyteller_names_his_own_heir_and_the_same_one_keeps_his():
    v = village(mayor="Cid", heir="Dan")
    v.admin("MAYOR Cid", "mon 10:00")
    assert v.heir == "Dan"
    v.admin("MAYOR Eve", "mon 10:05")
    assert v.heir == ""
    v.admin("SMITE Eve", "mon 10:06")
    assert v.mayor == ""


@rule("MAYOR-4", "VOTE-5")
def test_an_heir_named_in_an_earlier_term_counts_no_more():
    v = village(mayor="Cid", heir="Dan")
    v.admin("MAYOR Eve", "mon 10:00")
    v.admin("MAYOR Cid", "mon 10:01")
    assert v.heir == ""
