"""Every letter survives mail programs: nothing in it that they drop or block (rules after caniemail's data)."""

from __future__ import annotations

import pytest

from tests.letters.gallery import samples
from tests.letters.mailclients import RULES, faults, sheet_faults
from tests.letters.test_big_villages import big_letters


def test_every_letter_survives_mail_programs() -> None:
    found = {}
    for name, letters in samples().items():
        for letter in letters:
            for fault in faults(letter.html, letter.language):
                found.setdefault(fault, name)
    assert found == {}


def test_letters_of_the_biggest_village_do_too() -> None:
    for letter in big_letters():
        assert faults(letter.html, letter.language) == [], letter.kind


HEAD = (
    '<!DOCTYPE html><html lang="fr"><head><meta charset="utf-8"><meta name="viewport" content="x">'
    '<meta name="color-scheme" content="light dark"><title>x</title></head><body><h1>x</h1>'
)


@pytest.mark.parametrize(
    ("body", "fault"),
    [
        ('<img src="https://x.example/a.png">', "element <img>"),
        ("<script>1</script>", "element <script>"),
        ('<form action="x"></form>', "element <form>"),
        ("<svg></svg>", "element <svg>"),
        ('<p style="float:left">x</p>', "property float"),
        ('<p style="background:url(x)">x</p>', "property background"),
        ('<p style="display:flex">x</p>', "display:flex"),
        ('<p style="margin:-3px">x</p>', "margin:-3px: negative lengths are dropped"),
        ('<p style="color:rgba(0,0,0,.5)">x</p>', "color:rgba(0,0,0,.5): colours are #rrggbb, which all read"),
        ('<p style="font-size:2rem">x</p>', "font-size:2rem: units that Outlook on Windows does not know"),
        ('<table role="presentation"><tr><td style="width:50%">x</td></tr></table>', "<td> of width 50% without the attribute"),
        ("<table><tr><td>x</td></tr></table>", "a table of data without heads"),
        ("<table><tr><th>x</th></tr></table>", "a th without scope"),
        ('<table role="presentation"><tr><th scope="col">x</th></tr></table>', "a table for layout with heads"),
        ("<h3>x</h3>", "a heading of level 3 after 1"),
        ("<h1>x</h1>", "headings [1, 1]"),
        ('<a href="https://x.example/">x</a>', "a link to https://x.example/"),
        ('<a href="mailto:x@y.z"></a>', "a link without a label"),
        ('<p onclick="x()">x</p>', "attribute onclick on <p>"),
        ("<div><style>p{color:red}</style></div>", "a style element in the body"),
        (f"<p>{'x' * 100_001}</p>", "100270 bytes"),
    ],
)  # fmt: skip
def test_the_linter_finds(body: str, fault: str) -> None:
    found = faults(HEAD + body, "fr")
    assert fault in found or (fault.endswith("bytes") and any(one.endswith("bytes") for one in found)), found


def test_the_linter_finds_what_a_whole_letter_lacks() -> None:
    found = faults("<html><head></head><body><h2>x</h2></body></html>", "fr")
    assert {"lang is None", "no title", "headings [2]"} <= set(found)
    assert any(fault.startswith("no doctype") for fault in found)


@pytest.mark.parametrize(
    ("css", "fault"),
    [
        ("p{color:red}", "rules outside of @media: they should stand in the elements"),
        ("@media (min-width: 600px){p{color:#ffffff}}", "at-rule '@media (min-width: 600px)'"),
        ("@media (prefers-color-scheme: dark){p > a{color:#ffffff}}", "selector 'p > a'"),
        ("@media (prefers-color-scheme: dark){p{color:#ffffff!important}}", "color:#ffffff!important: Outlook on Windows and Orange want a space before !important"),
        ("@media (prefers-color-scheme: dark){p{filter:x}}", "property filter"),
    ],
)  # fmt: skip
def test_the_linter_finds_in_a_style_sheet(css: str, fault: str) -> None:
    assert fault in list(sheet_faults(css))


def test_every_rule_says_why() -> None:
    for table in ("elements", "attributes", "properties", "values", "at-rules"):
        assert all(isinstance(why, str) and why for why in RULES[table].values()), table
