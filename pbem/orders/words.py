"""Words compared the way people mean them: without case, accents, typographic niceties and invisible characters."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from typing import Final

_INVISIBLE: Final = "\u00ad\u034f\u061c\u180e\u200b\u200c\u200d\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2060\u2061\u2062\u2063\u2064\u2066\u2067\u2068\u2069\ufe0e\ufe0f\ufeff"  # noqa: E501
_SPACES: Final = (
    "\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f\u3000\t\v\f"
)
_PLAIN: Final = str.maketrans(
    dict.fromkeys(_INVISIBLE)
    | dict.fromkeys(_SPACES, " ")
    | dict.fromkeys("‘’‚‛ʼ´`′", "'")
    | dict.fromkeys("“”„‟«»″", '"')
    | dict.fromkeys("‐‑‒−", "-")
    | {"\uff1a": ":", "\uff1e": ">", "\uff01": "!", "\u0153": "oe", "\u0152": "Oe", "\u00e6": "ae", "\u00c6": "Ae"}
)
_PICTURES: Final = frozenset({"So", "Sk"})
"""Emoji and their colours; back quotes and accents that stand alone are of the second sort."""
_SHORT: Final = 100
"""Texts up to this length are remembered."""
_UNSEEN: Final = str.maketrans(dict.fromkeys(_INVISIBLE) | dict.fromkeys(_SPACES, " "))


def spaced(text: str) -> str:
    """`text` with every kind of blank as a plain one and invisible characters gone; line ends stay."""
    return text.translate(_UNSEEN)


def fold(text: str) -> str:
    """`text` for comparison: lower case, no accents, plain quotes and blanks, single spaces."""
    if text.isascii():
        return " ".join(text.lower().split())
    return _fold_short(text) if len(text) <= _SHORT else _fold(text)


def _fold(text: str) -> str:
    combining = unicodedata.combining
    plain = unicodedata.normalize("NFKD", text.translate(_PLAIN))
    return " ".join("".join([char for char in plain if not combining(char)]).casefold().split())


_fold_short = lru_cache(maxsize=4096)(_fold)
"""Names, and the lines that programs write, come again and again."""


def letters(text: str) -> str:
    """Only the letters and digits of `text`, folded: how two names are compared."""
    return "".join(char for char in fold(text) if char.isalnum())


def undecorated(text: str) -> str:
    """`text` without the pictures, back quotes and blanks that stand before and behind its words."""
    start, end = 0, len(text)
    while start < end and (text[start].isspace() or unicodedata.category(text[start]) in _PICTURES):
        start += 1
    while end > start and (text[end - 1].isspace() or unicodedata.category(text[end - 1]) in _PICTURES):
        end -= 1
    return text[start:end]


def tokens(text: str) -> list[str]:
    """The folded words of `text`, punctuation around and between them dropped."""
    return re.findall(r"[^\W_]+(?:['.-][^\W_]+)*", fold(text))


def alternatives(lines: str) -> str:
    """The lines of `lines`, each a regular expression over folded text, as one group of alternatives.

    They are written as people spell: letters that folding takes apart (`й`, Hangul, `で`) are taken apart here too.
    """
    bare = "".join(char for char in unicodedata.normalize("NFKD", lines) if not unicodedata.combining(char))
    return "(?:" + "|".join(line.strip() for line in bare.strip().splitlines() if line.strip()) + ")"
