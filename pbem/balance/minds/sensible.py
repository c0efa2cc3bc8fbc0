"""A bot that plays as people do who have played before: it listens, accuses, claims, votes with reason.

What it thinks of somebody is the village's suspicion, what it knows itself, and a gut feeling that it was born with:
without that all bots would point at one and the same. What it does with its powers is in `powers` and `pack`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from pbem.balance.minds import pack, powers
from pbem.balance.minds.commons import SEEING, evil
from pbem.balance.minds.facts import (
    ACCUSE,
    CLAIM,
    PREY,
    SAW,
    Became,
    Counted,
    Learnt,
    Loves,
    Pack,
    Statement,
    Threatened,
    Whispered,
)
from pbem.engine.roles import ROSTER

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from random import Random

    from pbem.balance.minds.commons import Commons
    from pbem.balance.minds.facts import Fact, Name

GUT: Final = 0.9
"""The spread of the gut feeling."""
ATTENTION: Final = 10
"""So many others it watches closely enough to remember their votes."""
MOOD: Final = 1.0
"""The span of its moods, anew each time it thinks."""
SURE: Final = 9.0
NOBODY: Final = (0.0, "")
CROWD: Final = 5.0
"""How much it weighs that all the others accuse somebody."""
CORNERED: Final = 0.2
"""From which part of the village on somebody accused defends himself."""
LATE: Final = 4
"""From this day on a seer tells what he has seen though no wolf was there."""


class Sensible:
    """One head. `dice` is its own source of chance; `memory`: whether it looks back at votes at all."""

    def __init__(self, name: Name, commons: Commons, dice: Random, *, memory: bool = True) -> None:
        self.name = name
        self.commons = commons
        self.dice = dice
        self.role = "villager"
        self.pack: set[Name] = set()
        self.lover: Name = ""
        self.known: dict[Name, str] = {}
        self.leaning: dict[Name, float] = {}
        self.counted: dict[str, int] = {}
        self.threatened: tuple[Name, ...] = ()
        self.prey: Name = ""
        self.voice: Name = ""
        self._attention = ATTENTION if memory else 0
        self._eyes_on: frozenset[Name] = frozenset()
        self._gut: dict[Name, float] = {}
        self._told: set[Name] = set()

    # --- what it knows ---

    def hear(self, fact: Fact) -> None:
        """Learn something in private."""
        match fact:
            case Became(role, mates):
                self.role = role
                self.pack.update(mates)
            case Pack(who):
                self.pack.update(who)
            case Loves(who):
                self.lover = who
            case Learnt(who, role):
                self.known[who] = role
            case Counted(role, number):
                self._count(role, number)
            case Threatened(who):
                self.threatened = who
                for name in who:  # the night hunts few of its own
                    self.leaning[name] = -2.0
            case Whispered(who, statements):
                self._follow(who, next((s.who for s in statements if s.kind == PREY), ""))

    def _count(self, role: str, number: int) -> None:
        """There are fewer of them than say so: somebody lies."""
        self.counted[role] = number
        claiming = [name for name, claim in self.commons.claims.items() if claim == role and name != self.name]
        if len(claiming) > number:
            self.leaning.update(dict.fromkeys(claiming, 3.0 if not number else 1.5))

    def _follow(self, voice: Name, prey: Name) -> None:
        """Of several proposals the pack takes his who comes first in the alphabet: so all take the same."""
        if prey and (not self.prey or voice < self.voice):
            self.prey, self.voice = prey, voice

    @property
    def wolf(self) -> bool:
        """Whether it hunts with the pack."""
        return ROSTER[self.role].wolf

    @property
    def loyal(self) -> bool:
        """Whether it wants the village to win."""
        return ROSTER[self.role].side == "village"

    def friends(self) -> set[Name]:
        """Whom it will not hurt: itself, its pack, its lover."""
        return {self.name, *self.pack, self.lover}

    def judge(self, who: Name) -> float:
        """How much it wants him dead."""
        return self._opinions((who,))[0]

    def _opinions(self, names: Iterable[Name]) -> list[float]:
        """The same for many, in their order."""
        if not self._gut:
            self._meet()
        friends, claims, votes = self.friends(), self.commons.claims_tell(), self.commons.votes()
        scores = []
        for who in names:
            if who in friends:
                score = -SURE
            elif who in self.known:
                score = SURE if self.dreads(self.known[who]) else -SURE
            else:
                score = claims.get(who, 0.0) + self.leaning.get(who, 0.0) + self._gut.get(who, 0.0)
                if who in self._eyes_on:
                    score += votes.get(who, 0.0)
            scores.append(score)
        return scores

    def _meet(self) -> None:
        """Take everybody in: how they look, and on whom to keep an eye; nobody does on a whole large village."""
        others = [name for name in self.commons.living if name != self.name]
        self._gut = {name: self.dice.gauss(0.0, GUT) for name in others}
        self._eyes_on = frozenset(self.dice.sample(others, min(self._attention, len(others))))

    def dreads(self, role: str) -> bool:
        """Whether that role must die: the night's for the village; for the pack the beast."""
        return role == "beast" if self.wolf else evil(role)

    def worst(self, names: Iterable[Name], weigh: Callable[[Name], float] | None = None) -> Name:
        """The one it likes least, '' if there is nobody; `weigh` in place of its judgement."""
        friends, mood = self.friends(), self.dice.random
        others = [name for name in names if name not in friends]
        scores = [weigh(name) for name in others] if weigh else self._opinions(others)
        return max(((score + MOOD * mood(), name) for score, name in zip(scores, others, strict=True)), default=NOBODY)[
            1
        ]

    def best(self, names: Iterable[Name]) -> Name:
        """The one it trusts most, itself aside; '' if there is nobody."""
        others, mood = [name for name in names if name != self.name], self.dice.random
        scored = ((score + MOOD * mood(), name) for score, name in zip(self._opinions(others), others, strict=True))
        return min(scored, default=NOBODY)[1]

    # --- what it says ---

    def speak(self) -> Sequence[Statement]:
        """What it has seen, if the time has come, and whom it suspects."""
        said = self._testimony() if self.loyal else pack.lies(self) if self.wolf else []
        suspect = self.worst(self.commons.living) if self.loyal else pack.point(self)
        return [*said, Statement(ACCUSE, suspect)] if suspect else said

    def answer(self) -> Sequence[Statement]:
        """Cornered, it says what it is, or would like to be."""
        if self.name in self.commons.claims or self.commons.pressure(self.name) < CORNERED:
            return ()
        if not self.loyal:
            return pack.excuses(self)
        return [Statement(CLAIM, role=self.role), *self._findings()] if self.role in SEEING else [self._claim()]

    def whisper(self) -> Sequence[Statement]:
        """Whom the pack should take; nobody who has spoken before is contradicted."""
        return pack.propose(self) if self.wolf and not self.prey else ()

    def _claim(self) -> Statement:
        return Statement(CLAIM, role=self.role)

    def _testimony(self) -> list[Statement]:
        """Who has seen a wolf says so; who has said so goes on; late in the game even who has only seen friends."""
        if self.role not in SEEING:
            return []
        caught = any(evil(role) and name in self.commons.living for name, role in self.known.items())
        out = self.name in self.commons.claims
        patient = self.role == "seer" and self.commons.day >= LATE and len(self.known) > 1
        if not (caught or out or patient):
            return []
        return [*([] if out else [self._claim()]), *self._findings()]

    def _findings(self) -> list[Statement]:
        fresh = [name for name in self.known if name not in self._told and name in self.commons.living]
        self._told.update(fresh)
        return [Statement(SAW, name, self.known[name]) for name in fresh]

    # --- what it does ---

    def use(self, verb: str, choices: Sequence[Name]) -> tuple[Name, ...] | None:
        """By the verb: the vote and the offices here, powers elsewhere."""
        plan = _PLANS.get(verb)
        return plan(self, choices) if plan else None

    def vote(self, choices: Sequence[Name]) -> Name:
        """Whom it votes for: its own suspect, unless many others have a better one."""
        if self.wolf or self.role == "traitor":
            return pack.vote(self, choices)
        others = [name for name in choices if name not in self.friends()]
        opinion = dict(zip(others, self._opinions(others), strict=True))
        return self.worst(others, lambda name: opinion[name] + CROWD * self.commons.pressure(name))


def _named(name: Name) -> tuple[Name, ...] | None:
    return (name,) if name else None


def _vote(mind: Sensible, choices: Sequence[Name]) -> tuple[Name, ...] | None:
    return _named(mind.vote(choices) or mind.worst(choices) or (choices[0] if choices else ""))


def _elect(mind: Sensible, choices: Sequence[Name]) -> tuple[Name, ...] | None:
    return _named(mind.best(choices))


def _heir(mind: Sensible, choices: Sequence[Name]) -> tuple[Name, ...] | None:
    return _named(mind.best(name for name in choices if name != mind.name))


def _decide(mind: Sensible, choices: Sequence[Name]) -> tuple[Name, ...] | None:
    return _named(mind.worst(choices) or (choices[0] if choices else ""))


_PLANS: dict[str, Callable[[Sensible, Sequence[Name]], tuple[Name, ...] | None]] = {
    "VOTE": _vote,
    "ELECT": _elect,
    "HEIR": _heir,
    "DECIDE": _decide,
    **powers.PLANS,
    **pack.PLANS,
}
