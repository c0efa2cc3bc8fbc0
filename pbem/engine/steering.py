"""Whether the storyteller's command may be carried out, by the same order of codes as a player's (MAIL.md § 6)."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Final

from pbem.engine.events import Rejected
from pbem.engine.state import Phase

if TYPE_CHECKING:
    from datetime import datetime

    from pbem.engine.state import Game
    from pbem.engine.story import Story

HORIZON: Final = timedelta(days=366)
"""How far ahead the storyteller may set anything: what lies beyond is a slip of the pen, and no calendar has to hold
it.
"""


def before_start(story: Story, verb: str) -> bool:
    """Whether registration still runs, for what belongs there; tells the refusal if not."""
    game = story.game
    return _told(story, verb, "game-over" if game.phase is Phase.OVER else "wrong-time" if game.started else "")


def running(story: Story, verb: str, *seats: int) -> bool:
    """Whether the game runs and these seats live; tells the refusal if not."""
    dead = any(not story.game.player(seat).alive for seat in seats if story.game.started)
    return _told(story, verb, _asleep(story.game) or ("dead-target" if dead else ""))


def timely(story: Story, verb: str) -> bool:
    """Whether a command to the clock (CAL-7) meets the phase that it was meant for; tells the refusal if not.

    One that was held and is confirmed when that phase has been resolved comes too late (MAIL.md § 4).
    """
    game = story.game
    code = _asleep(game)
    if not code and game.paused:
        code = "game-paused"
    if not code and any(story.at < closed for what, closed in game.closed.items() if what != "election"):
        code = "too-late"
    return _told(story, verb, code)


def within_reach(story: Story, verb: str, moment: datetime) -> bool:
    """Whether a moment that the storyteller names lies before `HORIZON`; tells the refusal if not."""
    return _told(story, verb, "not-a-choice" if moment - story.read > HORIZON else "")


def _asleep(game: Game) -> str:
    if game.phase is Phase.OVER:
        return "game-over"
    return "" if game.started else "wrong-time"


def _told(story: Story, verb: str, code: str) -> bool:
    if code:
        story.tell(Rejected(code, verb))
    return not code
