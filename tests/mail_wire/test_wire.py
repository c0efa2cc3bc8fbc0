"""Letters as bytes: read back by two libraries that did not write them, and checked line by line."""

from __future__ import annotations

import email
import email.policy
import re
from datetime import UTC, datetime, timedelta, timezone
from email.header import decode_header, make_header
from email.utils import parsedate_to_datetime

import mailparser
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from pbem.mail.wire import MOST_REFERENCES, compose
from pbem.post import Letter

WHEN = datetime(2026, 12, 8, 22, 0, 5, tzinfo=timezone(timedelta(hours=1)))
DEFAULTS = {
    "sender": "lune@village.example",
    "sender_name": "Pleine Lune",
    "message_id": "<0123456789abcdef@village.example>",
    "date": WHEN,
    "auto_submitted": "auto-generated",
}


def letter(**changes):
    made = {
        "to": "chloe@example.org",
        "kind": "digest",
        "language": "fr",
        "subject": "[PL1] La nuit tombe",
        "text": "Bonsoir à tous,\n\nla nuit tombe.\n",
        "html": "<p>Bonsoir à tous,</p><p>la nuit tombe.</p>",
    }
    return Letter(**(made | changes))


def composed(changes=None, **options):
    return compose(letter(**(changes or {})), **(DEFAULTS | options))


def parsed(raw):
    return email.message_from_bytes(raw, policy=email.policy.default)


def check_wire(raw):
    """RFC 5322 § 2.1.1 and § 2.3, RFC 2045 § 2.7: 7-bit, CRLF, no line too long, no NUL."""
    assert raw.endswith(b"\r\n")
    assert not re.search(rb"\r(?!\n)|(?<!\r)\n|[\x80-\xff\x00]", raw)
    assert max(len(line) for line in raw.split(b"\r\n")) <= 998
    head = raw.split(b"\r\n\r\n", 1)[0]
    for line in head.split(b"\r\n"):
        assert re.match(rb"[!-9;-~]+: |[ \t]+\S", line), line
        assert b"=?" not in line or len(line) <= 76  # RFC 2047 § 2
    return head


def test_text_and_html_say_what_the_letter_says():
    raw = composed()
    check_wire(raw)
    mail = parsed(raw)
    assert mail.get_content_type() == "multipart/alternative"
    text, html = mail.iter_parts()
    assert (text.get_content_type(), html.get_content_type()) == ("text/plain", "text/html")
    assert text.get_content().replace("\r\n", "\n").rstrip("\n") == letter().text.rstrip("\n")
    assert html.get_content().strip() == letter().html
    other = mailparser.parse_from_bytes(raw)
    assert other.text_plain[0].replace("\r\n", "\n").strip() == letter().text.strip()
    assert other.text_html[0].strip() == letter().html
    assert not other.defects


def test_the_headers_of_a_letter():
    raw = composed(
        {
            "reply_to": "lune+k7f3q9abcdefghij@village.example",
            "in_reply_to": "<question@example.org>",
            "headers": (
                ("List-Id", "Pleine Lune <village.village.example>"),
                ("Archived-At", "<https://example.org/1>"),
            ),
        },
        references=("<first@village.example>", "<second@village.example>"),
    )
    check_wire(raw)
    mail = parsed(raw)
    assert str(mail["From"]) == "Pleine Lune <lune@village.example>"
    assert str(mail["Reply-To"]) == "Pleine Lune <lune+k7f3q9abcdefghij@village.example>"
    assert mail["To"] == "chloe@example.org"
    assert mail["Message-ID"] == DEFAULTS["message_id"]
    assert mail["In-Reply-To"] == "<question@example.org>"
    assert mail["References"] == "<first@village.example> <second@village.example> <question@example.org>"
    assert mail["Auto-Submitted"] == "auto-generated"
    assert mail["List-Id"] == "Pleine Lune <village.village.example>"
    assert mail["Archived-At"] == "<https://example.org/1>"
    assert mail["Content-Language"] == "fr"
    assert parsedate_to_datetime(mail["Date"]) == WHEN
    assert mail["MIME-Version"] == "1.0"
    for name in ("From", "To", "Subject", "Date", "Message-ID", "Auto-Submitted", "MIME-Version", "Content-Type"):
        assert len(mail.get_all(name)) == 1


def test_text_alone():
    mail = parsed(composed({"html": ""}))
    assert mail.get_content_type() == "text/plain"
    assert mail.get_content().replace("\r\n", "\n") == letter().text


def test_attachments():
    calendar = "BEGIN:VCALENDAR\r\nSUMMARY:Exécution\r\nEND:VCALENDAR\r\n".encode()
    raw = composed(
        {
            "attachments": (
                ("échéances.ics", "text/calendar; charset=utf-8; method=PUBLISH", calendar),
                ("../../etc/pas\r\nX: swd", "no type\r\nX-Evil: yes", bytes(range(256)) * 40),
            )
        }
    )
    check_wire(raw)
    mail = parsed(raw)
    assert mail.get_content_type() == "multipart/mixed"
    body, first, second = mail.iter_parts()
    assert body.get_content_type() == "multipart/alternative"
    assert (first.get_filename(), first.get_content_type()) == ("échéances.ics", "text/calendar")
    assert first.get_content().replace("\n", "\r\n").replace("\r\r\n", "\r\n").encode() == calendar
    assert first.get_param("method") == "PUBLISH"
    assert second.get_content_type() == "application/octet-stream"
    assert second.get_content() == bytes(range(256)) * 40
    assert second.get_filename() == "pas X: swd"
    assert mail["X-Evil"] is second["X-Evil"] is None
    assert mailparser.parse_from_bytes(raw).attachments[0]["filename"] == "échéances.ics"


@pytest.mark.parametrize(
    "name",
    [
        "Pleine Lune",
        "Lune, Pleine",
        'La "Lune"',
        "Æsir \\ é",
        "",
        "x\r\nBcc: a@b.c",
        "=?utf-8?q?x?=",
        "é" * 80,
        "a@b.c",
    ],
)
def test_names_of_senders(name):
    raw = composed(sender_name=name)
    check_wire(raw)
    (address,) = parsed(raw)["From"].addresses
    assert address.addr_spec == "lune@village.example"
    shown = re.sub(r"[\r\n]+", " ", name)
    # Python's newer parser keeps the space between encoded words (RFC 2047 § 6.2 drops it); its older one does not.
    phrase = email.message_from_bytes(raw)["From"].rpartition(" <")[0]
    decoded = str(make_header(decode_header(phrase)))
    assert shown in {address.display_name, decoded}
    assert parsed(raw)["Bcc"] is None


@pytest.mark.parametrize("field", ["subject", "text", "html", "language"])
@pytest.mark.parametrize(
    "evil",
    [
        "x\r\nBcc: wolf@example.org",
        "x\nBcc: wolf@example.org\n\nbody",
        "x\rBcc: w",
        "x\x00\x0b\x0cBcc: w",
        "\u2028Bcc: w",
    ],
)
def test_no_value_starts_a_header(field, evil):
    raw = composed({field: evil})
    head = check_wire(raw)
    assert b"\r\nBcc" not in head
    assert parsed(raw)["Bcc"] is None


@pytest.mark.parametrize("name", ["Bcc", "from", "Message-Id", "X Y", "X:Y", "", "é", "Content-Type", "X\r\nY"])
def test_a_letters_own_headers_replace_none_of_ours_and_have_proper_names(name):
    raw = composed({"headers": ((name, "wolf@example.org"), ("X-Good", "a\r\nBcc: b"))})
    check_wire(raw)
    mail = parsed(raw)
    assert mail["X-Good"] == "a Bcc: b"
    assert mail["Bcc"] is None
    assert b"wolf" not in raw
    assert len(mail.get_all("From")) == len(mail.get_all("Content-Type")) == 1


@pytest.mark.parametrize(
    "address", ["", "x", "a b@c.d", "a@b\r\nBcc: c@d.e", "a@b,c@d", "<a@b>", "é@example.org", 'a"b@c.d']
)
def test_no_mail_to_what_is_no_address(address):
    with pytest.raises(ValueError, match="address"):
        composed({"to": address})
    with pytest.raises(ValueError, match="address"):
        composed({"reply_to": address or "x"})


def test_international_domains():
    assert parsed(composed({"to": "chloe@élan.example"}))["To"] == "chloe@xn--lan-9la.example"


@pytest.mark.parametrize("identifier", ["", "<>", "<a b@c>", "<a@b>\r\nBcc: x", "<" + "x" * 300 + "@y>"])
def test_no_mail_without_an_identifier(identifier):
    with pytest.raises(ValueError, match="Message-ID"):
        composed(message_id=identifier)


def test_odd_identifiers_of_others_are_left_out():
    mail = parsed(
        composed({"in_reply_to": "<a b>\r\nBcc: x"}, references=("nonsense here", "<good@x.y>", "bare@x.y", ""))
    )
    assert mail["In-Reply-To"] is None
    assert mail["References"] == "<good@x.y> <bare@x.y>"


def test_long_threads_keep_their_first_and_latest():
    references = tuple(f"<{number}@village.example>" for number in range(200))
    raw = composed({"in_reply_to": "<5@village.example>"}, references=references)
    check_wire(raw)
    kept = parsed(raw)["References"].split()
    assert len(kept) == MOST_REFERENCES
    assert (kept[0], kept[-2:]) == ("<0@village.example>", ["<199@village.example>", "<5@village.example>"])


def test_a_line_that_begins_with_from_or_a_dot_stays_as_it_was():
    text = "From here on,\n.\n..two\n.x\nFrom " + "x" * 200 + "\n>From\n"
    raw = composed({"text": text, "html": ""})
    check_wire(raw)
    assert not re.search(rb"(?m)^From |^\.\r?$", raw.split(b"\r\n\r\n", 1)[1])
    assert parsed(raw).get_content().replace("\r\n", "\n") == text


def test_the_same_letter_gives_the_same_bytes():
    assert composed() == composed()


text_of_any_kind = st.text(st.characters(exclude_categories=()), max_size=300)
ordinary = st.text(st.characters(codec="utf-8", exclude_categories=("Cc", "Cs", "Zl", "Zp")), max_size=400)


@given(subject=ordinary, text=ordinary, name=ordinary)
@example(subject="é" * 300, text="=" * 300, name="\\\"'" * 20)
@example(subject="x" * 1500, text=" \n \n", name="  a  ")
@example(subject="=?utf-8?b?", text="--=_", name="=?")
@settings(max_examples=300, deadline=None)
def test_what_goes_in_comes_out(subject, text, name):
    raw = composed({"subject": subject, "text": text}, sender_name=name)
    check_wire(raw)
    mail = parsed(raw)
    assert " ".join(str(mail["Subject"]).split(" ")).split() == subject.split()
    body = next(mail.iter_parts()).get_content().replace("\r\n", "\n")
    assert body.rstrip("\n") == text.rstrip("\n")
    assert [one.addr_spec for one in mail["From"].addresses] == ["lune@village.example"]


@given(
    subject=text_of_any_kind,
    text=text_of_any_kind,
    html=text_of_any_kind,
    name=text_of_any_kind,
    header=st.tuples(text_of_any_kind, text_of_any_kind),
    attachment=st.tuples(text_of_any_kind, text_of_any_kind, st.binary(max_size=300)),
    reference=text_of_any_kind,
)
@settings(max_examples=300, deadline=None)
def test_whatever_goes_in_what_comes_out_is_clean(subject, text, html, name, header, attachment, reference):
    raw = composed(
        {
            "subject": subject,
            "text": text,
            "html": html,
            "headers": (header,),
            "attachments": (attachment,),
            "in_reply_to": reference,
        },
        sender_name=name,
        references=(reference,),
        auto_submitted=subject,
    )
    check_wire(raw)
    mail = parsed(raw)
    assert mail.get_content_type() == "multipart/mixed"
    assert len(list(mail.iter_parts())) == 2
    assert mail.get_all("Message-ID") == [DEFAULTS["message_id"]]
    assert mailparser.parse_from_bytes(raw).message_id == DEFAULTS["message_id"]


def test_dates_in_utc():
    assert "21:00:05 +0000" in parsed(composed(date=WHEN.astimezone(UTC)))["Date"]
