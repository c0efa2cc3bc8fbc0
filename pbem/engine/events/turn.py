"""A turn's end: the execution, the night, the murder, the end of the game, and the storyteller's pen."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from pbem.engine.events.base import Fact, Private, Public

if TYPE_CHECKING:
    from datetime import datetime


@dataclass(frozen=True, slots=True)
class VotesPublished(Public):
    """VOTE-6: for each living voter in seat order (voter, target, how); target 0 is blank, `how` is vote, blank or
    self.

    `forged` (FORGE-1). `tally` holds (candidate, votes), most first.
    """

    turn: int
    record: tuple[tuple[int, int, str], ...]
    tally: tuple[tuple[int, int], ...]
    forged: bool


@dataclass(frozen=True, slots=True)
class VoteForced(Fact):
    """TELE-1: whose vote was replaced, by which telepath."""

    seat: int
    voter: int
    target: int


@dataclass(frozen=True, slots=True)
class VoteMissed(Private):
    """VOTE-2: he sent none: `how` is blank or self."""

    how: str


@dataclass(frozen=True, slots=True)
class TieFound(Fact):
    """VOTE-5, EXEC-1: `places` are open among `tied`; `sure` burn in any case; `asked` chooses, as mayor or
    executioner.
    """

    tied: tuple[int, ...]
    places: int
    sure: tuple[int, ...]
    asked: int
    office: str


@dataclass(frozen=True, slots=True)
class TieAnnounced(Public):
    """The execution waits until `until`. `mayor` is the one asked; None where it is not he (CAL-5: no name)."""

    tied: tuple[int, ...]
    mayor: int | None
    until: datetime


@dataclass(frozen=True, slots=True)
class TiedDropped(Fact):
    """Tied players who died meanwhile are no longer among the tied (or the sure)."""

    seats: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Asked(Private):
    """He chooses up to `places` of `tied`, by DECIDE, until `until`. `office`: mayor or executioner."""

    tied: tuple[int, ...]
    places: int
    until: datetime
    office: str


@dataclass(frozen=True, slots=True)
class ExecutionDone(Public):
    """Who burns, in seat order; nobody if empty."""

    turn: int
    burned: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Died(Public):
    """A death: `cause` is executed, murdered, love, heart-attack, inactive or sacrificed, the truth.

    Public letters show `role`, and of the cause only what all may know: found dead, for murdered and sacrificed alike
    (NIGHT-7). `reason`: the storyteller's words for a heart attack.
    """

    seat: int
    cause: str
    role: str
    turn: int
    reason: str = ""


@dataclass(frozen=True, slots=True)
class SilentNoted(Fact):
    """VOTE-7: who has posted nothing since the execution before; a new span begins."""

    seats: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class SilenceReported(Private):
    """VOTE-7 with inactivity = "report", for the storyteller."""

    seats: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class GhostRisen(Private):
    """GHOST-1: he may go on posting in the village until the next execution."""


@dataclass(frozen=True, slots=True)
class GhostsLaid(Fact):
    """GHOST-1: T has come, these ghosts enter the graveyard."""

    seats: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class SunsetOpened(Public):
    """The pack and the others choose until `until` (CAL-4)."""

    turn: int
    until: datetime


@dataclass(frozen=True, slots=True)
class NightFixed(Fact):
    """What the close of sunset decided (NIGHT-1 to NIGHT-5); see `state.Night` for the fields."""

    asleep: bool
    protected: tuple[int, ...]
    blocked: tuple[int, ...]
    main: tuple[int, ...]
    extra: int
    sacrificed: int
    converted: int
    unmasked: tuple[int, ...]
    spends: tuple[tuple[int, str, str], ...]
    stopped: tuple[tuple[int, str], ...]
    wolves: tuple[int, ...]
    innocents: int


@dataclass(frozen=True, slots=True)
class VisionOpened(Public):
    """The prescient may answer until `until` (CAL-4)."""

    turn: int
    until: datetime


@dataclass(frozen=True, slots=True)
class ThreatShown(Private):
    """PRES-1: who is threatened tonight; nobody if empty."""

    seats: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class LifeSaved(Fact):
    """PRES-1: a prescient's answer took effect."""

    seat: int
    target: int


@dataclass(frozen=True, slots=True)
class Saved(Private):
    """PRES-3: he alone is told whom he saved."""

    seat: int


@dataclass(frozen=True, slots=True)
class MurderDone(Public):
    """NIGHT-7: those found dead, in seat order; `asleep`: the sandman acted (SAND-1)."""

    turn: int
    found: tuple[int, ...]
    asleep: bool


@dataclass(frozen=True, slots=True)
class RoleChanged(Fact):
    """CORR-1: from now on this is his role."""

    seat: int
    role: str


@dataclass(frozen=True, slots=True)
class ConvertedTold(Private):
    """CORR-2: he is a werewolf now; his pack, himself left out."""

    pack: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class PackJoined(Private):
    """CORR-2: who has joined the pack."""

    seat: int


@dataclass(frozen=True, slots=True)
class WolfGlimpsed(Private):
    """PEEK-3: the wolf that the child saw."""

    seat: int


@dataclass(frozen=True, slots=True)
class NothingGlimpsed(Private):
    """PEEK-3: he saw nobody, for whatever reason."""


@dataclass(frozen=True, slots=True)
class PeeperSpotted(Private):
    """PEEK-3: the pack saw this child peep."""

    seat: int


@dataclass(frozen=True, slots=True)
class BeastUnmasked(Private):
    """BEAST-3, CORR-3: the pack knows her."""

    seat: int


@dataclass(frozen=True, slots=True)
class NoEffect(Private):
    """NIGHT-11: his power had no effect; never why."""

    verb: str


@dataclass(frozen=True, slots=True)
class TurnEnded(Fact):
    """A turn is over; `deaths` in it (WIN-10)."""

    turn: int
    deaths: int


@dataclass(frozen=True, slots=True)
class StalemateNoted(Private):
    """WIN-10: three turns running without a death; for the storyteller."""


@dataclass(frozen=True, slots=True)
class MailboxLate(Private):
    """CAL-6: a phase waited because the mailbox was read late; for the storyteller."""

    phase: str
    deadline: datetime


@dataclass(frozen=True, slots=True)
class GameWon(Public):
    """The end: `winner` is village, wolves, lovers, beast or nobody. All is published now (WIN-8)."""

    winner: str
    winners: tuple[int, ...]
    roles: tuple[str, ...]
    seed: str
    aborted: bool = False


@dataclass(frozen=True, slots=True)
class Narrated(Fact):
    """Words of the storyteller for the next digest."""

    text: str


@dataclass(frozen=True, slots=True)
class DigestsHeld(Fact):
    """HOLD (True) or RELEASE (False)."""

    held: bool


@dataclass(frozen=True, slots=True)
class Announced(Public):
    """ANNOUNCE: to the list."""

    text: str


@dataclass(frozen=True, slots=True)
class Told(Private):
    """TELL: the storyteller's words to one player."""

    text: str


@dataclass(frozen=True, slots=True)
class Undone(Public):
    """UNDO: what the events after number `version` did is taken back; they stay in the log."""

    version: int
    at: datetime
