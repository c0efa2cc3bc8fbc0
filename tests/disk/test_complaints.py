"""What a host reads when the disk is in the way: one line that names the file and what is wrong; and the way back."""

from __future__ import annotations

import contextlib
import ctypes
import os
import resource
import shutil
import subprocess
import sys

import pytest

from pbem.cli import main
from pbem.store import Store
from tests.conftest import EMBEDDED
from tests.disk.test_backup import damage

_DROP, _OVERRIDE, _SEARCH = 24, 1, 2


def obey_modes():
    """Let file modes hold for root, too: without these capabilities he is like anybody (capabilities(7))."""
    if os.geteuid() == 0:
        for capability in (_OVERRIDE, _SEARCH):
            ctypes.CDLL(None).prctl(_DROP, capability, 0, 0, 0)


def no_file_may_grow():
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))


@pytest.fixture
def config(tmp_path):
    file = tmp_path / "pbem.toml"
    file.write_text(EMBEDDED)
    return file


@pytest.fixture
def database(config, tmp_path, capsys):
    """With a game in it."""
    with pytest.raises(SystemExit):
        main(["game", "new", "--config", str(config)])
    capsys.readouterr()
    return tmp_path / "var" / "pbem.sqlite"


def complaint(config, *words, before=lambda: None, code=1):
    """The one line on standard error, and that exit code: 2 for what the settings name, 1 for what goes wrong later."""
    done = subprocess.run(
        [sys.executable, "-m", "pbem.cli", *words, "--config", str(config)],
        capture_output=True, text=True, check=False, timeout=60, preexec_fn=before,
    )  # fmt: skip
    assert done.returncode == code, done.stdout + done.stderr
    assert len(done.stderr.splitlines()) == 1, done.stderr
    return done.stderr


@pytest.mark.parametrize("command", ["run", "game new"])
def test_a_database_that_cannot_be_written(config, database, command):
    database.chmod(0o400)
    told = complaint(config, *command.split(), before=obey_modes, code=2)
    assert told.startswith(f'pbem: {config}: database.url = "sqlite:///')
    assert f"{database}" in told
    assert "written to" in told


def test_a_disk_that_takes_no_more(config, database):
    told = complaint(config, "game", "new", before=no_file_may_grow)
    assert told.startswith("pbem: the database: the disk failed to read or write (SQLITE_IOERR_")
    assert str(database) in told


def fill(file):
    """Until there is no room."""
    with file.open("wb", buffering=0) as ballast, contextlib.suppress(OSError):
        while ballast.write(bytes(4096)):
            pass


def test_a_full_disk(config, database, tmp_path):
    """A real one, where the tests may mount one."""
    small = tmp_path / "small"
    small.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", str(small)], capture_output=True, check=False
    )
    if mounted.returncode:
        pytest.skip("no disk can be mounted here")
    try:
        shutil.copy(database, small)
        config.write_text(EMBEDDED + f'[database]\nurl = "sqlite:///{small}/pbem.sqlite"\n')
        fill(small / "ballast")
        told = complaint(config, "game", "new")
        assert told.startswith("pbem: the database: the disk is full (SQLITE_")
        (small / "ballast").unlink()
        store = Store(f"sqlite:///{small}/pbem.sqlite")
        store.check()
        with store.read() as tx:
            assert tx.game_codes() == ["PL1"]
        store.close()
    finally:
        subprocess.run(["umount", str(small)], check=True)


@pytest.mark.parametrize("command", ["run", "backup copy.sqlite"])
def test_a_damaged_file(config, database, command):
    damage(database, 0.1)
    told = complaint(config, *command.split())
    assert "damaged" in told
    assert str(database) in told
    assert "restore" in told


def test_a_lost_or_foreign_file_is_no_backup(config, database, tmp_path):
    (tmp_path / "diary").write_text("dear diary")
    assert "no backup of pbem" in complaint(config, "restore", str(tmp_path / "diary"))
    assert database.exists()


def run(capsys, *words):
    with pytest.raises(SystemExit) as ended:
        main([*words])
    return ended.value.code, capsys.readouterr()


def test_there_and_back_from_the_command_line(config, database, tmp_path, capsys):
    there = ("--config", str(config))
    code, told = run(capsys, "backup", str(tmp_path / "copy.sqlite"), *there)
    assert code == 0
    assert "It holds every secret" in told.out
    assert run(capsys, "game", "new", *there)[0] == 0
    code, told = run(capsys, "restore", str(tmp_path / "copy.sqlite"), *there)
    assert code == 0
    assert "pbem.sqlite.before-restore-" in "".join(told.out.split())
    code, told = run(capsys, "game", "list", *there)
    assert "PL1" in told.out
    assert "PL2" not in told.out


def test_a_game_from_one_command_line_to_another(config, database, tmp_path, capsys):
    file = tmp_path / "PL1.json"
    assert run(capsys, "game", "export", "PL1", "--people", "-o", str(file), "--config", str(config))[0] == 0
    assert file.stat().st_mode & 0o077 == 0
    other = tmp_path / "other" / "pbem.toml"
    other.parent.mkdir()
    other.write_text(EMBEDDED)
    code, told = run(capsys, "game", "import", str(file), "--config", str(other))
    assert (code, told.out) == (0, "PL1 is here.\n")
    code, told = run(capsys, "game", "import", str(file), "--config", str(other))
    assert (code, told.err) == (1, f"pbem: {file}: there is a game PL1 already\n")
    code, told = run(capsys, "game", "import", str(tmp_path / "none.json"), "--config", str(other))
    assert (code, told.err) == (2, f"pbem: {tmp_path / 'none.json'}: cannot be read (No such file or directory)\n")
