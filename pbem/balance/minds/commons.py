"""What the whole village knows, and what anybody can make of it: who spoke, claimed, voted, died, and who is suspect.

Every bot that reads the list would come to the same, so bots of one game may share one `Commons`; nothing secret ever
enters it. Suspicion is a number: 0 knows nothing, upwards the worse (about log-odds).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from pbem.balance.minds.facts import ACCUSE, CLAIM, SAW, Dawn, Fell, Mayor, Said, Voted
from pbem.engine.roles import ROSTER

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pbem.balance.minds.facts import Name, Public

SEEING: Final = ("seer", "nosy-neighbour", "little-child")
"""Who may honestly say what another is. (The shaman sees too, and will not say so.)"""

BURNT_A_WOLF: Final = -0.6
NAMED_A_WOLF: Final = -0.35
SPARED_A_WOLF: Final = 0.35
NAMED_BY_A_WOLF: Final = -0.5
WITH_A_WOLF: Final = 0.12
BURNT_A_FRIEND: Final = 0.15
"""What a vote tells of its voter, once the role of the one or the other is known."""

CREDIBLE: Final = 0.8
CONTESTED: Final = 0.5
DOUBTED: Final = 0.2
PROVEN: Final = 0.95
"""How far somebody is believed who says what he saw."""

SEEN_EVIL: Final = 5.0
SEEN_GOOD: Final = -4.0
CLAIMED: Final = -1.2
WITNESS: Final = -3.0
LIAR: Final = 4.0


def evil(role: str) -> bool:
    """Whether the village wants that role dead."""
    return ROSTER[role].side != "village"


class Commons:
    """The common memory of one village."""

    def __init__(self) -> None:
        self.day = 0
        self.living: tuple[Name, ...] = ()
        self.dead: dict[Name, str] = {}
        self.mayor: Name = ""
        self.claims: dict[Name, str] = {}
        self.reports: dict[tuple[Name, Name], str] = {}
        self.accusers: dict[Name, list[Name]] = {}
        self._days: list[dict[Name, Name]] = []
        self._burnt: set[tuple[int, Name]] = set()
        self._by_claims: Mapping[Name, float] | None = None
        self._by_votes: Mapping[Name, float] | None = None

    def hear(self, fact: Public) -> None:
        """Take in what all learn."""
        self._by_claims = None
        if not isinstance(fact, Said):
            self._by_votes = None
        match fact:
            case Said(who, statements):
                for statement in statements:
                    self._said(who, statement.kind, statement.who, statement.role)
            case Voted(record):
                self._days.append(dict(record))
            case Fell(who, role, burned):
                self._fell(who, role, burned=burned)
            case Mayor(who):
                self.mayor = who
            case Dawn(day, living):
                self.day, self.living = day, living
                self.accusers = {}

    def _said(self, who: Name, kind: str, target: Name, role: str) -> None:
        if kind == ACCUSE:
            self.accusers.setdefault(target, []).append(who)
        elif kind == CLAIM:
            self.claims[who] = role
        elif kind == SAW:
            self.reports[who, target] = role

    def _fell(self, who: Name, role: str, *, burned: bool) -> None:
        self.dead[who] = role
        self.living = tuple(name for name in self.living if name != who)
        if burned:
            self._burnt.add((len(self._days) - 1, who))

    # --- what follows from it ---

    def pressure(self, who: Name) -> float:
        """Which part of the living accuses him today."""
        accusers = self.accusers.get(who)
        return len(accusers) / len(self.living) if accusers else 0.0

    def accused(self) -> list[Name]:
        """Those accused today, the most pressed first."""
        return sorted(
            (n for n in self.accusers if n in self.living), key=lambda n: (-len(self.accusers[n]), self.living.index(n))
        )

    def votes(self) -> Mapping[Name, float]:
        """How suspect every living player is by who voted for whom, and by what became known of them since."""
        if self._by_votes is None:
            self._by_votes = self._look_back()
        return self._by_votes

    def claims_tell(self) -> Mapping[Name, float]:
        """How suspect every living player is by what he and others say they are, and say they saw."""
        if self._by_claims is None:
            self._by_claims = self._weigh()
        return self._by_claims

    def suspicion(self, who: Name) -> float:
        """How suspect he is to somebody who forgets nothing, and knows nothing more."""
        return self.votes().get(who, 0.0) + self.claims_tell().get(who, 0.0)

    def belief(self, who: Name) -> float:
        """How far the village believes somebody who tells what he saw; 0 for a liar, and for who has told nothing."""
        return self._belief(who) if any(witness == who for witness, _ in self.reports) else 0.0

    def _weigh(self) -> dict[Name, float]:
        scores = dict.fromkeys(self.living, 0.0)
        belief = {who: self._belief(who) for who in dict.fromkeys(witness for witness, _ in self.reports)}
        for who, role in self.claims.items():
            if who in scores and who not in belief and role != "villager":
                scores[who] += CLAIMED
        for who, trusted in belief.items():
            if who in scores:
                scores[who] += WITNESS * trusted if trusted > 0 else LIAR
        for (who, target), role in self.reports.items():
            if target in scores:
                scores[target] += belief[who] * (SEEN_EVIL if evil(role) else SEEN_GOOD)
        return scores

    def _belief(self, who: Name) -> float:
        claim = self.claims.get(who, "")
        if who in self.dead:
            return 1.0 if self.dead[who] == claim and claim in SEEING else 0.0
        told = [
            (role, self.dead[target])
            for (by, target), role in self.reports.items()
            if by == who and target in self.dead
        ]
        if any(evil(role) and not evil(truth) for role, truth in told):
            return 0.0
        if any(evil(role) for role, _ in told):
            return PROVEN
        rivals = [name for name, role in self.claims.items() if role == claim and name != who]
        if any(self.dead.get(name) == claim for name in rivals):
            return DOUBTED
        votes = self.votes()
        standing = [votes[name] for name in rivals if name in votes]
        if not standing:
            return CREDIBLE
        return CONTESTED if votes.get(who, 0.0) <= min(standing) else DOUBTED

    def _look_back(self) -> dict[Name, float]:
        scores = dict.fromkeys(self.living, 0.0)
        for day, record in enumerate(self._days):
            wolves = {v for v in record if v in self.dead and evil(self.dead[v])}
            led_by_wolves = {record[v] for v in wolves}
            ashes = {target for target in record.values() if (day, target) in self._burnt}
            wolf_burnt = any(evil(self.dead[who]) for who in ashes)
            for voter, target in record.items():
                if voter in scores:
                    burned = target in ashes
                    scores[voter] += self._of_vote(target, burned=burned, with_wolf=target in led_by_wolves)
                    if wolf_burnt and not burned:
                        scores[voter] += SPARED_A_WOLF
                if target in scores and voter in wolves:
                    scores[target] += NAMED_BY_A_WOLF
        return scores

    def _of_vote(self, target: Name, *, burned: bool, with_wolf: bool) -> float:
        if target in self.dead and evil(self.dead[target]):
            return BURNT_A_WOLF if burned else NAMED_A_WOLF
        return (BURNT_A_FRIEND if burned else 0.0) + (WITH_A_WOLF if with_wolf else 0.0)
