"""MAIL.md § 5, machines: each kind of letter, as it goes out, against the standards it must keep.

RFC 5322 and 2045 to 2047 (form), 3834 (who answers automatically), 2369 and 2919 (lists), 5064 (archives), 8058 (one
click). The bytes are read by two parsers that did not write them: mail-parser, and pymap's own.
"""

from __future__ import annotations

import quopri
import re
from dataclasses import replace
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING, NamedTuple

import mailparser
import pytest
from pymap.mime import MessageContent

from pbem.letters import samples as shipped
from pbem.letters.samples import troupe
from pbem.mail.wire import compose
from tests.letters.village import SCRIBE

if TYPE_CHECKING:
    from pbem.post import Letter

WHEN = datetime(2026, 12, 7, 21, 0, 5, tzinfo=UTC)
ARCHIVE = "https://lune.example.org/archive"
ATOM = r"[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+"
DOT_ATOM = rf"{ATOM}(?:\.{ATOM})*"
ADDRESS = rf"{DOT_ATOM}@{DOT_ATOM}"
WORD = rf'(?:{ATOM}|"(?:[^"\\]|\\.)*"|=\?[!->@-~]+\?[bqBQ]\?[!->@-~]*\?=)'
DATE = r"(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d{2} (?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) \d{4} \d\d:\d\d:\d\d [+-]\d{4}"
URI = r"<(?:mailto:[A-Za-z0-9.+%@_?=&~-]+|https://[A-Za-z0-9./%#_?=&~+-]+)>"
VALUES = {
    "from": rf"(?:{WORD}(?: {WORD})* )?<{ADDRESS}>|{ADDRESS}",
    "to": ADDRESS,
    "reply-to": rf"(?:{WORD}(?: {WORD})* )?<{ADDRESS}>|{ADDRESS}",
    "date": DATE,
    "message-id": rf"<{ADDRESS}>",
    "in-reply-to": rf"<{ADDRESS}>",
    "references": rf"<{ADDRESS}>(?: <{ADDRESS}>)*",
    "mime-version": r"1\.0",
    "auto-submitted": r"auto-generated|auto-replied",
    "content-language": r"fr|en",
    "list-id": rf"(?:{WORD}(?: {WORD})* )?<{DOT_ATOM}>",
    "list-post": URI,
    "list-help": URI,
    "list-archive": URI,
    "archived-at": URI,
    "list-unsubscribe": rf"{URI}(?:, {URI})?",
    "list-unsubscribe-post": r"List-Unsubscribe=One-Click",
}
"""What each field must look like, unfolded; comments are not used."""
ALWAYS = {
    "from",
    "to",
    "subject",
    "date",
    "message-id",
    "auto-submitted",
    "mime-version",
    "content-type",
    "content-language",
}
LISTS = {"list-id", "list-post", "list-help", "list-archive", "archived-at"}
BODIES = {"text/plain": "quoted-printable", "text/html": "quoted-printable", "text/calendar": "base64"}


class Sent(NamedTuple):
    """A letter and its mail."""

    name: str
    letter: Letter
    raw: bytes
    fields: list[tuple[str, str]]

    def get(self, name: str) -> str:
        return next((value for key, value in self.fields if key == name), "")


def _fields(raw: bytes) -> list[tuple[str, str]]:
    """Names (lower case) and unfolded values, by RFC 5322 § 2.2 alone."""
    head = raw.split(b"\r\n\r\n", 1)[0].decode("ascii")
    unfolded = re.sub(r"\r\n(?=[ \t])", "", head)
    return [(line.partition(":")[0].lower(), line.partition(":")[2].strip()) for line in unfolded.split("\r\n")]


def _sent(name: str, number: int, letter: Letter) -> Sent:
    speaker = next((value for key, value in letter.headers if key == "From"), "Pleine Lune")
    raw = compose(
        letter,
        sender="lune@example.org",
        sender_name=speaker,
        message_id=f"<{number:08x}@example.org>",
        date=WHEN,
        auto_submitted="auto-replied" if letter.in_reply_to else "auto-generated",
        references=("<root@example.org>",) if letter.thread else (),
    )
    return Sent(name, letter, raw, _fields(raw))


@pytest.fixture(scope="module")
def sent() -> list[Sent]:
    """Every kind of letter, of a village with an archive on the web; and answers to somebody's mail."""
    made = troupe.book_of
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(troupe, "book_of", lambda *args, **more: replace(made(*args, **more), archive_url=ARCHIVE))
        letters = [(name, letter) for name, some in shipped.samples(SCRIBE).items() for letter in some]
    assert len({letter.kind for _, letter in letters}) > 30
    answers = [
        (name, replace(letter, in_reply_to="<x.y-1@mail.example>")) for name, letter in letters if letter.kind == "ack"
    ]
    return [_sent(name, number, letter) for number, (name, letter) in enumerate([*letters, *answers])]


def test_lines(sent) -> None:
    """RFC 5322 § 2.1.1 and RFC 2045 § 2.7: 7-bit, CRLF alone, at most 998 octets, headers folded at 78 where they can be."""
    for one in sent:
        assert not re.search(rb"\r(?!\n)|(?<!\r)\n|[\x80-\xff\x00]", one.raw), one.name
        assert max(len(line) for line in one.raw.split(b"\r\n")) <= 998, one.name
        for line in one.raw.split(b"\r\n\r\n", 1)[0].split(b"\r\n"):
            assert len(line) <= 78 or b" " not in line.strip().partition(b": ")[2], (one.name, line)


def test_fields(sent) -> None:
    for one in sent:
        names = [name for name, _ in one.fields]
        assert set(names) >= ALWAYS, one.name
        assert len(names) == len(set(names)), (one.name, names)
        assert set(names) <= ALWAYS | VALUES.keys(), (one.name, set(names) - ALWAYS - VALUES.keys())
        for name, value in one.fields:
            if name in VALUES:
                assert re.fullmatch(VALUES[name], value), (one.name, name, value)


def test_what_goes_with_what(sent) -> None:
    """RFC 3834 § 5, RFC 2369 § 3, RFC 8058 § 3.1."""
    seen: set[str] = set()
    for one in sent:
        names = {name for name, _ in one.fields}
        assert (one.get("auto-submitted") == "auto-replied") == ("in-reply-to" in names), one.name
        if "in-reply-to" in names:
            assert one.get("references").endswith(one.get("in-reply-to")), one.name
        if "list-unsubscribe-post" in names:
            assert one.get("list-unsubscribe").count("<https://") == 1, one.name
        if names & LISTS:
            assert names >= LISTS, (one.name, names)
        assert parsedate_to_datetime(one.get("date")) == WHEN
        seen |= names
    assert seen >= VALUES.keys(), VALUES.keys() - seen


def test_another_parser_reads_what_was_written(sent) -> None:
    for one in sent:
        mail = mailparser.parse_from_bytes(one.raw)
        assert not mail.defects, one.name
        assert mail.message_id == one.get("message-id"), one.name
        assert mail.to == [("", one.letter.to)], one.name
        assert mail.subject.split() == one.letter.subject.split(), one.name
        assert [part.replace("\r\n", "\n").rstrip("\n") for part in mail.text_plain] == [
            one.letter.text.rstrip("\n")
        ], one.name
        assert [part.replace("\r\n", "\n").strip() for part in mail.text_html] == [one.letter.html.strip()], one.name
        assert [found["filename"] for found in mail.attachments] == [name for name, _, _ in one.letter.attachments], (
            one.name
        )


def _leaves(part: MessageContent) -> list[MessageContent]:
    nested = list(part.body.nested) if part.body.has_nested else []
    return [leaf for inner in nested for leaf in _leaves(inner)] if nested else [part]


def test_a_third_parser_finds_the_parts(sent) -> None:
    """RFC 2045 §§ 5 and 6, RFC 2046 § 5.1.4: text before HTML, each with its type, charset and encoding."""
    for one in sent:
        leaves = _leaves(MessageContent.parse(one.raw))
        kinds = [str(leaf.header.parsed.content_type.content_type) for leaf in leaves]
        assert kinds[:2] == ["text/plain", "text/html"], (one.name, kinds)
        assert set(kinds[2:]) <= {"text/calendar"}, (one.name, kinds)
        for kind, leaf in zip(kinds, leaves, strict=True):
            parsed = leaf.header.parsed
            assert parsed.content_type.params["charset"].lower() == "utf-8", one.name
            assert str(parsed.content_transfer_encoding).lower() == BODIES[kind], (one.name, kind)
        assert all(len(line) <= 76 for line in bytes(leaves[0].body).split(b"\r\n")), one.name
        text = quopri.decodestring(bytes(leaves[0].body)).decode().replace("\r\n", "\n")
        assert text.rstrip("\n") == one.letter.text.rstrip("\n"), one.name
