"""ORG-6: registration, the deal and the start."""

from __future__ import annotations

import pytest

from pbem.engine import commands as c
from pbem.engine import events as e
from tests.kit.village import Village, refused

rule = pytest.mark.rule


@rule("ORG-6")
def test_before_the_start_no_verb_tells_what_was_dealt():
    v = Village("Ann: villager, Bob: villager, Cid: villager, Dan: villager, Eve: villager", begin=False)
    for text in ("VOTE Ann", "KILL Ann", "HEIR Ann", "PACK Bonsoir.", "GRAVEYARD Bonsoir.", "ABSENT"):
        refused(v, "Ann", text, "wrong-time")
    v.admin("COMPOSITION werewolf=1 villager=4")
    v.admin("DEAL")
    for name in v.names:
        for text in ("VOTE Ann", "KILL Ann", "PACK Bonsoir.", "GUARD Ann", "CANCEL KILL"):
            refused(v, name, text, "wrong-time")
        assert v.can(name) == set()
    assert v.happened(e.Intruded) == []
    assert v.admin("START") == "accepted"
    assert sorted(v.can(name) != set() for name in v.names) == [False] * 4 + [True]


@rule("ORG-6")
def test_who_may_sign_up_and_when():
    v = Village("Ann: villager, Bob: villager, Cid: villager", begin=False)

    def join(name, **more):
        return v._reply(v.run(c.Join(v.now, name, **more)))

    assert join("ann") == join("Â nn!") == "name-taken"
    assert join("Zoé", known=True) == "name-taken"
    assert join("Anyone", bad_name=True) == join("???") == "bad-name"
    assert v.admin("DEAL") == v.admin("START") == "wrong-time"  # three are too few
    assert v.admin("OPEN") == "wrong-time"
    assert v.admin("CLOSE") == "accepted"
    assert v.admin("CLOSE") == "wrong-time"
    assert join("Dan") == "registration-closed"
    v.admin("OPEN")
    for n in range(57):
        assert join(f"Nummer {n}") == "accepted"
    assert join("One too many") == "registration-closed"


@rule("ORG-6")
def test_who_leaves_before_the_start_makes_room_and_voids_the_deal():
    v = Village("Ann: villager, Bob: villager, Cid: villager, Dan: villager, Eve: villager", begin=False)
    v.admin("COMPOSITION werewolf=1 villager=4")
    v.admin("DEAL")
    v.do("Bob", "LEAVE")
    assert [(p.seat, p.name, p.role) for p in v.game.players] == [
        (1, "Ann", ""),
        (2, "Cid", ""),
        (3, "Dan", ""),
        (4, "Eve", ""),
    ]
    assert v.admin("START") == "not-a-choice"  # five cards, four players
    v.admin("COMPOSITION werewolf=1 villager=3")
    assert v.admin("START") == "accepted"
    assert v.admin("START") == v.admin("DEAL") == v.admin("COMPOSITION werewolf=4") == "wrong-time"


@rule("ORG-6")
def test_a_composition_names_roles_of_the_rule_book():
    v = Village("Ann: villager, Bob: villager, Cid: villager, Dan: villager", begin=False)
    assert v.admin("COMPOSITION dragon=1") == "unknown-role"
    assert v.admin("COMPOSITION") == "missing-argument"


@rule("ORG-6", "WIN-8")
def test_the_deal_follows_from_the_seed_alone():
    def dealt(seed):
        v = Village("Ann: villager, Bob: villager, Cid: villager, Dan: villager", begin=False, seed=seed)
        v.admin("COMPOSITION werewolf=1 seer=1 villager=2")
        v.admin("DEAL")
        return v.last(e.RolesDealt).roles

    assert dealt("ab" * 32) == dealt("ab" * 32)
    assert len({dealt(f"{n:02x}" * 32) for n in range(30)}) > 6
    assert all(sorted(dealt(f"{n:02x}" * 32)) == ["seer", "villager", "villager", "werewolf"] for n in range(5))
