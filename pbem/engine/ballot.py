"""The day's vote, in the order of VOTE-8: own votes, missing ones, telepaths, tally, executioner, forger, tie-break.

`count` makes a `Ballot` step by step; `condemn` reads off who burns for sure and which places a tie leaves open.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from pbem.engine.events import PowerSpent, VoteForced, VoteMissed, VotesPublished

if TYPE_CHECKING:
    from collections.abc import Callable

    from pbem.engine.story import Story

NOBODY = 0


@dataclass(slots=True)
class Ballot:
    """One vote being worked out. `votes`: voter to target, 0 for blank; `how`: as published; `missed`: who sent none.

    `sure` burn; of `tied`, `places` more burn; `doubler` is the executioner whose power works today, or 0.
    """

    story: Story
    votes: dict[int, int] = field(default_factory=dict)
    how: dict[int, str] = field(default_factory=dict)
    missed: list[int] = field(default_factory=list)
    forced: list[tuple[int, int, int]] = field(default_factory=list)
    ranks: list[tuple[int, ...]] = field(default_factory=list)
    sure: tuple[int, ...] = ()
    tied: tuple[int, ...] = ()
    places: int = 0
    doubler: int = 0
    forger: int = 0

    def first(self, verb: str) -> int:
        """The seat whose order of that verb came first, or 0."""
        return next((order.seat for order in self.story.game.orders_for(verb)), 0)


def own_votes(ballot: Ballot) -> None:
    """VOTE-1."""
    for order in ballot.story.game.orders_for("VOTE"):
        ballot.votes[order.seat] = order.seats[0]
        ballot.how[order.seat] = "vote"


def missing_votes(ballot: Ballot) -> None:
    """VOTE-2: the first missed vote is blank, later ones go against oneself; a void one is blank and free (VOTE-3)."""
    for player in ballot.story.game.living:
        if player.seat in ballot.votes:
            continue
        against_self = player.missed > 0 and not player.voided
        ballot.votes[player.seat] = player.seat if against_self else NOBODY
        ballot.how[player.seat] = "self" if against_self else "blank"
        if not player.voided:
            ballot.missed.append(player.seat)


def telepaths(ballot: Ballot) -> None:
    """TELE-1: of several on one player the last received counts."""
    last = {order.seats[0]: order for order in ballot.story.game.orders_for("FORCE")}
    for voter, order in last.items():
        ballot.votes[voter] = order.seats[1]
        ballot.how[voter] = "vote"
        ballot.forced.append((order.seat, voter, order.seats[1]))


def tally(ballot: Ballot) -> None:
    """VOTE-4: the candidates by number of votes; those with the same number share a rank."""
    scores = ballot_scores(ballot)
    ballot.ranks = [
        tuple(sorted(seat for seat, votes in scores.items() if votes == number))
        for number in sorted(set(scores.values()), reverse=True)
    ]
    top = ballot.ranks[0] if ballot.ranks else ()
    ballot.sure, ballot.tied = (top, ()) if len(top) == 1 else ((), top)
    ballot.places = 1 if ballot.tied else 0


def executioner(ballot: Ballot) -> None:
    """EXEC-1: the two highest scores burn; without any vote no effect, unspent (FINE-8)."""
    ballot.doubler = ballot.first("DOUBLE") if ballot.ranks else 0
    if not ballot.doubler:
        return
    first, second = ballot.ranks[0], ballot.ranks[1] if len(ballot.ranks) > 1 else ()
    if len(first) > 1:
        ballot.sure, ballot.tied, ballot.places = ((), first, 2) if len(first) > 2 else (first, (), 0)  # noqa: PLR2004
    elif len(second) > 1:
        ballot.sure, ballot.tied, ballot.places = first, second, 1
    else:
        ballot.sure = (*first, *second)


def forger(ballot: Ballot) -> None:
    """FORGE-1: the forged one takes the first place; beside him, on a doubled day, whoever has the second (EXEC-1,
    FINE-7).
    """
    ballot.forger = ballot.first("FORGE")
    order = ballot.story.game.order(ballot.forger, "FORGE")
    if not order:
        return
    forged = order.seats[0]
    first = ballot.ranks[0] if ballot.ranks else ()
    beside: tuple[int, ...] = ()
    if ballot.doubler:
        beside = first if len(first) > 1 else (ballot.ranks[1] if len(ballot.ranks) > 1 else ())
    others = tuple(seat for seat in beside if seat != forged)
    if len(others) > 1:
        ballot.sure, ballot.tied, ballot.places = (forged,), others, 1
    else:
        ballot.sure, ballot.tied, ballot.places = (forged, *others), (), 0


def mayors_vote(ballot: Ballot) -> None:
    """VOTE-5: in a plain tie the mayor's recorded vote decides, if it is for one of the tied."""
    choice = ballot.votes.get(ballot.story.game.mayor, NOBODY)
    if ballot.tied and not ballot.doubler and choice in ballot.tied:
        ballot.sure, ballot.tied, ballot.places = (choice,), (), 0


STEPS: tuple[Callable[[Ballot], None], ...] = (
    own_votes,
    missing_votes,
    telepaths,
    tally,
    executioner,
    forger,
    mayors_vote,
)
"""VOTE-8, up to the tie-break and the deaths, which belong to the trial."""


def count(story: Story) -> Ballot:
    """Work the vote out and publish it (VOTE-6); powers that took effect are spent (NIGHT-10)."""
    ballot = Ballot(story)
    for step in STEPS:
        step(ballot)
    for telepath, voter, target in ballot.forced:
        story.tell(VoteForced(telepath, voter, target), PowerSpent(telepath, "FORCE"))
    if ballot.doubler:
        story.tell(PowerSpent(ballot.doubler, "DOUBLE"))
    if ballot.forger:
        story.tell(PowerSpent(ballot.forger, "FORGE"))
    record = tuple((s, ballot.votes[s], ballot.how[s]) for s in sorted(ballot.votes))
    scores = sorted(ballot_scores(ballot).items(), key=lambda item: (-item[1], item[0]))
    missed = [(seat, "self" if story.game.player(seat).missed else "blank") for seat in ballot.missed]
    story.tell(VotesPublished(story.game.turn, record, tuple(scores), bool(ballot.forger)))
    story.tell(*(VoteMissed(seat, how) for seat, how in missed))
    return ballot


def ballot_scores(ballot: Ballot) -> dict[int, int]:
    """Votes by candidate; blanks are nobody's."""
    scores: dict[int, int] = {}
    for target in ballot.votes.values():
        if target != NOBODY:
            scores[target] = scores.get(target, 0) + 1
    return scores
