"""What holds secrets is readable by its owner alone from its first octet on."""

from __future__ import annotations

import os
import stat

import pytest

from pbem.app import setup
from pbem.cli import main
from pbem.mail.postoffice import PostOffice
from pbem.store import Store
from tests.conftest import EMBEDDED


@pytest.fixture(autouse=True)
def generous():
    """A host whose own habit is to let everybody read."""
    before = os.umask(0o000)
    yield
    os.umask(before)


def others_may(path):
    return stat.S_IMODE(path.stat().st_mode) & 0o077


def test_the_database_and_its_companions(tmp_path):
    store = Store(f"sqlite:///{tmp_path}/var/pbem.sqlite")
    store.migrate()
    store.occupy()
    with store.begin() as tx:
        tx.set("a", "b")
    files = sorted((tmp_path / "var").iterdir())
    assert {file.name for file in files} >= {"pbem.sqlite", "pbem.sqlite-wal", "pbem.sqlite-shm", "pbem.sqlite.lock"}
    assert [file.name for file in files if others_may(file)] == []
    assert not others_may(tmp_path / "var")
    store.close()


def test_the_post_office(tmp_path, settings, clock):
    office = PostOffice(settings, clock, durable=False)
    office.start()
    office.deliver("alice@village.example", b"Subject: x\r\n\r\nx\r\n", clock())
    office.stop()
    root = settings.embedded.maildirs
    assert not others_may(root)  # so that nobody comes as far as the mails in it
    assert not others_may(root / "passwords.json")


def test_a_configuration_that_is_written_and_a_game_that_is_exported(tmp_path, capsys):
    file = tmp_path / "pbem.toml"
    setup._replace(file, EMBEDDED)
    assert not others_may(file)
    for words in (["game", "new"], ["game", "export", "PL1", "-o", str(tmp_path / "PL1.json")]):
        with pytest.raises(SystemExit) as ended:
            main([*words, "--config", str(file)])
        assert ended.value.code == 0
    capsys.readouterr()
    assert not others_may(tmp_path / "PL1.json")
    assert not others_may(tmp_path / "var" / "pbem.sqlite")
