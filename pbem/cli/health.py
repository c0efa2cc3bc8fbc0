"""`pbem status`."""

# ruff: noqa: FBT002  (that is how typer declares a flag)

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

import typer
from rich.table import Table

from pbem.cli.screen import ConfigOption, JsonOption, fail, load, local, out, say, write_json

if TYPE_CHECKING:
    from pbem.app.status import Status


def add_to(app: typer.Typer) -> None:
    """The command of this module."""
    app.command(epilog="Example: pbem status --json")(status)


def status(config: ConfigOption = None, as_json: JsonOption = False) -> None:
    """Say whether the program runs and all is well: the mailbox, the games' next deadlines, the outbox.

    Exit code 0: all is well; 1: something needs you; 2: the configuration makes no sense.
    """
    settings = load(config)
    from pbem import wiring  # noqa: PLC0415  (it loads much; a wrong option should be told at once)
    from pbem.app.status import gather  # noqa: PLC0415  (as above)

    try:
        kept = wiring.store(settings, make=False)
    except wiring.NoDatabaseError as error:
        fail(str(error), 1)
    try:
        with kept.read() as tx:
            found = gather(tx, datetime.now(UTC))
    finally:
        kept.close()
    if as_json:
        write_json(found.as_json())
    else:
        _show(found, settings.game.timezone)
    raise typer.Exit(0 if found.healthy else 1)


def _show(found: Status, zone: str) -> None:
    seen = found.health
    facts = Table.grid(padding=(0, 2))
    facts.add_row("Program", "[green]running[/]" if found.running else "[red]not running[/]")
    facts.add_row("Last poll", local(seen.polled if seen else None, zone))
    if seen and seen.error:
        facts.add_row("Mailbox", f"[red]{_plain(seen.error)}[/]")
    if seen and seen.waiting:
        facts.add_row("Mails waiting", str(seen.waiting))
    if found.quarantine:
        facts.add_row("In quarantine", str(found.quarantine))
    counts = found.outbox
    waiting = counts["pending"] + counts["claimed"]
    facts.add_row(
        "Outbox", f"{waiting} waiting, {counts['held']} held, {counts['failed']} failed, {counts['sent']} sent"
    )
    out.print(facts)
    if found.games:
        out.print(_games(found, zone))
    for problem in found.problems:
        say(f"[red]![/] {_plain(problem)}")
    if found.healthy:
        say("[green]All is well.[/]")


def _games(found: Status, zone: str) -> Table:
    table = Table("Game", "Phase", "Turn", "Ends", "Living", "To be confirmed", box=None, header_style="bold")
    for line in found.games:
        living = f"{line.living} of {line.players}"
        deadline = local(line.deadline, zone)
        table.add_row(line.code, line.phase, str(line.turn), deadline, living, str(line.waiting_confirmation))
    return table


def _plain(text: str) -> str:
    return text.replace("[", r"\[")
