"""Every letter that the game can write, in every language, gender and state, from sample games.

`samples(scribe)` is what `pbem letters preview` shows and what the tests look at. Nothing here is random, and nothing
is sent: the same scribe gives the same letters.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbem.engine import events as e
from pbem.letters.samples.answers import acknowledged
from pbem.letters.samples.moments import private, public, secret
from pbem.letters.samples.others import others
from pbem.letters.samples.troupe import Troupe

if TYPE_CHECKING:
    from pbem.letters.scribe import Scribe
    from pbem.post import Letter

__all__ = ["samples"]


def samples(scribe: Scribe, language: str = "fr") -> dict[str, list[Letter]]:
    """The letters of each moment, by its name. The list speaks `language`; the players speak all that there are."""
    troupe = Troupe(scribe, language)
    found = {"start": troupe.told(troupe.day.events)}
    for name, (kind, *fields) in private(troupe.other).items():
        found[name] = troupe.told(tuple(kind(seat, *fields) for seat in troupe.lettered))
    prescients = Troupe(scribe, language, role="prescient")
    threats = (e.ThreatShown(seat, (troupe.other(1), troupe.other(2))) for seat in troupe.lettered)
    found["ThreatShown, to prescients"] = troupe.told(tuple(threats), prescients.day)
    for name, event in secret(troupe.other).items():
        found[name] = troupe.told((event,))
    for name, events in public(troupe).items():
        found[name] = troupe.told(events)
    return {**found, **dict(acknowledged(troupe)), **dict(others(troupe))}
