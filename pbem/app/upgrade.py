"""From a database of an earlier version of the program to this one's, with a copy of it kept first.

`look` tells how a database stands and changes nothing. `bring_up` makes the copy and then runs the migrations; a
database that is up to date is not touched, and a newer one is refused (`NewerDatabase`). The copy is a backup like
any other (`pbem restore` takes it): of an SQLite file beside it, of PostgreSQL in the current folder.
"""

from __future__ import annotations

import logging
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import sqlalchemy as sa
from sqlalchemy.exc import DBAPIError, SQLAlchemyError

from pbem.app.backup import BackupError, save
from pbem.store import StoreError, schema
from pbem.store.connection import is_memory, open_engine, sqlite_file
from pbem.store.errors import NewerDatabase, translate

if TYPE_CHECKING:
    from datetime import datetime

    from sqlalchemy.engine import Engine

    from pbem.store import Store

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Version:
    """The schema that was found (None: no tables yet) and that of this program."""

    found: str | None
    wanted: str
    known: bool

    @property
    def newer(self) -> bool:
        """A later program made it."""
        return self.found is not None and not self.known

    @property
    def older(self) -> bool:
        """It must be brought up before it can be used."""
        return self.known and self.found != self.wanted


class NoBackupError(StoreError):
    """No copy could be made, so nothing was changed."""

    def __init__(self, why: str) -> None:
        super().__init__("other", f"no copy of it can be made before it is brought up (see pbem run --help): {why}")


def bring_up(store: Store, now: datetime, *, backup: bool = True) -> Path | None:
    """Bring the store to this version; the copy that was made of it before, if it had to be.

    Raises NewerDatabase, NoBackupError, StoreError: then nothing has changed.
    """
    url = store.url
    version = look(url)
    if version.newer:
        raise NewerDatabase(str(version.found))
    copy = None
    if version.older and version.found is not None:
        copy = _copy(url, f"before-{version.wanted}-{now:%Y%m%d-%H%M%S}") if backup else None
        _log.warning(
            "the database is brought from schema %s to %s; before that: %s", version.found, version.wanted, copy
        )
    store.migrate()
    return copy


def _copy(url: str, name: str) -> Path:
    file = sqlite_file(url)
    place = file.with_name(f"{file.name}.{name}") if file is not None else Path.cwd() / f"pbem.{name}.dump"
    try:
        return save(url, place)
    except BackupError as error:
        raise NoBackupError(str(error)) from None


def look(url: str) -> Version:
    """How the database behind that URL stands; nothing is made if there is none. Raises StoreError."""
    file = sqlite_file(url)
    if is_memory(url) or (file is not None and not file.exists()):
        return Version(None, schema.HEAD, known=True)
    try:
        engine = open_engine(url)
    except OSError as error:
        raise StoreError("unreachable", error.strerror or type(error).__name__) from None
    except ModuleNotFoundError as error:
        raise StoreError("unreachable", f"{error.name} is not installed: pip install 'pbem[postgres]'") from None
    try:
        return _version(engine, file)
    finally:
        engine.dispose()


def _version(engine: Engine, file: Path | None) -> Version:
    try:
        with engine.connect() as connection:
            stamped = sa.inspect(connection).has_table("alembic_version")
            found = connection.scalar(sa.text("SELECT version_num FROM alembic_version")) if stamped else None
    except DBAPIError as error:
        raise translate(error, file) from None
    except SQLAlchemyError as error:
        raise StoreError("other", type(error).__name__) from None
    return Version(found, schema.HEAD, known=found is None or found <= schema.HEAD)  # migrations are numbered
