"""Games at random, legal orders and illegal ones, under a watchman who knows the rule book (`tests/kit/watch.py`).

PBEM_GAMES=n plays n games instead of the default; so does the state machine run longer with PBEM_STEPS.
"""

from __future__ import annotations

import os
from datetime import timedelta

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from pbem.engine import commands as c
from pbem.engine import events as e
from pbem.engine.decide import decide, due, next_wakeup
from pbem.engine.options import Options
from pbem.engine.roles import LEXICON, ROSTER
from pbem.engine.state import Phase
from pbem.engine.verbs import Args
from tests.kit.village import PEEK
from tests.kit.watch import Watch
from tests.kit.wild import START, Wild

GAMES = int(os.environ.get("PBEM_GAMES", "60"))
STEPS = int(os.environ.get("PBEM_STEPS", "40"))
QUIET = {"deadline": None, "suppress_health_check": list(HealthCheck), "database": None}


@pytest.mark.rule("VOTE-8", "NIGHT-2", "NIGHT-3", "NIGHT-5", "NIGHT-6", "NIGHT-7", "NIGHT-9", "NIGHT-10")
@pytest.mark.rule("WIN-1", "WIN-2", "WIN-3", "WIN-4", "WIN-5", "WIN-6", "WIN-7", "WIN-9")
@settings(max_examples=GAMES, **QUIET)
@given(st.integers(0, 2**40))
def test_a_wild_game_keeps_the_rules_to_its_end(seed):
    """Every game ends; nothing raises; votes, nights, murders and ends are what a second reading of the rules says."""
    game = Wild(seed).play()
    assert game.phase is Phase.OVER
    assert game.winner


@pytest.mark.rule("WIN-8")
@settings(max_examples=max(5, GAMES // 12), **QUIET)
@given(st.integers(0, 2**40))
def test_the_same_seed_is_the_same_game(seed):
    one, other = Wild(seed), Wild(seed)
    one.play()
    other.play()
    assert one.watch.log == other.watch.log


JUDGED = [
    v
    for v in LEXICON
    if v.name not in {"JOIN", "WATCH", "UNWATCH", "STATUS", "HELP", "RULES", "LANG", "MAIL", "ADDRESS"}
]
MANY = {Args.PLAYER: 1, Args.TWO_PLAYERS: 2, Args.PLAYERS: 2}


class Village(RuleBasedStateMachine):
    """The same, move by move, so that a fault found shrinks to the few moves that matter."""

    def __init__(self):
        super().__init__()
        self.watch, self.now = Watch(), START

    def do(self, command):
        events = decide(self.watch.game, command)
        self.watch.see(command, events)
        return events

    @initialize(
        roles=st.lists(st.sampled_from(sorted(ROSTER)), min_size=4, max_size=10),
        mayor=st.sampled_from((None, 0, 1)),
        lovers=st.sampled_from((None, (1, 2), (2, 3))),
    )
    def begin(self, roles, mayor, lovers):
        options = Options(min_debate=0, peek=PEEK, reminders=(), inactivity="off")
        self.do(c.OpenGame(self.now, "PL1", options, "ab" * 32))
        self.do(c.OpenRegistration(self.now))
        for n in range(len(roles)):
            self.do(c.Join(self.now, f"N{n}"))
        self.do(c.Deal(self.now, tuple(roles)))
        self.do(c.Start(self.now, (), mayor, 0, lovers))

    def running(self):
        return self.watch.game.phase is not Phase.OVER

    @precondition(running)
    @rule(minutes=st.sampled_from((1, 20, 600)))
    def wait(self, minutes):
        target = self.now + timedelta(minutes=minutes)
        while (at := next_wakeup(self.watch.game)) is not None and at <= target:
            self.now = max(self.now, at)
            assert self.do(c.Tick(self.now))
        self.now = target

    @precondition(running)
    @rule()
    def close(self):
        at = next_wakeup(self.watch.game)
        if at is not None:
            self.now = max(self.now, at)
            what = due(self.watch.game, self.now)
            assert bool(self.do(c.Tick(self.now))) == (what is not None)

    @rule(
        seat=st.integers(1, 10),
        verb=st.sampled_from(JUDGED),
        seats=st.tuples(st.integers(1, 10), st.integers(1, 10)),
        word=st.sampled_from((*ROSTER, "VOTE", "SAVE", "KILL", "ANYONE")),
    )
    def say(self, seat, verb, seats, word):
        number = len(self.watch.game.players)
        named = tuple((s - 1) % number + 1 for s in seats[: MANY.get(verb.args, 0)])
        words = c.Words(named, word=word if verb.args in (Args.ROLE, Args.VERB) else "", text="mots")
        self.do(c.Order(self.now, (seat - 1) % number + 1, verb.name, words))

    @precondition(running)
    @rule(
        a=st.integers(1, 10), b=st.integers(1, 10), what=st.sampled_from(("smite", "pair", "mayor", "pause", "resolve"))
    )
    def command(self, a, b, what):
        number = len(self.watch.game.players)
        one, other = (a - 1) % number + 1, (b - 1) % number + 1
        made = {
            "smite": c.Smite(self.now, one),
            "pair": c.Pair(self.now, one, other),
            "mayor": c.AppointMayor(self.now, one),
            "pause": c.Resume(self.now) if self.watch.game.paused else c.Pause(self.now),
            "resolve": c.Resolve(self.now),
        }
        self.do(made[what])

    @invariant()
    def a_refusal_changes_nothing(self):
        if self.watch.log and isinstance(self.watch.log[-1], e.Rejected):
            self.watch.replayed()


TestVillage = Village.TestCase
TestVillage.settings = settings(max_examples=max(12, GAMES // 4), stateful_step_count=STEPS, **QUIET)
