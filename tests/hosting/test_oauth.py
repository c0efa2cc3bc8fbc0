"""OAuth2: a token is renewed when it runs out, a replaced refresh token is kept, and every refusal says what to do."""

from __future__ import annotations

import stat

import pytest

from pbem.settings import ConfigError, oauth, parse
from pbem.settings.oauth import DeviceFlow, Grant, Refused, is_endpoint
from tests.kit.authorisation import Authorisation

HOSTED = """
[game]
address = "lune@example.org"
list_address = "village@example.org"
storytellers = "conteur@example.org"
[imap]
host = "imap.example.org"
user = "lune@example.org"
oauth = {{token_url = "{url}/token", client_id = "pbem", refresh_token = {{file = "refresh"}}, scope = "mail"}}
[smtp]
host = "smtp.example.org"
user = "lune@example.org"
oauth = {{token_url = "{url}/token", client_id = "pbem", refresh_token = {{file = "refresh"}}, scope = "mail"}}
"""


@pytest.fixture(autouse=True)
def _no_token_is_known():
    oauth._known.clear()


@pytest.fixture
def authority():
    with Authorisation() as authority:
        yield authority


def settings(authority, folder):
    (folder / "refresh").write_text(f"{authority.refresh}\n")
    return parse(HOSTED.format(url=authority.url), origin="pbem.toml", base=folder)


def test_reading_and_sending_share_one_token_that_lasts(authority, tmp_path):
    found = settings(authority, tmp_path)
    assert [found.imap.oauth.reveal(), found.smtp.oauth.reveal(), found.imap.oauth.reveal()] == ["access-1"] * 3
    assert authority.requests == [
        ("/token", {"grant_type": "refresh_token", "refresh_token": "refresh-1", "client_id": "pbem", "scope": "mail"})
    ]


def test_a_token_about_to_end_is_renewed(authority, tmp_path):
    authority.expires = oauth.MARGIN - 1
    found = settings(authority, tmp_path)
    assert [found.imap.oauth.reveal(), found.imap.oauth.reveal()] == ["access-1", "access-2"]


def test_a_token_that_the_mail_server_refused_is_forgotten(authority, tmp_path):
    found = settings(authority, tmp_path)
    found.imap.oauth.reveal()
    found.imap.oauth.forget()
    assert found.smtp.oauth.reveal() == "access-2"


def test_a_replaced_refresh_token_is_kept_in_its_file_for_its_owner_alone(authority, tmp_path):
    authority.rotates, authority.expires = True, 0
    found = settings(authority, tmp_path)
    assert [found.imap.oauth.reveal(), found.smtp.oauth.reveal()] == ["access-1", "access-2"]
    file = tmp_path / "refresh"
    assert file.read_text() == "refresh-3\n"
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert [path.name for path in tmp_path.iterdir()] == ["refresh"]


def test_a_replaced_refresh_token_that_came_from_elsewhere_lasts_as_long_as_the_program(authority, monkeypatch):
    authority.rotates, authority.expires = True, 0
    monkeypatch.setenv("LUNE_REFRESH", "refresh-1")
    given = {"token_url": f"{authority.url}/token", "client_id": "pbem", "refresh_token": {"env": "LUNE_REFRESH"}}
    grant = Grant.of(given)
    assert [grant.reveal(), grant.reveal()] == ["access-1", "access-2"]


@pytest.mark.parametrize(
    ("status", "body", "told"),
    [
        (
            400,
            {"error": "invalid_grant"},
            "gives no access token (invalid_grant): sign in anew with pbem init --renew-oauth",
        ),
        (401, {"error": "invalid_client"}, "gives no access token (invalid_client)"),
        (500, b"<html>", "gives no access token (HTTP 500)"),
        (200, b"<html>", "gives no access token (its answer is no JSON object)"),
        (200, {"token": 1}, "gives no access token (no access_token in its answer)"),
        (400, {"error": "x" * 500}, "gives no access token (HTTP 400)"),
        (302, b"", "gives no access token (HTTP 302)"),
    ],
)
def test_a_refusal_is_one_line_that_names_the_setting(authority, tmp_path, status, body, told):
    authority.answers.append((status, body))
    with pytest.raises(ConfigError) as error:
        settings(authority, tmp_path).smtp.oauth.reveal()
    assert str(error.value) == f"pbem.toml: smtp.oauth: 127.0.0.1 {told}"
    assert len(authority.requests) == 1  # no redirect is followed


def test_an_endpoint_that_is_away_is_one_line(tmp_path):
    with Authorisation() as gone:
        found = settings(gone, tmp_path)
    with pytest.raises(ConfigError, match=r"imap\.oauth: 127\.0\.0\.1 does not answer \(Connection refused\)"):
        found.imap.oauth.reveal()


def test_no_text_shows_a_secret(authority, tmp_path):
    found = settings(authority, tmp_path)
    found.imap.oauth.reveal()
    assert "refresh-1" not in repr(found) + str(found.imap.oauth)
    assert "access" not in repr(found.imap.oauth)


@pytest.mark.parametrize(
    "given",
    [
        'token_url = "http://login.example.org/token", client_id = "x", refresh_token = "y"',  # unprotected
        'token_url = "https://login.example.org/token", refresh_token = "y"',
        'token_url = "https://login.example.org/token", client_id = "x"',
        'token_url = "https://login.example.org/token", client_id = "x", refresh_token = "y", tenant = "z"',
        'token_url = "https://login.example.org/token", client_id = "x", refresh_token = 7',
    ],
)
def test_what_is_no_grant_is_refused(given, tmp_path):
    text = HOSTED.format(url="https://x.example.org").replace(
        HOSTED.format(url="https://x.example.org").splitlines()[8], f"oauth = {{{given}}}"
    )
    with pytest.raises(ConfigError, match="imap.oauth = "):
        parse(text, origin="pbem.toml", base=tmp_path)


@pytest.mark.parametrize(
    ("url", "fine"),
    [
        ("https://login.example.org/x", True), ("http://127.0.0.1:1/x", True), ("http://[::1]/x", True),
        ("http://login.example.org/x", False), ("file:///etc/passwd", False), ("https://", False), ("https://[", False),
        (None, False),
    ],
)  # fmt: skip
def test_secrets_go_nowhere_unprotected(url, fine):
    assert is_endpoint(url) is fine


def flow(authority):
    return DeviceFlow(f"{authority.url}/device", f"{authority.url}/token", "pbem", "mail offline_access")


def test_a_device_is_let_in_when_the_host_has_said_yes(authority):
    authority.patience = 2
    authority.answers = []
    pauses = []
    invitation = flow(authority).begin()
    assert (invitation.code, invitation.page) == ("LUNE-1234", "https://example.org/device")
    assert flow(authority).wait(invitation, pauses.append) == "refresh-1"
    assert pauses == [5.0, 5.0, 5.0]
    assert authority.requests[0] == ("/device", {"client_id": "pbem", "scope": "mail offline_access"})
    assert authority.requests[-1][1]["device_code"] == "device-secret"


def test_a_device_that_asks_too_often_slows_down(authority):
    invitation = flow(authority).begin()
    authority.answers = [(400, {"error": "slow_down"})]
    pauses = []
    flow(authority).wait(invitation, pauses.append)
    assert pauses == [5.0, 10.0]


@pytest.mark.parametrize("word", ["access_denied", "expired_token", "invalid_client"])
def test_a_no_ends_it(authority, word):
    invitation = flow(authority).begin()
    authority.answers = [(400, {"error": word})]
    with pytest.raises(Refused, match=word):
        flow(authority).wait(invitation, lambda _seconds: None)


def test_nobody_waits_for_ever(authority):
    authority.patience = 10_000
    with pytest.raises(Refused, match="expired_token"):
        flow(authority).wait(flow(authority).begin(), lambda _seconds: None)
    assert len(authority.requests) < 200
