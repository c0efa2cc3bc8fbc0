"""The command line: readable for people, JSON for machines, one line for what goes wrong, never a traceback."""

from __future__ import annotations

import json
import socket
import stat
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
import typer

from pbem import __version__
from pbem.app import health
from pbem.app.status import gather
from pbem.cli import app, main, running
from pbem.engine.decide import due_at
from pbem.store import Store
from tests.cli.playing import NAMES, ROLES, Play
from tests.conftest import EMBEDDED

NOW = datetime.now(UTC)


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


def _commands(command, path=("pbem",)):
    yield path
    for name, sub in getattr(command, "commands", {}).items():
        yield from _commands(sub, (*path, name))


ALL = list(_commands(typer.main.get_command(app)))


def test_there_are_the_commands_that_the_documents_name():
    assert {" ".join(path) for path in ALL} >= {
        "pbem", "pbem init", "pbem doctor", "pbem run", "pbem rehearse", "pbem explain", "pbem demo", "pbem status", "pbem verify", "pbem balance",
        "pbem mail", "pbem mail send", "pbem mail read",
        "pbem archive", "pbem archive build", "pbem archive serve",
        "pbem letters", "pbem letters preview",
        "pbem game", "pbem game new", "pbem game list", "pbem game show", "pbem game storyteller", "pbem game export",
    }  # fmt: skip


@pytest.mark.parametrize("path", ALL, ids=" ".join)
def test_every_help_has_an_example_that_names_the_command(pbem, path):
    code, told, _ = pbem(*path[1:], "--help")
    assert code == 0
    assert "Example:" in told
    example = " ".join(told.split("Example:", 1)[1].split())
    assert " ".join(path) in example


def test_version(pbem):
    assert pbem("--version") == (0, f"pbem {__version__}\n", "")


@pytest.mark.parametrize(
    ("toml", "told"),
    [
        ("[imap]\nport = 70000\n", "pbem.toml: imap.port = 70000: expected a TCP port"),
        ("[imap]\npoort = 1\n", "pbem.toml: imap.poort: no such setting; expected imap.port"),
        ("[game\n", "pbem.toml: is not TOML"),
    ],
)
@pytest.mark.parametrize(
    "command", [("run",), ("status",), ("game", "new"), ("mail", "read", "alice"), ("explain", "x.eml")]
)
def test_a_wrong_configuration_is_one_line_before_anything_starts(pbem, folder, toml, told, command):
    (folder / "pbem.toml").write_text(EMBEDDED.replace("[imap]\n", toml))
    code, out, err = pbem(*command)
    assert code == 2
    assert out == ""
    assert told in err
    assert len(err.splitlines()) == 1
    assert not (folder / "var").exists()


def test_a_missing_configuration_is_one_line(pbem):
    code, _, err = pbem("run", "--config", "elsewhere.toml")
    assert (code, len(err.splitlines())) == (2, 1)
    assert "elsewhere.toml: cannot be read" in err


def test_a_port_that_is_taken_is_one_line(pbem, folder):
    """What shows only when something starts is told the same way."""
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        (folder / "pbem.toml").write_text(EMBEDDED.replace("smtp_port = 0", f"smtp_port = {port}"))
        code, _, err = pbem("run")
    assert code == 2
    assert f"embedded.smtp_port = {port}: expected a free port" in err.splitlines()[-1]


# --- games ---


def test_a_new_game_is_open_for_registration(pbem, store):
    code, told, _ = pbem(
        "game", "new", "--series", "Autumn", "--option", "inactivity=off", "--option", "executions=mon 21:00, fri 20:30"
    )
    assert code == 0
    assert "PL1 is open" in told
    assert "lune@village.example" in told
    with store.read() as tx:
        game = tx.load(tx.game_id("PL1"))[0]
        assert (game.open, game.options.inactivity, game.options.language) == (True, "off", "fr")
        assert game.options.executions == ((0, 21 * 60), (4, 20 * 60 + 30))
        assert len(game.seed) == 64
        assert [row.address for row in tx.storytellers(1)] == ["conteur@village.example"]
        assert tx.game(1).series == "Autumn"
        assert len(tx.commands(1)) == 2


def test_games_are_numbered(pbem):
    assert json.loads(pbem("game", "new", "--json")[1])["code"] == "PL1"
    assert json.loads(pbem("game", "new", "--code", "pl3", "--json")[1])["code"] == "PL3"
    assert json.loads(pbem("game", "new", "--json")[1])["code"] == "PL2"
    assert json.loads(pbem("game", "new", "--json")[1])["code"] == "PL4"


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("--option", "inactivity=perhaps"), '--option inactivity=perhaps: expected "eliminate", "report" or "off"'),
        (("--option", "executions=someday"), "--option executions=someday: expected a weekly moment"),
        (("--option", "sunset=soon"), "--option sunset=soon: expected a duration"),
        (("--option", "colour=red"), "expected KEY=VALUE with one of executions"),
        (("--language", "de"), '--language de: expected "fr" or "en"'),
        (("--composition", "open"), '--composition open: expected "hidden" or "public"'),
        (("--storyteller", "nobody"), "--storyteller nobody: expected a mail address"),
        (("--storyteller", "lune@village.example"), "expected a person"),
        (("--code", "1"), "--code 1: expected letters followed by digits"),
    ],
)
def test_a_wrong_option_is_one_line(pbem, words, told):
    code, out, err = pbem("game", "new", *words)
    assert (code, out) == (2, "")
    assert told in err
    assert len(err.splitlines()) == 1
    assert "there is no database yet" in pbem("game", "list")[2] or pbem("game", "list", "--json")[1] == "[]\n"


def test_a_code_is_given_once(pbem):
    pbem("game", "new")
    code, _, err = pbem("game", "new", "--code", "PL1")
    assert code == 2
    assert "expected a code that no game has" in err


def test_list_and_show_tell_what_the_village_knows_and_no_more(pbem, store):
    play = Play(store)
    play.start()
    play.resolve_next()
    listed = json.loads(pbem("game", "list", "--json")[1])
    assert [(row["code"], row["players"]) for row in listed] == [("PL1", len(NAMES))]
    code, told, _ = pbem("game", "show", "pl1")
    assert code == 0
    assert all(name in told for name in NAMES)
    assert not any(role in told for role in ROLES)
    shown = json.loads(pbem("game", "show", "PL1", "--json")[1])
    assert {seat["role"] for seat in shown["seats"]} == {""}
    assert shown["phase"] == "day"


def test_a_finished_game_shows_who_won(pbem, store):
    play = Play(store)
    play.start()
    play.to_the_end()
    assert "Winner:" in pbem("game", "show", "PL1")[1]
    assert json.loads(pbem("game", "list", "--json")[1])[0]["winner"]


def test_an_unknown_game_is_told_with_those_there_are(pbem, store):
    Play(store)
    code, _, err = pbem("game", "show", "PL7")
    assert code == 2
    assert "there is no game PL7; expected one of PL1" in err


def test_without_games_there_is_a_hint(pbem, store):
    assert "pbem game new" in pbem("game", "list")[1]


def test_export_and_verify(pbem, store, folder):
    play = Play(store)
    play.start()
    play.to_the_end()
    code, _, err = pbem("game", "export", "PL1", "--output", "PL1.json")
    assert (code, err) == (0, "")
    assert stat.S_IMODE((folder / "PL1.json").stat().st_mode) == 0o600
    assert json.loads(pbem("game", "export", "PL1")[1]) == json.loads((folder / "PL1.json").read_text())
    code, told, _ = pbem("verify", "PL1.json")
    assert code == 0
    assert "Everything follows" in told
    assert json.loads(pbem("verify", "PL1.json", "--json")[1])["holds"] is True


def test_verify_says_no(pbem, store, folder):
    play = Play(store)
    play.start()
    code, _, err = pbem("game", "export", "PL1", "--output", "PL1.json")
    assert "holds its secrets" in err
    code, told, _ = pbem("verify", "PL1.json")
    assert code == 1
    assert "not over" in told
    value = json.loads((folder / "PL1.json").read_text())
    next(row["event"] for row in value["events"] if row["event"]["type"] == "DiceRolled")["value"] = 99
    (folder / "PL1.json").write_text(json.dumps(value))
    code, told, _ = pbem("verify", "PL1.json")
    assert code == 1
    assert "does not hold" in told


def test_verify_of_something_else_is_a_mistake(pbem, folder):
    (folder / "x.json").write_bytes(b"\xff")
    for file in ("x.json", "pbem.toml", "nothing.json"):
        code, _, err = pbem("verify", file)
        assert (code, len(err.splitlines())) == (2, 1)


# --- status ---


def _healthy(store, **changes):
    now = datetime.now(UTC)
    seen = health.Health(at=now, started=now - timedelta(hours=1), polled=now)
    with store.begin() as tx:
        health.write(tx, replace(seen, **changes))


@pytest.mark.parametrize("command", [("status",), ("game", "list"), ("game", "show", "PL1"), ("game", "export", "PL1")])
def test_looking_makes_no_database(pbem, folder, command):
    code, out, err = pbem(*command)
    assert (code, out) == (1, "")
    assert "there is no database yet" in err
    assert not (folder / "var").exists()


def test_a_program_that_never_ran_is_not_healthy(pbem, store):
    code, told, _ = pbem("status")
    assert code == 1
    assert "not running" in told


def test_a_healthy_program(pbem, store):
    _healthy(store)
    Play(store).start()
    code, told, _ = pbem("status", "--json")
    assert code == 0
    value = json.loads(told)
    assert value["healthy"] is True
    assert value["problems"] == []
    assert value["games"][0]["code"] == "PL1"
    assert value["outbox"]["pending"] == 0
    code, told, _ = pbem("status")
    assert code == 0
    assert "All is well" in told


def test_what_needs_the_host_is_told(pbem, store):
    now = datetime.now(UTC)
    _healthy(
        store,
        error="imap.example.org: cannot connect: refused",
        since=now - timedelta(minutes=9),
        sending="smtp: refused",
    )
    with store.begin() as tx:
        tx.create_game("PL9", "", now)
        for number, state in enumerate(("late", "bad")):
            tx.enqueue(1, "ack", f"{state}@x.y", f"<{number}@x>", b"", "", [], now - timedelta(hours=2))
        tx.failed(tx.letter("<1@x>").id, "550 no")
    code, told, _ = pbem("status", "--json")
    assert code == 1
    problems = " / ".join(json.loads(told)["problems"])
    assert "the mailbox cannot be read since" in problems
    assert "letters have been waiting since" in problems
    assert "letters cannot leave (smtp: refused)" in problems
    assert "1 letter(s) could not be delivered in the last two days" in problems
    assert json.loads(told)["causes"] == ["mailbox", "sending", "stuck", "undelivered"]


def test_an_undelivered_letter_is_news_for_two_days(store):
    now = datetime.now(UTC)
    _healthy(store)
    with store.begin() as tx:
        tx.create_game("PL9", "", now)
        tx.failed(tx.enqueue(1, "ack", "a@x.y", "<1@x>", b"", "", [], now - timedelta(days=2, hours=1)), "550 no")
    with store.read() as tx:
        assert gather(tx, now).healthy
        assert [problem.cause for problem in gather(tx, now - timedelta(hours=2)).found] == ["undelivered"]


def test_a_way_out_that_is_too_narrow_is_told(store):
    now = datetime.now(UTC)
    _healthy(store)
    with store.begin() as tx:
        tx.create_game("PL9", "", now)
        for number in range(501):
            tx.enqueue(1, "ack", "a@x.y", f"<{number}@x>", b"", "", [], now)
    with store.read() as tx:
        assert gather(tx, now).problems == ("501 letters are waiting to leave",)


def test_a_deadline_that_waits_is_told(store):
    play = Play(store)
    play.start()
    due = due_at(play.game)
    with store.read() as tx:
        for late, told in (
            (timedelta(minutes=5), []),
            (timedelta(minutes=6), ["PL1 has been waiting for its mailbox"]),
        ):
            problems = [text for text in gather(tx, due + late).problems if "PL1" in text]
            assert [text.split(" since")[0] for text in problems] == told


def test_status_tells_no_secret(pbem, store):
    _healthy(store)
    play = Play(store)
    play.start()
    told = pbem("status", "--json")[1] + pbem("status")[1]
    for secret in (*ROLES, "example.org", "tag1", play.game.seed, *NAMES):
        assert secret not in told


# --- the rest ---


def test_explain_prints_one_object_a_line(pbem, folder):
    (folder / "a.eml").write_bytes(b"From: a@b.c\r\nTo: lune@village.example\r\nSubject: [PL1] VOTE Bruno\r\n\r\nx\r\n")
    code, told, _ = pbem("explain", "a.eml", "nothing.eml")
    assert code == 0
    first, second = map(json.loads, told.splitlines())
    assert (first["kind"], first["commands"][0]["verb"], first["authentic"]) == ("command", "VOTE", False)
    assert second["kind"] == "unreadable"


def test_mail_needs_the_embedded_post_office(pbem, folder):
    (folder / "pbem.toml").write_text(
        EMBEDDED.replace("enabled = true", "enabled = false")
        .replace("[imap]", '[imap]\nhost = "127.0.0.1"\nuser = "x"\npassword = "y"')
        .replace("[smtp]", '[smtp]\nhost = "127.0.0.1"')
    )
    code, _, err = pbem("mail", "read", "alice")
    assert code == 2
    assert "embedded.enabled" in err


def test_mail_without_a_running_program_says_so(pbem, folder):
    (folder / "pbem.toml").write_text(
        EMBEDDED.replace("smtp_port = 0", "smtp_port = 1").replace("imap_port = 0", "imap_port = 1")
    )
    code, _, err = pbem("mail", "send", "--from", "alice", "--subject", "HELP")
    assert code == 1
    assert "is pbem run running?" in err


def test_a_fault_of_the_program_is_one_line_without_its_words(pbem, monkeypatch):
    def stumble(*_, **__):
        raise RuntimeError("canary")

    monkeypatch.setattr(running, "load", stumble)
    code, out, err = pbem("run")
    assert (code, out) == (70, "")
    assert "a fault of the program itself: RuntimeError at" in err
    assert "canary" not in err


def test_a_database_that_cannot_be_used_is_one_line(pbem, folder):
    (folder / "var").mkdir()
    (folder / "var" / "pbem.sqlite").write_bytes(b"Dear diary, " * 400)
    code, _, err = pbem("status")
    assert code == 1
    told = "pbem: the database: the database file is damaged; restore it from a backup"
    assert err == f"{told} (SQLITE_NOTADB, {folder / 'var' / 'pbem.sqlite'})\n"
