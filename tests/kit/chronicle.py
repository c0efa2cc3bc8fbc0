"""What has come of a game of the kit's village: who died, what each was told, what was published, who may do what."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbem.engine import events as e
from pbem.engine.evolve import replay
from pbem.engine.view import allowed
from tests.kit.notices import notice_of

if TYPE_CHECKING:
    from datetime import datetime, tzinfo

    from pbem.engine.state import Game

WEEKDAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")


class Chronicle:
    """A game with its log. `news` are the events of the last step, `before` is the game as it was before that."""

    names: list[str]
    zone: tzinfo
    game: Game
    before: Game
    log: list[e.Event]
    news: list[e.Event]

    def seat(self, name: str) -> int:
        """The seat of that name, or 0 for ''."""
        return self.names.index(name) + 1 if name else 0

    def name(self, seat: int | None) -> str:
        """The name at that seat, '' for nobody."""
        return self.names[seat - 1] if seat else ""

    def player(self, name: str):
        """That player's record."""
        return self.game.player(self.seat(name))

    @property
    def phase(self) -> str:
        """As SCENARIOS.md names it."""
        return "paused" if self.game.paused else self.game.phase.value

    @property
    def dead(self) -> set[str]:
        """Everybody who is."""
        return {p.name for p in self.game.players if not p.alive}

    @property
    def died(self) -> set[str]:
        """In the last step."""
        return self.dead - {p.name for p in self.before.players if not p.alive}

    @property
    def found(self) -> list[str]:
        """Whom the last murder's list named, in its order."""
        return [self.name(s) for s in self.last(e.MurderDone).found]

    def cause(self, name: str) -> str:
        """Of what he died, in truth."""
        return self.player(name).cause

    def told(self, name: str, kind: str = "") -> list:
        """The notices that `name` (or `storyteller`) got in the last step; with `kind`, what each of that kind says."""
        to = 0 if name == "storyteller" else self.seat(name)
        notices = [notice_of(x, self.name) for x in self.news if isinstance(x, e.Private) and x.to == to]
        talks = (x for x in self.news if isinstance(x, e.GraveyardTalked) and to in x.readers)
        notices += [{"graveyard-talk": self.name(x.seat) or x.name} for x in talks]
        return [x[kind] for x in notices if kind in x] if kind else notices

    def happened(self, kind: type) -> list:
        """The last step's events of that class."""
        return [x for x in self.news if isinstance(x, kind)]

    def last(self, kind: type):
        """The last event of that class in the whole game."""
        return next(x for x in reversed(self.log) if isinstance(x, kind))

    @property
    def record(self) -> dict[str, str]:
        """The last published votes, as SCENARIOS.md writes them."""
        shown = self.last(e.VotesPublished).record
        return {self.name(a): {"vote": self.name(b), "blank": "blank", "self": "self"}[how] for a, b, how in shown}

    @property
    def forged(self) -> bool:
        """Whether the last published votes were."""
        return self.last(e.VotesPublished).forged

    @property
    def election(self) -> dict[str, str]:
        """The last published election."""
        return {self.name(a): self.name(b) for a, b in self.last(e.ElectionClosed).ballots}

    @property
    def mayor(self) -> str:
        """In office, or ''."""
        return self.name(self.game.mayor)

    @property
    def heir(self) -> str:
        """The mayor's successor on record, or ''."""
        order = self.game.order(self.game.mayor, "HEIR")
        return self.name(order.seats[0]) if order else ""

    @property
    def asked(self) -> str:
        """Who is to break a tie, or ''."""
        return self.name(self.game.tie.asked) if self.game.tie else ""

    @property
    def winner(self) -> str:
        """A side, or '' while it goes on."""
        return self.game.winner

    @property
    def winners(self) -> set[str]:
        """By name."""
        return {self.name(s) for s in self.game.winners}

    def can(self, name: str) -> set[str]:
        """SCENARIOS.md's `can`."""
        return set(allowed(self.game, self.seat(name)))

    def standing(self, name: str, verb: str) -> list[str] | None:
        """Whom the standing order of that verb names, or None."""
        order = self.game.order(self.seat(name), verb)
        return [self.name(s) for s in order.seats] if order else None

    def clock(self, moment: datetime | None) -> str:
        """That moment on the village clock: `tue 22:30`."""
        if moment is None:
            return ""
        local = moment.astimezone(self.zone)
        return f"{WEEKDAYS[local.weekday()]} {local:%H:%M}"

    @property
    def deadline(self) -> str:
        """When the present phase ends, on the village clock."""
        return self.clock(self.game.deadline)

    def check(self) -> None:
        """The log alone makes this very game."""
        assert replay(self.log) == self.game
