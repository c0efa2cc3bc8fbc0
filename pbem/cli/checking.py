"""`pbem rehearse`, `pbem explain`, `pbem verify`: what needs no running program."""

# ruff: noqa: FBT002  (that is how typer declares a flag)

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.markup import escape

from pbem.cli.screen import ConfigOption, JsonOption, complain, fail, load, say, write_json

if TYPE_CHECKING:
    from pbem.app.verify import Report

Files = Annotated[list[Path], typer.Argument(metavar="FILE…", show_default=False)]


def add_to(app: typer.Typer) -> None:
    """The commands of this module."""
    app.command(epilog="Example: pbem rehearse --transcript what-if.yaml")(rehearse)
    app.command(epilog="Example: pbem explain --config pbem.toml odd-mail.eml")(explain)
    app.command(epilog="Example: pbem game export PL1 > PL1.json; pbem verify PL1.json")(verify)


def rehearse(
    files: Files,
    transcript: Annotated[bool, typer.Option("--transcript", help="Print every mail, in and out.")] = False,
    as_json: JsonOption = False,
) -> None:
    """Play scenario files through the real program on a simulated clock, and check what they expect.

    Exit code 0: all held; 1: something did not; 2: a file is no scenario.
    """
    from pbem import rehearsal  # noqa: PLC0415  (it loads everything)

    raise typer.Exit(rehearsal.main(files, transcript=transcript, as_json=as_json))


def explain(files: Files, config: ConfigOption = None) -> None:
    """Print, one JSON object a line, how the program reads mails: for who wonders why one did not count.

    Exit code 0: all were read, whatever they say; 2: a file could not be had.
    """
    settings = load(config, reading_only=True)
    from pbem import wiring  # noqa: PLC0415  (it loads much)
    from pbem.app.explain import explain_files  # noqa: PLC0415  (as above)

    missed: list[str] = []
    for line in explain_files(files, wiring.house(settings), wiring.trust(settings), missed=missed.append):
        sys.stdout.write(json.dumps(line, ensure_ascii=False) + "\n")
    for fault in missed:
        complain(fault)
    raise typer.Exit(2 if missed else 0)


def verify(
    export: Annotated[Path, typer.Argument(metavar="EXPORT", show_default=False, help="The file of a finished game.")],
    as_json: JsonOption = False,
) -> None:
    """Check that everything a finished game published follows from its seed, its orders and the rules.

    Exit code 0: it does; 1: it does not, or the game is not over; 2: the file is no export.
    """
    from pbem.app import verify as verifying  # noqa: PLC0415  (it loads much)

    try:
        record = verifying.parse(export.read_text("utf-8"))
    except OSError as error:
        fail(f"{export}: cannot be read ({error.strerror})")
    except (verifying.NotAnExport, UnicodeDecodeError) as error:
        why = error if isinstance(error, verifying.NotAnExport) else "it is not UTF-8"
        fail(f"{export}: {why}; expected a file that pbem game export wrote")
    report = verifying.verify(record)
    if as_json:
        write_json(report.as_json())
    else:
        _show(report)
    raise typer.Exit(0 if report.holds else 1)


_WORDS = {
    "log": "events, each of which follows from a command on record or an UNDO",
    "rules": "commands, decided anew by the rules, give the very same events",
    "dice": "draws are those of the seed",
    "chance": "commands looked at for what was arranged by hand, and nothing was",
    "seal": "times the seed was sealed or opened, and it is the same",
}


def _show(report: Report) -> None:
    say(f"[bold]{escape(report.code)}[/]  commitment (SHA-256 of the seed): {report.commitment or 'none'}")
    for check in report.checks:
        mark = "[green]holds[/]" if check.holds else "[red]does not hold[/]"
        say(f"{mark}  {check.name}: {check.looked_at} {_WORDS[check.name]}")
        for fault in check.faults:
            say(f"       {escape(fault)}")
    if report.given:
        say(f"{report.given} roll(s) were given in advance: this is a rehearsal, not a game of chance.")
    if not report.over:
        say("[yellow]The game is not over:[/] what will be published cannot be judged yet.")
    elif report.holds:
        say(f"[green]Everything follows.[/] Winner: {escape(report.winner)}. Compare the commitment with your letters.")
