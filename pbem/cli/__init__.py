"""The command line: `pbem …`. Readable for people, `--json` for machines; what goes wrong is one line, no traceback.

Exit codes: 0 all is well; 1 the answer is no (an expectation failed, the program is not healthy, an export does not
hold), or the database cannot be used; 2 what was asked makes no sense (options, configuration, files); 70 a fault of
the program itself.
"""

# ruff: noqa: FBT002  (that is how typer declares a flag)

from __future__ import annotations

import errno
import os
import sys
from pathlib import Path
from typing import IO, TYPE_CHECKING, Annotated

import typer

from pbem import __version__
from pbem.cli import archive, backup, balance, checking, doctor, games, health, init, letters, mailing, running, tellers
from pbem.cli.screen import Failure, complain, nobody_reads
from pbem.settings import ConfigError

if TYPE_CHECKING:
    from collections.abc import Sequence

INTERNAL = 70
_NO_ROOM = {errno.ENOSPC, errno.EDQUOT}

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
    sys.stdout, sys.stderr = sys.stdout or _nowhere(), sys.stderr or _nowhere()  # who closed them wants no output
    code = _run(arguments)
    for stream in (sys.stdout, sys.stderr):
        if _is_lost(stream):
            code = code or 1
    sys.exit(code)


def _is_lost(stream: IO[str]) -> bool:
    """Whether what was printed cannot be written; that is told once, and what is still printed goes nowhere."""
    try:
        stream.flush()
    except BrokenPipeError:  # its reader has seen enough: that changes nothing about what was done
        nobody_reads(stream)
    except OSError as error:
        nobody_reads(stream)
        complain(f"the output cannot be written ({error.strerror})")
        return True
    return False


def _nowhere() -> IO[str]:
    return Path(os.devnull).open("w", encoding="utf-8")


def _run(arguments: Sequence[str] | None) -> int:
    """The exit code."""
    try:
        app(args=list(arguments) if arguments is not None else None, prog_name="pbem")
    except SystemExit as ended:
        return ended.code if isinstance(ended.code, int) else int(ended.code is not None)
    except ConfigError as error:
        complain(str(error))
        return 2
    except Failure as failure:
        complain(str(failure))
        return failure.code
    except Exception as error:  # noqa: BLE001  (the last resort: no traceback reaches a user, nor a secret in one)
        return _stumble(error)
    return 0


def _stumble(error: Exception) -> int:
    from pbem.store import StoreError  # noqa: PLC0415  (most commands do not get here)

    if isinstance(error, StoreError):
        complain(f"the database: {error}")
        return 1
    if isinstance(error, OSError) and error.errno in _NO_ROOM:
        if not _is_lost(sys.stdout):
            complain(f"it cannot be written: {error.strerror}")
        return 1
    if os.environ.get("PBEM_DEBUG"):
        raise error
    from pbem.app.reader import where  # noqa: PLC0415  (as above)

    complain(f"a fault of the program itself: {where(error)} (PBEM_DEBUG=1 shows all of it; it may hold secrets)")
    return INTERNAL
