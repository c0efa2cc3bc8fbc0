"""NIGHT-4 to NIGHT-6, PRES-1 to PRES-3, SEER-1, PEEK-1 to PEEK-5: who sees what, and whom it saves."""

from __future__ import annotations

import pytest

from pbem.engine.options import Options
from pbem.engine.roles.little_child import chances
from tests.kit.village import PEEK, crowd, learned

rule = pytest.mark.rule


# ---- the prescient


@rule("PRES-2", "NIGHT-9")
def test_a_named_save_stands_for_nights_until_it_triggers_or_is_cancelled():
    v = crowd("Ann: prescient, Bob: werewolf")
    v.orders("tue 12:00", "Ann: SAVE Ugo; Bob: KILL Tom")
    v.until("murder")
    assert v.standing("Ann", "SAVE") == ["Ugo"]
    v.orders("thu 12:00", "Ann: CANCEL SAVE; Bob: KILL Ugo")
    v.until("murder")
    assert v.died == {"Ugo"}
    assert v.can("Ann") == {"SAVE"}


@rule("PRES-2", "NIGHT-9")
def test_a_named_save_is_void_when_its_target_dies_first():
    v = crowd("Ann: prescient, Bob: werewolf")
    v.orders("tue 12:00", "Ann: SAVE Ugo; Tom: VOTE Ugo")
    v.until("execution")
    assert v.told("Ann", "order-void") == ["SAVE"]
    assert v.can("Ann") == {"SAVE"}


@rule("FINE-4", "PRES-2")
@pytest.mark.parametrize("word", ["SAVE", "SAVE ANYONE", "SAUVER QUICONQUE"])
def test_a_bare_save_outside_the_window_saves_whoever_is_threatened_next(word):
    v = crowd("Ann: prescient, Bob: werewolf")
    v.do("Ann", word, "mon 12:00")
    v.until("murder")
    v.do("Bob", "KILL Tom", "wed 12:00")
    v.until("murder")
    assert (v.died, v.can("Ann"), v.told("Ann", "saved")) == (set(), set(), ["Tom"])


@rule("FINE-4", "PRES-3")
def test_with_nobody_threatened_a_bare_save_in_the_window_is_an_advance_order():
    v = crowd("Ann: prescient, Bob: werewolf")
    v.until("sunset")
    assert v.told("Ann", "threatened") == [[]]
    v.do("Ann", "SAVE", "tue 22:40")
    v.until("murder")
    v.do("Bob", "KILL Tom", "wed 12:00")
    v.until("murder")
    assert v.died == set()


@rule("PRES-1", "FINE-4")
def test_he_is_the_main_victim_and_said_anyone_and_the_extra_one_is_saved():
    v = crowd("Ann: prescient, Bob: pack-leader, Cid: werewolf")
    v.orders("tue 12:00", "Ann: SAVE ANYONE; Cid: KILL Ann; Bob: SACRIFICE Cid for Ugo")
    v.until("murder")
    assert v.found == ["Ann", "Cid"]


@rule("PRES-1", "PRES-3")
def test_he_names_the_extra_victim_and_the_main_one_dies():
    v = crowd("Ann: prescient, Bob: pack-leader, Cid: werewolf")
    v.orders("tue 12:00", "Cid: KILL Tom; Bob: SACRIFICE Cid for Ugo")
    v.do("Ann", "SAVE Ugo", "tue 22:40")
    v.until("murder")
    assert v.found == ["Cid", "Tom"]


@rule("FINE-4", "NIGHT-9")
def test_a_save_for_a_sacrificed_wolf_saves_nobody_and_is_void_with_that_death():
    v = crowd("Ann: prescient, Bob: pack-leader, Cid: werewolf")
    v.orders("tue 12:00", "Ann: SAVE Cid; Bob: SACRIFICE Cid for Ugo")
    v.until("murder")
    assert v.found == ["Cid", "Ugo"]
    assert v.told("Ann", "order-void") == ["SAVE"]
    assert v.can("Ann") == {"SAVE"}


@rule("FINE-19", "PRES-1")
def test_two_prescients_save_the_same_player_and_only_the_first_received_is_spent():
    v = crowd("Ann: prescient, Bob: werewolf, Cid: prescient")
    v.orders("tue 12:00", "Cid: SAVE ANYONE; Ann: SAVE Tom; Bob: KILL Tom")
    v.until("murder")
    assert (v.can("Ann"), v.can("Cid")) == ({"SAVE"}, set())
    assert v.told("Ann", "saved") == []
    assert v.standing("Ann", "SAVE") == ["Tom"]


@rule("PRES-1", "PRES-3")
def test_two_prescients_save_two():
    v = crowd("Ann: prescient, Bob: pack-leader, Cid: prescient, Dan: werewolf")
    v.orders("tue 12:00", "Cid: SAVE Ugo; Ann: SAVE Tom; Dan: KILL Tom; Bob: SACRIFICE Dan for Ugo")
    v.until("murder")
    assert v.found == ["Dan"]
    assert v.can("Ann") == v.can("Cid") == set()


@rule("FINE-3", "GUARD-3", "NIGHT-11")
def test_a_protected_prescient_gets_no_letter_and_her_save_stands_for_another_night():
    v = crowd("Ann: prescient, Bob: werewolf, Cid: militia")
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
    v = crowd("Ann: prescient, Bob: werewolf, Cid: sandman")
    v.orders("tue 12:00", "Cid: SLEEP; Bob: KILL Tom; Ann: SAVE ANYONE")
    v.until("sunset")
    assert learned(v, "Ann") == []
    v.until("murder")
    assert learned(v, "Ann") == [{"no-effect": "SAVE"}]
    assert v.can("Ann") == {"SAVE"}


@rule("PRES-1")
def test_a_spent_prescient_still_learns_who_is_threatened():
    v = crowd("Ann: prescient, Bob: werewolf")
    v.orders("tue 12:00", "Ann: SAVE ANYONE; Bob: KILL Tom")
    v.until("murder")
    v.do("Bob", "KILL Ugo", "wed 12:00")
    v.until("sunset")
    assert v.told("Ann", "threatened") == [["Ugo"]]
    assert v.order("Ann", "SAVE Ugo", "thu 22:40") == "already-used"


@rule("FINE-6", "PRES-1", "NIGHT-10")
def test_who_dies_of_a_heart_attack_in_vision_is_not_saved_and_nothing_is_spent():
    v = crowd("Ann: prescient, Bob: werewolf")
    v.orders("tue 12:00", "Ann: SAVE ANYONE; Bob: KILL Tom")
    v.admin("SMITE Tom", "tue 22:40")
    v.until("murder")
    assert (v.found, v.told("Ann", "saved"), v.can("Ann")) == ([], [], {"SAVE"})
    assert v.standing("Ann", "SAVE") == []


@rule("FINE-6", "PRES-3", "CHIEF-1")
def test_the_main_victim_dies_in_vision_and_anyone_saves_the_extra_one():
    v = crowd("Ann: prescient, Bob: pack-leader, Cid: werewolf")
    v.orders("tue 12:00", "Ann: SAVE ANYONE; Cid: KILL Tom; Bob: SACRIFICE Cid for Ugo")
    v.admin("SMITE Tom", "tue 22:40")
    v.until("murder")
    assert v.found == ["Cid"]
    assert v.told("Ann", "saved") == ["Ugo"]


@rule("FINE-15", "PRES-2", "CAL-6", "NIGHT-5")
def test_a_save_at_the_close_of_vision_still_counts():
    v = crowd("Ann: prescient, Bob: werewolf")
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
    v = crowd("Ann: seer, Bob: shaman, Cid: werewolf")
    assert v.order("Ann", "SEE Ann", "mon 10:00") == "self-target"
    assert v.order("Bob", "SEE Bob") == "self-target"
    v.do("Bob", "SEE Cid")
    v.admin("SMITE Tom")
    assert v.order("Ann", "SEE Tom") == "dead-target"


@rule("NIGHT-4", "NIGHT-9")
def test_a_seers_order_holds_for_one_night_and_the_next_may_see_the_same():
    v = crowd("Ann: seer, Bob: werewolf")
    v.do("Ann", "SEE Bob", "tue 12:00")
    v.until("sunset")
    assert v.told("Ann", "role-seen") == [{"Bob": "werewolf"}]
    v.until("sunset")
    assert v.told("Ann", "role-seen") == []
    v.do("Ann", "SEE Bob", "fri 12:00")


@rule("NIGHT-9")
def test_the_seers_target_burns_and_he_chooses_again_in_sunset():
    v = crowd("Ann: seer, Bob: werewolf")
    v.orders("tue 12:00", "Ann: SEE Tom; Ugo: VOTE Tom")
    v.until("execution")
    assert v.told("Ann", "order-void") == ["SEE"]
    v.do("Ann", "SEE Bob", "tue 22:30")
    v.until("sunset")
    assert v.told("Ann", "role-seen") == [{"Bob": "werewolf"}]


@rule("NIGHT-9", "ORG-4")
def test_a_seer_who_dies_in_sunset_sees_nothing():
    v = crowd("Ann: seer, Bob: werewolf")
    v.do("Ann", "SEE Bob", "tue 12:00")
    v.admin("SMITE Ann", "tue 22:10")
    v.until("sunset")
    assert learned(v, "Ann") == []


# ---- the little child


@rule("PEEK-2", "PEEK-5", "NIGHT-6")
def test_numbers_are_those_before_this_nights_deaths_sacrifice_included():
    # Two wolves and eight innocents: 30 / 20, though one wolf and one innocent are about to die.
    v = crowd("Ann: little-child, Bob: pack-leader, Cid: werewolf, Dan: traitor", dice=(30, 20, 2))
    v.orders("tue 12:00", "Ann: PEEK; Bob: SACRIFICE Cid for Ugo")
    v.until("murder")
    assert v.told("Ann", "wolf-glimpsed") == ["Cid"]
    assert v.told("Bob", "peeper-spotted") == ["Ann"]


@rule("PEEK-2")
@pytest.mark.parametrize(("dice", "sees", "seen"), [((31, 21), 0, 0), ((30, 21, 1), 1, 0), ((31, 20), 0, 1)])
def test_a_roll_succeeds_up_to_the_chance(dice, sees, seen):
    v = crowd("Ann: little-child, Bob: werewolf, Cid: werewolf, Dan: traitor", dice=dice)
    v.orders("tue 12:00", "Ann: PEEK; Bob: KILL Tom")
    v.until("murder")
    assert len(v.told("Ann", "wolf-glimpsed")) == sees
    assert len(v.told("Ann", "nothing-glimpsed")) == 1 - sees
    assert len(v.told("Bob", "peeper-spotted")) == len(v.told("Cid", "peeper-spotted")) == seen


@rule("PEEK-1", "CHIEF-1")
def test_only_the_sacrificed_wolf_dies_and_the_child_neither_sees_nor_is_seen():
    v = crowd("Ann: little-child, Bob: pack-leader, Cid: werewolf, Dan: militia", dice=(1, 1, 1))
    v.orders("tue 12:00", "Ann: PEEK; Bob: SACRIFICE Cid for Ugo; Dan: GUARD Ugo")
    v.until("murder")
    assert v.died == {"Cid"}
    assert learned(v, "Ann") == [{"nothing-glimpsed": "true"}]
    assert not v.told("Bob", "peeper-spotted")


@rule("PEEK-1", "PRES-1")
def test_the_victim_is_saved_and_the_child_is_safe():
    v = crowd("Ann: little-child, Bob: werewolf, Cid: prescient", dice=(1, 1, 1))
    v.orders("tue 12:00", "Ann: PEEK; Bob: KILL Ugo; Cid: SAVE Ugo")
    v.until("murder")
    assert learned(v, "Ann") == [{"nothing-glimpsed": "true"}]


@rule("PEEK-1", "LOVE-3")
def test_a_child_who_dies_of_love_that_night_does_not_roll():
    v = crowd("Ann: little-child, Bob: werewolf, Cid: little-child", dice=(1, 1, 100, 100), lovers=("Ann", "Tom"))
    v.orders("tue 12:00", "Ann: PEEK; Cid: PEEK; Bob: KILL Tom")
    v.until("murder")
    assert learned(v, "Ann") == []
    assert v.told("Bob", "peeper-spotted") == ["Cid"]
    assert v.told("Cid", "wolf-glimpsed") == ["Bob"]


@rule("PEEK-3", "BEAST-3")
def test_the_beast_counts_among_the_wolves_but_is_not_told():
    # One wolf and the beast: two, nine innocents: 30 / 20. Then (99 - 1) mod 2 = 0: the first of them in seat order.
    v = crowd("Ann: beast, Bob: werewolf, Cid: little-child, Dan: villager, Eve: villager", dice=(30, 20, 99))
    v.orders("tue 12:00", "Cid: PEEK; Ann: HUNT Tom")
    v.until("murder")
    assert v.told("Cid", "wolf-glimpsed") == ["Ann"]
    assert v.told("Bob", "peeper-spotted") == ["Cid"]
    assert learned(v, "Ann") == []


@rule("FINE-19", "FINE-6", "PEEK-2")
def test_a_wolf_who_dies_in_vision_may_still_be_shown_and_the_numbers_are_sunsets():
    v = crowd("Ann: little-child, Bob: werewolf, Cid: werewolf, Dan: traitor", dice=(30, 20, 1))
    v.orders("tue 12:00", "Ann: PEEK; Cid: KILL Tom")
    v.admin("SMITE Bob", "tue 22:40")
    v.until("murder")
    assert v.told("Ann", "wolf-glimpsed") == ["Bob"]
    assert v.told("Cid", "peeper-spotted") == ["Ann"]


@rule("FINE-6", "PEEK-1")
def test_the_threatened_one_dies_in_vision_so_the_pack_killed_nobody():
    v = crowd("Ann: little-child, Bob: werewolf", dice=(1, 1, 1))
    v.orders("tue 12:00", "Ann: PEEK; Bob: KILL Tom")
    v.admin("SMITE Tom", "tue 22:40")
    v.until("murder")
    assert v.found == []
    assert learned(v, "Ann") == [{"nothing-glimpsed": "true"}]


@rule("PEEK-1", "NIGHT-9")
def test_not_peeking_brings_no_letter_and_peek_can_be_cancelled_and_holds_one_night():
    v = crowd("Ann: little-child, Bob: werewolf", dice=(1, 1, 1))
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
