"""`pbem doctor`: the findings, as they come."""

# ruff: noqa: FBT002  (that is how typer declares a flag)

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.markup import escape

from pbem.cli.mailing import noted_ports
from pbem.cli.screen import ConfigOption, JsonOption, fail, load, say, write_json

if TYPE_CHECKING:
    from pbem.app.doctor import Finding
    from pbem.settings import Settings

_MARKS = {
    "fine": "[green]fine    [/]",
    "advice": "[yellow]advice  [/]",
    "fault": "[red]FAULT   [/]",
    "skipped": "[dim]skipped [/]",
}
_PINNABLE = {"authserv-unset", "authserv-other"}


def add_to(app: typer.Typer) -> None:
    """The command of this module."""
    app.command(epilog="Example: pbem doctor;   pbem doctor --list --wait 300;   pbem doctor --offline --json")(doctor)


def doctor(
    config: ConfigOption = None,
    wait: Annotated[float, typer.Option(min=1, max=3600, help="Seconds that a mail may take to come round.")] = 90.0,
    offline: Annotated[bool, typer.Option("--offline", help="Only what needs no network.")] = False,
    to_list: Annotated[bool, typer.Option("--list", help="Also send the list a real mail.")] = False,
    pin: Annotated[
        bool, typer.Option("--pin", help="Write the server's name in Authentication-Results into the configuration.")
    ] = False,
    as_json: JsonOption = False,
) -> None:
    """Try everything for real, and say what is wrong and how to mend it. It sends itself two mails.

    Exit code 0: a game can be played; 1: something is in the way; 2: the configuration makes no sense.
    """
    settings = load(config)
    from pbem import wiring  # noqa: PLC0415  (it loads much; a wrong option should be told at once)
    from pbem.app.doctor import examine  # noqa: PLC0415  (as above)

    wiring.proofread(settings)
    found = []
    for finding in examine(settings, wait=wait, offline=offline, to_list=to_list, ports=lambda: noted_ports(settings)):
        found.append(finding)
        if not as_json:
            _show(finding)
    faults = [finding for finding in found if finding.state == "fault"]
    if pin or (faults and not as_json and sys.stdin.isatty() and sys.stdout.isatty()):
        faults = _pin(settings, found, faults, asked=pin)
    if as_json:
        write_json({"healthy": not faults, "findings": [finding.as_json() for finding in found]})
    elif faults:
        say(f"[red]{len(faults)} fault(s).[/] Mend the first one first: the others may follow from it.")
    elif offline:
        say("[green]Nothing is wrong on this machine.[/] Whether the servers do their part: pbem doctor")
    else:
        say("[green]A game can be played.[/]")
    raise typer.Exit(1 if faults else 0)


def _show(finding: Finding) -> None:
    say(f"{_MARKS[finding.state]} [bold]{finding.check}[/]: {escape(finding.says)}")
    for line in finding.mend:
        say(f"           → {escape(line)}")


def _pin(settings: Settings, found: list[Finding], faults: list[Finding], *, asked: bool) -> list[Finding]:
    """Write the name that was found into the configuration, if that is wanted; the faults that are left."""
    unset = next((finding for finding in found if finding.cause in _PINNABLE), None)
    file = Path(settings.origin)
    if unset is None or not file.is_file():
        return faults
    from pbem.app import setup  # noqa: PLC0415  (used here alone)

    name = unset.name
    if not asked and not typer.confirm(f"Trust the Authentication-Results of {name}, and write that into {file}?"):
        return faults
    try:
        setup.change(file, "auth", "authserv_id", name)
    except OSError as error:
        fail(f"{file}: cannot be written ({error.strerror})")
    say(f'[green]Written:[/] auth.authserv_id = "{escape(name)}" in {escape(str(file))}. Restart pbem run, if it runs.')
    return [finding for finding in faults if finding is not unset]
