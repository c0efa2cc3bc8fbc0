"""Stories: what people mail and when, written down while bots play undisturbed, and told again word for word.

A personal tag or a confirmation code is another one in each run; a story names its owner instead: `{seat 3}`,
`{held joueur3@village.example}`. All else of a mail is the same, octet for octet, in every run.
"""

from __future__ import annotations

import re
import smtplib
import time
from dataclasses import dataclass, field
from datetime import timedelta
from typing import TYPE_CHECKING

from pbem.demo.client import MailClient
from pbem.demo.play import Evening
from pbem.engine.decide import next_wakeup
from pbem.engine.state import Phase
from tests.torture.spice import Spice
from tests.torture.town import CODE

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from pbem.demo.mind import Deed
    from pbem.engine.state import Game
    from tests.torture.town import Program, Town

PATIENCE_SECONDS = 120.0
SURELY = timedelta(seconds=6)
"""How long after a deadline a poll surely closes it, though clocks are compared from afar."""
_TAGGED = re.compile(r"\blune\+([a-z0-9]{16})@")
NOBODYS = "nobody2222222222"
"""The tag in place of one that should exist and does not: what was lost before will be found later."""
_NAMED = re.compile(r"\{(seat|held) ([^}]+)\}")


@dataclass(frozen=True, slots=True)
class Step:
    """`mail`: somebody writes by SMTP. `raw`: a mail is delivered as it is. `settle`: all is done before the next one.

    `clock`: time goes on. Each at its moment.
    """

    kind: str
    at: datetime
    sender: str = ""
    name: str = ""
    to: str = ""
    subject: str = ""
    body: str = ""
    raw: bytes = b""


@dataclass(slots=True)
class Story:
    """All that happens from outside, in order."""

    steps: list[Step] = field(default_factory=list)

    @property
    def mails(self) -> int:
        """How many mails are written."""
        return sum(step.kind in {"mail", "raw"} for step in self.steps)


# --- writing down ---


class _Clock:
    """The town's clock; it is noted when it goes on."""

    def __init__(self, town: Town, story: Story) -> None:
        self._town, self._story = town, story

    def now(self) -> datetime:
        return self._town.clock.now()

    def move(self, to: datetime) -> None:
        self._town.clock.move(to)
        self._story.steps.append(Step("clock", to))


class _Client:
    """A bot's mail program; what it writes is noted."""

    def __init__(self, own: MailClient, town: Town, story: Story) -> None:
        self._own, self._town, self._story = own, town, story
        self.address, self.new_letters = own.address, own.new_letters

    def write(self, to: str, subject: str, body: str, now: datetime, *, answers: str = "") -> None:
        del answers  # it would be another one in each run
        own = self._own
        self._story.steps.append(Step("mail", now, own.address, own.name, nameless(self._town, to), subject, body))
        own.write(to, subject, body, now)


class Recording(Evening):
    """An evening of which every mail is noted, with more going on than bots think of."""

    def __init__(self, program: Program, dice, story: Story, *, spice: bool) -> None:
        super().__init__(program, _Clock(program.town, story), CODE, dice, lambda *_: None)
        self._town, self._program, self._story = program.town, program, story
        self._spice = Spice(self, dice) if spice else None

    async def _client(self, address: str, name: str):
        return _Client(await super()._client(address, name), self._town, self._story)

    async def _settle(self) -> None:
        self._story.steps.append(Step("settle", self.clock.now()))
        await super()._settle()

    async def _send(self, client, deed: Deed, at: datetime | None = None) -> None:
        """What is due before it happens before it, in every run: reminders depend on when they are looked for."""
        moment = at or self.clock.now() + timedelta(seconds=deed.after)
        while (due := self._next()) is not None and due <= moment:
            self.clock.move(max(due, self.clock.now()) + SURELY)
            await self._settle()
        await super()._send(client, deed, max(moment, self.clock.now()))

    def _next(self) -> datetime | None:
        with self._town.store.read() as tx:
            number = tx.game_id(CODE)
            return next_wakeup(tx.load(number)[0]) if number is not None else None

    async def _go_on(self, game: Game) -> None:
        if self._spice is not None:
            game = await self._spice.add(game)
        if game.phase is not Phase.OVER:
            await super()._go_on(game)

    def deliver(self, raw: bytes) -> None:
        """A mail that did not come by our own post."""
        self.mails += 1
        self._story.steps.append(Step("raw", self.clock.now(), raw=raw))
        self._town.office.deliver(self._town.settings.game.address, raw, self.clock.now())


def nameless(town: Town, address: str) -> str:
    """The address with its tag's or code's owner for the tag."""
    found = _TAGGED.search(address)
    if not found:
        return address
    with town.store.read() as tx:
        owner, held = tx.by_tag(found[1]), tx.find_held(found[1])
    who = f"seat {owner.seat}" if owner is not None else f"held {held.address}" if held is not None else "nobody"
    return address.replace(found[1], f"{{{who}}}")


# --- telling again ---


def tell(
    town: Town, program: Program, story: Story, before: Callable[[int, Step], bool] = lambda _number, _step: True
) -> None:
    """Let the same mails be written at the same moments, and the program be done wherever it was done then.

    `before(number, step)` is called before each step; a step is left out where it says False.
    """
    for number, step in enumerate(story.steps):
        town.clock.step = number
        town.clock.move(max(step.at, town.clock.now()))
        if before(number, step):
            _do(town, program, step)


def _do(town: Town, program: Program, step: Step) -> None:
    match step.kind:
        case "settle":
            program.settle()
        case "raw":
            assert town.office is not None  # such stories are for post offices that live
            town.office.deliver(town.settings.game.address, step.raw, step.at)
        case "mail":
            client = _Stubborn(town, program, step)
            client.write(_named(town, step.to), step.subject, step.body, step.at)


class _Stubborn(MailClient):
    """Whose post office may come and go: it tries again until its mail is taken, the same octets each time."""

    def __init__(self, town: Town, program: Program, step: Step) -> None:
        self.address, self.name = step.sender, step.name
        self._town, self._program = town, program
        self._smtp = self

    def sendmail(self, sender, recipients, raw) -> None:
        deadline = time.monotonic() + PATIENCE_SECONDS
        while not self._sent(sender, recipients, raw):
            assert time.monotonic() < deadline, f"{self.address} cannot write"
            self._program.nudge()

    def _sent(self, sender, recipients, raw) -> bool:
        try:
            with smtplib.SMTP("127.0.0.1", self._town.ports[0], timeout=20) as post:
                post.ehlo()
                if self._town.password(self.address) is None:
                    post.mail(self.address)
                    post.rcpt(self.address)  # makes the account
                    post.rset()
                post.login(self.address, self._town.password(self.address) or "")
                post.sendmail(sender, recipients, raw)
        except (OSError, smtplib.SMTPException):
            return False
        return True


def _named(town: Town, address: str) -> str:
    found = _NAMED.search(address)
    return address.replace(found[0], _tag(town, found[1], found[2])) if found else address


def _tag(town: Town, kind: str, who: str) -> str:
    with town.store.read() as tx:
        game = tx.game_id(CODE)
        if kind == "seat":
            return next((row.tag for row in tx.players(game) if row.seat == int(who)), NOBODYS)
        return next((row.code for row in reversed(tx.held(game)) if row.address == who), NOBODYS)
