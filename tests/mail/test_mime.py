"""Opening mails: headers, addresses, charsets, parts and HTML, of whatever quality."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.mail import parts
from pbem.mail.charsets import decode
from pbem.mail.flowed import unflow
from pbem.mail.headers import addresses, decode_words, display_name, parameters, unbase64
from pbem.mail.htmltext import to_text
from pbem.mail.mime import MAX_LINE, MAX_TEXT, open_mail

if TYPE_CHECKING:
    from pbem.post import Incoming

NOW = datetime(2026, 12, 7, 20, tzinfo=UTC)


def opened(head: str, body: bytes | str = b"x") -> Incoming:
    data = body if isinstance(body, bytes) else body.encode()
    return open_mail(head.encode() + b"\n\n" + data, NOW)


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("a@b.example", ["a@b.example"]),
        ("A <A@B.Example>", ["a@b.example"]),
        ("a@b.example, B <b@b.example>", ["a@b.example", "b@b.example"]),
        ("a@b.example b@b.example", ["a@b.example", "b@b.example"]),
        ("X <a@b.example> Y <b@b.example>", ["a@b.example", "b@b.example"]),
        ("a@b.example <b@b.example>", ["b@b.example"]),
        ('"a@b.example" <b@b.example>', ["b@b.example"]),
        ('"Carlier, Ines" <b@b.example>', ["b@b.example"]),
        ("=?utf-8?Q?a=40b=2Eexample=2C?= <b@b.example>", ["b@b.example"]),
        ("b@b.example (Ines (the baker), a@b.example)", ["b@b.example"]),
        ("Group: a@b.example, b@b.example;", ["a@b.example", "b@b.example"]),
        ("undisclosed-recipients:;", []),
        ("<>", []),
        ("MAILER-DAEMON", []),
        ("<a@b.example", ["a@b.example"]),
        ("a @ b.example", ["a@b.example"]),
        ("<mailto:a@b.example>", ["a@b.example"]),
        ("'a@b.example'", ["a@b.example"]),
        ("jdöe@mächine.example", ["jdöe@mächine.example"]),
        ('"a+tag"@b.example', ["a+tag@b.example"]),
        ('"a@c.example"@b.example', []),
        ("", []),
    ],
)
def test_addresses(value: str, expected: list[str]) -> None:
    assert list(addresses(value)) == expected


def test_display_name() -> None:
    assert display_name("=?utf-8?Q?In=C3=A8s?= <a@b.example>") == "Inès"
    assert display_name('"Inès C." <a@b.example>') == "Inès C."
    assert display_name("a@b.example") == ""


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("=?utf-8?B?w4k=?=", "É"),
        ("=?utf-8?B?ww==?= =?utf-8?B?iQ==?=", "É"),
        ("=?utf-8?Q?=C3?= =?utf-8?Q?=89t=C3=A9?=", "Été"),
        ("=?iso-8859-1?Q?=E9?= =?utf-8?Q?=C3=A9?= x", "éé x"),
        ("a =?utf-8?Q?b?= c", "a b c"),
        ("=?utf-8*fr?Q?=C3=A9?=", "é"),
        ("=?utf-8?Q?un mot=20?=", "un mot"),
        ("=?iso-2022-jp?B?GyRCJDkbKEI=?= =?iso-2022-jp?B?GyRCJF8bKEI=?=", "すみ"),
        ("=?gb2312?B?xOO6ww==?=", "你好"),
        ("=?x-none?Q?=E9?=", "é"),
        ("=?utf-8?Q?=XX?=", "=XX"),
        ("=?utf-8?B?!!!?=", ""),
        ("=?utf-8?Q?sans fin", "=?utf-8?Q?sans fin"),
        ("plain", "plain"),
    ],
)
def test_encoded_words(value: str, expected: str) -> None:
    assert decode_words(value) == expected


@pytest.mark.parametrize(
    ("data", "charset", "expected"),
    [
        ("é".encode(), "utf-8", "é"),
        ("é".encode(), "iso-8859-1", "é"),
        ("é".encode(), "us-ascii", "é"),
        ("é".encode(), None, "é"),
        (b"\xe9", "utf-8", "é"),
        (b"\xe9", "us-ascii", "é"),
        (b"\xe9", None, "é"),
        (b"\x92\x80", "iso-8859-1", "\u2019\u20ac"),
        (b"\xa4", "iso-8859-15", "€"),
        (b"\xbd", "iso-8859-15", "œ"),
        ("Привет, это проверка".encode("cp1251"), None, "Привет, это проверка"),
        ("Привет, это проверка".encode("koi8-r"), "unknown-8bit", "Привет, это проверка"),
        ("日本".encode("shift_jis"), "x-sjis", "日本"),
        ("한글".encode("cp949"), "ks_c_5601-1987", "한글"),
        ("x".encode("utf-16"), "utf-16", "x"),
        (b"x", "utf-16", "x"),
        (b"\xe9", "base64", "é"),
        (b"\xe9", "rot13", "é"),
        (b"\xe9", "x" * 500, "é"),
        (b"\xe9", "\x00\xff", "é"),
        (b"a\x00b\x1b", "utf-8", "a b"),
    ],
)
def test_charsets(data: bytes, charset: str | None, expected: str) -> None:
    assert decode(data, charset)[0].strip("\ufeff") == expected


def test_parameters() -> None:
    kind, found = parameters(
        'Text/Plain; charset="utf-8"; name*0*=utf-8\'\'un%20; name*1=deux; x="a;b\\"c"; charset=late'
    )
    assert kind == "text/plain"
    assert found == {"charset": "utf-8", "x": 'a;b"c', "name": "un deux"}


def test_base64_of_any_quality() -> None:
    assert unbase64(b"w6k") == "é".encode()
    assert unbase64(b"w6 k=\n!") == "é".encode()
    assert unbase64(b"w6kx=") in {"é".encode(), b"\xc3\xa9\x31"}
    assert unbase64(b"") == b""


@pytest.mark.parametrize(
    ("text", "delsp", "expected"),
    [
        ("a \nb\nc", False, "a b\nc"),
        ("a \nb", True, "ab"),
        ("> a \n> b\n> c", False, "> a b\n> c"),
        ("> a \nb", False, "> a \nb"),
        (">> a\n> b", False, ">> a\n> b"),
        (" From x", False, "From x"),
        ("a\n-- \nb", False, "a\n-- \nb"),
        ("a \n-- \nb", False, "a \n-- \nb"),
        ("!x \ny", False, "!x y"),
    ],
)
def test_flowed(text: str, delsp: bool, expected: str) -> None:
    assert unflow(text, delsp=delsp) == expected


@pytest.mark.parametrize(
    ("markup", "expected"),
    [
        ("a<br>b", "a\nb"),
        ("<p>a</p><p>b</p>", "a\n\nb"),
        ("<div>a</div><div>b</div>", "a\nb"),
        ("<p>a&nbsp;b&eacute;&#33;</p>", "a\u00a0bé!"),
        ("<b>a</b> <i>b</i>c", "a bc"),
        ("<ul><li>a<li>b</ul>", "- a\n- b"),
        ("<pre>a\n  b</pre>", "a\n  b"),
        ("<blockquote>a<blockquote>b</blockquote></blockquote>c", "> a\n>> b\n>\nc"),
        ("<script>x</script><style>y</style><p style='display: none'>z</p>a<!-- b -->", "a"),
        ("a < b", "a < b"),
        ("", ""),
        ("<", "<"),
        ("<?xml version='1.0'?><html><body>a</body></html>", "a"),
    ],
)
def test_html(markup: str, expected: str) -> None:
    assert to_text(markup) == expected


def test_fields_of_the_envelope() -> None:
    found = opened(
        "Received: from a by mx.jeu.example with ESMTP id 1 for <lune+x@jeu.example>; now\nFrom: Inès <A@b.example>\nFrom: b@b.example\n"
        "To: lune@jeu.example\nCc: c@b.example\nBcc: d@b.example\nMessage-ID: <1@b.example>\nSubject: a\n b"
    )
    assert found.senders == ("a@b.example", "b@b.example")
    assert (found.sender_name, found.to, found.cc) == ("Inès", ("lune@jeu.example",), ("c@b.example", "d@b.example"))
    assert (found.message_id, found.subject, found.recipients) == ("<1@b.example>", "a b", ("lune+x@jeu.example",))
    assert [name for name, _ in found.headers] == [
        "Received",
        "From",
        "From",
        "To",
        "Cc",
        "Bcc",
        "Message-ID",
        "Subject",
    ]
    assert found.received is NOW


def test_delivery_headers_name_the_recipient() -> None:
    found = opened("Delivered-To: lune+x@jeu.example\nX-Original-To: lune@jeu.example\nReceived: for <z@z.example>")
    assert found.recipients == ("lune+x@jeu.example", "lune@jeu.example")


def test_no_header_value_holds_a_line_end() -> None:
    found = opened("Subject: =?utf-8?Q?a=0D=0ABcc:_x@y?= \u2028b\x0bc\nX-A: b\n\tc")
    assert all(not set(value) & set("\r\n\u2028\u2029\x0b\x85") for _, value in found.headers)


def test_limits() -> None:
    long = opened("Subject: x", b"a" * (MAX_LINE + 9) + b"\n" + b"b\n" * MAX_TEXT)
    assert long.text is not None
    assert len(long.text) <= MAX_TEXT
    assert max(map(len, long.text.split("\n"))) == MAX_LINE
    huge = open_mail(b"Subject: x\n\n" + b"y" * (parts.MAX_RAW + 5) + b"\n!late", NOW)
    assert "!late" not in (huge.text or "")
    assert any("longer than" in fault for fault in huge.faults)


def test_depth_and_number_of_parts_are_bounded() -> None:
    deep = b"".join(b"--b%d\nContent-Type: multipart/mixed; boundary=b%d\n\n" % (n, n + 1) for n in range(500))
    found = open_mail(b"Content-Type: multipart/mixed; boundary=b0\n\n" + deep, NOW)
    assert any("nested" in fault for fault in found.faults)
    many = open_mail(b"Content-Type: multipart/mixed; boundary=b\n\n" + b"--b\n\nx\n" * 5000, NOW)
    assert len(many.content_types) <= parts.MAX_PARTS + 1


def test_words_of_a_part_whose_boundary_was_lost_are_not_the_writers() -> None:
    part = "Content-Type: text/plain; name=x.txt\nContent-Disposition: attachment\n\n!voter Bruno\n"
    for body in (f"--b\n\nBonsoir.\n{part}--b--", f"--b\n\nBonsoir.\n--c\n{part}", f"--b\n\nBonsoir.\n--\n{part}"):
        found = opened("Content-Type: multipart/mixed; boundary=b", body)
        assert "voter" not in (found.text or "")
        assert "Bonsoir" in (found.text or "")


def test_a_blank_line_too_many_after_the_boundary() -> None:
    body = "--b\n\nContent-Type: text/html\n\n<p>Bonsoir</p>\n--b--"
    assert opened("Content-Type: multipart/mixed; boundary=b", body).text == "Bonsoir"


def test_html_that_calls_itself_plain() -> None:
    assert (
        opened("Content-Type: text/plain", "<html><body><p>a</p><blockquote>b</blockquote></body></html>").text
        == "a\n\n> b"
    )


HEAD = st.sampled_from(
    ["From: a@b.example", "Subject: =?utf-8?B?w4k=?=", "Content-Type: multipart/mixed; boundary=b", "Content-Type: text/html",
     "Content-Type: text/plain; charset=utf-7", "Content-Type: text/plain; charset=hz", "Content-Transfer-Encoding: base64",
     "Content-Transfer-Encoding: quoted-printable", "Content-Transfer-Encoding: uuencode", "Content-Type: text/plain; format=flowed"]
)  # fmt: skip


@given(st.lists(HEAD, max_size=4), st.binary(max_size=300))
def test_any_bytes_open(head: list[str], body: bytes) -> None:
    found = open_mail("\r\n".join(head).encode() + b"\r\n\r\n" + body, NOW)
    assert found.text is None or isinstance(found.text, str)


@given(st.text(max_size=200))
def test_any_text_is_read_somehow(text: str) -> None:
    assert isinstance(to_text(text), str)
    addresses(text)
    parameters(text)
    decode_words(text)
    unflow(text, delsp=True)


@given(st.binary(max_size=80), st.text(max_size=20))
def test_any_charset_is_read_somehow(data: bytes, charset: str) -> None:
    assert isinstance(decode(data, charset)[0], str)
