"""How printed text looks in each language, and what may not stand in a letter at all.

`clean` takes control characters out of any text. A `Typographer` puts no-break spaces and apostrophes right; which
characters a language keeps together is data, in its catalogue of words (context `typography`). What stands between the
marks `RAW` and `END` (commands, addresses, people's own words), or in an HTML tag, is never touched.
"""

from __future__ import annotations

import re

from markupsafe import Markup

NBSP = "\u00a0"
RAW, END = "\x0e", "\x0f"
"""Around what typography must leave alone; gone once it is done."""
BLOCK, BLOCK_END = "\x02", "\x03"
"""Around what is laid out already; see `press`."""

_UNWANTED = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ufeff]")
_LONGEST = {1: 24, 2: 14, 3: 11}
_LINE_ENDS = re.compile("\r\n?|[\u2028\u2029\x85]")


def clean(text: str) -> str:
    """`text` without control and direction-changing characters, line ends as newlines."""
    if text.isprintable():
        return text
    return _UNWANTED.sub("", _LINE_ENDS.sub("\n", text))


def trusted(text: str) -> Markup:
    """A piece of a letter as it is: whoever calls this has escaped what people wrote in it."""
    return Markup(text)  # noqa: S704 - the one place where text is declared safe


def too_long(text: str, columns: int = 2) -> bool:
    """Whether there is a word that no phone can show unbroken in a cell of a table of so many columns."""
    return any(len(word) > _LONGEST.get(columns, min(_LONGEST.values())) for word in text.split())


class Typographer:
    """Puts text right: `plain(text)`, or `html(text)` where tags are to be left alone.

    `before`, `after`: the characters before and behind which a space does not break the line.
    """

    def __init__(self, before: str = "", after: str = "") -> None:
        # Each alternative begins with a character of its own, so that the search skips quickly to the next of them.
        kept = [f"{RAW}[^{END}]*{END}", r"'(?<=\w')(?=\w)"]
        kept += [f" (?=[{re.escape(before)}](?!\\w))"] if before else []
        kept += [f" (?<=[{re.escape(after)}] )"] if after else []
        self._plain = re.compile("|".join(kept))
        self._html = re.compile("|".join([*kept, "<[^>]*>", r"&#39;(?<=\w&#39;)(?=\w)"]))

    def plain(self, text: str) -> str:
        """Text as printed."""
        return self._plain.sub(_put_right, text)

    def html(self, text: str) -> str:
        """HTML as printed."""
        return self._html.sub(_put_right, text)


def _put_right(found: re.Match[str]) -> str:
    hit = found[0]
    if hit == " ":
        return NBSP
    if hit[0] == RAW:
        return hit[1:-1]
    return hit if hit[0] == "<" else "\u2019"
