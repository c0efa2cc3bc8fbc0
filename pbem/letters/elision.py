"""What a small word loses before a name: "de" and Alice make "d’Alice", "de" and Bruno do not.

Which words, and before which beginnings, is data of a language's catalogue (context `elision`): `words` that lose their
last letter, `before` the letters that make them do so, `but` the beginnings of words that do not count, whatever letter
they begin with (in French the aspirated h, and y before a vowel). A language without them elides nothing.
"""

from __future__ import annotations

import re
import unicodedata
from typing import TYPE_CHECKING, TypeVar

from markupsafe import Markup

if TYPE_CHECKING:
    from collections.abc import Mapping

TextT = TypeVar("TextT", bound=str)
APOSTROPHE = "\u2019"
_LIGATURES = str.maketrans({"œ": "oe", "æ": "ae"})
_NO_LETTER = re.compile(r"[\W_]+")


class Elision:
    """One language's: `words`, `before` and `but` as above, each a row of words or letters with spaces between."""

    def __init__(self, words: str = "", before: str = "", but: str = "") -> None:
        self._words = frozenset(words.split())
        self._before = tuple(before.split())
        self._but = tuple(but.split())
        one_of = "|".join(sorted(map(re.escape, self._words)))
        self._joint = re.compile(rf"\b({one_of}) \{{(\w+)\}}", re.IGNORECASE) if one_of else None

    def joined(self, word: str, name: TextT) -> TextT:
        """`word` and `name` (text, or a piece of a letter), with a space between them or without: "de Bruno",
        "d’Alice".
        """
        return type(name)(f"{self._cut(word)}{name}" if self._elides(word, name) else f"{word} {name}")

    def fitted(self, text: str, fields: Mapping[str, object]) -> str:
        """A text of the catalogue, its words cut where a field follows that begins so: "de {one}", "d’{one}"."""

        def cut(found: re.Match[str]) -> str:
            word, field = found[1], found[2]
            return f"{self._cut(word)}{{{field}}}" if self._elides(word, fields.get(field, "")) else found[0]

        return self._joint.sub(cut, text) if self._joint else text

    def _cut(self, word: str) -> str:
        return f"{word[:-1]}{APOSTROPHE}"

    def _elides(self, word: str, name: object) -> bool:
        if word.lower() not in self._words:
            return False
        text = name.striptags() if isinstance(name, Markup) else str(name)
        beginning = _folded(text)
        return beginning.startswith(self._before) and not beginning.startswith(self._but)


def _folded(text: str) -> str:
    """Its first letters, small and without accents."""
    decomposed = unicodedata.normalize("NFKD", text[:24].lower().translate(_LIGATURES))
    return _NO_LETTER.sub("", "".join(letter for letter in decomposed if not unicodedata.combining(letter)))
