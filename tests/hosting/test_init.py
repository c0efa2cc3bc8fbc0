"""`pbem init`: what it writes is what `pbem run` reads, commented, the secrets apart; and `pbem doctor` takes it from there."""

from __future__ import annotations

import json
import stat

import pytest
import typer

from pbem import settings as configuration
from pbem.app import interview, setup
from pbem.app.interview import Interview, Missing, Question, Wrong, draw_up
from pbem.app.providers import of_address, of_server, providers
from pbem.cli import init as init_command
from pbem.mail.postoffice import PostOffice
from pbem.settings import load, parse
from tests.conftest import EMBEDDED
from tests.kit.relay import AUTHSERV, Relay

BASIC = {
    "address": "lune@gmail.com", "list": "village@lists.example.org", "storyteller": "conteur@example.org",
    "password": "abcd efgh", "timezone": "Europe/Paris",
}  # fmt: skip


def plan(**given):
    told = []
    talk = Interview({**BASIC, **{key.replace("_", "-"): value for key, value in given.items()}}, None, told.append)
    return draw_up(talk, lambda _flow: pytest.fail("nobody signs in"), "Europe/Paris"), told


# --- the plan -------------------------------------------------------------------------------------------------------


def test_a_known_provider_needs_no_servers(tmp_path):
    made, told = plan()
    settings = setup.write(made, tmp_path / "pbem.toml")
    assert settings.imap.endpoint == ("imap.gmail.com", 993)
    assert settings.smtp.endpoint == ("smtp.gmail.com", 465)
    assert (settings.imap.user, settings.smtp.user) == ("lune@gmail.com", "lune@gmail.com")
    assert settings.auth.authserv_id == "mx.google.com"
    assert settings.monitor.alerts == ("conteur@example.org",)
    assert any("app password" in line for line in told)
    assert settings.imap.password.reveal() == "abcd efgh"
    secret = tmp_path / "secrets" / "mailbox-password"
    assert stat.S_IMODE(secret.stat().st_mode) == 0o600
    assert stat.S_IMODE(secret.parent.stat().st_mode) == 0o700
    text = (tmp_path / "pbem.toml").read_text()
    assert "abcd" not in text
    assert text.startswith("# Pleine Lune: the configuration for lune@gmail.com, written by pbem init;")
    assert "it needs no account anywhere" not in text
    assert "# Who wrote a mail? A From line proves nothing." in text


@pytest.mark.parametrize("provider", providers(), ids=lambda one: one.key)
def test_each_provider_of_the_table_makes_a_configuration_that_can_be_read(provider, tmp_path):
    for domain in provider.domains:
        assert of_address(f"lune@{domain}") is provider
    extra = {"oauth-client-id": "me", "oauth-refresh-token": "r"} if provider.oauth_only else {}
    talk = Interview({**BASIC, **extra, "address": f"lune@{provider.domains[0]}"}, None, lambda _line: None)
    made = draw_up(talk, lambda _flow: pytest.fail("a refresh token was given"), "Europe/Paris")
    settings = setup.write(made, tmp_path / "pbem.toml")
    assert (settings.imap.host, settings.imap.tls) == (provider.imap.name, provider.imap.tls)
    assert (settings.smtp.host, settings.smtp.tls) == (provider.smtp.name, provider.smtp.tls)
    assert settings.game.tags == provider.tags
    assert settings.auth.mode == provider.auth
    assert (settings.imap.oauth is not None) == provider.oauth_only
    assert settings.imap.user == ("lune" if provider.user == "local" else f"lune@{provider.domains[0]}")
    if not provider.imap.name.startswith("127."):
        assert of_server(provider.smtp.name) is not None


def test_no_domain_stands_twice_in_the_table():
    domains = [domain for provider in providers() for domain in provider.domains]
    assert len(domains) == len(set(domains))


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("mail.example.org", ("mail.example.org", 993, "tls")),
        ("mail.example.org:143", ("mail.example.org", 143, "starttls")),
        ("mail.example.org:10993/tls", ("mail.example.org", 10993, "tls")),
        ("mail.example.org/starttls", ("mail.example.org", 143, "starttls")),
        ("127.0.0.1:1143/none", ("127.0.0.1", 1143, "none")),
    ],
)
def test_how_a_server_is_named(text, place):
    imap = plan(address="lune@example.org", imap=text, smtp="mail.example.org")[0].values["imap"]
    assert (imap["host"], imap["port"], imap["tls"]) == place


@pytest.mark.parametrize(
    ("option", "value"),
    [
        ("address", "lune"), ("address", "lune+x@example.org"), ("list", "all the village"), ("storyteller", "a@b.c,nobody"),
        ("language", "German"), ("timezone", "Europe/Atlantis"), ("imap", "mail.example.org:99999"), ("imap", "mail.example.org/ssl"),
        ("imap", "mail.example.org/none"), ("archive-url", "ftp://x"), ("smtp", "a b"),
    ],
)  # fmt: skip
def test_a_wrong_option_is_named_and_nothing_is_written(pbem, tmp_path, option, value):
    given = {**BASIC, "address": "lune@example.org", "imap": "i.example.org", "smtp": "s.example.org", option: value}
    given.pop("password")
    words = [word for key, text in given.items() for word in (f"--{key}", text)]
    code, _, err = pbem("init", *words, "--password-env", "X")
    assert (code, len(err.splitlines())) == (2, 1)
    assert f"--{option}: expected " in err
    assert list(tmp_path.iterdir()) == []


def test_where_nobody_can_be_asked_every_missing_option_is_named_at_once(pbem, tmp_path):
    code, _, err = pbem("init")
    assert code == 2
    for option in ("--address", "--list", "--storyteller", "--password-stdin", "--imap", "--smtp", "--user"):
        assert option in err
    assert list(tmp_path.iterdir()) == []


def test_a_file_that_is_there_stays_unless_forced(pbem, tmp_path):
    (tmp_path / "pbem.toml").write_text("# mine\n")
    words = ["init", *(w for k, v in BASIC.items() if k != "password" for w in (f"--{k}", v)), "--password-env", "LUNE"]
    code, _, err = pbem(*words)
    assert (code, (tmp_path / "pbem.toml").read_text()) == (2, "# mine\n")
    assert "--force" in err
    assert pbem(*words, "--force")[0] == 0
    assert load(tmp_path / "pbem.toml", {}).imap.password == configuration.Secret.of({"env": "LUNE"})


def test_a_password_from_standard_input(pbem, tmp_path):
    words = [w for k, v in BASIC.items() if k != "password" for w in (f"--{k}", v)]
    code, out, _ = pbem("init", *words, "--password-stdin", stdin="moon shine\nnext line\n")
    assert code == 0
    assert "moon" not in out
    assert load(tmp_path / "pbem.toml", {}).smtp.password.reveal() == "moon shine"


def test_a_file_named_from_here_is_found_from_there(pbem, tmp_path):
    (tmp_path / "lune.secret").write_text("moon\n")
    (tmp_path / "etc").mkdir()
    words = [w for k, v in BASIC.items() if k != "password" for w in (f"--{k}", v)]
    assert pbem("init", *words, "--password-file", "lune.secret", "-o", "etc/pbem.toml")[0] == 0
    assert load(tmp_path / "etc" / "pbem.toml", {}).imap.password.reveal() == "moon"


def test_another_login_for_sending(tmp_path):
    made, _ = plan(smtp_user="relay", smtp_password_env="RELAY")
    settings = setup.write(made, tmp_path / "pbem.toml")
    assert (settings.imap.user, settings.smtp.user) == ("lune@gmail.com", "relay")
    assert settings.smtp.password == configuration.Secret.of({"env": "RELAY"})


def test_the_embedded_post_office_needs_nothing(pbem, tmp_path):
    code, out, _ = pbem("init", "--embedded", "--no-input")
    assert code == 0
    settings = load(tmp_path / "pbem.toml", {})
    assert settings.embedded.enabled
    assert settings.game.address == "lune@village.example"
    assert "pbem run" in out


# --- asked on a terminal --------------------------------------------------------------------------------------------


def test_a_conversation(tmp_path, monkeypatch):
    answers = {
        "address": ["moon", "lune@example.org"], "list": ["village@example.org"], "storyteller": ["a@example.org, b@example.org"],
        "imap": ["mail.example.org"], "password": ["", "moon"],
    }  # fmt: skip
    asked, told = [], []

    def answer(question):
        asked.append(question)
        return answers[question.option].pop(0) if question.option in answers else question.default

    made = draw_up(Interview({}, answer, told.append), lambda _flow: "", "Europe/Brussels")
    settings = setup.write(made, tmp_path / "pbem.toml")
    assert settings.game.storytellers == ("a@example.org", "b@example.org")
    assert settings.game.timezone == "Europe/Brussels"
    assert settings.smtp.host == "smtp.example.org"
    assert [question.option for question in asked if question.hidden] == ["password", "password"]
    assert told == [
        "Expected a mail address such as lune@example.org, without a name and without a + in it.",
        "Expected something.",
    ]


def test_questions_on_a_terminal_hide_what_is_secret(monkeypatch):
    seen = {}
    monkeypatch.setattr(typer, "prompt", lambda words, **options: seen.update(options) or "x")
    assert init_command._ask(Question("password", "The password", hidden=True)) == "x"
    assert seen == {"default": None, "hide_input": True, "show_default": False}


def test_an_interview_gives_the_default_or_notes_what_lacks():
    talk = Interview({}, None, lambda _line: None)
    assert talk.answer(Question("x", "?", "y")) == "y"
    assert talk.answer(Question("z", "?")) is None
    assert talk.missing == ["--z"]
    with pytest.raises(Wrong, match="--x: expected an https address"):
        Interview({"x": "http://a"}, None, print).answer(Question("x", "?"), interview._endpoint)
    with pytest.raises(Missing):
        interview.draw_up(Interview({}, None, lambda _line: None), lambda _flow: "", "Europe/Paris")


# --- and then -------------------------------------------------------------------------------------------------------


@pytest.fixture
def servers(tmp_path):
    """A mailbox (of an embedded post office) and a relay that delivers into it."""
    folder = tmp_path / "servers"
    text = EMBEDDED.replace("village.example", "example.org")
    office = PostOffice(parse(text, origin="office.toml", base=folder), durable=False)
    office.start()
    address = "lune@example.org"
    relay = Relay(
        address,
        lambda raw, at: office.deliver(address, raw, at),
        login="\0lune@example.org\0" + office.password(address),
    )
    yield office, relay
    relay.close()
    office.stop()


def test_init_then_doctor_then_a_pin(pbem, tmp_path, servers):
    office, relay = servers
    code, out, _ = pbem(
        "init", "--address", "lune@example.org", "--list", "v@example.org", "--storyteller", "c@example.org",
        "--imap", f"127.0.0.1:{office.imap_port}/none", "--smtp", f"127.0.0.1:{relay.port}/none", "--user", "lune@example.org",
        "--password-stdin", stdin=office.password("lune@example.org"),
    )  # fmt: skip
    assert code == 0
    assert "pbem doctor" in out
    code, out, _ = pbem("doctor", "--wait", "5", "--json")
    found = json.loads(out)
    assert (code, found["healthy"]) == (1, False)
    assert [one["cause"] for one in found["findings"] if one["state"] == "fault"] == ["authserv-unset"]
    code, out, _ = pbem("doctor", "--wait", "5", "--pin")
    assert code == 0
    assert f'auth.authserv_id = "{AUTHSERV}"' in out
    assert load(tmp_path / "pbem.toml", {}).authserv_id == AUTHSERV
    code, out, _ = pbem("doctor", "--wait", "5")
    assert (code, "A game can be played." in out) == (0, True)
    relay.mail = "553 5.7.1 not yours"
    code, out, _ = pbem("doctor", "--wait", "5")
    assert code == 1
    assert (
        "FAULT    sender: 127.0.0.1 does not let lune@example.org send as lune@example.org (553 5.7.1 not yours)" in out
    )
    assert "→ Log in as the owner of lune@example.org" in out
