"""UNDO in the log: what stands is told as what happened, what was taken back never is (MAIL.md § 3, WIN-8)."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from pbem.engine import commands as c
from pbem.engine import events as e
from pbem.engine.chronicle import chronicle
from pbem.engine.dice import value
from pbem.engine.evolve import evolve, replay
from pbem.engine.state import altered
from pbem.engine.undoing import SPOKEN, judged, standing
from tests.kit.undoing import AT, with_undos
from tests.kit.village import SEED, Village
from tests.kit.wild import Wild

rule = pytest.mark.rule
TAIL = "Tom: villager, Ugo: villager, Vera: villager, Will: villager"
WILD = range(12)


def wild(seed):
    """A wild game's log, its long one with UNDOs, what those took back."""
    game = Wild(seed)
    game.play()
    log = list(game.watch.log)
    return (log, *with_undos(log, random.Random(seed), times=5))


def deeds(events):
    """All that the chronicle tells, but for the dice and how often something was taken back."""
    return [replace(turn, dice=[], undone=0, spilt=[]) for turn in chronicle(events).turns]


def undo(v, version):
    """The storyteller takes back what happened after event number `version`."""
    v.log.append(e.Undone(version, v.now))
    v.game = replay(v.log)


@rule("WIN-8")
@pytest.mark.parametrize("seed", WILD)
def test_the_chronicle_of_a_game_with_undos_is_that_of_the_game_without(seed):
    log, long, lost = wild(seed)
    assert deeds(long) == deeds(log)
    told, plain = chronicle(long), chronicle(log)
    assert sum(turn.undone for turn in told.turns) == 5
    for turn, other in zip(told.turns, plain.turns, strict=True):
        assert [(d.purpose, d.counter, d.value) for d in turn.dice] == [
            (d.purpose, d.counter, d.value) for d in other.dice
        ]
    spilt = [(d.purpose, d.counter, d.value) for turn in told.turns for d in turn.spilt]
    assert spilt == [(x.purpose, x.counter, x.value) for x in lost if isinstance(x, e.DiceRolled)]


@pytest.mark.parametrize("seed", WILD)
def test_what_stands_makes_the_game_as_it_is(seed):
    log, long, lost = wild(seed)
    plain = [x for x in standing(long) if not isinstance(x, (e.Undone, *SPOKEN))]
    assert plain == [x for x in log if not isinstance(x, SPOKEN)]
    said = sorted(repr(x) for x in standing(long) if isinstance(x, SPOKEN))
    assert said == sorted(repr(x) for x in (*log, *lost) if isinstance(x, SPOKEN))  # nothing said is unsaid
    assert altered(replay(long), epoch=0) == replay(log)


def test_each_event_knows_how_many_undos_came_before_it():
    opened = e.RegistrationOpened()
    log = [opened, opened, e.Undone(1, AT), opened, e.Undone(3, AT), opened]
    assert [(x.stands, x.epoch) for x in judged(log)] == [
        (True, 0), (False, 0), (True, 0), (False, 1), (True, 1), (True, 2),
    ]  # fmt: skip
    assert standing([]) == []


@rule("WIN-8")
def test_every_die_can_be_computed_from_its_name_also_after_undo():
    v = Village(f"Ann: little-child, Bob: werewolf, {TAIL}")
    v.orders("tue 12:00", "Ann: PEEK; Bob: KILL Tom")
    v.until("vision")
    version = len(v.log)
    v.until("murder")
    undo(v, version)
    v.run(c.Tick(v.game.deadline))
    turn = chronicle(v.log).turns[1]
    assert [d.name for d in turn.spilt] == ["peek/0", "peek/1"]
    assert [d.name for d in turn.dice] == ["peek/0/1", "peek/1/1"]
    for die in (*turn.spilt, *turn.dice):
        purpose, counter, *epoch = die.name.split("/")
        assert die.value == value(SEED, purpose, int(counter), die.sides, int(*epoch or (0,)))


@rule("WIN-8")
def test_a_save_that_came_after_the_undo_is_the_truth_and_the_murder_before_it_is_none():
    v = Village(f"Ann: seer, Bob: werewolf, Cid: prescient, {TAIL}")
    v.orders("tue 12:00", "Bob: KILL Tom; Ann: SEE Ugo; Cid: SAVE Vera")
    v.until("execution")
    version = len(v.log)
    v.until("murder")
    assert v.died == {"Tom"}
    undo(v, version)
    v.run(c.Order(v.game.deadline, 1, "SEE", c.Words(seats=(2,))))
    v.run(c.Order(v.game.deadline, 2, "KILL", c.Words(seats=(6,))))
    for _ in range(3):
        v.run(c.Tick(v.game.deadline))
    turn = chronicle(v.log).turns[1]
    assert turn.deaths == []
    assert [(s.seat, s.target) for s in turn.saved] == [(3, 6)]
    assert [(d.seat, d.verb, d.seats, d.effect, d.seen) for d in turn.deeds] == [
        (2, "KILL", (4,), "replaced", ()),
        (1, "SEE", (5,), "replaced", ()),
        (3, "SAVE", (6,), "worked", ()),
        (1, "SEE", (2,), "worked", ((2, "werewolf"),)),
        (2, "KILL", (6,), "worked", ()),
    ]


@rule("VOTE-7")
def test_who_has_posted_has_posted_whatever_is_taken_back():
    v = Village(f"Ann: seer, Bob: werewolf, {TAIL}", inactivity="eliminate")
    v.until("vision")
    version = len(v.log)
    v.until("murder")
    v.do("Tom", "SAY", "tue 23:01", body="Quelle nuit !")
    undo(v, version)
    assert [v.game.players[n].posted for n in range(6)] == [False, False, True, False, False, False]
    assert replay(v.log) == v.game
    assert evolve(v.game, e.Undone(version, AT)) == v.game  # one event alone cannot tell what was before
