"""WIN-8, PEEK-2: dice that anyone can check afterwards, from the published seed alone."""

from __future__ import annotations

import hashlib
import hmac
from collections import Counter
from dataclasses import replace

import pytest

from pbem.engine import dice
from pbem.engine import events as e
from pbem.engine.evolve import replay
from pbem.engine.state import Game
from tests.kit.village import SEED, Village, crowd

rule = pytest.mark.rule


def by_hand(seed, name, sides):
    """As a distrustful player would work it out."""
    digest = hmac.new(bytes.fromhex(seed), name.encode(), hashlib.sha256).hexdigest()
    return int(digest, 16) % sides + 1


@rule("WIN-8")
def test_every_draw_follows_from_seed_purpose_and_counter():
    assert dice.value(SEED, "peek", 0, 100) == by_hand(SEED, "peek/0", 100)
    assert dice.value(SEED, "deal", 7, 13) == by_hand(SEED, "deal/7", 13)
    assert dice.value(SEED, "peek", 3, 100, 2) == by_hand(SEED, "peek/3/2", 100)


@rule("WIN-8")
def test_the_commitment_is_published_before_anything_is_drawn_and_fits_the_seed_of_the_end():
    v = Village("Ann: villager, Bob: werewolf, Cid: villager, Dan: villager")
    promised = v.last(e.GameStarted).commitment
    assert promised == hashlib.sha256(bytes.fromhex(SEED)).hexdigest()
    v.admin("ABORT")
    assert hashlib.sha256(bytes.fromhex(v.last(e.GameWon).seed)).hexdigest() == promised


@rule("PEEK-2", "PEEK-5")
def test_without_given_rolls_the_games_own_generator_rolls():
    v = crowd("Ann: little-child, Bob: werewolf, Cid: werewolf")
    v.orders("tue 12:00", "Ann: PEEK; Bob: KILL Tom")
    v.until("murder")
    rolled = [x for x in v.log if isinstance(x, e.DiceRolled)]
    assert [(x.purpose, x.counter, x.given) for x in rolled][:2] == [("peek", 0, False), ("peek", 1, False)]
    assert [x.value for x in rolled] == [by_hand(SEED, f"peek/{n}", 100) for n in range(len(rolled))]


@rule("PEEK-5")
@pytest.mark.parametrize(("wolves", "rolls"), [(1, 2), (2, 3)])
def test_only_where_there_are_several_wolves_a_third_die_draws(wolves, rolls):
    v = crowd("Ann: little-child, Bob: werewolf" + ", Cid: werewolf" * (wolves - 1), dice=(1, 1, 2))
    v.orders("tue 12:00", "Ann: PEEK; Bob: KILL Tom")
    v.until("murder")
    assert [(x.purpose, x.counter) for x in v.log if isinstance(x, e.DiceRolled)] == [("peek", n) for n in range(rolls)]
    assert v.told("Ann", "wolf-glimpsed") == [{1: "Bob", 2: "Cid"}[wolves]]


@rule("PEEK-5")
def test_given_rolls_come_first_and_count():
    v = crowd("Ann: little-child, Bob: werewolf", dice=(100,))
    v.orders("tue 12:00", "Ann: PEEK; Bob: KILL Tom")
    v.until("murder")
    first, second = (x for x in v.log if isinstance(x, e.DiceRolled))
    assert (first.value, first.given, first.counter) == (100, True, 0)
    assert (second.value, second.given, second.counter) == (by_hand(SEED, "peek/1", 100), False, 1)


@rule("WIN-8")
def test_given_rolls_are_for_hundred_sided_dice_only():
    game = replace(Game(), seed=SEED, dice=(4,))
    assert dice.roll(game, "deal", 6) == e.DiceRolled("deal", 0, 6, by_hand(SEED, "deal/0", 6))
    assert dice.roll(game, "peek", 100) == e.DiceRolled("peek", 0, 100, 4, given=True)


@rule("WIN-8")
def test_what_is_undone_is_drawn_otherwise():
    opened = e.GameOpened("PL1", Village("A: villager, B: villager, C: villager, D: villager").game.options, SEED, None)
    rolled = e.DiceRolled("peek", 0, 100, by_hand(SEED, "peek/0", 100))
    game = replay([opened, rolled, e.Undone(1, None)])
    assert game.epoch == 1
    assert dice.roll(game, "peek", 100).value == by_hand(SEED, "peek/0/1", 100)
    twice = replay([opened, rolled, e.Undone(1, None), rolled, e.Undone(3, None)])
    assert (twice.epoch, twice.counters.get("peek", 0)) == (2, 0)


@rule("WIN-8")
def test_all_faces_come_up_about_as_often():
    faces = Counter(dice.value(SEED, "peek", n, 6) for n in range(6000))
    assert set(faces) == {1, 2, 3, 4, 5, 6}
    assert all(850 < number < 1150 for number in faces.values())
