"""The migrations, the tables at once, and what the program says of a database that is not its own."""

from __future__ import annotations

import sqlite3
import stat
import time

import pytest
import sqlalchemy as sa
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext

from pbem.store import NewerDatabase, Store, StoreError, migrate, schema
from tests.store.conftest import NOW


def _shape(engine):
    """Every table with its columns, keys and indexes, as the database itself tells them."""
    seen = sa.inspect(engine)
    return {
        table: {
            "columns": [(c["name"], str(c["type"]), c["nullable"]) for c in seen.get_columns(table)],
            "primary": seen.get_pk_constraint(table),
            "foreign": sorted(map(str, seen.get_foreign_keys(table))),
            "unique": sorted(map(str, seen.get_unique_constraints(table))),
            "indexes": sorted(map(str, seen.get_indexes(table))),
        }
        for table in seen.get_table_names()
    }


def test_head_is_the_latest_migration():
    assert migrate.head() == schema.HEAD


def test_tables_made_at_once_are_those_that_the_migrations_make(file_url):
    migrated, at_once = Store(file_url), Store.in_memory()
    migrated.migrate()
    assert _shape(migrated._engine) == _shape(at_once._engine)
    for store in (migrated, at_once):
        with store._engine.connect() as connection:
            assert connection.execute(sa.text("SELECT version_num FROM alembic_version")).scalar() == schema.HEAD
        store.close()


def test_alembic_finds_no_difference_to_the_tables(store):
    with store._engine.connect() as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": True})
        assert compare_metadata(context, schema.metadata) == []


def test_migrating_twice_changes_nothing(store):
    with store.begin() as tx:
        tx.create_game("PL1", "", NOW)
    store.migrate()
    with store.read() as tx:
        assert tx.game_codes() == ["PL1"]


def test_a_database_of_a_newer_program_is_left_alone(file_url):
    store = Store(file_url)
    store.migrate()
    with store._engine.begin() as connection:
        connection.execute(sa.text("UPDATE alembic_version SET version_num = '9999'"))
    with pytest.raises(NewerDatabase, match="9999"):
        store.migrate()
    store.close()


def test_a_migration_that_breaks_leaves_nothing_behind(file_url, monkeypatch):
    store = Store(file_url)
    with store._engine.begin() as connection:
        connection.execute(sa.text("CREATE TABLE kv (key INTEGER)"))  # the last table that the migration wants to make
    with pytest.raises(StoreError):
        store.migrate()
    assert sa.inspect(store._engine).get_table_names() == ["kv"]
    store.close()


def test_the_file_is_its_owners_alone(tmp_path, file_url):
    store = Store(file_url)
    store.migrate()
    files = list(tmp_path.iterdir())
    assert {file.name for file in files} == {"pbem.sqlite", "pbem.sqlite-wal", "pbem.sqlite-shm"}
    assert {stat.S_IMODE(file.stat().st_mode) for file in files} == {0o600}
    store.close()


def test_sqlite_is_set_up_to_lose_nothing(file_url):
    store = Store(file_url)
    with store._engine.connect() as connection:
        pragmas = {
            name: connection.exec_driver_sql(f"PRAGMA {name}").scalar()
            for name in ("journal_mode", "synchronous", "foreign_keys", "busy_timeout")
        }
    assert pragmas == {"journal_mode": "wal", "synchronous": 2, "foreign_keys": 1, "busy_timeout": 10_000}
    store.close()


def test_a_database_in_memory_is_ready_in_a_moment():
    Store.in_memory().close()  # the first one works out the statements
    times = []
    for _ in range(20):
        start = time.perf_counter()
        store = Store.in_memory()
        times.append(time.perf_counter() - start)
        store.close()
    assert min(times) < 0.005


def test_each_database_in_memory_is_its_own():
    one, two = Store.in_memory(), Store.in_memory()
    with one.begin() as tx:
        tx.create_game("PL1", "", NOW)
    with two.begin() as tx:
        assert tx.game_codes() == []
    one.close()
    two.close()


def test_a_file_that_is_no_database_is_named_as_such(tmp_path):
    (tmp_path / "x.sqlite").write_bytes(b"Dear diary, " * 400)
    with pytest.raises(StoreError) as caught:
        Store(f"sqlite:///{tmp_path}/x.sqlite").migrate()
    assert caught.value.kind == "corrupt"


def test_a_folder_that_cannot_be_made_is_named_as_such(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(StoreError) as caught:
        Store(f"sqlite:///{tmp_path}/file/x.sqlite")
    assert caught.value.kind == "unreachable"


def test_a_server_that_does_not_answer_is_named_as_such(tmp_path):
    with pytest.raises(StoreError) as caught:
        Store(f"postgresql+psycopg://nobody@/none?host={tmp_path}").migrate()
    assert caught.value.kind == "unreachable"


def test_a_disk_that_is_full_is_named_as_such_and_nothing_is_half_done(file_url):
    store = Store(file_url)
    store.migrate()
    with store.begin() as tx:
        tx.create_game("PL1", "", NOW)
    with pytest.raises(StoreError) as caught, store.begin() as tx:  # noqa: PT012  (which page is the last one is open)
        tx._connection.exec_driver_sql("PRAGMA max_page_count = 1")  # SQLite then says what it says on a full disk
        tx.create_game("PL2", "", NOW)
        for i in range(2000):
            tx.set(f"key {i}", "x" * 1000)
    assert caught.value.kind == "full"
    with store.read() as tx:
        assert tx.game_codes() == ["PL1"]
    store.close()


def test_a_database_that_another_program_holds_is_named_as_such(file_url, tmp_path, monkeypatch):
    monkeypatch.setattr("pbem.store.connection.BUSY_MS", 50)
    store = Store(file_url)
    store.migrate()
    other = sqlite3.connect(tmp_path / "pbem.sqlite", isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    with pytest.raises(StoreError) as caught, store.begin() as tx:
        tx.set("a", "b")
    assert caught.value.kind == "locked"
    with store.read() as tx:  # looking is still possible
        assert tx.get("a") is None
    other.execute("ROLLBACK")
    other.close()
    with store.begin() as tx:
        tx.set("a", "b")
    store.close()


def test_an_error_tells_nothing_of_the_data(store):
    with store.begin() as tx:
        tx.set("a", "b")
        game = tx.create_game("PL1", "", NOW)
        tx.add_player(game, 1, "a@b.c", "fr", "m", "canary0tag")
    with pytest.raises(StoreError) as caught, store.begin() as tx:
        tx.add_player(game, 2, "d@e.f", "fr", "m", "canary0tag")
    assert caught.value.kind == "broken-rule"
    assert "canary" not in str(caught.value)
    assert caught.value.__cause__ is None


def test_one_worker_serves_a_file_and_makes_room_when_it_is_gone(file_url):
    one, two = Store(file_url), Store(file_url)
    one.occupy()
    with pytest.raises(StoreError, match="another pbem") as caught:
        two.occupy()
    assert caught.value.kind == "locked"
    one.close()
    two.occupy()
    two.close()
