"""`pbem backup` and `pbem restore`."""

# ruff: noqa: FBT002  (that is how typer declares a flag)

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path  # noqa: TC003  (typer reads the annotations)
from typing import Annotated

import typer
from rich.markup import escape

from pbem.cli.screen import ConfigOption, fail, load, say


def add_to(app: typer.Typer) -> None:
    """The commands of this module."""
    app.command(epilog="Example: pbem backup /var/backups/pbem-$(date +%F).sqlite")(backup)
    app.command(epilog="Example: pbem restore /var/backups/pbem-2026-12-01.sqlite")(restore)


def backup(
    file: Annotated[Path, typer.Argument(metavar="FILE", show_default=False, help="Where to; not there yet.")],
    config: ConfigOption = None,
    force: Annotated[bool, typer.Option("--force", help="Replace the file if it exists.")] = False,
) -> None:
    """Write the whole database to one file, of one moment, while everything runs. It holds every secret (mode 0600)."""
    settings = load(config)
    from pbem.app import backup as copies  # noqa: PLC0415  (it loads much)

    try:
        written = copies.save(settings.database.url, file, replace=force)
    except copies.BackupError as error:
        fail(str(error), 1)
    say(f"Backup: [bold]{escape(str(written))}[/], {written.stat().st_size / 1e6:.1f} MB. It holds every secret.")
    if settings.embedded.enabled:
        say(f"The mail itself is in {escape(str(settings.embedded.maildirs))}: keep a copy of that folder, too.")


def restore(
    file: Annotated[Path, typer.Argument(metavar="FILE", show_default=False, help="What pbem backup wrote.")],
    config: ConfigOption = None,
) -> None:
    """Put a backup into the database's place. pbem run must not be running; the database that was there is kept."""
    settings = load(config)
    from pbem.app import backup as copies  # noqa: PLC0415  (it loads much)

    try:
        kept = copies.restore(settings.database.url, file, datetime.now(UTC))
    except copies.BackupError as error:
        fail(str(error), 1)
    say("Restored. What the mailbox has received since the backup is read again at the next pbem run.")
    if kept is not None:
        say(f"The database that was there: {escape(str(kept))}")
