"""A folder with the configuration of an embedded post office, and the command line in it."""

from __future__ import annotations

import pytest

from pbem.cli import main
from pbem.store import Store
from tests.conftest import EMBEDDED


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "160")
    monkeypatch.delenv("PBEM_DEBUG", raising=False)
    (tmp_path / "pbem.toml").write_text(EMBEDDED)
    return tmp_path


@pytest.fixture
def pbem(folder, capsys):
    """Runs a command; gives (exit code, standard output, standard error)."""

    def run(*words):
        with pytest.raises(SystemExit) as ended:
            main(words)
        told = capsys.readouterr()
        assert "Traceback" not in told.out + told.err
        return ended.value.code or 0, told.out, told.err

    return run


@pytest.fixture
def store(folder):
    store = Store(f"sqlite:///{folder}/var/pbem.sqlite")
    store.migrate()
    yield store
    store.close()
