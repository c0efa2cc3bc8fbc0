"""`pbem demo`: a whole game by real mail, played by bots that know nothing but the letters they get.

`client` is a bot's mail program, `mind` what it makes of its letters, `play` the evening, `show` what is told of it.
`run` puts them into a folder of their own, lets them play, and says where the letters are.
"""

from __future__ import annotations

import asyncio
import secrets
import tempfile
import time
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

from pbem import settings as configuration
from pbem import wiring
from pbem.app.clock import DrivenClock
from pbem.app.opening import open_game
from pbem.app.tables import options
from pbem.app.tokens import Counted
from pbem.demo.play import START, VILLAGERS, Evening
from pbem.demo.show import WINNERS, Show

if TYPE_CHECKING:
    from collections.abc import Callable

    from pbem.engine.state import Game
    from pbem.settings import Settings

CODE = "PL1"


def run(
    seed: str | None = None,
    say: Callable[[str], None] = print,
    folder: Path | None = None,
    guests: int = len(VILLAGERS),
) -> Game:
    """Play one game; the game as it ended.

    `seed` repeats a story, `folder` (by default a new one) keeps the mail, `guests` is how many bots play, 4 to 12.
    """
    seed = seed or secrets.token_hex(4)
    place = folder or Path(tempfile.mkdtemp(prefix="pleine-lune-"))
    place.mkdir(parents=True, exist_ok=True)
    say(f"Pleine Lune, seed {seed}: a post office on this machine, a storyteller, {guests} villagers at their mail.")
    began = time.monotonic()
    game, mails, letters = asyncio.run(_play(_settings(place), seed, guests, Show(say)))
    say("")
    took = time.monotonic() - began
    say(f"{WINNERS[game.winner]}. {mails} mails were read and {letters} letters written in {took:.0f} s.")
    say(f"Every letter is in {place / 'mail'}, one Maildir a person:")
    say(f"    mutt -f {place / 'mail' / 'joueur1@village.example'}")
    say("What the village could read is a web site, the archive: open this in a browser.")
    say(f"    {place / 'archive' / 'index.html'}")
    again = f"make demo SEED={seed}" if guests == len(VILLAGERS) else f"pbem demo --seed {seed} --guests {guests}"
    say(f"The same story again: {again}")
    return game


def _settings(place: Path) -> Settings:
    """The default configuration, in a folder of its own and on ports that are free."""
    return configuration.load(
        None,
        {
            "PBEM_EMBEDDED_MAILDIRS": str(place / "mail"),
            "PBEM_EMBEDDED_SMTP_PORT": "0",
            "PBEM_EMBEDDED_IMAP_PORT": "0",
            "PBEM_DATABASE_URL": f"sqlite:///{place / 'pbem.sqlite'}",
            "PBEM_ARCHIVE_FOLDER": str(place / "archive"),
        },
    )


async def _play(settings: Settings, seed: str, guests: int, show: Show) -> tuple[Game, int, int]:
    clock = DrivenClock(START)
    tokens = Counted(seed)
    kept = wiring.store(settings)
    with kept.begin() as tx:
        open_game(
            wiring.office(settings, kept, tokens), tx, START,
            code=CODE, options=options(settings), storytellers=settings.game.storytellers, registration=False,
        )  # fmt: skip
    daemon = wiring.daemon(settings, clock, kept=kept, tokens=tokens, durable=False)
    serving = asyncio.create_task(daemon.serve(signals=False))
    started = asyncio.create_task(daemon.started.wait())
    await asyncio.wait([serving, started], return_when=asyncio.FIRST_COMPLETED)
    try:
        if serving.done():
            await serving
        evening = Evening(daemon, clock, CODE, Random(seed), show)  # noqa: S311 - bots have no secrets
        game = await evening.play(guests)
    finally:
        daemon.stop()
        await serving
    with kept.read() as tx:
        letters = sum(tx.outbox_counts().values())
    kept.close()
    return game, evening.mails, letters
