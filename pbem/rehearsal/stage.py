"""A game on a stage: the real program on a clock of its own, with no network (SCENARIOS.md).

Mails come in as bytes through `Receiver.receive`, letters are taken from the outbox as bytes, and time passes from one
thing that is due to the next. Everything is made anew for each scenario, in memory.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final

from pbem import resources
from pbem.app import tables
from pbem.app.desk import CLOSINGS, Desk
from pbem.app.receive import Receiver
from pbem.app.tokens import Counted
from pbem.engine import commands as c
from pbem.engine.decide import decide, due, next_wakeup
from pbem.engine.events import Rejected
from pbem.engine.evolve import evolve
from pbem.engine.options import Options
from pbem.engine.state import Game
from pbem.letters.scribe import Scribe
from pbem.post import RawMail
from pbem.rehearsal.mailwriter import AUTHSERV, GAME, LIST, READER, STORYTELLER
from pbem.rehearsal.shapes import ScenarioError
from pbem.rehearsal.words import plain
from pbem.settings import Auth, Settings
from pbem.settings import Game as GameSettings
from pbem.store import Store

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from pbem.app.handling import Handled
    from pbem.engine.events import Event
    from pbem.rehearsal.scenario import Seat, Setting
    from pbem.store import OutboxRow

CODE: Final = "PL1"
_TAKEN: Final = {address.partition("@")[0] for address in (GAME, LIST, STORYTELLER, READER)}


@lru_cache(maxsize=1)
def _scribe() -> Scribe:
    return Scribe([resources.templates_dir()])


@lru_cache(maxsize=2)
def _settings(tags: str) -> Settings:
    game = GameSettings(address=GAME, list_address=LIST, storytellers=(STORYTELLER,), code="PL", tags=tags)
    return Settings(game=game, auth=Auth(authserv_id=AUTHSERV))


def address_of(name: str) -> str:
    """A player's address at the start: his name without accents, lower case, letters and digits only."""
    return re.sub(r"[^a-z0-9]", "", plain(name).lower()) + "@example.org"


@dataclass(frozen=True, slots=True)
class Waiting:
    """A mail in the mailbox that has not been read."""

    received: datetime
    raw: bytes


class Stage:
    """The game of one scenario. `now` is the clock: aware, UTC. Raises ScenarioError if it cannot be set up."""

    def __init__(self, setting: Setting, *, reader: bool) -> None:
        self.setting = setting
        self.zone = setting.zone
        self.now = setting.start.replace(tzinfo=setting.zone).astimezone(UTC)
        self.store = Store.in_memory()
        tags = setting.options.get("tags", "plus")
        self.receiver = Receiver(self.store, _scribe(), _settings(tags), Counted("rehearsal"))
        self.unread: list[Waiting] = []
        self._uid = 0
        self._game: Game | None = None
        self._set_up(reader=reader)

    def close(self) -> None:
        """Forget it all."""
        self.store.close()

    # --- setting up -----------------------------------------------------------------------------------------------

    def _set_up(self, *, reader: bool) -> None:
        setting, tokens = self.setting, self.receiver.office.tokens
        with self.store.begin() as tx:
            self.game_id = tx.create_game(CODE, "", self.now)
            tx.append(self.game_id, _gathered(setting, self.now, tokens.seed()), 0, self.now)
            tx.add_storyteller(self.game_id, STORYTELLER, name="Le Conteur", language=_language(setting))
            for number, seat in enumerate(setting.seats, 1):
                tx.add_player(self.game_id, number, _checked(seat), _language(setting), seat.gender, tokens.tag())
            if reader:
                tx.add_reader(self.game_id, READER, tokens.tag(), name="Le Lecteur", language=_language(setting))
            if not setting.registration:
                _must(Desk(self.receiver.office, tx, self.game_id, self.now).act(_start(setting, self.now)))

    # --- time -----------------------------------------------------------------------------------------------------

    @property
    def game(self) -> Game:
        """The truth; asked of the store again after each mail and each closing."""
        if self._game is None:
            with self.store.read() as tx:
                self._game = tx.load(self.game_id)[0]
        return self._game

    def next_due(self) -> datetime | None:
        """When something is due next; None if the game stands still."""
        return next_wakeup(self.game)

    def step(self, read_to: datetime) -> str | None:
        """Let the first thing happen that is due by `read_to`; the poll is now."""
        self._game = None
        self._daily_mails(read_to)
        return self.receiver.step(self.game_id, read_to, self.now)

    def _daily_mails(self, moment: datetime) -> None:
        """Send the daily mails that are due by that moment, each at its own."""
        while (due := self._next_daily_mail()) is not None and due <= moment:
            self.receiver.daily(due)

    def _next_daily_mail(self) -> datetime | None:
        with self.store.read() as tx:
            return tx.next_collected()

    def pass_to(self, moment: datetime) -> None:
        """Let time pass: what is due before that moment happens at its own time, reminders of that very moment too.

        A closing at the very moment waits: a mail received then still counts (CAL-6).
        """
        while (due := self.next_due()) is not None and due < moment:
            self.now = max(self.now, due)
            if self.step(due) is None:
                break
        self.now = max(self.now, moment)
        self._daily_mails(self.now)

    def pass_unread(self, moment: datetime) -> None:
        """Let time pass while the mailbox is not read: letters go out, but nothing closes."""
        while (due := self.next_due()) is not None and due < moment and self.what_is_due(due) not in CLOSINGS:
            self.now = max(self.now, due)
            if self.step(due) is None:
                break
        self.now = moment

    def remind(self) -> None:
        """Send the reminders and warnings that are due by now."""
        while self.what_is_due() in {"reminder", "warning"}:
            if self.step(self.now) is None:
                return

    def what_is_due(self, moment: datetime | None = None) -> str | None:
        """What would happen first of what is due by that moment (by default now)."""
        return due(self.game, moment or self.now)

    def ends_with(self, moment: datetime) -> bool:
        """Whether the game would be over after the next thing that is due."""
        game = self.game
        for event in decide(game, c.Tick(moment)):
            game = evolve(game, event)
        return bool(game.winner)

    # --- mail -----------------------------------------------------------------------------------------------------

    def deliver(self, raw: bytes, received: datetime) -> Handled:
        """A mail received then, and read now."""
        self._uid += 1
        self._game = None
        return self.receiver.receive(RawMail(1, self._uid, received, raw), self.now)

    def read_mailbox(self) -> list[Handled]:
        """Read the mails that wait, in the order of their arrival."""
        waiting, self.unread = sorted(self.unread, key=lambda mail: mail.received), []
        return [self.deliver(mail.raw, mail.received) for mail in waiting]

    def letters(self, after: int = 0) -> list[OutboxRow]:
        """The letters written since the one with that number, those not kept back."""
        with self.store.read() as tx:
            return [row for row in tx.letters(after=after) if row.state != "held"]

    def events(self, after: int = 0) -> list[Event]:
        """The log from that number on."""
        with self.store.read() as tx:
            return [row.event for row in tx.events(self.game_id, after=after)]

    def version(self) -> int:
        """How many events there are."""
        with self.store.read() as tx:
            return tx.load(self.game_id)[1]

    def addresses(self) -> dict[int, str]:
        """The registered address of each seat."""
        with self.store.read() as tx:
            return {row.seat: row.address for row in tx.players(self.game_id)}

    def tag(self, seat: int) -> str:
        """A seat's current personal tag."""
        with self.store.read() as tx:
            row = tx.player(self.game_id, seat)
            return row.tag if row else ""


def _language(setting: Setting) -> str:
    return str(setting.options.get("language", "fr"))


def _checked(seat: Seat) -> str:
    address = address_of(seat.name)
    if address.partition("@")[0] in {*_TAKEN, ""}:
        raise ScenarioError(f"a player cannot be called {seat.name!r}: {address} is somebody else's")
    return address


def _options(setting: Setting) -> Options:
    """SCENARIOS.md, *Options*: inactivity is off and min_debate 0h unless given."""
    given: Mapping[str, Any] = setting.options
    changes: dict[str, Any] = {
        key: int(value.total_seconds()) if isinstance(value, timedelta) else value
        for key, value in given.items()
        if key != "executions"
    }
    if "executions" in given:
        changes["executions"] = tuple(sorted((one.day, one.minute) for one in given["executions"]))
    base = Options(min_debate=0, inactivity="off", peek=tables.child())
    return replace(base, timezone=str(setting.zone), composition=setting.composition, **changes)


def _gathered(setting: Setting, now: datetime, seed: str) -> list[Event]:
    """The events of a game whose players have joined and, if roles are given, been dealt them."""
    game, events = Game(), []
    for command in _gathering(setting, now, seed):
        for event in _must(decide(game, command)):
            game = evolve(game, event)
            events.append(event)
    return events


def _gathering(setting: Setting, now: datetime, seed: str) -> Iterable[c.Command]:
    yield c.OpenGame(now, CODE, _options(setting), seed, setting.dice)
    yield c.OpenRegistration(now)
    for seat in setting.seats:
        yield c.Join(now, seat.name, seat.gender)
    roles = tuple(seat.role for seat in setting.seats)
    if not setting.registration:
        yield c.Deal(now, roles)
    elif any(roles):
        yield c.SetComposition(now, tuple((role, roles.count(role)) for role in dict.fromkeys(roles)))


def _start(setting: Setting, now: datetime) -> c.Start:
    seats = {seat.name: number for number, seat in enumerate(setting.seats, 1)}
    lovers = tuple(seats[name] for name in setting.lovers)
    return c.Start(
        now,
        immune=tuple(seats[name] for name in setting.immune),
        mayor=None if setting.mayor is None else seats.get(setting.mayor, 0),
        heir=seats.get(setting.heir, 0),
        lovers=(lovers[0], lovers[1]) if lovers else None,
    )


def _must(events: Sequence[Event]) -> Sequence[Event]:
    refused = next((event for event in events if isinstance(event, Rejected)), None)
    if refused is not None:
        raise ScenarioError(f"the game cannot be set up: {refused.verb} {refused.words} is {refused.code}")
    return events
