"""A small village on a stage: the real program in memory, mails in as bytes."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, timedelta
from zoneinfo import ZoneInfo

import pytest

from pbem.rehearsal import mailwriter, moments
from pbem.rehearsal.mailwriter import Draft
from pbem.rehearsal.scenario import Seat, Setting
from pbem.rehearsal.stage import Stage, address_of

PARIS = ZoneInfo("Europe/Paris")
ROLES = {"Alice": "villager", "Bruno": "werewolf", "Chloé": "seer", "David": "villager", "Émile": "militia"}


class Village:
    """The stage, and short ways to write to it. Seats: Alice 1, Bruno 2 (werewolf), Chloé 3, David 4, Émile 5."""

    def __init__(self, **setting):
        given = {
            "seats": tuple(Seat(name, role) for name, role in ROLES.items()), "start": moments.START,
            "zone": PARIS, "mayor": "", "heir": "", "lovers": (), "immune": (), "options": {}, "dice": (),
            "composition": "hidden", "registration": False,
        } | setting  # fmt: skip
        self.stage = Stage(Setting(**given), reader=True)
        self.number = 0
        self.mark = 0
        self.take()

    @property
    def receiver(self):
        return self.stage.receiver

    @property
    def store(self):
        return self.stage.store

    @property
    def game(self):
        return self.stage.game

    @property
    def now(self):
        return self.stage.now

    def draft(self, who, subject="", body="", **more):
        self.number += 1
        name, address = who if isinstance(who, tuple) else self.person(who)
        fields = {"subject": f"[PL1] {subject}" if subject else "", "body": body} | more
        return Draft((name, address), self.now, self.number, **fields)

    @staticmethod
    def person(who):
        if who == "storyteller":
            return "Le Conteur", mailwriter.STORYTELLER
        return ("Le Lecteur", mailwriter.READER) if who == "reader" else (who, address_of(who))

    def send(self, who, subject="", body="", **more):
        """An authentic mail, received and read now; see `Draft` for more."""
        return self.raw(mailwriter.write(self.draft(who, subject, body, **more)))

    def tagged(self, seat, subject, body="", **more):
        """A mail that only its personal tag proves."""
        to = f"lune+{self.stage.tag(seat)}@example.org"
        return self.send(("X", "x@elsewhere.example"), subject, body, to=to, authentic=False, **more)

    def raw(self, raw):
        return self.stage.deliver(raw, self.now)

    def answer(self, letter, who, body="Oui.", **more):
        """An answer to one of the game's letters."""
        answer = mailwriter.answer_to(letter.raw)
        draft = replace(
            self.draft(who, body=body, **more), to=answer.to, subject=answer.subject, in_reply_to=answer.in_reply_to,
            references=answer.references,
        )  # fmt: skip
        return self.raw(mailwriter.write(draft))

    def wait(self, **length):
        self.stage.pass_to(self.now + timedelta(**length))

    def until(self, hour, day=0):
        here = self.now.astimezone(PARIS)
        self.stage.pass_to((here + timedelta(days=day)).replace(hour=hour, minute=0).astimezone(UTC))

    def take(self, to=None):
        """The letters written since the last time, to one address if given."""
        letters = self.stage.letters(self.mark)
        self.mark = max([self.mark, *(row.id for row in letters)])
        if to is None:
            return letters
        address = to if "@" in to else self.person(to)[1]
        return [row for row in letters if row.to == address]


@pytest.fixture
def village():
    made = Village()
    yield made
    made.stage.close()


@pytest.fixture
def make_village():
    made = []

    def make(**setting):
        made.append(Village(**setting))
        return made[-1]

    yield make
    for one in made:
        one.stage.close()
