"""NIGHT-1, NIGHT-2, SAND-1, GUARD-1 to GUARD-3: who sleeps, who is protected, whose powers that stops."""

from __future__ import annotations

import pytest

from pbem.engine import events as e
from tests.kit.village import crowd, learned

rule = pytest.mark.rule


# ---- the sandman


@rule("NIGHT-1", "SAND-1", "NIGHT-11", "NIGHT-10")
def test_when_all_sleep_nothing_works_and_everybody_who_ordered_is_told():
    v = crowd(
        "Ann: sandman, Bob: werewolf, Cid: corrupter, Dan: pack-leader, Eve: shaman, Fay: seer, Guy: prescient, "
        "Hal: little-child, Ivo: militia",
        dice=(1, 1, 1),
    )
    v.orders(
        "tue 12:00",
        """Bob: KILL Tom; Cid: INFECT Ugo; Dan: SACRIFICE Bob for Vera; Eve: SEE Tom; Fay: SEE Bob; Guy: SAVE Tom
        Hal: PEEK; Ivo: GUARD Bob; Ann: SLEEP""",
    )
    v.until("sunset")
    assert not any(learned(v, name) for name in ("Eve", "Fay", "Guy"))
    v.until("murder")
    assert (v.found, v.last(e.MurderDone).asleep) == ([], True)
    told = {name: v.told(name, "no-effect") for name in ("Bob", "Cid", "Dan", "Eve", "Fay", "Guy", "Ivo")}
    assert told == {
        "Bob": ["KILL"],
        "Cid": ["INFECT"],
        "Dan": ["SACRIFICE"],
        "Eve": ["SEE"],
        "Fay": ["SEE"],
        "Guy": ["SAVE"],
        "Ivo": ["GUARD"],
    }
    assert learned(v, "Hal") == [{"nothing-glimpsed": "true"}]  # PEEK-3: the same letter as always
    assert v.told("Ann", "no-effect") == []
    assert v.can("Ann") == set()
    assert v.can("Cid") == {"KILL", "INFECT"}
    assert v.can("Dan") == {"KILL", "SACRIFICE"}
    assert v.standing("Guy", "SAVE") == ["Tom"]  # PRES-2: it stands


@rule("NIGHT-1", "BEAST-3", "GUARD-2")
def test_the_sandman_stops_the_beast_and_nobody_is_unmasked_nor_was_guarded():
    v = crowd("Ann: sandman, Bob: werewolf, Cid: beast, Dan: militia")
    v.orders("tue 12:00", "Bob: KILL Cid; Cid: HUNT Tom; Dan: GUARD Ugo; Ann: SLEEP")
    v.until("murder")
    assert v.told("Cid", "no-effect") == ["HUNT"]
    assert v.told("Bob", "beast-unmasked") == []
    assert v.order("Dan", "GUARD Ugo", "wed 10:00") == "accepted"


@rule("SAND-1", "NIGHT-9")
def test_the_sandman_may_act_or_change_his_mind_until_sunset_closes():
    v = crowd("Ann: sandman, Bob: werewolf")
    v.orders("tue 12:00", "Ann: SLEEP; Bob: KILL Tom")
    v.do("Ann", "CANCEL SLEEP", "tue 22:30")
    v.until("murder")
    assert (v.died, v.can("Ann")) == ({"Tom"}, {"SLEEP"})


@rule("SAND-1", "ORG-4", "NIGHT-10")
def test_a_sandman_who_dies_in_sunset_puts_nobody_to_sleep():
    v = crowd("Ann: sandman, Bob: werewolf")
    v.orders("tue 12:00", "Ann: SLEEP; Bob: KILL Tom")
    v.admin("SMITE Ann", "tue 22:10")
    v.until("murder")
    assert v.died == {"Tom"}


@rule("SAND-1", "ORG-4")
def test_a_sandman_who_dies_in_vision_has_acted():
    v = crowd("Ann: sandman, Bob: werewolf")
    v.orders("tue 12:00", "Ann: SLEEP; Bob: KILL Tom")
    v.admin("SMITE Ann", "tue 22:40")
    v.until("murder")
    assert v.died == set()


@rule("FINE-1", "NIGHT-10", "NIGHT-11")
def test_two_sandmen_the_first_received_is_spent_and_the_other_is_not_even_told():
    v = crowd("Ann: sandman, Bob: werewolf, Cid: sandman")
    v.orders("tue 12:00", "Cid: SLEEP; Ann: SLEEP")
    v.until("murder")
    assert (v.can("Ann"), v.can("Cid")) == ({"SLEEP"}, set())
    assert learned(v, "Ann") == []


@rule("NIGHT-1", "CAL-5")
def test_the_windows_last_as_ever_when_all_sleep():
    v = crowd("Ann: sandman, Bob: werewolf")
    v.do("Ann", "SLEEP", "tue 12:00")
    v.until("execution")
    assert v.deadline == "tue 22:30"
    v.until("sunset")
    assert v.deadline == "tue 23:00"


# ---- the militia


@rule("NIGHT-2", "GUARD-3", "NIGHT-11")
@pytest.mark.parametrize(
    ("role", "order", "verb"),
    [
        ("werewolf", "KILL Tom", "KILL"),
        ("shaman", "SEE Tom", "SEE"),
        ("corrupter", "INFECT Tom", "INFECT"),
        ("pack-leader", "SACRIFICE Wolf for Tom", "SACRIFICE"),
        ("prescient", "SAVE Tom", "SAVE"),
    ],
)
def test_the_protected_cannot_use_their_own_power_and_are_told(role, order, verb):
    v = crowd(f"Ann: militia, Bob: {role}, Wolf: werewolf")
    v.orders("tue 12:00", f"Ann: GUARD Bob; Bob: {order}")
    v.until("murder")
    assert v.told("Bob", "no-effect") == [verb]
    assert v.died == set()
    assert verb in v.can("Bob")


@rule("GUARD-3", "PEEK-3", "NIGHT-11")
def test_a_protected_child_gets_the_letter_it_always_gets():
    v = crowd("Ann: militia, Bob: werewolf, Cid: little-child", dice=(1, 1))
    v.orders("tue 12:00", "Ann: GUARD Cid; Cid: PEEK; Bob: KILL Tom")
    v.until("murder")
    assert learned(v, "Cid") == [{"nothing-glimpsed": "true"}]
    assert v.told("Bob", "peeper-spotted") == []


@rule("GUARD-3")
def test_seer_sandman_traitor_and_beast_are_not_blocked_by_protection():
    v = crowd("Ann: militia, Bob: werewolf, Cid: seer, Dan: militia, Eve: militia, Fay: beast, Guy: traitor")
    v.orders("tue 12:00", "Ann: GUARD Cid; Dan: GUARD Fay; Eve: GUARD Guy; Cid: SEE Guy; Fay: HUNT Tom")
    v.until("sunset")
    assert v.told("Cid", "role-seen") == [{"Guy": "traitor"}]
    v.until("murder")
    assert v.died == {"Tom"}


@rule("GUARD-1", "BEAST-1")
def test_protection_stops_the_beast():
    v = crowd("Ann: militia, Bob: werewolf, Cid: beast")
    v.orders("tue 12:00", "Ann: GUARD Tom; Cid: HUNT Tom")
    v.until("murder")
    assert v.died == set()


@rule("GUARD-1", "CHIEF-1")
def test_protection_of_the_packs_victim_leaves_the_extra_one_to_die():
    v = crowd("Ann: militia, Bob: pack-leader, Cid: werewolf")
    v.orders("tue 12:00", "Ann: GUARD Tom; Cid: KILL Tom; Bob: SACRIFICE Cid for Ugo")
    v.until("murder")
    assert v.found == ["Cid", "Ugo"]


@rule("GUARD-3", "WOLF-3")
def test_the_whole_pack_protected_has_no_victim():
    v = crowd("Ann: militia, Bob: militia, Cid: werewolf, Dan: werewolf")
    v.orders("tue 12:00", "Ann: GUARD Cid; Bob: GUARD Dan; Cid: KILL Tom; Dan: KILL Tom")
    v.until("murder")
    assert v.died == set()


@rule("GUARD-3", "CORR-1")
def test_a_blocked_corrupter_is_as_if_he_had_ordered_nothing_and_the_pack_chooses():
    v = crowd("Ann: militia, Bob: corrupter, Cid: werewolf")
    v.orders("tue 12:00", "Ann: GUARD Bob; Bob: INFECT Tom; Cid: KILL Ugo; Bob: KILL Vera")
    v.until("murder")
    assert v.died == {"Ugo"}
    assert sorted(v.told("Bob", "no-effect")) == ["INFECT", "KILL"]
    assert v.player("Tom").role == "villager"


@rule("GUARD-3", "FINE-1", "CORR-1")
def test_of_two_corrupters_the_first_is_blocked_and_the_second_corrupts():
    v = crowd("Ann: militia, Bob: corrupter, Cid: corrupter")
    v.orders("tue 12:00", "Ann: GUARD Bob; Bob: INFECT Tom; Cid: INFECT Ugo")
    v.until("murder")
    assert (v.player("Tom").role, v.player("Ugo").role) == ("villager", "werewolf")
    assert ("INFECT" in v.can("Bob"), "INFECT" in v.can("Cid")) == (True, False)


@rule("GUARD-3", "FINE-19", "CHIEF-1")
def test_of_two_pack_leaders_the_first_is_blocked_and_the_second_sacrifices():
    v = crowd("Ann: militia, Bob: pack-leader, Cid: pack-leader, Dan: werewolf")
    v.orders("tue 12:00", "Ann: GUARD Bob; Bob: SACRIFICE Dan for Tom; Cid: SACRIFICE Dan for Ugo")
    v.until("murder")
    assert v.found == ["Dan", "Ugo"]


@rule("GUARD-2")
def test_a_night_without_protection_changes_nothing_only_another_target_does():
    v = crowd("Ann: militia, Bob: werewolf")
    v.do("Ann", "GUARD Ann", "tue 12:00")
    v.until("murder")
    assert v.order("Ann", "GUARD Ann", "wed 10:00") == "repeat-target"
    v.until("murder")
    assert v.order("Ann", "GUARD Ann", "fri 10:00") == "repeat-target"
    v.do("Ann", "GUARD Tom")
    v.until("murder")
    v.do("Ann", "GUARD Ann", "mon 10:00")


@rule("GUARD-2", "NIGHT-9")
def test_only_what_stands_at_sunset_counts_as_protected():
    v = crowd("Ann: militia, Bob: werewolf")
    v.orders("tue 12:00", "Ann: GUARD Tom; Ann: GUARD Ugo; Ann: CANCEL GUARD; Bob: KILL Ugo")
    v.until("murder")
    assert v.died == {"Ugo"}
    v.do("Ann", "GUARD Tom", "wed 10:00")


@rule("GUARD-2")
def test_after_t_the_militia_cannot_choose_again_not_even_when_the_target_burned():
    v = crowd("Ann: militia, Bob: werewolf")
    v.orders("tue 12:00", "Ann: GUARD Tom; Bob: VOTE Tom")
    v.until("execution")
    assert v.told("Ann", "order-void") == ["GUARD"]
    assert v.order("Ann", "GUARD Ugo", "tue 22:10") == "wrong-time"
    assert v.order("Ann", "CANCEL GUARD", "tue 22:11") == "wrong-time"


@rule("GUARD-2", "ORG-4")
def test_who_is_guarded_and_dies_in_vision_was_guarded():
    v = crowd("Ann: militia, Bob: werewolf")
    v.do("Ann", "GUARD Tom", "tue 12:00")
    v.until("murder")
    v.do("Ann", "GUARD Ugo", "thu 12:00")
    v.admin("SMITE Ugo", "thu 22:40")
    v.until("murder")
    v.do("Ann", "GUARD Tom", "fri 12:00")


@rule("GUARD-2")
def test_two_militias_have_each_their_own_last_one():
    v = crowd("Ann: militia, Bob: werewolf, Cid: militia")
    v.orders("tue 12:00", "Ann: GUARD Tom; Cid: GUARD Ugo")
    v.until("murder")
    assert v.order("Ann", "GUARD Tom", "wed 10:00") == "repeat-target"
    v.do("Ann", "GUARD Ugo")
    v.do("Cid", "GUARD Tom")
