"""`pbem init`: the questions on the terminal, the options, and the device sign-in."""

# ruff: noqa: FBT002  (that is how typer declares a flag)

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NoReturn

import typer
from rich.markup import escape

from pbem.cli.screen import CONFIG_FILE, fail, load, program, say

if TYPE_CHECKING:
    from pbem.app.interview import Question
    from pbem.settings import Settings
    from pbem.settings.oauth import DeviceFlow

_EXAMPLE = (
    "Example: pbem init   (asks);   pbem init --address lune@example.org --list village@lists.example.org "
    "--storyteller you@example.org --imap imap.example.org --smtp smtp.example.org --password-file lune.secret"
)


def add_to(app: typer.Typer) -> None:
    """The command of this module."""
    app.command(epilog=_EXAMPLE)(init)


def _flag(words: str) -> typer.models.OptionInfo:
    return typer.Option(help=words, show_default=False)  # type: ignore[no-any-return]


def init(  # noqa: PLR0917  (each option is a parameter)
    output: Annotated[Path, typer.Option("--output", "-o", help="The file to write.", dir_okay=False)] = Path(
        CONFIG_FILE
    ),
    force: Annotated[bool, typer.Option("--force", help="Write over a file that is there.")] = False,
    no_input: Annotated[
        bool, typer.Option("--no-input", help="Ask nothing; the default of what is not given.")
    ] = False,
    embedded: Annotated[
        bool, typer.Option("--embedded", help="The program is its own post office, on this machine alone.")
    ] = False,
    address: Annotated[str | None, _flag("The game's mailbox. Common providers' servers are known.")] = None,
    list_: Annotated[str | None, typer.Option("--list", help="The list's address.", show_default=False)] = None,
    storyteller: Annotated[list[str] | None, _flag("The storyteller's address; may be repeated.")] = None,
    name: Annotated[str | None, _flag("The game's name.")] = None,
    language: Annotated[str | None, _flag("The list's language, fr or en.")] = None,
    timezone: Annotated[str | None, _flag("The time zone, such as Europe/Paris; else this machine's.")] = None,
    imap: Annotated[str | None, _flag("The IMAP server: host, host:port or host:port/starttls.")] = None,
    smtp: Annotated[str | None, _flag("The SMTP server, likewise.")] = None,
    ca_file: Annotated[str | None, _flag("Certificates (PEM) to trust, not the system's.")] = None,
    user: Annotated[str | None, _flag("The user name at both servers.")] = None,
    password_stdin: Annotated[
        bool, typer.Option("--password-stdin", help="Read the password from standard input, and keep it apart.")
    ] = False,
    password_file: Annotated[str | None, _flag("The password is the first line of this file.")] = None,
    password_env: Annotated[str | None, _flag("The password is in this variable.")] = None,
    password_command: Annotated[str | None, _flag("This command prints the password.")] = None,
    smtp_user: Annotated[str | None, _flag("Another user name for sending.")] = None,
    smtp_password_file: Annotated[str | None, _flag("His password's file.")] = None,
    smtp_password_env: Annotated[str | None, _flag("His password's variable.")] = None,
    oauth_client_id: Annotated[str | None, _flag("Sign in by OAuth2, as this client.")] = None,
    oauth_client_secret: Annotated[str | None, _flag("A file with its secret, if it has one.")] = None,
    oauth_refresh_token: Annotated[str | None, _flag("A file with a refresh token; else you sign in now.")] = None,
    oauth_token_url: Annotated[str | None, _flag("The token endpoint, if it is not known.")] = None,
    oauth_device_url: Annotated[str | None, _flag("The device endpoint, if it is not known.")] = None,
    oauth_scope: Annotated[str | None, _flag("The scope, if it is not known.")] = None,
    archive: Annotated[str | None, _flag("The folder of the readers' web site.")] = None,
    archive_url: Annotated[str | None, _flag("Its address on the web.")] = None,
    alerts: Annotated[str | None, _flag("Who gets a mail when something needs the host; else the storyteller.")] = None,
    tags: Annotated[str | None, _flag("plus, or subject where the mailbox has no sub-addressing.")] = None,
    authserv_id: Annotated[str | None, _flag("The server's name in Authentication-Results, if you know it.")] = None,
    renew_oauth: Annotated[
        bool, typer.Option("--renew-oauth", help="Only sign in anew, for a configuration that is there.")
    ] = False,
) -> None:
    """Write a commented pbem.toml, and the secrets apart from it. Then: pbem doctor.

    Exit code 2: something is missing or wrong, and nothing was written.
    """
    if renew_oauth:
        _renew(output)
        return
    given = {
        "address": address, "list": list_, "storyteller": ",".join(storyteller) if storyteller else None, "name": name,
        "language": language, "timezone": timezone, "imap": imap, "smtp": smtp, "ca-file": ca_file, "user": user,
        "password": _first_line(sys.stdin.read()) if password_stdin else None, "password-file": password_file,
        "password-env": password_env, "password-command": password_command, "smtp-user": smtp_user,
        "smtp-password-file": smtp_password_file, "smtp-password-env": smtp_password_env,
        "oauth-client-id": oauth_client_id, "oauth-client-secret": _read(oauth_client_secret, "oauth-client-secret"),
        "oauth-refresh-token": _read(oauth_refresh_token, "oauth-refresh-token"), "oauth-token-url": oauth_token_url,
        "oauth-device-url": oauth_device_url, "oauth-scope": oauth_scope, "archive": archive,
        "archive-url": archive_url, "alerts": alerts, "tags": tags, "authserv-id": authserv_id,
    }  # fmt: skip
    base = output.resolve().parent
    for option in ("password-file", "smtp-password-file", "ca-file"):
        given[option] = _beside(given[option], base)
    asks = not no_input and not password_stdin and sys.stdin.isatty()
    _run({key: value for key, value in given.items() if value is not None}, output, asks, embedded, force)


def _beside(file: str | None, base: Path) -> str | None:
    """A file named from here as the configuration names it: from its own folder, or in full."""
    if file is None:
        return None
    place = Path(file).expanduser().resolve()
    return str(place.relative_to(base) if place.is_relative_to(base) else place)


def _run(given: dict[str, str], output: Path, asks: bool, embedded: bool, force: bool) -> None:  # noqa: FBT001
    from pbem.app import interview, setup  # noqa: PLC0415  (other commands need none of it)

    if output.exists() and not force:
        fail(f"{output}: is there already; expected another --output, or --force")
    talk = interview.Interview(given, _ask if asks else None, lambda line: say(escape(line)))
    try:
        plan = interview.embedded(talk, _zone()) if embedded else interview.draw_up(talk, _sign_in, _zone())
        settings = setup.write(plan, output, force=force)
    except interview.Missing as options:
        fail(f"nobody can be asked; expected the options {options}")
    except interview.Wrong as error:
        fail(str(error))
    except OSError as error:
        elsewhere = error.filename and Path(error.filename).parent.resolve() != output.parent.resolve()
        fail(f"{error.filename if elsewhere else output}: cannot be written ({error.strerror})")
    _told(settings, output, plan.secrets)


def _told(settings: Settings, output: Path, secrets: object) -> None:
    apart = ", and the secrets in secrets/, readable by you alone" if secrets else ""
    say(f"Written: [bold]{escape(str(output))}[/]{apart}")
    option = "" if str(output) == CONFIG_FILE else f" --config {output}"
    pbem = escape(program())
    if not settings.embedded.enabled:
        say(f"Now try it out:  {pbem} doctor{escape(option)}")
    say(f"Then:            {pbem} run{escape(option)}")


def _ask(question: Question) -> str:
    return str(
        typer.prompt(
            question.words, default=question.default, hide_input=question.hidden, show_default=bool(question.default)
        )
    )


def _zone() -> str:
    """This machine's time zone, by its IANA name."""
    from pbem.settings.fields import time_zone  # noqa: PLC0415  (used here alone)

    linked = str(Path("/etc/localtime").resolve()).partition("zoneinfo/")[2]
    for name in (_first_line(_text(Path("/etc/timezone"))), linked):
        try:
            if name and name not in {"Etc/UTC", "UTC"}:
                return time_zone(name)
        except ValueError:
            continue
    return "Europe/Paris"


# --- OAuth2 ---------------------------------------------------------------------------------------------------------


def _sign_in(flow: DeviceFlow) -> str:
    """Lead the host through the device flow."""
    from pbem.settings.oauth import Refused  # noqa: PLC0415  (used here alone)

    try:
        invitation = flow.begin()
        say(f"Open [bold]{escape(invitation.page)}[/] and type the code [bold]{escape(invitation.code)}[/]. Waiting …")
        return flow.wait(invitation)
    except Refused as why:
        fail(f"signing in failed: {why}", 1)
    except OSError as error:
        _unreachable(error)


def _unreachable(error: OSError) -> NoReturn:
    fail(f"signing in failed: the provider does not answer ({getattr(error, 'reason', error)})", 1)


def _renew(file: Path) -> None:
    """Sign in anew: the configuration stays as it is."""
    from pbem.app.providers import of_address, of_server  # noqa: PLC0415  (as in `_run`)
    from pbem.settings.fields import keep_secret  # noqa: PLC0415  (as above)
    from pbem.settings.oauth import Grant  # noqa: PLC0415  (as above)

    settings = load(file)
    grant = settings.imap.oauth
    if not isinstance(grant, Grant) or grant.refresh_file is None:
        fail(f"{file}: imap.oauth: expected {{token_url = …, refresh_token = {{file = …}}}} to sign in anew")
    provider = of_server(settings.imap.host) or of_address(settings.game.address)
    access = provider.oauth if provider else None
    if access is None or not access.device_url:
        unknown = "it is not known how to sign in there"
        fail(f"{settings.imap.host}: {unknown}; put a refresh token into {grant.refresh_file}")
    keep_secret(grant.refresh_file, _sign_in(grant.flow(access.device_url)))
    say(f"Signed in: {escape(str(grant.refresh_file))}")


def _read(file: str | None, option: str) -> str | None:
    if file is None:
        return None
    try:
        return _first_line(Path(file).read_text("utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        fail(f"--{option}: {file} cannot be read ({getattr(error, 'strerror', None) or 'not UTF-8'})")


def _text(file: Path) -> str:
    try:
        return file.read_text("utf-8")
    except (OSError, UnicodeDecodeError):
        return ""


def _first_line(text: str) -> str:
    return text.split("\n", 1)[0].strip("\r")
