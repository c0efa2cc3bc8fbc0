"""What was secret, once it is over (WIN-8): roles, the nights as they really were, dice, the graveyard."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pbem.archive.facts import Truth
    from pbem.archive.telling import Teller
    from pbem.engine.chronicle import Deed, Draw, TurnRecord
    from pbem.engine.events import GraveyardTalked

_TWO = 2


@dataclass(frozen=True, slots=True)
class Revelation:
    """The truth in words."""

    truth: Truth
    teller: Teller

    @property
    def turns(self) -> Sequence[TurnRecord]:
        """Every turn in which something secret happened."""
        return [turn for turn in self.truth.chronicle.turns if turn.turn and (_has_news(turn) or turn.votes)]

    @property
    def deal(self) -> Sequence[Draw]:
        """The draws of the deal."""
        return self.truth.chronicle.deal

    @property
    def graveyard(self) -> Sequence[GraveyardTalked]:
        """All that was said among the dead."""
        return self.truth.chronicle.graveyard

    def lovers(self) -> list[str]:
        """The couples, each as one text."""
        return [self.teller.names(pair) for pair in self.truth.couples]

    def dealt(self, seat: int) -> str:
        """The role of the start, in words."""
        slug = self.truth.dealt[seat - 1]
        return self.teller.tongue.role(slug, self.teller.gender(seat)) if slug else ""

    def order(self, deed: Deed) -> str:
        """`SEE Bruno`: the command, as it would be written."""
        told = self.teller.tongue
        names = [self.teller.name(seat) for seat in deed.seats]
        if len(names) == _TWO and told.get("pair", deed.verb):
            names = [told("pair", deed.verb, one=names[0], other=names[1])]
        if deed.word:
            known = told.get("verb", deed.word)
            names.append(known or told.role(deed.word))
        verb = told.get("verb", deed.verb) or deed.verb
        return f"{verb} {', '.join(names)}".strip()

    def outcome(self, deed: Deed) -> str:
        """What came of it, in words."""
        told = self.teller.tongue
        if deed.seen:
            return told("effect of", "saw", what=self._seen(deed))
        return told("effect of", deed.effect or "none")

    def _seen(self, deed: Deed) -> str:
        told, words = self.teller.tongue, []
        for who, role in deed.seen:
            if deed.verb == "ASK":
                words.append(f"{told.role(role)} × {who}")
            elif role:
                words.append(f"{self.teller.name(who)}, {told.role(role, self.teller.gender(who))}")
            else:
                words.append(self.teller.name(who))
        return "; ".join(words)

    def night(self, turn: TurnRecord) -> list[str]:
        """What the close of sunset fixed, in sentences."""
        night, told = turn.night, self.teller.tongue
        if night is None:
            return []
        facts: list[tuple[str, Any]] = [
            ("protected", night.protected), ("threatened", night.main), ("extra", (night.extra,)),
            ("sacrificed", (night.sacrificed,)), ("converted", (night.converted,)), ("unmasked", night.unmasked),
        ]  # fmt: skip
        words = [told("night", "asleep")] if night.asleep else []
        words += [told("night", key, names=self.teller.names(seats)) for key, seats in facts if any(seats)]
        words += [
            told("night", "saved", name=self.teller.names([one.seat]), other=self.teller.names([one.target]))
            for one in turn.saved
        ]
        return words or [told("night", "quiet")]

    def forced(self, turn: TurnRecord) -> list[str]:
        """TELE-1: whose hand was led by whom."""
        return [
            self.teller.tongue(
                "night", "forced", name=self.teller.names([one.seat]), voter=self.teller.names([one.voter]),
                target=self.teller.names([one.target]),
            )
            for one in turn.forced
        ]  # fmt: skip

    def die(self, roll: Draw) -> str:
        """What a draw was for."""
        return self.teller.tongue.get("dice", roll.purpose) or roll.purpose


def _has_news(turn: TurnRecord) -> bool:
    return bool(turn.deeds or turn.dice or turn.deaths or turn.night or turn.forced or turn.undone)
