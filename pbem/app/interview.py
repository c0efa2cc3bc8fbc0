"""What `pbem init` has to know, asked for in words or given by options, and the plan that follows from it.

An `Interview` gives one answer a question: the option's, else what the host types, else the default. A wrong option
ends it; a wrong answer is told and asked again. Whoever cannot be asked (no terminal) is told every option that lacks.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from pbem.app.providers import Host, Provider, of_address
from pbem.app.setup import Plan, secret
from pbem.settings.fields import is_loopback, mail_address, time_zone
from pbem.settings.oauth import DeviceFlow, is_endpoint

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

_TLS: Final = ("tls", "starttls", "none")
_USUAL_TLS: Final = {143: "starttls", 587: "starttls", 25: "starttls"}
_PORTS: Final = {("imap", "tls"): 993, ("imap", "starttls"): 143, ("smtp", "tls"): 465, ("smtp", "starttls"): 587}
_MOST_PORT: Final = 65_535


class Missing(Exception):  # noqa: N818  (it is the answer, not a failure)
    """Nobody can be asked, and this option was not given; the text names it."""


class Wrong(Exception):  # noqa: N818  (as above)
    """An option's value is none; the text says what is expected."""


@dataclass(frozen=True, slots=True)
class Question:
    """`option` is the long option that answers it (without dashes). `hidden`: what is typed is not shown."""

    option: str
    words: str
    default: str | None = None
    hidden: bool = False


@dataclass(slots=True)
class Interview:
    """`given` holds the options by name; `ask` puts a question to the host (None: nobody is there); `tell` shows him a
    line.
    """

    given: Mapping[str, str]
    ask: Callable[[Question], str] | None
    tell: Callable[[str], object]
    missing: list[str] = field(default_factory=list)

    def answer(self, question: Question, check: Callable[[str], Any] = str) -> Any:
        """The answer, checked: `check` gives the clean value or raises ValueError with what is expected.

        Raises Wrong; without anybody to ask an answer that lacks is noted in `missing`, and is None.
        """
        if question.option in self.given:
            try:
                return check(self.given[question.option].strip())
            except ValueError as error:
                raise Wrong(f"--{question.option}: expected {error}") from None
        while self.ask is not None:
            try:
                return check(self.ask(question).strip())
            except ValueError as error:
                self.tell(f"Expected {error}.")
        if question.default is None:
            self.missing.append(f"--{question.option}")
            return None
        return check(question.default)


def draw_up(talk: Interview, sign_in: Callable[[DeviceFlow], str], zone: str) -> Plan:
    """Ask, and make the plan. `sign_in` leads the host through a device flow to a refresh token; `zone` is the
    machine's time zone.

    Raises Wrong, Missing.
    """
    address = talk.answer(Question("address", "The game's mailbox (its address)"), mail_address)
    provider = of_address(address) if address else None
    if provider is not None:
        talk.tell(f"{provider.name}: its servers are known.")
        for step in provider.steps:
            talk.tell(f"  - {step}")
    game = _game(talk, address or "", zone)
    servers, secrets = _servers(talk, address or "", provider, sign_in)
    game["tags"] = talk.given.get("tags") or (provider.tags if provider else "plus")
    values: dict[str, dict[str, Any]] = {
        "game": game,
        "embedded": {"enabled": False},
        **servers,
        "archive": _archive(talk),
        "monitor": {"alerts": _addresses(talk, "alerts", "Who gets a mail when something needs the host", game)},
    }
    values["auth"] = {"mode": provider.auth if provider else "results"}
    if known := talk.given.get("authserv-id") or (provider.authserv_id if provider else ""):
        values["auth"]["authserv_id"] = known
    if talk.missing:
        raise Missing(", ".join(dict.fromkeys(talk.missing)))
    return Plan(values, secrets)


def embedded(talk: Interview, zone: str) -> Plan:
    """The plan of a post office on this machine, whose addresses need only look like some. Raises Wrong, Missing."""
    address = talk.answer(Question("address", "The game's address", "lune@village.example"), mail_address)
    domain = address.rpartition("@")[2]
    defaults = {"list": f"village@{domain}", "storyteller": f"conteur@{domain}"}
    game = _game(Interview({**defaults, **talk.given}, talk.ask, talk.tell), address, zone)
    return Plan({"game": game, "embedded": {"enabled": True}, "archive": _archive(talk)})


def _game(talk: Interview, address: str, zone: str) -> dict[str, Any]:
    return {
        "address": address,
        "list_address": talk.answer(Question("list", "The list's address (all who play read it)"), mail_address),
        "storytellers": _many(
            talk, Question("storyteller", "The storyteller's address (several: separated by commas)")
        ),
        "name": talk.answer(Question("name", "The game's name, as letters show it", "Pleine Lune")),
        "language": talk.answer(Question("language", "The list's language, fr or en", "fr"), _language),
        "timezone": talk.answer(Question("timezone", "The time zone of the executions", zone), time_zone),
    }


def _archive(talk: Interview) -> dict[str, Any]:
    folder = talk.answer(Question("archive", "The folder of the readers' web site", "var/archive"))
    url = talk.answer(Question("archive-url", "Its address on the web, if it has one", ""), _web)
    return {"folder": folder, **({"url": url} if url else {})}


def _addresses(talk: Interview, option: str, words: str, game: Mapping[str, Any]) -> list[str]:
    return _many(talk, Question(option, words, ", ".join(game["storytellers"] or ()))) or []


def _many(talk: Interview, question: Question) -> Any:
    def check(text: str) -> list[str]:
        return [mail_address(one.strip()) for one in text.split(",") if one.strip()]

    return talk.answer(question, check)


# --- servers and logins -------------------------------------------------------------------------------------------


def _servers(
    talk: Interview, address: str, provider: Provider | None, sign_in: Callable[[DeviceFlow], str]
) -> tuple[dict[str, dict[str, Any]], dict[str, str]]:
    """`[imap]` and `[smtp]`, and the secrets to keep."""
    domain = address.rpartition("@")[2]
    read = _server(talk, "imap", provider.imap if provider else None, f"imap.{domain}")
    send = _server(talk, "smtp", provider.smtp if provider else None, f"smtp.{domain}")
    user = talk.given.get("user") or (provider.login(address) if provider else "")
    user = user or talk.answer(Question("user", "The user name there", address or None))
    secrets: dict[str, str] = {}
    way = _oauth(talk, provider, sign_in, secrets) or _password(talk, "password", "mailbox-password", secrets)
    read |= {"user": user, **way}
    send |= {"user": user, **way, "from_name": talk.given.get("name") or "Pleine Lune"}
    if other := talk.given.get("smtp-user"):
        send.pop("oauth", None)
        send |= {"user": other, **_password(talk, "smtp-password", "sending-password", secrets)}
    for server in (read, send):
        if "ca-file" in talk.given:
            server["ca_file"] = talk.given["ca-file"]
    return {"imap": read, "smtp": send}, secrets


def _server(talk: Interview, kind: str, known: Host | None, guess: str) -> dict[str, Any]:
    """Where a server is. The option has the form host, host:port or host:port/tls."""
    if known is not None and kind not in talk.given:
        return {"host": known.name, "port": known.port, "tls": known.tls}
    words = {"imap": "The IMAP server that the mailbox is on", "smtp": "The SMTP server that letters leave by"}[kind]
    default = guess if "." in guess.partition(".")[2] else None
    found = talk.answer(Question(kind, f"{words} (host, host:port or host:port/starttls)", default), _place(kind))
    return dict(found or {})


def _place(kind: str) -> Callable[[str], dict[str, Any]]:
    def check(text: str) -> dict[str, Any]:
        place, slash, tls = text.partition("/")
        host, colon, number = place.rpartition(":") if place.count(":") == 1 else (place, "", "")
        port = int(number) if number.isascii() and number.isdigit() and len(number) < 6 else 0  # noqa: PLR2004
        tls = tls if slash else _USUAL_TLS.get(port, "tls")
        if not host or " " in host or tls not in _TLS or (colon and not 0 < port <= _MOST_PORT):
            raise ValueError(f"{kind}.example.org, {kind}.example.org:{_PORTS[kind, 'tls']} or …:587/starttls")
        if tls == "none" and not is_loopback(host):
            raise ValueError("tls or starttls: no password crosses a network unprotected")
        return {"host": host, "port": port or _PORTS.get((kind, tls), 0), "tls": tls}

    return check


def _password(talk: Interview, option: str, file: str, secrets: dict[str, str]) -> dict[str, Any]:
    """Where the password is, or the password itself, for a file of its own."""
    for kind, key in (("file", "file"), ("env", "env")):
        if place := talk.given.get(f"{option}-{kind}"):
            return {"password": {key: place}}
    if command := talk.given.get(f"{option}-command"):
        return {"password": {"command": command.split()}}
    given = talk.answer(
        Question(option, "The password (an app password, where there are such)", hidden=True), _something
    )
    if given is None:
        talk.missing[-1:] = [f"--{option}-stdin, --{option}-file, --{option}-env or --{option}-command"]
        return {}
    secrets[file] = given
    return {"password": secret(file)}


def _oauth(
    talk: Interview, provider: Provider | None, sign_in: Callable[[DeviceFlow], str], secrets: dict[str, str]
) -> dict[str, Any] | None:
    """OAuth2 where it is asked for, or the provider takes nothing else."""
    access = provider.oauth if provider else None
    if "oauth-client-id" not in talk.given and not (provider and provider.oauth_only):
        return None
    for step in access.steps if access else ():
        talk.tell(f"  - {step}")
    client = talk.answer(Question("oauth-client-id", "The program's client id there"), _something)
    token_url = talk.answer(
        Question("oauth-token-url", "The token endpoint", access.token_url if access else None), _endpoint
    )
    scope = talk.answer(Question("oauth-scope", "The scope", access.scope if access else ""))
    grant: dict[str, Any] = {"token_url": token_url, "client_id": client, "scope": scope}
    if "oauth-client-secret" in talk.given:
        secrets["oauth-client-secret"] = talk.given["oauth-client-secret"]
        grant["client_secret"] = secret("oauth-client-secret")
    device = talk.given.get("oauth-device-url") or (access.device_url if access else "")
    if "oauth-refresh-token" not in talk.given and device and client and token_url and not talk.missing:
        flow = DeviceFlow(_endpoint(device), token_url, client, scope, secrets.get("oauth-client-secret", ""))
        secrets["oauth-refresh-token"] = sign_in(flow)
    else:
        question = Question("oauth-refresh-token", "The refresh token", hidden=True)
        secrets["oauth-refresh-token"] = talk.answer(question, _something)
    return {"oauth": {**grant, "refresh_token": secret("oauth-refresh-token")}}


def _something(text: str) -> str:
    if not text:
        raise ValueError("something")
    return text


def _endpoint(text: str) -> str:
    if not is_endpoint(text):
        raise ValueError("an https address")
    return text


def _web(text: str) -> str:
    if text and not text.startswith(("https://", "http://")):
        raise ValueError("an address such as https://example.org/lune/, or nothing")
    return text


def _language(text: str) -> str:
    if not (text.isascii() and text.isalpha() and text.islower() and len(text) in {2, 3}):
        raise ValueError("fr or en, or another language that you have letters in")
    return text
