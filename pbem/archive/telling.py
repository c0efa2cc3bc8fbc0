"""What happened, in sentences of one language: for pages, feeds, the replay and the public data alike.

Names stand between the marks `NAME` and `END`, so that a page can set them apart (`strong`) and a plain text can do
without (`plain`).
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Final
from zoneinfo import ZoneInfo

from babel.dates import format_datetime
from babel.lists import format_list
from markupsafe import Markup, escape

from pbem.archive.facts import Narration
from pbem.engine import events as e

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import datetime

    from pbem.archive.facts import Happening, Tongue
    from pbem.engine.view import PublicView

NAME, END = "\ue000", "\ue001"
_NAMED: Final = re.compile(f"{NAME}([^{NAME}{END}]*){END}")
_PHASES: Final = {"day": "execution"}


def strong(text: str) -> Markup:
    """As HTML, names emphasised."""
    return Markup(plain(_NAMED.sub(r"<b>\1</b>", str(escape(text)))))  # noqa: S704 - escaped just before


def plain(text: str) -> str:
    """As plain text."""
    return text.replace(NAME, "").replace(END, "")


@lru_cache(maxsize=4096)
def _format(moment: datetime, pattern: str, language: str, timezone: str) -> str:
    return format_datetime(moment, pattern, locale=language, tzinfo=ZoneInfo(timezone))


@dataclass(frozen=True)
class Clock:
    """Moments as people at that place read them."""

    tongue: Tongue
    timezone: str

    def hour(self, moment: datetime) -> str:
        """`22:00`."""
        return _format(moment, self.tongue("date", "hour"), self.tongue.language, self.timezone)

    def day(self, moment: datetime) -> str:
        """`Tuesday 8 December`."""
        return _format(moment, self.tongue("date", "day"), self.tongue.language, self.timezone)

    def date(self, moment: datetime) -> str:
        """`8 December 2026`."""
        return _format(moment, self.tongue("date", "date"), self.tongue.language, self.timezone)

    def short(self, moment: datetime) -> str:
        """`Tue 8 Dec, 22:00`."""
        return _format(moment, self.tongue("date", "short"), self.tongue.language, self.timezone)

    def when(self, moment: datetime) -> str:
        """`Tuesday 8 December at 22:00 (Paris)`."""
        zone = _format(moment, "VVV", self.tongue.language, self.timezone) if "/" in self.timezone else self.timezone
        day, hour = self.day(moment), self.hour(moment)
        return self.tongue("date", "moment", day=day, hour=hour, zone=zone.replace(" ", "\u00a0"))


@dataclass(frozen=True)
class Teller:
    """Tells of one game. `view` is how it stands now: names and genders are those of today."""

    tongue: Tongue
    view: PublicView

    @cached_property
    def clock(self) -> Clock:
        """The game's local time."""
        return Clock(self.tongue, self.view.options.timezone)

    def name(self, seat: int) -> str:
        """Whoever sits there now; '' for nobody."""
        return self.view.faces[seat - 1].name if 0 < seat <= len(self.view.faces) else ""

    def gender(self, seat: int) -> str:
        """m or f."""
        return self.view.faces[seat - 1].gender if 0 < seat <= len(self.view.faces) else "m"

    def listed(self, words: Iterable[str]) -> str:
        """`one, two and three`."""
        words = list(words)
        return format_list(words, locale=self.tongue.language) if len(words) > 1 else "".join(words)

    def names(self, seats: Iterable[int]) -> str:
        """The same of names, marked."""
        return self.listed(_marked(self.name(seat)) for seat in seats)

    def sentences(self, happening: Happening) -> list[str]:
        """What is said of it; nothing for what only a table can tell."""
        event, told = happening.event, self.tongue
        match event:
            case e.Died():
                return self._death(event, happening.name)
            case e.Joined() | e.Left():
                return [self._say(_key(event), name=_marked(happening.name or getattr(event, "name", "")))]
            case e.Replaced():
                return [self._say("replaced", old=_marked(happening.name), new=_marked(event.name))]
            case e.GameStarted():
                return self._start(event)
            case e.DayOpened():
                return [self._say("day", turn=event.turn, when=self.clock.when(event.execution))]
            case e.DeadlineMoved() | e.Resumed():
                what = told("closing", _PHASES.get(event.phase, event.phase))
                return [self._say(_key(event), what=what, when=self.clock.when(event.deadline))]
            case e.ElectionSet():
                return [self._say("election-set", when=self.clock.when(event.closes))]
            case e.SunsetOpened():
                return [self._say("sunset", hour=self.clock.hour(event.until))]
            case e.Announced() | Narration():
                return []
            case _:
                return self._turn(event)

    def _turn(self, event: e.Public) -> list[str]:
        """Votes, offices, nights and the end."""
        match event:
            case e.ElectionClosed():
                return [self._say("elected", name=self.names([event.mayor])) if event.mayor else self._say("no-election")]
            case e.MayorChanged(how="elected"):
                return []
            case e.MayorChanged():
                if not event.mayor:
                    return [self._say("mayor-vacant")]
                return [self._gendered(f"mayor-{event.how}", event.mayor)]
            case e.Repudiated():
                return [self._gendered("repudiated", event.seat)]
            case e.VotesPublished():
                return ([self._say("forged")] if event.forged else []) + ([] if event.tally else [self._say("no-votes")])
            case e.TieAnnounced():
                key = "tie-mayor" if event.mayor else "tie-open"
                mayor = self.names([event.mayor] if event.mayor else [])
                return [self._say(key, names=self.names(event.tied), mayor=mayor, hour=self.clock.hour(event.until))]
            case e.ExecutionDone():
                return [] if event.burned else [self._say("nobody-burned")]
            case e.MurderDone():
                told = [self._say("asleep")] if event.asleep else []
                return told if event.found else [*told, self._say("nobody-found")]
            case e.GameWon():
                return self._won(event)
            case _:
                return [self._say(_key(event))] if self.tongue.get("story", _key(event)) else []

    def _start(self, event: e.GameStarted) -> list[str]:
        told = [self._say("started", players=self.tongue.count("player", len(self.view.faces)))]
        if event.immune:
            told.append(self._say("immune", names=self.names(event.immune)))
        if event.composition:
            roles = (f"{self.tongue.role(slug)} ×\u00a0{n}" for slug, n in event.composition)
            told.append(self._say("composition", roles=self.listed(roles)))
        return told

    def _death(self, event: e.Died, name: str) -> list[str]:
        gender = self.gender(event.seat)
        role = self.tongue.role(event.role, gender, "indefinite") if event.role else "?"
        key = f"death-{event.cause}"
        told = [self.tongue.gendered("story", key, gender, name=_marked(name or self.name(event.seat)), role=role)]
        return [*told, self._say("reason", reason=event.reason)] if event.reason else told

    def _won(self, event: e.GameWon) -> list[str]:
        if event.aborted:
            return [self._say("aborted")]
        told = [self._say(f"won-{event.winner}")]
        return [*told, self._say("winners", names=self.names(event.winners))] if event.winners else told

    def _say(self, key: str, **fields: object) -> str:
        return self.tongue("story", key, **fields)

    def _gendered(self, key: str, seat: int) -> str:
        return self.tongue.gendered("story", key, self.gender(seat), name=self.names([seat]))


def _marked(name: str) -> str:
    return f"{NAME}{plain(name)}{END}" if name else ""


def _key(event: object) -> str:
    """`RegistrationOpened`: registration-opened."""
    return re.sub(r"(?<!^)(?=[A-Z])", "-", type(event).__name__).lower()
