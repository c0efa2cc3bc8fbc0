"""What is secret to a seat does not reach it, nor the public, by any way: not by a letter, not by a refusal, not by time.

Two games run side by side and differ in something secret to one seat, X. All that X and the public can see has to be
the same in both: the public events, X's private ones, the refusals of X's own orders, both views, and the next deadline.
"""

from __future__ import annotations

import os
from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pbem.engine import commands as c
from pbem.engine import events as e
from pbem.engine.decide import decide, next_wakeup
from pbem.engine.evolve import evolve
from pbem.engine.state import Game, Phase
from pbem.engine.verbs import COMMON
from pbem.engine.view import public_view, seat_view
from tests.kit.watch import PACK
from tests.kit.wild import Wild

GAMES = int(os.environ.get("PBEM_GAMES", "60")) // 2
QUIET = {"deadline": None, "suppress_health_check": list(HealthCheck), "database": None}
INFO = ("SEE", "ASK", "SPY", "PACK", "PEEK", "QUESTION", "ABSENT")
"""What brings knowledge to its owner and changes nothing else."""
ANYBODYS = {v.name for v in COMMON} - {"CANCEL", "DECIDE"}
HIDDEN = {"murdered": "found", "sacrificed": "found"}


def visible(events, x, command):
    """What X and the public see of these events."""
    own = isinstance(command, c.Order) and command.seat == x
    seen = []
    for event in events:
        if isinstance(event, e.Died):
            seen.append(replace(event, cause=HIDDEN.get(event.cause, event.cause)))
        elif _is_visible(event, x, own=own):
            seen.append(event)
    return seen


def _is_visible(event, x, *, own):
    match event:
        case e.Private():
            return event.to == x
        case e.Rejected():
            return own
        case e.GraveyardTalked():
            return x in event.readers
        case _:
            return isinstance(event, e.Public)


class Apart(Exception):  # noqa: N818 - no error: the games may differ from here on
    """What was secret has become public, as the rules will have it."""


class Twins(Wild):
    """A wild game, and its twin beside it."""

    def __init__(self, seed):
        self.twin, self.x = Game(), 0
        super().__init__(seed)

    def do(self, command):
        """The same in both, as far as it goes; compared."""
        command = self.fitting(command)
        if command is None:
            return ()
        self.before(command)
        here = super().do(command)
        there = self.decide_twin(self.translate(command))
        self.part(here, there)
        if self.x:
            assert visible(here, self.x, command) == visible(there, self.x, command)
            self.compare()
        return here

    def decide_twin(self, command):
        events = decide(self.twin, command)
        for event in events:
            self.twin = evolve(self.twin, event)
        return events

    def compare(self):
        assert next_wakeup(self.game) == next_wakeup(self.twin)
        assert public_view(self.game) == public_view(self.twin)
        assert seat_view(self.game, self.x) == seat_view(self.twin, self.x)

    def fitting(self, command):
        return command

    def before(self, command):
        """What only the twin does."""

    def translate(self, command):
        return command

    def part(self, here, there):
        """Raises Apart where the games may differ from now on."""

    def compared(self):
        try:
            self.play()
        except Apart:
            return


class Curious(Twins):
    """In the twin everybody else is curious: they see, ask, spy, talk among wolves and peek."""

    def __init__(self, seed):
        super().__init__(seed)
        self.x = self.rng.randint(1, len(self.game.players))

    def fitting(self, command):
        """No curiosity in the first game, but X's own."""
        if isinstance(command, c.Order) and command.seat != self.x and command.verb in INFO:
            return None
        return command

    def before(self, command):
        if not self.x:
            return
        x, rng = self.twin.player(self.x), self.rng
        while rng.random() < 0.5:
            seat, verb, target = (
                rng.choice(self.twin.players).seat,
                rng.choice(INFO),
                rng.choice(self.twin.players).seat,
            )
            if seat == self.x or (verb == "SPY" and target == self.x) or (verb in {"PACK", "PEEK"} and x.role in PACK):
                continue
            words = c.Words(
                (target,) if verb in {"SEE", "SPY"} else (), word="seer" if verb == "ASK" else "", text="mots"
            )
            curious = c.Order(command.at, seat, verb, words)
            assert visible(self.decide_twin(curious), self.x, curious) == []


class Swapped(Twins):
    """In the twin Y has Z's role, and Z has Y's; who holds a role orders what its holder orders in the first game."""

    def __init__(self, seed):
        self.y = self.z = 0
        super().__init__(seed)

    def translate(self, command):
        match command:
            case c.Deal():
                return replace(command, roles=self.choose(list(command.roles)))
            case c.Start():
                return replace(command, lovers=self.lovers(command))
            case c.Order() if self.role_bound(command):
                return replace(command, seat={self.y: self.z, self.z: self.y}.get(command.seat, command.seat))
        return command

    def fitting(self, command):
        if isinstance(command, c.Start):
            return replace(command, lovers=self.lovers(command))
        if isinstance(command, (c.Pair, c.Smite, c.AppointMayor)) and {self.y, self.z} & {*_named(command)}:
            return None
        if not isinstance(command, c.Order) or not self.role_bound(command):
            return command
        told = {self.y, self.z} | ({self.x} if command.seat in (self.y, self.z) and command.verb == "SPY" else set())
        return None if told & set(command.words.seats) else command

    def lovers(self, command):
        return None if command.lovers and {self.y, self.z} & set(command.lovers) else command.lovers

    def role_bound(self, command):
        """Whether it is said as the holder of a role: its own verbs, an asked executioner's answer."""
        verb = command.words.word if command.verb == "CANCEL" else command.verb
        if verb == "DECIDE":
            return self.game.tie is not None and self.game.tie.office == "executioner"
        return verb not in ANYBODYS

    def choose(self, roles):
        """Two seats of different roles, and X apart from them who is neither wolf nor child."""
        plain = [s for s, role in enumerate(roles, 1) if role not in PACK | {"little-child"}]
        x = self.rng.choice(plain) if plain else 0
        others = [s for s in range(1, len(roles) + 1) if s != x]
        self.y = self.rng.choice(others)
        unlike = [s for s in others if roles[s - 1] != roles[self.y - 1]]
        if not x or not unlike:
            raise Apart
        self.x, self.z = x, self.rng.choice(unlike)
        roles[self.y - 1], roles[self.z - 1] = roles[self.z - 1], roles[self.y - 1]
        return tuple(roles)

    def part(self, here, there):
        for event in (*here, *there):
            revealed = isinstance(event, e.Died) and event.seat in (self.y, self.z)
            if revealed or isinstance(event, e.GameWon) or (isinstance(event, e.ConvertedTold) and event.to == self.x):
                raise Apart


def _named(command):
    return (command.a, command.b) if isinstance(command, c.Pair) else (command.seat,)


@pytest.mark.rule("CAL-5", "NIGHT-4", "NEIGH-1", "INV-1", "WOLF-2", "PEEK-3", "SAND-1")
@settings(max_examples=GAMES, **QUIET)
@given(st.integers(0, 2**40))
def test_others_curiosity_is_invisible(seed):
    twins = Curious(seed)
    twins.compared()
    assert twins.game.phase is Phase.OVER


@pytest.mark.rule("CAL-5", "NIGHT-1", "NIGHT-7", "EXEC-1", "FORGE-1", "BEAST-2")
@settings(max_examples=GAMES, **QUIET)
@given(st.integers(0, 2**40))
def test_until_it_matters_in_public_nobody_can_tell_who_holds_which_role(seed):
    try:
        twins = Swapped(seed)
    except Apart:
        return
    twins.compared()
