"""What `pbem doctor` finds, one `Finding` a check, and the words for what goes wrong on the way to a server."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, Final, Literal

from pbem.app.providers import of_server

if TYPE_CHECKING:
    from pbem.mail.probe import Trouble
    from pbem.settings import Imap, Smtp

State = Literal["fine", "advice", "fault", "skipped"]


@dataclass(frozen=True, slots=True)
class Finding:
    """`check` names what was tried; `cause` is a word for what is wrong (`login`, `no-subaddressing` …), or ''.

    `says` is a sentence, `mend` what to do about it, a line each. An `advice` does not keep a game from being played; a
    `fault` does. `skipped`: something before it is in the way.
    """

    check: str
    state: State
    says: str
    cause: str = ""
    mend: tuple[str, ...] = ()
    name: str = ""
    """What was found, where that is a name that a setting could take."""

    def as_json(self) -> dict[str, Any]:
        """For `--json`."""
        return {**asdict(self), "mend": list(self.mend)}


def fine(check: str, says: str) -> Finding:
    """All is well."""
    return Finding(check, "fine", says)


def fault(check: str, cause: str, says: str, *mend: str) -> Finding:
    """No game can be played like that."""
    return Finding(check, "fault", says, cause, mend)


def advice(check: str, cause: str, says: str, *mend: str) -> Finding:
    """It works, but."""
    return Finding(check, "advice", says, cause, mend)


def skipped(check: str, because: str) -> Finding:
    """Not tried."""
    return Finding(check, "skipped", f"not tried: {because}")


_PORTS: Final = {
    "imap": 'Port 993 goes with tls = "tls", port 143 with "starttls".',
    "smtp": 'Port 465 goes with tls = "tls", port 587 with "starttls".',
}
_WORDS: Final[dict[str, tuple[str, ...]]] = {
    "secret": ("{text}", "Put the password where the setting says, or change the setting."),
    "unknown-host": ("there is no server called {host}", "Check {section}.host, and this machine's network."),
    "no-connection": ("{where} takes no connection ({text})", "Check {section}.host and {section}.port.", "{ports}"),
    "no-answer": ("{where} does not answer", "A firewall may be in the way, or the port is wrong.", "{ports}"),
    "certificate-unknown": (
        "the certificate of {where} is signed by nobody whom this machine trusts ({text})",
        "If the server is your own: name the file of its authority's certificate (PEM) as ca_file in [{section}].",
        "If it is a provider's: do not go on; somebody may stand between you and it.",
    ),
    "certificate-name": (
        "the certificate of {where} is made out to another name ({text})",
        "Write the server's name as the provider gives it in {section}.host.",
    ),
    "certificate-old": (
        "the certificate of {where} has run out ({text})",
        "Check this machine's date; if it is right, the server's certificate must be renewed.",
    ),
    "no-tls": ("{where} does not speak TLS like that ({text})", "Check {section}.tls. {ports}"),
    "login": ("{where} refuses the user or the password ({text})", "{steps}"),
    "folder": ("the folder {folder} cannot be opened ({text})", "Check {section}.folder."),
}
"""By kind of trouble: what it is, and how to mend it."""
_NO_STEPS: Final = ("Check {section}.user and {section}.password; with two-factor login you need an app password.",)


def trouble(check: str, section: str, server: Imap | Smtp, found: Trouble) -> Finding:
    """A server cannot be used: `section` is imap or smtp."""
    host, port = server.endpoint
    facts = {
        "text": found.text, "host": host, "where": f"{host}:{port}", "section": section, "ports": _PORTS[section],
        "folder": getattr(server, "folder", ""),
    }  # fmt: skip
    words = [*_WORDS.get(found.kind, ("{where}: {text}",))]
    if words[-1] == "{steps}":
        words[-1:] = _steps(server) or _NO_STEPS
    says, *mend = (line.format(**facts) for line in words)
    return fault(check, found.kind, says, *mend)


def _steps(server: Imap | Smtp) -> tuple[str, ...]:
    known = of_server(server.host)
    if known is None:
        return ()
    by_token = server.oauth is not None and known.oauth is not None
    return known.oauth.steps if by_token and known.oauth else known.steps
