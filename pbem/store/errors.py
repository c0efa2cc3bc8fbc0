"""What can go wrong with a database, in words that hold no secret: no statement, no parameter, no row.

Every failure of the database reaches the caller as a `StoreError` whose `kind` says what a host can do about it.
"""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

    from sqlalchemy.exc import DBAPIError

_WORDS = {
    "locked": "the database is locked by another program",
    "full": "the disk is full",
    "readonly": "the database cannot be written to",
    "corrupt": "the database file is damaged; restore it from a backup",
    "io": "the disk failed to read or write",
    "unreachable": "the database cannot be opened or reached",
    "broken-rule": "the database refused a row that contradicts another",
    "other": "the database refused",
}
_SQLITE = {
    "SQLITE_BUSY": "locked",
    "SQLITE_LOCKED": "locked",
    "SQLITE_FULL": "full",
    "SQLITE_READONLY": "readonly",
    "SQLITE_PERM": "readonly",
    "SQLITE_CORRUPT": "corrupt",
    "SQLITE_NOTADB": "corrupt",
    "SQLITE_CANTOPEN": "unreachable",
    "SQLITE_IOERR": "io",
    "SQLITE_CONSTRAINT": "broken-rule",
}
_POSTGRES = {
    "53100": "full",
    "58030": "io",
    "25006": "readonly",
    "55P03": "locked",
    "40P01": "locked",
    "40001": "locked",
    "XX001": "corrupt",
}


_LITTLE = 1_000_000
"""Octets left on a disk that count as none: SQLite calls what then happens by several names."""


class StoreError(Exception):
    """The database did not do what was asked; nothing of the transaction is kept. `kind` is one of `_WORDS`."""

    def __init__(self, kind: str, detail: str = "") -> None:
        self.kind = kind
        super().__init__(_WORDS.get(kind, kind) + (f" ({detail})" if detail else ""))


class Conflict(StoreError):  # noqa: N818  (it is the answer to a try, not a failure)
    """Somebody else has appended to this game since it was loaded; load it again and decide anew."""

    def __init__(self, game_id: int, expected: int) -> None:
        super().__init__("other", f"game {game_id} is no longer at version {expected}")


class NewerDatabase(StoreError):  # noqa: N818  (named for what was found)
    """The database was written by a later version of the program, which alone may open it."""

    def __init__(self, found: str) -> None:
        super().__init__("other", f"it was made by a newer version of pbem, schema {found}; update pbem")


def translate(error: DBAPIError, file: Path | None = None) -> StoreError:
    """A driver's error as a `StoreError`: the driver's code is told, its text (which may quote data) is not.

    `file` is the SQLite database, if it is one.
    """
    origin = error.orig
    name = getattr(origin, "sqlite_errorname", None) or getattr(origin, "sqlstate", None) or type(origin).__name__
    kind = next((kind for code, kind in _SQLITE.items() if name.startswith(code)), None) or _POSTGRES.get(name)
    if kind is None and (name.startswith(("08", "57P")) or (error.connection_invalidated)):
        kind = "unreachable"
    if kind is None and name.startswith("23"):
        kind = "broken-rule"
    if kind is None and name == "OperationalError":  # psycopg could not connect: there is no state to tell
        kind = "unreachable"
    if kind in {"io", "unreachable"} and file is not None and _no_room(file):
        kind = "full"
    return StoreError(kind or "other", name if file is None else f"{name}, {file}")


def _no_room(file: Path) -> bool:
    try:
        return shutil.disk_usage(file.parent).free < _LITTLE
    except OSError:
        return False
