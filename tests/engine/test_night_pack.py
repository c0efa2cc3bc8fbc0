"""NIGHT-3, WOLF-1 to WOLF-3, CORR-1 to CORR-3, CHIEF-1, NIGHT-12: the pack, its corrupter and its leader."""

from __future__ import annotations

import pytest

from pbem.engine import events as e
from tests.kit.village import Village, crowd, learned

rule = pytest.mark.rule


# ---- the pack


@rule("WOLF-3")
def test_the_most_named_is_the_packs_and_who_names_nobody_does_not_count():
    v = crowd("Ann: werewolf, Bob: werewolf, Cid: werewolf, Dan: werewolf")
    v.orders("tue 12:00", "Ann: KILL Tom; Bob: KILL Ugo; Cid: KILL Ugo")
    v.until("murder")
    assert v.died == {"Ugo"}


@rule("WOLF-3", "NIGHT-9")
def test_a_wolf_who_burns_takes_his_choice_with_him():
    v = crowd("Ann: werewolf, Bob: werewolf, Cid: werewolf")
    v.orders("tue 12:00", "Ann: KILL Tom; Bob: KILL Ugo; Cid: KILL Ugo; Tom: VOTE Cid")
    v.until("murder")
    assert v.dead == {"Cid"}  # one and one: a tie


@rule("WOLF-3")
def test_the_pack_may_name_the_traitor_and_the_beast_but_no_fellow_nor_oneself():
    v = crowd("Ann: werewolf, Bob: shaman, Cid: traitor, Dan: beast")
    assert v.order("Ann", "KILL Bob", "tue 12:00") == "ally-target"
    assert v.order("Ann", "KILL Ann") == "self-target"
    assert v.order("Ann", "KILL Cid") == "accepted"
    assert v.order("Bob", "KILL Dan") == "accepted"


@rule("TRAI-1", "WOLF-1", "FINE-19")
def test_what_is_told_at_the_start():
    v = crowd("Ann: werewolf, Bob: corrupter, Cid: traitor, Dan: beast, Eve: pack-leader, Fay: shaman")
    assert v.told("Ann", "pack") == [["Bob", "Eve", "Fay"]]
    assert v.told("Cid", "wolf-count") == ["4"]
    assert v.told("Cid", "pack") == []
    assert learned(v, "Dan") == [{"role-dealt": "beast"}]
    assert all("Cid" not in str(learned(v, name)) for name in ("Ann", "Bob", "Eve", "Fay"))
    alone = crowd("Ann: werewolf")
    assert alone.told("Ann", "pack") == [[]]


@rule("WOLF-2")
def test_pack_talk_reaches_every_other_living_wolf_and_nobody_else():
    v = crowd("Ann: werewolf, Bob: shaman, Cid: corrupter, Dan: traitor, Eve: beast")
    v.admin("SMITE Cid", "mon 10:00")
    v.do("Ann", "PACK Tom ce soir ?", "mon 11:00")
    assert {x.to for x in v.happened(e.PackTalked)} == {2}


# ---- corruption


@rule("CORR-1", "CORR-2", "NIGHT-10")
def test_the_corrupted_learns_the_pack_at_the_murder_and_loses_his_role_for_good():
    v = crowd("Ann: corrupter, Bob: werewolf, Cid: militia, Dan: forger")
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
    v = crowd("Ann: corrupter, Bob: pack-leader, Cid: werewolf")
    v.orders("tue 12:00", "Bob: SACRIFICE Cid for Ugo; Ann: INFECT Tom; Cid: KILL Ugo")
    v.until("murder")
    assert (v.died, v.player("Tom").role) == (set(), "werewolf")
    assert "SACRIFICE" in v.can("Bob")
    assert v.told("Bob", "no-effect") == []


@rule("CORR-1", "CORR-3", "CHIEF-1")
def test_a_failed_corruption_costs_the_pack_its_victim_and_the_sacrifice_too():
    v = crowd("Ann: corrupter, Bob: pack-leader, Cid: werewolf, Dan: militia")
    v.orders("tue 12:00", "Bob: SACRIFICE Cid for Ugo; Ann: INFECT Tom; Cid: KILL Ugo; Dan: GUARD Tom")
    v.until("murder")
    assert v.died == set()
    assert "INFECT" not in v.can("Ann")
    assert "SACRIFICE" in v.can("Bob")


@rule("CORR-1", "FINE-1")
def test_of_two_corrupters_the_first_received_takes_effect():
    v = crowd("Ann: corrupter, Bob: corrupter")
    v.orders("tue 12:00", "Bob: INFECT Tom; Ann: INFECT Ugo; Bob: INFECT Vera")
    v.until("murder")
    assert (v.player("Ugo").role, v.player("Vera").role) == ("werewolf", "villager")
    assert ("INFECT" in v.can("Ann"), "INFECT" in v.can("Bob")) == (False, True)


@rule("CORR-1", "TRAI-1")
def test_a_traitor_can_be_corrupted_he_is_a_villager_for_every_power():
    v = crowd("Ann: corrupter, Bob: traitor")
    v.do("Ann", "INFECT Bob", "tue 12:00")
    v.until("murder")
    assert v.player("Bob").role == "werewolf"


@rule("CORR-1")
def test_the_corrupter_names_no_fellow_and_not_himself():
    v = crowd("Ann: corrupter, Bob: werewolf")
    assert v.order("Ann", "INFECT Bob", "tue 12:00") == "ally-target"
    assert v.order("Ann", "INFECT Ann") == "self-target"


@rule("NIGHT-3", "CORR-2")
def test_a_conversion_stops_seer_and_prescient_but_not_militia_nor_sandman():
    v = crowd("Ann: corrupter, Bob: seer, Cid: werewolf")
    v.orders("tue 12:00", "Ann: INFECT Bob; Bob: SEE Ann")
    v.until("murder")
    assert learned(v, "Bob") == [{"corrupted": ["Ann", "Cid"]}]
    v = crowd("Ann: corrupter, Bob: sandman")
    v.orders("tue 12:00", "Ann: INFECT Bob; Bob: SLEEP")
    v.until("murder")
    assert v.player("Bob").role == "sandman"


@rule("CORR-2", "PRES-1", "NIGHT-12")
def test_a_prescient_is_corrupted_her_save_is_accepted_and_gone_with_her_role():
    v = crowd("Ann: corrupter, Bob: prescient")
    v.orders("tue 12:00", "Ann: INFECT Bob")
    v.until("sunset")
    assert learned(v, "Bob") == []
    assert v.order("Bob", "SAVE Tom", "tue 22:40") == "accepted"
    v.until("murder")
    assert (v.standing("Bob", "SAVE"), v.can("Bob")) == (None, {"KILL"})
    assert v.told("Bob", "no-effect") == []


@rule("CORR-1", "PRES-2")
def test_only_the_convert_loses_his_orders():
    v = crowd("Ann: corrupter, Bob: prescient, Cid: prescient", mayor="Bob", heir="Tom")
    v.orders("tue 12:00", "Ann: INFECT Bob; Bob: SAVE Tom; Cid: SAVE Ugo")
    v.until("murder")
    assert (v.standing("Bob", "SAVE"), v.standing("Cid", "SAVE"), v.heir) == (None, ["Ugo"], "Tom")


@rule("FINE-17", "CORR-2")
def test_a_child_converted_on_the_night_he_peeks_gets_saw_nobody():
    v = crowd("Ann: corrupter, Bob: little-child", dice=(1, 1))
    v.orders("tue 12:00", "Ann: INFECT Bob; Bob: PEEK")
    v.until("murder")
    assert v.told("Bob", "nothing-glimpsed") == ["true"]
    assert v.player("Bob").role == "werewolf"


@rule("NIGHT-12")
def test_before_the_murder_the_converted_is_still_what_he_was_to_every_command():
    v = crowd("Ann: corrupter, Bob: investigator, Cid: nosy-neighbour, Dan: werewolf, Eve: matchmaker")
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
    v = crowd("Ann: corrupter, Bob: pack-leader, Cid: werewolf")
    v.do("Ann", "INFECT Tom", "tue 12:00")
    v.until("murder")
    v.do("Bob", "SACRIFICE Tom for Ugo", "wed 12:00")
    v.until("murder")
    assert (v.found, v.cause("Tom")) == (["Tom", "Ugo"], "sacrificed")


@rule("CORR-2", "SEER-1", "SHAM-1")
def test_seer_and_shaman_looking_at_the_converted_see_a_werewolf_that_night():
    v = crowd("Ann: corrupter, Bob: seer, Cid: shaman")
    v.orders("tue 12:00", "Ann: INFECT Tom; Bob: SEE Tom; Cid: SEE Tom")
    v.until("sunset")
    assert v.told("Bob", "role-seen") == v.told("Cid", "role-seen") == [{"Tom": "werewolf"}]


@rule("CORR-2", "MAYOR-5", "LOVE-1")
def test_mayor_and_lover_he_remains_but_now_he_dies_a_wolf():
    v = crowd("Ann: corrupter", mayor="Tom", heir="Ugo", lovers=("Tom", "Vera"))
    v.do("Ann", "INFECT Tom", "tue 12:00")
    v.until("murder")
    assert (v.mayor, v.heir) == ("Tom", "Ugo")
    v.votes("thu 12:00", "Ugo Tom; Will Tom")
    v.until("execution")
    assert (v.died, v.mayor) == ({"Tom", "Vera"}, "")
    assert v.happened(e.Died)[0].role == "werewolf"


@rule("FINE-6", "CORR-1", "MAYOR-5")
def test_one_converted_this_night_who_dies_in_vision_was_a_wolf():
    v = crowd("Ann: corrupter", mayor="Tom", heir="Ugo")
    v.do("Ann", "INFECT Tom", "tue 12:00")
    v.admin("SMITE Tom", "tue 22:40")
    assert (v.last(e.Died).role, v.mayor) == ("werewolf", "")
    v.until("murder")
    assert v.told("Ann", "pack-joined") == []


@rule("FINE-6", "WIN-1")
def test_one_converted_this_night_counts_as_a_wolf_for_the_wins():
    v = crowd("Ann: corrupter")
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


# ---- the pack leader


@rule("CHIEF-1", "NIGHT-7")
def test_the_extra_victim_is_threatened_though_the_pack_has_none():
    v = crowd("Ann: pack-leader, Bob: werewolf, Cid: prescient")
    v.do("Ann", "SACRIFICE Bob for Ugo", "tue 12:00")
    v.until("sunset")
    assert v.told("Cid", "threatened") == [["Ugo"]]  # without the sacrificed wolf
    v.until("murder")
    assert v.found == ["Bob", "Ugo"]
    assert (v.cause("Bob"), v.cause("Ugo")) == ("sacrificed", "murdered")


@rule("CHIEF-1", "PRES-3")
def test_the_saved_extra_victim_lives_and_the_wolf_dies_all_the_same():
    v = crowd("Ann: pack-leader, Bob: werewolf, Cid: prescient")
    v.orders("tue 12:00", "Ann: SACRIFICE Bob for Ugo; Cid: SAVE Ugo; Bob: KILL Tom")
    v.until("murder")
    assert v.died == {"Bob", "Tom"}
    assert "SACRIFICE" not in v.can("Ann")


@rule("CHIEF-1", "FINE-17", "FINE-18", "FINE-16")
def test_what_a_sacrifice_may_not_name():
    v = crowd("Ann: pack-leader, Bob: werewolf")
    assert v.order("Ann", "SACRIFICE Tom for Ugo", "tue 12:00") == "not-a-choice"
    assert v.order("Ann", "SACRIFICE Bob for Ann") == "self-target"
    assert v.order("Ann", "SACRIFICE Ann for Bob") == "ally-target"
    assert v.order("Ann", "SACRIFICE Bob for Bob") == "ally-target"
    assert v.order("Ann", "SACRIFICE Ann for Tom") == "accepted"


@rule("CHIEF-1", "ORG-4", "NIGHT-9")
def test_the_wolf_of_a_sacrifice_burns_first_and_the_order_is_void():
    v = crowd("Ann: pack-leader, Bob: werewolf")
    v.orders("tue 12:00", "Ann: SACRIFICE Bob for Ugo; Tom: VOTE Bob")
    v.until("execution")
    assert v.told("Ann", "order-void") == ["SACRIFICE"]
    v.do("Ann", "SACRIFICE Ann for Ugo", "tue 22:10")
    v.until("over")
    assert v.cause("Ann") == "sacrificed"


@rule("CHIEF-1", "ORG-4")
def test_a_sacrificed_wolf_who_dies_in_vision_and_the_victim_stays_threatened():
    v = crowd("Ann: pack-leader, Bob: werewolf")
    v.do("Ann", "SACRIFICE Bob for Ugo", "tue 12:00")
    v.admin("SMITE Bob", "tue 22:40")
    v.until("murder")
    assert (v.found, v.cause("Bob")) == (["Ugo"], "heart-attack")


@rule("FINE-1", "FINE-19", "CHIEF-1")
def test_the_first_of_two_sacrifices_is_stopped_and_the_second_does_not_work_either():
    v = crowd("Ann: pack-leader, Bob: pack-leader, Cid: werewolf, Dan: militia")
    v.orders("tue 12:00", "Ann: SACRIFICE Cid for Tom; Bob: SACRIFICE Bob for Ugo; Dan: GUARD Cid")
    v.until("murder")
    assert v.died == set()
    assert "SACRIFICE" in v.can("Ann") & v.can("Bob")


@rule("FINE-1", "CHIEF-1")
def test_of_two_sacrifices_the_first_received_takes_effect():
    v = crowd("Ann: pack-leader, Bob: pack-leader, Cid: werewolf")
    v.orders("tue 12:00", "Bob: SACRIFICE Cid for Tom; Ann: SACRIFICE Cid for Ugo")
    v.until("murder")
    assert v.found == ["Cid", "Tom"]
    assert ("SACRIFICE" in v.can("Ann"), "SACRIFICE" in v.can("Bob")) == (True, False)
