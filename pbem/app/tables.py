"""What the configuration folder holds for a new game: its options, the tables of roles, the little child's dice.

All pure but for reading the files, which happens once. `options` is what `[rules]` and `[game]` say, in the engine's
own terms; `roles_for` the roles of a table by number of players; `child` the rows of PEEK-2.
"""

from __future__ import annotations

import tomllib
from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from pbem import resources
from pbem.engine.options import Options

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import timedelta

    from pbem.settings import Settings

DAYS: Final = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")

Counts = tuple[tuple[str, int], ...]
"""Pairs (role, how many)."""


def weekly(text: str) -> tuple[int, int]:
    """`tue 22:00` as (weekday from Monday 0, minute of the day)."""
    day, _, clock = text.partition(" ")
    hour, _, minute = clock.partition(":")
    return DAYS.index(day), int(hour) * 60 + int(minute)


def _seconds(length: timedelta) -> int:
    return int(length.total_seconds())


def options(settings: Settings) -> Options:
    """The options of a new game."""
    rules = settings.rules
    return Options(
        timezone=settings.game.timezone,
        language=settings.game.language,
        executions=tuple(sorted({weekly(text) for text in rules.executions})),
        min_debate=_seconds(rules.min_debate),
        tie_break=_seconds(rules.tie_break),
        sunset=_seconds(rules.sunset),
        vision=_seconds(rules.vision),
        inactivity=rules.inactivity,
        graveyard_intrusion=rules.graveyard_intrusion,
        tags=settings.game.tags,
        outage_extension=_seconds(rules.outage_extension),
        peek=child(),
    )


def with_composition(base: Options, composition: str) -> Options:
    """The same with `hidden` or `public` roles."""
    return replace(base, composition=composition)


@lru_cache(maxsize=1)
def child() -> tuple[tuple[int, int, int, int], ...]:
    """The little child's table: rows (wolves, innocents, chance to see, chance to be seen), in percent."""
    table = tomllib.loads((resources.config_dir() / "child.toml").read_text("utf-8"))
    return tuple(
        (int(wolves), int(innocents), row["see"], row["seen"])
        for wolves, rows in table.items()
        for innocents, row in rows.items()
    )


@lru_cache(maxsize=16)
def _table(name: str) -> Mapping[int, Counts] | None:
    """The default table for '', else that of `compositions/`; None if there is none of that name."""
    folder = resources.config_dir()
    names = {path.stem: path for path in (folder / "compositions").glob("*.toml")}
    path = names.get(name) if name else folder / "roles.toml"
    if path is None:
        return None
    rows = tomllib.loads(path.read_text("utf-8"))
    return {int(players): tuple(counts.items()) for players, counts in rows.items()}


def roles_for(players: int, name: str = "") -> Counts | None:
    """The roles of that many players by the table of that name ('': the default one); None if it has no such line."""
    table = _table(name)
    return table.get(players) if table else None


def table_names() -> tuple[str, ...]:
    """The tables that COMPOSITION may name."""
    return tuple(sorted(path.stem for path in (resources.config_dir() / "compositions").glob("*.toml")))
