"""French words that lose a letter before a name: one rule, in templates and catalogues alike, for all letters."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from babel.messages.pofile import read_po
from markupsafe import Markup

from pbem.app.publishing import Language
from pbem.letters import samples as shipped
from pbem.letters.elision import Elision
from pbem.letters.samples import troupe
from pbem.letters.typography import END, RAW
from pbem.resources import templates_dir
from tests.letters.gallery import samples
from tests.letters.village import SCRIBE

if TYPE_CHECKING:
    from pathlib import Path

    from pbem.post import Letter

FRENCH = SCRIBE.press.room("fr").words.elision
LITTLE = "de|que|jusque|lorsque|puisque|quoique|ne|se|le|la|je|me|te|si"
VOWELS = ("Élodie", "Ismaël", "Hélène", "Ivan", "Œdipe", "Yves", "Ulysse", "Hugo", "Inès", "Étienne")
CONSONANTS = ("Yann", "Harald", "Bruno", "Hussein", "Heidi", "Chloé", "Hans", "Yasmine", "David")


@pytest.mark.parametrize("name", VOWELS)
def test_before_a_vowel(name: str) -> None:
    assert FRENCH.joined("de", name) == f"d’{name}"
    assert FRENCH.joined("Que", name) == f"Qu’{name}"
    assert FRENCH.joined("avec", name) == f"avec {name}"


@pytest.mark.parametrize("name", CONSONANTS)
def test_before_anything_else(name: str) -> None:
    assert FRENCH.joined("de", name) == f"de {name}"


def test_before_a_piece_of_a_letter() -> None:
    bold = FRENCH.joined("de", Markup("<strong>Ivan &amp; co</strong>"))
    assert (bold, type(bold)) == ("d’<strong>Ivan &amp; co</strong>", Markup)
    assert FRENCH.joined("de", f"{RAW}ivan@example.org{END}") == f"d’{RAW}ivan@example.org{END}"
    assert FRENCH.joined("de", "") == "de "
    assert FRENCH.joined("de", "« Ivan »") == "d’« Ivan »"


def test_in_a_text_of_the_catalogue() -> None:
    text = "la main de {one}, et que {other}"
    assert FRENCH.fitted(text, {"one": "Ivan", "other": "Bruno"}) == "la main d’{one}, et que {other}"
    assert FRENCH.fitted(text, {"one": "{other}", "other": "Eve"}).format(one="x", other="y") == "la main d’x, et qu’y"
    assert SCRIBE.press.room("en").words.elision.fitted(text, {"one": "Ivan", "other": "Eve"}) == text
    assert Elision().joined("de", "Ivan") == "de Ivan"


def test_the_archive_does_so_too() -> None:
    told = Language([templates_dir()], "fr")
    assert "la main d’Ivan" in told("night", "forced", name="Bruno", voter="Ivan", target="Eve")
    assert "la main de Bruno" in told("night", "forced", name="Ivan", voter="Bruno", target="Eve")


def _sources() -> list[Path]:
    return [path for path in templates_dir().rglob("fr.j2") if path.parent.parent.name in {"letters", "refusals"}]


def test_no_template_puts_a_little_word_before_a_name_by_itself() -> None:
    """`{{ name|after("de") }}` does; what follows "le", "si" and their like is never a name."""
    assert len(_sources()) > 100
    bare = re.compile(rf"\b({LITTLE})\s+\{{\{{(?!\s*g\()", re.IGNORECASE)
    found = {str(path): bare.findall(path.read_text("utf-8")) for path in _sources()}
    assert {path: hits for path, hits in found.items() if hits} == {}


def test_every_little_word_of_a_catalogue_is_one_that_the_rule_knows() -> None:
    bare = re.compile(rf"\b({LITTLE}) \{{(\w+)\}}", re.IGNORECASE)
    for path in templates_dir().rglob("fr/LC_MESSAGES/letters.po"):
        with path.open("rb") as file:
            texts = [
                text for m in read_po(file) if m.id for text in ([m.string] if isinstance(m.string, str) else m.string)
            ]
        for text in texts:
            for _, field in bare.findall(text):
                assert "{" + field + "}" not in FRENCH.fitted(text, {field: "Ivan"}).replace("’{", "")


def _french(letters: dict[str, list[Letter]]) -> list[str]:
    return [re.sub(r"\s+", " ", one.text) for some in letters.values() for one in some if one.language == "fr"]


def test_no_letter_says_it_wrongly(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every sample letter, about people whose names begin with a vowel or an h, and about others."""
    wrongly = re.compile(rf"\b(?:de|que|jusque|lorsque|puisque) (?:{'|'.join(VOWELS)})\b")
    cut = re.compile(r"\b(?:d|qu|jusqu)’(?:Bruno|Chloé|David|Farid)\b")
    assert [hit for text in _french(samples()) for hit in cut.findall(text)] == []
    monkeypatch.setattr(troupe, "_NAMES", VOWELS)
    texts = _french(shipped.samples(SCRIBE))
    assert sum("Élodie" in text for text in texts) > 50
    assert any("la place d’Élodie" in text for text in texts)
    assert [hit for text in texts for hit in wrongly.findall(text)] == []
