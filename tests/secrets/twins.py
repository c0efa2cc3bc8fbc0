"""Two games of the whole program side by side, that differ in something secret to one seat, X.

Both are rehearsals: real mails through the real parser, engine, store and templates on one simulated clock. People write
whatever comes to their minds (`tests.kit.wild`). After every mail and every closing, all letters that went to X, to the
list and to the readers are compared, octet for octet, with the moments at which they were written; only Message-IDs
(and references to them) and personal tags, which are drawn at random, may differ.
"""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import datetime, timedelta
from random import Random
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo

from pbem.engine import commands as c
from pbem.engine import events as e
from pbem.engine.decide import due, next_wakeup
from pbem.engine.roles import LEXICON
from pbem.engine.state import Phase
from pbem.rehearsal import mailwriter
from pbem.rehearsal.mailwriter import LIST, READER, STORYTELLER, Draft
from pbem.rehearsal.scenario import Seat, Setting
from pbem.rehearsal.stage import Stage
from tests.kit.wild import TURNS, Wild, composition

if TYPE_CHECKING:
    from pbem.store import OutboxRow

NAMES = (
    "Alice", "Bruno", "Chloé", "David", "Émile", "Fanny", "Gaël", "Hélène", "Ivan", "Jeanne", "Karim", "Léa", "Marc",
    "Nora", "Oscar", "Paul",
)  # fmt: skip
MOST_MAILS = 120
"""A game that goes on longer is left."""
_DRAWN = re.compile(rb"<[0-9a-f]{32}@example\.org>|=_[0-9a-f]{32}|\b(?=[a-z2-9]*[0-9])(?=[a-z2-9]*[a-z])[a-z2-9]{16}\b")
_FOLDED = re.compile(rb"=\r\n")
_REFERENCES = re.compile(rb"(?m)^(?:Message-ID|In-Reply-To|References):[^\n]*\n(?:[ \t][^\n]*\n)*")


class Apart(Exception):  # noqa: N818  (no error: the games may differ from here on)
    """What was secret has become public, as the rules will have it; or there is nothing to compare."""


def comparable(row: OutboxRow) -> tuple[object, ...]:
    """A letter as its reader sees it, but for what is drawn at random."""
    raw = _REFERENCES.sub(b"", row.raw)
    return (
        row.to,
        row.kind,
        row.notices,
        row.created,
        row.not_before,
        row.state,
        _DRAWN.sub(b"*", _FOLDED.sub(b"", raw)),
    )


def difference(here: list, there: list) -> str:
    """What differs first, in a few lines."""
    for one, other in zip(here, there):  # noqa: B905  (which is longer is told below)
        if one[:-1] != other[:-1]:
            return f"{one[:-1]}\n{other[:-1]}"
        for a, b in zip(one[-1].splitlines(), other[-1].splitlines()):  # noqa: B905
            if a != b:
                return f"{one[:2]}\n{a.decode()}\n{b.decode()}"
    return f"{[one[:2] for one in here]}\n{[one[:2] for one in there]}"


class Twins(Wild):
    """One game of mails and its twin. Subclasses say what differs."""

    def __init__(self, seed: int) -> None:
        self.rng = rng = Random(seed)
        self.focus: list[int] = []
        self.polls = rng.random() < 0.3
        self.mails = self.compared = 0
        self.marks = [0, 0]
        number = rng.randint(5, len(NAMES))
        self.roles = list(composition(rng, number))
        self.x = 0
        here = self.setting(number)
        self.twins = Stage(here, reader=True), Stage(self.other(here), reader=True)
        self.now = self.twins[0].now
        self.x = self.x or rng.randint(1, number)
        self.compare()

    def setting(self, number: int) -> Setting:
        """Any game."""
        rng, names = self.rng, NAMES[:number]
        options = {
            "inactivity": rng.choice(("report", "off", "off", "eliminate")),
            "sunset": timedelta(minutes=rng.choice((1, 30))),
            "language": rng.choice(("fr", "en")),
            "outage_extension": 0,
        }
        return Setting(
            seats=tuple(Seat(name, role, rng.choice("mf")) for name, role in zip(names, self.roles, strict=True)),
            start=datetime(2026, 12, 7, 9, 0) + timedelta(minutes=rng.randint(0, 7 * 1440)),  # noqa: DTZ001  (local)
            zone=ZoneInfo("Europe/Paris"),
            mayor=rng.choice((None, None, "", rng.choice(names))),
            heir="",
            lovers=tuple(rng.sample(names, 2)) if rng.random() < 0.3 else (),
            immune=(),
            options=options,
            dice=(),
            composition=rng.choice(("hidden", "hidden", "public")),
            registration=False,
        )

    def other(self, here: Setting) -> Setting:
        """How the twin begins."""
        return here

    def close_both(self) -> None:
        """Forget them."""
        for stage in self.twins:
            stage.close()

    @property
    def game(self):
        return self.twins[0].game

    # --- what happens in both ---

    def do(self, command) -> tuple:
        """A command, as a mail, in both; what does not come by mail does not come."""
        fitting = self.fitting(command)
        if fitting is None or self.mails >= MOST_MAILS:
            return ()
        self.before(fitting)
        self.mails += 1
        happened = self.write(0, fitting), self.write(1, self.translate(fitting))
        self.after(*happened)
        return ()

    def after(self, here: list[e.Event], there: list[e.Event]) -> None:
        """Has it come out?"""
        self.part(here, there)
        self.compare()

    def close(self) -> None:
        """The next thing that is due, perhaps long after its hour; all that is due then."""
        wakeup = next_wakeup(self.game)
        if wakeup is None:
            return
        late = self.rng.choice((0, 0, 0, 0, 0, 20, 61, 4000, 200_000)) if self.polls else 0
        self.now = max(self.now, wakeup + timedelta(seconds=late))
        while due(self.game, self.now) is not None:
            self.after(self.step(0), self.step(1))

    def step(self, which: int) -> list[e.Event]:
        stage = self.twins[which]
        before, stage.now = stage.version(), self.now
        stage.step(self.now)
        return stage.events(before)

    def play(self):
        """To the end, or as far as they may be compared."""
        try:
            while self.game.phase is not Phase.OVER and self.game.turn <= TURNS and self.mails < MOST_MAILS:
                wakeup = next_wakeup(self.game)
                if wakeup is None:
                    self.now += timedelta(minutes=self.rng.randint(1, 3000))
                    self.do(c.Resume(self.now))
                else:
                    self.bustle(wakeup)
                    self.close()
        except Apart:
            pass
        finally:
            self.close_both()
        return self.compared

    # --- what subclasses say ---

    def fitting(self, command):
        """The command, or another that fits; None for none."""
        return command

    def before(self, command) -> None:
        """What only the twin is told."""

    def translate(self, command):
        """The twin's command."""
        return command

    def part(self, here: list[e.Event], there: list[e.Event]) -> None:
        """Raises Apart. At the end everything is published (WIN-8)."""
        if any(isinstance(event, e.GameWon) for event in (*here, *there)):
            raise Apart

    # --- what is compared ---

    def visible(self, which: int) -> list[tuple[object, ...]]:
        """The letters since the last time that X, the list or the readers get."""
        stage = self.twins[which]
        rows = stage.letters(self.marks[which])
        self.marks[which] = max((row.id for row in rows), default=self.marks[which])
        mine = {LIST, READER} | ({stage.addresses()[self.x]} if self.x else set())
        return [comparable(row) for row in rows if row.to in mine]

    def compare(self) -> None:
        here, there = self.visible(0), self.visible(1)
        assert here == there, difference(here, there)
        assert next_wakeup(self.game) == next_wakeup(self.twins[1].game)
        self.compared += len(here)

    # --- commands as mails ---

    def write(self, which: int, command) -> list[e.Event]:
        """Let it be mailed; what happened."""
        stage = self.twins[which]
        before, stage.now = stage.version(), self.now
        draft = self.draft(stage, command)
        if draft is not None:
            stage.deliver(mailwriter.write(draft), self.now.replace(microsecond=0))
        return stage.events(before)

    def draft(self, stage: Stage, command) -> Draft | None:
        said = self.said(stage, command)
        if said is None:
            return None
        (name, address), subject, body = said
        return Draft((name, address), self.now, self.mails, f"[PL1] {subject}", body)

    def said(self, stage: Stage, command) -> tuple[tuple[str, str], str, str] | None:
        if isinstance(command, c.Order):
            name = stage.game.player(command.seat).name
            words = command.words
            text = f"{words.text}\n\nÉlisons {self.name(words.elects)} !" if words.elects else words.text
            return (name, stage.addresses()[command.seat]), f"{command.verb} {self.args(command)}".strip(), text
        told = self.ordered(command)
        return (("Le Conteur", STORYTELLER), f"ADMIN {told[0]}", told[1]) if told else None

    def name(self, seat: int) -> str:
        return self.game.player(seat).name

    def args(self, command: c.Order) -> str:
        words = command.words
        if words.fault:
            return "" if words.fault == "missing-argument" else "Zénobie"
        return " / ".join(self.name(seat) for seat in words.seats) or words.word

    def ordered(self, command) -> tuple[str, str] | None:
        """The storyteller's subject and body."""
        match command:
            case c.Smite():
                return f"SMITE {self.name(command.seat)}", ""
            case c.Pair():
                return f"PAIR {self.name(command.a)} AND {self.name(command.b)}", ""
            case c.AppointMayor():
                return f"MAYOR {self.name(command.seat)}", ""
            case c.Pause():
                return "PAUSE", ""
            case c.Resume():
                return "RESUME", ""
            case c.Extend():
                return f"EXTEND {max(1, command.seconds // 3600)}h", ""
            case c.Resolve():
                return "RESOLVE", ""
            case c.Excuse():
                return f"EXCUSE {self.name(command.seat)}", ""
            case c.Tell():
                return f"TELL {self.name(command.seat)}", command.text
            case _:
                return None


def holder_bound(command: c.Order, tie) -> bool:
    """Whether it is said as the holder of a role: its own verbs, an asked executioner's answer."""
    verb = command.words.word if command.verb == "CANCEL" else command.verb
    if verb == "DECIDE":
        return tie is not None and tie.office == "executioner"
    return verb not in _ANYBODYS


_ANYBODYS = {v.name for v in LEXICON if not v.storyteller} & {
    "JOIN", "LEAVE", "WATCH", "UNWATCH", "VOTE", "ELECT", "HEIR", "SAY", "GRAVEYARD", "STATUS", "ABSENT", "HELP", "RULES",
    "LANG", "MAIL", "ADDRESS", "QUESTION",
}  # fmt: skip


class Swapped(Twins):
    """In the twin Y has Z's role, and Z has Y's; who holds a role orders what its holder orders in the first game."""

    def __init__(self, seed: int) -> None:
        self.y = self.z = 0
        super().__init__(seed)

    def other(self, here: Setting) -> Setting:
        """Two seats of different roles, and X apart from them, who is neither wolf nor child, and loves neither."""
        plain = [s for s, role in enumerate(self.roles, 1) if role not in PACK | {"little-child"}]
        if not plain:
            raise Apart
        self.x = self.rng.choice(plain)
        apart = {self.x, *(NAMES.index(name) + 1 for name in here.lovers)}
        others = [s for s in range(1, len(self.roles) + 1) if s not in apart]
        pairs = [(a, b) for a in others for b in others if self.roles[a - 1] != self.roles[b - 1]]
        if not pairs:
            raise Apart
        self.y, self.z = self.rng.choice(pairs)
        seats = list(here.seats)
        one, two = seats[self.y - 1], seats[self.z - 1]
        seats[self.y - 1], seats[self.z - 1] = replace(one, role=two.role), replace(two, role=one.role)
        return replace(here, seats=tuple(seats))

    def fitting(self, command):
        if isinstance(command, (c.Pair, c.Smite, c.AppointMayor)):
            named = (command.a, command.b) if isinstance(command, c.Pair) else (command.seat,)
            return None if {self.y, self.z} & set(named) else command
        if not isinstance(command, c.Order) or not holder_bound(command, self.game.tie):
            return command
        told = {self.y, self.z} | ({self.x} if command.seat in (self.y, self.z) and command.verb == "SPY" else set())
        return None if told & set(command.words.seats) else command

    def translate(self, command):
        if isinstance(command, c.Order) and holder_bound(command, self.game.tie):
            return replace(command, seat={self.y: self.z, self.z: self.y}.get(command.seat, command.seat))
        return command

    def part(self, here: list[e.Event], there: list[e.Event]) -> None:
        super().part(here, there)
        for event in (*here, *there):
            revealed = isinstance(event, e.Died) and event.seat in (self.y, self.z)
            if revealed or (isinstance(event, e.ConvertedTold) and event.to == self.x):
                raise Apart


PACK = {"werewolf", "corrupter", "shaman", "pack-leader"}
