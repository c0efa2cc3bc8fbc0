"""A mail's bytes to a bounded tree of MIME parts (RFC 2045, 2046, 5322).

Tolerant and linear: each level of nesting is one pass over its bytes, and depth, parts and header fields are limited,
so no mail can cost more than a few passes over `MAX_RAW`. (Python's own parser recurses and tests each line against
every open boundary.) Never raises.
"""

from __future__ import annotations

import binascii
import quopri
import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from pbem.mail import smime
from pbem.mail.headers import as_text, parameters, unbase64

if TYPE_CHECKING:
    from collections.abc import Iterator

MAX_RAW: Final = 1_000_000
"""Bytes of a mail that are read; what follows is ignored."""
MAX_DEPTH: Final = 12
"""Levels of multipart in multipart; deeper ones count as attachments."""
MAX_PARTS: Final = 200
MAX_FIELDS: Final = 1_000
PKCS7: Final = frozenset({"application/pkcs7-mime", "application/x-pkcs7-mime"})
"""S/MIME: encrypted, or signed in such a way that a program without S/MIME shows nothing (RFC 8551)."""
_STRAY: Final = 2

_FIELD: Final = re.compile(rb"([!-9;-~]{1,80})[ \t]*:(.*)", re.DOTALL)
_DASHES: Final = re.compile(rb"^--(.*)$", re.MULTILINE)
_DASHED: Final = re.compile(rb"^--([^\s-][^\n]{0,90}?)[ \t]*\n(?=[ \t]*\n|Content-|content-|CONTENT-)", re.MULTILINE)
_STRUCTURE: Final = re.compile(rb"^(?:--[^\s-]|Content-[A-Za-z-]{2,30}:)", re.MULTILINE | re.IGNORECASE)
_FIELDS: Final = re.compile(rb"^Content-[A-Za-z-]{2,30}:", re.MULTILINE | re.IGNORECASE)


_KNOWN: Final = re.compile(
    rb"(?:from|to|cc|subject|date|message-id|mime-version|content-(?:type|transfer-encoding|disposition)|received|return-path"
    rb"|reply-to|references|in-reply-to|dkim-signature|authentication-results|x-mailer|user-agent)[ \t]?:[ \t]*\S",
    re.IGNORECASE,
)
_LOOK: Final = 4


@dataclass(slots=True)
class Part:
    """One MIME entity: its fields in order, its type, and either children or the raw (still encoded) body.

    `typed`: it names its type. `declared`: the type that it names, where it could not be read as such.
    """

    fields: list[tuple[str, bytes]]
    type: str
    params: dict[str, str]
    disposition: str
    filename: str
    body: bytes
    typed: bool
    children: list[Part] = field(default_factory=list)
    declared: str = ""

    def header(self, name: str) -> str:
        """The first field of that name as text, encoded words not decoded; '' without one."""
        for key, value in self.fields:
            if key.lower() == name:
                return as_text(value)
        return ""

    def content(self) -> bytes:
        """The body with its transfer encoding undone."""
        name = re.split(r"[\s;(,]", self.header("content-transfer-encoding").lower().strip(" ;\"'"), maxsplit=1)[0]
        return _decoded(self.body, name)


@dataclass(slots=True)
class _Budget:
    parts: int = MAX_PARTS
    faults: list[str] = field(default_factory=list)


def parse(raw: bytes) -> tuple[Part, list[str]]:
    """The root part of `raw` and what was odd about it."""
    budget = _Budget()
    if len(raw) > MAX_RAW:
        budget.faults.append(f"longer than {MAX_RAW} bytes: the rest is not read")
    return _part(
        unixed(raw[:MAX_RAW]).removeprefix(b"\xef\xbb\xbf").lstrip(b"\n"), 0, budget, "text/plain"
    ), budget.faults


def unixed(data: bytes) -> bytes:
    """`data` with line feeds for line ends."""
    return data.replace(b"\r\r\n", b"\n").replace(b"\r\n", b"\n").replace(b"\r", b"\n")


def _part(data: bytes, depth: int, budget: _Budget, default: str) -> Part:
    budget.parts -= 1
    fields, body = split_header(data)
    if not fields and depth and _FIELDS.match(body):
        fields, body = split_header(body)  # a blank line too many after the boundary
    part = Part(fields, "", {}, "", "", body, typed=False)
    kind, part.params = parameters(part.header("content-type"))
    part.typed = re.fullmatch(r"[a-z0-9.+_-]{1,60}/[a-z0-9.+_-]{1,80}", kind) is not None
    part.type = kind if part.typed else _untyped(kind, default)
    part.disposition, about = parameters(part.header("content-disposition"))
    part.filename = about.get("filename") or part.params.get("name") or ""
    if part.type.startswith("multipart/"):
        _divide(part, depth, budget)
    elif depth == 0 and part.type in PKCS7 and (inside := smime.signed_content(part.content())) is not None:
        part.declared, part.type = part.type, "multipart/signed"
        part.children.append(_part(unixed(inside).lstrip(b"\n"), depth + 1, budget, "text/plain"))
    return part


def _untyped(kind: str, default: str) -> str:
    if kind.startswith("multipart"):
        return "multipart/mixed"
    return "text/html" if kind in {"html", "text/htm"} else default


def split_header(data: bytes) -> tuple[list[tuple[str, bytes]], bytes]:
    """The fields of a header block (unfolding left to the reader) and the body after it.

    Lines that are no field are skipped before the first one (mbox `From `), and begin the body after it.
    """
    fields: list[tuple[str, list[bytes]]] = []
    at = 0
    while at < len(data):
        end = data.find(b"\n", at)
        end = len(data) if end < 0 else end
        line = data[at:end]
        if not line.strip(b" \t") and (fields or not line):
            at = end + 1
            break
        if line[:1] in {b" ", b"\t"} and fields:
            fields[-1][1].append(line)
        elif found := _FIELD.match(line):
            fields.append((found[1].decode("ascii"), [found[2]]))
        elif fields and not line.startswith((b"From ", b">From ")) and not _goes_on(data, end + 1):
            break
        at = end + 1
    kept = [(name, b"\n".join(lines)) for name, lines in fields[:MAX_FIELDS]]
    return kept, data[at:]


def _goes_on(data: bytes, at: int) -> bool:
    """Whether the head goes on below a line that is no field: its own lines are nobody's words."""
    for _ in range(_LOOK):
        end = data.find(b"\n", at)
        line = data[at : end if end >= 0 else len(data)]
        if end < 0 or not line.strip():
            return False
        if _KNOWN.match(line):
            return True
        at = end + 1
    return False


def _divide(part: Part, depth: int, budget: _Budget) -> None:
    """Fills in the children of a multipart; one that cannot be divided becomes text."""
    if depth >= MAX_DEPTH:
        budget.faults.append(f"nested deeper than {MAX_DEPTH}")
        part.type = "application/octet-stream"
        return
    pieces = _pieces(part.body, part.params.get("boundary", ""))
    if pieces is None:
        # What may be the beginning of the parts is no text: an attachment's words would pass for the writer's.
        budget.faults.append("multipart without its boundary")
        part.declared, part.type = part.type, "text/plain"
        part.body = _STRUCTURE.split(part.body, maxsplit=1)[0]
        return
    default = "message/rfc822" if part.type == "multipart/digest" else "text/plain"
    for piece in pieces:
        if budget.parts <= 0:
            budget.faults.append(f"more than {MAX_PARTS} parts")
            break
        part.children.append(_part(piece, depth + 1, budget, default))


def _pieces(body: bytes, boundary: str) -> list[bytes] | None:
    found = _cut(body, boundary.encode("utf-8", "replace")) if boundary.strip() else None
    if found is None and (guess := _DASHED.search(body)):
        found = _cut(body, guess[1])
    return found


def _cut(body: bytes, boundary: bytes) -> list[bytes] | None:
    lines = list(_boundaries(body, boundary.rstrip()))
    pieces: list[bytes] = []
    start: int | None = None
    if lines and (lost := _FIELDS.search(body, 0, lines[0][0])):
        pieces.append(body[lost.start() : lines[0][0]])  # the first boundary was lost
    for begin, end, last in lines:
        if start is not None:
            pieces.append(body[start : max(start, begin - 1)])
        start = None if last else end + 1
    if start is not None and start < len(body):
        pieces.append(body[start:])
    return pieces if lines else None


def _boundaries(body: bytes, boundary: bytes) -> Iterator[tuple[int, int, bool]]:
    """Where the lines with that boundary begin and end, and whether each is the last. (A pattern of its own for each
    mail takes longer to make than to use.)
    """
    for found in _DASHES.finditer(body):
        rest = found[1].rstrip(b" \t")
        if rest == boundary or rest == boundary + b"--":
            yield found.start(), found.end(), rest != boundary


def _decoded(body: bytes, encoding: str) -> bytes:
    if encoding == "base64":
        return _base64(body)
    if encoding in {"quoted-printable", "quoted_printable", "qp"}:
        return quopri.decodestring(body)
    if encoding in {"x-uuencode", "uuencode", "x-uue", "uue"}:
        return _uudecoded(body)
    return body


def _base64(body: bytes) -> bytes:
    """Base64 up to the first line that clearly is something else (a footer that a list added in the clear)."""
    lines = body.split(b"\n")
    kept: list[bytes] = []
    for line in lines:
        stray = re.sub(rb"[A-Za-z0-9+/=\s]", b"", line)
        if len(stray) > _STRAY or b" " in line.strip():
            if any(kept):
                break
            return unbase64(body) if len(stray) * 20 <= len(line) and _is_text(unbase64(body), line) else body
        kept.append(line)
    return b"".join(unbase64(chunk) for chunk in re.findall(rb"[^=]+", b"\n".join(kept)))


def _is_text(decoded: bytes, line: bytes) -> bool:
    """Whether what blanks stood in is base64 all the same: people's words, so decoded, are no text."""
    if b" " not in line.strip():
        return True
    try:
        return bool(decoded) and decoded.decode("utf-8").isprintable()
    except UnicodeDecodeError:
        return False


def _uudecoded(body: bytes) -> bytes:
    out = []
    for line in body.split(b"\n"):
        if line.startswith((b"begin ", b"end")) or not line:
            continue
        try:
            out.append(binascii.a2b_uu(line))
        except binascii.Error:
            continue
    return b"".join(out)
