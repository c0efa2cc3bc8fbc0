"""The execution: T, the tie-break where it is needed, the deaths, the inactive, and the way into sunset.

CAL-4, CAL-5, VOTE-4 to VOTE-8, EXEC-1, FINE-7, FINE-8, FINE-10.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from pbem.engine.ballot import count
from pbem.engine.deaths import bury
from pbem.engine.events import (
    STORYTELLER,
    Asked,
    ExecutionDone,
    GhostsLaid,
    PhaseClosed,
    SilenceReported,
    SilentNoted,
    SunsetOpened,
    TieAnnounced,
    TiedDropped,
    TieFound,
)
from pbem.engine.night import lapse
from pbem.engine.statuses.mayor import repudiate
from pbem.engine.statuses.tie import DECIDE, EXECUTIONER, MAYOR, choices

if TYPE_CHECKING:
    from pbem.engine.ballot import Ballot
    from pbem.engine.state import Player
    from pbem.engine.story import Story


def close_day(story: Story, at: datetime) -> None:
    """T has come: count, publish, and execute or open a tie-break."""
    story.tell(PhaseClosed("execution", at))
    ballot = count(story)
    lapse(story, ("FORGE", "FORCE", "DOUBLE", "VOTE"))
    _lay_ghosts(story)
    _note_silence(story, at)
    if ballot.tied and _ask(story, ballot, at):
        return
    execute(story, ballot.sure, at)


def _ask(story: Story, ballot: Ballot, at: datetime) -> bool:
    """Open a tie-break window if there is somebody to ask; False if the tie just means that nobody burns."""
    asked, office = (ballot.doubler, EXECUTIONER) if ballot.doubler else (story.game.mayor, MAYOR)
    if not asked:
        return False
    story.tell(TieFound(ballot.tied, ballot.places, ballot.sure, asked, office))
    _open_window(story, at)
    return True


def _open_window(story: Story, at: datetime) -> None:
    tie = story.game.tie
    assert tie is not None
    until = at_least(story, at) + timedelta(seconds=story.game.options.tie_break)
    mayor = tie.asked if tie.office == MAYOR else None
    story.tell(TieAnnounced(tie.tied, mayor, until))
    story.tell(Asked(tie.asked, choices(story.game, tie), tie.places, until, tie.office))


def at_least(story: Story, at: datetime) -> datetime:
    """Where a window starts: at the closing itself, or at the reading if that came a minute or more later (FINE-11)."""
    return story.read if story.read - at >= timedelta(minutes=1) else at


def decided(story: Story) -> None:
    """After a DECIDE: a mayor's answer ends the window at once, an executioner's does not (CAL-5)."""
    tie = story.game.tie
    if tie and tie.office == MAYOR:
        close_tie(story, story.at)


def close_tie(story: Story, at: datetime) -> None:
    """The window is over: the choice burns; a silent mayor is repudiated, a silent executioner leaves places empty."""
    tie = story.game.tie
    assert tie is not None
    order = story.game.order(tie.asked, DECIDE.verb.name)
    story.tell(PhaseClosed("tie-break", at))
    lapse(story, (DECIDE.verb.name,))
    chosen = tie.tied if tie.office == EXECUTIONER and len(tie.tied) <= tie.places else order.seats if order else ()
    if tie.office == MAYOR and not order:
        repudiate(story)
    execute(story, (*tie.sure, *chosen), at)


def tie_after_deaths(story: Story) -> None:
    """Somebody died, or the office changed hands, during the window (VOTE-5, FINE-8)."""
    tie = story.game.tie
    if not tie or story.over:
        return
    gone = tuple(s for s in (*tie.tied, *tie.sure) if not story.game.player(s).alive)
    if gone:
        story.tell(TiedDropped(gone))
    if tie.office == MAYOR:
        _mayors_tie(story, tuple(s for s in tie.tied if s not in gone), tie.asked)


def _mayors_tie(story: Story, tied: tuple[int, ...], asked: int) -> None:
    mayor = story.game.mayor
    if len(tied) <= 1 or not mayor:
        story.tell(PhaseClosed("tie-break", story.at))
        lapse(story, (DECIDE.verb.name,))
        execute(story, tied if len(tied) == 1 else (), story.at)
    elif mayor != asked:
        lapse(story, (DECIDE.verb.name,))
        story.tell(TieFound(tied, 1, (), mayor, MAYOR))
        _open_window(story, story.at)


def execute(story: Story, burned: tuple[int, ...], at: datetime) -> None:
    """They burn, with their lovers; then the inactive go, a second batch (FINE-10); then the sun sets."""
    burned = tuple(sorted(s for s in burned if story.game.player(s).alive))
    story.tell(ExecutionDone(story.game.turn, burned))
    bury(story, [(seat, "executed") for seat in burned])
    if not story.over and story.game.options.inactivity == "eliminate":
        bury(story, [(seat, "inactive") for seat in story.game.silent])
    if not story.over:
        until = at_least(story, at) + timedelta(seconds=story.game.options.sunset)
        story.tell(SunsetOpened(story.game.turn, until))


def _lay_ghosts(story: Story) -> None:
    ghosts = tuple(p.seat for p in story.game.players if p.haunting)
    if ghosts:
        story.tell(GhostsLaid(ghosts))


def _note_silence(story: Story, at: datetime) -> None:
    """VOTE-7: who has posted nothing since the last T; the first span only begins now."""
    game = story.game
    silent = tuple(p.seat for p in game.living if game.span and not p.posted and not excused(p, at))
    silent = silent if game.options.inactivity != "off" else ()
    story.tell(SilentNoted(silent))
    if silent and game.options.inactivity == "report":
        story.tell(SilenceReported(STORYTELLER, silent))


def excused(player: Player, at: datetime) -> bool:
    """Whether the storyteller has excused him for the span that ends at `at`."""
    return player.excused or (player.excused_until is not None and player.excused_until >= at)
