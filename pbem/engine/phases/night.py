"""Sunset, vision and murder (CAL-4, NIGHT-1 to NIGHT-12), the count and the opening of the next day."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from pbem.engine import victory
from pbem.engine.calendar import executions
from pbem.engine.deaths import bury, end, with_lovers
from pbem.engine.events import (
    STORYTELLER,
    BeastUnmasked,
    ConvertedTold,
    DayOpened,
    MurderDone,
    NoEffect,
    PackJoined,
    PhaseClosed,
    PowerSpent,
    RoleChanged,
    StalemateNoted,
    TurnEnded,
    VisionOpened,
)
from pbem.engine.night import fall, lapse, victims
from pbem.engine.phases.trial import at_least
from pbem.engine.roles import ROSTER, little_child, prescient
from pbem.engine.roles.pack import fellows, pack
from pbem.engine.roles.werewolf import ROLE as WEREWOLF
from pbem.engine.statuses.mayor import set_election

if TYPE_CHECKING:
    from pbem.engine.state import Night
    from pbem.engine.story import Story

QUIET_TURNS = 3
"""WIN-10."""


def close_sunset(story: Story, at: datetime) -> None:
    """The night is worked out; seers and prescients are told; the vision window opens."""
    story.tell(PhaseClosed("sunset", at))
    fall(story)
    until = at_least(story, at) + timedelta(seconds=story.game.options.vision)
    story.tell(VisionOpened(story.game.turn, until))


def close_vision(story: Story, at: datetime) -> None:
    """FINE-15: no answer any more; the murder comes next, at the same moment."""
    story.tell(PhaseClosed("vision", at))


def murder(story: Story, at: datetime) -> None:
    """NIGHT-6 to NIGHT-8, then the next day."""
    night = story.game.night
    assert night is not None
    story.tell(PhaseClosed("murder", at))
    saved = prescient.save(story, night)
    killed = victims(story.game, saved)
    found = _found(story, night, killed)
    dying = {seat for seat, _ in with_lovers(story.game, found)}
    rolled = little_child.peek(story, night, dying, killed=bool(killed))
    lapse(story, (little_child.PEEK.verb.name,))
    story.tell(*(PowerSpent(*spend) for spend in night.spends))
    story.tell(MurderDone(story.game.turn, tuple(seat for seat, _ in found), night.asleep))
    bury(story, found)
    if not story.over:
        _aftermath(story, night, rolled)
        _count(story, at)


def _found(story: Story, night: Night, killed: tuple[int, ...]) -> list[tuple[int, str]]:
    """NIGHT-7: the victims and the sacrificed wolf, in seat order."""
    found = [(seat, "murdered") for seat in killed]
    wolf = night.sacrificed
    if wolf and story.game.player(wolf).alive and wolf not in killed:
        found.append((wolf, "sacrificed"))
    return sorted(found)


def _aftermath(story: Story, night: Night, rolled: list[tuple[int, bool]]) -> None:
    """What is learned after the murder, and only then: conversions, unmasked beasts, spotted children, no effect."""
    before = pack(story.game)
    if night.converted and story.game.player(night.converted).alive:
        _convert(story, night.converted)
    for wolf in before:
        story.tell(*(BeastUnmasked(wolf, beast) for beast in night.unmasked if story.game.player(beast).alive))
    little_child.tell_pack(story, before, rolled)
    for seat, verb in night.stopped:
        if story.game.player(seat).alive:
            story.tell(NoEffect(seat, verb))


def _convert(story: Story, seat: int) -> None:
    """CORR-2: he loses his role and what he had ordered by it; he and the pack are told about each other."""
    old = ROSTER[story.game.player(seat).role]
    lost = [power.verb.name for power in old.powers]
    wolves = pack(story.game)
    story.tell(RoleChanged(seat, WEREWOLF.slug))
    lapse(story, tuple(lost), seat)
    story.tell(ConvertedTold(seat, fellows(story.game, seat)))
    story.tell(*(PackJoined(wolf, seat) for wolf in wolves))


def _count(story: Story, at: datetime) -> None:
    """NIGHT-8: WIN-2 is judged, the turn ends, the next day opens."""
    won = victory.at_count(story.game)
    if won:
        end(story, won)
        return
    story.tell(TurnEnded(story.game.turn, story.game.deaths_this_turn))
    if story.game.quiet_turns >= QUIET_TURNS:
        story.tell(StalemateNoted(STORYTELLER))
    open_day(story, at)


def open_day(story: Story, at: datetime) -> None:
    """The next day, its T by the calendar (CAL-1), and an election where one is due (MAYOR-6)."""
    start = at_least(story, at)
    execution = next(executions(story.game.options, start))
    story.tell(DayOpened(story.game.turn + 1, start, execution))
    set_election(story)
