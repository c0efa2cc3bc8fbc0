"""OAuth2 for a mailbox that takes no password: access tokens that renew themselves, and how a host gets the first one.

`Grant` is a `Secret` whose text is an access token. It promises: the token is good for some minutes when it is given,
is asked for anew only when the last one runs out (RFC 6749 § 6), and is shared by reading and sending; a refresh token
that the endpoint replaces is kept in its file, if that is where it came from. `DeviceFlow` is RFC 8628: the host opens
a page on any device, types a short code, and the program gets its refresh token.

Nothing here follows a redirect, and no address but https (or loopback) is ever told a secret.
"""

from __future__ import annotations

import json
import threading
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlencode, urlsplit

from pbem.settings.fields import ConfigError, Secret, is_loopback, keep_secret

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

SECONDS: Final = 30.0
MARGIN: Final = 300.0
"""A token that ends within so many seconds is renewed: a mailbox's session may outlast the moment of its login."""
_LIFETIME: Final = 3600.0
_MOST_BYTES: Final = 100_000
_KEYS: Final = frozenset({"token_url", "client_id", "client_secret", "refresh_token", "scope"})
_EXPECTED: Final = (
    "a secret that prints an access token, or {token_url = …, client_id = …, refresh_token = a secret} "
    "with client_secret and scope where the provider wants them"
)
_turn = threading.Lock()
_known: dict[tuple[object, ...], tuple[str, float, str]] = {}
"""By grant: the access token, the monotonic second at which it ends, and the refresh token last given."""


class Refused(Exception):  # noqa: N818  (it is the endpoint's answer)
    """The endpoint's `error` word (RFC 6749 § 5.2), such as invalid_grant, or what was wrong with its answer."""


class Grant(Secret):
    """An access token from `token_url`, by a refresh token. Equal grants share their token."""

    __slots__ = ("_client_id", "_client_secret", "_refresh", "_scope", "_url")

    def __init__(
        self, url: str, client_id: str, refresh: Secret, *, client_secret: Secret | None, scope: str, key: str = ""
    ) -> None:
        super().__init__("grant", (url, client_id, scope), key=key)
        self._url, self._client_id, self._scope = url, client_id, scope
        self._refresh, self._client_secret = refresh, client_secret

    @classmethod
    def of(cls, given: Any, *, key: str = "", base: Path | None = None) -> Secret:
        """An `oauth` setting: a grant, or any other secret. Raises ValueError with what is expected."""
        if not isinstance(given, dict) or not given.keys() & {"token_url", "refresh_token"}:
            return Secret.of(given, key=key, base=base)
        url, client, scope = (given.get(name, "") for name in ("token_url", "client_id", "scope"))
        fits = given.keys() <= _KEYS and all(isinstance(text, str) for text in (url, client, scope))
        if not fits or not client or not is_endpoint(url) or "refresh_token" not in given:
            raise ValueError(_EXPECTED)
        secret = Secret.of(given["client_secret"]) if "client_secret" in given else None
        return cls(url, client, Secret.of(given["refresh_token"]), client_secret=secret, scope=scope, key=key)

    def reveal(self) -> str:
        """An access token that is good for a while. Raises ConfigError."""
        with _turn:
            token, ends, refresh = _known.get(self._mark, ("", 0.0, ""))
            if token and time.monotonic() < ends - MARGIN:
                return token
            return self._renew(refresh)

    def forget(self) -> None:
        """Ask the endpoint the next time, whatever is known: the mail server did not take the token."""
        with _turn:
            _known.pop(self._mark, None)

    def flow(self, device_url: str) -> DeviceFlow:
        """The way to sign in anew as the same program. Raises ConfigError."""
        secret = self._client_secret.reveal() if self._client_secret else ""
        return DeviceFlow(device_url, self._url, self._client_id, self._scope, secret)

    @property
    def refresh_file(self) -> Path | None:
        """Where the refresh token is kept, if in a file."""
        return self._refresh.file

    def located(self, key: str, base: Path) -> Secret:
        """The same grant, its secrets knowing where they stand."""
        secret = self._client_secret and self._client_secret.located(f"{key}.client_secret", base)
        refresh = self._refresh.located(f"{key}.refresh_token", base)
        return Grant(self._url, self._client_id, refresh, client_secret=secret, scope=self._scope, key=key)

    @property
    def _mark(self) -> tuple[object, ...]:
        return self._url, self._client_id, self._scope, self._refresh

    def _renew(self, last: str) -> str:
        refresh = self._refresh.reveal() if self._refresh.file else last or self._refresh.reveal()
        form = {"grant_type": "refresh_token", "refresh_token": refresh, "client_id": self._client_id}
        if self._client_secret is not None:
            form["client_secret"] = self._client_secret.reveal()
        if self._scope:
            form["scope"] = self._scope
        try:
            answer = post(self._url, form)
            token = _text(answer, "access_token")
        except Refused as why:
            hint = ": sign in anew with pbem init --renew-oauth" if str(why) == "invalid_grant" else ""
            raise ConfigError(f"{self._key}: {_host(self._url)} gives no access token ({why}){hint}") from None
        except OSError as error:
            raise ConfigError(f"{self._key}: {_host(self._url)} does not answer ({_fault(error)})") from None
        renewed = str(answer.get("refresh_token") or refresh)
        _known[self._mark] = token, time.monotonic() + _seconds(answer.get("expires_in"), _LIFETIME), renewed
        self._keep(refresh, renewed)
        return token

    def _keep(self, old: str, new: str) -> None:
        """Some providers give a new refresh token each time, and forget the old one."""
        if new == old or self._refresh.file is None:
            return
        try:
            keep_secret(self._refresh.file, new)
        except OSError as error:
            raise ConfigError(f"{self._key}.refresh_token: its file cannot be written ({error.strerror})") from None

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Grant) and self._mark == other._mark

    def __hash__(self) -> int:
        return hash(self._mark)


@dataclass(frozen=True, slots=True)
class DeviceFlow:
    """Where a device without a browser asks (RFC 8628): the endpoints' addresses and the program's identity there."""

    device_url: str
    token_url: str
    client_id: str
    scope: str
    client_secret: str = ""

    def begin(self) -> Invitation:
        """Ask for a code to show. Raises Refused, OSError."""
        answer = post(self.device_url, {"client_id": self.client_id, "scope": self.scope})
        page = answer.get("verification_uri") or answer.get("verification_url")
        return Invitation(
            code=_text(answer, "user_code"),
            page=str(page or ""),
            device_code=_text(answer, "device_code"),
            interval=_seconds(answer.get("interval"), 5.0),
            seconds=_seconds(answer.get("expires_in"), 900.0),
        )

    def wait(self, invitation: Invitation, pause: Callable[[float], object] = time.sleep) -> str:
        """Ask until the host has said yes in his browser; the refresh token.

        Raises Refused (he said no, or it took too long), OSError.
        """
        form = {
            "grant_type": "urn:ietf:params:oauth:grant-type:device_code",
            "device_code": invitation.device_code,
            "client_id": self.client_id,
        }
        if self.client_secret:
            form["client_secret"] = self.client_secret
        waited, interval = 0.0, invitation.interval
        while waited <= invitation.seconds:
            pause(interval)
            waited += interval
            try:
                return _text(post(self.token_url, form), "refresh_token")
            except Refused as why:
                if str(why) == "slow_down":
                    interval += 5.0
                elif str(why) != "authorization_pending":
                    raise
        raise Refused("expired_token")


@dataclass(frozen=True, slots=True)
class Invitation:
    """What the host is to do: open `page`, type `code`. `interval` and `seconds` say how often and how long to ask."""

    code: str
    page: str
    device_code: str
    interval: float
    seconds: float


def is_endpoint(url: object) -> bool:
    """Whether secrets may be sent to that address: https, or http on this machine."""
    if not isinstance(url, str):
        return False
    try:
        parts = urlsplit(url)
        host = parts.hostname or ""
        return bool(host) and (parts.scheme == "https" or (parts.scheme == "http" and is_loopback(host)))
    except ValueError:
        return False


def post(url: str, form: Mapping[str, str]) -> dict[str, Any]:
    """Send a form, get the JSON object. Raises Refused with the endpoint's word, OSError if it cannot be asked."""
    import urllib.request  # noqa: PLC0415  (slow to load, and most settings need none)
    from urllib.error import HTTPError  # noqa: PLC0415  (as above)

    class Stay(urllib.request.HTTPRedirectHandler):
        def redirect_request(self, *_given: Any) -> None:
            return None

    request = urllib.request.Request(  # noqa: S310  (`is_endpoint` was asked)
        url, urlencode(form).encode(), {"Accept": "application/json"}, method="POST"
    )
    try:
        with urllib.request.build_opener(Stay).open(request, timeout=SECONDS) as answer:
            body = answer.read(_MOST_BYTES)
    except HTTPError as error:
        with error:
            raise Refused(_error(error.read(_MOST_BYTES)) or f"HTTP {error.code}") from None
    found = _json(body)
    if found is None:
        raise Refused("its answer is no JSON object")
    if "error" in found:
        raise Refused(_error(body))
    return found


def _json(body: bytes) -> dict[str, Any] | None:
    try:
        found = json.loads(body)
    except ValueError:
        return None
    return found if isinstance(found, dict) else None


def _error(body: bytes) -> str:
    word = (_json(body) or {}).get("error")
    return word if isinstance(word, str) and word.isprintable() and len(word) <= 80 else ""  # noqa: PLR2004


def _text(answer: Mapping[str, Any], key: str) -> str:
    value = answer.get(key)
    if not isinstance(value, str) or not value:
        raise Refused(f"no {key} in its answer")
    return value


def _seconds(value: Any, otherwise: float) -> float:
    try:
        return max(0.0, float(value))
    except (TypeError, ValueError):
        return otherwise


def _host(url: str) -> str:
    return urlsplit(url).hostname or url


def _fault(error: OSError) -> str:
    reason = getattr(error, "reason", error)
    return str(getattr(reason, "strerror", None) or type(reason).__name__)
