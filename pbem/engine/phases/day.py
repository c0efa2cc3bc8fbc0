"""What players do by their verbs: talk, standing orders, immediate powers, cancelling (MAIL.md § 3).

Legality is judged before (`legality.objection`); here an order takes effect.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbem.engine.commands import Order, Words
from pbem.engine.events import (
    STORYTELLER,
    AbsenceAsked,
    GraveyardTalked,
    OrderCancelled,
    OrderedFor,
    OrderTaken,
    PackTalked,
    Posted,
    QuestionAsked,
    ReplacementWanted,
)
from pbem.engine.legality import objection, power_named
from pbem.engine.phases.signup import leave
from pbem.engine.phases.trial import decided
from pbem.engine.roles.pack import fellows
from pbem.engine.state import Phase
from pbem.engine.statuses.mayor import ELECT
from pbem.engine.statuses.tie import DECIDE

if TYPE_CHECKING:
    from collections.abc import Callable

    from pbem.engine.state import Game
    from pbem.engine.story import Story


def carry_out(story: Story, order: Order) -> None:
    """Let an order that nothing speaks against take effect."""
    if order.by_storyteller:
        story.tell(OrderedFor(order.seat, order.verb))
    plain = _PLAIN.get(order.verb)
    if plain:
        plain(story, order)
        return
    power = power_named(story.game, story.game.player(order.seat), order.verb)
    assert power is not None
    if power.at_once:
        power.at_once(story, order)
        return
    story.tell(OrderTaken(order.seat, order.verb, order.at, order.words.seats, order.words.word))
    if power is ELECT:
        story.tell(Posted(order.seat, ballot_sentence(story.game, order.words.seats[0]), order.at))
    if power is DECIDE:
        decided(story)


def ballot_sentence(game: Game, seat: int) -> str:
    """MAYOR-2: the sentence by which one votes, in the village's language."""
    name = game.player(seat).name
    return f"Élisons {name}\u00a0!" if game.options.language == "fr" else f"Let’s elect {name}!"


def _say(story: Story, order: Order) -> None:
    """A post; a last sentence that elects is a ballot too, where one can be cast (MAYOR-2, FINE-20)."""
    player = story.game.player(order.seat)
    story.tell(Posted(order.seat, order.words.text, order.at, ghost=not player.alive and player.haunting))
    if order.words.elects > 0 and not ballot_objection(story.game, order):
        story.tell(OrderTaken(order.seat, ELECT.verb.name, order.at, (order.words.elects,)))


def ballot_objection(game: Game, order: Order) -> str:
    """Why the last sentence of this post is no ballot, by its code, or ''."""
    if order.words.elects < 1:
        return "unknown-player" if order.words.elects else ""
    return objection(game, Order(order.at, order.seat, ELECT.verb.name, Words((order.words.elects,))))


def _pack(story: Story, order: Order) -> None:
    """WOLF-2: to every other living wolf."""
    story.tell(*(PackTalked(wolf, order.seat, order.words.text) for wolf in fellows(story.game, order.seat)))


def _graveyard(story: Story, order: Order) -> None:
    """ORG-2: to the dead, except ghosts in their time; readers get it too."""
    over = story.game.phase is Phase.OVER
    dead = (p for p in story.game.players if over or (not p.alive and not p.haunting))
    seats = tuple(p.seat for p in dead if p.seat != order.seat)
    story.tell(GraveyardTalked(order.seat, order.name, order.words.text, order.at, seats))


def _cancel(story: Story, order: Order) -> None:
    story.tell(OrderCancelled(order.seat, order.words.word, order.at))


def _leave(story: Story, order: Order) -> None:
    if story.game.started:
        story.tell(ReplacementWanted(STORYTELLER, order.seat))
    else:
        leave(story, order.seat)


def _absent(story: Story, order: Order) -> None:
    story.tell(AbsenceAsked(STORYTELLER, order.seat, order.words.word, order.words.text))


def _question(story: Story, order: Order) -> None:
    story.tell(QuestionAsked(STORYTELLER, order.seat, order.name, order.words.text))


_PLAIN: dict[str, Callable[[Story, Order], None]] = {
    "SAY": _say,
    "PACK": _pack,
    "GRAVEYARD": _graveyard,
    "CANCEL": _cancel,
    "LEAVE": _leave,
    "ABSENT": _absent,
    "QUESTION": _question,
}
