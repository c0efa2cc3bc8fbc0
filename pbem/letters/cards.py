"""The cards of the roles: what a role is called and what its player is told of it (`roles/<slug>/<language>.toml`).

A text of a card may be a table of genders, {m = …, f = …}; whoever asks says for whom. A language without a card for a
role uses the English one.
"""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

from pbem.letters import mistakes
from pbem.letters.mistakes import UnusableError
from pbem.letters.words import FALLBACK

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from pbem.letters.mistakes import Spare


@dataclass(frozen=True, slots=True)
class CardCommand:
    """A power as its card explains it. `until` may hold the fields {execution}, {sunset} and {vision}."""

    verb: str
    example: str
    explains: str
    until: str


@dataclass(frozen=True, slots=True)
class Card:
    """One role's card, in one language and gender."""

    slug: str
    bare: str
    name: str
    indefinite: str
    plural: str
    tagline: str
    does: tuple[str, ...]
    told: tuple[str, ...]
    wins: str
    commands: tuple[CardCommand, ...]


class Cards:
    """The cards in one language; the first of several folders wins, and `spare` has those that cannot be used there."""

    def __init__(self, folders: Sequence[Path], language: str, spare: Spare | None = None) -> None:
        self._spare = spare
        self._folders = tuple(folders)
        self._language = language
        self._read = cache(self._card)

    def __call__(self, slug: str, gender: str = "m") -> Card:
        """The card of a role. Raises KeyError if there is none in any language."""
        try:
            return self._read(slug, gender)
        except Exception as error:
            if self._spare is None:
                raise
            wrong = self._unusable(slug, error)
            return self._spare.instead(wrong, lambda room: room.cards(slug, gender))

    def _unusable(self, slug: str, error: Exception) -> UnusableError:
        if isinstance(error, UnusableError):
            return error
        file = self._folders[0] / "roles" / slug / f"{self._language}.toml"
        return UnusableError(file, f"is no card ({type(error).__name__}: {error})")

    def find(self, text: str) -> str | None:
        """The slug of the role that `text` names, by any of its names; None if it is none."""
        wanted = _folded(text)
        try:
            return self._names().get(wanted) if wanted else None
        except Exception as error:
            if self._spare is None:
                raise
            return self._spare.instead(error, lambda room: room.cards.find(text))

    def _names(self) -> dict[str, str]:
        names: dict[str, str] = {}
        for slug in sorted({path.name for folder in self._folders for path in folder.glob("roles/*") if path.is_dir()}):
            for language in (self._language, FALLBACK):
                table = self._table(slug, language)
                for word in (slug, *(table or {}).get("aliases", ())):
                    names.setdefault(_folded(word), slug)
        return names

    def _table(self, slug: str, language: str) -> dict[str, Any] | None:
        for folder in self._folders:
            path = folder / "roles" / slug / f"{language}.toml"
            if path.is_file():
                return mistakes.table(path)
        return None

    def _card(self, slug: str, gender: str) -> Card:
        table = self._table(slug, self._language) or self._table(slug, FALLBACK)
        if table is None:
            raise KeyError(slug)

        def text(value: Any) -> str:
            return str(value.get(gender, value["m"]) if isinstance(value, dict) else value)

        def texts(key: str) -> tuple[str, ...]:
            return tuple(text(line) for line in table[key])

        return Card(
            slug=slug,
            bare=text(table["bare"]),
            name=text(table["name"]),
            indefinite=text(table["indefinite"]),
            plural=text(table["plural"]),
            tagline=text(table["tagline"]),
            does=texts("does"),
            told=texts("told"),
            wins=text(table["wins"]),
            commands=tuple(_command(command, text) for command in table.get("commands", ())),
        )


def _command(command: dict[str, Any], text: Callable[[Any], str]) -> CardCommand:
    return CardCommand(*(text(command[key]) for key in ("verb", "example", "explains", "until")))


def _folded(text: str) -> str:
    decomposed = unicodedata.normalize("NFKD", text.casefold())
    return "".join(letter for letter in decomposed if letter.isalnum())
