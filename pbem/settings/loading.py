"""From a TOML file and `PBEM_…` variables to `Settings`, or to one line that says what is wrong.

The environment wins over the file: `PBEM_SMTP_PORT=587` is `port` in `[smtp]`; a value that starts with `[` or `{` is
read as TOML. Relative paths are taken from the configuration file's folder; for the default configuration that comes
with the program, from the current folder (the program's own may be read-only).
"""

from __future__ import annotations

import difflib
import os
import tomllib
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from pydantic import ValidationError

from pbem import resources
from pbem.settings.fields import ConfigError, Secret
from pbem.settings.sections import Section, Server, Settings

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pydantic_core import ErrorDetails

_PREFIX = "PBEM_"
_HIDDEN = frozenset({"imap.password", "smtp.password", "imap.oauth", "smtp.oauth", "database.url"})
_SQLITE = "sqlite:///"
_SHOWN = 60

ServerT = TypeVar("ServerT", bound=Server)


def default_path() -> Path:
    """The annotated configuration that comes with the program, and works as it stands."""
    return resources.config_dir() / "pbem.toml"


def load(
    path: Path | str | None = None, environ: Mapping[str, str] | None = None, *, reading_only: bool = False
) -> Settings:
    """Read the file (None: the default one) and the environment (None: the process's).

    With `reading_only` it is enough to know the game's address: nothing will be fetched, sent or kept (`pbem explain`).

    Raises ConfigError if the file cannot be read or a setting is unknown, missing, or not as expected.
    """
    file = Path(path) if path is not None else default_path()
    try:
        text = file.read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "not UTF-8"
        raise ConfigError(f"{file}: cannot be read ({reason}); expected a TOML file") from None
    base = Path.cwd() if file.resolve() == default_path().resolve() else file.resolve().parent
    variables = os.environ if environ is None else environ
    return parse(text, origin=str(file), base=base, environ=variables, reading_only=reading_only)


def parse(
    text: str, *, origin: str, base: Path, environ: Mapping[str, str] | None = None, reading_only: bool = False
) -> Settings:
    """The same from text: `origin` names it in messages, `base` is the folder that relative paths start from."""
    try:
        given = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise ConfigError(f"{origin}: is not TOML: {_one_line(str(error))}") from None
    variables = _overlay(given, environ or {}, origin)
    if reading_only:
        _suppose(given)
    try:
        settings = Settings.model_validate(given)
    except ValidationError as error:
        raise ConfigError(_explain(error, given, variables, origin)) from None
    if not reading_only:
        _check_servers(settings, origin)
    placed = _placed(settings, base, origin)
    placed._origin, placed._variables = origin, variables  # noqa: SLF001  (its own package made it)
    return placed


def _suppose(given: dict[str, Any]) -> None:
    """Who else writes and is written to matters little where a mail is only read: supposed, if not said."""
    game = given.get("game")
    if isinstance(game, dict) and isinstance(game.get("address"), str):
        domain = game["address"].rpartition("@")[2]
        game.setdefault("list_address", f"village@{domain}")
        game.setdefault("storytellers", [f"conteur@{domain}"])


def _overlay(given: dict[str, Any], environ: Mapping[str, str], origin: str) -> dict[str, str]:
    """Lay the environment over what the file gave; return which variable gave which key."""
    used = {}
    for name in sorted(environ):
        section, _, key = name.removeprefix(_PREFIX).lower().partition("_")
        if not name.startswith(_PREFIX) or not key or section not in Settings.model_fields:
            continue
        table = given.setdefault(section, {})
        if not isinstance(table, dict):
            raise ConfigError(f"{origin}: {section} = {_shown(section, table)}: expected a section [{section}]")
        table[key] = _variable(name, environ[name])
        used[f"{section}.{key}"] = name
    return used


def _variable(name: str, value: str) -> Any:
    if not value.startswith(("[", "{")):
        return value
    try:
        return tomllib.loads(f"value = {value}")["value"]
    except tomllib.TOMLDecodeError:
        raise ConfigError(f"environment {name}: not a TOML value; expected text, [a list] or {{a table}}") from None


def _explain(error: ValidationError, given: dict[str, Any], variables: dict[str, str], origin: str) -> str:
    """One line for the first thing that is wrong."""
    first = _first(error.errors(include_url=False))
    path = [str(part) for part in first["loc"][:2]]
    words = _words(first)
    if len(path) == 1 and first["type"] == "value_error" and ": " in words:  # two keys that do not fit together
        key, _, words = words.partition(": ")
        path.append(key)
    key = ".".join(path)
    where = f"environment {variables[key]}" if key in variables else f"{origin}: {key}"
    if first["type"] == "extra_forbidden":
        return f"{where}: no such setting; expected {_nearest(path)}"
    if first["type"] == "missing":
        return f"{where} is missing; expected {_expected(path, words)}"
    return f"{where} = {_shown(key, _value(given, path))}: expected {_expected(path, words)}"


def _first(errors: list[ErrorDetails]) -> ErrorDetails:
    """What to tell: of a needed setting that is missing, rather the one beside it that looks like it misspelt."""
    first = errors[0]
    if first["type"] == "missing":
        *place, name = first["loc"]
        for other in errors:
            path = [str(part) for part in other["loc"]]
            if other["type"] == "extra_forbidden" and path[:-1] == place and _nearest_name(path) == name:
                return other
    return first


def _words(error: ErrorDetails) -> str:
    """The checker's own words (they say what is expected) or nothing."""
    return _one_line(str(error.get("ctx", {}).get("error", ""))) if error["type"] == "value_error" else ""


def _expected(path: list[str], words: str) -> str:
    if words:
        return words.removeprefix("expected ")
    annotation = Settings.model_fields[path[0]].annotation
    if len(path) == 1 or not (isinstance(annotation, type) and issubclass(annotation, Section)):
        return f"a section [{path[0]}]"
    field = annotation.model_fields[path[1]]
    simple: dict[Any, str] = {bool: "true or false", Path: "a path", str: "text"}
    return field.description or simple.get(field.annotation, "another value")


def _nearest(path: list[str]) -> str:
    """The setting that was meant, or all that there are at that place."""
    shape = "[{}]" if len(path) == 1 else f"{path[0]}.{{}}"
    near = _nearest_name(path)
    return shape.format(near) if near else "one of " + ", ".join(shape.format(key) for key in _known(path))


def _nearest_name(path: list[str]) -> str:
    """The name at that place that looks most like it; "" if none does."""
    near = difflib.get_close_matches(path[-1].lower(), _known(path), 1, 0.5)
    return near[0] if near else ""


def _known(path: list[str]) -> list[str]:
    """The names that there are at that place."""
    if len(path) == 1:
        return list(Settings.model_fields)
    annotation = Settings.model_fields[path[0]].annotation
    assert isinstance(annotation, type) and issubclass(annotation, Section)  # noqa: PT018
    return list(annotation.model_fields)


def _value(given: Any, path: list[str]) -> Any:
    for part in path:
        given = given.get(part) if isinstance(given, dict) else None
    return given


def _shown(key: str, value: Any) -> str:
    if key in _HIDDEN:
        return "(not shown)"
    text = f'"{value}"' if isinstance(value, str) else str(value)
    return _one_line(text)[:_SHOWN]


def _one_line(text: str) -> str:
    return " ".join(text.split())


def _check_servers(settings: Settings, origin: str) -> None:
    """Without the embedded post office, both servers must be named and must know us."""
    if settings.embedded.enabled:
        return
    for name, server in (("imap", settings.imap), ("smtp", settings.smtp)):
        if not server.host:
            raise ConfigError(f"{origin}: {name}.host is missing; expected a host name (or embedded.enabled = true)")
    if not settings.imap.user or (settings.imap.password is None and settings.imap.oauth is None):
        raise ConfigError(f"{origin}: imap.user and imap.password (or imap.oauth) are needed to read the mailbox")


def _placed(settings: Settings, base: Path, origin: str) -> Settings:
    """The same with every relative path made absolute and every secret told where it stands."""
    return settings.model_copy(
        update={
            "imap": _server(settings.imap, "imap", base, origin),
            "smtp": _server(settings.smtp, "smtp", base, origin),
            "database": settings.database.model_copy(update={"url": _database(settings.database.url, base)}),
            "embedded": settings.embedded.model_copy(update={"maildirs": _path(settings.embedded.maildirs, base)}),
            "letters": settings.letters.model_copy(
                update={"templates": settings.letters.templates and _path(settings.letters.templates, base)}
            ),
            "archive": settings.archive.model_copy(
                update={"folder": settings.archive.folder and _path(settings.archive.folder, base)}
            ),
        }
    )


def _server(server: ServerT, name: str, base: Path, origin: str) -> ServerT:
    changes: dict[str, Any] = {}
    for key in ("password", "oauth"):
        secret = getattr(server, key)
        if isinstance(secret, Secret):
            changes[key] = secret.located(f"{origin}: {name}.{key}", base)
    if server.ca_file is not None:
        changes["ca_file"] = _path(server.ca_file, base)
    return server.model_copy(update=changes)


def _path(path: Path, base: Path) -> Path:
    return base / path.expanduser()


def _database(url: str, base: Path) -> str:
    file = url.removeprefix(_SQLITE)
    if file == url or not file or file.startswith((":memory:", "/")):
        return url
    return f"{_SQLITE}{base / Path(file).expanduser()}"
