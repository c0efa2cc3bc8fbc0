"""Twins whose people behave otherwise: they are curious, or change their minds; what stands in the end is the same."""

from __future__ import annotations

from dataclasses import replace

from pbem.engine import commands as c
from pbem.engine import events as e
from pbem.rehearsal import mailwriter
from pbem.rehearsal.mailwriter import Draft
from tests.secrets.twins import MOST_MAILS, PACK, Twins

REPLACEABLE = {"VOTE", "KILL", "SEE", "HUNT", "GUARD", "FORGE", "INFECT"}
_NO_EFFECT = (
    "STATUS",
    "HELP",
    "RULES",
    "merci",
    "CHANTER fort",
    "VOTE Zénobie",
    "QUESTION",
    "MAIL digest",
    "LANG en",
    "ABSENT",
)


class Curious(Twins):
    """In the twin the others are curious: they see, ask, spy, talk among wolves, ask for help, make blunders."""

    INFO = ("SEE", "ASK", "SPY", "PACK")

    def fitting(self, command):
        """No curiosity in the first game, but X's own."""
        if isinstance(command, c.Order) and command.seat != self.x and command.verb in self.INFO:
            return None
        return command

    def before(self, command) -> None:
        stage, rng = self.twins[1], self.rng
        x = stage.game.player(self.x)
        while rng.random() < 0.5:
            seat, target = rng.choice(stage.game.players).seat, rng.choice(stage.game.players).seat
            verb = rng.choice(self.INFO)
            if seat == self.x or (verb == "SPY" and target == self.x) or (verb == "PACK" and x.role in PACK):
                continue
            words = c.Words(
                (target,) if verb in {"SEE", "SPY"} else (), word="seer" if verb == "ASK" else "", text="mots"
            )
            self.write(1, c.Order(self.now, seat, verb, words))
            self.say(1, seat, rng.choice(_NO_EFFECT))
            assert self.visible(1) == []

    def say(self, which: int, seat: int, subject: str) -> None:
        """Somebody's mail that changes nothing; now and then not even his own."""
        stage = self.twins[which]
        self.mails += 1
        draft = Draft(
            (self.name(seat), stage.addresses()[seat]), self.now, self.mails, f"[PL1] {subject}", "mots",
            authentic=self.rng.random() < 0.8, auto=self.rng.random() < 0.1,
        )  # fmt: skip
        stage.deliver(mailwriter.write(draft), self.now.replace(microsecond=0))


class Wavering(Twins):
    """In the twin the others often change their minds: what stands in the end is what stands in the first game."""

    def do(self, command) -> tuple:
        if (
            isinstance(command, c.Order)
            and command.seat != self.x
            and command.verb in REPLACEABLE
            and self.rng.random() < 0.6
        ):
            self.waver(command)
            return ()
        return super().do(command)

    def waver(self, command: c.Order) -> None:
        """Where it is accepted, something else was ordered first in the twin."""
        if self.mails >= MOST_MAILS:
            return
        self.mails += 2
        here = self.write(0, command)
        if any(isinstance(event, e.OrderTaken) for event in here):
            self.mails -= 1
            self.write(1, replace(command, words=c.Words((self.rng.choice(self.game.players).seat,))))
            self.mails += 1
        self.after(here, self.write(1, command))
