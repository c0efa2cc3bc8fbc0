"""BEAST-1 to BEAST-5, FINE-2: the beast, and the pack that she makes powerless."""

from __future__ import annotations

import pytest

from tests.kit.village import crowd, learned

rule = pytest.mark.rule


# ---- the beast


@rule("BEAST-2", "SHAM-1")
def test_while_she_lives_the_pack_kills_nobody_but_the_shaman_sees():
    v = crowd("Ann: beast, Bob: shaman, Cid: werewolf")
    v.orders("tue 12:00", "Bob: KILL Tom; Cid: KILL Tom; Bob: SEE Tom")
    v.until("sunset")
    assert v.told("Bob", "role-seen") == [{"Tom": "villager"}]
    v.until("murder")
    assert v.died == set()


@rule("BEAST-2", "ORG-4")
def test_she_dies_before_sunset_closes_and_the_pack_kills():
    v = crowd("Ann: beast, Bob: werewolf")
    v.do("Bob", "KILL Tom", "tue 12:00")
    v.admin("SMITE Ann", "tue 22:10")
    v.until("murder")
    assert v.died == {"Tom"}


@rule("BEAST-2", "ORG-4")
def test_she_dies_in_vision_and_what_was_threatened_stands():
    v = crowd("Ann: beast, Bob: werewolf")
    v.orders("tue 12:00", "Bob: KILL Tom; Ann: HUNT Ugo")
    v.admin("SMITE Ann", "tue 22:40")
    v.until("murder")
    assert v.died == {"Ugo"}


@rule("BEAST-3", "GUARD-1")
@pytest.mark.parametrize("guarded", [False, True])
def test_both_name_the_same_player_and_she_is_unmasked_to_every_wolf(guarded):
    v = crowd("Ann: beast, Bob: werewolf, Cid: militia, Dan: shaman, Eve: traitor")
    v.orders("tue 12:00", "Ann: HUNT Tom; Bob: KILL Tom" + ("; Cid: GUARD Tom" if guarded else ""))
    v.until("murder")
    assert v.died == set()
    assert v.told("Bob", "beast-unmasked") == v.told("Dan", "beast-unmasked") == ["Ann"]
    assert not v.told("Eve", "beast-unmasked")


@rule("BEAST-3", "NIGHT-9", "ORG-4")
def test_an_unmasked_beast_who_dies_in_vision_is_nobodys_news():
    v = crowd("Ann: beast, Bob: werewolf")
    v.do("Bob", "KILL Ann", "tue 12:00")
    v.admin("SMITE Ann", "tue 22:40")
    v.until("murder")
    assert not v.told("Bob", "beast-unmasked")


@rule("BEAST-3")
def test_the_packs_result_is_what_unmasks_not_one_ballot():
    v = crowd("Ann: beast, Bob: werewolf, Cid: werewolf, Dan: werewolf")
    v.orders("tue 12:00", "Bob: KILL Tom; Cid: KILL Ugo; Dan: KILL Ugo; Ann: HUNT Tom")
    v.until("murder")
    assert v.died == {"Tom"}
    assert not v.told("Bob", "beast-unmasked")


@rule("BEAST-3", "WOLF-3")
def test_a_tie_in_the_pack_unmasks_nobody():
    v = crowd("Ann: beast, Bob: werewolf, Cid: werewolf")
    v.orders("tue 12:00", "Bob: KILL Tom; Cid: KILL Ann; Ann: HUNT Tom")
    v.until("murder")
    assert v.died == {"Tom"}
    assert not v.told("Cid", "beast-unmasked")


@rule("BEAST-3", "GUARD-1")
def test_a_protected_beast_who_is_the_packs_choice_is_unmasked_and_her_prey_lives():
    v = crowd("Ann: beast, Bob: werewolf, Cid: militia")
    v.orders("tue 12:00", "Bob: KILL Ann; Cid: GUARD Ann; Ann: HUNT Tom")
    v.until("murder")
    assert v.died == set()
    assert v.told("Bob", "beast-unmasked") == ["Ann"]
    assert learned(v, "Ann") == []


@rule("BEAST-3", "GUARD-3")
def test_a_blocked_wolfs_ballot_does_not_unmask_her():
    v = crowd("Ann: beast, Bob: werewolf, Cid: militia")
    v.orders("tue 12:00", "Bob: KILL Tom; Cid: GUARD Bob; Ann: HUNT Tom")
    v.until("murder")
    assert v.died == {"Tom"}
    assert not v.told("Bob", "beast-unmasked")


@rule("FINE-2", "BEAST-3", "CORR-1")
def test_on_a_night_of_corruption_the_pack_unmasks_nobody_and_her_victim_dies():
    v = crowd("Ann: beast, Bob: corrupter, Cid: werewolf")
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
    v = crowd("Ann: beast, Bob: corrupter, Cid: werewolf, Dan: militia")
    v.orders("tue 12:00", "Bob: INFECT Ann; Cid: KILL Ugo; Ann: HUNT Vera; Dan: GUARD Ann")
    v.until("murder")
    assert v.died == set()
    assert v.told("Cid", "beast-unmasked") == v.told("Bob", "beast-unmasked") == ["Ann"]
    assert "INFECT" in v.can("Bob")


@rule("FINE-2", "CORR-3", "NIGHT-10")
def test_a_protected_target_spends_the_corruption_even_while_she_lives():
    v = crowd("Ann: beast, Bob: corrupter, Dan: militia")
    v.orders("tue 12:00", "Bob: INFECT Tom; Dan: GUARD Tom; Ann: HUNT Vera")
    v.until("murder")
    assert v.died == {"Vera"}
    assert "INFECT" not in v.can("Bob")


@rule("BEAST-2", "CHIEF-1", "NIGHT-10")
def test_a_sacrifice_while_she_lives_does_nothing_even_for_a_protected_victim():
    v = crowd("Ann: beast, Bob: pack-leader, Cid: werewolf, Dan: militia")
    v.orders("tue 12:00", "Bob: SACRIFICE Cid for Tom; Dan: GUARD Tom")
    v.until("murder")
    assert v.died == set()
    assert "SACRIFICE" in v.can("Bob")


@rule("BEAST-1", "BEAST-4")
def test_her_victim_may_be_a_wolf_and_she_may_not_name_herself():
    v = crowd("Ann: beast, Bob: werewolf, Cid: werewolf")
    assert v.order("Ann", "HUNT Ann", "tue 12:00") == "self-target"
    v.do("Ann", "HUNT Bob")
    v.until("murder")
    assert v.cause("Bob") == "murdered"


@rule("BEAST-4", "LOVE-3")
def test_love_can_kill_the_beast():
    v = crowd("Ann: beast, Bob: werewolf", lovers=("Ann", "Tom"))
    v.votes("tue 12:00", "Ugo Tom")
    v.until("execution")
    assert v.cause("Ann") == "love"


@rule("PRES-1", "BEAST-1", "NIGHT-5")
def test_the_prescient_saves_from_the_beast():
    v = crowd("Ann: beast, Bob: werewolf, Cid: prescient")
    v.do("Ann", "HUNT Tom", "tue 12:00")
    v.until("sunset")
    assert v.told("Cid", "threatened") == [["Tom"]]
    v.do("Cid", "SAVE", "tue 22:40")
    v.until("murder")
    assert (v.died, v.told("Cid", "saved")) == (set(), ["Tom"])
