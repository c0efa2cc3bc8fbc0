"""`pbem verify EXPORT`: whether everything that a game published follows from its seed, its orders and the rules.

Five things are checked, each apart from the others:

- *log*: every event follows from a recorded command, but for the storyteller's UNDOs and what belongs to them.
- *rules*: each command, decided anew on the game before it, gives the very events on record.
- *dice*: each draw is HMAC-SHA-256 of the seed, its purpose and its counter (worked out here once more, by hand).
- *chance*: nothing was arranged that the dice should decide: no roles dealt by hand, no scene set, no rolls given.
- *seal*: the seed hashes to the commitment published at the start, and is the one published at the end.

Whoever kept the opening digest compares its commitment with the one printed.
"""

from __future__ import annotations

import hashlib
import hmac
import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from pbem.app.codes import NotAnExport, fit_code
from pbem.app.export import FORMAT, VERSION
from pbem.engine import commands as c
from pbem.engine import events as e
from pbem.engine.decide import decide
from pbem.engine.evolve import evolve, replay
from pbem.engine.state import Game, Phase
from pbem.store import codec

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from pbem.engine.commands import Command
    from pbem.engine.events import Event

__all__ = ["NotAnExport", "Record", "Report", "Step", "draw", "parse", "verify"]

CORRECTIONS: Final = (e.Narrated, e.DigestsHeld, e.Excused, e.DeadlineMoved, e.ElectionSet)
"""What the storyteller's UNDO may bring back, or move, beside taking back."""
_MOST_FAULTS: Final = 5


@dataclass(frozen=True, slots=True)
class Step:
    """One command on record: decided on the game of `version` events, `count` followed."""

    number: int
    version: int
    count: int
    command: Command


@dataclass(frozen=True, slots=True)
class Record:
    """An export, read."""

    code: str
    steps: tuple[Step, ...]
    events: tuple[Event, ...]


@dataclass(slots=True)
class Check:
    """One of the five: how much it looked at, and the first faults that it found."""

    name: str
    looked_at: int = 0
    faults: list[str] = field(default_factory=list)

    @property
    def holds(self) -> bool:
        """Whether there is no fault."""
        return not self.faults

    def fault(self, text: str) -> None:
        """Note one, if it is among the first."""
        if len(self.faults) < _MOST_FAULTS:
            self.faults.append(text)


@dataclass(frozen=True, slots=True)
class Report:
    """What came of it. `given`: rolls that a rehearsal gave in advance. `over`: the game has ended."""

    code: str
    over: bool
    winner: str
    commitment: str
    given: int
    checks: tuple[Check, ...]

    @property
    def holds(self) -> bool:
        """Everything follows, and the game is over."""
        return self.over and all(check.holds for check in self.checks)

    def as_json(self) -> dict[str, Any]:
        """For `--json`."""
        return {
            "code": self.code,
            "holds": self.holds,
            "over": self.over,
            "winner": self.winner,
            "commitment": self.commitment,
            "given_rolls": self.given,
            "checks": [
                {"name": c.name, "holds": c.holds, "looked_at": c.looked_at, "faults": c.faults} for c in self.checks
            ],
        }


def parse(text: str) -> Record:
    """Read an export, strictly. Raises NotAnExport."""
    try:
        given = json.loads(text)
    except (ValueError, RecursionError):
        raise NotAnExport("it is not JSON") from None
    if not isinstance(given, dict) or given.get("format") != FORMAT:
        raise NotAnExport("it is not a game's export")
    if given.get("version") != VERSION:
        raise NotAnExport(f"it is of version {given.get('version')}; this program reads version {VERSION}")
    try:
        version = int(given["codec"])
        steps = tuple(_step(row, version) for row in given["commands"])
        events = tuple(codec.decode_event(json.dumps(row["event"]), version) for row in given["events"])
        numbers = [row["n"] for row in given["events"]]
    except (codec.CodecError, KeyError, TypeError, ValueError, OverflowError, RecursionError) as error:
        raise NotAnExport(f"it is damaged ({error})") from None
    if numbers != list(range(1, len(events) + 1)):
        raise NotAnExport("its events are not numbered from 1 on")
    return Record(_code(given.get("code"), steps, events), steps, events)


def _code(given: object, steps: Sequence[Step], events: Sequence[Event]) -> str:
    """The game's code, of the form that codes have, and the same throughout. Raises NotAnExport."""
    if not isinstance(given, str) or not fit_code(given):
        raise NotAnExport("its code is none that a game can have: letters followed by digits, such as PL1")
    inside = {event.code for event in events if isinstance(event, e.GameOpened)}
    inside |= {step.command.code for step in steps if isinstance(step.command, c.OpenGame)}
    if inside - {given}:
        raise NotAnExport(f"its code is {given}, but in its log it is another one")
    return given


def _step(row: dict[str, Any], version: int) -> Step:
    command = codec.decode_command(json.dumps(row["command"]), version)
    return Step(int(row["n"]), int(row["version"]), int(row["count"]), command)


def verify(record: Record) -> Report:
    """Check the whole record; never raises."""
    try:
        final = replay(record.events)
    except (LookupError, ValueError, TypeError, AttributeError):
        final = Game()
    rules, dice = _guarded(_rules, "rules", record), _guarded(_dice, "dice", record)
    checks = (_log(record), rules, dice, _chance(record), _seal(record, final))
    rolls = [event for event in record.events if isinstance(event, e.DiceRolled)]
    seed = _seed(record.events)
    return Report(
        record.code, final.phase is Phase.OVER, final.winner, _hash(seed), sum(roll.given for roll in rolls), checks
    )


def _guarded(check: Callable[[Record], Check], name: str, record: Record) -> Check:
    """A forged record may be such that the engine cannot even replay it."""
    try:
        return check(record)
    except (LookupError, ValueError, TypeError, AttributeError, ArithmeticError) as error:
        return Check(name, 0, [f"the log makes no game ({type(error).__name__})"])


def _log(record: Record) -> Check:
    """Commands and corrections cover the log from end to end, in order, nothing twice."""
    check, reached = Check("log", len(record.events)), 0
    for step in record.steps:
        if step.count and step.version < reached:
            check.fault(f"command {step.number} claims events that are another's")
        if step.count:
            _correction(check, record.events[reached : step.version], reached)
            reached = step.version + step.count
    if reached > len(record.events):
        check.fault("the last command claims events that are not there")
    _correction(check, record.events[reached:], reached)
    return check


def _correction(check: Check, events: Sequence[Event], start: int) -> None:
    """Events of no command: an UNDO, or several."""
    if events and not isinstance(events[0], e.Undone):
        check.fault(f"event {start + 1} ({type(events[0]).__name__}) follows from nothing")
    for number, event in enumerate(events, start + 1):
        if not isinstance(event, (e.Undone, *CORRECTIONS)):
            check.fault(f"event {number} ({type(event).__name__}) cannot belong to an UNDO")


def _rules(record: Record) -> Check:
    check, states = Check("rules", len(record.steps)), _states(record.events)
    for step in record.steps:
        if step.version >= len(states):
            check.fault(f"command {step.number} was decided on a game that is not there")
            continue
        decided = [event for event in decide(states[step.version], step.command) if not isinstance(event, e.Rejected)]
        kept = list(record.events[step.version : step.version + step.count])
        if decided != kept:
            check.fault(_difference(step, decided, kept))
    return check


def _states(events: Sequence[Event]) -> list[Game]:
    """The game after each number of events."""
    states = [Game()]
    for number, event in enumerate(events, 1):
        states.append(replay(events[:number]) if isinstance(event, e.Undone) else evolve(states[-1], event))
    return states


def _difference(step: Step, decided: list[Event], kept: list[Event]) -> str:
    """Where the two part, by the names of the events."""
    both = zip(decided, kept, strict=False)
    at = next((i for i, (one, other) in enumerate(both) if one != other), min(len(decided), len(kept)))
    should = type(decided[at]).__name__ if at < len(decided) else "nothing more"
    found = type(kept[at]).__name__ if at < len(kept) else "nothing more"
    command = type(step.command).__name__
    return f"command {step.number} ({command}): event {step.version + at + 1} is {found}, by the rules {should}"


def _dice(record: Record) -> Check:
    check, seed, epoch = Check("dice"), _seed(record.events), 0
    for number, event in enumerate(record.events, 1):
        if isinstance(event, e.Undone):
            epoch += 1
        elif isinstance(event, e.DiceRolled) and not event.given:
            check.looked_at += 1
            if event.value != draw(seed, event.purpose, event.counter, event.sides, epoch):
                check.fault(f"event {number}: the draw {event.purpose}/{event.counter} is not the seed's")
    return check


def _chance(record: Record) -> Check:
    """What only a rehearsal may do: it follows from the rules, but not from the dice."""
    check = Check("chance", len(record.steps))
    for step in record.steps:
        command = step.command
        if isinstance(command, c.OpenGame) and command.dice:
            check.fault(f"command {step.number}: rolls were given in advance")
        if isinstance(command, c.Deal) and command.roles:
            check.fault(f"command {step.number}: the roles were dealt by hand")
        if isinstance(command, c.Start) and (command.mayor is not None or command.heir or command.lovers):
            check.fault(f"command {step.number}: mayor, heir or lovers were set at the start")
    for number, event in enumerate(record.events, 1):
        if isinstance(event, e.DiceRolled) and event.given:
            check.fault(f"event {number}: a roll that was given in advance")
    return check


def draw(seed: str, purpose: str, counter: int, sides: int, epoch: int) -> int:
    """A draw by the published formula: HMAC-SHA-256 over `purpose/counter` (`purpose/counter/epoch` after an UNDO)."""
    name = f"{purpose}/{counter}/{epoch}" if epoch else f"{purpose}/{counter}"
    return int(hmac.new(bytes.fromhex(seed), name.encode("utf-8"), hashlib.sha256).hexdigest(), 16) % sides + 1


def _seal(record: Record, final: Game) -> Check:
    check, seed = Check("seal"), _seed(record.events)
    for number, event in enumerate(record.events, 1):
        if isinstance(event, e.GameStarted):
            check.looked_at += 1
            if event.commitment != _hash(seed):
                check.fault(f"event {number}: the commitment published at the start is not the seed's")
        if isinstance(event, e.GameWon):
            check.looked_at += 1
            if event.seed != seed:
                check.fault(f"event {number}: the seed published at the end is another one")
    if final.phase is Phase.OVER and final.seed != seed:
        check.fault("the game does not end with the seed that it began with")
    return check


def _seed(events: Sequence[Event]) -> str:
    return next((event.seed for event in events if isinstance(event, e.GameOpened)), "")


def _hash(seed: str) -> str:
    try:
        return hashlib.sha256(bytes.fromhex(seed)).hexdigest()
    except ValueError:
        return ""
