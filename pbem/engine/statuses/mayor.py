"""MAYOR-1 to MAYOR-6: the mayor's office, its election, succession and loss."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbem.engine.calendar import next_election
from pbem.engine.events import (
    ElectionClosed,
    ElectionDropped,
    ElectionSet,
    MayorChanged,
    OfficeLost,
    OfficeTaken,
    OrdersLapsed,
    PhaseClosed,
    Repudiated,
)
from pbem.engine.roles.base import Power
from pbem.engine.verbs import ELECT as ELECT_VERB
from pbem.engine.verbs import HEIR as HEIR_VERB

if TYPE_CHECKING:
    from datetime import datetime

    from pbem.engine.state import Game, Player
    from pbem.engine.story import Story


def _eligible(game: Game, player: Player, seats: tuple[int, ...]) -> str:  # noqa: ARG001 - the shape of a check
    return "ineligible" if any(game.player(seat).ineligible for seat in seats) else ""


def _other_and_eligible(game: Game, player: Player, seats: tuple[int, ...]) -> str:
    return "not-a-candidate" if player.seat in seats else _eligible(game, player, seats)


ELECT = Power(ELECT_VERB, "election", check=_eligible)
HEIR = Power(HEIR_VERB, "any", check=_other_and_eligible)


def heir_of(game: Game, seat: int) -> int:
    """The successor on record, or 0."""
    order = game.order(seat, HEIR.verb.name)
    return order.seats[0] if order else 0


def install(story: Story, seat: int, how: str) -> None:
    """He is mayor at once; an election that was due is not, and the successor of the one before counts no more."""
    old = story.game.mayor
    if story.game.election and how != "elected":
        story.tell(ElectionDropped())
    if old != seat:
        _drop_heir(story, old)
    story.tell(MayorChanged(seat, how), OfficeTaken(seat, how))


def _drop_heir(story: Story, seat: int) -> None:
    if story.game.order(seat, HEIR.verb.name):
        story.tell(OrdersLapsed(((seat, HEIR.verb.name),)))


def succeed(story: Story, heir: int) -> None:
    """MAYOR-4, MAYOR-6: the successor if he lives and is eligible; else the office is vacant."""
    if heir and story.game.player(heir).alive and not story.game.player(heir).ineligible:
        install(story, heir, "heir")
    else:
        story.tell(MayorChanged(None, "vacant"))
        set_election(story)


def repudiate(story: Story) -> None:
    """VOTE-5: he loses the office for good; his successor takes over, whatever his role (MAYOR-6)."""
    seat = story.game.mayor
    heir = heir_of(story.game, seat)
    story.tell(Repudiated(seat), OfficeLost(seat))
    _drop_heir(story, seat)
    succeed(story, heir)


def set_election(story: Story) -> None:
    """CAL-2, FINE-12: in the day, an election is due on the next eve whose hour has not come, unless there is a mayor.

    From T to the murder, and during a pause, it has to wait for the calendar to go on.
    """
    game = story.game
    if game.mayor or game.election or not game.deadline or game.phase != "day" or game.paused:
        return
    hours = next_election(game.options, story.at, game.deadline)
    story.tell(ElectionSet(hours.opens, hours.closes))


def close_election(story: Story, at: datetime) -> None:
    """MAYOR-2: most votes win; tied, whoever's last standing ballot came first (FINE-12)."""
    ballots = story.game.orders_for(ELECT.verb.name)
    votes: dict[int, int] = {}
    for ballot in ballots:
        votes[ballot.seats[0]] = votes.get(ballot.seats[0], 0) + 1
    most = max(votes.values(), default=0)
    last = {ballot.seats[0]: n for n, ballot in enumerate(ballots)}
    winner = min((s for s, n in votes.items() if n == most), key=last.__getitem__, default=None)
    record = tuple(sorted((b.seat, b.seats[0]) for b in ballots))
    story.tell(PhaseClosed("election", at), ElectionClosed(record, winner))
    if winner:
        install(story, winner, "elected")
    else:
        set_election(story)
