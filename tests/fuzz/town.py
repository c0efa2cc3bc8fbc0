"""A village into which any mail is thrown: the real program over a store in memory, with every registered sender known.

The mails of `tests/mails` are addressed to `jeu.example`; they are dressed for this village: its addresses, its server's
name, its players and their present tags, and a Message-ID of their own.
"""

from __future__ import annotations

import logging
import re
from collections import Counter
from datetime import timedelta
from typing import TYPE_CHECKING, Final
from zoneinfo import ZoneInfo

from pbem.app.receive import Receiver
from pbem.app.tokens import Counted
from pbem.engine.state import Phase
from pbem.mail.mime import open_mail
from pbem.orders.reading import read
from pbem.rehearsal import moments
from pbem.rehearsal.mailwriter import AUTHSERV, GAME, STORYTELLER, Draft, write
from pbem.rehearsal.scenario import Seat, Setting
from pbem.rehearsal.stage import Stage, address_of

if TYPE_CHECKING:
    from pbem.app.handling import Handled

SEATS: Final = (
    Seat("Inès", "militia", "f"), Seat("Bruno", "werewolf"), Seat("Chloé", "seer", "f"), Seat("Noé", "prescient"), Seat("Émile", "telepath"),
    Seat("Karine", "investigator", "f"), Seat("Joël", "nosy-neighbour"), Seat("Damien", "executioner"), Seat("Gaspard", "forger"),
)  # fmt: skip
WHO: Final = {
    b"ines@agrume.example": "Inès", b"karine.delmas@facteur.example": "Karine", b"damien.roux@boite.example": "Damien",
    b"joel@gnou.example.org": "Joël", b"gaspard.nolin@oiseau.example": "Gaspard", b"bruno.lemaire@example.org": "Bruno",
    b"noe.aubry@example.org": "Noé", b"emile.garnier@pomme.example": "Émile", b"fanny.perrot@ouaibe.example": "Chloé",
}  # fmt: skip
TAGS: Final = {
    b"k7f3q9w2mzx4t5ba": "Inès", b"x6d3k7t2wq4mvzhn": "Karine", b"hz5j3m6yfk2t7qpc": "Damien", b"f2h7q4kz6n3xwrys": "Joël",
    b"t3w6z2xk7vq4jmrf": "Gaspard", b"m4tz6kq2hw7xc3ye": "Bruno", b"s5q2t7xk4w6nrzdh": "Noé", b"wx3c7r2nq6bd4lzk": "Émile",
}  # fmt: skip
_ID: Final = re.compile(rb"^(message-id:\s*<)", re.MULTILINE | re.IGNORECASE)
MACHINES: Final = {"own", "receipt", "auto-reply", "bulk"}
ENDS: Final = ("accepted", "refused", "held", "ignored", "quarantined")
"""How a mail may end; there is no other way."""


class _Log(logging.Handler):
    """What the program says when a mail made it stumble."""

    def __init__(self) -> None:
        super().__init__(logging.ERROR)
        self.said: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.said.append(record.getMessage())


class Town:
    """One game in the middle of a day (or in a night), and what became of the mails that came to it."""

    def __init__(self, seed: int) -> None:
        handler = _Log()
        self.log = handler.said
        receiving = logging.getLogger("pbem.app.receive")
        receiving.handlers, receiving.propagate = [handler], False
        setting = Setting(
            seats=SEATS, start=moments.START, zone=ZoneInfo("Europe/Paris"), mayor="Inès", heir="", lovers=(), immune=(), dice=(),
            composition="hidden", registration=False, options={"inactivity": "off"},
        )  # fmt: skip
        self.stage = Stage(setting, reader=True)
        office = self.stage.receiver.office
        limits = office.settings.limits.model_copy(update={"mails_per_hour": 10**6, "seconds_per_mail": 60.0})
        settings = office.settings.model_copy(update={"limits": limits})
        self.stage.receiver = Receiver(self.stage.store, office.scribe, settings, Counted(f"fuzz-{seed}"))
        self.mark = 0
        self.count = 0
        if seed % 2:
            self._fall_asleep()
        self._new_letters()

    def _fall_asleep(self) -> None:
        """To the night that follows the execution of the last of them."""
        for number, seat in enumerate(SEATS, 1):
            draft = Draft((seat.name, address_of(seat.name)), self.stage.now, number, f"[PL1] VOTER {SEATS[-1].name}")
            self.stage.deliver(write(draft), self.stage.now)
        for _ in range(10):
            due = self.stage.next_due()
            if due is None or self.stage.game.phase is Phase.SUNSET:
                return
            self.stage.pass_to(due)

    def close(self) -> None:
        self.stage.close()

    def dressed(self, raw: bytes) -> bytes:
        self.count += 1
        for theirs, name in WHO.items():
            raw = raw.replace(theirs, address_of(name).encode())
        for tag, name in TAGS.items():
            if tag in raw:
                raw = raw.replace(tag, self.stage.tag(self._seat(name)).encode())
        raw = raw.replace(b"lune@jeu.example", GAME.encode()).replace(b"@jeu.example", b"@example.org")
        raw = raw.replace(b"mx.jeu.example", AUTHSERV.encode()).replace(b"pie@minuit.example", STORYTELLER.encode())
        raw = re.sub(
            rb"\b(?:agrume|facteur|boite|oiseau|pomme|ouaibe|minuit|rond)\.example(?:\.org)?\b", b"example.org", raw
        )
        return _ID.sub(rb"\g<1>%d." % self.count, raw, count=1)

    @staticmethod
    def _seat(name: str) -> int:
        return next(number for number, seat in enumerate(SEATS, 1) if seat.name == name)

    def heard(self, raw: bytes) -> Counter[str]:
        """What a mail, dressed, says, by verb."""
        office = self.stage.receiver.office
        mail = open_mail(raw, self.stage.now)
        with office.store.read() as tx:
            house = office.house(tx)
        return Counter(spoken.verb for spoken in read(mail, house).commands)

    def throw(self, raw: bytes) -> tuple[str, Handled, list]:
        """A dressed mail comes in: how it ended, what became of it, and the letters that it led to."""
        self.stage.now += timedelta(seconds=1)
        handled = self.stage.deliver(raw, self.stage.now)
        return _end(handled), handled, self._new_letters()

    def stumbled(self) -> bool:
        """Whether an exception put a mail aside since it was last asked."""
        return bool(self.log)

    def _new_letters(self) -> list:
        letters = self.stage.letters(self.mark)
        self.mark = max([self.mark, *(row.id for row in letters)])
        return letters


def _end(handled: Handled) -> str:
    if handled.kind in {"quarantined", "unreadable"}:
        return "quarantined"
    statuses = {outcome.status for outcome in handled.outcomes}
    return next((end for end in ("accepted", "held", "refused") if end in statuses), "ignored")
