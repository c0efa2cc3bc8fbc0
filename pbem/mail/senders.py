"""Who a From field says wrote the mail, read as strictly as the servers that vouch for it (RFC 5322 §§ 3.4, 3.6.2).

A server judges one From and the game another, if the two read it differently: whoever finds such a From writes in
another's name. So what the grammar does not allow names nobody here, but for a few slips that every reader understands
alike: a comma or a colon in a name without quotation marks, a needless pair of them around a local part.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator

_PIECE: Final = re.compile(
    r"""(?P<quoted>"(?:[^"\\]|\\.)*")|<(?P<angle>(?:[^<>"\\]|"[^"\\<>]*")*)>|(?P<mark>[,;:])|(?P<plain>[^"<>\\,;:]+)"""
)
_ADDRESS: Final = re.compile(
    r"""(?:"(?P<needless>[\w.!#$%&*+/=?^{|}~-]{1,64})"|(?P<local>[^\s<>@,;:"()\[\]\\\x00-\x1f\x7f]{1,128}))"""
    r"""[ ]?@[ ]?(?P<domain>[\w-]{1,63}(?:\.[\w-]{1,63}){0,126}|\[[0-9A-Za-z.:]{2,60}\])"""
)
_OUTSIDE: Final = re.compile(r'[()]|"(?:[^"\\]|\\.)*"|[^()"\\]+')
_IN_COMMENT: Final = re.compile(r"[()]|\\.|[^()\\]+")
_NAMED: Final = re.compile(r"[^\s<>@]+@[^\s<>@]+")


class _DoubtError(ValueError):
    """The field can be read in more ways than one."""


def senders(value: str) -> tuple[str, ...]:
    """The addresses (bare, lower case) of an undecoded, unfolded From value, in order, without doubles.

    () if there is none, or if any part of the field could be read in another way. Never raises.
    """
    try:
        found = [address for mailbox in _mailboxes(_uncommented(value)) for address in mailbox]
    except _DoubtError:
        return ()
    return tuple(dict.fromkeys(found))


def _mailboxes(value: str) -> Iterator[list[str]]:
    """What stands between commas: each of one address or none. Raises _DoubtError."""
    piece: list[tuple[str, str]] = []
    group = closed = named = False
    for kind, text in _pieces(value):
        if closed and text != ",":
            raise _DoubtError(text)
        if kind != "mark":
            piece.append((kind, text))
            continue
        if text == ":":
            if group or any(kind == "angle" or "@" in words for kind, words in piece):
                raise _DoubtError(text)
            group, piece = True, []
            continue
        found = _mailbox(piece, after_a_name=named)
        yield found
        named = not found and bool(piece)
        group, closed, piece = group and text != ";", text == ";", []
    yield _mailbox(piece, after_a_name=named)


def _pieces(value: str) -> Iterator[tuple[str, str]]:
    """The quoted strings, addresses in angle brackets, marks and other words of `value`. Raises _DoubtError."""
    at = 0
    while at < len(value):
        found = _PIECE.match(value, at)
        if found is None or found.lastgroup is None:
            raise _DoubtError(value[at : at + 20])
        text = found[found.lastgroup]
        if found.lastgroup == "angle" or text.strip():
            yield found.lastgroup, text
        at = found.end()


def _mailbox(piece: list[tuple[str, str]], *, after_a_name: bool) -> list[str]:
    """`after_a_name`: before the comma stood words without an address, as in `Carlier, Inès <…>`."""
    angles = [text for kind, text in piece if kind == "angle"]
    if not angles:
        text = "".join(text for _, text in piece)
        if not any("@" in words for kind, words in piece if kind == "plain"):
            return []
        if after_a_name:
            raise _DoubtError(text)
        return [_address(text)]
    if len(angles) > 1 or piece[-1][0] != "angle":
        raise _DoubtError(angles[0])
    if not angles[0].strip():
        return []
    address = _address(angles[0])
    named = [word for kind, text in piece if kind == "plain" for word in _NAMED.findall(text)]
    if any(word.lower() != address for word in named):
        raise _DoubtError(named[0])
    return [address]


def _address(text: str) -> str:
    """`text` if it is one address and nothing else, in lower case. Raises _DoubtError."""
    found = _ADDRESS.fullmatch(text.strip(" "))
    if found is None or any(char.lower().isascii() and not char.isascii() for char in text):
        raise _DoubtError(text)  # (the Kelvin sign's lower case is a plain k)
    return f"{found['needless'] or found['local']}@{found['domain']}".lower()


def _uncommented(value: str) -> str:
    """`value` with a blank for each comment (RFC 5322 § 3.2.2), nested ones included. Raises _DoubtError."""
    out, depth, at = [], 0, 0
    while at < len(value):
        found = (_IN_COMMENT if depth else _OUTSIDE).match(value, at)
        if found is None:
            raise _DoubtError(value)
        text, at = found[0], found.end()
        depth += {"(": 1, ")": -1}.get(text, 0)
        if depth < 0:
            raise _DoubtError(value)
        if not depth:
            out.append(" " if text == ")" else text)
    if depth:
        raise _DoubtError(value)
    return re.sub(r"\s+", " ", "".join(out))
