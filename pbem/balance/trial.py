"""Many games of one composition, on as many processes as wanted; the figures do not depend on how many.

Each game has a seed of its own, made of the trial's seed, the roles and the game's number.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Executor, ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from pbem.app import tables
from pbem.balance.compositions import Composition, without
from pbem.balance.figures import Share, Tally, difference
from pbem.balance.table import Bots, play
from pbem.engine.options import Options
from pbem.engine.roles import ROSTER

if TYPE_CHECKING:
    from pbem.app.tables import Counts

CHUNK: Final = 20
"""Games that one process plays in one go."""
PLAIN: Final = ("villager", "werewolf")
"""Roles that nothing plainer could replace."""

Chunk = tuple["Counts", Bots, str, range]
Progress = Callable[[int], None]
Workers = Callable[[Callable[[Chunk], Tally], Iterable[Chunk]], Iterator[Tally]]


@dataclass(frozen=True, slots=True)
class Effect:
    """What one player of a role does to a composition.

    `village` is how much more often the village wins with him than with a villager (or a werewolf) in his place;
    `wolves` the same for the wolves.
    """

    role: str
    village: Share
    wolves: Share


@dataclass(slots=True)
class Report:
    """What was found about one composition."""

    composition: Composition
    tally: Tally
    effects: list[Effect] = field(default_factory=list)


def play_chunk(chunk: Chunk) -> Tally:
    """Some games of a trial, one after the other."""
    counts, bots, seed, numbers = chunk
    tally, options = Tally(), Options(peek=tables.child())
    for number in numbers:
        tally.note(play(counts, options, bots, f"{seed}/{counts}/{number}"))
    return tally


@contextmanager
def workers(jobs: int | None = None) -> Iterator[Workers]:
    """So many processes (by default one a core) that play chunks; with 1, this process itself."""
    jobs = jobs or len(os.sched_getaffinity(0))
    if jobs == 1:
        yield map
        return
    pool: Executor
    with ProcessPoolExecutor(jobs) as pool:
        yield lambda do, chunks: iter(pool.map(do, chunks))


def tally(counts: Counts, games: int, bots: Bots, seed: str, crew: Workers, progress: Progress) -> Tally:
    """Play so many games; `progress` is told of every few that are over."""
    starts = range(0, games, CHUNK)
    chunks = [(counts, bots, seed, range(start, min(start + CHUNK, games))) for start in starts]
    total = Tally()
    for part in crew(play_chunk, chunks):
        total.add(part)
        progress(part.games)
    return total


def special(counts: Counts) -> list[str]:
    """The roles whose effect can be told, in the roster's order."""
    dealt = dict(counts)
    return [slug for slug in ROSTER if dealt.get(slug) and slug not in PLAIN]


def games_in(composition: Composition, games: int, effect_games: int) -> int:
    """How many games a report takes."""
    return games + (effect_games * len(special(composition.counts)) if effect_games else 0)


def report(
    composition: Composition, games: int, effect_games: int, bots: Bots, seed: str, crew: Workers, progress: Progress
) -> Report:
    """Try one composition; with `effect_games`, also without each of its roles, in so many games each."""
    found = Report(composition, tally(composition.counts, games, bots, seed, crew, progress))
    if effect_games:
        for slug in special(composition.counts):
            other = tally(without(composition.counts, slug), effect_games, bots, seed, crew, progress)
            found.effects.append(_effect(slug, found.tally, other))
    return found


def _effect(slug: str, there: Tally, gone: Tally) -> Effect:
    return Effect(
        slug,
        difference(there.side("village"), gone.side("village")),
        difference(there.side("wolves"), gone.side("wolves")),
    )
