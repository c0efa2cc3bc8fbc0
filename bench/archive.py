"""What one more post costs the archive, in a game that has thousands of them."""

from __future__ import annotations

import tempfile
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING

from bench.figures import Figure, median
from bench.town import found, play_on
from bench.whole import settings
from pbem.app.publishing import Publisher
from pbem.engine import commands as c
from pbem.settings.sections import Archive
from pbem.store import Store

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pbem.engine.state import Game

POSTS = 5000
MORE = 15
GOAL_MS = 200.0


def measure(posts: int = POSTS, more: int = MORE) -> list[Figure]:
    """Milliseconds from a new post in the store to its being on the site; medians of several posts."""
    with tempfile.TemporaryDirectory(prefix="pbem-bench-") as place:
        folder = Path(place)
        chosen = settings(str(folder / "games.sqlite"), "1", "nobody", "x", "1")
        chosen = chosen.model_copy(update={"archive": Archive(folder=folder / "site")})
        store = Store(chosen.database.url)
        store.migrate()
        now = datetime.now(UTC)
        found(store, 1, now)
        _talk(store, posts, now)
        publisher = Publisher(store, chosen)
        begin = time.perf_counter()
        publisher.publish_changed()
        whole = time.perf_counter() - begin
        took = []
        for number in range(more):
            _talk(store, 1, now + timedelta(minutes=number + 1))
            begin = time.perf_counter()
            publisher.publish_changed()
            took.append(1000 * (time.perf_counter() - begin))
        files = sum(1 for file in (folder / "site").rglob("*.html") if file.is_file())
        store.close()
    return [
        Figure("posts", posts), Figure("pages", files), Figure("the whole site for the first time", whole, "s"),
        Figure("one more post", median(took[1:]), "ms", most=GOAL_MS),
    ]  # fmt: skip


def _talk(store: Store, posts: int, moment: datetime) -> None:
    def say(game: Game) -> Iterator[c.Command]:
        living = game.living
        for number in range(posts):
            words = c.Words(text=f"Ce n’est pas moi, dit-il pour la {number}e fois : j’étais chez {living[0].name}.")
            yield c.Order(moment + timedelta(milliseconds=number), living[number % len(living)].seat, "SAY", words)

    play_on(store, ["PL1"], say, moment)
