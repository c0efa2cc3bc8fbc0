"""The command line: `pbem …`. Readable for people, `--json` for machines; what goes wrong is one line, no traceback.

Exit codes: 0 all is well; 1 the answer is no (an expectation failed, the program is not healthy, an export does not
hold), or the database cannot be used; 2 what was asked makes no sense (options, configuration, files); 70 a fault of
the program itself.
"""

# ruff: noqa: FBT002  (that is how typer declares a flag)

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, Annotated

import typer

from pbem import __version__
from pbem.cli import archive, backup, balance, checking, doctor, games, health, init, letters, mailing, running, tellers
from pbem.cli.screen import Failure, complain
from pbem.settings import ConfigError

if TYPE_CHECKING:
    from collections.abc import Sequence

INTERNAL = 70

app = typer.Typer(
    name="pbem",
    help="Pleine Lune: a werewolf game of hidden roles, played by e-mail.",
    epilog="Example: pbem run   (then, in another terminal: pbem game new; pbem mail --help)",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
init.add_to(app)
doctor.add_to(app)
running.add_to(app)
health.add_to(app)
backup.add_to(app)
checking.add_to(app)
balance.add_to(app)
tellers.add_to(games.app)
app.add_typer(games.app, name="game")
app.add_typer(mailing.app, name="mail")
app.add_typer(letters.app, name="letters")
app.add_typer(archive.app, name="archive")


def _version(value: bool) -> None:  # noqa: FBT001  (typer calls it so)
    if value:
        sys.stdout.write(f"pbem {__version__}\n")
        raise typer.Exit


@app.callback()
def _root(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    pass


def main(arguments: Sequence[str] | None = None) -> None:
    """The program's entry; ends by SystemExit."""
    try:
        app(args=list(arguments) if arguments is not None else None, prog_name="pbem")
    except ConfigError as error:
        complain(str(error))
        sys.exit(2)
    except Failure as failure:
        complain(str(failure))
        sys.exit(failure.code)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(1)
    except Exception as error:  # noqa: BLE001  (the last resort: no traceback reaches a user, nor a secret in one)
        _stumble(error)


def _stumble(error: Exception) -> None:
    from pbem.store import StoreError  # noqa: PLC0415  (most commands do not get here)

    if isinstance(error, StoreError):
        complain(f"the database: {error}")
        sys.exit(1)
    if os.environ.get("PBEM_DEBUG"):
        raise error
    from pbem.app.reader import where  # noqa: PLC0415  (as above)

    complain(f"a fault of the program itself: {where(error)} (PBEM_DEBUG=1 shows all of it; it may hold secrets)")
    sys.exit(INTERNAL)
