"""What happened, in sentences of one language: for pages, feeds, the replay and the public data alike.

Names stand between the marks `NAME` and `END`, so that a page can set them apart (`strong`) and a plain text can do
without (`plain`).
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Any, Final
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
        """`22:00`, or as the language writes a full hour."""
        sharp = self.tongue.get("date", "sharp") if _format(moment, "m", "en", self.timezone) == "0" else ""
        return _format(moment, sharp or self.tongue("date", "hour"), self.tongue.language, self.timezone).replace(
            " ", "\u00a0"
        )

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
        """M or f."""
        return self.view.faces[seat - 1].gender if 0 < seat <= len(self.view.faces) else "m"

    def listed(self, words: Iterable[str]) -> str:
        """`one, two and three`."""
        words = list(words)
        return format_list(words, locale=self.tongue.language) if len(words) > 1 else "".join(words)

    def names(self, seats: Iterable[int]) -> str:
        """The same of names, marked."""
        return self.listed(_marked(self.name(seat)) for seat in seats)

    def sentences(self, happening: Happening) -> list[str]:
        """What is said of it; nothing for what only a table, or somebody's own words, can tell."""
        event = happening.event
        tell = _TELLERS.get(type(event))
        if tell is not None:
            return tell(self, event, _marked(happening.name))
        return [self.said(_key(event))] if self.tongue.get("story", _key(event)) else []

    def said(self, key: str, **fields: object) -> str:
        """One sentence."""
        return self.tongue("story", key, **fields)

    def of(self, key: str, seat: int) -> str:
        """One sentence about somebody, in his gender."""
        return self.tongue.gendered("story", key, self.gender(seat), name=self.names([seat]))


def _marked(name: str) -> str:
    return f"{NAME}{plain(name)}{END}" if name else ""


def _key(event: object) -> str:
    """`RegistrationOpened`: registration-opened."""
    return re.sub(r"(?<!^)(?=[A-Z])", "-", type(event).__name__).lower()


def _closing(t: Teller, event: e.DeadlineMoved | e.Resumed, _name: str) -> list[str]:
    what = t.tongue("closing", _PHASES.get(event.phase, event.phase))
    return [t.said(_key(event), what=what, when=t.clock.when(event.deadline))]


def _mayor(t: Teller, event: e.MayorChanged, _name: str) -> list[str]:
    if event.how == "elected":
        return []
    return [t.of(f"mayor-{event.how}", event.mayor) if event.mayor else t.said("mayor-vacant")]


def _elected(t: Teller, event: e.ElectionClosed, _name: str) -> list[str]:
    return [t.of("elected", event.mayor) if event.mayor else t.said("no-election")]


def _votes(t: Teller, event: e.VotesPublished, _name: str) -> list[str]:
    return [t.said(key) for key, so in (("forged", event.forged), ("no-votes", not event.tally)) if so]


def _tie(t: Teller, event: e.TieAnnounced, _name: str) -> list[str]:
    mayor = t.names([event.mayor] if event.mayor else [])
    names, hour = t.names(event.tied), t.clock.hour(event.until)
    return [t.said("tie-mayor" if mayor else "tie-open", names=names, mayor=mayor, hour=hour)]


def _murder(t: Teller, event: e.MurderDone, _name: str) -> list[str]:
    return [t.said(key) for key, so in (("asleep", event.asleep), ("nobody-found", not event.found)) if so]


def _start(t: Teller, event: e.GameStarted, _name: str) -> list[str]:
    told = [t.said("started", players=t.tongue.count("player", len(t.view.faces)))]
    if event.immune:
        told.append(t.said("immune", names=t.names(event.immune)))
    if event.composition:
        roles = (f"{t.tongue.role(slug)} ×\u00a0{n}" for slug, n in event.composition)
        told.append(t.said("composition", roles=t.listed(roles)))
    return told


def _death(t: Teller, event: e.Died, name: str) -> list[str]:
    gender = t.gender(event.seat)
    role = t.tongue.role(event.role, gender, "indefinite") if event.role else "?"
    told = t.tongue.gendered("story", f"death-{event.cause}", gender, name=name or t.names([event.seat]), role=role)
    return [told, t.said("reason", reason=plain(event.reason))] if event.reason else [told]


def _won(t: Teller, event: e.GameWon, _name: str) -> list[str]:
    if event.aborted:
        return [t.said("aborted")]
    told = [t.said(f"won-{event.winner}")]
    return [*told, t.said("winners", names=t.names(event.winners))] if event.winners else told


_Tells = Callable[[Teller, Any, str], list[str]]
_TELLERS: Final[dict[type, _Tells]] = {
    Narration: lambda *_: [],
    e.Announced: lambda *_: [],
    e.Joined: lambda t, ev, _: [t.said("joined", name=_marked(ev.name))],
    e.Left: lambda t, _, name: [t.said("left", name=name)],
    e.Replaced: lambda t, ev, name: [t.said("replaced", old=name, new=_marked(ev.name))],
    e.GameStarted: _start,
    e.DayOpened: lambda t, ev, _: [t.said("day", turn=ev.turn, when=t.clock.when(ev.execution))],
    e.DeadlineMoved: _closing,
    e.Resumed: _closing,
    e.ElectionSet: lambda t, ev, _: [t.said("election-set", when=t.clock.when(ev.closes))],
    e.ElectionClosed: _elected,
    e.MayorChanged: _mayor,
    e.Repudiated: lambda t, ev, _: [t.of("repudiated", ev.seat)],
    e.VotesPublished: _votes,
    e.TieAnnounced: _tie,
    e.ExecutionDone: lambda t, ev, _: [] if ev.burned else [t.said("nobody-burned")],
    e.Died: _death,
    e.SunsetOpened: lambda t, ev, _: [t.said("sunset", hour=t.clock.hour(ev.until))],
    e.MurderDone: _murder,
    e.GameWon: _won,
}
"""How each public event is told: what is not here has one sentence under its own name, or none."""
