"""Dice that anyone can check: every draw follows from the game's seed, a purpose and a counter.

A draw is HMAC-SHA-256 with the seed (32 bytes) as key over "purpose/counter", or "purpose/counter/epoch" after an UNDO,
read as a number, modulo the sides, plus one. (The bias of the modulo is below 2**-240 for any die used here.)
Each purpose counts for itself, so that what is rolled in secret shifts no draw that shows in public.
"""

from __future__ import annotations

import hashlib
import hmac
from typing import TYPE_CHECKING

from pbem.engine.events import DiceRolled

if TYPE_CHECKING:
    from pbem.engine.state import Game

D100 = 100


def commitment(seed: str) -> str:
    """SHA-256 of the seed's 32 bytes, in hexadecimal: published before the first draw matters."""
    return hashlib.sha256(bytes.fromhex(seed)).hexdigest()


def value(seed: str, purpose: str, counter: int, sides: int, epoch: int = 0) -> int:
    """The draw that belongs to (purpose, counter), from 1 to `sides`."""
    name = f"{purpose}/{counter}" + (f"/{epoch}" if epoch else "")
    digest = hmac.new(bytes.fromhex(seed), name.encode(), hashlib.sha256).digest()
    return int.from_bytes(digest, "big") % sides + 1


def roll(game: Game, purpose: str, sides: int) -> DiceRolled:
    """The next draw for that purpose. Rehearsals may give the first d100 rolls in advance."""
    counter = game.counters.get(purpose, 0)
    given = game.counters.get("given", 0)
    if sides == D100 and given < len(game.dice):
        return DiceRolled(purpose, counter, sides, game.dice[given], given=True)
    return DiceRolled(purpose, counter, sides, value(game.seed, purpose, counter, sides, game.epoch))
