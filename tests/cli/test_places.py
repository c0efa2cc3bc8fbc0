"""A setting that names a place which cannot be used is one line before anything starts: file, key, value, what is expected.

Root may write wherever the kernel lets anybody, so the impossible places are below a file, and below /proc.
"""

from __future__ import annotations

import pytest

from pbem.app import places
from pbem.settings import ConfigError, Settings, parse
from pbem.wiring import daemon, scribe
from tests.conftest import EMBEDDED
from tests.hosting.conftest import CONFIG

FOLDER = "a folder that can be written to ("
SQLITE = "an SQLite file that can be written to ("


@pytest.mark.parametrize("below", ["/proc/x", "{folder}/pbem.toml/x"], ids=["proc", "file"])
@pytest.mark.parametrize(
    ("section", "key", "value", "expected"),
    [
        ("embedded", "maildirs", "{below}", FOLDER),
        ("archive", "folder", "{below}", FOLDER),
        ("database", "url", "sqlite:///{below}/y.sqlite", SQLITE),
    ],
)
def test_run_begins_nothing_where_it_could_keep_nothing(pbem, folder, section, key, value, expected, below):
    value = value.format(below=below.format(folder=folder))
    _write(folder, section, key, value)
    code, out, err = pbem("run")
    assert (code, out) == (2, "")
    assert err.startswith(f'pbem: pbem.toml: {section}.{key} = "{value}": expected {expected}')
    assert len(err.splitlines()) == 1
    assert [file.name for file in folder.iterdir()] == ["pbem.toml"]


def _write(folder, section, key, value):
    text = EMBEDDED if f"[{section}]\n" in EMBEDDED else EMBEDDED + f"[{section}]\n"
    (folder / "pbem.toml").write_text(text.replace(f"[{section}]\n", f'[{section}]\n{key} = "{value}"\n'))


@pytest.mark.parametrize(
    "command", [("game", "new"), ("game", "list"), ("status",), ("archive", "build"), ("game", "import", "pbem.toml")]
)
def test_every_command_that_needs_the_database_says_so(pbem, folder, command):
    _write(folder, "database", "url", "sqlite:////proc/x/y.sqlite")
    code, out, err = pbem(*command)
    assert (code, out, len(err.splitlines())) == (2, "", 1)
    assert err.startswith(f'pbem: pbem.toml: database.url = "sqlite:////proc/x/y.sqlite": expected {SQLITE}')


def test_the_archive_is_not_written_where_it_cannot_be(pbem, folder):
    _write(folder, "archive", "folder", "/proc/x")
    for command in ("build", "serve"):
        code, _, err = pbem("archive", command)
        assert code == 2
        assert err.startswith(f'pbem: pbem.toml: archive.folder = "/proc/x": expected {FOLDER}')


def test_a_variable_is_named_as_one(pbem, folder, monkeypatch):
    monkeypatch.setenv("PBEM_ARCHIVE_FOLDER", "/proc/x")
    code, _, err = pbem("run")
    assert code == 2
    assert err.startswith(f'pbem: environment PBEM_ARCHIVE_FOLDER = "/proc/x": expected {FOLDER}')


def test_a_folder_is_no_database(pbem, folder):
    _write(folder, "database", "url", f"sqlite:///{folder}")
    code, _, err = pbem("run")
    assert code == 2
    assert f"{SQLITE}{folder} is a folder)" in err


def test_what_can_be_made_is_left_to_be_made(folder):
    """Folders that are not there yet are no fault, and nothing stays behind of the trying."""
    settings = parse(EMBEDDED, origin="pbem.toml", base=folder / "not" / "there" / "yet")
    places.check(settings)
    assert [file.name for file in folder.iterdir()] == ["pbem.toml"]


def hosted(folder, more="", **replaced):
    text = CONFIG
    for was, now in replaced.items():
        text = text.replace(was, now)
    return parse(text.replace("[smtp]", f"{more}[smtp]"), origin="pbem.toml", base=folder)


@pytest.mark.parametrize(("content", "why"), [(None, "No such file or directory"), ("no certificate", "it holds none")])
def test_certificates_that_are_none(folder, content, why):
    if content:
        (folder / "ca.pem").write_text(content)
    with pytest.raises(ConfigError) as told:
        daemon(hosted(folder, 'ca_file = "ca.pem"\n'))
    assert str(told.value) == (
        f'pbem.toml: imap.ca_file = "{folder}/ca.pem": expected a file of certificates (PEM; {why})'
    )
    assert not (folder / "var").exists()


@pytest.mark.parametrize(
    ("secret", "told"),
    [
        ('{env = "NO_SUCH_VARIABLE"}', "pbem.toml: imap.password: its env is empty; expected a secret there"),
        ('{file = "no-such-file"}', "pbem.toml: imap.password: its file gave no secret (FileNotFoundError)"),
    ],
)
def test_a_secret_that_cannot_be_had(folder, secret, told):
    with pytest.raises(ConfigError) as error:
        daemon(hosted(folder, **{'password = "x"': f"password = {secret}"}))
    assert str(error.value) == told
    assert not (folder / "var").exists()


def test_a_command_is_not_asked_for_a_secret_before_it_is_needed(folder):
    places.check(hosted(folder, **{'password = "x"': 'password = {command = ["false"]}'}))


def test_a_language_without_letters(folder):
    with pytest.raises(ConfigError) as told:
        daemon(parse(EMBEDDED.replace("[game]", '[game]\nlanguage = "de"'), origin="pbem.toml", base=folder))
    assert str(told.value) == (
        'pbem.toml: game.language = "de": expected a language that there are letters in: en or fr'
    )


def test_postgresql_needs_its_driver(folder, monkeypatch):
    settings = hosted(folder, "[database]\nurl = 'postgresql+psycopg://pbem:secret@127.0.0.1/pbem'\n")
    places.check(settings)
    monkeypatch.setattr(places.importlib.util, "find_spec", lambda _name: None)
    with pytest.raises(ConfigError, match=r"database.url = \(not shown\): expected pbem\[postgres\] to be installed"):
        places.check(settings)


# --- whatever is written there --------------------------------------------------------------------------------------

ODD = (
    '""', '"x"', '" "', '"/proc/x"', '"/etc/passwd"', '"/"', '"."', '"~nobody/x"', '"~no-such-user/x"', '"a\\u0000b"', '"é\\n"',
    f'"{"x" * 5000}"', "0", "-1", "1", "99999999999999999999", "1.5", "nan", "inf", "true", "[]", "[1]", '["x"]', "{}", "{a=1}",
    '{env="NO_SUCH_VARIABLE"}', '{file="/nope"}', "2020-01-01", "12:00:00", '"24h"', '"99999999d"', '"sqlite:///"', '"[x"',
)  # fmt: skip


@pytest.mark.parametrize("section", Settings.model_fields)
@pytest.mark.parametrize("text", [EMBEDDED, CONFIG], ids=["embedded", "hosted"])
def test_no_value_of_a_setting_is_a_fault_of_the_program(folder, text, section):
    """It can be used, or one line says why not."""
    told = 0
    for key in Settings.model_fields[section].annotation.model_fields:
        lines = [line for line in text.splitlines() if not (line.startswith(f"{key} =") and _in(text, line, section))]
        bare = "\n".join(lines)
        bare += "" if f"[{section}]" in bare else f"\n[{section}]"
        for value in ODD:
            line = _problem(bare.replace(f"[{section}]", f"[{section}]\n{key} = {value}"), folder)
            assert "\n" not in line
            assert not line or line.startswith("pbem.toml: ")
            told += bool(line)
    assert told


def _problem(text, folder):
    """What is told of it; "" if it can be used."""
    try:
        settings = parse(text, origin="pbem.toml", base=folder)
        places.check(settings)
        scribe(settings)
    except ConfigError as error:
        return str(error)
    return ""


def _in(text, line, section):
    """Whether that line stands in that section."""
    return text[: text.index(line)].rpartition("\n[")[2].startswith(f"{section}]")
