"""The archive as the program writes it: from the command line, and while it runs."""

from __future__ import annotations

import json
import mailbox
import re
import signal
import subprocess
import sys
import urllib.request

import pytest

from pbem.cli import main
from pbem.demo import run

CONFIG = """
[game]
address = "lune@village.example"
list_address = "village@village.example"
storytellers = ["conteur@village.example"]

[embedded]
enabled = true

[database]
url = "sqlite:///pbem.sqlite"

[archive]
{archive}
"""


@pytest.fixture
def config(tmp_path):
    file = tmp_path / "pbem.toml"
    file.write_text(CONFIG.format(archive='folder = "site"'), "utf-8")
    return file


def pbem(capsys, *words):
    with pytest.raises(SystemExit) as ended:
        main(list(words))
    told = capsys.readouterr()
    return ended.value.code or 0, told.out, told.err


def test_building_writes_every_game(config, capsys):
    assert pbem(capsys, "game", "new", "--config", str(config))[0] == 0
    code, told, _ = pbem(capsys, "archive", "build", "--config", str(config), "--json")
    assert code == 0
    assert json.loads(told) == {"folder": str(config.parent / "site"), "games": ["PL1"]}
    assert "Partie PL1" in (config.parent / "site" / "pl1" / "index.html").read_text("utf-8")
    code, told, _ = pbem(capsys, "archive", "build", "--config", str(config))
    assert "1 game(s) written" in told


def test_what_cannot_be_built_is_said_in_a_line(config, capsys):
    code, _, told = pbem(capsys, "archive", "build", "--config", str(config))
    assert (code, told.count("\n")) == (1, 1)
    assert "there is no database yet" in told
    pbem(capsys, "game", "new", "--config", str(config))
    (config.parent / "site").write_text("a file")
    code, _, told = pbem(capsys, "archive", "build", "--config", str(config))
    assert (code, told.count("\n")) == (2, 1)
    assert "archive.folder" in told
    assert "is no folder" in told


def test_it_is_served_until_told_to_stop(config, capsys):
    pbem(capsys, "game", "new", "--config", str(config))
    command = [sys.executable, "-m", "pbem", "archive", "serve", "--config", str(config), "--port", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as serving:
        try:
            line = serving.stdout.readline()
            where = re.search(r"http://127\.0\.0\.1:\d+/", line)[0]
            with urllib.request.urlopen(where + "pl1/", timeout=10) as answer:
                assert "Partie PL1" in answer.read().decode()
        finally:
            serving.send_signal(signal.SIGINT)
        _, complaints = serving.communicate(timeout=20)
        assert serving.returncode == 0
        assert not complaints


def test_the_running_program_writes_it_as_the_game_goes(tmp_path):
    game = run("moon1", lambda _line: None, tmp_path, 5)
    site = tmp_path / "archive"
    assert game.winner
    page = (site / "pl1" / "truth" / "index.html").read_text("utf-8")
    for player in game.players:
        assert player.name in page
    box = mailbox.mbox(site / "pl1" / "list.mbox", create=False)
    subjects = len(box)
    box.close()
    data = json.loads((site / "pl1" / "game.json").read_text("utf-8"))
    assert subjects > data["posts"]["count"] > 4
    assert data["winner"] == game.winner
    assert b"joueur1@" not in b"".join(file.read_bytes() for file in site.rglob("*") if file.is_file())
