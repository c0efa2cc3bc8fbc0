"""`pbem init` by OAuth2: the device flow, a refresh token that the host has, and signing in anew."""

from __future__ import annotations

import stat

import pytest

from pbem.app.providers import of_address
from pbem.settings import ConfigError, load, oauth
from pbem.settings.oauth import Grant
from tests.conftest import EMBEDDED
from tests.kit.authorisation import Authorisation


@pytest.fixture
def authority():
    oauth._known.clear()
    with Authorisation() as authority:
        yield authority


def words(authority):
    return (
        "init", "--address", "lune@example.org", "--list", "v@example.org", "--storyteller", "c@example.org", "--imap", "i.example.org",
        "--smtp", "s.example.org", "--user", "lune", "--oauth-client-id", "me", "--oauth-token-url", f"{authority.url}/token",
        "--oauth-device-url", f"{authority.url}/device", "--oauth-scope", "mail",
    )  # fmt: skip


def test_signing_in_by_a_code(pbem, tmp_path, authority, monkeypatch):
    monkeypatch.setattr("time.sleep", lambda _seconds: None)
    monkeypatch.setattr(oauth.DeviceFlow.wait, "__defaults__", (lambda _seconds: None,))
    code, out, _ = pbem(*words(authority))
    assert code == 0
    assert "https://example.org/device" in out
    assert "LUNE-1234" in out
    assert authority.refresh not in out
    settings = load(tmp_path / "pbem.toml", {})
    assert settings.imap.oauth.reveal() == "access-1"
    assert settings.smtp.oauth.reveal() == "access-1"
    assert stat.S_IMODE((tmp_path / "secrets" / "oauth-refresh-token").stat().st_mode) == 0o600


def test_signing_in_that_fails_writes_nothing(pbem, tmp_path, authority):
    authority.answers.append((400, {"error": "invalid_client"}))
    code, _, err = pbem(*words(authority))
    assert (code, err) == (1, "pbem: signing in failed: invalid_client\n")
    assert list(tmp_path.iterdir()) == []


def test_a_refresh_token_that_the_host_has(pbem, tmp_path, authority):
    (tmp_path / "token").write_text("refresh-1\n")
    (tmp_path / "client").write_text("client-secret\n")
    assert pbem(*words(authority), "--oauth-refresh-token", "token", "--oauth-client-secret", "client")[0] == 0
    assert load(tmp_path / "pbem.toml", {}).imap.oauth.reveal() == "access-1"
    assert authority.requests[-1][1]["client_secret"] == "client-secret"


def test_signing_in_anew(pbem, tmp_path, authority, monkeypatch):
    monkeypatch.setattr(oauth.DeviceFlow.wait, "__defaults__", (lambda _seconds: None,))
    (tmp_path / "token").write_text("long-gone\n")
    assert pbem(*words(authority), "--oauth-refresh-token", "token")[0] == 0
    before = (tmp_path / "pbem.toml").read_text()
    with pytest.raises(ConfigError, match="pbem init --renew-oauth"):
        load(tmp_path / "pbem.toml", {}).imap.oauth.reveal()
    code, _, err = pbem("init", "--renew-oauth")
    assert (code, "it is not known how to sign in there" in err) == (2, True)
    known = of_address("lune@outlook.com")
    monkeypatch.setattr("pbem.app.providers.of_server", lambda _host: known)
    monkeypatch.setattr(
        Grant,
        "flow",
        lambda self, _url: oauth.DeviceFlow(f"{authority.url}/device", f"{authority.url}/token", "me", "mail"),
    )
    assert pbem("init", "--renew-oauth")[0] == 0
    assert load(tmp_path / "pbem.toml", {}).imap.oauth.reveal() == "access-1"
    assert (tmp_path / "pbem.toml").read_text() == before


def test_there_is_nothing_to_sign_in_to_with_a_password(pbem, tmp_path):
    (tmp_path / "pbem.toml").write_text(EMBEDDED)
    code, _, err = pbem("init", "--renew-oauth")
    assert (code, "imap.oauth: expected" in err) == (2, True)
