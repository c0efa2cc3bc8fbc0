"""Roles by any name that a card gives them, in every language and gender (`templates/roles/<slug>/<language>.toml`)."""

from __future__ import annotations

import tomllib
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from pbem import resources
from pbem.engine.roles import ROSTER
from pbem.orders.words import letters

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

_NAMING = ("bare", "name", "indefinite", "plural", "aliases")


@lru_cache(maxsize=1)
def names() -> Mapping[str, str]:
    """Every folded name and the slug it means; a slug wins over a name, an earlier role over a later one."""
    found = {letters(slug): slug for slug in ROSTER}
    for slug in ROSTER:
        for path in sorted((resources.templates_dir() / "roles" / slug).glob("??.toml")):
            for word in _words(tomllib.loads(path.read_text("utf-8"))):
                found.setdefault(letters(word), slug)
    return found


def _words(card: Mapping[str, Any]) -> Iterator[str]:
    for key in _NAMING:
        value = card.get(key, ())
        yield from value.values() if isinstance(value, dict) else [value] if isinstance(value, str) else value


def find(text: str) -> str | None:
    """The slug of the role that `text` names (accents, case, punctuation and spacing free); None if it is none."""
    return names().get(letters(text[:100])) if letters(text[:100]) else None
