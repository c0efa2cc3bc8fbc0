"""WIN-8: when the game is over, one letter more tells it as it really was: every order and what came of it, every die,
and what was said in the graveyard.

Only called for a game that is over: nothing here is secret any more.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbem.engine.chronicle import Draw, TurnRecord, chronicle
from pbem.letters.section import Section

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pbem.engine.events import Event


def sections(history: Iterable[Event]) -> list[Section]:
    """The sections of that letter, from the game's whole log (`pbem.engine.chronicle` knows what was taken back)."""
    told = chronicle(history)
    parts = [Section("chronicle", {"draws": _drawn(told.deal)})]
    parts += [_turn(turn) for turn in told.turns if _has_news(turn)]
    if told.graveyard:
        parts.append(Section("graveyard-told", {"talks": tuple(told.graveyard)}))
    return parts


def _has_news(turn: TurnRecord) -> bool:
    return bool(turn.deeds or turn.forced or turn.undone or (turn.dice and turn.turn))


def _turn(turn: TurnRecord) -> Section:
    facts = {
        "turn": turn.turn,
        "deeds": tuple(turn.deeds),
        "draws": _drawn(turn.dice if turn.turn else ()),
        "undone": turn.undone,
        "spilt": _drawn(turn.spilt),
    }
    return Section("turn-told", facts)


def _drawn(dice: Iterable[Draw]) -> tuple[tuple[str, str], ...]:
    """Each draw as (what it was computed from, value/sides): what `pbem verify` computes anew."""
    return tuple((die.name, f"{die.value}/{die.sides}") for die in dice)
