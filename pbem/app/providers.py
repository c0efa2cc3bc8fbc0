"""What is known of mail providers, by the domain of an address or the name of a server: `config/providers.toml`."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache
from typing import Any

from pbem import resources
from pbem.settings.fields import is_loopback


@dataclass(frozen=True, slots=True)
class Host:
    """A server: its name, its port, and `tls` or `starttls`."""

    name: str
    port: int
    tls: str


@dataclass(frozen=True, slots=True)
class Access:
    """OAuth2 at a provider. No `device_url`: its tokens are to be had in some other way, as `steps` tell."""

    token_url: str
    scope: str
    device_url: str = ""
    steps: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Provider:
    """One section of the table; its comments say what each field means. `oauth_only`: a password will not do."""

    key: str
    name: str
    domains: tuple[str, ...]
    imap: Host
    smtp: Host
    tags: str = "plus"
    user: str = "address"
    authserv_id: str = ""
    auth: str = "results"
    steps: tuple[str, ...] = ()
    oauth: Access | None = None
    oauth_only: bool = False

    def login(self, address: str) -> str:
        """The user name for that address."""
        return address.partition("@")[0] if self.user == "local" else address


@cache
def providers() -> tuple[Provider, ...]:
    """All of them, in the table's order."""
    table = tomllib.loads((resources.config_dir() / "providers.toml").read_text("utf-8"))
    return tuple(_provider(key, given) for key, given in table.items())


def of_address(address: str) -> Provider | None:
    """The provider of that address, by its domain or one above it."""
    domain = address.rpartition("@")[2].lower()
    return next((one for one in providers() if any(_within(domain, known) for known in one.domains)), None)


def of_server(host: str) -> Provider | None:
    """The provider that runs that server; None for one of this machine's own, whoever is behind it."""
    if is_loopback(host):
        return None
    return next((one for one in providers() if host.lower() in {one.imap.name, one.smtp.name}), None)


def _within(domain: str, known: str) -> bool:
    return domain == known or domain.endswith(f".{known}")


def _provider(key: str, given: dict[str, Any]) -> Provider:
    oauth = given.get("oauth")
    return Provider(
        key=key,
        name=given["name"],
        domains=tuple(given["domains"]),
        imap=Host(*given["imap"]),
        smtp=Host(*given["smtp"]),
        tags=given["tags"],
        user=given.get("user", "address"),
        authserv_id=given.get("authserv_id", ""),
        auth=given.get("auth", "results"),
        steps=tuple(given.get("steps", ())),
        oauth=Access(**{**oauth, "steps": tuple(oauth["steps"])}) if oauth else None,
        oauth_only=given.get("login") == "oauth",
    )
