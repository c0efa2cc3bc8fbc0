"""The options of a game, as RULES.md names them; lengths of time are whole seconds.

`executions` are pairs (weekday 0 = Monday, minute of the day, local). `peek` is the little child's table (PEEK-2): rows
(wolves, innocents, chance to see, chance to be seen).
"""

from __future__ import annotations

from dataclasses import dataclass

HOUR = 3600
DAY = 24 * HOUR


@dataclass(frozen=True, slots=True)
class Options:
    """What the host or the storyteller chose for one game."""

    timezone: str = "Europe/Paris"
    language: str = "fr"
    executions: tuple[tuple[int, int], ...] = ((1, 22 * 60), (3, 22 * 60), (6, 22 * 60))
    min_debate: int = DAY
    tie_break: int = HOUR // 2
    sunset: int = HOUR // 2
    vision: int = HOUR // 2
    inactivity: str = "eliminate"
    graveyard_intrusion: str = "warn"
    composition: str = "hidden"
    tags: str = "plus"
    outage_extension: int = 0
    reminders: tuple[int, ...] = (24, 3)
    peek: tuple[tuple[int, int, int, int], ...] = ()
