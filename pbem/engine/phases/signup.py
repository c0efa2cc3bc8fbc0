"""Registration, the deal and the start (ORG-6, NEXT-1, CAL-3)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbem.engine.calendar import first_execution
from pbem.engine.commands import Deal
from pbem.engine.dice import commitment
from pbem.engine.events import (
    STORYTELLER,
    CompositionSet,
    DayOpened,
    GameStarted,
    Joined,
    Left,
    LoverShown,
    LoversPaired,
    MayorChanged,
    OfficeTaken,
    OrderTaken,
    RegistrationClosed,
    Rejected,
    RoleDealt,
    RolesDealt,
)
from pbem.engine.names import fold
from pbem.engine.roles import ROSTER
from pbem.engine.statuses.mayor import HEIR, set_election
from pbem.engine.steering import before_start

if TYPE_CHECKING:
    from pbem.engine.commands import Join, SetComposition, Start
    from pbem.engine.state import Game
    from pbem.engine.story import Story

FEWEST, MOST = 4, 60
"""ORG-6."""


def join(story: Story, command: Join) -> None:
    """JOIN: the next seat; `name-taken` also for who is in already."""
    code = _join_objection(story.game, command)
    if code:
        story.tell(Rejected(code, "JOIN", words=command.name))
    else:
        story.tell(Joined(len(story.game.players) + 1, command.name, command.gender))


def _join_objection(game: Game, command: Join) -> str:
    if game.started or not game.open or len(game.players) >= MOST or (game.players and game.players[0].role):
        return "registration-closed"
    if command.bad_name or not fold(command.name):
        return "bad-name"
    taken = command.known or fold(command.name) in {fold(p.name) for p in game.players}
    return "name-taken" if taken else ""


def leave(story: Story, seat: int) -> None:
    """LEAVE before the start: the seat is free again, and a deal made before is void."""
    story.tell(Left(seat))


def set_composition(story: Story, command: SetComposition) -> None:
    """COMPOSITION: roles of the roster, at least one player of each named; a deal made before is void."""
    unknown = next((role for role, _ in command.counts if role not in ROSTER), "")
    if not before_start(story, "COMPOSITION"):
        return
    if unknown:
        story.tell(Rejected("unknown-role", "COMPOSITION", words=unknown))
    elif not command.counts:
        story.tell(Rejected("missing-argument", "COMPOSITION"))
    else:
        story.tell(CompositionSet(command.counts))


def deal(story: Story, command: Deal) -> None:
    """DEAL: draw the roles from the composition, or from the table where none is set; or take them as given."""
    number = len(story.game.players)
    if not before_start(story, "DEAL"):
        return
    if not FEWEST <= number <= MOST:
        story.tell(Rejected("wrong-time", "DEAL", words=str(number)))
        return
    counts = story.game.composition or command.table
    cards = command.roles or tuple(role for role, number in counts for _ in range(number))
    if len(cards) != len(story.game.players):
        story.tell(Rejected("not-a-choice", "DEAL", words=f"{len(cards)}/{len(story.game.players)}"))
        return
    if story.game.open:
        story.tell(RegistrationClosed())
    story.tell(RolesDealt(command.roles or _shuffled(story, list(cards))))


def _shuffled(story: Story, cards: list[str]) -> tuple[str, ...]:
    """Fisher and Yates, from the last card down; every draw is on record."""
    for last in range(len(cards) - 1, 0, -1):
        other = story.roll("deal", last + 1) - 1
        cards[last], cards[other] = cards[other], cards[last]
    return tuple(cards)


def start(story: Story, command: Start) -> None:
    """START: the first day. Whoever has not been dealt a role yet is dealt one first."""
    if not before_start(story, "START"):
        return
    if not story.game.players or not story.game.players[0].role:
        deal(story, Deal(command.at, table=command.table))
    if not _refused(story):
        _begin(story, command)


def _refused(story: Story) -> bool:
    return bool(story.events) and isinstance(story.events[-1], Rejected)


def _begin(story: Story, command: Start) -> None:
    game = story.game
    if game.open:
        story.tell(RegistrationClosed())
    public = dealt_counts(game) if game.options.composition == "public" else None
    story.tell(GameStarted(story.at, commitment(game.seed), command.immune, public))
    for player in story.game.players:
        story.tell(RoleDealt(player.seat, player.role))
        hook = ROSTER[player.role].greet
        if hook:
            hook(story, player)
    _set_scene(story, command)
    story.tell(DayOpened(1, story.at, first_execution(game.options, story.at)))
    if command.mayor is None:
        set_election(story)


def dealt_counts(game: Game) -> tuple[tuple[str, int], ...]:
    """How many of each role were dealt, in the order of the roster."""
    counts = {slug: sum(p.dealt == slug for p in game.players) for slug in ROSTER}
    return tuple((slug, number) for slug, number in counts.items() if number)


def _set_scene(story: Story, command: Start) -> None:
    """What a rehearsal has in place from the start."""
    if command.lovers:
        a, b = command.lovers
        story.tell(LoversPaired(a, b, STORYTELLER), LoverShown(a, b), LoverShown(b, a))
    if command.mayor:
        story.tell(MayorChanged(command.mayor, "appointed"), OfficeTaken(command.mayor, "appointed"))
        if command.heir:
            story.tell(OrderTaken(command.mayor, HEIR.verb.name, story.at, (command.heir,)))
