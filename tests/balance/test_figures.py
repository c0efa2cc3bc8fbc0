"""Shares, their intervals, and tallies that add up."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.balance.figures import Share, Tally, difference, wilson
from pbem.balance.table import Result


@pytest.mark.parametrize(
    ("hits", "tries", "low", "high"),
    [
        (50, 100, 0.4038, 0.5962),
        (0, 10, 0.0, 0.2775),
        (10, 10, 0.7225, 1.0),
        (81, 263, 0.2553, 0.3662),
        (0, 0, 0.0, 1.0),
    ],
)
def test_the_score_interval(hits, tries, low, high):
    found = wilson(hits, tries)
    assert (found.low, found.high) == pytest.approx((low, high), abs=5e-5)


@given(st.integers(1, 5000).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
def test_an_interval_holds_its_share_and_stays_within_bounds(case):
    found = wilson(*case)
    assert 0.0 <= found.low <= found.value + 1e-12
    assert found.value <= found.high + 1e-12
    assert found.high <= 1.0


def test_a_difference_by_newcombe():
    """Newcombe 1998, his example (a): 56/70 against 48/80."""
    found = difference(wilson(56, 70), wilson(48, 80))
    assert found == pytest.approx((0.2, 0.0524, 0.3339), abs=5e-5)


def test_a_difference_turns_around():
    one, other = wilson(30, 100), wilson(55, 120)
    there, back = difference(one, other), difference(other, one)
    assert there == pytest.approx(Share(-back.value, -back.high, -back.low))


def result(winner, turns, **won):
    return Result(winner, turns, tuple(won), tuple(won.values()))


GAMES = [
    result("village", 3, seer=True, werewolf=False, villager=True),
    result("wolves", 5, seer=False, werewolf=True, villager=False),
    result("wolves", 4, seer=False, werewolf=True, villager=False),
]


def tally(games):
    total = Tally()
    for game in games:
        total.note(game)
    return total


def test_a_tally_counts_sides_roles_and_days():
    total = tally(GAMES)
    assert total.side("wolves").value == pytest.approx(2 / 3)
    assert total.side("beast").value == 0.0
    assert total.role("seer").value == pytest.approx(1 / 3)
    assert (total.mean_length, total.length(0.5), total.length(0.9)) == (4.0, 4, 5)


@pytest.mark.parametrize("cut", range(4))
def test_it_does_not_matter_who_counted_which_games(cut):
    one, other = tally(GAMES[:cut]), tally(GAMES[cut:])
    other.add(one)
    assert other == tally(GAMES)
