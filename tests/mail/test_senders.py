"""RFC 5322 § 3.4 against who would be taken for another: a From that leaves a doubt names nobody, least of all a victim."""

from __future__ import annotations

import random
from datetime import UTC, datetime

import pytest

from pbem.mail.authenticity import Trust, judge
from pbem.mail.mime import open_mail
from pbem.mail.senders import senders

NOW = datetime(2026, 12, 7, 20, tzinfo=UTC)
ANNA = "anna@uni.example"


@pytest.mark.parametrize(
    "value",
    [
        "anna@uni.example",
        " anna@uni.example ",
        "Anna@Uni.Example",
        "<anna@uni.example>",
        "Anna <anna@uni.example>",
        "Anna<anna@uni.example>",
        "Anna O'Brien <anna@uni.example>",
        "Carlier, Anna <anna@uni.example>",
        '"Carlier, Anna" <anna@uni.example>',
        '"Anna \\"Nana\\" Carlier" <anna@uni.example>',
        '"Anna" Carlier <anna@uni.example>',
        '"bob@uni.example" <anna@uni.example>',
        "anna@uni.example <anna@uni.example>",
        "Anna @home <anna@uni.example>",
        "=?utf-8?Q?Ann=C3=A9?= <anna@uni.example>",
        "=?utf-8?Q?bob=40uni=2Eexample=2C?= <anna@uni.example>",
        "Anné <anna@uni.example>",
        "anna@uni.example (Anna (the baker), bob@uni.example)",
        "Anna (the \\) baker) <anna(hers)@uni.example(here)> (Anna)",
        "Anna <anna @ uni.example>",
        "Anna: <anna@uni.example>",
        "Bakers: anna@uni.example;",
        "anna@uni.example;",
        "anna@uni.example,",
        ", Anna <anna@uni.example>",
        "anna@uni.example, Anna <ANNA@uni.example>",
        '"anna"@uni.example',
        '<"anna"@uni.example>',
    ],
)
def test_what_everybody_reads_alike(value: str) -> None:
    assert senders(value) == (ANNA,)


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("anna@uni.example, Bob <bob@uni.example>", (ANNA, "bob@uni.example")),
        ("Bakers: anna@uni.example, bob@uni.example;", (ANNA, "bob@uni.example")),
        ("Bakers: anna@uni.example;, bob@uni.example", (ANNA, "bob@uni.example")),
        ("jdöe@mächine.example", ("jdöe@mächine.example",)),
        ("x <a.b+c=d@[192.0.2.1]>", ("a.b+c=d@[192.0.2.1]",)),
        ("undisclosed-recipients:;", ()),
        ("<>", ()),
        ("MAILER-DAEMON", ()),
        ("", ()),
        ("   ", ()),
    ],
)
def test_several_none_and_odd_ones(value: str, expected: tuple[str, ...]) -> None:
    assert senders(value) == expected


NOT_ANNA = [
    "<'anna@uni.example>",
    "'anna@uni.example",
    "<'anna@uni.example'>",
    "<`anna@uni.example>",
    "<.anna@uni.example>",
    "<anna.@uni.example>",
    "<anna@uni.example.>",
    "<anna@.uni.example>",
    '"\\" <anna@uni.example> \\"" <"m l"@uni.example>',
    '"\\" <anna@uni.example> \\"" <bob@uni.example>',
    '"<anna@uni.example>" bob@uni.example',
    '"anna@uni.example" bob@uni.example',
    "<anna@uni.example> bob@uni.example",
    "bob@uni.example <anna@uni.example>",
    "bob anna@uni.example",
    "bob,anna@uni.example",
    '"bob",anna@uni.example',
    "bob;anna@uni.example",
    "bob@evil.example;anna@uni.example",
    "b: bob; anna@uni.example",
    "b: bob:anna@uni.example;",
    "<evil\\anna@uni.example>",
    "evil\\anna@uni.example",
    "evil\\\\<anna@uni.example>",
    "<ev;anna@uni.example>",
    "<ev:anna@uni.example>",
    "<ev,anna@uni.example>",
    "<ev anna@uni.example>",
    "<anna@uni.example ev>",
    '<ev"il"anna@uni.example>',
    '<"ev"anna@uni.example>',
    "<ev(il)anna@uni.example>",
    "<[ev]anna@uni.example>",
    "<anna@uni.example@evil.example>",
    "<evil@evil.example@uni.example>",
    "<@evil.example:anna@uni.example>",
    "<mailto:anna@uni.example>",
    "<<anna@uni.example>>",
    "<anna@uni.example",
    "anna@uni.example>",
    "<anna@uni.example\\>bob@uni.example>",
    '"foo" <anna@uni.example>@evil.example',
    '"foo" <anna@uni.example>.evil.example',
    "<anna@uni.example> <bob@evil.example>",
    "<bob@evil.example> <anna@uni.example>",
    '"foo <anna@uni.example>',
    'foo" <anna@uni.example>',
    "foo ( <anna@uni.example>",
    "foo ) <anna@uni.example>",
    "(anna@uni.example",
    "anna@uni.example\\",
    "anna@uni@example",
    "<annA@u\u212ani.example>",
    "<an\u200bna@uni.example>",
    "<an\x7fna@uni.example>",
]


@pytest.mark.parametrize("value", NOT_ANNA)
def test_in_doubt_nobody(value: str) -> None:
    assert senders(value) != (ANNA,)


def test_a_letter_that_only_becomes_latin_when_made_small_is_another() -> None:
    assert senders("<\u212aate@uni.example>") == ()


@pytest.mark.parametrize("value", NOT_ANNA)
def test_nor_is_such_a_mail_hers_where_her_university_vouches_for_it(value: str) -> None:
    top = "Authentication-Results: mx.jeu.example; dmarc=pass header.from=uni.example\n"
    top += "Received: from out (out [192.0.2.1]) by mx.jeu.example with ESMTP; x\n"
    mail = open_mail(f"{top}From: {value}\nTo: lune@jeu.example\n\nx".encode(), NOW)
    assert not (mail.senders == (ANNA,) and judge(mail, Trust("mx.jeu.example")).authentic)


@pytest.mark.parametrize(
    "value",
    [
        b"<an\x1b(Bna@uni.example>",
        b"<an\x00na@uni.example>",
        b"<anna@uni.example\x0c>",
        b"anna@uni.example," + b" " * 30_000 + b"bob@evil.example",
        b"anna@uni.example\nFrom: bob,anna@uni.example",
        b"anna@uni.example\nFrom: ",
    ],
)
def test_nothing_is_dropped_on_the_way_to_the_address(value: bytes) -> None:
    assert open_mail(b"From: " + value + b"\nTo: lune@jeu.example\n\nx", NOW).senders == ()


def test_anything_at_all_is_read() -> None:
    dice = random.Random(5)
    bits = ['"', "\\", "<", ">", "(", ")", ",", ";", ":", "@", " ", "anna@uni.example", "bob", "é", "[", "]"]
    for _ in range(20_000):
        found = senders("".join(dice.choices(bits, k=dice.randint(0, 9))))
        assert all(address.count("@") == 1 for address in found)


def test_no_value_is_slow() -> None:
    for bit in ('"', "<", "(", "a.", "a@", "\\", ",", '"a" ', "<a@b>", ":", "((", '""'):
        senders(bit * (20_000 // len(bit)))
        senders("<" + bit * (19_000 // len(bit)) + ">")
        senders("a@" + bit * (19_000 // len(bit)))
