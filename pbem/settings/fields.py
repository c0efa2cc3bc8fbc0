"""What a single setting can be (an address, a duration, a weekly moment, a secret …), checked one by one.

The checkers take what TOML or the environment gave, return the clean value, and raise ValueError with the words that
follow "expected" in a `ConfigError`.
"""

from __future__ import annotations

import ipaddress
import os
import re
import subprocess
import zoneinfo
from datetime import time, timedelta
from pathlib import Path
from typing import Any

_ADDRESS = re.compile(r"[A-Za-z0-9._%&'*/=?^{}~-]{1,64}@(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.?)+")
_DURATION = re.compile(r"(\d{1,6})\s*([smhd])")
_UNITS = {"s": "seconds", "m": "minutes", "h": "hours", "d": "days"}
_DAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
_WEEKLY = re.compile(r"([a-z]{3})[a-z]*\s+(\d{1,2}):(\d{2})")
_CLOCK = re.compile(r"(\d{1,2}):(\d{2})")
_COMMAND_SECONDS = 30
_NAME_MAX = 255


class ConfigError(Exception):
    """The configuration cannot be used. Its text is one line for the host: file, key, value, what is expected."""


def mail_address(value: str) -> str:
    """A bare address, lower case, without a sub-address (the game adds its own)."""
    if not _ADDRESS.fullmatch(value) or value.endswith(".") or ".." in value:
        raise ValueError("a mail address such as lune@example.org, without a name and without a + in it")
    return value.lower()


def time_zone(value: str) -> str:
    """A zone of the IANA database, by name."""
    try:
        zoneinfo.ZoneInfo(value)
    except (zoneinfo.ZoneInfoNotFoundError, ValueError, OSError):
        raise ValueError("a time zone by its IANA name, such as Europe/Paris") from None
    return value


def duration(value: Any) -> timedelta:
    """`45s`, `30m`, `24h`, `2d`: elapsed time, not negative (CAL-3, CAL-4)."""
    if isinstance(value, timedelta):
        return value
    match = _DURATION.fullmatch(value.strip().lower()) if isinstance(value, str) else None
    if match is None:
        raise ValueError("a duration such as 45s, 30m, 24h or 2d, between quotes")
    return timedelta(**{_UNITS[match[2]]: int(match[1])})


def duration_word(value: timedelta) -> str:
    """The shortest way to write it: the inverse of `duration`."""
    seconds = int(value.total_seconds())
    for unit, size in (("d", 86_400), ("h", 3_600), ("m", 60)):
        if seconds and seconds % size == 0 and not (unit == "d" and seconds == size):
            return f"{seconds // size}{unit}"
    return f"{seconds}s" if seconds else "0h"


def weekly_time(value: str) -> str:
    """`tue 22:00`: a day of the week in English and a local clock time (CAL-1)."""
    match = _WEEKLY.fullmatch(value.strip().lower())
    if match is None or match[1] not in _DAYS or int(match[2]) > 23 or int(match[3]) > 59:  # noqa: PLR2004
        raise ValueError('a weekly moment such as "tue 22:00" (mon tue wed thu fri sat sun)')
    return f"{match[1]} {int(match[2]):02}:{match[3]}"


def clock_time(value: Any) -> time:
    """`18:00`: a time of the day."""
    if isinstance(value, time):
        return value
    match = _CLOCK.fullmatch(value.strip()) if isinstance(value, str) else None
    if match is None or int(match[1]) > 23 or int(match[2]) > 59:  # noqa: PLR2004
        raise ValueError('a time of the day such as "18:00"')
    return time(int(match[1]), int(match[2]))


def place(value: Path) -> Path:
    """A file or folder as this machine can name one; `~` stands for a home folder that there is."""
    try:
        parts = [os.fsencode(part) for part in value.expanduser().parts]
    except (RuntimeError, UnicodeEncodeError):
        raise ValueError("a path, with ~ before the name of a user of this machine only") from None
    if any(b"\0" in part or len(part) > _NAME_MAX for part in parts):
        raise ValueError(f"a path, whose names have no NUL and at most {_NAME_MAX} bytes")
    return value


def is_loopback(host: str) -> bool:
    """Whether nobody but this machine can reach what listens on that host name or address."""
    if host.lower() == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


class Secret:
    """A password or token, or where to get it; read when used, never shown.

    Made from plain text, `{env = "NAME"}`, `{file = "path"}` or `{command = ["prog", "arg"]}`: of a file, and of what a
    command prints within 30 s, the first line.
    """

    __slots__ = ("_base", "_key", "_source", "_value")

    def __init__(self, source: str, value: str | tuple[str, ...], *, key: str = "", base: Path | None = None) -> None:
        self._source = source
        self._value = value
        self._key = key
        self._base = base or Path()

    @classmethod
    def of(cls, given: Any, *, key: str = "", base: Path | None = None) -> Secret:
        """Read its TOML form. Raises ValueError with what is expected."""
        if isinstance(given, Secret):
            return given
        if isinstance(given, str) and given:
            return cls("text", given)
        if isinstance(given, dict) and len(given) == 1:
            ((source, value),) = given.items()
            if source in {"env", "file"} and isinstance(value, str) and value:
                return cls(source, value, key=key, base=base)
            if source == "command" and _is_command(value):
                return cls(source, tuple(value), key=key, base=base)
        raise ValueError('a secret: text, {env = "NAME"}, {file = "path"} or {command = ["program", "argument"]}')

    def reveal(self) -> str:
        """The secret itself, fetched anew each time (a token may have been renewed). Raises ConfigError."""
        try:
            found = self._fetch()
        except (OSError, subprocess.SubprocessError, UnicodeDecodeError) as error:
            raise ConfigError(f"{self._key}: its {self._source} gave no secret ({type(error).__name__})") from None
        if not found:
            raise ConfigError(f"{self._key}: its {self._source} is empty; expected a secret there")
        return found

    def _fetch(self) -> str:
        match self._source, self._value:
            case "env", str(name):
                return os.environ.get(name, "")
            case "file", str(name):
                return _first_line((self._base / Path(name).expanduser()).read_text("utf-8"))
            case "command", tuple(words):
                done = subprocess.run(  # noqa: S603  (the host's own command)
                    words, capture_output=True, check=True, encoding="utf-8", timeout=_COMMAND_SECONDS, cwd=self._base
                )
                return _first_line(done.stdout)
            case _:
                return str(self._value)

    @property
    def at_hand(self) -> bool:
        """Whether fetching it runs nothing: it is text, or in a variable or a file."""
        return self._source != "command"

    @property
    def file(self) -> Path | None:
        """The file it is read from, if it is one."""
        return self._base / Path(str(self._value)).expanduser() if self._source == "file" else None

    def located(self, key: str, base: Path) -> Secret:
        """The same secret, knowing its key (for messages) and the folder that relative paths start from."""
        return Secret(self._source, self._value, key=key, base=base)

    def __repr__(self) -> str:
        return f"Secret({self._source})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Secret) and (self._source, self._value) == (other._source, other._value)

    def __hash__(self) -> int:
        return hash((self._source, self._value))


def keep_secret(file: Path, text: str) -> None:
    """Write a secret to a file that only its owner may read, all of it or nothing. Raises OSError."""
    file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    draft = file.with_name(f".{file.name}.{os.getpid()}")
    try:
        descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW, 0o600)
        with os.fdopen(descriptor, "w", encoding="utf-8") as written:
            written.write(text + "\n")
            written.flush()
            os.fsync(written.fileno())
        draft.replace(file)
    finally:
        draft.unlink(missing_ok=True)


def _is_command(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and all(isinstance(word, str) for word in value)


def _first_line(text: str) -> str:
    return text.split("\n", 1)[0].strip("\r")
