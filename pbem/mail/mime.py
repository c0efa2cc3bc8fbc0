"""A mail's bytes opened: `post.Incoming`, with the text that its writer meant to be read.

`open_mail` never raises and is bounded (`parts.MAX_RAW` bytes read, `MAX_TEXT` characters of text). Text parts that
are attachments, attached messages and calendar parts are not the writer's words (MAIL.md § 7); a plain part is
preferred to HTML, which is kept beside it as text too, its quotations marked (`Incoming.html_text`).
"""

from __future__ import annotations

import quopri
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from pbem.mail import htmltext
from pbem.mail.charsets import decode
from pbem.mail.flowed import unflow
from pbem.mail.headers import MAX_HEADER, addresses, as_text, decode_words, display_name
from pbem.mail.parts import PKCS7, Part, parse
from pbem.mail.senders import senders
from pbem.post import Incoming

if TYPE_CHECKING:
    from datetime import datetime

MAX_TEXT: Final = 200_000
"""Characters of the text that is handed on."""
MAX_TEXTS: Final = 20
"""Text parts of one mail that are read."""
MAX_LINE: Final = 20_000
"""Characters of one line; the rest of a longer line is cut off."""

_DELIVERED: Final = (
    "delivered-to", "x-original-to", "x-envelope-to", "envelope-to", "x-delivered-to", "x-rcpt-to", "x-real-to",
    "x-forwarded-to", "x-resolved-to", "x-original-recipient", "original-recipient",
)  # fmt: skip
# What decoding may drop without a trace, so that the words around it become others.
_CONTROL: Final = re.compile(rb"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")
_META: Final = re.compile(rb"<meta[^>]{0,200}charset\s{0,5}=\s{0,5}[\"']?\s{0,5}([A-Za-z0-9_:.-]{1,40})", re.IGNORECASE)
_LEAKED: Final = re.compile(
    rb"^(?:--[^\n]{1,90}\n)?Content-(?:Type|Disposition|Transfer-Encoding|ID):[ \t]{0,4}\S",
    re.MULTILINE | re.IGNORECASE,
)
_HTML: Final = re.compile(r"\s{0,99}<(?:!doctype html|html|body|head|div|p|meta|table)\b", re.IGNORECASE)
_PAGE: Final = re.compile(r"\s{0,99}<(?:!doctype html|html)\b", re.IGNORECASE)
_STUB: Final = re.compile(
    r"\bhtml\b.{0,200}(?:support|affich|view|read|lire|visual|compatible|enabled|client|program|logiciel)"
    r"|(?:support|affich|view|read|lire|visual|compatible|enabled|client|program|logiciel).{0,200}\bhtml\b",
    re.IGNORECASE | re.DOTALL,
)
_STUB_LENGTH: Final = 400
_SOFT_BREAK: Final = re.compile(rb"^[^\n]{55,76}=\n", re.MULTILINE)
_QUOTED_BYTE: Final = re.compile(rb"=[0-9A-F]{2}")
_ARMOUR: Final = re.compile(r"-----BEGIN PGP MESSAGE-----.*?(?:-----END PGP MESSAGE-----|\Z)", re.DOTALL)
_SIGNED: Final = re.compile(r"^-----BEGIN PGP SIGNED MESSAGE-----\n(?:[A-Za-z-]{1,40}: .*\n){0,9}\n?", re.MULTILINE)
_PGP_SIGNATURE: Final = re.compile(r"-----BEGIN PGP SIGNATURE-----.*?(?:-----END PGP SIGNATURE-----|\Z)", re.DOTALL)


@dataclass(slots=True)
class _Body:
    """What one part has to say: as plain text, and as text made of HTML. None: nothing of that sort."""

    plain: str | None = None
    rich: str | None = None
    markup: str | None = None

    def words(self) -> str:
        return self.plain if self.plain is not None and self.plain.strip() else self.rich or self.plain or ""


@dataclass(slots=True)
class _Reader:
    faults: list[str]
    types: list[str]
    encrypted: bool = False
    texts: int = 0


def open_mail(raw: bytes, received: datetime) -> Incoming:
    """`raw`, which came in at `received` (aware, UTC), opened. Never raises: at worst the text is None."""
    root, faults = parse(raw)
    reader = _Reader(faults, [])
    _survey(root, reader, 0)
    body = _body(root, reader)
    return _envelope(root, body, reader, received)


def _envelope(root: Part, body: _Body, reader: _Reader, received: datetime) -> Incoming:
    raw = [(name, as_text(value)) for name, value in root.fields]
    headers = tuple((name, decode_words(value)) for name, value in raw)
    return Incoming(
        message_id=_message_id(raw),
        received=received,
        senders=_senders(root),
        sender_name=next((display_name(value) for name, value in raw if name.lower() == "from"), ""),
        to=_gather(raw, ("to",)),
        cc=_gather(raw, ("cc", "bcc")),
        recipients=_gather(raw, _DELIVERED) or _received_for(raw),
        subject=next((value for name, value in headers if name.lower() == "subject"), ""),
        headers=headers,
        text=_chosen(body),
        html=body.markup,
        html_text=_final(body.rich),
        content_types=tuple(reader.types),
        encrypted=reader.encrypted,
        faults=tuple(dict.fromkeys(reader.faults)),
    )


def _gather(raw: list[tuple[str, str]], names: tuple[str, ...]) -> tuple[str, ...]:
    found = (address for name, value in raw if name.lower() in names for address in addresses(value))
    return tuple(dict.fromkeys(found))


def _senders(root: Part) -> tuple[str, ...]:
    """The addresses of all From fields; () if any of them leaves a doubt."""
    fields = [value for name, value in root.fields if name.lower() == "from"]
    named = [() if len(value) >= MAX_HEADER or _CONTROL.search(value) else senders(as_text(value)) for value in fields]
    return tuple(dict.fromkeys(address for found in named for address in found)) if all(named) else ()


def _received_for(raw: list[tuple[str, str]]) -> tuple[str, ...]:
    """The address that the uppermost Received says the mail is for, where no delivery header tells."""
    first = next((value for name, value in raw if name.lower() == "received"), "")
    found = re.search(r"\bfor\s{1,5}<?([^\s<>;]{1,300}@[^\s<>;]{1,300})>?", first[:3000])
    return addresses(f"<{found[1]}>") if found else ()


def _message_id(raw: list[tuple[str, str]]) -> str | None:
    value = next((value for name, value in raw if name.lower() == "message-id"), "")
    found = re.search(r"<[^<>\s]{1,900}>", value)
    return found[0] if found else value.strip()[:900] or None


def _survey(part: Part, reader: _Reader, depth: int) -> None:
    """Notes each part's type, and whether the mail is encrypted."""
    kind = part.declared or part.type
    if kind == "multipart/report":
        kind += "; report-type=" + part.params.get("report-type", "").lower()
    elif kind == "text/calendar":
        kind += "; method=" + part.params.get("method", "").lower()
    reader.types.append(kind)
    if part.type in {"multipart/encrypted", "application/pgp-encrypted"} or (part.type in PKCS7 and depth == 0):
        reader.encrypted = True
    elif part.type == "application/octet-stream" and part.content().lstrip().startswith(b"-----BEGIN PGP MESSAGE-----"):
        reader.encrypted = True  # programs that know PGP, but not its MIME form
    for child in part.children:
        _survey(child, reader, depth + 1)


def _body(part: Part, reader: _Reader) -> _Body:
    if not part.type.startswith("multipart/"):
        return _leaf(part, reader)
    if part.type == "multipart/alternative":
        return _alternative([_body(child, reader) for child in part.children])
    if part.type in {"multipart/digest", "multipart/encrypted"}:
        return _Body()
    if part.type in {"multipart/signed", "multipart/report", "multipart/related"} and part.children:
        return next(
            (found for found in (_body(child, reader) for child in part.children) if found.words().strip()), _Body()
        )
    return _mixed(part, reader)


def _alternative(bodies: list[_Body]) -> _Body:
    out = _Body()
    for body in bodies:
        if body.plain is not None and (out.plain is None or not out.plain.strip()):
            out.plain = body.plain
        if body.rich is not None and body.rich.strip():
            out.rich, out.markup = body.rich, body.markup
    return out


def _mixed(part: Part, reader: _Reader) -> _Body:
    plain: list[str] = []
    rich: list[str] = []
    markup: list[str] = []
    for at, child in enumerate(part.children):
        if child.filename and at and child.type.startswith("text/"):
            continue  # a named text that is not the first part is a file, whatever its disposition
        body = _body(child, reader)
        words = body.words()
        if not words.strip() or (body.plain is None and _same(words, plain)):
            continue
        plain.append(words)
        rich.append(body.rich if body.rich is not None and body.rich.strip() else words)
        markup += [body.markup] if body.markup else []
    if not plain:
        return _Body()
    return _Body("\n".join(plain), "\n".join(rich) if markup else None, "\n".join(markup) or None)


def _same(words: str, before: list[str]) -> bool:
    """Whether an HTML part beside a plain one only says the same again."""
    letters = [re.sub(r"\W+", "", text[:2000])[:120] for text in (words, "".join(before))]
    return bool(letters[0]) and letters[0] == letters[1]


def _leaf(part: Part, reader: _Reader) -> _Body:
    if part.disposition == "attachment" or not part.type.startswith("text/"):
        return _Body()
    if part.type in {"text/plain", "text/html", "text/enriched", "text/richtext", "text/markdown", "text/x-markdown"}:
        return _text(part, reader)
    return _Body()


def _text(part: Part, reader: _Reader) -> _Body:
    reader.texts += 1
    if reader.texts > MAX_TEXTS:
        return _Body()
    # Where a boundary or the head was damaged, what follows is another part, perhaps an attachment, not his words.
    part.body = _LEAKED.split(part.body, maxsplit=1)[0]
    data = _unquoted(part.content(), reader)
    charset = part.params.get("charset")
    html = part.type != "text/plain" and "markdown" not in part.type
    if not charset and (found := _META.search(data[:4000])):
        charset = found[1].decode("ascii")
    text, fault = decode(data, charset)
    if fault:
        reader.faults.append(fault)
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    if part.type in {"text/enriched", "text/richtext"}:
        text = _enriched(text)
    if html or (not part.typed and _HTML.match(text)) or _PAGE.match(text):
        return _Body(None, htmltext.to_text(text), text[: htmltext.MAX_HTML])
    return _Body(_unarmoured(_flowed(text, part), reader))


def _enriched(text: str) -> str:
    """RFC 1896's line ends and brackets as HTML has them: one line end is a blank, each further one a new line."""
    return re.sub(r"\n(\n+)", lambda ends: "<br>" * len(ends[1]), text.replace("<<", "&lt;"))


def _unquoted(data: bytes, reader: _Reader) -> bytes:
    """`data` with quoted-printable undone once more where a program encoded without saying so."""
    if not _SOFT_BREAK.search(data) or len(_QUOTED_BYTE.findall(data)) <= 1:
        return data
    reader.faults.append("quoted-printable that was not declared")
    return quopri.decodestring(data)


def _flowed(text: str, part: Part) -> str:
    if part.params.get("format", "").lower() != "flowed":
        return text
    return unflow(text, delsp=part.params.get("delsp", "").lower() == "yes")


def _unarmoured(text: str, reader: _Reader) -> str:
    """Text without PGP's armour: what was encrypted inline is gone and noted, what was only signed stays."""
    if "-----BEGIN PGP " not in text:
        return text
    if "-----BEGIN PGP MESSAGE-----" in text:
        reader.encrypted = True
        text = _ARMOUR.sub("", text)
    if "-----BEGIN PGP SIGNED MESSAGE-----" in text:
        text = re.sub(r"^- (?=-)", "", _SIGNED.sub("", text), flags=re.MULTILINE)
    return _PGP_SIGNATURE.sub("", text)


def _chosen(body: _Body) -> str | None:
    plain, rich = body.plain, body.rich
    if plain is None or not plain.strip():
        return _final(rich if rich is not None else plain)
    if rich and rich.strip() and len(plain) < _STUB_LENGTH and _STUB.search(plain) and not _STUB.search(rich):
        return _final(rich)  # "your program does not show HTML"
    return _final(plain)


def _final(text: str | None) -> str | None:
    if text is None:
        return None
    lines = text[:MAX_TEXT].split("\n")
    return "\n".join(line[:MAX_LINE].rstrip() if line != "-- " else line for line in lines)
