"""What an S/MIME mail says that is only signed, where its words lie inside the signature (RFC 8551 § 3.5.2).

Outlook sends such mails when its "clear text" box is not ticked; every program that knows S/MIME shows them, though
anybody could read them. Only the wrapping is taken off: whether the signature is right is not looked at, and proves
nothing here (MAIL.md § 4).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator

_SIGNED: Final = bytes.fromhex("2a864886f70d010702")
_DATA: Final = bytes.fromhex("2a864886f70d010701")
_MAX_ITEMS: Final = 10_000
_MAX_DEPTH: Final = 8
_SEQUENCE, _OID, _OCTETS, _OCTET_PIECES, _CONTEXT_0 = 0x30, 0x06, 0x04, 0x24, 0xA0
_OPEN: Final = 0x80
"""The length of what ends at two noughts (BER), and the bit of a length that is given in bytes of its own."""


def signed_content(data: bytes) -> bytes | None:
    """The MIME entity inside a CMS SignedData (`data`, DER or BER); None if it is none, or damaged. Never raises."""
    try:
        return _content(data)
    except (ValueError, IndexError):
        return None


def _content(data: bytes) -> bytes | None:
    outer = list(_items(_only(data, _SEQUENCE), 1))
    if [tag for tag, _ in outer[:2]] != [_OID, _CONTEXT_0] or outer[0][1] != _SIGNED:
        return None
    for tag, inside in _items(_only(outer[1][1], _SEQUENCE), 2):
        if tag != _SEQUENCE:
            continue
        held = list(_items(inside, 3))
        if held and held[0] == (_OID, _DATA):
            return _octets(held[1][1]) if len(held) > 1 and held[1][0] == _CONTEXT_0 else None
    return None


def _only(data: bytes, wanted: int) -> bytes:
    tag, inside = next(_items(data, 0), (0, b""))
    if tag != wanted:
        raise ValueError("another structure")
    return inside


def _octets(data: bytes) -> bytes:
    """The bytes of an OCTET STRING, which BER may cut in pieces."""
    out = []
    for tag, inside in _items(data, 4):
        if tag == _OCTETS:
            out.append(inside)
        elif tag == _OCTET_PIECES:
            out.append(_octets(inside))
    return b"".join(out)


def _items(data: bytes, depth: int) -> Iterator[tuple[int, bytes]]:
    """The elements that follow each other in `data`: (tag, content)."""
    at = 0
    for _ in range(_MAX_ITEMS):
        if at >= len(data) or data[at : at + 2] == b"\0\0":
            return
        tag, start, end, after = _element(data, at, depth)
        yield tag, data[start:end]
        at = after


def _element(data: bytes, at: int, depth: int) -> tuple[int, int, int, int]:
    """Tag of the element at `at`, where its content begins and ends, and where the next element begins."""
    tag, length = data[at], data[at + 1]
    start = at + 2
    if length == _OPEN:
        end = _end_of_open(data, start, depth)
        return tag, start, end, end + 2
    if length & _OPEN:
        size = length & ~_OPEN
        start += size
        length = int.from_bytes(data[at + 2 : start], "big")
    if start + length > len(data):
        raise ValueError("it is cut off")
    return tag, start, start + length, start + length


def _end_of_open(data: bytes, at: int, depth: int) -> int:
    """Where the two noughts stand that end an element without a length."""
    if depth > _MAX_DEPTH:
        raise ValueError("nested too deep")
    for _ in range(_MAX_ITEMS):
        if data[at : at + 2] == b"\0\0":
            return at
        at = _element(data, at, depth + 1)[3]
    raise ValueError("no end")
