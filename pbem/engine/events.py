"""What happened, in the past tense: the only thing that changes a game.

A game is the list of its events. Every event is frozen and holds plain data: numbers, words, instants (aware, UTC) and
tuples of them; seats are numbers from 1. Three families, told apart by base class:

- `Fact` changes the state and is secret until the end of the game, unless a public event tells it too.
- `Public` is for everybody: the list, the archive, every seat. It may change the state as well.
- `Private` is for the one seat in its field `to` (`STORYTELLER` for the storyteller), who learns it by letter.

A seat's letters are made of the public events and of the private ones addressed to it, of nothing else.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from datetime import datetime

    from pbem.engine.options import Options

STORYTELLER = 0
"""The `to` of what the storyteller is told."""


@dataclass(frozen=True, slots=True)
class Event:
    """Something that happened."""


@dataclass(frozen=True, slots=True)
class Fact(Event):
    """Changes the state; secret."""


@dataclass(frozen=True, slots=True)
class Public(Event):
    """Known to all from now on."""


@dataclass(frozen=True, slots=True)
class Private(Event):
    """Learned by one seat, or by the storyteller."""

    to: int


@dataclass(frozen=True, slots=True)
class Rejected(Event):
    """A command refused: `code` as in MAIL.md § 6. Changes nothing. `words` is what was not understood."""

    code: str
    verb: str
    seat: int = 0
    words: str = ""
    suggestions: tuple[str, ...] = ()


# --- opening, registration, deal ---------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class GameOpened(Fact):
    """The game exists. `seed` is its secret, 64 hexadecimal digits; `dice` are d100 rolls given in advance (rehearsals)."""

    code: str
    options: Options
    seed: str
    at: datetime
    dice: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class RegistrationOpened(Public):
    """People may join (ORG-6)."""


@dataclass(frozen=True, slots=True)
class RegistrationClosed(Public):
    """Nobody may join any more."""


@dataclass(frozen=True, slots=True)
class Joined(Public):
    """Somebody takes the next seat. `gender` is m or f."""

    seat: int
    name: str
    gender: str


@dataclass(frozen=True, slots=True)
class Left(Public):
    """Somebody gives his seat back before the start; the seats above move down by one."""

    seat: int


@dataclass(frozen=True, slots=True)
class CompositionSet(Fact):
    """The storyteller said which roles are dealt: pairs (role, how many)."""

    counts: tuple[tuple[str, int], ...]


@dataclass(frozen=True, slots=True)
class RolesDealt(Fact):
    """Every seat has its role, in seat order."""

    roles: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class GameStarted(Public):
    """The first day begins. `commitment` is the SHA-256 of the seed, `composition` None where it is hidden."""

    at: datetime
    commitment: str
    immune: tuple[int, ...] = ()
    composition: tuple[tuple[str, int], ...] | None = None


@dataclass(frozen=True, slots=True)
class RoleDealt(Private):
    """His role."""

    role: str


@dataclass(frozen=True, slots=True)
class PackShown(Private):
    """WOLF-1: his fellow wolves, himself left out."""

    pack: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class WolvesCounted(Private):
    """TRAI-1: how many wolves there were at the start."""

    count: int


# --- calendar ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class DayOpened(Public):
    """A day begins: turn number from 1, and T, the moment of its execution."""

    turn: int
    at: datetime
    execution: datetime


@dataclass(frozen=True, slots=True)
class PhaseClosed(Fact):
    """A closing: election, execution, tie-break, sunset, vision or murder; `at` is its deadline, or the moment of an earlier end."""

    what: str
    at: datetime


@dataclass(frozen=True, slots=True)
class DeadlineMoved(Public):
    """The storyteller moved the end of the current phase (CAL-7)."""

    phase: str
    deadline: datetime


@dataclass(frozen=True, slots=True)
class Paused(Public):
    """CAL-7. `left` seconds remained of the phase."""

    at: datetime
    left: int


@dataclass(frozen=True, slots=True)
class Resumed(Public):
    """CAL-7. The phase goes on until `deadline`."""

    at: datetime
    phase: str
    deadline: datetime


@dataclass(frozen=True, slots=True)
class ElectionSet(Public):
    """An election will run from `opens` to `closes` (CAL-2)."""

    opens: datetime
    closes: datetime


@dataclass(frozen=True, slots=True)
class ElectionDropped(Public):
    """There is a mayor: the election that was due is not."""


# --- orders, talk ------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class OrderTaken(Fact):
    """An order, vote, ballot or choice stands, in place of an earlier one of that verb. `word` is ANYONE for such a SAVE."""

    seat: int
    verb: str
    at: datetime
    seats: tuple[int, ...] = ()
    word: str = ""


@dataclass(frozen=True, slots=True)
class OrderCancelled(Fact):
    """Withdrawn by its owner (CANCEL)."""

    seat: int
    verb: str
    at: datetime


@dataclass(frozen=True, slots=True)
class OrdersLapsed(Fact):
    """What was not resolved, or has been, is no longer on record: pairs (seat, verb)."""

    orders: tuple[tuple[int, str], ...]


@dataclass(frozen=True, slots=True)
class OrderVoided(Private):
    """NIGHT-9, VOTE-3: his order or vote no longer stands, because of `target`."""

    verb: str
    target: int


@dataclass(frozen=True, slots=True)
class OrderedFor(Private):
    """The storyteller gave an order in his name."""

    verb: str


@dataclass(frozen=True, slots=True)
class PowerSpent(Fact):
    """NIGHT-10: the once-only power behind `verb` is gone. `effect` says in a word what it did: worked, failed."""

    seat: int
    verb: str
    effect: str = "worked"


@dataclass(frozen=True, slots=True)
class Remembered(Fact):
    """A role notes something for later in its seat's memory."""

    seat: int
    key: str
    value: Any


@dataclass(frozen=True, slots=True)
class DiceRolled(Fact):
    """One draw: `value` from 1 to `sides`, by (`purpose`, `counter`) from the seed; `given` if it came from a rehearsal."""

    purpose: str
    counter: int
    sides: int
    value: int
    given: bool = False


@dataclass(frozen=True, slots=True)
class Posted(Public):
    """Said in the village (SAY); `ghost` by a ghost in his time (GHOST-1)."""

    seat: int
    text: str
    at: datetime
    ghost: bool = False


@dataclass(frozen=True, slots=True)
class PackTalked(Private):
    """WOLF-2: one wolf's words, to each of the others."""

    seat: int
    text: str


@dataclass(frozen=True, slots=True)
class GraveyardTalked(Fact):
    """ORG-2: said among the dead and the readers. `seat` 0: by a reader called `name`. `readers` are the seats that get it."""

    seat: int
    name: str
    text: str
    at: datetime
    readers: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Intruded(Private):
    """ORG-2: a living player wrote to the graveyard; for the storyteller."""

    seat: int


@dataclass(frozen=True, slots=True)
class AbsenceAsked(Private):
    """ABSENT, for the storyteller: until when in the player's words, and why."""

    seat: int
    until: str
    text: str


@dataclass(frozen=True, slots=True)
class QuestionAsked(Private):
    """ORG-5, for the storyteller. `seat` 0: by somebody called `name` who does not play."""

    seat: int
    name: str
    text: str


@dataclass(frozen=True, slots=True)
class ReplacementWanted(Private):
    """A player wants to leave a running game; for the storyteller."""

    seat: int


@dataclass(frozen=True, slots=True)
class Replaced(Public):
    """Somebody else plays on at this seat, under `name`."""

    seat: int
    name: str
    gender: str


@dataclass(frozen=True, slots=True)
class Excused(Fact):
    """VOTE-7: the storyteller excuses him; `until` None: for the current span."""

    seat: int
    until: datetime | None


@dataclass(frozen=True, slots=True)
class VoteReminded(Private):
    """He has not voted yet; T is near. `hours` before T this reminder belongs to."""

    hours: int
    execution: datetime


@dataclass(frozen=True, slots=True)
class InactivityWarned(Private):
    """VOTE-7: he has posted nothing since the last execution."""

    execution: datetime


# --- immediate powers ---------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class RoleSeen(Private):
    """SEER-1, SHAM-1, NEIGH-1: somebody's role, as it showed. `by` is the verb that showed it: SEE or SPY."""

    seat: int
    role: str
    by: str = "SEE"


@dataclass(frozen=True, slots=True)
class RoleCounted(Private):
    """INV-1: how many players were dealt that role."""

    role: str
    count: int


@dataclass(frozen=True, slots=True)
class LoversPaired(Fact):
    """LOVE-1. `by` is the matchmaker's seat, or STORYTELLER."""

    a: int
    b: int
    by: int


@dataclass(frozen=True, slots=True)
class LoverShown(Private):
    """LOVE-1: whom he loves."""

    seat: int


# --- mayor --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class ElectionClosed(Public):
    """MAYOR-2, ORG-3: pairs (voter, candidate) of the standing ballots in seat order; None: nobody voted."""

    ballots: tuple[tuple[int, int], ...]
    mayor: int | None


@dataclass(frozen=True, slots=True)
class MayorChanged(Public):
    """The office: `how` is elected, heir, appointed, vacant."""

    mayor: int | None
    how: str


@dataclass(frozen=True, slots=True)
class Repudiated(Public):
    """VOTE-5: a mayor who did not answer; he can never hold the office again in this game."""

    seat: int


@dataclass(frozen=True, slots=True)
class OfficeTaken(Private):
    """He is mayor now: `how` is elected, heir or appointed. He must name a successor (MAYOR-4)."""

    how: str


@dataclass(frozen=True, slots=True)
class OfficeLost(Private):
    """VOTE-5: he is repudiated."""


# --- the execution ------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class VotesPublished(Public):
    """VOTE-6: for each living voter in seat order (voter, target, how); target 0 is blank, `how` is vote, blank or self.

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
    """VOTE-5, EXEC-1: `places` are open among `tied`; `sure` burn in any case; `asked` chooses, as mayor or executioner."""

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


# --- the night ----------------------------------------------------------------------------------------------------


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


# --- the end, and the storyteller's pen ----------------------------------------------------------------------------


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
