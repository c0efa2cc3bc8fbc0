"""`pbem backup` and `pbem restore`: whole, private, of one moment; and nothing is replaced by what is not."""

from __future__ import annotations

import json
import os
import sqlite3
import stat
import threading
from datetime import UTC, datetime

import pytest

from pbem.app.backup import BackupError, restore, save
from pbem.app.export import export
from pbem.app.verify import parse, verify
from pbem.engine import commands as c
from pbem.store import Store, StoreError
from tests.cli.playing import Play

NOW = datetime(2026, 12, 7, 8, 0, tzinfo=UTC)


@pytest.fixture
def url(tmp_path):
    return f"sqlite:///{tmp_path}/var/pbem.sqlite"


@pytest.fixture
def play(url):
    store = Store(url)
    store.migrate()
    play = Play(store)
    play.start()
    yield play
    store.close()


def events(url):
    store = Store(url)
    with store.read() as tx:
        found = [row.event for row in tx.events(1)]
        assert all(check.holds for check in verify(parse(json.dumps(export(tx, 1)))).checks)
    store.close()
    return found


def test_a_backup_holds_everything_and_is_private(play, url, tmp_path):
    copy = save(url, tmp_path / "copy.sqlite")
    assert events(f"sqlite:///{copy}") == events(url)
    assert stat.S_IMODE(copy.stat().st_mode) == 0o600
    assert [file.name for file in tmp_path.iterdir() if "copy" in file.name] == ["copy.sqlite"]


def test_each_backup_of_a_busy_database_is_of_one_moment(play, url, tmp_path):
    """Every game in it holds, whatever was being written."""
    stop, failed = threading.Event(), []

    def write():
        try:
            while not stop.is_set():
                play.do(c.Order(play.now, 1, "VOTE", c.Words((2,))))
                play.do(c.Order(play.now, 3, "VOTE", c.Words((1,))))
        except StoreError as error:
            failed.append(error)

    thread = threading.Thread(target=write)
    thread.start()
    sizes = [len(events(f"sqlite:///{save(url, tmp_path / f'{n}.sqlite')}")) for n in range(4)]
    stop.set()
    thread.join()
    assert not failed
    assert sizes == sorted(sizes)
    assert sizes[0] < sizes[-1]


def test_a_file_that_exists_is_not_replaced_unless_told(play, url, tmp_path):
    copy = tmp_path / "copy.sqlite"
    copy.write_text("precious")
    with pytest.raises(BackupError, match="exists already"):
        save(url, copy)
    assert copy.read_text() == "precious"
    save(url, copy, replace=True)
    assert events(f"sqlite:///{copy}") == events(url)


@pytest.mark.parametrize("place", ["nowhere/copy.sqlite", "file/copy.sqlite"])
def test_where_nothing_can_be_written_one_line_says_so(play, url, tmp_path, place):
    (tmp_path / "file").touch()
    with pytest.raises(BackupError, match="cannot be written"):
        save(url, tmp_path / place)


def test_there_is_no_backup_of_nothing(tmp_path):
    with pytest.raises(BackupError, match="no database yet"):
        save(f"sqlite:///{tmp_path}/none.sqlite", tmp_path / "copy.sqlite")
    with pytest.raises(BackupError, match="in memory"):
        save("sqlite://", tmp_path / "copy.sqlite")
    assert list(tmp_path.iterdir()) == []


def damage(file, at=0.5):
    """Overwrite a few pages."""
    with file.open("r+b") as opened:
        opened.seek(int(file.stat().st_size * at) // 4096 * 4096)
        opened.write(os.urandom(3 * 4096))


def test_a_damaged_database_has_no_backup_and_none_is_replaced_by_it(play, url, tmp_path):
    copy = save(url, tmp_path / "copy.sqlite")
    play.store.close()
    damage(tmp_path / "var" / "pbem.sqlite")
    with pytest.raises(BackupError, match="damaged"):
        save(url, copy, replace=True)
    assert events(f"sqlite:///{copy}")


def test_a_restore_goes_back_to_the_backup_and_keeps_what_was_there(play, url, tmp_path):
    copy = save(url, tmp_path / "copy.sqlite")
    before = events(url)
    play.resolve_next()
    after = events(url)
    assert len(after) > len(before)
    play.store.close()
    kept = restore(url, copy, NOW)
    assert events(url) == before
    assert events(f"sqlite:///{kept}") == after
    assert stat.S_IMODE((tmp_path / "var" / "pbem.sqlite").stat().st_mode) == 0o600
    assert kept.name == "pbem.sqlite.before-restore-20261207-080000"


def test_what_sqlite_had_not_yet_written_into_the_old_file_does_not_get_into_the_new_one(play, url, tmp_path):
    """A killed program leaves its log beside the file; here it is never written into it."""
    file = tmp_path / "var" / "pbem.sqlite"
    copy = save(url, tmp_path / "copy.sqlite")
    before = events(url)
    play.resolve_next()
    log = file.with_name("pbem.sqlite-wal").read_bytes()
    assert log
    play.store.close()
    damage(file)
    file.with_name("pbem.sqlite-wal").write_bytes(log)
    restore(url, copy, NOW)
    assert events(url) == before
    assert not file.with_name("pbem.sqlite-wal").exists() or not file.with_name("pbem.sqlite-wal").read_bytes()


def test_a_restore_into_an_empty_place(play, url, tmp_path):
    copy = save(url, tmp_path / "copy.sqlite")
    other = f"sqlite:///{tmp_path}/elsewhere/pbem.sqlite"
    assert restore(other, copy, NOW) is None
    assert events(other) == events(url)


def test_a_database_that_is_served_is_not_replaced(play, url, tmp_path):
    copy = save(url, tmp_path / "copy.sqlite")
    play.store.occupy()
    with pytest.raises(StoreError, match="another pbem"):
        restore(url, copy, NOW)


def not_sqlite(file):
    file.write_text("dear diary")


def another_program_s(file):
    with sqlite3.connect(file) as made:
        made.execute("CREATE TABLE diary (day TEXT)")
    made.close()


def of_a_newer_program(file):
    with sqlite3.connect(file) as made:
        made.execute("UPDATE alembic_version SET version_num = '9999'")
    made.close()


@pytest.mark.parametrize(
    ("harm", "words"),
    [
        (not_sqlite, "no backup of pbem"), (another_program_s, "no backup of pbem"), (damage, "damaged"),
        (of_a_newer_program, "newer version"), (os.unlink, "there is no file"),
    ],
)  # fmt: skip
def test_what_is_no_whole_backup_replaces_nothing(play, url, tmp_path, harm, words):
    copy = save(url, tmp_path / "copy.sqlite")
    if harm is another_program_s:
        copy.unlink()
    harm(copy)
    before = events(url)
    with pytest.raises(BackupError, match=words):
        restore(url, copy, NOW)
    assert events(url) == before


@pytest.mark.postgres
def test_the_same_on_postgresql(postgres_url, tmp_path):
    store = Store(postgres_url)
    store.migrate()
    play = Play(store)
    play.start()
    copy = save(postgres_url, tmp_path / "copy.dump")
    assert stat.S_IMODE(copy.stat().st_mode) == 0o600
    before = len(play.game.players), events(postgres_url)
    play.resolve_next()
    assert events(postgres_url) != before[1]
    with store.begin() as tx:
        assert tx.lease("mailbox", "a worker", datetime.now(UTC), 30)
    with pytest.raises(BackupError, match="stop it first"):
        restore(postgres_url, copy, datetime.now(UTC))
    with store.begin() as tx:
        tx.end_lease("mailbox", "a worker")
    store.close()
    restore(postgres_url, copy, datetime.now(UTC))
    assert events(postgres_url) == before[1]
    (tmp_path / "other").write_text("dear diary")
    with pytest.raises(BackupError, match="no backup"):
        restore(postgres_url, tmp_path / "other", datetime.now(UTC))
