"""`pbem backup` and `pbem restore`: the whole database as one file, and back.

A backup is made while everything runs, and is of one moment: by SQLite's own online backup, or by pg_dump. It is
written beside its name and checked before it takes it, so that what bears the name is whole; only its owner may read
it. A restore refuses a file that is damaged, of another kind or of a newer program, and a database that is being
served; the SQLite file that it replaces is kept.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import sqlite3
import subprocess
from typing import TYPE_CHECKING, Final

from sqlalchemy.engine import make_url

from pbem.store import Store, schema
from pbem.store.connection import is_memory, occupy, sqlite_file

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime
    from pathlib import Path

    from sqlalchemy.engine import URL

_DUMP_SECONDS: Final = 3600
_DUMP_MAGIC: Final = b"PGDMP"


class BackupError(Exception):
    """It was not done, and nothing has changed; the text says why, in one line."""


def save(url: str, copy: Path, *, replace: bool = False) -> Path:
    """Write a backup of the database behind `url` to `copy`; its absolute path.

    Raises BackupError: there is no such database, it is damaged, or the file exists (unless `replace`) or cannot be
    written.
    """
    if copy.exists() and not replace:
        raise BackupError(f"{copy} exists already")
    draft = copy.with_name(f".{copy.name}.{os.getpid()}")
    try:
        _create(draft)
        file = sqlite_file(url)
        if file is not None:
            _copy_sqlite(file, draft)
        elif is_memory(url):
            raise BackupError("a database in memory has no backup")
        else:
            _postgres("pg_dump", make_url(url), ["--format=custom", f"--file={draft}"])
        _sync(draft)
        draft.replace(copy)
        _sync(copy.parent)
    except OSError as error:
        raise BackupError(f"{copy} cannot be written ({error.strerror})") from None
    finally:
        _discard(draft)
    return copy.absolute()


def restore(url: str, copy: Path, now: datetime) -> Path | None:
    """Put a backup into the place of the database behind `url`; where the former SQLite file is kept, if there was one.

    Nothing may serve the database. Raises BackupError, or StoreError (locked) if something does.
    """
    file = sqlite_file(url)
    if file is None:
        _restore_postgres(url, copy, now)
        return None
    _check_sqlite(copy)
    file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    lock = occupy(file)
    draft = file.with_name(f".{file.name}.{os.getpid()}")
    try:
        _create(draft)
        _copy_sqlite(copy, draft, still=True)
        _sync(draft)
        kept = _put_aside(file, file.with_name(f"{file.name}.before-restore-{now:%Y%m%d-%H%M%S}"))
        draft.replace(file)
        _sync(file.parent)
    except OSError as error:
        raise BackupError(f"{file} cannot be written ({error.strerror})") from None
    finally:
        _discard(draft)
        os.close(lock)
    return kept


# --- SQLite ---


def _copy_sqlite(file: Path, copy: Path, *, still: bool = False) -> None:
    """All of one moment, into an empty file, and whole."""
    if not file.exists():
        raise BackupError(f"there is no database yet ({file})")
    try:
        source = _open(file, still=still)
        with contextlib.closing(source), contextlib.closing(sqlite3.connect(copy)) as target:
            source.backup(target)
            whole = target.execute("PRAGMA integrity_check(1)").fetchone() == ("ok",)
    except sqlite3.Error as error:
        raise BackupError(_why(error, file, copy)) from None
    if not whole:
        raise BackupError(f"{file} is damaged: pbem restore puts an earlier backup in its place")


def _open(file: Path, *, still: bool = False) -> sqlite3.Connection:
    """For reading. `still`: nobody works with it, so that it may lie where nothing can be written."""
    alone = still and not file.with_name(f"{file.name}-wal").exists()
    return sqlite3.connect(f"{file.absolute().as_uri()}?{'immutable=1' if alone else 'mode=rw'}", uri=True)


def _check_sqlite(copy: Path) -> None:
    """Whether it is a backup that this program can use."""
    if not copy.is_file():
        raise BackupError(f"there is no file {copy}")
    try:
        with contextlib.closing(_open(copy, still=True)) as found:
            whole = found.execute("PRAGMA integrity_check(1)").fetchone() == ("ok",)
            version = found.execute("SELECT version_num FROM alembic_version").fetchone()
    except sqlite3.Error as error:
        code = getattr(error, "sqlite_errorname", "")
        damaged = code.startswith(("SQLITE_CORRUPT", "SQLITE_IOERR"))
        raise BackupError(f"{copy} is {'damaged' if damaged else 'no backup of pbem'}") from None
    if not whole:
        raise BackupError(f"{copy} is damaged")
    if version is None or version[0] > schema.HEAD:
        raise BackupError(f"{copy} is of a newer version of pbem, schema {version[0] if version else 'unknown'}")


def _put_aside(file: Path, aside: Path) -> Path | None:
    """Keep the present database under another name, with what SQLite has not yet written into it."""
    if not file.exists():
        return None
    with contextlib.suppress(sqlite3.Error), contextlib.closing(sqlite3.connect(file)) as present:
        present.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    for suffix in ("-wal", "-shm"):  # first: they must not be taken for the new file's
        part = file.with_name(file.name + suffix)
        if part.exists():
            part.replace(aside.with_name(aside.name + suffix))
    file.replace(aside)
    return aside


def _why(error: sqlite3.Error, file: Path, copy: Path) -> str:
    code = getattr(error, "sqlite_errorname", "") or type(error).__name__
    if code.startswith(("SQLITE_CORRUPT", "SQLITE_NOTADB")):
        return f"{file} is damaged: pbem restore puts an earlier backup in its place"
    if code.startswith("SQLITE_FULL") or shutil.disk_usage(copy.parent).free < file.stat().st_size:
        return f"{copy} cannot be written (the disk is full)"
    return f"{file} cannot be copied ({code})"


# --- PostgreSQL ---


def _restore_postgres(url: str, copy: Path, now: datetime) -> None:
    """In one transaction: all of it, or nothing."""
    try:
        with copy.open("rb") as file:
            known = file.read(len(_DUMP_MAGIC)) == _DUMP_MAGIC
    except OSError as error:
        raise BackupError(f"{copy} cannot be read ({error.strerror})") from None
    if not known:
        raise BackupError(f"{copy} is no backup of a PostgreSQL database")
    _check_unserved(url, now)
    words = ["--clean", "--if-exists", "--no-owner", "--single-transaction", "--exit-on-error", str(copy.absolute())]
    _postgres("pg_restore", make_url(url), words)


def _check_unserved(url: str, now: datetime) -> None:
    """Whether no worker holds the mailbox."""
    opened = Store(url)
    try:
        opened.migrate()
        with opened.begin() as tx:
            free = tx.lease("mailbox", "pbem restore", now, 1)
            tx.end_lease("mailbox", "pbem restore")
    finally:
        opened.close()
    if not free:
        raise BackupError("another pbem serves this database: stop it first")


def _postgres(program: str, url: URL, words: Sequence[str]) -> None:
    """Run one of PostgreSQL's own programs; it learns the password from the environment, not from its arguments."""
    found = shutil.which(program)
    if found is None:
        raise BackupError(f"{program} is not installed (Debian: postgresql-client)")
    environ = {**os.environ, **({"PGPASSWORD": url.password} if url.password else {})}
    place = url.set(drivername="postgresql", password="").render_as_string()
    command = [found, f"--dbname={place}", *words]
    try:
        subprocess.run(command, env=environ, check=True, capture_output=True, timeout=_DUMP_SECONDS)  # noqa: S603
    except (OSError, subprocess.SubprocessError) as error:
        raise BackupError(f"{program} failed ({type(error).__name__})") from None


# --- files ---


def _create(file: Path) -> None:
    """Empty, readable by its owner alone."""
    file.unlink(missing_ok=True)
    os.close(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))


def _discard(draft: Path) -> None:
    """What was left half done."""
    for suffix in ("", "-wal", "-shm", "-journal"):
        with contextlib.suppress(OSError):
            draft.with_name(draft.name + suffix).unlink()


def _sync(path: Path) -> None:
    """On the disk, or OSError."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
