"""Whether a player's verb may be used, and if not by which code (MAIL.md § 6): the chain of refusals in its order.

What the mail layer alone can tell (not-in-game, unknown-command, secret-in-public, …) is refused before.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbem.engine.roles import ROSTER
from pbem.engine.roles.base import Power
from pbem.engine.roles.targets import both, not_immune, not_lover
from pbem.engine.state import Phase
from pbem.engine.statuses.mayor import ELECT, HEIR
from pbem.engine.statuses.tie import DECIDE
from pbem.engine.verbs import VOTE as VOTE_VERB

if TYPE_CHECKING:
    from datetime import datetime

    from pbem.engine.commands import Order
    from pbem.engine.state import Game, Player

VOTE = Power(VOTE_VERB, "execution", check=both(not_lover, not_immune))
COMMON_POWERS = (VOTE, ELECT, HEIR, DECIDE)
SPEECH = ("SAY", "PACK")
PLAIN = ("LEAVE", "ABSENT", "QUESTION", "CANCEL", "SAY", "GRAVEYARD")
"""Verbs that stand for no power."""
THROUGH_A_PAUSE = ("SAY", "PACK", "GRAVEYARD", "QUESTION")
"""FINE-20; STATUS, HELP and RULES are answered without the rules."""
AFTER_THE_END = ("SAY", "GRAVEYARD", "QUESTION")
LONGEST = 50_000
"""Characters of one post."""

_COMMON = {power.verb.name: power for power in COMMON_POWERS}
_OF_ROLE = {slug: {power.verb.name: power for power in role.powers} for slug, role in ROSTER.items()} | {"": {}}
"""Powers by verb; a player without a role has none of his own."""

_DAY = frozenset({Phase.DAY})
_UNTIL_SUNSET = frozenset({Phase.DAY, Phase.TIE_BREAK, Phase.SUNSET})
OPEN_IN = {
    "election": _DAY,
    "execution": _DAY,
    "tie-break": frozenset({Phase.TIE_BREAK}),
    "sunset": _UNTIL_SUNSET,
    "vision": _UNTIL_SUNSET | {Phase.VISION},
    "first-election": frozenset(Phase) - {Phase.REGISTRATION, Phase.OVER},
    "any": frozenset(Phase) - {Phase.REGISTRATION, Phase.OVER},
}
"""In which phases a verb is taken, by the closing that ends its hours (CAL-4, NIGHT-9)."""


def powers_of(player: Player) -> tuple[Power, ...]:
    """His role's powers, as it shows now."""
    return ROSTER[player.role].powers if player.role else ()


def power_named(game: Game, player: Player, verb: str) -> Power | None:
    """The power behind a verb in this player's hands, or None: another's, or not his now (HEIR, DECIDE)."""
    if verb == HEIR.verb.name and game.mayor != player.seat:
        return None
    if verb == DECIDE.verb.name and (not game.tie or game.tie.asked != player.seat):
        return None
    return _COMMON.get(verb) or _OF_ROLE[player.role].get(verb)


def open_now(game: Game, power: Power) -> bool:
    """Whether the present phase takes it."""
    if game.phase not in OPEN_IN[power.until]:
        return False
    if power.until == "first-election":
        return pairing_open(game)
    return not (power.until == "vision" and game.phase is Phase.VISION and game.vision_closed)


def pairing_open(game: Game) -> bool:
    """MATCH-1: until the first election has closed, or the first T has come."""
    return not game.first_election_over and "execution" not in game.closed


def objection(game: Game, order: Order) -> str:
    """The code by which this order is refused, or ''."""
    steps = (_stranger, _game_state, _actor, _power, _hours, _words, _dead_target, _rest)
    return next((code for step in steps if (code := step(game, order))), "")


def _stranger(game: Game, order: Order) -> str:  # noqa: ARG001 - the shape of a step
    return "not-in-game" if not order.seat and order.verb not in ("GRAVEYARD", "QUESTION") else ""


def _game_state(game: Game, order: Order) -> str:
    if game.phase is Phase.OVER and order.verb not in AFTER_THE_END:
        return "game-over"
    return "game-paused" if game.paused and order.verb not in THROUGH_A_PAUSE else ""


def _actor(game: Game, order: Order) -> str:
    if not order.seat:
        return ""
    player = game.player(order.seat)
    if order.verb == "GRAVEYARD":
        return "living-only" if player.alive and game.started and game.phase is not Phase.OVER else ""
    if player.alive or order.verb == "QUESTION" or game.phase is Phase.OVER:
        return ""
    if order.verb in SPEECH:
        return "" if order.verb == "SAY" and player.haunting else "graveyard-only"
    return "dead-actor"


def _power(game: Game, order: Order) -> str:
    if order.verb in PLAIN or not order.seat:
        return ""
    if not game.started:
        return "wrong-time"
    player = game.player(order.seat)
    power = power_named(game, player, order.verb)
    if not power:
        return "too-late" if _asked_before(game, order) else "not-your-power"
    if power.once and order.verb in player.spent:
        return "already-used"
    return power.available(game, player)


def _asked_before(game: Game, order: Order) -> bool:
    """Whether this is an answer to the tie-break that is over, sent while it ran."""
    closed = game.closed.get("tie-break")
    return order.verb == "DECIDE" and order.seat == game.last_asked and closed is not None and order.at <= closed


def _hours(game: Game, order: Order) -> str:
    if order.verb == "GRAVEYARD":
        return "wrong-time" if _haunts(game, order) else _after_start(game)
    verb = order.words.word if order.verb == "CANCEL" else order.verb
    if order.verb == "ABSENT" or (order.verb == "CANCEL" and not game.started):
        return _after_start(game)
    if verb in PLAIN or not order.seat:
        return ""
    power = power_named(game, game.player(order.seat), verb)
    return _hours_of(game, order, power) if power else ""


def _haunts(game: Game, order: Order) -> bool:
    """GHOST-1: he enters the graveyard only at the next T, or when the game is over."""
    return order.seat > 0 and game.player(order.seat).haunting and game.phase is not Phase.OVER


def _after_start(game: Game) -> str:
    return "" if game.started else "wrong-time"


def _hours_of(game: Game, order: Order, power: Power) -> str:
    closed = _closed(game, power)
    if closed is not None and order.at <= closed:
        return "too-late"
    if not open_now(game, power) or _of_last_night(game, order, power):
        return "wrong-time"
    if power.until != "election":
        return ""
    running = game.election is not None and game.election.opens <= order.at <= game.election.closes
    return "" if running else "wrong-time"


def _closed(game: Game, power: Power) -> datetime | None:
    """When the hours of that power were last over."""
    if power.until != "first-election":
        return game.closed.get(power.until)
    ends = [game.closed[what] for what in ("election", "execution") if what in game.closed]
    return min(ends, default=None)


def _of_last_night(game: Game, order: Order, power: Power) -> bool:
    """Whether it was sent in the night before, after its hours, and is only confirmed now that they have come again."""
    murder = game.closed.get("murder")
    return power.until in ("execution", "sunset") and murder is not None and order.at < murder


def _words(game: Game, order: Order) -> str:  # noqa: ARG001 - the shape of a step
    if order.words.fault:
        return order.words.fault
    if order.verb not in (*SPEECH, "GRAVEYARD", "QUESTION"):
        return ""
    if not order.words.text.strip():
        return "empty"
    return "too-long" if len(order.words.text) > LONGEST else ""


def _dead_target(game: Game, order: Order) -> str:
    return "dead-target" if any(not game.player(seat).alive for seat in order.words.seats) else ""


def _rest(game: Game, order: Order) -> str:
    if not order.seat:
        return ""
    player = game.player(order.seat)
    if order.verb == "CANCEL":
        return _cancel(game, player, order.words.word) or _stale(game, order)
    power = power_named(game, player, order.verb) if order.verb not in PLAIN else None
    return (power.check(game, player, order.words.seats) if power else "") or _stale(game, order)


def _cancel(game: Game, player: Player, verb: str) -> str:
    """FINE-16, FINE-18: what is not one's own, or not on record; a pair is for good."""
    power = power_named(game, player, verb)
    if not power:
        return "not-a-choice"
    if verb == "PAIR" and player.seat in game.paired_by:
        return "already-paired"
    return "" if game.order(player.seat, verb) else "not-a-choice"


def _stale(game: Game, order: Order) -> str:
    """MAIL.md § 4: what is confirmed late never goes over what its writer has said since."""
    verb = order.words.word if order.verb == "CANCEL" else order.verb
    spoken = game.latest.get((order.seat, verb))
    return "too-late" if spoken is not None and order.at < spoken else ""
