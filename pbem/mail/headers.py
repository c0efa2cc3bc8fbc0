"""Header fields as people and programs really write them: encoded words, raw 8-bit bytes, addresses.

Nothing here raises; what cannot be read is left as it stands. RFC 2047, RFC 2231 and RFC 5322 are followed where the
mail does, and where it does not, the reading is the one that gives an impostor least.
"""

from __future__ import annotations

import base64
import binascii
import quopri
import re
from typing import Final

from pbem.mail.charsets import codec_of, decode

MAX_HEADER: Final = 20_000
"""Characters of one header value that are read; nothing a person writes is longer."""
MAX_ADDRESSES: Final = 200

# The charset may carry a language (RFC 2231 § 5). Some programs leave blanks inside the encoded text.
_WORD: Final = re.compile(r"=\?([^?\s]{1,60})\?\s?([BbQq])\?([^?]*)\?=")
_WORDS_ALONE: Final = re.compile(r"(?:=\?[^?\s]{1,60}\?[BbQq]\?[^?\s]*\?= ?){1,20}")
_ADDRESS: Final = re.compile(r"[^\s<>@,;:\"()\[\]\\]{1,128}@[^\s<>@,;:\"()\\]{1,255}")
_QUOTED_ATOM: Final = re.compile(r"\"([\w.!#$%&*+/=?^{|}~-]{1,64})\"@", re.ASCII)
"""A local part in quotation marks that it does not need (RFC 5322 § 3.4.1): the same mailbox as without."""
_FOLD: Final = re.compile("[\r\n\t\f\v\x85\u2028\u2029 ]+")


def as_text(value: bytes) -> str:
    """A raw header value as text, unfolded, encoded words not yet decoded. Raw 8-bit is UTF-8 or a guess."""
    text, _ = decode(value[:MAX_HEADER], None)
    return _FOLD.sub(" ", text).strip()


def decode_words(value: str) -> str:
    """`value` with its RFC 2047 words decoded; neighbours of one charset are joined first (cut characters).

    What is nothing but encoded words again was encoded twice on its way.
    """
    once = _decoded_words(value)
    return _decoded_words(once) if _WORDS_ALONE.fullmatch(once) else once


def _decoded_words(value: str) -> str:
    out: list[str] = []
    run: list[tuple[str, bytes]] = []
    end = 0
    for found in _WORD.finditer(value):
        between = value[end : found.start()]
        if not run or between.strip():
            out.append(_flush(run))
            out.append(between)
        run.append((found[1].split("*", 1)[0].lower(), _word_bytes(found[2], found[3])))
        end = found.end()
    out.append(_flush(run))
    out.append(value[end:])
    return _FOLD.sub(" ", "".join(out)).strip()


def _flush(run: list[tuple[str, bytes]]) -> str:
    """Empties `run` into text."""
    out: list[str] = []
    while run:
        charset, data = run.pop(0)
        # A stateful charset starts afresh in each word; all others may go on over the seam.
        while run and run[0][0] == charset and not (codec_of(charset) or "").startswith(("iso2022", "utf-7")):
            data += run.pop(0)[1]
        out.append(decode(data, charset)[0])
    return "".join(out)


def _word_bytes(how: str, payload: str) -> bytes:
    if how in "qQ":
        return quopri.decodestring(payload.replace("_", " ").encode("utf-8", "replace"), header=False)
    return unbase64(payload.encode("ascii", "ignore"))


def unbase64(data: bytes) -> bytes:
    """Base64 of any quality: foreign bytes are skipped, missing padding is added, a spare last character is dropped."""
    kept = re.sub(rb"[^A-Za-z0-9+/]", b"", data.replace(b"-", b"+").replace(b"_", b"/"))
    if len(kept) % 4 == 1:
        kept = kept[:-1]
    try:
        return base64.b64decode(kept + b"=" * (-len(kept) % 4))
    except (binascii.Error, ValueError):
        return b""


def addresses(value: str) -> tuple[str, ...]:
    """The bare addresses (lower case) of an undecoded From, To or Cc value, in order, without doubles.

    In a part between commas that has `<…>` only those count, else every word with an @: two addresses squeezed into
    one From are two, so nobody can hide behind the first.
    """
    found: list[str] = []
    for _, inner in _mailboxes(value):
        for address in inner:
            if address not in found and len(found) < MAX_ADDRESSES:
                found.append(address)
    return tuple(found)


def display_name(value: str) -> str:
    """The name part of the first mailbox, decoded; '' if there is none."""
    for name, inner in _mailboxes(value):
        if inner:
            return decode_words(name.strip().strip('"')).strip()
    return ""


def _mailboxes(value: str) -> list[tuple[str, list[str]]]:
    out: list[tuple[str, list[str]]] = []
    for piece in _split(_QUOTED_ATOM.sub(r"\1@", _uncomment(value[:MAX_HEADER]))):
        angled = re.findall(r"<([^<>]*)>", piece)
        bare = re.sub(r'"[^"]*"', " ", piece)
        texts = angled if any("@" in inner for inner in angled) else [bare]
        inner = [_bare(hit) for text in texts for hit in _ADDRESS.findall(re.sub(r"\s*@\s*", "@", text))]
        name = piece.split("<", 1)[0] if angled else ""
        out.append((name, [address for address in inner if address]))
    return out


def _bare(address: str) -> str:
    address = address.lower().strip("'`.")
    return address.removeprefix("mailto:")


def _split(value: str) -> list[str]:
    """`value` cut at commas, semicolons and group colons outside quotes and angle brackets."""
    pieces, start, quoted, depth = [], 0, False, 0
    for at, char in enumerate(value):
        if char == '"':
            quoted = not quoted
        elif quoted:
            continue
        elif char == "<":
            depth = 1
        elif char == ">":
            depth = 0
        elif char in ",;" and not depth:
            pieces.append(value[start:at])
            start = at + 1
        elif char == ":" and not depth and "@" not in value[start:at]:
            start = at + 1  # the name of a group
    pieces.append(value[start:])
    return pieces


def _uncomment(value: str) -> str:
    """`value` without RFC 5322 comments; parentheses inside quotes stay, an unclosed one is no comment."""
    if "(" not in value:
        return value
    out, depth, quoted, escaped = [], 0, False, False
    for char in value:
        if escaped:
            escaped = False
            if depth == 0:
                out.append(char)
            continue
        if char == "\\":
            escaped = True
        elif char == '"' and depth == 0:
            quoted = not quoted
            out.append(char)
        elif char == "(" and not quoted:
            depth += 1
        elif char == ")" and depth and not quoted:
            depth -= 1
        elif depth == 0:
            out.append(char)
    return "".join(out) if depth == 0 else value


def parameters(value: str) -> tuple[str, dict[str, str]]:
    """A Content-Type or Content-Disposition value: its main word in lower case, and its parameters (names lower case).

    RFC 2231 pieces (`name*0*=`) are joined; only in them is percent-encoding undone. The first of equal names wins.
    """
    main, *rest = _semicolons(value[:MAX_HEADER])
    found: dict[str, str] = {}
    pieces: dict[str, list[tuple[int, str]]] = {}
    for item in rest[:50]:
        name, equals, text = item.partition("=")
        name, text = name.strip().lower(), _unquote(text.strip())
        stem, star, number = name.partition("*")
        if star:
            digits = number.rstrip("*")
            pieces.setdefault(stem, []).append((int(digits) if re.fullmatch("[0-9]{1,4}", digits) else 0, text))
        elif equals:
            found.setdefault(name, text)
    for stem, parts in pieces.items():
        found.setdefault(stem, _percent("".join(text for _, text in sorted(parts))))
    return re.split(r"[\s,]", main.strip().lower() or " ", maxsplit=1)[0], found


def _semicolons(value: str) -> list[str]:
    out, start, quoted, escaped = [], 0, False, False
    for at, char in enumerate(value):
        if escaped:
            escaped = False
        elif char == "\\" and quoted:
            escaped = True
        elif char == '"':
            quoted = not quoted
        elif char == ";" and not quoted:
            out.append(value[start:at])
            start = at + 1
    out.append(value[start:])
    return out


def _unquote(text: str) -> str:
    if text.startswith('"'):
        inner = text[1:].split('"', 1)[0] if "\\" not in text else text[1:].rstrip('"')
        return re.sub(r"\\(.)", r"\1", inner)
    return text.split(None, 1)[0] if text.split() else ""


def _percent(text: str) -> str:
    charset, _, rest = text.partition("'")
    _, mark, payload = rest.partition("'")
    if not mark:
        return text
    raw = re.sub(rb"%([0-9A-Fa-f]{2})", lambda hit: bytes([int(hit[1], 16)]), payload.encode("utf-8", "replace"))
    return decode(raw, charset)[0]
