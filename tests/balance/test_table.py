"""Whole games among bots: they end, they repeat, they keep to the rules, and nobody is told what is not his."""

from __future__ import annotations

from collections import Counter

import pytest

from pbem.app import tables
from pbem.balance import seats
from pbem.balance.compositions import in_order
from pbem.balance.minds import STRENGTHS
from pbem.balance.table import Bots, Table, play
from pbem.balance.trial import tally, workers
from pbem.engine import events as e
from pbem.engine.decide import decide
from pbem.engine.options import Options
from pbem.engine.roles import ROLE_VERBS, ROSTER
from pbem.engine.state import Phase

OPTIONS = Options(peek=tables.child())
EVERYBODY = in_order(dict.fromkeys(ROSTER, 1) | {"werewolf": 3, "villager": 4})
VOID_BY_THEN = {("SAVE", "dead-target")}
"""Who was threatened may have died of something else meanwhile."""


class Watched(Table):
    """A table that keeps what was decided, and what each seat heard."""

    def __init__(self, *args):
        self.events = []
        super().__init__(*args)

    def _do(self, command):
        self.events += decide(self.game, command)
        super()._do(command)


@pytest.fixture(scope="module")
def games():
    found = []
    for number in range(40):
        table = Watched(EVERYBODY, OPTIONS, Bots(), f"all/{number}")
        table.play()
        found.append(table)
    return found


def test_games_end(games):
    assert all(table.game.phase is Phase.OVER for table in games)
    assert {table.game.winner for table in games} >= {"village", "wolves"}


def test_sensible_bots_ask_nothing_that_is_refused(games):
    refused = Counter((ev.verb, ev.code) for table in games for ev in table.events if isinstance(ev, e.Rejected))
    assert set(refused) <= VOID_BY_THEN


def test_they_use_every_power(games):
    used = {ev.verb for table in games for ev in table.events if isinstance(ev, (e.OrderTaken, e.PowerSpent))}
    used |= {"ASK" for table in games for ev in table.events if isinstance(ev, e.RoleCounted)}
    used |= {"PAIR" for table in games for ev in table.events if isinstance(ev, e.LoversPaired)}
    used |= {"PACK" for table in games for ev in table.events if isinstance(ev, e.PackTalked)}
    assert {verb.name for verb in ROLE_VERBS} <= used


def test_nobody_is_eliminated_for_silence(games):
    assert not [ev for table in games for ev in table.events if isinstance(ev, e.Died) and ev.cause == "inactive"]


def test_only_public_events_and_private_ones_become_facts():
    """What is a `Fact` of the engine is secret, and reaches no mind."""
    assert all(issubclass(kind, (e.Public, e.Private)) for kind in seats._TELL)


def test_of_a_death_a_mind_learns_no_more_than_the_village():
    """NIGHT-7: found dead, by whomever."""
    names = ("", "Alice")
    found = {seats.fact_of(e.Died(1, cause, "seer", 2), names) for cause in ("murdered", "sacrificed")}
    assert len(found) == 1


@pytest.mark.parametrize("strength", STRENGTHS)
def test_the_same_seed_is_the_same_game(strength):
    roles = tables.roles_for(9)
    bots = Bots(strength, strength)
    assert play(roles, OPTIONS, bots, "7/3") == play(roles, OPTIONS, bots, "7/3")
    assert len({play(roles, OPTIONS, bots, f"7/{n}") for n in range(6)}) > 1


def test_the_figures_do_not_depend_on_the_number_of_processes():
    roles, done = tables.roles_for(7), []
    found = []
    for jobs in (1, 2):
        with workers(jobs) as crew:
            found.append(tally(roles, 50, Bots(), "5", crew, done.append))
    assert found[0] == found[1]
    assert sum(done) == 100


def test_stronger_bots_win_more():
    """A village that remembers beats one that does not, and both beat one that acts at random."""
    roles, shares = tables.roles_for(12), []
    with workers(1) as crew:
        for strength in STRENGTHS:
            found = tally(roles, 60, Bots(strength, "sensible"), "1", crew, lambda _: None)
            shares.append(found.side("village").value)
    assert shares == sorted(shares)
    assert shares[0] < 0.2
    assert shares[-1] > 0.35


def test_a_game_that_does_not_end_is_ended(monkeypatch):
    """WIN-10 as the storyteller would."""
    monkeypatch.setattr("pbem.balance.table.LONGEST", 1)
    found = play(tables.roles_for(24), OPTIONS, Bots("random", "random"), "1")
    assert (found.winner, found.turns) == ("nobody", 2)
