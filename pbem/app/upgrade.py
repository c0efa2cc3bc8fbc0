"""From a database of an earlier version of the program to this one's, with a copy of it kept first.

`look` tells how a database stands and changes nothing. A newer one is refused, by whoever opens it (`NewerDatabase`).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sqlalchemy.exc import DBAPIError, SQLAlchemyError

from pbem.store import StoreError, migrate
from pbem.store.connection import open_engine
from pbem.store.errors import translate

if TYPE_CHECKING:
    from sqlalchemy.engine import Engine


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


def look(url: str) -> Version:
    """How the database behind that URL stands. Raises StoreError if it cannot be opened."""
    try:
        engine = open_engine(url)
    except OSError as error:
        raise StoreError("unreachable", error.strerror or type(error).__name__) from None
    except ModuleNotFoundError as error:
        raise StoreError("unreachable", f"{error.name} is not installed: pip install 'pbem[postgres]'") from None
    try:
        return _version(engine)
    finally:
        engine.dispose()


def _version(engine: Engine) -> Version:
    try:
        with engine.connect() as connection:
            found = migrate.current(connection)
    except DBAPIError as error:
        raise translate(error) from None
    except SQLAlchemyError as error:
        raise StoreError("other", type(error).__name__) from None
    newest = migrate.head()
    return Version(found, newest, known=found is None or found <= newest)  # migrations are numbered
