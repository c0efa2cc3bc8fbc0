"""The sentence that elects a mayor at the end of a post (MAYOR-2)."""

from __future__ import annotations

import re
from typing import Final

from pbem.orders.words import fold, letters

_LONGEST: Final = 100
_WORDS: Final = 6
_CALL: Final = re.compile(
    r"[ \t*_]{0,4}(?:[eEé\u00c9](?:\u0301)?lisons|let['\u2019\u02bc]?s[ \u00a0]elect)"
    r"(?=[\s\u00a0\u202f])",
    re.IGNORECASE,
)
_STOP: Final = re.compile(r"[.!?\u2026:;]")
_WRAPPED: Final = 50
# A smile behind it is no word more.
_EXCLAIMED: Final = re.compile(
    r"[*_ \u00a0\u202f]{0,9}[!\uff01]"
    r"(?:[!\uff01*_ \u00a0\u202f]|[;:]-?[)DPp]|[^\w\s\u00ab\u00bb\u2018-\u201f\u2026\x21-\x7e])*$"
)


def election(text: str) -> str | None:
    """The name in "Élisons NAME !", if that is the whole last sentence of `text`; None otherwise.

    Accents, case and spacing are free, and it may be set off in bold or italics. Without its exclamation mark, as a
    question, or between quotation marks it is talk about an election, no ballot.
    """
    tail = text.rstrip()[-_LONGEST * 3 :]
    calls = list(_CALL.finditer(tail))
    if not calls:
        return None
    last = calls[-1]
    name = " ".join(tail[last.end() :].split())
    mark = _EXCLAIMED.search(name)
    closed = name[: mark.start()] if mark else ""
    if not letters(closed) or _STOP.search(closed) or len(closed) > _LONGEST or len(closed.split()) > _WORDS:
        return None
    return closed if _begins_sentence(tail, last.start()) else None


def _begins_sentence(text: str, at: int) -> bool:
    """Whether a sentence begins at `at`: after a full stop, or on a line that is no wrapped continuation."""
    line_start = text.rfind("\n", 0, at) + 1
    before = text[line_start:at].strip(" \t\"'*_\u00ab\u201c\u00a0\u202f")
    if before:
        return before[-1] in ".!?\u2026" or before.endswith((".\u00bb", "!\u00bb"))
    previous = text[:line_start].rstrip("\n").rpartition("\n")[2] if line_start else ""
    blank = text[:line_start].endswith("\n\n")
    capital = fold(text[at : at + 6]).strip()[:1] in {"e", "l"} and text[at:].lstrip(" \"'*_\u00ab\u201c")[:1].isupper()
    ended = previous.rstrip()[-1:] in {"", ".", "!", "?", "\u2026", ":", ",", '"', "\u00bb"}
    return blank or capital or ended or len(previous) < _WRAPPED
