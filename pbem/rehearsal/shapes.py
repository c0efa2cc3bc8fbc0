"""Checks of what a scenario file holds: small functions from a YAML value to what it means, or `ScenarioError`.

A check takes the value (text, list or mapping: all scalars are text) and returns it read, in the type said.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any, TypeVar

T = TypeVar("T")
K = TypeVar("K")
Check = Callable[[Any], T]

_UNITS = {"m": "minutes", "h": "hours", "d": "days"}


class ScenarioError(Exception):
    """The file is no scenario. The text says what is wrong; `step` is the number of the step, 0 for the head."""

    def __init__(self, text: str, step: int = 0) -> None:
        super().__init__(text)
        self.step = step


def word(words: Collection[str], what: str = "word") -> Check[str]:
    """One of `words`."""

    def check(value: Any) -> str:
        if not isinstance(value, str) or value not in words:
            raise ScenarioError(f"unknown {what}: {_shown(value)}")
        return value

    return check


def like(pattern: str, what: str) -> Check[str]:
    """Text that fits the pattern whole; `what` is wanted."""
    compiled = re.compile(pattern, re.DOTALL)

    def check(value: Any) -> str:
        if not isinstance(value, str) or not compiled.fullmatch(value):
            raise ScenarioError(f"{what} is wanted, not {_shown(value)}")
        return value

    return check


text = like(r".*\S.*", "some text")
true = word({"true"}, "value (only `true` may stand here)")
switch: Check[bool] = lambda value: word({"true", "false"}, "value (true or false)")(value) == "true"  # noqa: E731


def number(value: Any) -> int:
    """A whole number from 0."""
    return int(like(r"[0-9]{1,6}", "a whole number")(value))


def length(value: Any) -> timedelta:
    """`30m`, `2h`, `1d`."""
    checked = like(r"[0-9]{1,6}[mhd]", "a duration such as 30m, 2h or 1d")(value)
    return timedelta(**{_UNITS[checked[-1]]: int(checked[:-1])})


def local(value: Any) -> datetime:
    """An ISO date-time without a zone."""
    try:
        found = datetime.fromisoformat(value)
    except (TypeError, ValueError):
        found = None
    if found is None or found.tzinfo is not None:
        raise ScenarioError(f"a local date-time such as 2026-12-07T09:00 is wanted, not {_shown(value)}")
    return found


def many(check: Check[T]) -> Check[tuple[T, ...]]:
    """A list of such."""

    def all_of(value: Any) -> tuple[T, ...]:
        if not isinstance(value, list):
            raise ScenarioError(f"a list is wanted, not {_shown(value)}")
        return tuple(check(item) for item in value)

    return all_of


def pairs(key: Check[K], item: Check[T]) -> Check[dict[K, T]]:
    """A mapping from such to such, in the order of the file."""

    def all_of(value: Any) -> dict[K, T]:
        if not isinstance(value, dict):
            raise ScenarioError(f"a mapping is wanted, not {_shown(value)}")
        return {key(k): item(v) for k, v in value.items()}

    return all_of


def keys(table: Mapping[str, Check[Any]], required: Sequence[str] = ()) -> Check[dict[str, Any]]:
    """A mapping with keys of `table` only, each read by its check, and with those that are required."""

    def all_of(value: Any) -> dict[str, Any]:
        if not isinstance(value, dict):
            raise ScenarioError(f"a mapping is wanted, not {_shown(value)}")
        for key in value:
            if key not in table:
                raise ScenarioError(f"unknown key: {_shown(key)}")
        for key in required:
            if key not in value:
                raise ScenarioError(f"{key} is missing")
        return {k: _under(k, table[k], v) for k, v in value.items()}

    return all_of


def _under(key: str, check: Check[T], value: Any) -> T:
    try:
        return check(value)
    except ScenarioError as fault:
        raise ScenarioError(f"{key}: {fault}") from None


def _shown(value: Any) -> str:
    shown = repr(value) if isinstance(value, str) else f"a {type(value).__name__}"
    return shown if len(shown) <= 80 else shown[:77] + "…'"  # noqa: PLR2004
