"""One whole game among bots, on the rules alone: no mail, no clock but the game's own.

Each bot is given what its seat knows: the public events, the private ones of its seat, and for its choices the verbs of
its own `SeatView`. Everything follows from the seed: the deal, the dice, and what the bots think.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from random import Random
from typing import TYPE_CHECKING, Final

from pbem.balance import minds
from pbem.balance.minds import talk
from pbem.balance.minds.facts import Public
from pbem.balance.seats import dawn, fact_of
from pbem.engine import commands as c
from pbem.engine import events as e
from pbem.engine.decide import unfold
from pbem.engine.roles import side_of
from pbem.engine.state import Game, Phase
from pbem.engine.statuses.mayor import heir_of
from pbem.engine.view import open_verbs, public_view

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pbem.engine.options import Options

    Roles = tuple[tuple[str, int], ...]

START: Final = datetime(2026, 12, 7, 8, 0, tzinfo=UTC)
SECOND: Final = timedelta(seconds=1)
LONGEST: Final = 60
"""Turns after which the storyteller ends a game that does not end by itself."""
SMALL_TALK: Final = "Belle journée."


@dataclass(frozen=True, slots=True)
class Bots:
    """Who plays: the strength of those who begin on the village's side, and of the others."""

    village: str = "sensible"
    others: str = "sensible"


@dataclass(frozen=True, slots=True)
class Result:
    """How a game ended: `winner` as the engine says it, `won` by seat; `dealt` are the roles by seat."""

    winner: str
    turns: int
    dealt: tuple[str, ...]
    won: tuple[bool, ...]


def play(roles: Roles, options: Options, bots: Bots, seed: str) -> Result:
    """Play one game with these roles to its end."""
    return Table(roles, options, bots, seed).play()


class Table:
    """A game and its players; `game` as it stands."""

    def __init__(self, roles: Roles, options: Options, bots: Bots, seed: str) -> None:
        digest = hashlib.sha256(seed.encode()).hexdigest()
        self.game = Game()
        self._now = START
        self._dice = Random(digest)  # noqa: S311 - bots have no secrets
        number = sum(count for _, count in roles)
        self._names = ("", *(f"N{seat}" for seat in range(1, number + 1)))
        self._seats = {name: seat for seat, name in enumerate(self._names)}
        self._commons = minds.Commons()
        self._minds: dict[int, minds.Mind] = {}
        self._do(c.OpenGame(START, "PL1", replace(options, reminders=()), digest))
        self._do(c.OpenRegistration(START))
        for name in self._names[1:]:
            self._do(c.Join(START, name))
        self._do(c.Deal(START, table=roles))
        for player in self.game.players:
            strength = bots.village if side_of(player.role) == "village" else bots.others
            own = Random(f"{digest}/{player.seat}")  # noqa: S311 - as above
            self._minds[player.seat] = minds.mind(strength, player.name, self._commons, own)
        self._do(c.Start(START))

    def play(self) -> Result:
        """To the end."""
        while self.game.phase is not Phase.OVER:
            if self.game.turn > LONGEST:
                self._do(c.Abort(self._now))
            else:
                self._turn()
        game = self.game
        won = tuple(player.seat in game.winners for player in game.players)
        return Result(game.winner, game.turn, tuple(player.dealt for player in game.players), won)

    # --- the moments of a turn ---

    def _turn(self) -> None:
        self._now += SECOND
        for seat in self._round():
            self._post(seat, talk.say(self._minds[seat].speak()) or SMALL_TALK)
        for seat in self._round():
            self._post(seat, talk.say(self._minds[seat].answer()))
        election = self.game.election
        if election and self.game.deadline and election.closes <= self.game.deadline:
            self._now = max(self._now, election.opens + SECOND)
            self._use(self._round(), ("election", "first-election"))
            self._close()
        self._now += SECOND
        self._use(self._round(), ("any", "first-election", "execution"))
        self._close()
        if self.game.phase is Phase.TIE_BREAK and self.game.tie:
            self._now += SECOND
            self._use([self.game.tie.asked], ("tie-break",))
            if self.game.phase is Phase.TIE_BREAK:
                self._close()
        self._night()

    def _night(self) -> None:
        if self.game.phase is not Phase.SUNSET:
            return
        self._now += SECOND
        for seat in self._round():
            words = talk.say(self._minds[seat].whisper())
            if words:
                self._order(seat, "PACK", c.Words(text=words))
        self._use(self._round(), ("sunset",))
        self._close()
        self._now += SECOND
        self._use(self._round(), ("vision",))
        self._close()
        self._close()

    def _round(self) -> list[int]:
        """The living, in the order in which they happen to write today."""
        seats = [player.seat for player in self.game.living]
        self._dice.shuffle(seats)
        return seats

    def _close(self) -> None:
        """Let the next closing happen."""
        if self.game.phase is Phase.OVER or not self.game.deadline:
            return
        election = self.game.election
        at = min(self.game.deadline, election.closes) if election else self.game.deadline
        self._now = max(self._now, at)
        self._do(c.Tick(self._now))

    # --- what players do ---

    def _post(self, seat: int, text: str) -> None:
        if text:
            self._order(seat, "SAY", c.Words(text=text))

    def _use(self, seats: Iterable[int], until: tuple[str, ...]) -> None:
        """Let these use whatever verbs of these hours they have."""
        for seat in seats:
            for verb in open_verbs(self.game, seat, until):
                settled = verb.verb == "HEIR" and heir_of(self.game, seat)
                if not settled:
                    self._act(seat, verb.verb, verb.choices)
                if self.game.phase is Phase.OVER:
                    return

    def _act(self, seat: int, verb: str, choices: tuple[int, ...]) -> None:
        chosen = self._minds[seat].use(verb, [self._names[choice] for choice in choices])
        if chosen is None:
            return
        word = "".join(name for name in chosen if name not in self._seats)
        seats = tuple(self._seats[name] for name in chosen if name in self._seats)
        self._order(seat, verb, c.Words(seats, word))

    def _order(self, seat: int, verb: str, words: c.Words) -> None:
        self._do(c.Order(self._now, seat, verb, words))

    def _do(self, command: c.Command) -> None:
        events, self.game = unfold(self.game, command)
        for event in events:
            if isinstance(event, e.DayOpened):
                self._commons.hear(dawn(public_view(self.game)))
            fact = fact_of(event, self._names)
            if isinstance(fact, Public):
                self._commons.hear(fact)
            elif fact and isinstance(event, e.Private):
                self._minds[event.to].hear(fact)
