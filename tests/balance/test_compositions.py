"""What may be asked of `pbem balance`."""

from __future__ import annotations

import pytest

from pbem.app import composition, tables
from pbem.balance.compositions import NoCompositionError, read, without


@pytest.mark.parametrize("text", ["12", "default:12"])
def test_a_line_of_the_default_table(text):
    (found,) = read(text)
    assert dict(found.counts) == dict(tables.roles_for(12))
    assert (found.name, found.players) == ("default:12", 12)


def test_lines_of_another_table():
    found = read("classic:8-10")
    assert [one.name for one in found] == ["classic:8", "classic:9", "classic:10"]
    assert dict(found[0].counts) == dict(tables.roles_for(8, "classic"))


def test_a_whole_table():
    assert [one.players for one in read("wild")] == list(range(4, 61))


@pytest.mark.parametrize("text", ["werewolf=2 seer=1 villager=3", "1 voyante, 3 villageois, 2 loups-garous"])
def test_roles_of_ones_own(text):
    (found,) = read(text)
    assert found.counts == (("villager", 3), ("seer", 1), ("werewolf", 2))


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("61", "4 to 60"), ("3", "4 to 60"), ("9-8", "4 to 60"), ("tame:8", "no such table"), ("seer=1", "4 to 60"),
        ("dragon=4", "dragon"), ("", "neither"), ("werewolf", "werewolf"),
    ],
)  # fmt: skip
def test_what_makes_no_sense(text, told):
    with pytest.raises(NoCompositionError, match=told):
        read(text)


def test_the_storyteller_may_leave_it_to_the_tables():
    """COMPOSITION auto, and by a table's name."""
    assert composition.read("auto", 12) == tables.roles_for(12)
    assert composition.read("AUTO", 12) == tables.roles_for(12)
    assert composition.read("wild", 12) == tables.roles_for(12, "wild")


def test_a_role_is_replaced_by_the_plainest_of_its_kind():
    counts = (("villager", 3), ("seer", 1), ("werewolf", 1), ("shaman", 1), ("traitor", 1))
    assert dict(without(counts, "seer")) == {"villager": 4, "werewolf": 1, "shaman": 1, "traitor": 1}
    assert dict(without(counts, "shaman")) == {"villager": 3, "seer": 1, "werewolf": 2, "traitor": 1}
    assert dict(without(counts, "traitor")) == {"villager": 4, "seer": 1, "werewolf": 1, "shaman": 1}
