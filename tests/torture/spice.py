"""What people mail besides what bots think of: questions, blunders, machines' mails, forgeries, storytellers' whims.

Each `add` sends a handful of these, drawn by the dice, between two moments of a bots' evening. Whatever it does to the
game, it leaves one that goes on.
"""

from __future__ import annotations

from datetime import timedelta
from email.message import EmailMessage
from typing import TYPE_CHECKING

from pbem.app.clock import DrivenClock  # noqa: F401  (the clock that an evening usually has)
from pbem.demo.play import Deed
from pbem.engine.state import Phase

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable
    from random import Random

    from pbem.engine.state import Game
    from tests.torture.story import Recording

GAME = "lune@village.example"
READER = "lectrice@village.example"
A_FEW = 4
_REPORT = """From: MAILER-DAEMON@village.example
To: lune@village.example
Subject: Undelivered Mail Returned to Sender
Message-ID: <{number}.report@village.example>
Auto-Submitted: auto-replied
MIME-Version: 1.0
Content-Type: multipart/report; report-type=delivery-status; boundary="b"

--b
Content-Type: text/plain

I'm sorry.

--b
Content-Type: message/delivery-status

Reporting-MTA: dns; village.example

Final-Recipient: rfc822; {whom}
Action: failed
Status: 5.1.1

--b--
"""


class Spice:
    """For one evening. `dice` are the evening's."""

    def __init__(self, evening: Recording, dice: Random) -> None:
        self.evening = evening
        self.dice = dice
        self.number = 0
        self.undone = 0
        self.watching = False

    async def add(self, game: Game) -> Game:
        """A few mails; the game as it stands then."""
        for _ in range(self.dice.randint(0, A_FEW)):
            await self.dice.choice(self._all())(game)
            game = await self.evening._watch()
            if game.phase is Phase.OVER:
                break
        return game

    def _all(self) -> list[Callable[[Game], Awaitable[None]]]:
        return [
            self.asks, self.asks, self.blunders, self.several, self.cancels, self.twice, self.forged, self.machine,
            self.bounce, self.garbage, self.reader, self.graveyard, self.pack, self.teller, self.teller, self.held_digest,
            self.pause, self.undo, self.ordered, self.own_tag_to_the_list,
        ]  # fmt: skip

    # --- players ---

    async def asks(self, game: Game) -> None:
        words = self.dice.choice(
            ["STATUT", "AIDE", "REGLES", "STATUS please", "LANG en", "LANGUE fr", "COURRIER daily", "COURRIER posts"]
        )
        await self._write(self._anybody(), words)

    async def blunders(self, game: Game) -> None:
        words = self.dice.choice(
            ["VOTER Personne", "VOTEZ Bruno", "TUER Alice", "VOTER", "SONDER", "merci", "Re: Fwd: rien"]
        )
        await self._write(self._anybody(), words)

    async def several(self, game: Game) -> None:
        body = "Voilà.\n\n!STATUT\n!VOTER Alice\n!VOTER Bruno\n!CHANTER fort\n"
        await self._write(self._anybody(), "mes ordres", body)

    async def cancels(self, game: Game) -> None:
        await self._write(self._anybody(), "ANNULER VOTE")

    async def twice(self, game: Game) -> None:
        """The same mail by two ways."""
        raw = self._mail(self._anybody().client.address, f"[{self.evening.code}] VOTER Alice", "", proven=True)
        self._deliver(raw)
        self._deliver(raw)
        await self.evening._settle()

    async def forged(self, game: Game) -> None:
        """Somebody writes in a player's name; sometimes it was he after all, and he says so."""
        bot = self._anybody()
        self._deliver(self._mail(bot.client.address, f"[{self.evening.code}] VOTER Bruno", "", proven=False))
        await self.evening._settle()
        if self.dice.random() < 0.7:
            await self._confirm(bot.client)

    async def graveyard(self, game: Game) -> None:
        await self._write(self._anybody(), "CIMETIERE", "Il fait froid, ici.")

    async def pack(self, game: Game) -> None:
        await self._write(self._anybody(), "MEUTE", "Qui ce soir ?")

    async def own_tag_to_the_list(self, game: Game) -> None:
        """A careless answer to everybody: the tag is replaced, and what came by it is done."""
        bot = self._anybody()
        with self.evening.daemon.store.read() as tx:
            owners = tx.by_address(bot.client.address)
            row = next((p for p in tx.players(owners[0].game_id) if p.seat == owners[0].seat), None) if owners else None
        if row is None:
            return
        local, _, domain = GAME.partition("@")
        await self._write(bot, "DIRE", "Oups.", to=f"{local}+{row.tag}@{domain}, village@{domain}")

    # --- others ---

    async def machine(self, game: Game) -> None:
        mail = self._message(self._anybody().client.address, "Re: absent jusqu'au 12", "Je suis en vacances.")
        mail["Auto-Submitted"] = "auto-replied"
        self._deliver(mail.as_bytes())
        await self.evening._settle()

    async def bounce(self, game: Game) -> None:
        self.number += 1
        self._deliver(_REPORT.format(number=self.number, whom=self._anybody().client.address).encode())
        await self.evening._settle()

    async def garbage(self, game: Game) -> None:
        self.number += 1
        junk = [b"", b"\x00\xff\xfe", b"Subject: =?utf-8?B?////?=\n\n\xc3\x28", self.dice.randbytes(3000)]
        self._deliver(junk[self.number % len(junk)])
        await self.evening._settle()

    async def reader(self, game: Game) -> None:
        """A reader comes, and talks with the dead, and goes."""
        client = await self._other(READER, "La Lectrice")
        if not self.watching:
            await self._send(client, "SUIVRE")
            await self._confirm(client)
            self.watching = True
        elif self.dice.random() < 0.5:
            await self._send(client, "CIMETIERE", "Je vous lis.")
        else:
            await self._send(client, "NEPLUSSUIVRE")
            self.watching = False

    # --- the storyteller ---

    async def teller(self, game: Game) -> None:
        words, body = self.dice.choice([
            ("STATUT", ""), ("JOURNAL", ""), ("ANNONCER", "Le marché est fermé."), ("RACONTER", "Il neige."),
            ("PROLONGER 1h", ""), (f"ECRIRE {self._anybody().mind.name}", "Courage."), ("DANSER", ""),
            (f"EXCUSER {self._anybody().mind.name}", ""), ("", "!STATUT\n!ANNONCER\nBonsoir."),
        ])  # fmt: skip
        await self._command(words, body)

    async def held_digest(self, game: Game) -> None:
        """A digest waits for his words."""
        await self._command("RETENIR" if not game.held else "PUBLIER")

    async def pause(self, game: Game) -> None:
        await self._command("PAUSE")
        await self._write(self._anybody(), "VOTER Alice")
        await self._command("REPRENDRE")

    async def undo(self, game: Game) -> None:
        """Twice in a story: or it might have no end."""
        if self.undone < 2 and game.phase is Phase.DAY:
            self.undone += 1
            await self._command("DEFAIRE")

    async def ordered(self, game: Game) -> None:
        await self._command(f"ORDRE {self._anybody().mind.name}: VOTER Alice")

    # --- how it is sent ---

    def _anybody(self):
        return self.dice.choice(self.evening.bots)

    async def _write(self, bot, words: str, body: str = "", *, to: str = GAME) -> None:
        await self._send(bot.client, words, body, to=to)

    async def _send(self, client, words: str, body: str = "", *, to: str = GAME) -> None:
        self.number += 1
        subject = f"[{self.evening.code}] {words}"
        await self.evening._send(client, Deed(self.number % 7 + 1, to, subject, body))
        await self.evening._settle()

    async def _command(self, words: str, body: str = "") -> None:
        client = await self._other(self.evening.daemon.settings.game.storytellers[0], "Le Conteur")
        await self._send(client, f"ADMIN {words}", body)

    async def _other(self, address: str, name: str):
        known = vars(self).setdefault("_others", {})
        if address not in known:
            known[address] = await self.evening._client(address, name)
        return known[address]

    async def _confirm(self, client) -> None:
        """Answer the question whether it was he, if there is one."""
        with self.evening.daemon.store.read() as tx:
            waiting = [row for row in tx.held(tx.game_id(self.evening.code)) if row.address == client.address]
        if waiting:
            local, _, domain = GAME.partition("@")
            await self.evening._send(client, Deed(5, f"{local}+{waiting[-1].code}@{domain}", "Re: confirmer", "Oui."))
            await self.evening._settle()

    def _message(self, sender: str, subject: str, body: str) -> EmailMessage:
        self.number += 1
        mail = EmailMessage()
        mail["From"], mail["To"], mail["Subject"] = sender, GAME, subject
        mail["Message-ID"] = f"<{self.number}.spice@village.example>"
        mail.set_content(body or "\n")
        return mail

    def _mail(self, sender: str, subject: str, body: str, *, proven: bool) -> bytes:
        result = f"Authentication-Results: village.example; dmarc=pass header.from={sender.partition('@')[2]}\n"
        return (result.encode() if proven else b"") + self._message(sender, subject, body).as_bytes()

    def _deliver(self, raw: bytes) -> None:
        self.evening.clock.move(self.evening.clock.now() + timedelta(seconds=3))
        self.evening.deliver(raw)
