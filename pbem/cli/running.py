"""`pbem run` and `pbem demo`."""

# ruff: noqa: FBT002  (that is how typer declares a flag)

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING, Annotated, cast

import typer
from rich.logging import RichHandler
from rich.markup import escape

from pbem.cli.screen import ConfigOption, err, load, out, say

if TYPE_CHECKING:
    from pbem.app.daemon import Daemon
    from pbem.settings import Settings


def add_to(app: typer.Typer) -> None:
    """The commands of this module."""
    app.command(epilog="Example: pbem run --config /etc/pbem.toml")(run)
    app.command(epilog="Example: pbem demo --seed 7")(demo)


def run(
    config: ConfigOption = None,
    verbose: Annotated[bool, typer.Option("--verbose", "-v", help="Say more of what happens.")] = False,
) -> None:
    """Serve all games: read the mailbox, resolve what is due, send the letters, until Ctrl-C or SIGTERM."""
    settings = load(config)
    from pbem import wiring  # noqa: PLC0415  (it loads everything; a wrong option should be told at once)

    _log(verbose=verbose)
    daemon = wiring.daemon(settings, announce=_announce)
    try:
        asyncio.run(_serve(daemon, settings))
    finally:
        daemon.store.close()


async def _serve(daemon: Daemon, settings: Settings) -> None:
    greeting = asyncio.create_task(_greet(daemon, settings))
    try:
        await daemon.serve()
    finally:
        greeting.cancel()


async def _greet(daemon: Daemon, settings: Settings) -> None:
    await daemon.started.wait()
    say(f"[bold]Pleine Lune[/] is running for [bold]{escape(settings.game.address)}[/]. Ctrl-C stops it.")
    if daemon.office is not None:
        place = escape(settings.embedded.host)
        say(f"Post office: SMTP {place}:{daemon.office.smtp_port}, IMAP {place}:{daemon.office.imap_port}")
        say("Open a game:  pbem game new")
        say(f"Write to it:  pbem mail send --from you@{escape(settings.game.domain)} --subject 'JOIN Your Name'")


def _announce(address: str, password: str) -> None:
    """A new account of the post office: its password is shown this once."""
    say(f"New mailbox: [bold]{escape(address)}[/]  password {escape(password)}")


def _log(*, verbose: bool) -> None:
    form, handler = "%(asctime)s %(levelname)s %(message)s", cast("logging.Handler", logging.StreamHandler())
    if err.is_terminal:
        form, handler = "%(message)s", RichHandler(console=err, show_path=False, log_time_format="%H:%M:%S")
    logging.basicConfig(level=logging.WARNING, format=form, handlers=[handler], force=True)
    logging.getLogger("pbem").setLevel(logging.DEBUG if verbose else logging.INFO)


def demo(
    seed: Annotated[str | None, typer.Option(help="Tell the story again that this word or number tells.")] = None,
    guests: Annotated[int, typer.Option(min=4, max=12, help="How many bots play.")] = 12,
) -> None:
    """Watch bots play a whole game over real mail, in a folder of its own, with the clock running fast."""
    from pbem.demo import run  # noqa: PLC0415  (it loads everything)

    run(seed, lambda line: out.print(line, markup=False, highlight=False), guests=guests)
