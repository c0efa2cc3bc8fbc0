"""VOTE-8, TELE-1, FORGE-1, FINE-10: who meddles with the vote, and who burns (the executioner: test_executioner.py)."""

from __future__ import annotations

import pytest

from pbem.engine import events as e
from tests.kit.village import Village

rule = pytest.mark.rule


EIGHT = "Alice: {}, Bruno: werewolf, Chloé: {}, David: villager, Émile: villager, Fanny: villager, Gaël: villager, Hélène: villager"


def village(one="villager", other="villager", **more):
    return Village(EIGHT.format(one, other), **more)


# ---- telepath, forger, and all together


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
