"""What may stand on a page: no control character, nothing that turns the direction of text, nobody's address.

An address that somebody wrote into a post is shown with its domain taken away (`bob@…`); that holds for personal tags,
which are addresses of the game, too.
"""

from __future__ import annotations

import re
from typing import Final

HIDDEN: Final = "@…"
_UNWANTED: Final = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ufeff\ufffe\uffff\ud800-\udfff]")
_LINE_ENDS: Final = re.compile("\r\n?|[\u2028\u2029\x85]")
_ADDRESS: Final = re.compile(
    r"[\w.!#$%&'*+/=?^`{|}~-]+(?:@|%40)(?:[\w-]+\.)*[\w-]+(?:\.[\w-]+)?|(?<=\[)\w{1,9}:[a-z0-9]{16}(?=\])"
)


def clean(text: str) -> str:
    """`text` without what no page can hold; line ends are newlines."""
    if text.isprintable():
        return text
    return _UNWANTED.sub("", _LINE_ENDS.sub("\n", text))


def public(text: str) -> str:
    """Somebody's words as they may be shown."""
    cleaned = clean(text)
    return _ADDRESS.sub(_without_domain, cleaned) if "@" in cleaned or "%40" in cleaned or "[" in cleaned else cleaned


def _without_domain(found: re.Match[str]) -> str:
    local = re.split("@|%40", found[0], maxsplit=1)[0].partition("+")[0]
    return local.partition(":")[0] + ":…" if "@" not in found[0] and "%40" not in found[0] else local + HIDDEN
