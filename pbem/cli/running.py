"""`pbem run` and `pbem demo`."""

# ruff: noqa: FBT002  (that is how typer declares a flag)

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Annotated

import typer
from rich.markup import escape

from pbem.cli.screen import ConfigOption, load, out, program, say

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
    backup: Annotated[
        bool, typer.Option(help="Keep a copy of a database of an earlier version before it is brought to this one.")
    ] = True,
) -> None:
    """Serve all games: read the mailbox, resolve what is due, send the letters, until Ctrl-C or SIGTERM."""
    settings = load(config)
    from pbem import wiring  # noqa: PLC0415  (it loads everything; a wrong option should be told at once)
    from pbem.cli import logs  # noqa: PLC0415  (as above)

    wiring.proofread(settings)
    logs.begin(settings.monitor.log, verbose=verbose)
    daemon = wiring.daemon(settings, announce=_announce, backup=backup)
    try:
        asyncio.run(_serve(daemon, settings))
    finally:
        daemon.store.close()


async def _serve(daemon: Daemon, settings: Settings) -> None:
    beside = asyncio.create_task(_beside(daemon, settings))
    serving = asyncio.create_task(daemon.serve())
    await asyncio.wait([beside, serving], return_when=asyncio.FIRST_COMPLETED)
    if not serving.done():
        daemon.stop()
    beside.cancel()
    await serving
    await asyncio.gather(beside, return_exceptions=True)
    if not beside.cancelled() and (fault := beside.exception()) is not None:
        raise fault


async def _beside(daemon: Daemon, settings: Settings) -> None:
    """What begins when everything runs, and ends with it."""
    from pbem.app.monitor import Monitor  # noqa: PLC0415  (it loads much)

    await daemon.started.wait()
    _greet(daemon, settings)
    with Monitor(settings, daemon.store):
        await asyncio.Event().wait()


def _greet(daemon: Daemon, settings: Settings) -> None:
    say(f"[bold]Pleine Lune[/] is running for [bold]{escape(settings.game.address)}[/]. Ctrl-C stops it.")
    if daemon.office is None:
        return
    place, files = escape(settings.embedded.host), escape(str(settings.embedded.maildirs / "passwords.json"))
    say(f"Post office: SMTP {place}:{daemon.office.smtp_port}, IMAP {place}:{daemon.office.imap_port}")
    say("A mail program connects to both without encryption; the user name is the whole address, the passwords are in")
    say(f"             {files}")
    pbem = escape(program())
    say(f"Open a game:  {pbem} game new")
    say(f"Sign up:      {pbem} mail send --from you@{escape(settings.game.domain)} --subject 'JOIN Your Name'")
    say(f"  and answer the letter that comes: {pbem} mail read you; {pbem} mail send --from you --reply-to 1")


def _announce(address: str, password: str) -> None:
    """A new account of the post office: its password is shown this once."""
    say(f"New mailbox: [bold]{escape(address)}[/]  password {escape(password)}")


def demo(
    seed: Annotated[str | None, typer.Option(help="Tell the story again that this word or number tells.")] = None,
    guests: Annotated[int, typer.Option(min=4, max=12, help="How many bots play.")] = 12,
) -> None:
    """Watch bots play a whole game over real mail, in a folder of its own, with the clock running fast."""
    from pbem.demo import run  # noqa: PLC0415  (it loads everything)

    run(seed, lambda line: out.print(line, markup=False, highlight=False), guests=guests)
