"""Names of players in people's words (MAIL.md § 2, *Names*): accents, case, punctuation and inner spacing are free.

A beginning that is unique among all seats will do, an exact name wins over it, a seat number stands for its player.
Something close is never taken, only suggested.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from rapidfuzz import fuzz, process

from pbem.engine.roles import ADMIN_LEXICON, LEXICON
from pbem.orders.words import fold, letters, spaced, tokens

if TYPE_CHECKING:
    from collections.abc import Sequence

LONGEST: Final = 40
"""Characters of the longest name that JOIN takes."""
ANYONE: Final = frozenset({"anyone", "quiconque"})
SEPARATOR_WORDS: Final = frozenset({"contre", "against", "pour", "for", "et", "and", "with", "par"})
_SEPARATOR: Final = re.compile(
    r" ?(?:->|=>|\u2192|\u21d2|[/,&]) ?| (?:contre|against|pour|for|et|and|with|par) ", re.IGNORECASE
)
_HOLDS: Final = re.compile(r"->|=>|\u2192|\u21d2|[/,&]")
_FORBIDDEN: Final = re.compile(r"[\x00-\x1f<>@\uff20\ufe6b\[\]{}:;!?\"|\\=#*_]")
_OFFICES: Final = frozenset(
    letters(words)
    for words in """
    admin|conteur|le conteur|conteuse|la conteuse|maître du jeu|mj|storyteller|the storyteller|narrateur|le narrateur
    |narrator|the narrator|game master|gamemaster|gm|pleine lune|full moon|le village|the village|village|le maire
    |the mayor
    """.replace("\n", "").split("|")
)
"""Who speaks for the game, or for all: nobody is called so."""
_UNSEEN_LETTERS: Final = frozenset("\u115f\u1160\u3164\uffa0\u2800")
"""Letters by Unicode's account that show as nothing."""
_UNSEEN: Final = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
_MARKS: Final = 2
"""Marks that one letter may bear; more make a heap over the lines beside it."""
_WRITTEN_TOGETHER: Final = frozenset({"CJK", "HIRAGANA", "KATAKANA", "HANGUL", "BOPOMOFO", "KATAKANA-HIRAGANA"})
_VERBS: Final = frozenset(fold(word) for verb in (*LEXICON, *ADMIN_LEXICON) for word in (verb.name, *verb.french))
_CLOSE: Final = 60.0
_SUGGESTED: Final = 3


@dataclass(frozen=True, slots=True)
class Found:
    """The words mean one player."""

    seat: int


@dataclass(frozen=True, slots=True)
class Ambiguous:
    """The words are the beginning of several names."""

    candidates: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Unknown:
    """No seat bears that name; `suggestions` are the seats whose names look like it, best first."""

    suggestions: tuple[int, ...]


def find(words: str, roster: Sequence[tuple[int, str]]) -> Found | Ambiguous | Unknown:
    """Whom `words` mean among `roster`, pairs of seat number and name, the dead included."""
    key = letters(words[:200])
    if not key:
        return Unknown(())
    if re.fullmatch(r"\d{1,4}", key) and len(re.findall(r"\d+", words)) == 1:
        return Found(int(key)) if any(seat == int(key) for seat, _ in roster) else Unknown(())
    keys = [(seat, letters(name)) for seat, name in roster]
    exact = [seat for seat, name in keys if name == key]
    if exact:
        return Found(exact[0])
    begun = tuple(seat for seat, name in keys if name.startswith(key))
    if len(begun) == 1:
        return Found(begun[0])
    return Ambiguous(begun) if begun else Unknown(_suggestions(key, keys))


def leading(heads: Sequence[str], roster: Sequence[tuple[int, str]]) -> int:
    """How many words at the beginning of a line mean a player; `heads` are its first word, its first two words, and so
    on; 0 if none mean one.

    A whole name wins, the longest of several; then the longest beginning of one that is made of whole words of it; else
    as few words as will do: in "Marie an unfair player" Marie is meant, and not Marie-Anne.
    """
    found = {end: hit.seat for end, head in enumerate(heads, 1) if isinstance(hit := find(head, roster), Found)}
    whole = [end for end, seat in found.items() if same_name(heads[end - 1], _name(seat, roster))]
    begun = [end for end, seat in found.items() if _begins(heads[end - 1], _name(seat, roster))]
    return max(whole, default=0) or max(begun, default=0) or min(found, default=0)


def _name(seat: int, roster: Sequence[tuple[int, str]]) -> str:
    return next(name for at, name in roster if at == seat)


def _begins(head: str, name: str) -> bool:
    words, whole = tokens(head.replace("-", " ")), tokens(name.replace("-", " "))
    return words == whole[: len(words)]


def _suggestions(key: str, keys: Sequence[tuple[int, str]]) -> tuple[int, ...]:
    names = {seat: name for seat, name in keys if name}
    hits = process.extract(key, names, scorer=fuzz.WRatio, score_cutoff=_CLOSE, limit=_SUGGESTED)
    return tuple(seat for _, _, seat in hits)


def split_two(words: str) -> tuple[str, str] | None:
    """The two names in "A contre B", "A / B" and the like; None unless there are exactly two."""
    parts = [part.strip() for part in _SEPARATOR.split(" ".join(spaced(words[:400]).split()))]
    match parts:
        case [one, other] if letters(one) and letters(other):
            return one, other
    return None


def holds_separator(words: str) -> bool:
    """Whether a separator stands in `words`, as a sign or as a whole word."""
    return bool(_HOLDS.search(words)) or any(word in SEPARATOR_WORDS for word in fold(words).split())


def bad_name(name: str) -> bool:
    """Whether JOIN refuses `name`: a verb, ANYONE, a separator (or one in it), only digits, or no fit name at all.

    Nor may a name pass for the storyteller's, or for another's by letters that look alike or cannot be seen.
    """
    folded, bare = fold(name), letters(name)
    if not bare or len(name) > LONGEST or bare.isdigit() or _FORBIDDEN.search(name) or _is_masked(name):
        return True
    return bare in _VERBS or folded in ANYONE or bare in ANYONE or bare in _OFFICES or holds_separator(name)


def _is_masked(name: str) -> bool:
    """Whether it holds what cannot be seen, heaps of marks, or letters of several scripts (Latin, Cyrillic …)."""
    plain = unicodedata.normalize("NFC", name)
    if any(char in _UNSEEN_LETTERS or unicodedata.category(char) in _UNSEEN for char in plain):
        return True
    marks = "".join("m" if unicodedata.combining(char) else " " for char in unicodedata.normalize("NFD", name))
    if "m" * (_MARKS + 1) in marks:
        return True
    scripts = {unicodedata.name(char, "?").split()[0] for char in plain if char.isalpha()}
    return len(scripts) > 1 and not scripts <= _WRITTEN_TOGETHER


def same_name(one: str, other: str) -> bool:
    """Whether two names are one as far as commands can tell."""
    return letters(one) == letters(other)
