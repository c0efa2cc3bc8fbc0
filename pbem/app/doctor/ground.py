"""The checks that need no network: secrets, time zone, disk, database, archive. They change nothing that is there."""

from __future__ import annotations

import os
import shutil
import stat
from datetime import datetime
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo

from pbem.app.doctor.findings import Finding, advice, fault, fine
from pbem.app.places import certificates, unwritable
from pbem.app.tables import options
from pbem.app.upgrade import look
from pbem.engine.calendar import executions
from pbem.settings import ConfigError
from pbem.store import StoreError
from pbem.store.connection import sqlite_file

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from pbem.settings import Settings

NO_CERTIFICATES = "ca-file"
"""The cause of the fault that the file of certificates to trust is none."""
LITTLE = 200_000_000
LEAST = 20_000_000
OLDEST = datetime.fromisoformat("2025-01-01T00:00:00+00:00")


def examine(settings: Settings, now: datetime) -> Iterator[Finding]:
    """All of them; `now` is the host's clock."""
    yield fine("configuration", f"{settings.origin} is complete")
    if not settings.embedded.enabled:
        yield _secrets(settings)
        yield from _certificates(settings)
    yield _zone(settings, now)
    yield _disk(settings)
    yield _database(settings)
    yield _archive(settings)


def _secrets(settings: Settings) -> Finding:
    """Every secret can be had, and those in files are for their owner alone."""
    open_to_others = []
    for server in (settings.imap, settings.smtp):
        for secret in (server.password, server.oauth):
            if secret is None:
                continue
            try:
                secret.reveal()
            except ConfigError as error:
                return fault("secrets", "secret", str(error), "Put it where the setting says, or change the setting.")
            if secret.file is not None and secret.file.stat().st_mode & (stat.S_IRWXG | stat.S_IRWXO):
                open_to_others.append(str(secret.file))
    if open_to_others:
        names = " ".join(dict.fromkeys(open_to_others))
        return advice("secrets", "readable", f"others on this machine may read {names}", f"chmod 600 {names}")
    return fine("secrets", "they can be read, by you alone")


def _certificates(settings: Settings) -> Iterator[Finding]:
    """Only if something is wrong with the files that are to be trusted; most hosts need none."""
    try:
        certificates(settings)
    except ConfigError as error:
        mend = "Name the file of the server's authority, or none at all."
        yield fault("certificates", NO_CERTIFICATES, str(error), mend)


def _zone(settings: Settings, now: datetime) -> Finding:
    name = settings.game.timezone
    here = now.astimezone(ZoneInfo(name))
    if now < OLDEST:
        return fault("clock", "clock", f"this machine believes that it is {here:%Y-%m-%d}", "timedatectl set-ntp true")
    closing = next(executions(options(settings), now)).astimezone(ZoneInfo(name))
    return fine("clock", f"in {name} it is {here:%A %d %B, %H:%M}; executions: the next on {closing:%A at %H:%M}")


def _disk(settings: Settings) -> Finding:
    file = sqlite_file(settings.database.url)
    places = [place for place in (file and file.parent, settings.archive.folder) if place]
    free = min((shutil.disk_usage(_existing(place)).free for place in places), default=LITTLE)
    if free < LEAST:
        return fault("disk", "disk", f"only {free // 1_000_000} MB are free", "Make room: a full disk stops the game.")
    if free < LITTLE:
        return advice("disk", "disk", f"only {free // 1_000_000} MB are free", "A game takes a few dozen.")
    return fine("disk", f"{free / 1_000_000_000:.1f} GB are free")


def _database(settings: Settings) -> Finding:
    file = sqlite_file(settings.database.url)
    if file is not None and not file.exists():
        return _writable("database", file.parent, f"{file} will be made by pbem run")
    try:
        version = look(settings.database.url)
    except StoreError as error:
        return fault("database", "database", str(error), "Check database.url, and who may use it.")
    if version.newer:
        return fault(
            "database", "newer-database", f"it is of a newer version of pbem (schema {version.found})", "Update pbem."
        )
    if version.older:
        says = f"it is of an older version (schema {version.found or 'none'})"
        return advice("database", "older-database", says, "pbem run makes a backup and brings it to this version.")
    if file is not None and not os.access(file, os.W_OK):
        return fault("database", "readonly", f"{file} cannot be written to", "Check whose it is, and its rights.")
    return fine("database", f"it can be used (schema {version.found})")


def _archive(settings: Settings) -> Finding:
    folder = settings.archive.folder
    if folder is None:
        return fine("archive", "none is written (archive.folder is not set)")
    return _writable("archive", folder, f"{folder}, {settings.archive.url or 'no archive.url: letters link nowhere'}")


def _writable(check: str, folder: Path, says: str) -> Finding:
    """Try it: a file is made in the folder, or in the one above that it would be made in, and is gone again."""
    why = unwritable(folder)
    if not why:
        return fine(check, says)
    return fault(check, "readonly", f"{folder} cannot be written to ({why})", "Check whose it is, and its rights.")


def _existing(folder: Path) -> Path:
    """The folder, or the nearest one above it that there is."""
    return next(place for place in (folder.absolute(), *folder.absolute().parents) if place.is_dir())
