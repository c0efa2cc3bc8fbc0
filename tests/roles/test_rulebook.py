"""The rule book: one text a language, true to the lexicon and to the configured dice, and well printed."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

from docs import build_rules
from pbem.engine.roles import LEXICON
from tests.roles.typography import faults

ROOT = Path(__file__).parents[2]
LANGUAGES = ("fr", "en")


def _book(language: str) -> str:
    return (ROOT / "templates" / "rules" / f"{language}.md").read_text(encoding="utf-8")


def _levels(language: str) -> list[int]:
    return [len(mark) for mark in re.findall(r"^(#+) ", _book(language), re.MULTILINE)]


@pytest.mark.parametrize("language", LANGUAGES)
def test_credits_the_author(language: str) -> None:
    assert {"fr": "Règles écrites par Mr.Pie", "en": "Rules by Mr.Pie"}[language] in _book(language)


@pytest.mark.parametrize("language", LANGUAGES)
def test_ends_where_the_cards_are_appended(language: str) -> None:
    last = _book(language).rpartition("\n## ")[2]
    assert last.startswith({"fr": "Les rôles\n", "en": "The roles\n"}[language])
    assert "\n#" not in last


def test_both_languages_have_the_same_build() -> None:
    assert _levels("fr") == _levels("en")
    assert _book("fr").count("\n|") == _book("en").count("\n|")


@pytest.mark.parametrize("language", LANGUAGES)
def test_is_well_printed(language: str) -> None:
    lines = [line for line in _book(language).splitlines() if not re.fullmatch(r"[|\-]+", line)]
    prose = [re.sub(r"^\s*(#+|-|\d+\.) |\*\*?|^\| | \|(?= |$)", "", line) for line in lines]
    assert [fault for line in prose for fault in faults(line, language)] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_tells_only_commands_that_exist(language: str) -> None:
    known = {word for verb in LEXICON for word in (verb.french or (verb.name,) if language == "fr" else (verb.name,))}
    typed = {word for code in re.findall(r"`([^`]*)`", _book(language)) for word in re.findall(r"\b[A-Z]{3,}\b", code)}
    assert typed
    assert typed <= known


@pytest.mark.parametrize("language", LANGUAGES)
def test_tells_every_command_that_belongs_to_no_role(language: str) -> None:
    common = {"JOIN", "LEAVE", "WATCH", "UNWATCH", "VOTE", "ELECT", "HEIR", "DECIDE", "SAY", "PACK", "GRAVEYARD"}
    common |= {"CANCEL", "STATUS", "ABSENT", "HELP", "RULES", "LANG", "MAIL", "ADDRESS", "QUESTION"}
    for verb in LEXICON:
        if verb.name in common:
            words = (verb.french or (verb.name,)) if language == "fr" else (verb.name,)
            assert any(re.search(rf"`!?{word}\b", _book(language)) for word in words), verb.name


@pytest.mark.parametrize("language", LANGUAGES)
def test_peek_4_prints_the_childs_table_as_it_is_configured(language: str) -> None:
    chances = tomllib.loads((ROOT / "config" / "child.toml").read_text(encoding="utf-8"))
    rows = re.findall(r"^\| (\d+) \| (.+) \| (.+) \| (.+) \|$", _book(language), re.MULTILINE)
    printed: dict[str, dict[str, dict[str, int]]] = {"3": {}, "2": {}, "1": {}}
    for innocents, *cells in rows:
        for wolves, cell in zip("321", cells, strict=True):
            if cell != "–":
                see, seen = cell.split(" / ")
                printed[wolves][innocents] = {"see": int(see), "seen": int(seen)}
    assert printed == chances


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_page_in_docs_is_built_from_today_s_texts(language: str) -> None:
    built = (ROOT / "docs" / f"rules.{language}.md").read_text(encoding="utf-8")
    assert built == build_rules.page(language), "run: python docs/build_rules.py"


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_page_in_docs_has_every_card(language: str) -> None:
    assert set(build_rules.ORDER) == {folder.name for folder in (ROOT / "templates" / "roles").iterdir()}
    headings = re.findall(r"^### (.*)$", build_rules.page(language).rpartition("\n## ")[2], re.MULTILINE)
    assert len(headings) == len(set(headings)) == len(build_rules.ORDER)
