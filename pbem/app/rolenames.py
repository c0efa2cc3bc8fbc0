"""Roles by any name that a card gives them, in every language and gender (`templates/roles/<slug>/<language>.toml`)."""

from __future__ import annotations

import re
import tomllib
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from pbem import resources
from pbem.engine.roles import ROSTER
from pbem.orders.words import letters

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

_NAMING = ("bare", "name", "indefinite", "plural", "aliases")
_LONGEST_RUN = 4
"""Words of the longest role's name."""


@lru_cache(maxsize=1)
def names() -> Mapping[str, str]:
    """Every folded name and the slug it means; a slug wins over a name, an earlier role over a later one."""
    return _named(_NAMING)


@lru_cache(maxsize=4)
def _named(keys: tuple[str, ...]) -> Mapping[str, str]:
    found = {letters(slug): slug for slug in ROSTER}
    for slug in ROSTER:
        for path in sorted((resources.templates_dir() / "roles" / slug).glob("??.toml")):
            for word in _words(tomllib.loads(path.read_text("utf-8")), keys):
                found.setdefault(letters(word), slug)
    return found


def _words(card: Mapping[str, Any], keys: tuple[str, ...]) -> Iterator[str]:
    for key in keys:
        value = card.get(key, ())
        yield from value.values() if isinstance(value, dict) else [value] if isinstance(value, str) else value


def find(text: str) -> str | None:
    """The slug of the role that `text` names (accents, case, punctuation and spacing free); None if it is none."""
    return names().get(letters(text[:100])) if letters(text[:100]) else None


def boasted(name: str) -> bool:
    """Whether a player's name says a role ("Bruno, loup-garou"): in a list it would read as one revealed.

    Only the role's proper name counts: Wolf, Marchand and Voisin are names of people.
    """
    pieces = re.findall(r"[^\W_]+", name)
    runs = ("".join(pieces[at:end]) for at in range(len(pieces)) for end in range(at + 1, at + 1 + _LONGEST_RUN))
    return any(letters(run) in _named(("bare",)) for run in runs)
