"""Maildir folders: UIDs that last, whatever other programs do."""

from __future__ import annotations

import os
import time
from datetime import UTC, datetime

import pytest

from pbem.mail.maildir import Maildir

T = datetime(2026, 12, 8, 21, 0, 0, 700_000, tzinfo=UTC)
RAW = b"Subject: x\r\n\r\nBonsoir\r\n"


@pytest.fixture
def folder(tmp_path):
    return Maildir(tmp_path / "lune")


def test_mails_lie_there_as_local_programs_expect_them(folder):
    uid = folder.deliver(RAW, T)
    (file,) = (folder.path / "new").iterdir()
    assert file.read_bytes() == RAW.replace(b"\r\n", b"\n")
    assert int(file.stat().st_mtime) == int(T.timestamp())
    assert not list((folder.path / "tmp").iterdir())
    assert folder.read(uid) == RAW
    assert folder.mails[uid].received == T.replace(microsecond=0)


def test_uids_grow_and_are_never_given_twice(folder):
    given = [folder.deliver(RAW, T) for _ in range(5)]
    assert given == sorted(set(given))
    folder.remove(given)
    again = Maildir(folder.path)
    assert again.uidvalidity == folder.uidvalidity
    assert again.deliver(RAW, T) > given[-1]


def test_uids_last_over_a_restart(folder):
    uids = [folder.deliver(RAW, T) for _ in range(3)]
    folder.set_flags(uids[1], "SF")
    again = Maildir(folder.path)
    assert list(again.mails) == uids
    assert again.mails[uids[1]].flags == frozenset("SF")


def test_two_folders_made_at_the_same_moment_differ(tmp_path):
    assert Maildir(tmp_path / "a").uidvalidity != Maildir(tmp_path / "b").uidvalidity


def test_other_programs_may_deliver_flag_and_delete(folder):
    mine = folder.deliver(RAW, T)
    version = folder.refresh()
    (folder.path / "new" / "5.other.host").write_bytes(b"Subject: y\n\n")
    (folder.path / "cur" / "4.older.host:2,S").write_bytes(b"Subject: z\n\n")
    os.utime(folder.path / "cur" / "4.older.host:2,S", (1, 1))
    assert folder.refresh() > version
    older, newer = list(folder.mails)[1:]
    assert (folder.read(older), folder.mails[older].flags) == (b"Subject: z\r\n\r\n", frozenset("S"))
    assert folder.read(newer) == b"Subject: y\r\n\r\n"
    stored = folder.mails[mine]
    (folder.path / stored.folder / stored.name).rename(folder.path / "cur" / f"{stored.name}:2,FS")
    assert folder.read(mine) == RAW  # found under its new name
    assert folder.mails[mine].flags == frozenset("FS")
    stored = folder.mails[newer]
    (folder.path / stored.folder / stored.name).unlink()
    folder.refresh()
    assert newer not in folder.mails
    assert Maildir(folder.path).deliver(RAW, T) > newer


def test_a_copied_file_gets_a_uid_of_its_own(folder):
    uid = folder.deliver(RAW, T)
    stored = folder.mails[uid]
    (folder.path / "cur" / f"{stored.name}:2,S").write_bytes(b"Subject: copy\n\n")
    folder.refresh()
    assert len(folder.mails) == 2
    assert len({mail.name for mail in folder.mails.values()}) == 2


def test_what_is_gone_is_told(folder):
    uid = folder.deliver(RAW, T)
    stored = folder.mails[uid]
    (folder.path / stored.folder / stored.name).unlink()
    with pytest.raises(KeyError):
        folder.read(uid)
    with pytest.raises(KeyError):
        folder.set_flags(99, "S")
    folder.remove([uid, 99])


def test_half_written_mails_are_swept_away_and_never_seen(folder):
    name = folder.path / "tmp" / f"1.M1P1Q1.{os.uname().nodename},U=7"
    name.write_bytes(b"Subject: ha")
    other = folder.path / "tmp" / "another.program"
    other.write_bytes(b"Subject: being written")
    again = Maildir(folder.path)
    assert not again.mails
    assert not name.exists()
    assert other.exists()


def test_a_full_disk_stores_nothing_and_says_so(folder, monkeypatch):
    before = folder.deliver(RAW, T)

    def full(_descriptor):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(OSError, match="No space left"):
        folder.deliver(RAW, T)
    monkeypatch.undo()
    folder.refresh()
    assert list(folder.mails) == [before]
    assert not list((folder.path / "tmp").iterdir())
    after = folder.deliver(RAW, T)
    assert after > before


def test_a_lost_uid_file_makes_a_new_uidvalidity(folder):
    folder.deliver(RAW, T)
    (folder.path / "pbem-uids").write_text("what")
    time.sleep(1.1)
    again = Maildir(folder.path)
    assert again.uidvalidity > folder.uidvalidity
    assert len(again.mails) == 1


def test_flags_are_those_of_maildir_alone(folder):
    uid = folder.deliver(RAW, T, ["S", "x", "/", "../.."])
    assert folder.mails[uid].flags == frozenset("S")
    assert folder.claim() == []
    folder.set_flags(uid, [])
    assert folder.mails[uid].flags == frozenset()
