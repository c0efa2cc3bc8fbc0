"""Upgrades: a game in progress goes on, whatever released version kept it; a copy first; nothing newer is touched."""

from __future__ import annotations

import json
import random
import shutil
import sqlite3
import stat
import subprocess
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
import sqlalchemy as sa

from pbem.app import backup, upgrade
from pbem.app.export import export
from pbem.app.upgrade import NoBackupError, bring_up, look
from pbem.app.verify import parse, verify
from pbem.cli import main
from pbem.engine import commands as c
from pbem.engine.state import Phase
from pbem.store import Store, StoreError, migrate, schema
from tests.cli.playing import NAMES, Play
from tests.conftest import EMBEDDED

RELEASED = Path(__file__).parent / "released"
NOW = datetime(2027, 1, 3, 12, 0, tzinfo=UTC)


@pytest.fixture
def file(tmp_path):
    (tmp_path / "var").mkdir()
    (tmp_path / "pbem.toml").write_text(EMBEDDED)
    return tmp_path / "var" / "pbem.sqlite"


def restore(file, name):
    with closing(sqlite3.connect(file)) as connection:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.executescript((RELEASED / name).read_text("utf-8"))


def content(file):
    with closing(sqlite3.connect(file)) as connection:
        return "\n".join(connection.iterdump())


def copies(file):
    return sorted(path for path in file.parent.iterdir() if ".before-" in path.name)


def stamp(file):
    with closing(sqlite3.connect(file)) as connection:
        return connection.execute("SELECT version_num FROM alembic_version").fetchone()[0]


def set_stamp(file, version):
    with closing(sqlite3.connect(file)) as connection, connection:
        connection.execute("UPDATE alembic_version SET version_num = ?", (version,))


def test_every_schema_before_this_one_is_kept():
    versions = {path.stem for path in (Path(migrate.__file__).parent / "migrations" / "versions").glob("[0-9]*.py")}
    assert {name.partition("_")[0] for name in versions} - {schema.HEAD} == {
        path.stem for path in RELEASED.glob("*.sql")
    } - {schema.HEAD}


# --- a game in progress ---------------------------------------------------------------------------------------------


class Going(Play):
    """A game that is there already."""

    def __init__(self, store):
        self.store = store
        with store.read() as tx:
            self.game_id = tx.game_id("PL1")
            self.now = tx.events(self.game_id)[-1].at


@pytest.mark.parametrize("released", sorted(path.name for path in RELEASED.glob("*.sql")))
def test_a_game_in_progress_goes_on(file, released):
    restore(file, released)
    store = Store(f"sqlite:///{file}")
    bring_up(store, NOW)
    assert stamp(file) == schema.HEAD
    play = Going(store)
    before = play.game
    assert (before.phase, before.turn, len(before.players)) == (Phase.DAY, 2, len(NAMES))
    assert [player.name for player in before.players] == list(NAMES)
    assert len(before.living) < len(NAMES)
    target = before.living[0].seat
    assert {(order.verb, order.seats) for order in before.orders} == {("VOTE", (target,))}
    with store.read() as tx:
        assert tx.outbox_counts() == {"pending": 1, "held": 0, "claimed": 0, "sent": 1, "failed": 1}
        assert tx.position("INBOX") == (7, 41)
        assert tx.get("a key") == "é"
        assert [row.address for row in tx.readers(1)] == ["reader@example.org"]
        assert [row.code for row in tx.held(1)] == ["code000000000001"]
        assert tx.count_quarantined() == 1
        assert tx.player(1, 3).tag == "PL1tag3"
        assert tx.seen("<vote@example.org>", "p2@example.org", False, "d" * 64)
    while play.game.phase is Phase.DAY:  # the votes that are pending decide, whatever comes before
        play.resolve_next()
    assert target in {player.seat for player in play.game.players if not player.alive}
    to_the_end(play)
    assert play.game.phase is Phase.OVER
    with store.read() as tx:
        assert verify(parse(json.dumps(export(tx, 1)))).holds
    store.close()


def to_the_end(play):
    chance = random.Random(1)
    while play.game.phase is not Phase.OVER:
        for player in play.game.living:
            for verb in ("VOTE", "KILL", "GUARD", "HEIR", "ELECT"):
                play.do(c.Order(play.now, player.seat, verb, c.Words((chance.choice(play.game.living).seat,))))
        play.resolve_next()


# --- the copy -------------------------------------------------------------------------------------------------------


def test_a_copy_is_made_before_anything_changes(file):
    restore(file, "0001.sql")
    store = Store(f"sqlite:///{file}")
    copy = bring_up(store, NOW)
    store.close()
    assert copies(file) == [copy]
    assert copy.name == f"pbem.sqlite.before-{schema.HEAD}-20270103-120000"
    assert stat.S_IMODE(copy.stat().st_mode) == 0o600
    assert stamp(copy) == "0001"
    assert content(copy) == (RELEASED / "0001.sql").read_text("utf-8").rstrip("\n")


def test_what_is_up_to_date_or_new_is_not_copied(file):
    store = Store(f"sqlite:///{file}")
    assert bring_up(store, NOW) is None
    assert bring_up(store, NOW) is None
    assert copies(file) == []
    store.close()


def test_it_can_be_left_out(file):
    restore(file, "0001.sql")
    store = Store(f"sqlite:///{file}")
    assert bring_up(store, NOW, backup=False) is None
    store.close()
    assert (copies(file), stamp(file)) == ([], schema.HEAD)


@pytest.mark.parametrize("error", [OSError(28, "No space left on device"), sqlite3.OperationalError("disk I/O error")])
def test_without_a_copy_nothing_changes(file, monkeypatch, error):
    restore(file, "0001.sql")
    store = Store(f"sqlite:///{file}")

    def fail(*_given, **_options):
        raise error

    monkeypatch.setattr(backup.sqlite3, "connect", fail)
    with pytest.raises(NoBackupError, match="no copy of it can be made"):
        bring_up(store, NOW)
    monkeypatch.undo()
    store.close()
    assert stamp(file) == "0001"


def test_a_migration_that_fails_leaves_the_database_as_it_was_and_the_copy(file, monkeypatch):
    restore(file, "0001.sql")
    store = Store(f"sqlite:///{file}")

    def fail(connection):
        connection.exec_driver_sql("DELETE FROM players")
        raise sa.exc.OperationalError("x", {}, sqlite3.OperationalError("disk I/O error"))

    monkeypatch.setattr(migrate, "upgrade", fail)
    with pytest.raises(StoreError):
        bring_up(store, NOW)
    store.close()
    assert (stamp(file), len(copies(file))) == ("0001", 1)
    with closing(sqlite3.connect(file)) as connection:
        assert connection.execute("SELECT count(*) FROM players").fetchone() == (len(NAMES),)


def test_a_copy_while_somebody_reads_and_writes_is_whole(file):
    """WAL: what is committed and not yet in the file itself is in the copy."""
    restore(file, "0001.sql")
    store = Store(f"sqlite:///{file}")
    with closing(sqlite3.connect(file)) as other:
        other.execute("INSERT INTO kv VALUES ('late', 'x')")
        other.commit()
        copy = bring_up(store, NOW)
    store.close()
    with closing(sqlite3.connect(copy)) as connection:
        assert connection.execute("SELECT value FROM kv WHERE key = 'late'").fetchone() == ("x",)


# --- what is newer, what is older, as the commands tell it -----------------------------------------------------------


@pytest.fixture
def pbem(file, monkeypatch, capsys):
    monkeypatch.chdir(file.parent.parent)

    def run(*words):
        with pytest.raises(SystemExit) as ended:
            main(words)
        told = capsys.readouterr()
        return ended.value.code or 0, told.out, told.err

    return run


@pytest.mark.parametrize("words", [("run",), ("status",), ("game", "list"), ("game", "new")])
def test_a_newer_database_is_refused_in_one_line_and_left_alone(pbem, file, words):
    restore(file, "0001.sql")
    set_stamp(file, "0999")
    before = content(file)
    code, out, err = pbem(*words)
    assert (code, out, len(err.splitlines())) == (1, "", 1)
    assert "it was made by a newer version of pbem, schema 0999; update pbem" in err
    assert content(file) == before
    assert copies(file) == []


@pytest.mark.parametrize("words", [("status",), ("game", "list"), ("game", "show", "PL1"), ("game", "export", "PL1")])
def test_looking_does_not_upgrade(pbem, file, words):
    restore(file, "0001.sql")
    code, out, err = pbem(*words)
    assert (code, out) == (1, "")
    assert (
        f"the database is of an earlier version (schema 0001, not {schema.HEAD}): pbem run brings it to this one" in err
    )
    assert stamp(file) == "0001"


def test_what_writes_upgrades_with_a_copy(pbem, file):
    restore(file, "0001.sql")
    assert pbem("game", "new")[0] == 0
    assert (stamp(file), len(copies(file))) == (schema.HEAD, 1)


@pytest.mark.parametrize(
    ("version", "cause", "state"), [("0001", "older-database", "advice"), ("0999", "newer-database", "fault")]
)
def test_doctor_tells(pbem, file, version, cause, state):
    restore(file, "0001.sql")
    set_stamp(file, version)
    _, out, _ = pbem("doctor", "--offline", "--json")
    assert {(one["cause"], one["state"]) for one in json.loads(out)["findings"] if one["check"] == "database"} == {
        (cause, state)
    }


def test_looking_makes_nothing(tmp_path):
    found = look(f"sqlite:///{tmp_path}/nothing.sqlite")
    assert (found.found, found.older, found.newer) == (None, True, False)
    assert list(tmp_path.iterdir()) == []


def test_looking_at_what_cannot_be_opened_says_so(tmp_path):
    with pytest.raises(StoreError):
        look(f"sqlite:///{tmp_path}")


# --- PostgreSQL -----------------------------------------------------------------------------------------------------


@pytest.mark.postgres
def test_postgresql_is_copied_by_pg_dump(postgres_url, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    store = Store(postgres_url)
    store.migrate()
    with store.begin() as tx:
        tx.create_game("PL1", "", NOW)
    url = sa.engine.make_url(postgres_url)
    copy = upgrade._copy(postgres_url, "before-x")
    store.close()
    assert stat.S_IMODE(copy.stat().st_mode) == 0o600
    listed = subprocess.run(
        [shutil.which("pg_restore"), "--list", str(copy)], check=True, capture_output=True, text=True
    )
    assert "TABLE DATA public games" in listed.stdout
    assert look(postgres_url).found == schema.HEAD
    assert url.database is not None


@pytest.mark.postgres
def test_without_pg_dump_postgresql_is_not_changed(postgres_url, monkeypatch):
    store = Store(postgres_url)
    store.migrate()
    with store._engine.begin() as connection:
        connection.execute(sa.text("UPDATE alembic_version SET version_num = '0001'"))
    monkeypatch.setattr(backup.shutil, "which", lambda _program: None)
    with pytest.raises(NoBackupError, match="pg_dump is not installed"):
        bring_up(store, NOW + timedelta(days=1))
    assert look(postgres_url).found == "0001"
    store.close()
