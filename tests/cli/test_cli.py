"""The command line: readable for people, JSON for machines, one line for what goes wrong, never a traceback."""

from __future__ import annotations

import json
import re
import socket
from pathlib import Path

import pytest
import typer

import pbem as pbem_package
from pbem import __version__
from pbem.cli import app, running
from pbem.mail.postoffice import PostOffice
from pbem.settings import parse
from tests.conftest import EMBEDDED


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


def _words_of_help(path):
    """Every word in square brackets that the texts of a command hold, as people should read it."""
    command = typer.main.get_command(app)
    for name in path[1:]:
        command = command.commands[name]
    texts = [command.help, command.epilog, *(getattr(one, "help", None) for one in command.params)]
    return {word for text in texts if text for word in re.findall(r"\[[^\[\]\n]+\]", text)}


@pytest.mark.parametrize("path", ALL, ids=" ".join)
def test_no_help_loses_a_word_in_brackets(pbem, path, monkeypatch):
    """`[letters]` is markup to whoever prints the help."""
    monkeypatch.setenv("COLUMNS", "400")
    monkeypatch.setenv("TERMINAL_WIDTH", "400")
    told = " ".join(pbem(*path[1:], "--help")[1].split())
    assert [word for word in _words_of_help(path) if word not in told] == []


def test_brackets_are_looked_for_where_there_are_some():
    assert "[letters]" in _words_of_help(("pbem", "letters", "preview"))


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


MAIL = b"From: a@b.c\r\nTo: lune@village.example\r\nSubject: [PL1] VOTE Bruno\r\n\r\nx\r\n"


def test_explain_prints_one_object_a_line(pbem, folder):
    (folder / "a.eml").write_bytes(MAIL)
    (folder / "b.eml").write_bytes(b"Content-Type: application/pkcs7-mime\r\n\r\nx\r\n")
    code, told, err = pbem("explain", "a.eml", "b.eml")
    assert (code, err) == (0, "")
    first, second = map(json.loads, told.splitlines())
    assert (first["kind"], first["commands"][0]["verb"], first["authentic"]) == ("command", "VOTE", False)
    assert second["kind"] == "unreadable"  # what a mail is, is an answer


def test_explain_of_a_file_that_cannot_be_had_is_a_mistake_and_the_others_are_explained(pbem, folder):
    (folder / "a.eml").write_bytes(MAIL)
    code, told, err = pbem("explain", "nothing.eml", "a.eml", ".")
    assert code == 2
    assert [json.loads(line)["file"] for line in told.splitlines()] == ["a.eml"]
    assert err.splitlines() == [
        "pbem: nothing.eml: cannot be read (No such file or directory)",
        "pbem: .: cannot be read (Is a directory)",
    ]


def test_a_doctor_who_asked_no_server_promises_no_game(pbem, folder):
    code, told, _ = pbem("doctor", "--offline")
    assert code == 0
    assert "Nothing is wrong on this machine." in told
    assert "A game can be played" not in told


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


def test_the_lines_of_a_mail_arrive_as_they_were_written(pbem, folder):
    office = PostOffice(parse(EMBEDDED, origin="pbem.toml", base=folder), durable=False)
    office.start()
    try:
        text = EMBEDDED.replace("smtp_port = 0", f"smtp_port = {office.smtp_port}")
        (folder / "pbem.toml").write_text(text.replace("imap_port = 0", f"imap_port = {office.imap_port}"))
        body = "From now on: Élise!\nFrom\n>From there.\n.\n..dots\n"
        words = ("--from", "alice", "--to", "bruno", "--cc", "chloe", "--subject", "À vous", "--body")
        for text in (body, body.replace("É", "E")):
            assert pbem("mail", "send", *words, text)[0] == 0
            for who in ("bruno", "chloe"):
                (mail,) = json.loads(pbem("mail", "read", who, "--json")[1])
                assert (mail["text"].splitlines(), mail["subject"]) == (text.splitlines(), "À vous")
    finally:
        office.stop()


def test_no_part_of_the_program_sends_by_what_alters_lines():
    """`smtplib.send_message` and a bare generator make ">From" of "From"; `as_bytes` and the policies do not."""
    for file in Path(pbem_package.__file__).parent.rglob("*.py"):
        assert not re.search(r"\.send_message\(|BytesGenerator\(|\bGenerator\(", file.read_text("utf-8")), file


@pytest.mark.parametrize("name", ["", "a b", "a\nb", "é", "a@b c", "\udcff"])
@pytest.mark.parametrize("command", [("send", "--from"), ("send", "--from", "anna", "--to"), ("read",)])
def test_what_is_no_address_is_one_line(pbem, folder, command, name):
    code, out, err = pbem("mail", *command, name)
    assert (code, out, len(err.splitlines())) == (2, "", 1)
    assert "expected a name or an address, such as anna or anna@village.example" in err


def test_mail_to_another_folders_post_office_says_so(pbem, folder, tmp_path_factory):
    elsewhere = parse(EMBEDDED, origin="other.toml", base=tmp_path_factory.mktemp("elsewhere"))
    office = PostOffice(elsewhere, durable=False)
    office.start()
    try:
        text = EMBEDDED.replace("smtp_port = 0", f"smtp_port = {office.smtp_port}")
        (folder / "pbem.toml").write_text(text.replace("imap_port = 0", f"imap_port = {office.imap_port}"))
        code, _, err = pbem("mail", "send", "--from", "alice", "--subject", "HELP")
    finally:
        office.stop()
    assert code == 1
    assert err == (
        f"pbem: the post office on 127.0.0.1:{office_port(text)} is another folder's: "
        "is pbem run running with pbem.toml?\n"
    )


def office_port(text):
    return text.partition("smtp_port = ")[2].partition("\n")[0]


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
