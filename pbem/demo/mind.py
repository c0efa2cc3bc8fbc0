"""What a bot makes of its letters: simple, talkative, and the same for the same dice.

It knows what its letters say and no more: whom it may vote for are the buttons of its ballot; whom it may not devour,
though he lives, must be of its pack; whom others accuse it reads in the village. It writes French.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from random import Random

    from pbem.demo.client import Letter, Offer

ACCUSATION = re.compile(r"J’accuse ([\w-]+)")
DAY = re.compile(r"\bjour (\d+)", re.IGNORECASE)
DAILY = {
    "VOTER": 0.95, "ELIRE": 0.8, "SUCCESSEUR": 0.9, "DEVORER": 1.0, "SONDER": 1.0, "PROTEGER": 0.9, "CHASSER": 1.0,
    "REGARDER": 0.6, "UNIR": 0.8, "EPIER": 0.2, "FAUSSER": 0.15, "DOUBLER": 0.15, "ENDORMIR": 0.15, "CORROMPRE": 0.3,
    "SAUVER": 0.4, "FORCER": 0.15, "SACRIFIER": 0.1, "ENQUETER": 0.5,
}  # fmt: skip
"""How likely a bot is to use each verb that a day's letter offers it."""
AT_ONCE = ("TRANCHER",)
"""What is answered as soon as it is asked."""
REMARKS = (
    "La nuit a été longue. J’ai entendu gratter à ma porte.",
    "Je n’étais pas au moulin hier soir, quoi qu’on en dise.",
    "Tout le monde se tait, et ce silence me fait peur.",
    "On ne me fera pas croire que c’était un chien.",
    "Il y avait de la lumière chez le meunier, bien après minuit.",
    "Ma grand-mère disait : méfie-toi de qui sourit à la pleine lune.",
    "Je dormais, comme tous les honnêtes gens.",
    "Quelqu’un a laissé des traces de boue devant l’église.",
)
ACCUSATIONS = ("J’accuse {}.", "Regardez ses mains : J’accuse {}.", "Je n’ai rien contre personne, mais J’accuse {}.")


@dataclass(frozen=True, slots=True)
class Deed:
    """A mail that a bot wants to write, so many seconds from now."""

    after: int
    to: str
    subject: str
    body: str = ""
    answers: str = ""


@dataclass(slots=True)
class Mind:
    """One bot's head. `dice` is its own source of chance."""

    name: str
    dice: Random
    post_to: str
    accused: dict[str, int] = field(default_factory=dict)
    friends: set[str] = field(default_factory=set)
    day: int = 0
    ballot: list[Offer] = field(default_factory=list)

    def consider(self, letters: list[Letter]) -> list[Deed]:
        """What it wants to write after reading these."""
        deeds: list[Deed] = []
        for letter in letters:
            for name in ACCUSATION.findall(letter.text):
                self.accused[name] = self.accused.get(name, 0) + 1
            deeds += self._answer(letter)
        return deeds

    def _answer(self, letter: Letter) -> list[Deed]:
        offers: dict[str, list[Offer]] = {}
        for offer in letter.offers:
            offers.setdefault(offer.verb, []).append(offer)
        urgent = [verb for verb in AT_ONCE if verb in offers]
        if urgent:
            return [self._use(self.dice.choice(offers[urgent[0]]), self.dice.randint(60, 900))]
        return self._day(offers) if "VOTER" in offers and self._fresh(letter) else []

    def evening(self) -> list[Deed]:
        """What it wants to write when it has heard the others: its vote."""
        ballot, self.ballot = self.ballot, []
        if not ballot or self.dice.random() > DAILY["VOTER"]:
            return []
        return [self._use(self._choose("VOTER", ballot), self.dice.randint(60, 3000))]

    def _fresh(self, letter: Letter) -> bool:
        """Each day's ballot is used once; reminders and acknowledgements bring it again."""
        found = DAY.search(letter.text)
        day = int(found[1]) if found else 0
        fresh = day > self.day
        self.day = max(day, self.day)
        return fresh

    def _day(self, offers: dict[str, list[Offer]]) -> list[Deed]:
        """A day's mails: a post, and what the role offers, spread over the hours to come; the vote comes later."""
        self.ballot = offers.pop("VOTER")
        living = [offer.rest for offer in self.ballot]
        if "DEVORER" in offers:
            prey = {offer.rest for offer in offers["DEVORER"]}
            self.friends = {name for name in living if name not in prey}
        deeds = [self._post(living)]
        for verb, choices in sorted(offers.items()):
            if self.dice.random() < DAILY.get(verb, 0.0):
                deeds.append(self._use(self._choose(verb, choices), self.dice.randint(3600, 8 * 3600)))
        self.accused.clear()
        return deeds

    def _post(self, living: list[str]) -> Deed:
        others = [name for name in living if name != self.name and name not in self.friends]
        words = self.dice.choice(REMARKS)
        if others and self.dice.random() < 0.7:  # noqa: PLR2004 - most of them are quick to accuse
            words += "\n\n" + self.dice.choice(ACCUSATIONS).format(self.dice.choice(others))
        return Deed(self.dice.randint(60, 3000), self.post_to, "La place du village", words)

    def _choose(self, verb: str, choices: list[Offer]) -> Offer:
        """A vote goes where the village points, a bite anywhere; never against a friend if it can be helped."""
        spare = {self.name, *self.friends} if verb in ("VOTER", "FAUSSER") else {self.name}
        open_to = [offer for offer in choices if offer.rest not in spare] or choices
        if verb in ("VOTER", "FAUSSER"):
            most = max(self.accused.get(offer.rest, 0) for offer in open_to)
            open_to = [offer for offer in open_to if self.accused.get(offer.rest, 0) == most]
        return self.dice.choice(open_to)

    def _use(self, offer: Offer, after: int) -> Deed:
        return Deed(after, offer.address, offer.subject)
