"""Settings: what works, and what one line tells of what does not."""

from __future__ import annotations

import os
from datetime import timedelta
from pathlib import Path

import pytest

from pbem.settings import ConfigError, Secret, Settings, default_path, load, parse

MINIMAL = """
[game]
address = "lune@village.example"
list_address = "village@village.example"
storytellers = ["conteur@village.example"]
[embedded]
enabled = true
"""
HOSTED = """
[game]
address = "lune@example.org"
list_address = "village@lists.example.org"
storytellers = "conteur@example.org"
[imap]
host = "imap.example.org"
user = "lune@example.org"
password = {env = "LUNE_PASSWORD"}
[smtp]
host = "smtp.example.org"
tls = "starttls"
"""
BASE = Path("/srv/lune")


def read(text, **environ):
    return parse(text, origin="pbem.toml", base=BASE, environ=environ)


def fault(text, **environ):
    with pytest.raises(ConfigError) as told:
        read(text, **environ)
    assert "\n" not in str(told.value)
    return str(told.value)


def test_the_default_configuration_works_as_it_stands():
    settings = load(environ={})
    assert settings.embedded.enabled
    assert settings.embedded.maildirs == Path.cwd() / "var/mail"
    assert settings.database.url == f"sqlite:///{Path.cwd()}/var/pbem.sqlite"


def test_the_annotated_file_shows_the_defaults():
    """What the file says is what an empty section gives, and every setting stands in it."""
    shown, minimal = load(environ={}), read(MINIMAL)
    for name in ("imap", "smtp", "auth", "limits", "rules"):
        assert getattr(shown, name) == getattr(minimal, name), name
    text = default_path().read_text("utf-8")
    for name, section in Settings.model_fields.items():
        part = text.partition(f"\n[{name}]\n")[2].partition("\n[")[0]
        for key in section.annotation.model_fields:
            if (name, key) not in {("smtp", "oauth"), ("smtp", "ca_file")}:
                assert f"{key} = " in part, f"{name}.{key}"


def test_a_hosted_configuration():
    settings = read(HOSTED)
    assert settings.game.storytellers == ("conteur@example.org",)
    assert settings.imap.endpoint == ("imap.example.org", 993)
    assert settings.smtp.endpoint == ("smtp.example.org", 587)
    assert settings.authserv_id == ""


def test_relative_paths_start_at_the_file(tmp_path):
    (tmp_path / "pbem.toml").write_text(MINIMAL + '[archive]\nfolder = "www"\n')
    settings = load(tmp_path / "pbem.toml", environ={})
    assert settings.archive.folder == tmp_path / "www"
    assert settings.database.url == f"sqlite:///{tmp_path}/var/pbem.sqlite"
    assert read(MINIMAL + '[database]\nurl = "sqlite:////a/b"\n').database.url == "sqlite:////a/b"
    url = "postgresql+psycopg://lune@db/lune"
    assert read(MINIMAL + f'[database]\nurl = "{url}"\n').database.url == url


def test_the_environment_wins():
    settings = read(
        MINIMAL + "[smtp]\nport = 25\n",
        PBEM_SMTP_PORT="587",
        PBEM_IMAP_POLL_SECONDS="5",
        PBEM_EMBEDDED_ENABLED="true",
        PBEM_GAME_STORYTELLERS='["a@b.example", "c@d.example"]',
        PBEM_SMTP_PASSWORD="12345",
        PBEM_CONFIG="elsewhere.toml",
        OTHER="x",
    )
    assert (settings.smtp.port, settings.imap.poll_seconds) == (587, 5)
    assert settings.game.storytellers == ("a@b.example", "c@d.example")
    assert settings.smtp.password.reveal() == "12345"


@pytest.mark.parametrize(
    ("more", "line"),
    [
        ("[smpt]\n", "pbem.toml: smpt: no such setting; expected [smtp]"),
        ("[smtp]\nprot = 1\n", "pbem.toml: smtp.prot: no such setting; expected smtp.port"),
        ('[smtp]\nport = "abc"\n', 'pbem.toml: smtp.port = "abc": expected a TCP port from 1 to 65535'),
        ("[smtp]\nport = 70000\n", "pbem.toml: smtp.port = 70000: expected a TCP port"),
        ("[imap]\npoll_seconds = 0\n", "pbem.toml: imap.poll_seconds = 0: expected a number of seconds above 0"),
        ('[imap]\nidle = "perhaps"\n', 'pbem.toml: imap.idle = "perhaps": expected true or false'),
        ('[imap]\ntls = "ssl"\n', 'pbem.toml: imap.tls = "ssl": expected "tls", "starttls" or "none"'),
        (
            '[smtp]\nhost = "mx.example.org"\ntls = "none"\n',
            'pbem.toml: smtp.tls = "none": expected "tls" or "starttls"',
        ),
        ('[smtp]\nhost = "a b"\n', 'pbem.toml: smtp.host = "a b": expected a host name or address'),
        ("[smtp]\nconnections = 0\n", "pbem.toml: smtp.connections = 0: expected 1 to 20 connections"),
        ('[smtp]\nmax_per_hour = {"x" = -1}\n', "pbem.toml: smtp.max_per_hour = {'x': -1}: expected letters an hour"),
        ('[smtp]\nfrom_name = "a\\nb"\n', 'pbem.toml: smtp.from_name = "a b": expected text on one line'),
        ('[rules]\nsunset = "soon"\n', 'pbem.toml: rules.sunset = "soon": expected a duration such as'),
        ("[rules]\nsunset = 30\n", "pbem.toml: rules.sunset = 30: expected a duration such as"),
        (
            '[rules]\nexecutions = ["mardi 22:00"]\n',
            "pbem.toml: rules.executions = ['mardi 22:00']: expected a weekly moment",
        ),
        (
            '[rules]\nexecutions = ["tue 24:00"]\n',
            "pbem.toml: rules.executions = ['tue 24:00']: expected a weekly moment",
        ),
        ("[rules]\nexecutions = []\n", "pbem.toml: rules.executions = []: expected weekly moments"),
        (
            '[rules]\ninactivity = "kill"\n',
            'pbem.toml: rules.inactivity = "kill": expected "eliminate", "report" or "off"',
        ),
        ('[database]\nurl = "mysql://secret"\n', 'pbem.toml: database.url = (not shown): expected "sqlite:///file"'),
        ('[auth]\nmode = "trust"\n', 'pbem.toml: auth.mode = "trust": expected "results"'),
        ("[limits]\nmail_bytes = 5\n", "pbem.toml: limits.mail_bytes = 5: expected bytes, 10000 to 50000000"),
        ("[smtp]\npassword = 5\n", "pbem.toml: smtp.password = (not shown): expected a secret: text"),
        ('[smtp]\npassword = {env = "A", file = "b"}\n', "pbem.toml: smtp.password = (not shown): expected a secret"),
        (
            '[imap]\npassword = "a"\noauth = "b"\n',
            "pbem.toml: imap.oauth = (not shown): expected either a password or oauth",
        ),
        (
            '[archive]\nfolder = "~no-such-user/x"\n',
            'pbem.toml: archive.folder = "~no-such-user/x": expected a path, with ~ before the name of a user',
        ),
        ('[imap]\nca_file = "a\\u0000b"\n', "pbem.toml: imap.ca_file = "),
        (f'[letters]\ntemplates = "{"x" * 256}"\n', "pbem.toml: letters.templates = "),
        ("[game.x]\n", "pbem.toml: game.x: no such setting; expected one of game.address, game.list_address"),
    ],
)
def test_one_line_says_what_is_wrong(more, line):
    assert fault(MINIMAL + more).startswith(line)


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("", "pbem.toml: game is missing; expected a section [game]"),
        ("game = 3\n", "pbem.toml: game = 3: expected a section [game]"),
        ("[game", "pbem.toml: is not TOML: "),
        ("[game]\n", "pbem.toml: game.address is missing; expected a mail address such as lune@example.org"),
        (
            MINIMAL.replace("lune@", "Lune <lune@"),
            'pbem.toml: game.address = "Lune <lune@village.example": expected a mail',
        ),
        (MINIMAL.replace("lune@", "lune+x@"), "pbem.toml: game.address = "),
        (MINIMAL.replace("village@", "lune@"), "pbem.toml: game.list_address = "),
        (MINIMAL.replace("conteur@", "lune@"), "pbem.toml: game.storytellers = "),
        (
            MINIMAL.replace('["conteur@village.example"]', "[]"),
            "pbem.toml: game.storytellers = []: expected one or more",
        ),
        (MINIMAL.replace("true", "false"), "pbem.toml: imap.host is missing; expected a host name"),
        (
            MINIMAL.replace("true", 'true\nhost = "0.0.0.0"'),
            'pbem.toml: embedded.host = "0.0.0.0": expected a loopback',
        ),
        (
            MINIMAL.replace("true", 'true\nhost = "example.org"'),
            'pbem.toml: embedded.host = "example.org": expected a loop',
        ),
        (HOSTED.replace("user =", "# user ="), "pbem.toml: imap.user and imap.password (or imap.oauth) are needed"),
    ],
)
def test_what_is_wrong_with_the_whole(text, line):
    assert fault(text).startswith(line)


@pytest.mark.parametrize(
    ("was", "typed", "line"),
    [
        ("\naddress", "\nadress", "game.adress: no such setting; expected game.address"),
        ("list_address", "list_adress", "game.list_adress: no such setting; expected game.list_address"),
        ("storytellers", "storyteller", "game.storyteller: no such setting; expected game.storytellers"),
        ("[game]", "[gmae]", "gmae: no such setting; expected [game]"),
    ],
)
def test_a_setting_that_is_needed_and_misspelt_is_told_by_what_was_typed(was, typed, line):
    assert fault(MINIMAL.replace(was, typed)) == f"pbem.toml: {line}"


def test_what_is_missing_is_told_as_missing_whatever_else_is_wrong():
    text = MINIMAL.replace("list_address", "colour") + "[smtp]\nlist_adress = 1\n"
    assert fault(text).startswith("pbem.toml: game.list_address is missing; expected a mail address")


@pytest.mark.parametrize(
    "url",
    ["sqlite://", "sqlite:///var/x", "sqlite:////x", "postgresql+psycopg://u@h/n", "postgresql+psycopg:///n?host=/run/p",
     "postgresql+psycopg://u:p/w:1@h:5432/n", "postgresql+psycopg://u@[::1]:5/n"],
)  # fmt: skip
def test_databases(url):
    assert read(MINIMAL + f'[database]\nurl = "{url}"\n').database.url.startswith(url[:10])


@pytest.mark.parametrize(
    "url", ["sqlite://x", "sqlite:/x", "sqlite://x/y", "postgresql+psycopg://h:x/y", "postgresql://h/n"]
)
def test_no_databases(url):
    assert fault(MINIMAL + f'[database]\nurl = "{url}"\n').startswith("pbem.toml: database.url = (not shown): expected")


def test_variables_are_named_when_they_are_wrong():
    assert fault(MINIMAL, PBEM_SMTP_PORT="x").startswith('environment PBEM_SMTP_PORT = "x": expected a TCP port')
    assert fault(MINIMAL, PBEM_SMTP_PROT="1") == "environment PBEM_SMTP_PROT: no such setting; expected smtp.port"
    assert fault(MINIMAL, PBEM_SMTP_PORT="[").startswith("environment PBEM_SMTP_PORT: not a TOML value")


def test_a_file_that_is_not_there(tmp_path):
    with pytest.raises(ConfigError, match=r"nowhere.toml: cannot be read \(No such file or directory\)"):
        load(tmp_path / "nowhere.toml")


@pytest.mark.parametrize("host", ["127.0.0.1", "127.8.8.8", "::1", "localhost"])
def test_loopback_is_loopback(host):
    assert read(MINIMAL.replace("true", f'true\nhost = "{host}"')).embedded.host == host


class TestSecrets:
    def secret(self, form, base=BASE):
        text = HOSTED.replace('{env = "LUNE_PASSWORD"}', form)
        return parse(text, origin="pbem.toml", base=base).imap.password

    def test_from_the_environment(self, monkeypatch):
        secret = self.secret('{env = "LUNE_PASSWORD"}')
        monkeypatch.setenv("LUNE_PASSWORD", "pleine-lune")
        assert secret.reveal() == "pleine-lune"
        monkeypatch.delenv("LUNE_PASSWORD")
        with pytest.raises(ConfigError, match=r"^pbem.toml: imap.password: its env is empty"):
            secret.reveal()

    def test_from_a_file_beside_the_configuration(self, tmp_path):
        secret = self.secret('{file = "secret"}', tmp_path)
        with pytest.raises(ConfigError, match=r"imap.password: its file gave no secret"):
            secret.reveal()
        (tmp_path / "secret").write_text("pleine lune é \nsecond line\n")
        assert secret.reveal() == "pleine lune é "

    def test_from_a_command_each_time_anew(self, tmp_path):
        secret = self.secret('{command = ["sh", "-c", "date +%N; echo no"]}', tmp_path)
        assert secret.reveal() != secret.reveal()
        for command in ('["false"]', '["no-such-program-here"]', '["true"]'):
            with pytest.raises(ConfigError, match=r"imap.password: its command"):
                self.secret(f"{{command = {command}}}", tmp_path).reveal()

    def test_no_text_shows_one(self):
        settings = read(HOSTED.replace('{env = "LUNE_PASSWORD"}', '"told-to-nobody"'))
        assert settings.imap.password.reveal() == "told-to-nobody"
        for shown in (repr(settings), str(settings), repr(settings.imap.password), f"{settings.imap.model_dump()}"):
            assert "told-to-nobody" not in shown


@pytest.mark.parametrize("window", ["tie_break", "sunset", "vision"])
@pytest.mark.parametrize("length", ["0m", "0h", "0d"])
def test_a_window_that_closes_as_it_opens_is_none(window, length):
    with pytest.raises(ConfigError, match=rf'rules.{window} = "{length}": expected a duration from 1m up to 7d'):
        read(MINIMAL + f'[rules]\n{window} = "{length}"\n')
    assert getattr(read(MINIMAL + f'[rules]\n{window} = "1m"\n').rules, window) == timedelta(minutes=1)
    assert read(MINIMAL + f'[rules]\nmin_debate = "{length}"\n').rules.min_debate == timedelta()


def test_rules_in_the_words_of_scenarios():
    rules = read(
        MINIMAL + '[rules]\nsunset = "90m"\nvision = "2h"\nmin_debate = "0h"\noutage_extension = false\n'
    ).rules
    assert rules.sunset == timedelta(minutes=90)
    assert rules.as_options() == {
        "executions": ["tue 22:00", "thu 22:00", "sun 22:00"],
        "min_debate": "0h",
        "tie_break": "30m",
        "sunset": "90m",
        "vision": "2h",
        "inactivity": "eliminate",
        "graveyard_intrusion": "warn",
        "outage_extension": "off",
    }


@pytest.mark.parametrize(
    ("written", "minutes"),
    [('"off"', 0), ("false", 0), ('"0m"', 0), ('"on"', 60), ("true", 60), ('"30m"', 30), ('"2h"', 120)],
)
def test_the_time_that_an_outage_gives_back(written, minutes):
    rules = read(MINIMAL + f"[rules]\noutage_extension = {written}\n").rules
    assert rules.outage_extension == timedelta(minutes=minutes)
    assert read(MINIMAL).rules.outage_extension == timedelta(hours=1)
    again = rules.as_options()["outage_extension"]
    assert read(MINIMAL + f'[rules]\noutage_extension = "{again}"\n').rules == rules


@pytest.mark.parametrize("wrong", ['"sometimes"', '"8d"', "30", '""', "[1]"])
def test_anything_else_is_no_such_time(wrong):
    with pytest.raises(ConfigError, match=r"rules\.outage_extension.*duration"):
        read(MINIMAL + f"[rules]\noutage_extension = {wrong}\n")


def test_hourly_limits():
    smtp = read(MINIMAL + '[smtp]\nmax_per_hour = {"GMAIL.com" = 5, "*" = 9}\n').smtp
    assert [smtp.hourly_limit(address) for address in ("a@gmail.com", "a@b.c")] == [5, 9]
    assert read(MINIMAL + "[smtp]\nmax_per_hour = 3\n").smtp.hourly_limit("a@b.c") == 3
    assert read(MINIMAL).smtp.hourly_limit("a@b.c") is None


def test_settings_are_frozen():
    settings = read(MINIMAL)
    with pytest.raises(ValueError, match="frozen"):
        settings.smtp.port = 1
    assert isinstance(hash(Secret.of("x")), int)
    assert os.environ.get("PBEM_TEST") is None
