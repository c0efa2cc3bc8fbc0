"""`pbem init`: from a handful of answers to a commented `pbem.toml` and, apart from it, the secrets.

What is written is the annotated configuration that comes with the program, line by line, with the answers in place of
its examples; so every setting stands in it with its explanation. It is read back before it is kept: a configuration
that `pbem run` would refuse is never written. Secrets go into files of their own (0600, in a folder that is 0700).
"""

from __future__ import annotations

import json
import os
import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from pbem import settings as configuration
from pbem.settings.fields import keep_secret

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from pbem.settings import Settings

SECRETS: Final = "secrets"
"""The folder of the secrets, beside the configuration."""
_LINE: Final = re.compile(r"(?:# )?([a-z_]+) = (.*)")
_SECTION: Final = re.compile(r"\[([a-z]+)\]")
_COLUMN: Final = 44
_BARE: Final = re.compile(r"[A-Za-z0-9_-]+")


class AlreadyThere(Exception):  # noqa: N818  (it is the answer, not a failure)
    """There is a configuration already; the text is its path."""


@dataclass(frozen=True, slots=True)
class Plan:
    """What to write: `values` by section and key, as TOML would have them; `secrets` by file name."""

    values: Mapping[str, Mapping[str, Any]]
    secrets: Mapping[str, str] = field(default_factory=dict)


def write(plan: Plan, file: Path, *, force: bool = False) -> Settings:
    """Write the configuration and its secrets; the settings as they will be read.

    Raises AlreadyThere (unless `force`), ConfigError if it would be refused, OSError if it cannot be written.
    """
    if file.exists() and not force:
        raise AlreadyThere(str(file))
    text = fill(_headed(configuration.default_path().read_text("utf-8"), plan), plan.values)
    base = file.resolve().parent
    settings = configuration.parse(text, origin=str(file), base=base)
    for name, secret in plan.secrets.items():
        keep_secret(base / SECRETS / name, secret)
    _replace(file, text)
    return settings


def change(file: Path, section: str, key: str, value: Any) -> None:
    """Change one setting of a configuration, its comments kept. Raises ConfigError, OSError."""
    text = file.read_text("utf-8")
    try:
        text = fill(text, {section: {key: value}})
    except KeyError:
        text = _insert(text, section, _line(key, value, ""))
    configuration.parse(text, origin=str(file), base=file.resolve().parent)
    _replace(file, text)


def secret(name: str) -> dict[str, str]:
    """How the configuration refers to a secret that `write` keeps."""
    return {"file": f"{SECRETS}/{name}"}


def fill(text: str, values: Mapping[str, Mapping[str, Any]]) -> str:
    """An annotated configuration with these values, those that are commented out included.

    Raises KeyError for a section or key that has no line there.
    """
    wanted = {(section, key): value for section, keys in values.items() for key, value in keys.items()}
    lines, section = [], ""
    for line in text.splitlines():
        heading, setting = _SECTION.match(line), _LINE.fullmatch(line)
        section = heading[1] if heading else section
        place = (section, setting[1]) if setting else ("", "")
        if setting and place in wanted:
            lines.append(_line(setting[1], wanted.pop(place), _comment(setting[2])))
        else:
            lines.append(line)
    if wanted:
        raise KeyError(", ".join(".".join(place) for place in wanted))
    return "\n".join(lines) + "\n"


def _headed(text: str, plan: Plan) -> str:
    """The annotated file under a heading of its own."""
    head, bullets, rest = text.partition("\n#\n# - ")
    address = plan.values.get("game", {}).get("address", "")
    mine = f"# Pleine Lune: the configuration for {address}, written by pbem init; pbem doctor tries it out."
    return f"{mine}{bullets}{rest}" if address and bullets and head.startswith("#") else text


def _insert(text: str, section: str, line: str) -> str:
    """A setting that the file does not have yet: behind its section's heading, or with one of its own at the end."""
    lines = text.splitlines()
    place = next((n for n, found in enumerate(lines) if found.split("#")[0].strip() == f"[{section}]"), None)
    if place is None:
        lines += ["", f"[{section}]", line]
    else:
        lines.insert(place + 1, line)
    return "\n".join(lines) + "\n"


def toml(value: Any) -> str:
    """A value as TOML, on one line."""
    match value:
        case bool():
            return "true" if value else "false"
        case int() | float():
            return str(value)
        case str():
            return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
        case dict():
            inner = ", ".join(f"{_key(key)} = {toml(item)}" for key, item in value.items())
            return f"{{{inner}}}"
        case _:
            return f"[{', '.join(toml(item) for item in value)}]"


def _key(key: str) -> str:
    return key if _BARE.fullmatch(key) else toml(key)


def _line(key: str, value: Any, comment: str) -> str:
    setting = f"{key} = {toml(value)}"
    return f"{setting:{_COLUMN - 1}} {comment}" if comment else setting


def _comment(rest: str) -> str:
    """The comment behind a value: what follows the first # outside quotation marks."""
    quoted = False
    for place, char in enumerate(rest):
        if char == '"':
            quoted = not quoted
        elif char == "#" and not quoted:
            return rest[place:]
    return ""


def _replace(file: Path, text: str) -> None:
    """All of it or nothing; no link is written through; a new file is its owner's, an old one keeps its rights."""
    file.parent.mkdir(parents=True, exist_ok=True)
    mode = file.stat().st_mode & 0o777 if file.exists() else 0o600
    draft = file.with_name(f".{file.name}.{os.getpid()}")
    try:
        with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode), "w", encoding="utf-8") as written:
            written.write(text)
            written.flush()
            os.fsync(written.fileno())
        draft.replace(file)
    finally:
        draft.unlink(missing_ok=True)
