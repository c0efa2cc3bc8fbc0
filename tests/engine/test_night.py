"""NIGHT-1 to NIGHT-12 and the roles of the night: who is threatened, who sees, who dies, who is told."""

from __future__ import annotations

import pytest

from pbem.engine import events as e
from pbem.engine.options import Options
from pbem.engine.roles.little_child import chances
from tests.kit.village import PEEK, Village

rule = pytest.mark.rule
TAIL = "Tom: villager, Ugo: villager, Vera: villager, Will: villager, Xena: villager, Yann: villager"


def village(front, **more):
    """Some with roles, then six plain villagers."""
    return Village(f"{front}, {TAIL}", **more)


def learned(v, name):
    """All that he was told in this step, but for a missed vote."""
    return [x for x in v.told(name) if "vote-missed" not in x]


# ---- the sandman


@rule("NIGHT-1", "SAND-1", "NIGHT-11", "NIGHT-10")
def test_when_all_sleep_nothing_works_and_everybody_who_ordered_is_told():
    v = village(
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
    v = village("Ann: sandman, Bob: werewolf, Cid: beast, Dan: militia")
    v.orders("tue 12:00", "Bob: KILL Cid; Cid: HUNT Tom; Dan: GUARD Ugo; Ann: SLEEP")
    v.until("murder")
    assert v.told("Cid", "no-effect") == ["HUNT"]
    assert v.told("Bob", "beast-unmasked") == []
    assert v.order("Dan", "GUARD Ugo", "wed 10:00") == "accepted"


@rule("SAND-1", "NIGHT-9")
def test_the_sandman_may_act_or_change_his_mind_until_sunset_closes():
    v = village("Ann: sandman, Bob: werewolf")
    v.orders("tue 12:00", "Ann: SLEEP; Bob: KILL Tom")
    v.do("Ann", "CANCEL SLEEP", "tue 22:30")
    v.until("murder")
    assert (v.died, v.can("Ann")) == ({"Tom"}, {"SLEEP"})


@rule("SAND-1", "ORG-4", "NIGHT-10")
def test_a_sandman_who_dies_in_sunset_puts_nobody_to_sleep():
    v = village("Ann: sandman, Bob: werewolf")
    v.orders("tue 12:00", "Ann: SLEEP; Bob: KILL Tom")
    v.admin("SMITE Ann", "tue 22:10")
    v.until("murder")
    assert v.died == {"Tom"}


@rule("SAND-1", "ORG-4")
def test_a_sandman_who_dies_in_vision_has_acted():
    v = village("Ann: sandman, Bob: werewolf")
    v.orders("tue 12:00", "Ann: SLEEP; Bob: KILL Tom")
    v.admin("SMITE Ann", "tue 22:40")
    v.until("murder")
    assert v.died == set()


@rule("FINE-1", "NIGHT-10", "NIGHT-11")
def test_two_sandmen_the_first_received_is_spent_and_the_other_is_not_even_told():
    v = village("Ann: sandman, Bob: werewolf, Cid: sandman")
    v.orders("tue 12:00", "Cid: SLEEP; Ann: SLEEP")
    v.until("murder")
    assert (v.can("Ann"), v.can("Cid")) == ({"SLEEP"}, set())
    assert learned(v, "Ann") == []


@rule("NIGHT-1", "CAL-5")
def test_the_windows_last_as_ever_when_all_sleep():
    v = village("Ann: sandman, Bob: werewolf")
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
    v = village(f"Ann: militia, Bob: {role}, Wolf: werewolf")
    v.orders("tue 12:00", f"Ann: GUARD Bob; Bob: {order}")
    v.until("murder")
    assert v.told("Bob", "no-effect") == [verb]
    assert v.died == set()
    assert verb in v.can("Bob")


@rule("GUARD-3", "PEEK-3", "NIGHT-11")
def test_a_protected_child_gets_the_letter_it_always_gets():
    v = village("Ann: militia, Bob: werewolf, Cid: little-child", dice=(1, 1))
    v.orders("tue 12:00", "Ann: GUARD Cid; Cid: PEEK; Bob: KILL Tom")
    v.until("murder")
    assert learned(v, "Cid") == [{"nothing-glimpsed": "true"}]
    assert v.told("Bob", "peeper-spotted") == []


@rule("GUARD-3")
def test_seer_sandman_traitor_and_beast_are_not_blocked_by_protection():
    v = village("Ann: militia, Bob: werewolf, Cid: seer, Dan: militia, Eve: militia, Fay: beast, Guy: traitor")
    v.orders("tue 12:00", "Ann: GUARD Cid; Dan: GUARD Fay; Eve: GUARD Guy; Cid: SEE Guy; Fay: HUNT Tom")
    v.until("sunset")
    assert v.told("Cid", "role-seen") == [{"Guy": "traitor"}]
    v.until("murder")
    assert v.died == {"Tom"}


@rule("GUARD-1", "BEAST-1")
def test_protection_stops_the_beast():
    v = village("Ann: militia, Bob: werewolf, Cid: beast")
    v.orders("tue 12:00", "Ann: GUARD Tom; Cid: HUNT Tom")
    v.until("murder")
    assert v.died == set()


@rule("GUARD-1", "CHIEF-1")
def test_protection_of_the_packs_victim_leaves_the_extra_one_to_die():
    v = village("Ann: militia, Bob: pack-leader, Cid: werewolf")
    v.orders("tue 12:00", "Ann: GUARD Tom; Cid: KILL Tom; Bob: SACRIFICE Cid for Ugo")
    v.until("murder")
    assert v.found == ["Cid", "Ugo"]


@rule("GUARD-3", "WOLF-3")
def test_the_whole_pack_protected_has_no_victim():
    v = village("Ann: militia, Bob: militia, Cid: werewolf, Dan: werewolf")
    v.orders("tue 12:00", "Ann: GUARD Cid; Bob: GUARD Dan; Cid: KILL Tom; Dan: KILL Tom")
    v.until("murder")
    assert v.died == set()


@rule("GUARD-3", "CORR-1")
def test_a_blocked_corrupter_is_as_if_he_had_ordered_nothing_and_the_pack_chooses():
    v = village("Ann: militia, Bob: corrupter, Cid: werewolf")
    v.orders("tue 12:00", "Ann: GUARD Bob; Bob: INFECT Tom; Cid: KILL Ugo; Bob: KILL Vera")
    v.until("murder")
    assert v.died == {"Ugo"}
    assert sorted(v.told("Bob", "no-effect")) == ["INFECT", "KILL"]
    assert v.player("Tom").role == "villager"


@rule("GUARD-3", "FINE-1", "CORR-1")
def test_of_two_corrupters_the_first_is_blocked_and_the_second_corrupts():
    v = village("Ann: militia, Bob: corrupter, Cid: corrupter")
    v.orders("tue 12:00", "Ann: GUARD Bob; Bob: INFECT Tom; Cid: INFECT Ugo")
    v.until("murder")
    assert (v.player("Tom").role, v.player("Ugo").role) == ("villager", "werewolf")
    assert ("INFECT" in v.can("Bob"), "INFECT" in v.can("Cid")) == (True, False)


@rule("GUARD-3", "FINE-19", "CHIEF-1")
def test_of_two_pack_leaders_the_first_is_blocked_and_the_second_sacrifices():
    v = village("Ann: militia, Bob: pack-leader, Cid: pack-leader, Dan: werewolf")
    v.orders("tue 12:00", "Ann: GUARD Bob; Bob: SACRIFICE Dan for Tom; Cid: SACRIFICE Dan for Ugo")
    v.until("murder")
    assert v.found == ["Dan", "Ugo"]


@rule("GUARD-2")
def test_a_night_without_protection_changes_nothing_only_another_target_does():
    v = village("Ann: militia, Bob: werewolf")
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
    v = village("Ann: militia, Bob: werewolf")
    v.orders("tue 12:00", "Ann: GUARD Tom; Ann: GUARD Ugo; Ann: CANCEL GUARD; Bob: KILL Ugo")
    v.until("murder")
    assert v.died == {"Ugo"}
    v.do("Ann", "GUARD Tom", "wed 10:00")


@rule("GUARD-2")
def test_after_t_the_militia_cannot_choose_again_not_even_when_the_target_burned():
    v = village("Ann: militia, Bob: werewolf")
    v.orders("tue 12:00", "Ann: GUARD Tom; Bob: VOTE Tom")
    v.until("execution")
    assert v.told("Ann", "order-void") == ["GUARD"]
    assert v.order("Ann", "GUARD Ugo", "tue 22:10") == "wrong-time"
    assert v.order("Ann", "CANCEL GUARD", "tue 22:11") == "wrong-time"


@rule("GUARD-2", "ORG-4")
def test_who_is_guarded_and_dies_in_vision_was_guarded():
    v = village("Ann: militia, Bob: werewolf")
    v.do("Ann", "GUARD Tom", "tue 12:00")
    v.until("murder")
    v.do("Ann", "GUARD Ugo", "thu 12:00")
    v.admin("SMITE Ugo", "thu 22:40")
    v.until("murder")
    v.do("Ann", "GUARD Tom", "fri 12:00")


@rule("GUARD-2")
def test_two_militias_have_each_their_own_last_one():
    v = village("Ann: militia, Bob: werewolf, Cid: militia")
    v.orders("tue 12:00", "Ann: GUARD Tom; Cid: GUARD Ugo")
    v.until("murder")
    assert v.order("Ann", "GUARD Tom", "wed 10:00") == "repeat-target"
    v.do("Ann", "GUARD Ugo")
    v.do("Cid", "GUARD Tom")


# ---- the pack


@rule("WOLF-3")
def test_the_most_named_is_the_packs_and_who_names_nobody_does_not_count():
    v = village("Ann: werewolf, Bob: werewolf, Cid: werewolf, Dan: werewolf")
    v.orders("tue 12:00", "Ann: KILL Tom; Bob: KILL Ugo; Cid: KILL Ugo")
    v.until("murder")
    assert v.died == {"Ugo"}


@rule("WOLF-3", "NIGHT-9")
def test_a_wolf_who_burns_takes_his_choice_with_him():
    v = village("Ann: werewolf, Bob: werewolf, Cid: werewolf")
    v.orders("tue 12:00", "Ann: KILL Tom; Bob: KILL Ugo; Cid: KILL Ugo; Tom: VOTE Cid")
    v.until("murder")
    assert v.dead == {"Cid"}  # one and one: a tie


@rule("WOLF-3")
def test_the_pack_may_name_the_traitor_and_the_beast_but_no_fellow_nor_oneself():
    v = village("Ann: werewolf, Bob: shaman, Cid: traitor, Dan: beast")
    assert v.order("Ann", "KILL Bob", "tue 12:00") == "ally-target"
    assert v.order("Ann", "KILL Ann") == "self-target"
    assert v.order("Ann", "KILL Cid") == "accepted"
    assert v.order("Bob", "KILL Dan") == "accepted"


@rule("TRAI-1", "WOLF-1", "FINE-19")
def test_what_is_told_at_the_start():
    v = village("Ann: werewolf, Bob: corrupter, Cid: traitor, Dan: beast, Eve: pack-leader, Fay: shaman")
    assert v.told("Ann", "pack") == [["Bob", "Eve", "Fay"]]
    assert v.told("Cid", "wolf-count") == ["4"]
    assert v.told("Cid", "pack") == []
    assert learned(v, "Dan") == [{"role-dealt": "beast"}]
    assert all("Cid" not in str(learned(v, name)) for name in ("Ann", "Bob", "Eve", "Fay"))
    alone = village("Ann: werewolf")
    assert alone.told("Ann", "pack") == [[]]


@rule("WOLF-2")
def test_pack_talk_reaches_every_other_living_wolf_and_nobody_else():
    v = village("Ann: werewolf, Bob: shaman, Cid: corrupter, Dan: traitor, Eve: beast")
    v.admin("SMITE Cid", "mon 10:00")
    v.do("Ann", "PACK Tom ce soir ?", "mon 11:00")
    assert {x.to for x in v.happened(e.PackTalked)} == {2}


# ---- corruption


@rule("CORR-1", "CORR-2", "NIGHT-10")
def test_the_corrupted_learns_the_pack_at_the_murder_and_loses_his_role_for_good():
    v = village("Ann: corrupter, Bob: werewolf, Cid: militia, Dan: forger")
    v.orders("tue 12:00", "Ann: INFECT Dan; Bob: KILL Tom")
    v.until("sunset")
    assert learned(v, "Dan") == []
    v.until("murder")
    assert learned(v, "Dan") == [{"corrupted": ["Ann", "Bob"]}]
    assert v.told("Ann", "pack-joined") == ["Dan"]
    assert v.can("Dan") == {"KILL"}
    assert v.order("Dan", "INFECT Tom", "wed 10:00") == "not-your-power"


@rule("CORR-1", "CHIEF-1", "NIGHT-10")
def test_on_a_night_of_corruption_a_sacrifice_has_no_effect_and_is_not_spent():
    v = village("Ann: corrupter, Bob: pack-leader, Cid: werewolf")
    v.orders("tue 12:00", "Bob: SACRIFICE Cid for Ugo; Ann: INFECT Tom; Cid: KILL Ugo")
    v.until("murder")
    assert (v.died, v.player("Tom").role) == (set(), "werewolf")
    assert "SACRIFICE" in v.can("Bob")
    assert v.told("Bob", "no-effect") == []


@rule("CORR-1", "CORR-3", "CHIEF-1")
def test_a_failed_corruption_costs_the_pack_its_victim_and_the_sacrifice_too():
    v = village("Ann: corrupter, Bob: pack-leader, Cid: werewolf, Dan: militia")
    v.orders("tue 12:00", "Bob: SACRIFICE Cid for Ugo; Ann: INFECT Tom; Cid: KILL Ugo; Dan: GUARD Tom")
    v.until("murder")
    assert v.died == set()
    assert "INFECT" not in v.can("Ann")
    assert "SACRIFICE" in v.can("Bob")


@rule("CORR-1", "FINE-1")
def test_of_two_corrupters_the_first_received_takes_effect():
    v = village("Ann: corrupter, Bob: corrupter")
    v.orders("tue 12:00", "Bob: INFECT Tom; Ann: INFECT Ugo; Bob: INFECT Vera")
    v.until("murder")
    assert (v.player("Ugo").role, v.player("Vera").role) == ("werewolf", "villager")
    assert ("INFECT" in v.can("Ann"), "INFECT" in v.can("Bob")) == (False, True)


@rule("CORR-1", "TRAI-1")
def test_a_traitor_can_be_corrupted_he_is_a_villager_for_every_power():
    v = village("Ann: corrupter, Bob: traitor")
    v.do("Ann", "INFECT Bob", "tue 12:00")
    v.until("murder")
    assert v.player("Bob").role == "werewolf"


@rule("CORR-1")
def test_the_corrupter_names_no_fellow_and_not_himself():
    v = village("Ann: corrupter, Bob: werewolf")
    assert v.order("Ann", "INFECT Bob", "tue 12:00") == "ally-target"
    assert v.order("Ann", "INFECT Ann") == "self-target"


@rule("NIGHT-3", "CORR-2")
def test_a_conversion_stops_seer_and_prescient_but_not_militia_nor_sandman():
    v = village("Ann: corrupter, Bob: seer, Cid: werewolf")
    v.orders("tue 12:00", "Ann: INFECT Bob; Bob: SEE Ann")
    v.until("murder")
    assert learned(v, "Bob") == [{"corrupted": ["Ann", "Cid"]}]
    v = village("Ann: corrupter, Bob: sandman")
    v.orders("tue 12:00", "Ann: INFECT Bob; Bob: SLEEP")
    v.until("murder")
    assert v.player("Bob").role == "sandman"


@rule("CORR-2", "PRES-1", "NIGHT-12")
def test_a_prescient_is_corrupted_her_save_is_accepted_and_gone_with_her_role():
    v = village("Ann: corrupter, Bob: prescient")
    v.orders("tue 12:00", "Ann: INFECT Bob")
    v.until("sunset")
    assert learned(v, "Bob") == []
    assert v.order("Bob", "SAVE Tom", "tue 22:40") == "accepted"
    v.until("murder")
    assert (v.standing("Bob", "SAVE"), v.can("Bob")) == (None, {"KILL"})
    assert v.told("Bob", "no-effect") == []


@rule("FINE-17", "CORR-2")
def test_a_child_converted_on_the_night_he_peeks_gets_saw_nobody():
    v = village("Ann: corrupter, Bob: little-child", dice=(1, 1))
    v.orders("tue 12:00", "Ann: INFECT Bob; Bob: PEEK")
    v.until("murder")
    assert v.told("Bob", "nothing-glimpsed") == ["true"]
    assert v.player("Bob").role == "werewolf"


@rule("NIGHT-12")
def test_before_the_murder_the_converted_is_still_what_he_was_to_every_command():
    v = village("Ann: corrupter, Bob: investigator, Cid: nosy-neighbour, Dan: werewolf, Eve: matchmaker")
    v.do("Ann", "INFECT Bob", "tue 12:00")
    v.until("sunset")
    v.do("Bob", "ASK werewolf", "tue 22:40")
    assert v.told("Bob", "role-count") == [{"werewolf": "1"}]
    assert v.order("Bob", "KILL Tom") == "not-your-power"
    v.do("Cid", "SPY Bob", "tue 22:41")
    assert v.told("Cid", "role-seen") == [{"Bob": "investigator"}]
    v.do("Dan", "PACK Alors ?", "tue 22:42")
    assert {x.to for x in v.happened(e.PackTalked)} == {1}
    v.until("murder")
    assert v.order("Bob", "ASK seer", "wed 10:00") == "not-your-power"
    assert v.order("Dan", "KILL Bob") == "ally-target"


@rule("NIGHT-12", "CHIEF-1")
def test_the_pack_leader_cannot_sacrifice_the_converted_before_the_murder():
    v = village("Ann: corrupter, Bob: pack-leader, Cid: werewolf")
    v.do("Ann", "INFECT Tom", "tue 12:00")
    v.until("murder")
    v.do("Bob", "SACRIFICE Tom for Ugo", "wed 12:00")
    v.until("murder")
    assert (v.found, v.cause("Tom")) == (["Tom", "Ugo"], "sacrificed")


@rule("CORR-2", "SEER-1", "SHAM-1")
def test_seer_and_shaman_looking_at_the_converted_see_a_werewolf_that_night():
    v = village("Ann: corrupter, Bob: seer, Cid: shaman")
    v.orders("tue 12:00", "Ann: INFECT Tom; Bob: SEE Tom; Cid: SEE Tom")
    v.until("sunset")
    assert v.told("Bob", "role-seen") == v.told("Cid", "role-seen") == [{"Tom": "werewolf"}]


@rule("CORR-2", "MAYOR-5", "LOVE-1")
def test_mayor_and_lover_he_remains_but_now_he_dies_a_wolf():
    v = village("Ann: corrupter", mayor="Tom", heir="Ugo", lovers=("Tom", "Vera"))
    v.do("Ann", "INFECT Tom", "tue 12:00")
    v.until("murder")
    assert (v.mayor, v.heir) == ("Tom", "Ugo")
    v.votes("thu 12:00", "Ugo Tom; Will Tom")
    v.until("execution")
    assert (v.died, v.mayor) == ({"Tom", "Vera"}, "")
    assert v.happened(e.Died)[0].role == "werewolf"


@rule("FINE-6", "CORR-1", "MAYOR-5")
def test_one_converted_this_night_who_dies_in_vision_was_a_wolf():
    v = village("Ann: corrupter", mayor="Tom", heir="Ugo")
    v.do("Ann", "INFECT Tom", "tue 12:00")
    v.admin("SMITE Tom", "tue 22:40")
    assert (v.last(e.Died).role, v.mayor) == ("werewolf", "")
    v.until("murder")
    assert v.told("Ann", "pack-joined") == []


@rule("FINE-6", "WIN-1")
def test_one_converted_this_night_counts_as_a_wolf_for_the_wins():
    v = village("Ann: corrupter")
    v.do("Ann", "INFECT Tom", "tue 12:00")
    v.admin("SMITE Ann", "tue 22:40")
    assert v.winner == ""
    v.until("murder")
    assert v.player("Tom").role == "werewolf"
    assert v.told("Tom", "corrupted") == [[]]


@rule("FINE-6", "WIN-8", "WIN-9")
def test_a_game_that_ends_in_vision_knows_the_converted_as_a_wolf():
    v = Village("Ann: corrupter, Bob: villager, Cid: villager, Dan: villager", lovers=("Bob", "Cid"))
    v.orders("tue 12:00", "Ann: INFECT Bob; Cid: VOTE Dan; Bob: VOTE Dan")
    v.until("sunset")
    v.admin("SMITE Ann", "tue 22:40")
    assert (v.winner, v.winners) == ("lovers", {"Bob", "Cid"})  # of two sides by now
    assert v.player("Bob").role == "werewolf"
    assert v.last(e.GameWon).roles == ("corrupter", "werewolf", "villager", "villager")


# ---- the beast


@rule("BEAST-2", "SHAM-1")
def test_while_she_lives_the_pack_kills_nobody_but_the_shaman_sees():
    v = village("Ann: beast, Bob: shaman, Cid: werewolf")
    v.orders("tue 12:00", "Bob: KILL Tom; Cid: KILL Tom; Bob: SEE Tom")
    v.until("sunset")
    assert v.told("Bob", "role-seen") == [{"Tom": "villager"}]
    v.until("murder")
    assert v.died == set()


@rule("BEAST-2", "ORG-4")
def test_she_dies_before_sunset_closes_and_the_pack_kills():
    v = village("Ann: beast, Bob: werewolf")
    v.do("Bob", "KILL Tom", "tue 12:00")
    v.admin("SMITE Ann", "tue 22:10")
    v.until("murder")
    assert v.died == {"Tom"}


@rule("BEAST-2", "ORG-4")
def test_she_dies_in_vision_and_what_was_threatened_stands():
    v = village("Ann: beast, Bob: werewolf")
    v.orders("tue 12:00", "Bob: KILL Tom; Ann: HUNT Ugo")
    v.admin("SMITE Ann", "tue 22:40")
    v.until("murder")
    assert v.died == {"Ugo"}


@rule("BEAST-3")
def test_the_packs_result_is_what_unmasks_not_one_ballot():
    v = village("Ann: beast, Bob: werewolf, Cid: werewolf, Dan: werewolf")
    v.orders("tue 12:00", "Bob: KILL Tom; Cid: KILL Ugo; Dan: KILL Ugo; Ann: HUNT Tom")
    v.until("murder")
    assert v.died == {"Tom"}
    assert not v.told("Bob", "beast-unmasked")


@rule("BEAST-3", "WOLF-3")
def test_a_tie_in_the_pack_unmasks_nobody():
    v = village("Ann: beast, Bob: werewolf, Cid: werewolf")
    v.orders("tue 12:00", "Bob: KILL Tom; Cid: KILL Ann; Ann: HUNT Tom")
    v.until("murder")
    assert v.died == {"Tom"}
    assert not v.told("Cid", "beast-unmasked")


@rule("BEAST-3", "GUARD-1")
def test_a_protected_beast_who_is_the_packs_choice_is_unmasked_and_her_prey_lives():
    v = village("Ann: beast, Bob: werewolf, Cid: militia")
    v.orders("tue 12:00", "Bob: KILL Ann; Cid: GUARD Ann; Ann: HUNT Tom")
    v.until("murder")
    assert v.died == set()
    assert v.told("Bob", "beast-unmasked") == ["Ann"]
    assert learned(v, "Ann") == []


@rule("BEAST-3", "GUARD-3")
def test_a_blocked_wolfs_ballot_does_not_unmask_her():
    v = village("Ann: beast, Bob: werewolf, Cid: militia")
    v.orders("tue 12:00", "Bob: KILL Tom; Cid: GUARD Bob; Ann: HUNT Tom")
    v.until("murder")
    assert v.died == {"Tom"}
    assert not v.told("Bob", "beast-unmasked")


@rule("FINE-2", "BEAST-3", "CORR-1")
def test_on_a_night_of_corruption_the_pack_unmasks_nobody_and_her_victim_dies():
    v = village("Ann: beast, Bob: corrupter, Cid: werewolf")
    v.orders("tue 12:00", "Bob: INFECT Tom; Cid: KILL Ugo; Ann: HUNT Ugo")
    v.until("murder")
    assert v.died == {"Ugo"}
    assert not v.told("Cid", "beast-unmasked")
    assert "INFECT" in v.can("Bob")
    v.orders("wed 12:00", "Bob: INFECT Tom; Cid: KILL Ann; Ann: HUNT Vera")
    v.until("murder")
    assert v.died == {"Vera"}


@rule("FINE-2", "CORR-3")
def test_a_corruption_aimed_at_her_unmasks_her_and_nobody_is_killed():
    v = village("Ann: beast, Bob: corrupter, Cid: werewolf, Dan: militia")
    v.orders("tue 12:00", "Bob: INFECT Ann; Cid: KILL Ugo; Ann: HUNT Vera; Dan: GUARD Ann")
    v.until("murder")
    assert v.died == set()
    assert v.told("Cid", "beast-unmasked") == v.told("Bob", "beast-unmasked") == ["Ann"]
    assert "INFECT" in v.can("Bob")


@rule("FINE-2", "CORR-3", "NIGHT-10")
def test_a_protected_target_spends_the_corruption_even_while_she_lives():
    v = village("Ann: beast, Bob: corrupter, Dan: militia")
    v.orders("tue 12:00", "Bob: INFECT Tom; Dan: GUARD Tom; Ann: HUNT Vera")
    v.until("murder")
    assert v.died == {"Vera"}
    assert "INFECT" not in v.can("Bob")


@rule("BEAST-2", "CHIEF-1", "NIGHT-10")
def test_a_sacrifice_while_she_lives_does_nothing_even_for_a_protected_victim():
    v = village("Ann: beast, Bob: pack-leader, Cid: werewolf, Dan: militia")
    v.orders("tue 12:00", "Bob: SACRIFICE Cid for Tom; Dan: GUARD Tom")
    v.until("murder")
    assert v.died == set()
    assert "SACRIFICE" in v.can("Bob")


@rule("BEAST-1", "BEAST-4")
def test_her_victim_may_be_a_wolf_and_she_may_not_name_herself():
    v = village("Ann: beast, Bob: werewolf, Cid: werewolf")
    assert v.order("Ann", "HUNT Ann", "tue 12:00") == "self-target"
    v.do("Ann", "HUNT Bob")
    v.until("murder")
    assert v.cause("Bob") == "murdered"


@rule("BEAST-4", "LOVE-3")
def test_love_can_kill_the_beast():
    v = village("Ann: beast, Bob: werewolf", lovers=("Ann", "Tom"))
    v.votes("tue 12:00", "Ugo Tom")
    v.until("execution")
    assert v.cause("Ann") == "love"


@rule("PRES-1", "BEAST-1", "NIGHT-5")
def test_the_prescient_saves_from_the_beast():
    v = village("Ann: beast, Bob: werewolf, Cid: prescient")
    v.do("Ann", "HUNT Tom", "tue 12:00")
    v.until("sunset")
    assert v.told("Cid", "threatened") == [["Tom"]]
    v.do("Cid", "SAVE", "tue 22:40")
    v.until("murder")
    assert (v.died, v.told("Cid", "saved")) == (set(), ["Tom"])


# ---- the pack leader


@rule("CHIEF-1", "NIGHT-7")
def test_the_extra_victim_is_threatened_though_the_pack_has_none():
    v = village("Ann: pack-leader, Bob: werewolf, Cid: prescient")
    v.do("Ann", "SACRIFICE Bob for Ugo", "tue 12:00")
    v.until("sunset")
    assert v.told("Cid", "threatened") == [["Ugo"]]  # without the sacrificed wolf
    v.until("murder")
    assert v.found == ["Bob", "Ugo"]
    assert (v.cause("Bob"), v.cause("Ugo")) == ("sacrificed", "murdered")


@rule("CHIEF-1", "PRES-3")
def test_the_saved_extra_victim_lives_and_the_wolf_dies_all_the_same():
    v = village("Ann: pack-leader, Bob: werewolf, Cid: prescient")
    v.orders("tue 12:00", "Ann: SACRIFICE Bob for Ugo; Cid: SAVE Ugo; Bob: KILL Tom")
    v.until("murder")
    assert v.died == {"Bob", "Tom"}
    assert "SACRIFICE" not in v.can("Ann")


@rule("CHIEF-1", "FINE-17", "FINE-18", "FINE-16")
def test_what_a_sacrifice_may_not_name():
    v = village("Ann: pack-leader, Bob: werewolf")
    assert v.order("Ann", "SACRIFICE Tom for Ugo", "tue 12:00") == "not-a-choice"
    assert v.order("Ann", "SACRIFICE Bob for Ann") == "self-target"
    assert v.order("Ann", "SACRIFICE Ann for Bob") == "ally-target"
    assert v.order("Ann", "SACRIFICE Bob for Bob") == "ally-target"
    assert v.order("Ann", "SACRIFICE Ann for Tom") == "accepted"


@rule("CHIEF-1", "ORG-4", "NIGHT-9")
def test_the_wolf_of_a_sacrifice_burns_first_and_the_order_is_void():
    v = village("Ann: pack-leader, Bob: werewolf")
    v.orders("tue 12:00", "Ann: SACRIFICE Bob for Ugo; Tom: VOTE Bob")
    v.until("execution")
    assert v.told("Ann", "order-void") == ["SACRIFICE"]
    v.do("Ann", "SACRIFICE Ann for Ugo", "tue 22:10")
    v.until("over")
    assert v.cause("Ann") == "sacrificed"


@rule("CHIEF-1", "ORG-4")
def test_a_sacrificed_wolf_who_dies_in_vision_and_the_victim_stays_threatened():
    v = village("Ann: pack-leader, Bob: werewolf")
    v.do("Ann", "SACRIFICE Bob for Ugo", "tue 12:00")
    v.admin("SMITE Bob", "tue 22:40")
    v.until("murder")
    assert (v.found, v.cause("Bob")) == (["Ugo"], "heart-attack")


@rule("FINE-1", "FINE-19", "CHIEF-1")
def test_the_first_of_two_sacrifices_is_stopped_and_the_second_does_not_work_either():
    v = village("Ann: pack-leader, Bob: pack-leader, Cid: werewolf, Dan: militia")
    v.orders("tue 12:00", "Ann: SACRIFICE Cid for Tom; Bob: SACRIFICE Bob for Ugo; Dan: GUARD Cid")
    v.until("murder")
    assert v.died == set()
    assert "SACRIFICE" in v.can("Ann") & v.can("Bob")


@rule("FINE-1", "CHIEF-1")
def test_of_two_sacrifices_the_first_received_takes_effect():
    v = village("Ann: pack-leader, Bob: pack-leader, Cid: werewolf")
    v.orders("tue 12:00", "Bob: SACRIFICE Cid for Tom; Ann: SACRIFICE Cid for Ugo")
    v.until("murder")
    assert v.found == ["Cid", "Tom"]
    assert ("SACRIFICE" in v.can("Ann"), "SACRIFICE" in v.can("Bob")) == (True, False)


# ---- the prescient


@rule("PRES-2", "NIGHT-9")
def test_a_named_save_stands_for_nights_until_it_triggers_or_is_cancelled():
    v = village("Ann: prescient, Bob: werewolf")
    v.orders("tue 12:00", "Ann: SAVE Ugo; Bob: KILL Tom")
    v.until("murder")
    assert v.standing("Ann", "SAVE") == ["Ugo"]
    v.orders("thu 12:00", "Ann: CANCEL SAVE; Bob: KILL Ugo")
    v.until("murder")
    assert v.died == {"Ugo"}
    assert v.can("Ann") == {"SAVE"}


@rule("PRES-2", "NIGHT-9")
def test_a_named_save_is_void_when_its_target_dies_first():
    v = village("Ann: prescient, Bob: werewolf")
    v.orders("tue 12:00", "Ann: SAVE Ugo; Tom: VOTE Ugo")
    v.until("execution")
    assert v.told("Ann", "order-void") == ["SAVE"]
    assert v.can("Ann") == {"SAVE"}


@rule("FINE-4", "PRES-2")
@pytest.mark.parametrize("word", ["SAVE", "SAVE ANYONE", "SAUVER QUICONQUE"])
def test_a_bare_save_outside_the_window_saves_whoever_is_threatened_next(word):
    v = village("Ann: prescient, Bob: werewolf")
    v.do("Ann", word, "mon 12:00")
    v.until("murder")
    v.do("Bob", "KILL Tom", "wed 12:00")
    v.until("murder")
    assert (v.died, v.can("Ann"), v.told("Ann", "saved")) == (set(), set(), ["Tom"])


@rule("FINE-4", "PRES-3")
def test_with_nobody_threatened_a_bare_save_in_the_window_is_an_advance_order():
    v = village("Ann: prescient, Bob: werewolf")
    v.until("sunset")
    assert v.told("Ann", "threatened") == [[]]
    v.do("Ann", "SAVE", "tue 22:40")
    v.until("murder")
    v.do("Bob", "KILL Tom", "wed 12:00")
    v.until("murder")
    assert v.died == set()


@rule("PRES-1", "FINE-4")
def test_he_is_the_main_victim_and_said_anyone_and_the_extra_one_is_saved():
    v = village("Ann: prescient, Bob: pack-leader, Cid: werewolf")
    v.orders("tue 12:00", "Ann: SAVE ANYONE; Cid: KILL Ann; Bob: SACRIFICE Cid for Ugo")
    v.until("murder")
    assert v.found == ["Ann", "Cid"]


@rule("PRES-1", "PRES-3")
def test_he_names_the_extra_victim_and_the_main_one_dies():
    v = village("Ann: prescient, Bob: pack-leader, Cid: werewolf")
    v.orders("tue 12:00", "Cid: KILL Tom; Bob: SACRIFICE Cid for Ugo")
    v.do("Ann", "SAVE Ugo", "tue 22:40")
    v.until("murder")
    assert v.found == ["Cid", "Tom"]


@rule("FINE-4", "NIGHT-9")
def test_a_save_for_a_sacrificed_wolf_saves_nobody_and_is_void_with_that_death():
    v = village("Ann: prescient, Bob: pack-leader, Cid: werewolf")
    v.orders("tue 12:00", "Ann: SAVE Cid; Bob: SACRIFICE Cid for Ugo")
    v.until("murder")
    assert v.found == ["Cid", "Ugo"]
    assert v.told("Ann", "order-void") == ["SAVE"]
    assert v.can("Ann") == {"SAVE"}


@rule("FINE-19", "PRES-1")
def test_two_prescients_save_the_same_player_and_only_the_first_received_is_spent():
    v = village("Ann: prescient, Bob: werewolf, Cid: prescient")
    v.orders("tue 12:00", "Cid: SAVE ANYONE; Ann: SAVE Tom; Bob: KILL Tom")
    v.until("murder")
    assert (v.can("Ann"), v.can("Cid")) == ({"SAVE"}, set())
    assert v.told("Ann", "saved") == []
    assert v.standing("Ann", "SAVE") == ["Tom"]


@rule("PRES-1", "PRES-3")
def test_two_prescients_save_two():
    v = village("Ann: prescient, Bob: pack-leader, Cid: prescient, Dan: werewolf")
    v.orders("tue 12:00", "Cid: SAVE Ugo; Ann: SAVE Tom; Dan: KILL Tom; Bob: SACRIFICE Dan for Ugo")
    v.until("murder")
    assert v.found == ["Dan"]
    assert v.can("Ann") == v.can("Cid") == set()


@rule("FINE-3", "GUARD-3", "NIGHT-11")
def test_a_protected_prescient_gets_no_letter_and_her_save_stands_for_another_night():
    v = village("Ann: prescient, Bob: werewolf, Cid: militia")
    v.orders("tue 12:00", "Cid: GUARD Ann; Bob: KILL Tom")
    v.until("sunset")
    assert learned(v, "Ann") == []
    v.do("Ann", "SAVE ANYONE", "tue 22:40")
    v.until("murder")
    assert (v.died, learned(v, "Ann")) == ({"Tom"}, [])  # she had no order for the night to stop
    v.do("Bob", "KILL Ugo", "wed 12:00")
    v.until("murder")
    assert v.died == set()


@rule("FINE-3", "SAND-1", "NIGHT-11")
def test_a_sleeping_prescient_with_an_advance_order_is_told_it_had_no_effect():
    v = village("Ann: prescient, Bob: werewolf, Cid: sandman")
    v.orders("tue 12:00", "Cid: SLEEP; Bob: KILL Tom; Ann: SAVE ANYONE")
    v.until("sunset")
    assert learned(v, "Ann") == []
    v.until("murder")
    assert learned(v, "Ann") == [{"no-effect": "SAVE"}]
    assert v.can("Ann") == {"SAVE"}


@rule("PRES-1")
def test_a_spent_prescient_still_learns_who_is_threatened():
    v = village("Ann: prescient, Bob: werewolf")
    v.orders("tue 12:00", "Ann: SAVE ANYONE; Bob: KILL Tom")
    v.until("murder")
    v.do("Bob", "KILL Ugo", "wed 12:00")
    v.until("sunset")
    assert v.told("Ann", "threatened") == [["Ugo"]]
    assert v.order("Ann", "SAVE Ugo", "thu 22:40") == "already-used"


@rule("FINE-6", "PRES-1", "NIGHT-10")
def test_who_dies_of_a_heart_attack_in_vision_is_not_saved_and_nothing_is_spent():
    v = village("Ann: prescient, Bob: werewolf")
    v.orders("tue 12:00", "Ann: SAVE ANYONE; Bob: KILL Tom")
    v.admin("SMITE Tom", "tue 22:40")
    v.until("murder")
    assert (v.found, v.told("Ann", "saved"), v.can("Ann")) == ([], [], {"SAVE"})
    assert v.standing("Ann", "SAVE") == []


@rule("FINE-6", "PRES-3", "CHIEF-1")
def test_the_main_victim_dies_in_vision_and_anyone_saves_the_extra_one():
    v = village("Ann: prescient, Bob: pack-leader, Cid: werewolf")
    v.orders("tue 12:00", "Ann: SAVE ANYONE; Cid: KILL Tom; Bob: SACRIFICE Cid for Ugo")
    v.admin("SMITE Tom", "tue 22:40")
    v.until("murder")
    assert v.found == ["Cid"]
    assert v.told("Ann", "saved") == ["Ugo"]


@rule("FINE-15", "PRES-2", "CAL-6", "NIGHT-5")
def test_a_save_at_the_close_of_vision_still_counts():
    v = village("Ann: prescient, Bob: werewolf")
    v.do("Bob", "KILL Tom", "tue 12:00")
    v.do("Ann", "SAVE Tom", "tue 23:00")
    v.until("vision")
    assert v.dead == set()
    v.until("murder")
    assert v.dead == set()
    assert v.told("Ann", "saved") == ["Tom"]


# ---- the seer


@rule("SEER-1", "FINE-16")
def test_the_seer_looks_at_no_dead_and_not_at_himself_the_shaman_at_his_fellows():
    v = village("Ann: seer, Bob: shaman, Cid: werewolf")
    assert v.order("Ann", "SEE Ann", "mon 10:00") == "self-target"
    assert v.order("Bob", "SEE Bob") == "self-target"
    v.do("Bob", "SEE Cid")
    v.admin("SMITE Tom")
    assert v.order("Ann", "SEE Tom") == "dead-target"


@rule("NIGHT-4", "NIGHT-9")
def test_a_seers_order_holds_for_one_night_and_the_next_may_see_the_same():
    v = village("Ann: seer, Bob: werewolf")
    v.do("Ann", "SEE Bob", "tue 12:00")
    v.until("sunset")
    assert v.told("Ann", "role-seen") == [{"Bob": "werewolf"}]
    v.until("sunset")
    assert v.told("Ann", "role-seen") == []
    v.do("Ann", "SEE Bob", "fri 12:00")


@rule("NIGHT-9")
def test_the_seers_target_burns_and_he_chooses_again_in_sunset():
    v = village("Ann: seer, Bob: werewolf")
    v.orders("tue 12:00", "Ann: SEE Tom; Ugo: VOTE Tom")
    v.until("execution")
    assert v.told("Ann", "order-void") == ["SEE"]
    v.do("Ann", "SEE Bob", "tue 22:30")
    v.until("sunset")
    assert v.told("Ann", "role-seen") == [{"Bob": "werewolf"}]


@rule("NIGHT-9", "ORG-4")
def test_a_seer_who_dies_in_sunset_sees_nothing():
    v = village("Ann: seer, Bob: werewolf")
    v.do("Ann", "SEE Bob", "tue 12:00")
    v.admin("SMITE Ann", "tue 22:10")
    v.until("sunset")
    assert learned(v, "Ann") == []


# ---- the little child


@rule("PEEK-2", "PEEK-5", "NIGHT-6")
def test_numbers_are_those_before_this_nights_deaths_sacrifice_included():
    # Two wolves and eight innocents: 30 / 20, though one wolf and one innocent are about to die.
    v = village("Ann: little-child, Bob: pack-leader, Cid: werewolf, Dan: traitor", dice=(30, 20, 2))
    v.orders("tue 12:00", "Ann: PEEK; Bob: SACRIFICE Cid for Ugo")
    v.until("murder")
    assert v.told("Ann", "wolf-glimpsed") == ["Cid"]
    assert v.told("Bob", "peeper-spotted") == ["Ann"]


@rule("PEEK-2")
@pytest.mark.parametrize(("dice", "sees", "seen"), [((31, 21), 0, 0), ((30, 21, 1), 1, 0), ((31, 20), 0, 1)])
def test_a_roll_succeeds_up_to_the_chance(dice, sees, seen):
    v = village("Ann: little-child, Bob: werewolf, Cid: werewolf, Dan: traitor", dice=dice)
    v.orders("tue 12:00", "Ann: PEEK; Bob: KILL Tom")
    v.until("murder")
    assert len(v.told("Ann", "wolf-glimpsed")) == sees
    assert len(v.told("Ann", "nothing-glimpsed")) == 1 - sees
    assert len(v.told("Bob", "peeper-spotted")) == len(v.told("Cid", "peeper-spotted")) == seen


@rule("PEEK-1", "CHIEF-1")
def test_only_the_sacrificed_wolf_dies_and_the_child_neither_sees_nor_is_seen():
    v = village("Ann: little-child, Bob: pack-leader, Cid: werewolf, Dan: militia", dice=(1, 1, 1))
    v.orders("tue 12:00", "Ann: PEEK; Bob: SACRIFICE Cid for Ugo; Dan: GUARD Ugo")
    v.until("murder")
    assert v.died == {"Cid"}
    assert learned(v, "Ann") == [{"nothing-glimpsed": "true"}]
    assert not v.told("Bob", "peeper-spotted")


@rule("PEEK-1", "PRES-1")
def test_the_victim_is_saved_and_the_child_is_safe():
    v = village("Ann: little-child, Bob: werewolf, Cid: prescient", dice=(1, 1, 1))
    v.orders("tue 12:00", "Ann: PEEK; Bob: KILL Ugo; Cid: SAVE Ugo")
    v.until("murder")
    assert learned(v, "Ann") == [{"nothing-glimpsed": "true"}]


@rule("PEEK-1", "LOVE-3")
def test_a_child_who_dies_of_love_that_night_does_not_roll():
    v = village("Ann: little-child, Bob: werewolf, Cid: little-child", dice=(1, 1, 100, 100), lovers=("Ann", "Tom"))
    v.orders("tue 12:00", "Ann: PEEK; Cid: PEEK; Bob: KILL Tom")
    v.until("murder")
    assert learned(v, "Ann") == []
    assert v.told("Bob", "peeper-spotted") == ["Cid"]
    assert v.told("Cid", "wolf-glimpsed") == ["Bob"]


@rule("PEEK-3", "BEAST-3")
def test_the_beast_counts_among_the_wolves_but_is_not_told():
    # One wolf and the beast: two, nine innocents: 30 / 20. Then (99 - 1) mod 2 = 0: the first of them in seat order.
    v = village("Ann: beast, Bob: werewolf, Cid: little-child, Dan: villager, Eve: villager", dice=(30, 20, 99))
    v.orders("tue 12:00", "Cid: PEEK; Ann: HUNT Tom")
    v.until("murder")
    assert v.told("Cid", "wolf-glimpsed") == ["Ann"]
    assert v.told("Bob", "peeper-spotted") == ["Cid"]
    assert learned(v, "Ann") == []


@rule("FINE-19", "FINE-6", "PEEK-2")
def test_a_wolf_who_dies_in_vision_may_still_be_shown_and_the_numbers_are_sunsets():
    v = village("Ann: little-child, Bob: werewolf, Cid: werewolf, Dan: traitor", dice=(30, 20, 1))
    v.orders("tue 12:00", "Ann: PEEK; Cid: KILL Tom")
    v.admin("SMITE Bob", "tue 22:40")
    v.until("murder")
    assert v.told("Ann", "wolf-glimpsed") == ["Bob"]
    assert v.told("Cid", "peeper-spotted") == ["Ann"]


@rule("FINE-6", "PEEK-1")
def test_the_threatened_one_dies_in_vision_so_the_pack_killed_nobody():
    v = village("Ann: little-child, Bob: werewolf", dice=(1, 1, 1))
    v.orders("tue 12:00", "Ann: PEEK; Bob: KILL Tom")
    v.admin("SMITE Tom", "tue 22:40")
    v.until("murder")
    assert v.found == []
    assert learned(v, "Ann") == [{"nothing-glimpsed": "true"}]


@rule("PEEK-1", "NIGHT-9")
def test_not_peeking_brings_no_letter_and_peek_can_be_cancelled_and_holds_one_night():
    v = village("Ann: little-child, Bob: werewolf", dice=(1, 1, 1))
    v.orders("tue 12:00", "Ann: PEEK; Ann: CANCEL PEEK; Bob: KILL Tom")
    v.until("murder")
    assert learned(v, "Ann") == []
    v.orders("wed 12:00", "Ann: PEEK; Bob: KILL Ugo")
    v.until("murder")
    assert v.told("Ann", "wolf-glimpsed") == ["Bob"]
    v.do("Bob", "KILL Vera", "fri 12:00")
    v.until("murder")
    assert learned(v, "Ann") == []


@rule("PEEK-4")
@pytest.mark.parametrize(
    ("wolves", "innocents", "see", "seen"),
    [
        (1, 40, 10, 70),
        (2, 16, 20, 20),
        (3, 15, 30, 10),
        (3, 2, 90, 30),
        (3, 1, 90, 30),
        (2, 1, 100, 50),
        (1, 1, 100, 100),
        (4, 3, 100, 25),
        (4, 10, 50, 10),
        (5, 8, 70, 10),
        (7, 3, 100, 10),
        (9, 20, 90, 10),
    ],
)
def test_the_table_and_what_lies_beyond_it(wolves, innocents, see, seen):
    assert chances(Options(peek=PEEK), wolves, innocents) == (see, seen)


# ---- the murder


@rule("NIGHT-7")
def test_the_found_are_one_list_in_seat_order_and_lovers_follow():
    v = village("Ann: villager, Bob: pack-leader, Cid: werewolf, Dan: villager", lovers=("Ann", "Ugo"))
    v.orders("tue 12:00", "Cid: KILL Ugo; Bob: SACRIFICE Cid for Dan")
    v.until("murder")
    assert v.found == ["Cid", "Dan", "Ugo"]
    assert [(v.name(x.seat), x.cause) for x in v.happened(e.Died)] == [
        ("Cid", "sacrificed"),
        ("Dan", "murdered"),
        ("Ugo", "murdered"),
        ("Ann", "love"),
    ]


@rule("NIGHT-7", "LOVE-3")
def test_two_lovers_who_are_both_victims_are_both_found():
    v = village("Ann: villager, Bob: pack-leader, Cid: werewolf", lovers=("Ann", "Ugo"))
    v.orders("tue 12:00", "Cid: KILL Ugo; Bob: SACRIFICE Cid for Ann")
    v.until("murder")
    assert v.found == ["Ann", "Cid", "Ugo"]
    assert v.cause("Ann") == "murdered"


@rule("NIGHT-7", "MAYOR-4")
def test_the_mayor_and_the_heir_die_in_one_night_and_the_office_is_vacant():
    v = village("Ann: villager, Bob: pack-leader, Cid: werewolf", mayor="Ann", heir="Ugo")
    v.orders("tue 12:00", "Cid: KILL Ugo; Bob: SACRIFICE Cid for Ann")
    v.until("murder")
    assert v.mayor == ""
    assert v.game.election is not None


@rule("NIGHT-8", "WIN-2")
def test_the_count_comes_after_the_murder_only():
    v = Village("Ann: werewolf, Bob: werewolf, Cid: villager, Dan: villager, Eve: villager")
    v.votes("tue 12:00", "Ann Cid; Bob Cid")
    v.until("vision")
    assert v.winner == ""
    v.until("murder")
    assert v.winner == "wolves"
