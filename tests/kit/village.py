"""A village to try the rules on: games of named players, moved by short sentences, with no mail in between.

    v = Village("Alice: militia, Bruno: werewolf, Chloé: villager, David: villager", mayor="")
    v.orders("tue 20:00", "Alice: GUARD Chloé; Bruno: KILL Chloé")
    v.until("murder")
    assert v.died == set()

Every move (`orders`, `order`, `admin`, `until`, `go`) begins a new step: `died`, `told` and `news` speak of the last
one. A move that is refused though nothing else was expected fails the test. Time is local to the game's zone, words are
those of the mail protocol in English or French, and a mail that comes exactly at a deadline counts for it (CAL-6).
"""

from __future__ import annotations

import re
import tomllib
from datetime import UTC, datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

from pbem.engine import commands as c
from pbem.engine import events as e
from pbem.engine.decide import decide, due, next_wakeup
from pbem.engine.evolve import evolve
from pbem.engine.names import fold
from pbem.engine.options import Options
from pbem.engine.roles import ROSTER
from pbem.engine.state import Game
from tests.kit import speech
from tests.kit.chronicle import WEEKDAYS, Chronicle

MONDAY = "2026-12-07T09:00"
CLOSINGS = ("election", "execution", "tie-break", "sunset", "vision", "murder", "over")
SEED = "5eed" * 16


def peek_table() -> tuple[tuple[int, int, int, int], ...]:
    """PEEK-2: the table as the project ships it."""
    path = Path(__file__).parents[2] / "config" / "child.toml"
    table = tomllib.loads(path.read_text("utf-8"))
    return tuple(
        (int(wolves), int(innocents), row["see"], row["seen"])
        for wolves, rows in table.items()
        if wolves.isdigit()
        for innocents, row in rows.items()
    )


PEEK = peek_table()


TAIL = "Tom: villager, Ugo: villager, Vera: villager, Will: villager, Xena: villager, Yann: villager"


EVERYBODY = (
    "Ann: villager, Bob: prescient, Cid: seer, Dan: little-child, Eve: forger, Fay: nosy-neighbour, Guy: ghost, "
    "Hal: militia, Ivo: telepath, Jan: executioner, Kim: sandman, Lea: investigator, Max: matchmaker, Ned: werewolf, "
    "Ole: corrupter, Pam: shaman, Quin: traitor, Rik: pack-leader, Sam: beast, Tom: villager"
)
"""Every role once, and a second villager."""


def everybody(**more) -> Village:
    """A village of all roles."""
    return Village(EVERYBODY, **more)


def refused(village: Village, who: str, text: str, code: str, at: str = "") -> None:
    """That order gets this answer ("accepted" included)."""
    assert village.order(who, text, at) == code, (who, text)


def crowd(front: str, **more) -> Village:
    """Some with roles, then six plain villagers."""
    return Village(f"{front}, {TAIL}", **more)


def learned(village: Village, name: str) -> list[dict]:
    """All that he was told in this step, but for a missed vote."""
    return [notice for notice in village.told(name) if "vote-missed" not in notice]


class RefusedError(AssertionError):
    """A move that should have been accepted."""


class Village(Chronicle):
    """One game. `players` is `Name: role, Name: role …` in seat order, or a mapping; `g` holds the women's names."""

    def __init__(
        self,
        players,
        *,
        start=MONDAY,
        mayor: str | None = "",
        heir="",
        lovers=(),
        immune=(),
        dice=(),
        timezone="Europe/Paris",
        composition="hidden",
        seed=SEED,
        begin=True,
        **options,
    ) -> None:
        if isinstance(players, str):
            players = dict(re.split(r"\s*:\s*", one.strip()) for one in players.split(","))
        self.names = list(players)
        self.mailbox: list[tuple[datetime, str, str, str]] = []
        self.zone = ZoneInfo(timezone)
        self.game, self.log, self.news, self.before = Game(), [], [], Game()
        self.now = datetime.fromisoformat(start).replace(tzinfo=self.zone).astimezone(UTC)
        settings = {"inactivity": "off", "min_debate": 0, "peek": PEEK, "reminders": ()} | self._read(options)
        chosen = Options(timezone=timezone, composition=composition, **settings)
        self.run(c.OpenGame(self.now, "PL1", chosen, seed, tuple(dice)))
        self.run(c.OpenRegistration(self.now))
        for name in self.names:
            self.run(c.Join(self.now, name))
        if begin:
            roles = tuple(players.values())
            assert set(roles) <= set(ROSTER), set(roles) - set(ROSTER)
            self.run(c.Deal(self.now, roles))
            office = None if mayor is None else self.seat(mayor)
            pair = tuple(map(self.seat, lovers)) or None
            self.run(c.Start(self.now, tuple(map(self.seat, immune)), office, self.seat(heir), pair))

    @staticmethod
    def _read(options):
        read = dict(options)
        for name in ("min_debate", "tie_break", "sunset", "vision", "outage_extension"):
            if isinstance(read.get(name), str):
                read[name] = speech.seconds(read[name])
        if "executions" in read:
            moments = (one.split() for one in read["executions"])
            read["executions"] = tuple((WEEKDAYS.index(d), int(t[:2]) * 60 + int(t[3:])) for d, t in moments)
        return read

    # ---- moves

    def run(self, command: c.Command) -> tuple[e.Event, ...]:
        """Put one command to the engine."""
        told = decide(self.game, command)
        for event in told:
            self.game = evolve(self.game, event)
        self.log += told
        self.news += told
        return told

    def step(self) -> None:
        """What happens from here on is the news."""
        self.news, self.before = [], self.game

    def order(self, who: str, text: str, at: str = "", *, body="", sent: str = "", read: str = "") -> str:
        """A player's (or `reader`'s) words: "accepted", or the refusal's code.

        `at`: when the mail comes. `sent`: it was held, and is confirmed at `at`; it counts as of `sent` (MAIL.md § 4).
        `read`: the mailbox was read late, only then.
        """
        arrival = self._arrive(at)
        verb, words = speech.words(self, text, body)
        moment = self.moment(sent, past=True) if sent else arrival
        reading = self.moment(read) if read else arrival if sent else None
        seat = 0 if who == "reader" else self.seat(who)
        return self._reply(self.run(c.Order(moment, seat, verb, words, name=who, read=reading)), verb, seat)

    def do(self, who: str, text: str, at: str = "", **more) -> None:
        """As `order`, and it must be accepted."""
        reply = self.order(who, text, at, **more)
        if reply != "accepted":
            raise RefusedError(f"{who}: {text}: {reply}")

    def orders(self, at: str, lines: str) -> None:
        """`Alice: GUARD Chloé; Bruno: KILL David`, a minute from one to the next, all of them accepted."""
        self.step()
        for n, line in enumerate(one for one in re.split(r"[;\n]", lines) if one.strip()):
            who, text = re.split(r"\s*:\s*", line.strip(), maxsplit=1)
            news, before = self.news, self.before
            self.do(who, text, at if not n else "+1m")
            self.news, self.before = news + self.news, before

    def votes(self, at: str, lines: str) -> None:
        """`Alice David; Bruno David`: who votes for whom."""
        self.orders(at, ";".join("{}: VOTE {}".format(*one.split()) for one in lines.split(";")))

    def admin(self, text: str, at: str = "", *, read: str = "") -> str:
        """The storyteller's words: "accepted", or the refusal's code."""
        arrival = self._arrive(at)
        word, _, rest = text.partition(" ")
        reading = self.moment(read) if read else None
        command = speech.admin(self, word, rest.strip(), arrival, reading)
        if isinstance(command, c.Order):
            return self._reply(self.run(command), command.verb, command.seat)
        return self._reply(self.run(command), speech.verb_of(word, speech.ADMIN_LEXICON).name)

    def _arrive(self, at: str) -> datetime:
        self.step()
        arrival = self.moment(at) if at else self.now
        self._pass(arrival, inclusive=False)
        return arrival

    def go(self, when: str) -> None:
        """Time passes; what is due at that moment has happened too."""
        self.step()
        self._pass(self.moment(when), inclusive=True)

    def until(self, event: str, late: str = "0m") -> None:
        """Until that closing (or moment) has happened; `late`: the mailbox is read so long after it."""
        if event not in CLOSINGS:
            self.go(event)
            return
        self.step()
        for _ in range(3000):
            wakeup = next_wakeup(self.game)
            assert wakeup is not None, f"{event} cannot come any more"
            lateness = timedelta(seconds=speech.seconds(late) if due(self.game, wakeup) == event else 0)
            poll = max(self.now, wakeup + lateness)
            mark = len(self.log)
            if lateness:
                self._read_late(poll)
            if next_wakeup(self.game) == wakeup:
                self._tick(poll)
            told = self.log[mark:]
            closed = {x.what for x in told if isinstance(x, e.PhaseClosed)} | {"over" for _ in (1,) if self.winner}
            if event in closed:
                return
        raise AssertionError(f"{event} never comes")

    def unread(self, who: str, text: str, at: str, body: str = "") -> None:
        """A mail that waits in the mailbox until the next late reading; time does not pass for it."""
        self.mailbox.append((self.moment(at), who, text, body))

    def _read_late(self, poll: datetime) -> None:
        """What waits is read at `poll`, each mail as of its arrival: closings that lie before it come first."""
        waiting, self.mailbox = sorted(self.mailbox, key=lambda mail: mail[0]), []
        for arrival, who, text, body in waiting:
            while (wakeup := next_wakeup(self.game)) is not None and wakeup < arrival:
                self._tick(poll)
            self.now = poll
            verb, words = speech.words(self, text, body)
            self.run(c.Order(arrival, self.seat(who), verb, words, read=poll))

    def _pass(self, moment: datetime, *, inclusive: bool) -> None:
        while (due_at := next_wakeup(self.game)) is not None:
            if due_at > moment or (due_at == moment and not inclusive):
                break
            assert self._tick(max(self.now, due_at)), "something is due, and nothing happens"
        self.now = max(self.now, moment)

    def _tick(self, at: datetime) -> tuple[e.Event, ...]:
        self.now = at
        return self.run(c.Tick(at))

    def _reply(self, told, verb: str = "", seat: int = 0) -> str:
        """The answer; a refusal tells of what it is one, and to whom."""
        for refusal in (x for x in told if isinstance(x, e.Rejected)):
            assert not verb or (refusal.verb, refusal.seat) in {
                (verb, seat),
                ("DEAL" if verb == "START" else verb, seat),
            }
            return refusal.code
        return "accepted"

    # ---- words

    def moment(self, when: str, *, past: bool = False) -> datetime:
        """`tue 20:00` (the next one, or with `past` the last one), `+45m`, or an ISO local time."""
        if when.startswith("+"):
            if when.endswith("d"):
                return (self.now.astimezone(self.zone) + timedelta(days=int(when[1:-1]))).astimezone(UTC)
            return self.now + timedelta(seconds=speech.seconds(when[1:]))
        weekly = re.fullmatch(r"(\w{3}) (\d\d):(\d\d)(?::(\d\d))?", when)
        if not weekly:
            return datetime.fromisoformat(when).replace(tzinfo=self.zone).astimezone(UTC)
        clock = {"hour": int(weekly[2]), "minute": int(weekly[3]), "second": int(weekly[4] or 0), "microsecond": 0}
        day = self.now.astimezone(self.zone).replace(**clock)
        way = timedelta(days=-1 if past else 1)
        while day.weekday() != WEEKDAYS.index(weekly[1]) or (
            day.astimezone(UTC) > self.now if past else day.astimezone(UTC) < self.now
        ):
            day += way
        return day.astimezone(UTC)

    def find(self, word: str) -> int | str:
        """A seat, or the refusal's code."""
        if word.isdigit() and 0 < int(word) <= len(self.names):
            return int(word)
        exact = [n for n, name in enumerate(self.names, 1) if fold(name) == fold(word)]
        close = [n for n, name in enumerate(self.names, 1) if fold(name).startswith(fold(word))]
        seats = exact or close
        if len(seats) == 1 and fold(word):
            return seats[0]
        return "ambiguous-player" if len(seats) > 1 else "unknown-player"
