"""WIN-8: the finished game as it really was: every order with what came of it, every die."""

from __future__ import annotations

import pytest

from pbem.engine.chronicle import chronicle
from tests.kit.village import Village

rule = pytest.mark.rule
TAIL = "Tom: villager, Ugo: villager, Vera: villager, Will: villager"


def village(front, **more):
    return Village(f"{front}, {TAIL}", **more)


def deeds(v, turn=1):
    """The turn's deeds: who, by what, against whom, with what effect, and what it showed."""
    return {
        (v.name(d.seat) or "storyteller", d.verb, *map(v.name, d.seats)): (d.effect, *d.seen)
        for d in chronicle(v.log).turns[turn].deeds
    }


@rule("WIN-8")
def test_a_nights_orders_and_what_came_of_them():
    v = village(
        "Ann: seer, Bob: werewolf, Cid: shaman, Dan: militia, Eve: prescient, Fay: little-child",
        dice=(100, 1),
    )
    v.orders(
        "tue 12:00",
        """Ann: SEE Bob; Bob: KILL Tom; Cid: KILL Ugo; Bob: KILL Ugo; Dan: GUARD Vera; Eve: SAVE Ann
        Fay: PEEK; Cid: SEE Ann""",
    )
    v.until("murder")
    assert deeds(v) == {
        ("Ann", "SEE", "Bob"): ("worked", (2, "werewolf")),
        ("Bob", "KILL", "Tom"): ("replaced",),
        ("Bob", "KILL", "Ugo"): ("worked",),
        ("Cid", "KILL", "Ugo"): ("worked",),
        ("Dan", "GUARD", "Vera"): ("worked",),
        ("Eve", "SAVE", "Ann"): ("",),  # it stands
        ("Fay", "PEEK"): ("none",),
        ("Cid", "SEE", "Ann"): ("worked", (1, "seer")),
    }
    dice = chronicle(v.log).turns[1].dice
    assert [(d.purpose, d.counter, d.sides, d.value, d.given) for d in dice] == [
        ("peek", 0, 100, 100, True),
        ("peek", 1, 100, 1, True),
    ]


@rule("WIN-8", "NIGHT-11")
def test_blocked_void_cancelled_and_without_effect():
    v = village("Ann: militia, Bob: corrupter, Cid: werewolf, Dan: seer, Eve: sandman, Fay: forger")
    v.orders(
        "tue 12:00",
        """Ann: GUARD Bob; Bob: INFECT Tom; Cid: KILL Ugo; Dan: SEE Vera; Eve: SLEEP; Eve: CANCEL SLEEP
        Fay: FORGE Will; Fay: CANCEL FORGE; Tom: VOTE Vera""",
    )
    v.until("murder")
    assert deeds(v) == {
        ("Ann", "GUARD", "Bob"): ("worked",),
        ("Bob", "INFECT", "Tom"): ("blocked",),
        ("Cid", "KILL", "Ugo"): ("worked",),
        ("Dan", "SEE", "Vera"): ("void",),
        ("Eve", "SLEEP"): ("cancelled",),
        ("Fay", "FORGE", "Will"): ("cancelled",),
    }


@rule("WIN-8", "NIGHT-10")
def test_once_only_powers_worked_or_failed():
    v = village(
        "Ann: militia, Bob: corrupter, Cid: pack-leader, Dan: prescient, Eve: telepath, Fay: executioner, Guy: forger"
    )
    v.orders("tue 12:00", "Ann: GUARD Tom; Bob: INFECT Tom; Eve: FORCE Ugo against Vera; Fay: DOUBLE; Guy: FORGE Will")
    v.until("murder")
    first = deeds(v)
    assert first["Bob", "INFECT", "Tom"] == ("failed",)
    assert (
        first["Eve", "FORCE", "Ugo", "Vera"] == first["Fay", "DOUBLE"] == first["Guy", "FORGE", "Will"] == ("worked",)
    )
    v.orders("thu 12:00", "Cid: SACRIFICE Bob for Ugo; Dan: SAVE Ugo")
    v.until("murder")
    assert deeds(v, 2) == {("Cid", "SACRIFICE", "Bob", "Ugo"): ("worked",), ("Dan", "SAVE", "Ugo"): ("worked",)}
    told = chronicle(v.log)
    assert [(v.name(x.seat), v.name(x.target)) for x in told.turns[2].saved] == [("Dan", "Ugo")]
    assert [(v.name(x.voter), v.name(x.target)) for x in told.turns[1].forced] == [("Ugo", "Vera")]
    assert [v.name(x.seat) for x in told.turns[2].deaths] == ["Bob"]


@rule("WIN-8", "SAND-1", "CORR-1")
def test_a_night_asleep_and_a_conversion():
    v = village("Ann: sandman, Bob: corrupter, Cid: villager")
    v.orders("tue 12:00", "Ann: SLEEP; Bob: INFECT Tom")
    v.until("murder")
    assert deeds(v) == {("Ann", "SLEEP"): ("worked",), ("Bob", "INFECT", "Tom"): ("blocked",)}
    v.do("Bob", "INFECT Tom", "thu 12:00")
    v.until("murder")
    assert deeds(v, 2) == {("Bob", "INFECT", "Tom"): ("worked",)}


@rule("WIN-8", "BEAST-2")
def test_what_the_beast_did_is_not_the_packs_doing():
    v = village("Ann: beast, Bob: werewolf, Cid: werewolf, Dan: werewolf")
    v.orders("tue 12:00", "Ann: HUNT Tom; Bob: KILL Tom; Cid: KILL Ugo; Dan: KILL Ugo")
    v.until("murder")
    assert deeds(v) == {
        ("Ann", "HUNT", "Tom"): ("worked",),
        ("Bob", "KILL", "Tom"): ("none",),
        ("Cid", "KILL", "Ugo"): ("none",),
        ("Dan", "KILL", "Ugo"): ("none",),
    }


@rule("WIN-8", "VOTE-5")
def test_answers_that_broke_a_tie_worked():
    v = village("Ann: executioner, Bob: werewolf", mayor="Will")
    v.orders("tue 12:00", "Ann: DOUBLE; Ann: VOTE Tom; Tom: VOTE Ugo; Ugo: VOTE Vera")
    v.until("execution")
    v.do("Ann", "DECIDE Tom and Ugo", "+1m")
    v.do("Ann", "DECIDE Tom", "+1m")
    v.until("murder")
    assert deeds(v)["Ann", "DECIDE", "Tom"] == ("worked",)
    assert deeds(v)["Ann", "DECIDE", "Tom", "Ugo"] == ("replaced",)
    v.votes("thu 12:00", "Ann Ugo; Bob Ugo; Ugo Ann; Vera Ann; Will Vera")
    v.until("execution")
    v.do("Will", "DECIDE Ugo", "+1m")
    assert deeds(v, 2)["Will", "DECIDE", "Ugo"] == ("worked",)


@rule("WIN-8", "NEIGH-1", "INV-1", "MATCH-1")
def test_powers_that_work_at_once():
    v = village("Ann: nosy-neighbour, Bob: werewolf, Cid: investigator, Dan: matchmaker", mayor=None)
    v.orders("mon 12:00", "Ann: SPY Bob; Cid: ASK villager; Dan: PAIR Tom and Ugo")
    told = {(v.name(d.seat), d.verb): (d.effect, d.seats, d.word, d.seen) for d in chronicle(v.log).turns[1].deeds}
    assert told == {
        ("Ann", "SPY"): ("worked", (2,), "", ((2, "werewolf"),)),
        ("Cid", "ASK"): ("worked", (), "villager", ((4, "villager"),)),
        ("Dan", "PAIR"): ("worked", (5, 6), "", ()),
    }


@rule("WIN-8", "ORG-2")
def test_the_deal_and_the_graveyard():
    v = Village("Ann: villager, Bob: villager, Cid: villager, Dan: villager", begin=False)
    v.admin("COMPOSITION werewolf=1 villager=3")
    v.admin("START")
    v.admin("SMITE Ann")
    v.order("Ann", "GRAVEYARD Hou.")
    told = chronicle(v.log)
    assert [(d.purpose, d.counter, d.sides) for d in told.deal] == [("deal", 0, 4), ("deal", 1, 3), ("deal", 2, 2)]
    assert [x.text for x in told.graveyard] == ["Hou."]
