"""The rules' one door: `decide(game, command)` gives the events that follow, and nothing else happens.

A refusal is an event too (`Rejected`). Decisions depend on the game and the command alone: the same ones give the same
events, always.
"""

from __future__ import annotations

from functools import singledispatch
from typing import TYPE_CHECKING

from pbem.engine import commands as c
from pbem.engine import events as e
from pbem.engine.deaths import bury, end
from pbem.engine.legality import objection
from pbem.engine.names import fold
from pbem.engine.phases import clock, signup
from pbem.engine.phases.day import carry_out
from pbem.engine.phases.trial import tie_after_deaths
from pbem.engine.state import Phase
from pbem.engine.statuses.lovers import pair, storyteller_may_pair
from pbem.engine.statuses.mayor import install
from pbem.engine.steering import before_start, running, within_reach
from pbem.engine.story import Story
from pbem.engine.victory import Victory

if TYPE_CHECKING:
    from datetime import datetime

    from pbem.engine.state import Game


def decide(game: Game, command: c.Command) -> tuple[e.Event, ...]:
    """What follows from that command; never raises for anything a player or storyteller can ask."""
    return unfold(game, command)[0]


def unfold(game: Game, command: c.Command) -> tuple[tuple[e.Event, ...], Game]:
    """The same, and the game after it: what `evolve` would make of it with these events."""
    story = Story(game, command.at, command.read)
    _act(command, story)
    return tuple(story.events), story.game


def due(game: Game, at: datetime) -> str | None:
    """What a Tick at that moment would resolve first: a closing, reminder or warning; None if nothing is due."""
    first = clock.ripe(game, at)
    return first.what if first else None


def due_at(game: Game) -> datetime | None:
    """When the next closing is due (no reminder or warning); None if the game stands still."""
    return next((d.at for d in clock.agenda(game) if d.what in clock.TRANSITIONS), None)


def next_wakeup(game: Game) -> datetime | None:
    """When something is due next."""
    first = next(iter(clock.agenda(game)), None)
    return first.at if first else None


@singledispatch
def _act(command: c.Command, story: Story) -> None:  # noqa: ARG001 - the fallback of the dispatch
    raise TypeError(command)


@_act.register
def _(command: c.OpenGame, story: Story) -> None:
    story.tell(e.GameOpened(command.code, command.options, command.seed, command.at, command.dice))


@_act.register
def _(command: c.Join, story: Story) -> None:
    signup.join(story, command)


@_act.register
def _(command: c.Order, story: Story) -> None:
    code = objection(story.game, command)
    if not code:
        carry_out(story, command)
        return
    words = command.words
    story.tell(e.Rejected(code, command.verb, command.seat, words.unread, words.suggestions))
    if code == "living-only":
        _intrusion(story, command.seat)


def _intrusion(story: Story, seat: int) -> None:
    """ORG-2: the storyteller is told; with graveyard_intrusion = "kill" the heart stops."""
    story.tell(e.Intruded(e.STORYTELLER, seat))
    if story.game.options.graveyard_intrusion == "kill" and story.game.started:
        _smite(story, seat)


@_act.register
def _(_command: c.OpenRegistration, story: Story) -> None:
    game = story.game
    dealt = bool(game.players) and bool(game.players[0].role)
    if before_start(story, "OPEN"):
        story.tell(e.Rejected("wrong-time", "OPEN") if game.open or dealt else e.RegistrationOpened())


@_act.register
def _(_command: c.CloseRegistration, story: Story) -> None:
    if before_start(story, "CLOSE"):
        story.tell(e.RegistrationClosed() if story.game.open else e.Rejected("wrong-time", "CLOSE"))


@_act.register
def _(command: c.SetComposition, story: Story) -> None:
    signup.set_composition(story, command)


@_act.register
def _(command: c.Deal, story: Story) -> None:
    signup.deal(story, command)


@_act.register
def _(command: c.Start, story: Story) -> None:
    signup.start(story, command)


@_act.register
def _(_command: c.Pause, story: Story) -> None:
    clock.pause(story)


@_act.register
def _(_command: c.Resume, story: Story) -> None:
    clock.resume(story)


@_act.register
def _(command: c.Extend, story: Story) -> None:
    clock.extend(story, command)


@_act.register
def _(command: c.MoveDeadline, story: Story) -> None:
    clock.move(story, command)


@_act.register
def _(_command: c.Resolve, story: Story) -> None:
    clock.resolve_now(story)


@_act.register
def _(command: c.Excuse, story: Story) -> None:
    if not running(story, "EXCUSE", command.seat):
        return
    if command.until is None or within_reach(story, "EXCUSE", command.until):
        story.tell(e.Excused(command.seat, command.until))


@_act.register
def _(command: c.Smite, story: Story) -> None:
    if running(story, "SMITE", command.seat):
        _smite(story, command.seat, command.reason)


def _smite(story: Story, seat: int, reason: str = "") -> None:
    """ORG-4, in any phase."""
    bury(story, [(seat, "heart-attack")], reason)
    tie_after_deaths(story)


@_act.register
def _(command: c.Replace, story: Story) -> None:
    game = story.game
    taken = {fold(p.name) for p in game.players if p.seat != command.seat}
    if not running(story, "REPLACE", command.seat):
        return
    player = game.player(command.seat)
    if command.bad_name or (command.name and fold(command.name) in taken):
        story.tell(e.Rejected("bad-name" if command.bad_name else "name-taken", "REPLACE", words=command.name))
        return
    story.tell(e.Replaced(command.seat, command.name or player.name, command.gender or player.gender))


@_act.register
def _(command: c.Pair, story: Story) -> None:
    if running(story, "PAIR", command.a, command.b):
        code = storyteller_may_pair(story.game, (command.a, command.b))
        if code:
            story.tell(e.Rejected(code, "PAIR"))
        else:
            pair(story, command.a, command.b)


@_act.register
def _(command: c.AppointMayor, story: Story) -> None:
    if running(story, "MAYOR", command.seat):
        if story.game.player(command.seat).ineligible:
            story.tell(e.Rejected("ineligible", "MAYOR"))
            return
        install(story, command.seat, "appointed")
        tie_after_deaths(story)


@_act.register
def _(command: c.Narrate, story: Story) -> None:
    story.tell(e.Narrated(command.text) if command.text.strip() else e.Rejected("empty", "NARRATE"))


@_act.register
def _(command: c.Hold, story: Story) -> None:
    story.tell(e.DigestsHeld(command.held))


@_act.register
def _(command: c.Announce, story: Story) -> None:
    story.tell(e.Announced(command.text) if command.text.strip() else e.Rejected("empty", "ANNOUNCE"))


@_act.register
def _(command: c.Tell, story: Story) -> None:
    story.tell(e.Told(command.seat, command.text) if command.text.strip() else e.Rejected("empty", "TELL"))


@_act.register
def _(_command: c.Abort, story: Story) -> None:
    if story.game.phase is Phase.OVER:
        story.tell(e.Rejected("game-over", "ABORT"))
    else:
        end(story, Victory("nobody", ()), aborted=True)


@_act.register
def _(command: c.Tick, story: Story) -> None:
    first = clock.ripe(story.game, command.at)
    if first:
        clock.resolve(story, first)


@_act.register
def _(_command: c.MailboxDown, story: Story) -> None:
    clock.mailbox_down(story)
