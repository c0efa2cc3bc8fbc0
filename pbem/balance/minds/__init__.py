"""Bots that play: what they are told goes in as facts, what they want to do comes out as words and choices.

A mind knows nothing of mails, seats or games. It hears `facts`, shares what everybody knows with the others
(`commons`), and is asked at set moments what it says and whether it uses a verb that is offered to it. So one mind
serves whoever can make facts: of the engine's events and views (`pbem.balance.seats`), or of letters
(`pbem.demo.mind`).

- `Aimless`: does anything that is allowed, says nothing.
- `Sensible`: accuses, claims, remembers who voted with whom, and uses its role's powers as people do.
  With `memory` off it takes everybody at his word and looks back at no vote: a plain player.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbem.balance.minds.aimless import Aimless
from pbem.balance.minds.commons import Commons
from pbem.balance.minds.mind import Mind
from pbem.balance.minds.sensible import Sensible

if TYPE_CHECKING:
    from random import Random

    from pbem.balance.minds.facts import Name

STRENGTHS = ("random", "plain", "sensible")
"""From the weakest to the strongest."""


def mind(strength: str, name: Name, commons: Commons, dice: Random) -> Mind:
    """A bot of that strength; KeyError if there is none such."""
    if strength == "random":
        return Aimless(name, commons, dice)
    return Sensible(name, commons, dice, memory={"plain": False, "sensible": True}[strength])


__all__ = ["STRENGTHS", "Aimless", "Commons", "Mind", "Sensible", "mind"]
