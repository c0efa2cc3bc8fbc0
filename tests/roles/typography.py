"""What printed French and English look like, as checks that return the faults they find.

Strings in, list of faults out (empty: none). Code in backticks is what a player types, so it is left alone.
"""

from __future__ import annotations

import re

NBSP = "\u00a0"
_CODE = re.compile(r"`[^`]*`")
_FRENCH_FAULTS = {
    "a breaking or missing space before double punctuation": re.compile(rf"(?<![{NBSP}:;!?])[:;!?](?=[\s»)]|$)"),
    "a guillemet without its no-break space": re.compile(rf"«(?!{NBSP})|(?<!{NBSP})»"),
    "a straight apostrophe": re.compile(r"(?<=\w)'(?=\w)"),
    "a straight quotation mark": re.compile(r'"'),
    "two spaces": re.compile(rf"[ {NBSP}]{{2}}"),
}
_ENGLISH_FAULTS = {
    "a space before punctuation": re.compile(rf"[ {NBSP}][:;!?]"),
    "a straight apostrophe": re.compile(r"(?<=\w)'(?=\w|\s)"),
    "a straight quotation mark": re.compile(r'"'),
    "two spaces": re.compile(rf"[ {NBSP}]{{2}}"),
}


def faults(text: str, language: str) -> list[str]:
    """The faults of `text` in `language` (fr or en), each with the words around it."""
    checks = _FRENCH_FAULTS if language == "fr" else _ENGLISH_FAULTS
    prose = _CODE.sub("code", text)
    return [
        f"{fault}: …{prose[max(0, hit.start() - 20) : hit.end() + 10]}…"
        for fault, pattern in checks.items()
        for hit in pattern.finditer(prose)
    ]
