"""NIGHT-7, NIGHT-8: those found dead, those who follow, and the count."""

from __future__ import annotations

import pytest

from pbem.engine import events as e
from tests.kit.village import Village, crowd

rule = pytest.mark.rule


# ---- the murder


@rule("NIGHT-7")
def test_the_found_are_one_list_in_seat_order_and_lovers_follow():
    v = crowd("Ann: villager, Bob: pack-leader, Cid: werewolf, Dan: villager", lovers=("Ann", "Ugo"))
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
    v = crowd("Ann: villager, Bob: pack-leader, Cid: werewolf", lovers=("Ann", "Ugo"))
    v.orders("tue 12:00", "Cid: KILL Ugo; Bob: SACRIFICE Cid for Ann")
    v.until("murder")
    assert v.found == ["Ann", "Cid", "Ugo"]
    assert v.cause("Ann") == "murdered"


@rule("NIGHT-7", "MAYOR-4")
def test_the_mayor_and_the_heir_die_in_one_night_and_the_office_is_vacant():
    v = crowd("Ann: villager, Bob: pack-leader, Cid: werewolf", mayor="Ann", heir="Ugo")
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
