"""What to expect of a composition: how often village and wolves win among sensible bots.

    python -m pbem.balance.odds 'werewolf=2 seer=1 …'      (what `foretell` runs; it prints one JSON object)

The lines of the tables in `config/` are worked out already (`config/odds.toml`, written by `pbem balance --odds`); any
other composition is played in a process of its own, at the lowest priority and for a bounded time, so that whoever asks
in a running program holds up neither mail nor deadlines.
"""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
import sys
import time
import tomllib
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from pbem import resources
from pbem.app.odds import Odds, written
from pbem.balance import compositions
from pbem.balance.figures import Tally
from pbem.balance.table import Bots
from pbem.balance.trial import CHUNK, play_chunk

if TYPE_CHECKING:
    from collections.abc import Callable

    from pbem.app.tables import Counts

GAMES: Final = 1000
SECONDS: Final = 60.0
"""Playing ends after so many games, or so much time, whichever is first."""
SEED: Final = "odds"
_LOOK_SECONDS: Final = 0.2


def foretell(counts: Counts, stopped: Callable[[], bool] = lambda: False) -> Odds | None:
    """The odds of these roles; None if `stopped` says that they are not wanted any more, or they cannot be played."""
    return precomputed().get(written(compositions.in_order(dict(counts)))) or _elsewhere(counts, stopped)


@lru_cache(maxsize=1)
def precomputed() -> dict[str, Odds]:
    """What `config/odds.toml` knows, by composition."""
    file = resources.config_dir() / "odds.toml"
    rows = tomllib.loads(file.read_text("utf-8")) if file.is_file() else {}
    return {roles: Odds(*shares) for roles, shares in rows.items()}


def _elsewhere(counts: Counts, stopped: Callable[[], bool]) -> Odds | None:
    command = [sys.executable, "-m", __name__, written(counts)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as process:  # noqa: S603
        while process.poll() is None:
            if stopped():
                process.kill()
            time.sleep(_LOOK_SECONDS)
        out = process.communicate()[0]
    return None if process.returncode else Odds(**json.loads(out))


def played(counts: Counts, games: int = GAMES, seconds: float = SECONDS) -> Odds:
    """Play so many games, or for so long, here and now."""
    until, total = time.monotonic() + seconds, Tally()
    for start in range(0, games, CHUNK):
        total.add(play_chunk((counts, Bots(), SEED, range(start, min(start + CHUNK, games)))))
        if time.monotonic() > until:
            break
    return odds_of(total)


def odds_of(tally: Tally) -> Odds:
    """In whole percent."""
    village, wolves = (round(100 * tally.side(side).value) for side in ("village", "wolves"))
    return Odds(village, wolves, tally.games)


def table(found: dict[str, Odds]) -> str:
    """As `config/odds.toml` holds them."""
    head = (
        "# What to expect of the tables' lines among sensible bots: percent of games won by village and wolves, games\n"
        "# played. `pbem balance … --odds FILE` writes this file; a line is only used for exactly these roles.\n\n"
    )
    return head + "".join(f'"{roles}" = [{o.village}, {o.wolves}, {o.games}]\n' for roles, o in found.items())


def main(text: str) -> None:
    """Play one composition, out of everybody's way."""
    with contextlib.suppress(OSError):  # a hardened service may not; then it is as it is
        os.nice(19)
    (composition,) = compositions.read(text)
    json.dump(played(composition.counts)._asdict(), sys.stdout)


if __name__ == "__main__":
    main(sys.argv[1])
