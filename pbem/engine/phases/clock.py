"""What is due when: closings, reminders, warnings; and the storyteller's hand on the clock (CAL-6, CAL-7, FINE-20)."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import TYPE_CHECKING, NamedTuple

from pbem.engine.calendar import add_days, next_election, resumed_execution
from pbem.engine.events import (
    STORYTELLER,
    DeadlineMoved,
    ElectionSet,
    InactivityWarned,
    MailboxLate,
    Paused,
    Rejected,
    Resumed,
    VoteReminded,
)
from pbem.engine.options import DAY
from pbem.engine.phases import night, trial
from pbem.engine.state import Phase
from pbem.engine.statuses.mayor import close_election
from pbem.engine.steering import HORIZON, running, timely, within_reach

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from pbem.engine.commands import Extend, MoveDeadline
    from pbem.engine.state import Game, Player
    from pbem.engine.story import Story

WARNING = timedelta(hours=24)
"""VOTE-7: how long before T the inactive are warned."""
LATE = timedelta(minutes=1)
"""From this lateness on a window counts from the reading, and the storyteller is told (CAL-6)."""


class Due(NamedTuple):
    """Something that happens at `at`: election, execution, tie-break, sunset, vision, murder, reminder or warning."""

    at: datetime
    what: str


TRANSITIONS: dict[str, Callable[[Story, datetime], None]] = {
    "election": close_election,
    "execution": trial.close_day,
    "tie-break": trial.close_tie,
    "sunset": night.close_sunset,
    "vision": night.close_vision,
    "murder": night.murder,
}
"""What each closing does. Where several are due at once, those above come first (CAL-2)."""

ENDS = {Phase.DAY: "execution", Phase.TIE_BREAK: "tie-break", Phase.SUNSET: "sunset", Phase.VISION: "vision"}
"""Which closing ends a phase; vision's is followed by the murder (FINE-15)."""


def agenda(game: Game) -> list[Due]:
    """All that is due in this game as it stands, soonest first."""
    if game.paused or game.phase not in ENDS or game.deadline is None:
        return []
    what = "murder" if game.vision_closed else ENDS[game.phase]
    due = [Due(game.deadline, what)]
    if game.election:
        due.append(Due(game.election.closes, "election"))
    if game.phase is Phase.DAY:
        due += [Due(at, "reminder") for player in game.living for at, _ in _reminders(game, player)]
        due += [Due(_warning(game), "warning")] if _unwarned(game) else []
    order = ["reminder", "warning", *TRANSITIONS]
    return sorted(due, key=lambda d: (d.at, order.index(d.what)))


def ripe(game: Game, at: datetime) -> Due | None:
    """What comes first of all that is due by `at`; a closing that is due leaves no time for reminders."""
    due = [d for d in agenda(game) if d.at <= at]
    return next((d for d in due if d.what in TRANSITIONS), due[0] if due else None)


def resolve(story: Story, due: Due) -> None:
    """Let one thing that is due happen; the storyteller hears of a closing that had to wait for the mailbox."""
    if due.what == "reminder":
        _remind(story)
    elif due.what == "warning":
        story.tell(*(InactivityWarned(p.seat, _t(story.game)) for p in _unwarned(story.game)))
    else:
        _note_lateness(story, due)
        TRANSITIONS[due.what](story, due.at)


def _note_lateness(story: Story, due: Due) -> None:
    late = story.at - due.at >= LATE
    if late and story.game.late_told != due.at:
        story.tell(MailboxLate(STORYTELLER, due.what, due.at))


def mailbox_down(story: Story) -> None:
    """CAL-6: a deadline has passed unread; the storyteller is told once."""
    closing = next((due for due in agenda(story.game) if due.what in TRANSITIONS), None)
    if closing and closing.at <= story.at:
        _note_lateness(story, closing)


def _t(game: Game) -> datetime:
    assert game.deadline is not None
    return game.deadline


def _reminders(game: Game, player: Player) -> Iterator[tuple[datetime, int]]:
    """The reminders that this player still gets today: those whose moment was not before the day opened, nor before he
    last spoke of his vote.
    """
    if game.order(player.seat, "VOTE") or game.day_opened is None:
        return
    since = max(game.day_opened, game.latest.get((player.seat, "VOTE"), game.day_opened))
    for hours in game.options.reminders:
        at = _t(game) - timedelta(hours=hours)
        if hours not in player.reminded and at > since:
            yield at, hours


def _remind(story: Story) -> None:
    """MAIL.md § 5: only those who have not voted; several that are due at once make one letter."""
    for player in story.game.living:
        hours = [h for at, h in _reminders(story.game, player) if at <= story.at]
        story.tell(*(VoteReminded(player.seat, h, _t(story.game)) for h in hours))


def _warning(game: Game) -> datetime:
    assert game.day_opened is not None
    return max(_t(game) - WARNING, game.day_opened)


def _unwarned(game: Game) -> tuple[Player, ...]:
    """VOTE-7: who would be eliminated as things stand, and has not been warned."""
    if not game.span or game.options.inactivity == "off":
        return ()
    t = _t(game)
    return tuple(p for p in game.living if not p.posted and not p.warned and not trial.excused(p, t))


def pause(story: Story) -> None:
    """PAUSE."""
    if timely(story, "PAUSE"):
        left = max(0, int((_t(story.game) - story.at).total_seconds()))
        story.tell(Paused(story.at, left))


def resume(story: Story) -> None:
    """RESUME: a day until the first calendar T that leaves the time that was left, a window for exactly that time."""
    game = story.game
    if not running(story, "RESUME"):
        return
    if game.paused_left is None:
        story.tell(Rejected("wrong-time", "RESUME"))
        return
    left = timedelta(seconds=game.paused_left)
    day = game.phase is Phase.DAY
    now = trial.at_least(story, story.at)
    deadline = resumed_execution(game.options, now, left) if day else now + left
    story.tell(Resumed(story.at, game.phase.value, deadline))
    if game.election or (day and game.vacant):
        _move_election(story, deadline)


def _move_election(story: Story, deadline: datetime) -> None:
    """FINE-20: an election that was due runs on the new T's eve, or on the next one whose hour has not come.

    So does one that fell due during the pause. In a window `deadline` is no T, but its eve is over too.
    """
    hours = next_election(story.game.options, story.at, deadline)
    story.tell(ElectionSet(hours.opens, hours.closes))


def extend(story: Story, command: Extend) -> None:
    """EXTEND: the end of this phase moves later, by no more than the storyteller can mean."""
    game = story.game
    if not timely(story, "EXTEND"):
        return
    seconds = command.seconds + command.days * DAY
    if not 0 < seconds <= HORIZON.total_seconds():  # before it is reckoned with: no calendar holds every number
        story.tell(Rejected("not-a-choice", "EXTEND"))
        return
    later = _t(game) + timedelta(seconds=command.seconds)
    later = add_days(game.options, later, command.days) if command.days else later
    if within_reach(story, "EXTEND", later):
        story.tell(DeadlineMoved(game.phase.value, later, story.at))


def move(story: Story, command: MoveDeadline) -> None:
    """DEADLINE: to a moment that has not passed, and that somebody may live to see."""
    if not timely(story, "DEADLINE"):
        return
    if command.deadline <= story.read:
        story.tell(Rejected("not-a-choice", "DEADLINE"))
    elif within_reach(story, "DEADLINE", command.deadline):
        story.tell(DeadlineMoved(story.game.phase.value, command.deadline, story.at))


def resolve_now(story: Story) -> None:
    """RESOLVE: the present phase ends at this moment; vision together with its murder."""
    game = story.game
    if not timely(story, "RESOLVE"):
        return
    what = "murder" if game.vision_closed else ENDS[game.phase]
    TRANSITIONS[what](story, story.at)
    if what == "vision":
        TRANSITIONS["murder"](story, story.at)
    if what == "sunset" and story.game.deadline is not None:  # its own hour was told, and no digest tells this one
        story.tell(DeadlineMoved(story.game.phase.value, story.game.deadline, story.at))
