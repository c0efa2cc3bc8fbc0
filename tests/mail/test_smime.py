"""RFC 8551 § 3.5.2: words inside a signature are read; what is encrypted, damaged or hostile is not, and never raises."""

from __future__ import annotations

import random
from datetime import UTC, datetime
from pathlib import Path

import pytest

from pbem.mail.mime import open_mail
from pbem.mail.parts import parse
from pbem.mail.smime import signed_content

SIGNED, DATA, ENVELOPED = (bytes.fromhex("2a864886f70d0107" + last) for last in ("02", "01", "03"))
WORDS = b"Content-Type: text/plain; charset=utf-8\r\n\r\nVOTER No\xc3\xa9\r\n"
MAILS = Path(__file__).resolve().parents[1] / "mails"


def item(tag: int, *inside: bytes) -> bytes:
    body = b"".join(inside)
    size = len(body).to_bytes(3, "big")
    return bytes((tag, 0x83)) + size + body


def opened(tag: int, *inside: bytes) -> bytes:
    """An element without a length (BER)."""
    return bytes((tag, 0x80)) + b"".join(inside) + b"\0\0"


def message(kind: bytes = SIGNED, content: bytes | None = None) -> bytes:
    held = item(0xA0, item(0x04, WORDS)) if content is None else content
    inner = item(0x30, item(0x02, b"\1"), item(0x31), item(0x30, item(0x06, DATA), held), item(0x31))
    return item(0x30, item(0x06, kind), item(0xA0, inner))


def test_the_words_inside_a_signature() -> None:
    assert signed_content(message()) == WORDS
    assert (
        signed_content(message(content=item(0xA0, item(0x24, item(0x04, b"VOTER "), item(0x04, b"Bruno")))))
        == b"VOTER Bruno"
    )
    pieces = opened(0xA0, opened(0x24, item(0x04, b"VOTER "), opened(0x24, item(0x04, b"Bruno"))))
    assert signed_content(message(content=pieces)) == b"VOTER Bruno"


@pytest.mark.parametrize(
    "data",
    [
        b"", b"\x30", b"\x30\x80", b"\x30\x80" * 5000, b"\0\0", b"\x30\xff" + b"\xff" * 200, message(ENVELOPED), message(content=b""),
        message(content=item(0xA0, item(0x05))), message()[:-40], b"0" * 100_000, b"VOTER Bruno",
        opened(0x30, item(0x06, SIGNED), b"\xa0\x80" * 100_000),
    ],
)  # fmt: skip
def test_what_is_no_signed_message(data: bytes) -> None:
    assert not signed_content(data)


def test_damage_never_raises() -> None:
    rng = random.Random(5)
    whole = message()
    for _ in range(3000):
        data = bytearray(whole)
        for _ in range(rng.randint(1, 6)):
            data[rng.randrange(len(data))] = rng.randrange(256)
        signed_content(bytes(data[: rng.randint(0, len(data))]))


def test_only_the_mail_itself_is_opened_not_what_is_attached_to_it() -> None:
    raw = (MAILS / "smime-opaque.eml").read_bytes()
    head, _, body = raw.partition(b"\r\n\r\n")
    part = b"Content-Type: application/pkcs7-mime\r\nContent-Transfer-Encoding: base64\r\n\r\n" + body
    mixed = b"Content-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\n\r\nBonsoir.\r\n--b\r\n" + part + b"\r\n--b--\r\n"
    at = datetime(2026, 12, 7, tzinfo=UTC)
    assert open_mail(raw, at).text.startswith("VOTER Bruno")  # type: ignore[union-attr]
    assert not open_mail(raw, at).encrypted
    assert open_mail(mixed, at).text == "Bonsoir."
    assert parse(head + b"\r\n\r\n")[0].type == "application/pkcs7-mime"
