"""What the commands share: two consoles, JSON, moments in local time, the options that several have."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import sys
from pathlib import Path
from typing import IO, TYPE_CHECKING, Annotated, Any, NoReturn
from zoneinfo import ZoneInfo

import typer
from rich.console import Console

from pbem import settings as configuring

if TYPE_CHECKING:
    from datetime import datetime

    from pbem.settings import Settings


class Screen(Console):
    """A console whose reader may leave (`pbem status | head -1`): the command goes on to its end, and tells nobody."""

    def on_broken_pipe(self) -> None:
        """What is still written goes nowhere."""
        self.quiet = True
        nobody_reads(self.file)


def nobody_reads(stream: IO[str]) -> None:
    """From now on what is written there is lost, and nothing raises for it; nor does what is still in its buffer."""
    with contextlib.suppress(OSError, ValueError):  # no real file is behind it
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


out = Screen(highlight=False, soft_wrap=False)
err = Screen(stderr=True, highlight=False, soft_wrap=True)

CONFIG_FILE = "pbem.toml"

ConfigOption = Annotated[
    Path | None,
    typer.Option(
        "--config",
        "-c",
        envvar="PBEM_CONFIG",
        help="The configuration file; else ./pbem.toml if there is one, else the built-in one.",
        show_default=False,
        dir_okay=False,
    ),
]
JsonOption = Annotated[bool, typer.Option("--json", help="Print JSON.")]


class Failure(Exception):  # noqa: N818  (the command ends, and says why)
    """The command cannot do what it was asked; the text is one line for the user."""

    def __init__(self, text: str, code: int = 2) -> None:
        super().__init__(text)
        self.code = code


def fail(text: str, code: int = 2) -> NoReturn:
    """End the command."""
    raise Failure(text, code)


def complain(text: str) -> None:
    """One line on standard error, whatever bytes a user's words in it hold."""
    line = " ".join(f"pbem: {text}".splitlines()).encode("utf-8", "backslashreplace").decode()
    err.print(line, markup=False)


def program() -> str:
    """This program as it can be typed here: by its name if the shell finds it, else as it was called."""
    called, found = Path(sys.argv[0]), shutil.which("pbem")
    known = found is not None and called.exists() and Path(found).samefile(called)
    return "pbem" if known or called.name != "pbem" else str(called)


def load(config: Path | None, *, reading_only: bool = False) -> Settings:
    """The settings; with `reading_only` as for `pbem explain`. Raises ConfigError."""
    if config is None and Path(CONFIG_FILE).is_file():
        config = Path(CONFIG_FILE)
    return configuring.load(config, reading_only=reading_only)


def say(text: str) -> None:
    """A line of prose, with rich's markup, never broken by us."""
    out.print(text, soft_wrap=True)


def write_json(value: Any) -> None:
    """One JSON value, indented, on standard output; nothing raises if nobody reads it."""
    try:
        sys.stdout.write(json.dumps(value, indent=2, ensure_ascii=False) + "\n")
    except BrokenPipeError:
        nobody_reads(sys.stdout)


def local(moment: datetime | None, zone: str) -> str:
    """A moment as people there read it; a dash if there is none."""
    return "—" if moment is None else f"{moment.astimezone(ZoneInfo(zone)):%a %d %b %H:%M}"
