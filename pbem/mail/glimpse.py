"""Everything that whoever gets a mail could read in it, to find what should not stand there (MAIL.md § 4).

This is no reading: nothing is quotation, nothing is left out. HTML counts by its source, attached letters and files by
their contents, and what writes a word in another way (entities, percent signs, wrapping, capitals) does not hide it.
"""

from __future__ import annotations

import html
import quopri
import re
from typing import TYPE_CHECKING, Final
from urllib.parse import unquote

from pbem.mail.charsets import decode
from pbem.mail.headers import as_text, decode_words
from pbem.mail.parts import Part, parse, split_header, unixed

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator

MAX_LETTERS: Final = 5
"""Letters attached to letters that are opened, one within the other."""
# Of the mail's own head only what its writer put there: where it was delivered is added on the way, for one reader.
_WRITTEN: Final = frozenset(
    {"from", "sender", "reply-to", "to", "cc", "subject", "thread-topic", "references", "in-reply-to", "comments"}
    | {"keywords", "organization", "mail-followup-to", "disposition-notification-to", "content-type"}
)
_ZEROS: Final = re.compile(r"(&#[xX]?)0+(?=[0-9a-fA-F])")
_ENDLESS: Final = re.compile(r"&#[xX]?[0-9a-fA-F]{8,}")
_MARKUP: Final = re.compile(r"<[^<>]*>")
_BETWEEN: Final = re.compile(r"[^a-z0-9]+")


def everything(raw: bytes) -> Iterator[str]:
    """The texts of a mail's bytes, decoded: fields, parts, attachments, attached letters. Never raises; bounded."""
    yield from _letter(raw, 0)


def written_in(texts: Iterable[str], words: Collection[str]) -> tuple[str, ...]:
    """Which of `words` (lower-case letters and digits, too long to come about by chance) stand in any of `texts`.

    Only letters and digits count, in any case, so that a word may be wrapped, quoted, encoded or split by markup.
    """
    found: set[str] = set()
    for text in texts:
        for form in _forms(text):
            bare = _BETWEEN.sub("", form.lower())
            found.update(word for word in words if word in bare)
    return tuple(word for word in words if word in found)


def _forms(text: str) -> Iterator[str]:
    yield text
    plain = text
    for _ in range(2):
        plain = (
            unquote(html.unescape(_ENDLESS.sub(" ", _ZEROS.sub(r"\1", plain)))) if {"&", "%"} & set(plain) else plain
        )
    if plain != text:
        yield plain
    if "<" in plain:
        yield _MARKUP.sub("", plain)


def _letter(raw: bytes, depth: int) -> Iterator[str]:
    """A mail, or at a `depth` above 0 one that is attached: of that the whole head can be read."""
    root, _ = parse(raw)
    yield from (_value(value) for name, value in root.fields if depth or name.lower() in _WRITTEN)
    _, body = split_header(unixed(raw).lstrip(b"\n"))
    yield from _bytes(body)  # with what stands between its parts, and where it cannot be divided
    yield from _parts(root, depth)


def _value(value: bytes) -> str:
    return decode_words(as_text(value))


def _parts(part: Part, depth: int) -> Iterator[str]:
    for child in part.children:
        yield from (_value(value) for _, value in child.fields)
        yield from _parts(child, depth)
    if part.children:
        return
    data = part.content()
    yield from _bytes(data)
    if part.type.startswith("text/"):
        yield decode(data, part.params.get("charset"))[0]
    letter = part.type.startswith("message/") or part.filename.lower().endswith((".eml", ".mht", ".mhtml"))
    if letter and depth < MAX_LETTERS:
        yield from _letter(data, depth + 1)


def _bytes(data: bytes) -> Iterator[str]:
    """Bytes of any sort as far as they are ASCII, in UTF-16 too, and quoted-printable undone."""
    yield data.replace(b"\0", b"").decode("latin-1")
    if b"=" in data:
        yield quopri.decodestring(data).decode("latin-1")
