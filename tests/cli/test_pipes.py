"""`pbem … | head -1`: a reader who leaves breaks no command. What was to be done is done, and no trace is printed."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
import typer

from pbem.cli import app
from tests.cli.playing import Play

PBEM = Path(sys.executable).parent / "pbem"
SCENARIO = Path(__file__).parents[1] / "scenarios" / "rules" / "BEAST-1-wolf-or-not.yaml"
MAIL = b"From: a@b.c\r\nTo: lune@village.example\r\nSubject: [PL1] VOTE Bruno\r\n\r\nx\r\n"
ENDS = {
    "init": (["--embedded", "--output", "other.toml"], 0),
    "doctor": (["--offline"], 0),
    "rehearse": ([str(SCENARIO)], 0),
    "explain": (["a.eml"], 0),
    "verify": (["PL1.json"], 1),
    "balance": (["6", "--games", "4", "--jobs", "1"], 0),
    "status": ([], 1),
    "backup": (["b.sqlite"], 0),
    "restore": (["a.sqlite"], 0),
    "game new": ([], 0),
    "game list": ([], 0),
    "game show": (["PL1"], 0),
    "game storyteller": (["PL1"], 0),
    "game export": (["PL1"], 0),
    "game import": (["other.json"], 2),
    "archive build": ([], 0),
    "letters preview": (["--out", "letters"], 0),
}
"""Arguments, and the exit code that says what came of it."""
GO_ON = {"run", "demo", "archive serve", "mail send", "mail read"}
QUIET = ("Traceback", "Exception ignored", "BrokenPipe", "fault of the program")


def leaves(command, path=()):
    commands = getattr(command, "commands", None)
    if commands is None:
        yield " ".join(path)
    for name, sub in (commands or {}).items():
        yield from leaves(sub, (*path, name))


def test_every_command_is_tried():
    assert set(leaves(typer.main.get_command(app))) == ENDS.keys() | GO_ON


@pytest.fixture
def place(folder, store, pbem):
    """A game, and what the commands need to find."""
    Play(store).start()
    (folder / "a.eml").write_bytes(MAIL)
    (folder / "other.json").write_text("{}")
    assert pbem("game", "export", "PL1", "--output", "PL1.json")[0] == 0
    assert pbem("backup", "a.sqlite")[0] == 0
    store.close()
    return folder


def start(folder, *words, unbuffered=False, stderr=subprocess.PIPE):
    """The command, with nobody who reads what it prints."""
    reading, writing = os.pipe()
    os.close(reading)
    environ = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}
    if unbuffered:
        environ["PYTHONUNBUFFERED"] = "1"
    try:
        return subprocess.Popen(
            [PBEM, *words], cwd=folder, env=environ, stdin=subprocess.DEVNULL, stdout=writing,
            stderr=writing if stderr is None else stderr, text=True,
        )  # fmt: skip
    finally:
        os.close(writing)


def ended(process):
    _, told = process.communicate(timeout=60)
    assert not any(word in (told or "") for word in QUIET), told
    return process.returncode


@pytest.mark.slow
@pytest.mark.parametrize("command", ENDS)
def test_a_command_ends_as_if_it_had_been_read(place, command):
    words, code = ENDS[command]
    assert ended(start(place, *command.split(), *words)) == code


@pytest.mark.slow
@pytest.mark.parametrize("command", ["status", "explain", "rehearse", "game new", "letters preview", "doctor"])
def test_in_json_as_well(place, command):
    words, code = ENDS[command]
    words = words if command == "explain" else [*words, "--json"]
    assert ended(start(place, *command.split(), *words)) == code


@pytest.mark.slow
@pytest.mark.parametrize("unbuffered", [False, True])
def test_a_long_answer_is_broken_off(place, unbuffered):
    words = ("rehearse", "--transcript", *[str(SCENARIO)] * 3)
    assert ended(start(place, *words, unbuffered=unbuffered)) == 1


@pytest.mark.slow
def test_nobody_reads_the_complaints_either(place):
    assert ended(start(place, "game", "show", "PL7", stderr=None)) == 2


def test_help_ends_without_a_word(place):
    assert ended(start(place, "--help")) in {0, 1}
    assert ended(start(place, "--version")) == 0


@pytest.mark.slow
def test_the_program_goes_on(folder):
    """The host looked how it begins, by `pbem run | head -3`: players notice nothing."""
    running = start(folder, "run")
    try:
        _until(folder, lambda: _asked(folder, "status", "--json")["running"])
        sent = start(folder, "mail", "send", "--from", "anna", "--subject", "HELP")
        assert ended(sent) == 0
        _until(folder, lambda: _asked(folder, "mail", "read", "anna", "--all", "--json"))
        assert ended(start(folder, "mail", "read", "anna")) == 0
    finally:
        running.send_signal(signal.SIGTERM)
    assert ended(running) == 0


def _asked(folder, *words):
    done = subprocess.run([PBEM, *words], check=False, cwd=folder, capture_output=True, text=True)
    try:
        return json.loads(done.stdout)
    except ValueError:
        return {"running": False} if words[0] == "status" else []


def _until(folder, holds):
    end = time.monotonic() + 60
    while not holds():
        assert time.monotonic() < end
        time.sleep(0.3)


@pytest.mark.slow
def test_the_web_site_stays(place):
    serving = start(place, "archive", "serve", "--port", "0")
    try:
        with pytest.raises(subprocess.TimeoutExpired):
            serving.communicate(timeout=4)
    finally:
        serving.send_signal(signal.SIGINT)
    assert ended(serving) == 0


@pytest.mark.slow
def test_the_demonstration_comes_to_its_end(folder):
    assert ended(start(folder, "demo", "--guests", "4", "--seed", "7")) == 0


@pytest.mark.parametrize(
    "env", [None, {}, {"TERM": "dumb"}, {"FORCE_COLOR": "1"}], ids=["ours", "empty", "dumb", "colour"]
)
@pytest.mark.parametrize("words", [("game", "list"), ("game", "list", "--json"), ("--version",)], ids=" ".join)
def test_a_full_disk_is_told(folder, store, words, env):
    """What the command printed is lost, and it says so, once: whether it was written at once or at the end."""
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [PBEM, *words], check=False, stdout=full, stderr=subprocess.PIPE, text=True, cwd=folder, env=env
        )
    assert done.returncode == 1
    assert len(done.stderr.splitlines()) == 1
    assert "cannot be written" in done.stderr
    assert "No space left on device" in done.stderr
