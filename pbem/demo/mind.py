"""A bot at its mail: it reads its letters, thinks as the bots of `pbem.balance.minds` do, and answers by buttons.

What it knows are the facts that its letters tell (`news`); what it may do are the buttons that they hold. It writes
French, posts once a day, and is the same for the same dice.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from pbem.app import rolenames
from pbem.balance import minds
from pbem.balance.minds import talk
from pbem.balance.minds.facts import Fell, Public, Said, Voted
from pbem.demo import news
from pbem.engine.roles import LEXICON
from pbem.engine.verbs import Args

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from random import Random

    from pbem.balance.minds.facts import Fact
    from pbem.demo.client import Letter, Offer

ENGLISH: Final = {word: verb for verb in LEXICON for word in (verb.name, *verb.french)}
TAKES: Final = {verb.name: verb.args for verb in LEXICON}
DAY: Final = re.compile(r"\bjour (\d+)", re.IGNORECASE)
MORNING: Final = ("ELECT", "PAIR", "SPY", "ASK", "HEIR")
"""What is done as soon as the day's letter is read; the rest of its buttons wait for the evening, like the vote."""
AT_ONCE: Final = ("DECIDE", "HEIR", "SAVE")
"""What is answered as soon as it is asked, whatever letter asks."""
TALK: Final = ("SAY", "PACK", "GRAVEYARD", "STATUS", "HELP", "RULES", "CANCEL", "ABSENT", "QUESTION", "LEAVE")
"""What no plan is made for."""
AGAIN: Final = "Votre ordre est tombé"
"""The letter that asks for another choice."""
ANYONE: Final = "QUICONQUE"
REMARKS: Final = (
    "La nuit a été longue. J’ai entendu gratter à ma porte.",
    "Je n’étais pas au moulin hier soir, quoi qu’on en dise.",
    "Tout le monde se tait, et ce silence me fait peur.",
    "On ne me fera pas croire que c’était un chien.",
    "Il y avait de la lumière chez le meunier, bien après minuit.",
    "Ma grand-mère disait : méfie-toi de qui sourit à la pleine lune.",
    "Je dormais, comme tous les honnêtes gens.",
    "Quelqu’un a laissé des traces de boue devant l’église.",
)
HOUR: Final = 3600


@dataclass(frozen=True, slots=True)
class Deed:
    """A mail that a bot wants to write, so many seconds from now."""

    after: int
    to: str
    subject: str
    body: str = ""
    answers: str = ""


class Mind:
    """One bot's head. `dice` is its own source of chance, `post_to` where it talks to the village."""

    def __init__(self, name: str, dice: Random, post_to: str) -> None:
        self.name = name
        self.dice = dice
        self.post_to = post_to
        self._commons = minds.Commons()
        self._head: minds.Mind = minds.Sensible(name, self._commons, dice)
        self._day = 0
        self._hand: dict[str, list[Offer]] = {}

    def consider(self, letters: list[Letter]) -> list[Deed]:
        """What it wants to write after reading these."""
        for fact in self._news(letters):
            self._hear(fact)
        return [deed for letter in letters for deed in self._answer(letter)]

    def evening(self) -> list[Deed]:
        """What it wants to write when it has heard the others: its defence, its vote, its orders for the night."""
        hand, self._hand = self._hand, {}
        if not hand:
            return []
        defence = talk.say(self._head.answer())
        deeds = [self._post(defence, 60)] if defence else []
        return [*deeds, *self._use_all(hand, [verb for verb in hand if verb not in MORNING], HOUR)]

    # --- reading ---

    def _news(self, letters: list[Letter]) -> Iterator[Fact]:
        """First what happened, then what was said, whatever the order of the letters."""
        village = [letter.text for letter in letters if letter.reply_to == self.post_to]
        told = [fact for text in village for fact in news.public(text)]
        yield from (fact for fact in told if not isinstance(fact, Said))
        yield from (fact for text in self._own(letters) for fact in news.private(text))
        yield from (fact for fact in told if isinstance(fact, Said))

    def _own(self, letters: list[Letter]) -> list[str]:
        return [letter.text for letter in letters if letter.reply_to != self.post_to]

    def _hear(self, fact: Fact) -> None:
        """Pass it on; digests tell of the same dead every day, and of blanks as if they were names."""
        match fact:
            case Fell(who) if who in self._commons.dead:
                return
            case Voted(record):
                known = (*self._commons.living, *self._commons.dead)
                self._commons.hear(Voted(tuple(pair for pair in record if pair[1] in known)))
            case Public():
                self._commons.hear(fact)
            case _:
                self._head.hear(fact)

    # --- writing ---

    def _answer(self, letter: Letter) -> list[Deed]:
        hand: dict[str, list[Offer]] = {}
        for offer in letter.offers:
            verb = ENGLISH.get(offer.verb)
            if verb:
                hand.setdefault(verb.name, []).append(offer)
        if "VOTE" in hand and self._fresh(letter):
            return self._morning(hand)
        urgent = [verb for verb in hand if verb in AT_ONCE or (AGAIN in letter.text and verb not in TALK)]
        return self._use_all(hand, urgent, HOUR // 4)

    def _fresh(self, letter: Letter) -> bool:
        """Each day's ballot is used once; reminders and acknowledgements bring it again."""
        found = DAY.search(letter.text)
        day = int(found[1]) if found else 0
        fresh = day > self._day
        self._day = max(day, self._day)
        return fresh

    def _morning(self, hand: dict[str, list[Offer]]) -> list[Deed]:
        """A post, a word to the pack, and what has no need to wait."""
        self._hand = hand
        words = " ".join((self.dice.choice(REMARKS), talk.say(self._head.speak()))).strip()
        deeds = [self._post(words, self.dice.randint(60, 3000))]
        plot = talk.say(self._head.whisper())
        if plot and "PACK" in hand:
            pack = hand["PACK"][0]
            deeds.append(Deed(self.dice.randint(60, 3000), pack.address, pack.subject, plot))
        return [*deeds, *self._use_all(hand, [verb for verb in hand if verb in MORNING], 8 * HOUR)]

    def _post(self, words: str, after: int) -> Deed:
        return Deed(after, self.post_to, "La place du village", words)

    def _use_all(self, hand: dict[str, list[Offer]], verbs: Iterable[str], within: int) -> list[Deed]:
        deeds = (self._use(verb, hand) for verb in verbs if verb not in TALK)
        return [Deed(self.dice.randint(60, within), *deed) for deed in deeds if deed]

    def _use(self, verb: str, hand: dict[str, list[Offer]]) -> tuple[str, str] | None:
        """Address and subject of the mail by which it uses that verb, if it wants to."""
        offers = hand[verb]
        two = TAKES[verb] is Args.TWO_PLAYERS
        names = self._commons.living if two else [o.rest for o in offers if o.rest and o.rest != ANYONE]
        chosen = self._head.use(verb, list(names))
        if chosen is None:
            return None
        if verb == "ASK":
            wanted = next((o for o in offers if chosen[0] == rolenames.find(o.rest)), None)
        elif two:
            return offers[0].address, f"{offers[0].verb} {' / '.join(chosen)}"
        else:
            wanted = next((o for o in offers if o.rest == " ".join(chosen)), None)
        return (wanted.address, wanted.subject) if wanted else None
