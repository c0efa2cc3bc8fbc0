"""The words of the letters: a gettext catalogue a language, and the languages there are.

A catalogue is `words/<language>/LC_MESSAGES/letters.po` in a folder of templates; it is read and compiled in memory.
Entries have a context (`verb`, `phase`, `label` …) and a short key; texts take fields in braces. What a language
lacks is said in English. A language exists as soon as its folder does: no program text names one.
"""

from __future__ import annotations

import gettext
from io import BytesIO
from typing import TYPE_CHECKING

from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po

from pbem.letters.elision import Elision
from pbem.letters.mistakes import UnusableError

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from pbem.letters.mistakes import Spare

FALLBACK = "en"


def languages(folders: Sequence[Path]) -> tuple[str, ...]:
    """The languages that letters can be written in, in alphabetical order."""
    found = {path.parts[-3] for folder in folders for path in folder.glob("words/*/LC_MESSAGES/letters.po")}
    return tuple(sorted(found))


class Words:
    """One language's catalogue; the first of several folders wins (a host's own, then the program's)."""

    def __init__(self, folders: Sequence[Path], language: str, spare: Spare | None = None) -> None:
        self.language = language
        self._folders = tuple(folders)
        self._spare = spare
        self._keys: set[tuple[str, str]] = set()
        self._said: dict[tuple[str, str], str] = {}
        self._catalogues: list[gettext.NullTranslations] = []
        for code in dict.fromkeys((language, FALLBACK)):
            for folder in folders:
                self._load(folder / "words" / code / "LC_MESSAGES" / "letters.po")
        for first, second in zip(self._catalogues, self._catalogues[1:], strict=False):
            first.add_fallback(second)
        if not self._catalogues:
            raise FileNotFoundError(f"no words in {language!r}")
        self.elision = Elision(*(self.get("elision", key) for key in ("words", "before", "but")))

    def _load(self, path: Path) -> None:
        if not path.is_file():
            return
        with path.open("rb") as file:
            catalogue = read_po(file)
        self._keys |= {(str(m.context or ""), m.id if isinstance(m.id, str) else m.id[0]) for m in catalogue if m.id}
        compiled = BytesIO()
        write_mo(compiled, catalogue)
        compiled.seek(0)
        self._catalogues.append(gettext.GNUTranslations(compiled))

    def __call__(self, context: str, key: str, **fields: object) -> str:
        """The word for `key`. Raises KeyError if no catalogue has it: a letter is never sent with a gap."""
        text = self._said.get((context, key)) or self._look_up(context, key)
        if not fields:
            return text
        try:
            return self.elision.fitted(text, fields).format_map(fields)
        except Exception as error:
            if self._spare is None:
                raise
            wrong = self._unusable(context, key, text, error)
            return self._spare.instead(wrong, lambda room: room.words(context, key, **fields))

    def _unusable(self, context: str, key: str, text: str, error: Exception) -> UnusableError:
        file = self._folders[0] / "words" / self.language / "LC_MESSAGES" / "letters.po"
        return UnusableError(file, f"{text!r} ({context}, {key}) cannot be filled in ({type(error).__name__})")

    def _look_up(self, context: str, key: str) -> str:
        if (context, key) not in self._keys:
            raise KeyError((context, key, self.language))
        text = self._said[context, key] = self._catalogues[0].pgettext(context, key)
        return text

    def get(self, context: str, key: str) -> str:
        """The word for `key`, or '' if there is none: for what a language may do without."""
        return self(context, key) if self.has(context, key) else ""

    def gendered(self, context: str, key: str, gender: str, **fields: object) -> str:
        """The word in the form of that gender, where the language has one (its key ends in `|f`)."""
        variant = f"{key}|{gender}"
        return self(context, variant if (context, variant) in self._keys else key, **fields)

    def count(self, key: str, n: int) -> str:
        """So many of something, in words: `count("hour", 3)` is "3 hours". The plural key is the singular and an s."""
        if ("count", key) not in self._keys:
            raise KeyError(("count", key, self.language))
        text = self._catalogues[0].npgettext("count", key, f"{key}s", n)
        try:
            return text.format(n=n)
        except Exception as error:
            if self._spare is None:
                raise
            wrong = self._unusable("count", key, text, error)
            return self._spare.instead(wrong, lambda room: room.words.count(key, n))

    def has(self, context: str, key: str) -> bool:
        """Whether there is a word for that key."""
        return (context, key) in self._keys
