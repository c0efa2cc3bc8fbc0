"""What may stand on a page: no control character, nothing that turns the direction of text, nobody's address.

An address that somebody wrote into a post is shown with its domain taken away (`bob@…`), whatever form RFC 5321 § 4.1.2
gives it: a quoted local part, a domain literal, percent-encoded in a link. That holds for personal tags, which are
addresses of the game, too. A handle in the path of a link (`https://a.example/@bob`) is no address.

Every `@` is looked at once, and what stands before it up to the one before: the work grows with the text, no faster.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, NamedTuple
from urllib.parse import unquote

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

HIDDEN: Final = "@…"
_UNWANTED: Final = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ufeff\ufffe\uffff\ud800-\udfff]")
_LINE_ENDS: Final = re.compile("\r\n?|[\u2028\u2029\x85]")
_UNSEEN: Final = "\u00ad\u0300-\u036f\u200b-\u200d\u2060"
"""Marks on letters, and what stands between letters without being seen."""
_LABEL: Final = rf"[\w{_UNSEEN}-]+"
_AT: Final = re.compile(
    r"(?:[@＠﹫]|%(?:25){0,3}40)"
    rf"(?P<domain>(?P<name>{_LABEL}(?:[.。．｡]{_LABEL})*)"
    r"|\[[^\[\]\n]{1,255}\]|\[[^\[\]\s]{1,255}|%(?:25){0,3}5B[\w.:%-]{1,255})",
    re.IGNORECASE,
)
_DOT: Final = re.compile("[.。．｡]")
_TAG: Final = re.compile(r"(?<=\[)(\w{1,9}):[a-z0-9]{16}(?=\])")
_ATEXT: Final = frozenset("!#$%&'*+-=?^_`{|}~.")
"""RFC 5322 § 3.2.3 without the slash, which ends a folder of a link far more often than a name."""
_NEVER: Final = frozenset("/([{<,«“‘…@＠﹫")
"""What stands before the `@` of a handle, and at the end of no local part."""
_SIGNS: Final = frozenset("@＠﹫…")
"""Those of them that only a domain can follow."""
_CLOSERS: Final = frozenset("»”’")
_PLUS: Final = re.compile(r"\+|%(?:25){0,3}2B", re.IGNORECASE)


class Found(NamedTuple):
    """An address in a text, from `start` to `end`: its local part as it stands there, and the address in plain form."""

    start: int
    end: int
    local: str
    address: str


def clean(text: str) -> str:
    """`text` without what no page can hold; line ends are newlines."""
    if text.isprintable():
        return text
    return _UNWANTED.sub("", _LINE_ENDS.sub("\n", text))


def public(text: str) -> str:
    """Somebody's words as they may be shown."""
    return masked(clean(text))


def masked(text: str, may_stay: Callable[[str], bool] = lambda _: False) -> str:
    """`text` without personal tags, and without the domains of addresses but those that `may_stay`."""
    shown, last = [], 0
    for found in addresses_in(text):
        if not may_stay(found.address):
            shown += [text[last : found.start], _without_detail(found.local), HIDDEN]
            last = found.end
    return _TAG.sub(r"\1:…", "".join([*shown, text[last:]]))


def addresses_in(text: str) -> Iterator[Found]:
    """Every address in `text`, in their order; none overlaps another."""
    last = 0
    for at in _AT.finditer(text):
        start = _start_of_local(text, last, at.start(), sure=not at["name"] or bool(_DOT.search(at["name"])))
        if start is not None:
            local = text[start : at.start()]
            yield Found(start, at.end(), local, f"{unquote(local)}@{unquote(at['domain'])}".lower())
        last = at.end()


def _start_of_local(text: str, first: int, end: int, *, sure: bool) -> int | None:
    """Where the local part that ends before `end` begins, not before `first`; None if there is none. `sure`: what
    follows can only be a domain, and is not perhaps a name (`"@anna"`).
    """
    before = text[end - 1] if end else " "
    if before in _NEVER or before.isspace():
        return end if before in _SIGNS and sure else None
    if before == '"':
        start = _opening_quote(text, first, end - 1)
        opens = start is None or text[end - 2].isspace()  # `"oui" et "@anna"`: it opens the name and ends nothing
        return end if opens and sure else None if opens else start
    if not (sure or before.isalnum() or before in "_-.+%~$^" or not before.isascii()):
        return None
    start = end
    while start > first and _in_local(text[start - 1]):
        start -= 1
    return start


def _in_local(sign: str) -> bool:
    if not sign.isascii():
        return not (sign.isspace() or sign in _NEVER or sign in _CLOSERS)
    return sign.isalnum() or sign in _ATEXT


def _opening_quote(text: str, first: int, closing: int) -> int | None:
    """The quotation mark that opens what the one at `closing` ends (RFC 5321: `Quoted-string`), on the same line."""
    start = closing - 1
    while start >= first and text[start] != "\n":
        if text[start] == '"' and (start == first or text[start - 1] != "\\"):
            return start
        start -= 1
    return None


def _without_detail(local: str) -> str:
    """`bob+moi` is `bob`: what follows the sign may be a personal tag."""
    kept = _PLUS.split(local, maxsplit=1)[0]
    return kept + '"' if kept != local and kept.startswith('"') else kept
