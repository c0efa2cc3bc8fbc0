"""What every part of a transaction stands on: its connection, and the games it has loaded.

Statements are built once a process and given their values when they run: SQLAlchemy then finds at once what it compiled
for them, which is most of what a small query costs. A value's name never is a column's own where it stands in a WHERE.
"""

from __future__ import annotations

import dataclasses
from functools import lru_cache
from importlib import import_module
from typing import TYPE_CHECKING, Any, TypeVar

import sqlalchemy as sa

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sqlalchemy.engine import Connection, CursorResult

    from pbem.engine.state import Game

RowT = TypeVar("RowT")


def given(name: str) -> sa.BindParameter[Any]:
    """A value that comes when the statement runs."""
    return sa.bindparam(name)


def fields_of(table: sa.Table, row: type) -> list[sa.Column[Any]]:
    """The columns that fill a record, in the order of its fields."""
    return [table.c[field.name] for field in dataclasses.fields(row)]


@lru_cache(maxsize=64)
def _inserting(table: sa.Table) -> sa.Insert:
    return sa.insert(table)


@lru_cache(maxsize=64)
def _putting(table: sa.Table, dialect: str, names: tuple[str, ...], keep: tuple[str, ...]) -> Any:
    """An INSERT that replaces the row of the same primary key, but for the columns to keep."""
    statement: Any = import_module(f"sqlalchemy.dialects.{dialect}").insert(table)  # each is slow to load
    keys = [column.name for column in table.primary_key]
    others = {name: statement.excluded[name] for name in names if name not in (*keys, *keep)}
    if not others:
        return statement.on_conflict_do_nothing(index_elements=keys)
    return statement.on_conflict_do_update(index_elements=keys, set_=others)


class Part:
    """One transaction. `reads` says that it cannot write; `dialect` is sqlite or postgresql."""

    def __init__(self, connection: Connection, cache: Mapping[int, tuple[int, Game]], *, reads: bool = False) -> None:
        self._connection = connection
        self._cache = cache
        self.loaded: dict[int, tuple[int, Game]] = {}
        self.reads = reads
        self.dialect = connection.dialect.name

    def _run(self, statement: sa.Executable, **values: Any) -> CursorResult[Any]:
        return self._connection.execute(statement, values)

    def _all(self, statement: sa.Executable, **values: Any) -> Sequence[Any]:
        return self._connection.execute(statement, values).all()

    def _one(self, statement: sa.Executable, **values: Any) -> Any:
        return self._connection.execute(statement, values).one_or_none()

    def _value(self, statement: sa.Executable, **values: Any) -> Any:
        return self._connection.execute(statement, values).scalar()

    def _records(self, kind: type[RowT], statement: sa.Executable, **values: Any) -> list[RowT]:
        return [kind(*row) for row in self._connection.execute(statement, values)]

    def _record(self, kind: type[RowT], statement: sa.Executable, **values: Any) -> RowT | None:
        row = self._connection.execute(statement, values).one_or_none()
        return None if row is None else kind(*row)

    def _add(self, table: sa.Table, **values: Any) -> None:
        """Add a row."""
        self._connection.execute(_inserting(table), values)

    def _insert(self, table: sa.Table, **values: Any) -> int:
        """Add a row to a table whose key is `id`; return the key."""
        key = self._connection.execute(_inserting(table), values).inserted_primary_key
        return int(key[0]) if key is not None else 0

    def _put(self, table: sa.Table, *, keep: tuple[str, ...] = (), **values: Any) -> None:
        """Add a row, or replace the one that has the same primary key, but for the columns to keep."""
        self._connection.execute(_putting(table, self.dialect, tuple(values), keep), values)
