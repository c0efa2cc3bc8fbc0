"""What holds for each letter that the game can write, in every language, gender and state (MAIL.md § 5)."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from tests.letters.gallery import CAST, samples
from tests.letters.reading import HOUSE, answer, page, words
from tests.letters.village import book, tag_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pbem.post import Letter

TAGS = {tag_of(seat) for seat in range(1, len(CAST) + 1)}
LIST = "village@example.org"
TELLERS = {"conteur@example.org", "t1@example.org"}
PEOPLES_WORDS = {"post", "pack-talk", "graveyard-talk", "daily"}
"""Kinds whose body somebody else wrote."""
OFFERED = re.compile(r"    (?:[A-Z]{2,}|\[PL1\]|lune\+)")
"""A line to copy."""
SEED = "ab" * 32


@pytest.fixture(scope="module")
def written() -> list[tuple[str, Letter]]:
    return [(name, letter) for name, letters in samples().items() for letter in letters]


def test_every_sample_brings_letters() -> None:
    assert [name for name, letters in samples().items() if not letters] == []


def test_is_whole(written) -> None:
    for name, letter in written:
        assert letter.to, name
        assert letter.kind, name
        assert letter.language in {"fr", "en"}, name
        assert letter.thread or letter.in_reply_to, name
        assert re.match(r"\[PL1\] \S", letter.subject), name
        assert len(letter.subject) < 120, name
        assert letter.text.startswith("Pleine Lune · "), name
        assert letter.text.endswith("\n"), name
        assert len(letter.html) < 100_000, name


def test_has_no_trace_of_its_making(written) -> None:
    for name, letter in written:
        for part in (letter.subject, letter.text, letter.html):
            assert not re.search(r"[\x00-\x08\x0b-\x1f\x7f]", part), name
            assert not re.search(r"\{\{|\{%|\bNone\b|Undefined|bound method|\|[mf]\b", part), name
        assert not re.search(r"&(?:lt|gt|amp|#3[49]);", letter.text), name


def test_says_the_same_facts_in_text_and_html(written) -> None:
    for name, letter in written:
        rich = page(letter)
        lines = [re.sub(r"^\[[^\]]*\] ?", "", link.subject) or link.address for link in rich.links]
        assert words(letter.text) == words("\n".join((rich.text, *lines))), name


def test_the_lines_to_copy_are_what_the_buttons_send(written) -> None:
    for name, letter in written:
        sent = {link.subject or link.address for link in page(letter).links}
        bare = {re.sub(r"^\[[^\]]*\] ", "", line) for line in sent}
        offered = {line[4:] for line in letter.text.split("\n") if OFFERED.match(line)}
        assert offered <= sent | bare, name
        assert len(offered) == len(sent), name


def test_fits_the_width(written) -> None:
    wide = {"state"}
    for name, letter in written:
        for line in letter.text.split("\n"):
            free = (
                OFFERED.match(line) or SEED in line or "SHA" in line or letter.kind in wide or " " not in line.strip()
            )
            assert len(line) <= 76 or free or letter.kind == "ack", (name, line)
            assert len(line) <= 110, (name, line)


def test_is_html_that_mail_programs_keep(written) -> None:
    for name, letter in written:
        rich = page(letter)
        assert f'<html lang="{letter.language}">' in letter.html, name
        assert not rich.tags & {"script", "img", "link", "iframe", "form", "svg", "object", "base"}, name
        assert not re.search(r"https?://|url\(|@import|javascript:", letter.html), name
        for tag, attribute, value in rich.attributes:
            assert not attribute.startswith("on"), name
            assert attribute != "scope" or (tag == "th" and value in {"row", "col"}), name


def test_what_people_wrote_stays_text(written) -> None:
    for name, letter in written:
        if "boulanger" in letter.text:
            assert "<b>le boulanger</b> & sa femme." in letter.text, name
            assert "&lt;b&gt;le boulanger&lt;/b&gt; &amp; sa femme." in letter.html, name
        assert "<script" not in letter.html, name


def test_no_subject_is_a_command_when_answered(written) -> None:
    for subject in {letter.subject for _, letter in written}:
        some = next(letter for _, letter in written if letter.subject == subject)
        for admin in (False, True):
            for line in (f"Re: {subject}", subject):
                assert answer(some, subject=line, to=HOUSE.address, admin=admin).commands == (), subject
        assert answer(some, text="Merci beaucoup.", to=HOUSE.address).attempt is None, subject


def test_nor_is_any_line(written) -> None:
    """Sent back without any mark of quotation, a letter is not executed."""
    for text in {letter.text for _, letter in written}:
        some = next(letter for _, letter in written if letter.text == text)
        assert answer(some, text=text, to=HOUSE.address).commands == (), text
        assert not any(line.lstrip().startswith("!") for line in text.split("\n"))


def test_shows_a_tag_to_its_owner_alone(written) -> None:
    own = {person.address: person.tag for person in book(CAST).seats.values()}
    for name, letter in written:
        everything = " ".join((letter.subject, letter.text, letter.html, letter.reply_to or "", str(letter.headers)))
        shown = {tag for tag in TAGS if tag in everything}
        assert shown <= {own.get(letter.to)}, name
        assert not (letter.to == LIST and re.search(r"lune\+(?!pl1-(?:say|grave)@)", everything)), name


def test_every_link_is_read_as_what_it_promises(written) -> None:
    seen = set()
    for name, letter in written:
        for link in page(letter).links:
            if letter.kind == "confirm" or (letter.to, link) in seen:
                continue
            seen.add((letter.to, link))
            heard = answer(letter, subject=link.subject, to=link.address, admin=letter.to in TELLERS)
            assert len(heard.commands) == 1, (name, link)
            if not link.subject:
                assert re.fullmatch(r"lune\+pl1-(say|grave)@example\.org", link.address), (name, link)
                continue
            line = re.sub(r"^\[[^\]]*\] (?:ADMIN )?", "", link.subject)
            assert heard.commands[0].args == line.partition(" ")[2], (name, link)
            assert link.label in line or len(line.split()) <= 3, (name, link)


def test_letters_to_the_list_carry_what_lists_carry(written) -> None:
    for name, letter in written:
        headers = dict(letter.headers)
        if letter.to == LIST:
            assert headers["List-Id"] == "PL1 <pl1.village.example.org>", name
            assert headers["List-Post"] == "<mailto:lune+pl1-say@example.org>", name
            assert letter.reply_to == "lune+pl1-say@example.org", name
            assert letter.language == "fr", name
            assert letter.thread.startswith("PL1/day/"), name
            assert letter.notices == (), name
        elif letter.to == "lectrice@example.net":
            assert headers["List-Unsubscribe"] == "<mailto:lune@example.org?subject=%5BPL1%5D%20UNWATCH>", name
        elif letter.kind in {"daily", "execution", "post"}:
            reads = not re.match(r"p\d+@", letter.to)
            assert ("List-Unsubscribe" in headers) == reads, name
            assert headers["List-Id"] == "PL1 <pl1.village.example.org>", name
        else:
            assert "List-Id" not in headers, name


def _prose(letter: Letter) -> Iterator[str]:
    for line in letter.text.split("\n"):
        if not line.startswith(">") and not OFFERED.match(line):
            yield line


_FRENCH = re.compile(r"(?<=\S) [:;!?»](?!\w)|« (?!\u00a0)|(?<=[a-zéèê])[;!?](?=\s|$)|(?<=\w)'(?=\w)")
_TYPED = re.compile(r"Élisons \w+ !|`[^`]*`|d'Arc")
"""What is to be typed, and what people are called."""


def test_french_is_printed_as_french_is(written) -> None:
    """No-break spaces before double punctuation, typographic apostrophes; commands and people's words are left
    alone.
    """
    for name, letter in written:
        if letter.language == "fr" and letter.kind not in PEOPLES_WORDS | {"log"}:
            prose = _TYPED.sub("", "\n".join(_prose(letter)).replace("\n", " "))
            assert [prose[max(0, hit.start() - 20) : hit.end() + 10] for hit in _FRENCH.finditer(prose)] == [], name
            labels = [link.label for link in page(letter).links if link.label not in link.subject]
            assert [label for label in labels if _FRENCH.search(label)] == [], name


@pytest.mark.parametrize(
    ("language", "foreign"),
    [("en", r"\b(?:vous|votre|est|partie|qui|contre|jusqu)\b"), ("fr", r"\b(?:the|your|you|was|until|with|game)\b")],
)
def test_every_letter_is_in_one_language(written, language: str, foreign: str) -> None:
    for name, letter in written:
        if letter.language == language and letter.kind not in PEOPLES_WORDS | {"log"}:
            found = re.search(foreign, " ".join((letter.subject, *_prose(letter))), re.IGNORECASE)
            assert found is None, (name, found)
