"""The schema's growth, by Alembic: from any earlier version of the program to this one, never backwards.

The migrations are inside the package (`pbem/store/migrations`), so an installed wheel has them. Each runs in a
transaction: a database is at one version or at the next.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory

from pbem.store.errors import NewerDatabase

if TYPE_CHECKING:
    from sqlalchemy.engine import Connection

_SCRIPTS = Path(__file__).resolve().parent / "migrations"


def _config(connection: Connection | None = None) -> Config:
    config = Config()
    config.set_main_option("script_location", str(_SCRIPTS).replace("%", "%%"))
    config.attributes["connection"] = connection
    return config


def head() -> str:
    """The latest migration's name."""
    return str(ScriptDirectory.from_config(_config()).get_current_head())


def current(connection: Connection) -> str | None:
    """Where that database stands; None if it is empty."""
    return MigrationContext.configure(connection).get_current_revision()


def upgrade(connection: Connection) -> None:
    """Bring the database to the latest version, inside the connection's transaction.

    Raises NewerDatabase if it is beyond that.
    """
    found = current(connection)
    known = {script.revision for script in ScriptDirectory.from_config(_config()).walk_revisions()}
    if found is not None and found not in known:
        raise NewerDatabase(found)
    if found != head():
        command.upgrade(_config(connection), "head")
