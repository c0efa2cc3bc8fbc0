"""A `Letter` as it goes over the wire: the bytes of one RFC 5322 mail.

Promises: whatever the letter holds, the result is 7-bit, its lines end in CRLF and are no longer than 998 octets
(headers fold at 76 where words allow), and no value can start another header: control characters and line breaks become
spaces. Text and HTML are quoted-printable UTF-8, attachments base64; the MIME boundary occurs in no part. The same
arguments give the same bytes. The letter's own headers come last and replace none of those made here.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import re
from email.utils import format_datetime
from typing import TYPE_CHECKING
from urllib.parse import quote

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import datetime

    from pbem.post import Letter

WIDTH = 76
MOST_REFERENCES = 20
_LONGEST_WORD = 900
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]+")
_NO_TEXT = bytes([*range(9), *range(0x0B, 0x20), 0x7F])
_NO_TEXT_EITHER = re.compile(rb"\xc2[\x80-\x9f]")  # U+0080 to U+009F
_NEW_LINES = tuple(mark.encode() for mark in ("\r\n", "\r", "\u2028", "\u2029", "\x85"))
_FIELD_NAME = re.compile(r"[!-9;-~]{1,70}")
_IDENTIFIER = re.compile(r"<?([^<>\s\x00-\x20\x7f-\U0010ffff]{1,250})>?")
_ADDRESS = re.compile(r"[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,128}@[A-Za-z0-9.-]{1,253}")
_ATOMS = re.compile(r"[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(?: [A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*")
_WORD_OF_TYPE = r"[A-Za-z0-9!#$%&'*+.^_`{|}~-]+"
_TYPE = re.compile(rf'{_WORD_OF_TYPE}/{_WORD_OF_TYPE}(?:; ?{_WORD_OF_TYPE}=(?:{_WORD_OF_TYPE}|"[ !#-\[\]-~]*"))*')
_OWN = frozenset(
    [
        *["from", "to", "cc", "bcc", "sender", "subject", "date", "auto-submitted"],
        *["message-id", "in-reply-to", "references", "reply-to", "mime-version"],
        *["content-type", "content-transfer-encoding", "content-language", "content-disposition"],
        *["return-path", "delivered-to", "received"],
    ]
)


def compose(
    letter: Letter,
    *,
    sender: str,
    sender_name: str,
    message_id: str,
    date: datetime,
    auto_submitted: str,
    references: tuple[str, ...] = (),
) -> bytes:
    """The mail of a letter.

    `sender` is the bare address of From, `references` are Message-IDs, oldest first, `date` is aware, `auto_submitted`
    is an RFC 3834 word (`auto-generated`, `auto-replied`). The mail that the letter answers becomes the last reference.

    Raises ValueError if `sender`, `letter.to`, `letter.reply_to` or `message_id` cannot stand in a mail at all.
    """
    own = _identifier(message_id)
    if own is None:
        raise ValueError("no Message-ID")
    answered = _identifier(letter.in_reply_to or "")
    thread = _thread(references, answered)
    lines = [
        _field("From", _mailbox(sender, sender_name, len("From: "))),
        _field("To", _address(letter.to)),
        _field("Subject", _words(letter.subject, len("Subject: "))),
        _field("Date", format_datetime(date)),
        _field("Message-ID", own),
        _field("Auto-Submitted", _words(auto_submitted, len("Auto-Submitted: "))),
    ]
    if letter.reply_to:
        lines.append(_field("Reply-To", _mailbox(letter.reply_to, sender_name, len("Reply-To: "))))
    if answered:
        lines.append(_field("In-Reply-To", answered))
    if thread:
        lines.append(_field("References", " ".join(thread)))
    lines += [
        _field(name, _words(value, len(name) + 2))
        for name, value in letter.headers
        if _FIELD_NAME.fullmatch(name) and name.lower() not in _OWN
    ]
    lines += ["MIME-Version: 1.0", _field("Content-Language", _words(letter.language, len("Content-Language: ")))]
    return "".join(f"{line}\r\n" for line in lines).encode("ascii") + _content(letter, own)


def _field(name: str, value: str) -> str:
    """A header folded at its spaces (RFC 5322 § 2.2.3)."""
    lines = [f"{name}:"]
    for word in value.split(" "):
        if len(lines[-1]) + 1 + len(word) > WIDTH and not lines[-1].endswith(":"):
            lines.append("")
        lines[-1] += f" {word}"
    return "\r\n".join(lines)


def _words(value: str, used: int) -> str:
    """Free text on one line: as it is if it is ASCII and cannot be taken for an encoded word, else RFC 2047.

    `used` is how much of the first line the header's name takes.
    """
    text = " ".join(_CONTROL.sub(" ", value).split(" ")).strip()
    plain = text.isascii() and "=?" not in text and all(len(word) <= _LONGEST_WORD for word in text.split(" "))
    return re.sub(" +", " ", text) if plain else _encoded(text, used)


def _encoded(text: str, used: int) -> str:
    """RFC 2047 encoded words, none cut inside a character, none longer than what is left of its line."""
    words: list[str] = []
    chunk = b""
    room = (WIDTH - used - len("=?utf-8?b??=")) // 4 * 3
    for char in text:
        octets = char.encode()
        if len(chunk) + len(octets) > room:
            words.append(_encoded_word(chunk))
            chunk, room = b"", 45
        chunk += octets
    return " ".join([*words, _encoded_word(chunk)])


def _encoded_word(chunk: bytes) -> str:
    return f"=?utf-8?b?{base64.b64encode(chunk).decode()}?="


def _mailbox(address: str, name: str, used: int) -> str:
    """A name and an address (RFC 5322 § 3.4)."""
    bare = _address(address)
    shown = _CONTROL.sub(" ", name).strip()
    if not shown:
        return bare
    if _ATOMS.fullmatch(shown) and "=?" not in shown:
        phrase = shown
    elif shown.isascii() and "=?" not in shown:
        phrase = '"' + re.sub(r'(["\\])', r"\\\1", shown) + '"'
    else:
        phrase = _encoded(shown, used)
    return f"{phrase} <{bare}>"


def _address(address: str) -> str:
    local, _, domain = address.rpartition("@")
    with_ascii = f"{local}@{domain}" if domain.isascii() else f"{local}@{domain.encode('idna').decode()}"
    if not _ADDRESS.fullmatch(with_ascii):
        raise ValueError("an address that cannot stand in a mail")
    return with_ascii


def _identifier(value: str) -> str | None:
    match = _IDENTIFIER.fullmatch(value.strip())
    return f"<{match[1]}>" if match else None


def _thread(references: Iterable[str], answered: str | None) -> list[str]:
    """The References: the first and the latest of the thread, each once, what is answered last (RFC 5322 § 3.6.4)."""
    known = [one for one in map(_identifier, references) if one and one != answered]
    unique = list(dict.fromkeys(known)) + ([answered] if answered else [])
    return unique if len(unique) <= MOST_REFERENCES else [unique[0], *unique[1 - MOST_REFERENCES :]]


def _content(letter: Letter, salt: str) -> bytes:
    """The Content- headers, the empty line, and the body."""
    text = _part("text/plain; charset=utf-8", letter.text)
    body = (
        _multipart("alternative", [text, _part("text/html; charset=utf-8", letter.html)], salt) if letter.html else text
    )
    if letter.attachments:
        body = _multipart("mixed", [body, *(_attachment(*one) for one in letter.attachments)], salt)
    return body


def _part(kind: str, text: str) -> bytes:
    head = f"Content-Type: {kind}\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n"
    return head.encode("ascii") + quoted_printable(text)


def quoted_printable(text: str) -> bytes:
    """UTF-8 text in quoted-printable, lines ending in CRLF, the last one too (RFC 2045 § 6.7)."""
    data = text.encode(errors="ignore")  # half a character is none; bytes, since that is several times faster
    for mark in _NEW_LINES:
        data = data.replace(mark, b"\n")
    data = _NO_TEXT_EITHER.sub(b"", data.translate(None, _NO_TEXT))
    quoted = b"\n" + binascii.b2a_qp(data.rstrip(b"\n") + b"\n", istext=True)
    quoted = quoted.replace(b"\nFrom ", b"\n=46rom =\n")  # a line `From ` is altered by some mailboxes
    return quoted[1:].replace(b"\n", b"\r\n")


def _attachment(name: str, kind: str, data: bytes) -> bytes:
    kind = kind if kind.isascii() and len(kind) < WIDTH and _TYPE.fullmatch(kind) else "application/octet-stream"
    head = f"Content-Type: {kind}\r\nContent-Transfer-Encoding: base64\r\n"
    head += f"Content-Disposition: attachment;\r\n\t{_filename(name)}\r\n\r\n"
    return head.encode("ascii") + base64.encodebytes(data).replace(b"\n", b"\r\n")


def _filename(name: str) -> str:
    """The parameter `filename`, by RFC 2231 if it needs to be; no folder, nothing that ends the header."""
    bare = _CONTROL.sub(" ", name).replace("\\", "/").rpartition("/")[2].strip()[:60] or "file"
    if bare.isascii() and '"' not in bare:
        return f'filename="{bare}"'
    return "filename*=utf-8''" + quote(bare, safe="")


def _multipart(kind: str, parts: list[bytes], salt: str) -> bytes:
    """Parts between boundaries; `=_` stands in no quoted-printable or base64 text, so no part can hold the boundary."""
    mark = "=_" + hashlib.sha256(f"{salt} {kind}".encode()).hexdigest()[:32]
    head = f'Content-Type: multipart/{kind};\r\n\tboundary="{mark}"\r\n\r\n'.encode("ascii")
    line = mark.encode("ascii")
    return head + b"".join(b"--" + line + b"\r\n" + part + b"\r\n" for part in parts) + b"--" + line + b"--\r\n"
