"""What every part of a transaction stands on: its connection, and the games it has loaded."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import sqlalchemy as sa

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sqlalchemy.engine import Connection, CursorResult, RowMapping

    from pbem.engine.state import Game


class Part:
    """One transaction. `reads` says that it cannot write; `dialect` is sqlite or postgresql."""

    def __init__(self, connection: Connection, cache: Mapping[int, tuple[int, Game]], *, reads: bool = False) -> None:
        self._connection = connection
        self._cache = cache
        self.loaded: dict[int, tuple[int, Game]] = {}
        self.reads = reads
        self.dialect = connection.dialect.name

    def _run(self, statement: sa.Executable, values: Sequence[Mapping[str, Any]] | None = None) -> CursorResult[Any]:
        return self._connection.execute(statement, values)

    def _all(self, statement: sa.Executable) -> Sequence[RowMapping]:
        return self._connection.execute(statement).mappings().all()

    def _one(self, statement: sa.Executable) -> RowMapping | None:
        return self._connection.execute(statement).mappings().one_or_none()

    def _value(self, statement: sa.Executable) -> Any:
        return self._connection.execute(statement).scalar()

    def _insert(self, table: sa.Table, **values: Any) -> int:
        """Add a row to a table whose key is `id`; return the key."""
        return int(self._value(sa.insert(table).values(**values).returning(table.c.id)))

    def _put(self, table: sa.Table, **values: Any) -> None:
        """Add a row, or replace the one that has the same primary key."""
        keys = [column.name for column in table.primary_key]
        statement: Any
        if self.dialect == "sqlite":
            from sqlalchemy.dialects.sqlite import insert  # noqa: PLC0415  (one of two, by need)

            statement = insert(table).values(**values)
        else:
            from sqlalchemy.dialects.postgresql import insert as pg_insert  # noqa: PLC0415

            statement = pg_insert(table).values(**values)
        others = {name: statement.excluded[name] for name in values if name not in keys}
        self._run(
            statement.on_conflict_do_update(index_elements=keys, set_=others)
            if others
            else statement.on_conflict_do_nothing(index_elements=keys)
        )
