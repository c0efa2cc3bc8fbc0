"""The demonstration itself: a post office, the program, a storyteller and twelve bots, and a clock that they drive.

Everything goes by real mail. The clock stands still until everybody has read and written what he wants; then it goes on
to the next moment at which something happens. So the same seed tells the same story, however fast the machine is.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from random import Random
from typing import TYPE_CHECKING

from pbem.demo.client import MailClient
from pbem.demo.mind import Deed, Mind
from pbem.engine.decide import next_wakeup
from pbem.engine.state import Phase

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from pbem.app.clock import DrivenClock
    from pbem.app.daemon import Daemon
    from pbem.engine.events import Event
    from pbem.engine.state import Game

START = datetime(2026, 12, 7, 8, 0, tzinfo=UTC)
"""A Monday, nine in the morning in Paris."""
VILLAGERS = (
    ("Alice", "f"), ("Bruno", "m"), ("Chloé", "f"), ("David", "m"), ("Émile", "m"), ("Fanny", "f"),
    ("Gaël", "m"), ("Hélène", "f"), ("Ivan", "m"), ("Jeanne", "f"), ("Karim", "m"), ("Léa", "f"),
)  # fmt: skip
EVENING = timedelta(hours=4)
"""How long before T the bots vote."""
MOMENT = timedelta(seconds=2)
LONGEST = 60
"""Days after which the storyteller gives up."""


@dataclass(slots=True)
class Bot:
    """A villager: a mail program and a mind."""

    client: MailClient
    mind: Mind
    gender: str


@dataclass(slots=True)
class Evening:
    """One demonstration. `told` is called with what has happened, as it happens."""

    daemon: Daemon
    clock: DrivenClock
    code: str
    dice: Random
    told: Callable[[Sequence[Event], Game, datetime], None]
    bots: list[Bot] = field(default_factory=list)
    mails: int = 0
    _clients: list[MailClient] = field(default_factory=list)
    _version: int = 0
    _voted: datetime | None = None

    async def play(self, guests: int = len(VILLAGERS)) -> Game:
        """From sign-up to the end, with so many villagers; the game as it is then."""
        try:
            return await self._play(guests)
        finally:
            for client in self._clients:
                await asyncio.to_thread(client.close)

    async def _play(self, guests: int) -> Game:
        storyteller = await self._client(self.daemon.settings.game.storytellers[0], "Le Conteur")
        await self._order(storyteller, "OPEN")
        for number, (name, gender) in enumerate(VILLAGERS[:guests], 1):
            await self._sign_up(number, name, gender)
        await self._order(storyteller, "DEAL")
        await self._order(storyteller, "START")
        while (game := await self._watch()).phase is not Phase.OVER:
            if self.clock.now() - START > timedelta(days=LONGEST):
                raise TimeoutError(f"{self.code} has no end")
            if not await self._everybody_writes(game):
                await self._go_on(game)
        return game

    # --- people ---

    async def _client(self, address: str, name: str) -> MailClient:
        office = self.daemon.office
        assert office is not None  # the demonstration's post office is always its own
        password = await asyncio.to_thread(office.password, address)
        client = await asyncio.to_thread(MailClient, address, password, office.smtp_port, office.imap_port, name)
        self._clients.append(client)
        return client

    async def _order(self, storyteller: MailClient, words: str) -> None:
        subject = f"ADMIN {words} [{self.code}]"
        await self._send(storyteller, Deed(1, self.daemon.settings.game.address, subject))
        await self._settle()

    async def _sign_up(self, number: int, name: str, gender: str) -> None:
        game = self.daemon.settings.game
        domain = game.address.rpartition("@")[2]
        client = await self._client(f"joueur{number}@{domain}", name)
        local, _, domain = game.address.partition("@")
        own = Random(self.dice.random())  # noqa: S311 - a bot has no secrets
        mind = Mind(name, own, f"{local}+{self.code.lower()}-say@{domain}")
        self.bots.append(Bot(client, mind, gender))
        await self._send(client, Deed(60, game.address, f"[{self.code}] INSCRIPTION {name} ({gender})"))
        await self._settle()
        for letter in await asyncio.to_thread(client.new_letters):
            if letter.to == client.address:  # the question whether it was he who wrote
                answer = Deed(60, letter.reply_to, f"Re: {letter.subject}", "Oui, c’est bien moi.", letter.message_id)
                await self._send(client, answer)
        await self._settle()

    # --- the clock ---

    async def _everybody_writes(self, game: Game) -> bool:
        """Let all read what is new, and write what they want by the next deadline; whether anybody did."""
        deeds: list[tuple[int, int, Deed]] = []
        for number, bot in enumerate(self.bots):
            letters = await asyncio.to_thread(bot.client.new_letters)
            deeds += [(deed.after, number, deed) for deed in bot.mind.consider(letters)]
        return await self._write(deeds, game)

    async def _write(self, deeds: list[tuple[int, int, Deed]], game: Game) -> bool:
        begin, latest = self.clock.now(), (game.deadline or self.clock.now()) - MOMENT
        for after, number, deed in sorted(deeds, key=lambda item: item[:2]):
            at = min(begin + timedelta(seconds=after), latest)
            await self._send(self.bots[number].client, deed, max(at, self.clock.now()))
        await self._settle()
        return bool(deeds)

    async def _go_on(self, game: Game) -> None:
        """To the evening, when votes are written, or else to whatever is due next."""
        deadline = game.deadline
        evening = deadline - EVENING if deadline and game.phase is Phase.DAY else None
        due = next_wakeup(game)
        if evening and self._voted != deadline and (due is None or due > evening):
            self._voted = deadline
            self.clock.move(max(evening, self.clock.now()))
            votes = [(d.after, n, d) for n, bot in enumerate(self.bots) for d in bot.mind.evening()]
            await self._write(votes, game)
            return
        if due is None:
            raise RuntimeError(f"{self.code} stands still")
        self.clock.move(max(due, self.clock.now()) + MOMENT)
        await self._settle()

    async def _send(self, client: MailClient, deed: Deed, at: datetime | None = None) -> None:
        self.clock.move(at or self.clock.now() + timedelta(seconds=deed.after))
        self.mails += 1
        await asyncio.to_thread(
            client.write, deed.to, deed.subject, deed.body, self.clock.now(), answers=deed.answers
        )  # fmt: skip

    async def _settle(self) -> None:
        """Until every mail has been read and every letter delivered."""
        await self.daemon.poll()
        await self.daemon.quiet()
        await self._watch()

    async def _watch(self) -> Game:
        """Tell what is new, and give the game as it is."""
        fresh, game = await asyncio.to_thread(self._news)
        if fresh:
            self.told(fresh, game, self.clock.now())
        return game

    def _news(self) -> tuple[list[Event], Game]:
        with self.daemon.store.read() as tx:
            number = tx.game_id(self.code)
            assert number is not None  # it was made before the first guest came
            game, version = tx.load(number)
            events = [row.event for row in tx.events(number, after=self._version)]
        self._version = version
        return events, game
