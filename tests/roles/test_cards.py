"""The roles' cards: whole in both languages, true to the lexicon, and well printed."""

from __future__ import annotations

import re
import tomllib
import unicodedata
from pathlib import Path
from string import Formatter
from typing import TYPE_CHECKING, Any

import pytest

from pbem.engine.roles import LEXICON
from pbem.engine.verbs import Args
from tests.roles.typography import faults

if TYPE_CHECKING:
    from collections.abc import Iterator

CARDS = Path(__file__).parents[2] / "templates" / "roles"
POWERS = {
    "villager": [],
    "prescient": ["SAVE", "SAVE"],
    "seer": ["SEE"],
    "little-child": ["PEEK"],
    "forger": ["FORGE"],
    "nosy-neighbour": ["SPY"],
    "ghost": ["SAY"],
    "militia": ["GUARD"],
    "telepath": ["FORCE"],
    "executioner": ["DOUBLE", "DECIDE"],
    "sandman": ["SLEEP"],
    "investigator": ["ASK"],
    "matchmaker": ["PAIR"],
    "werewolf": ["KILL", "PACK"],
    "corrupter": ["INFECT", "KILL", "PACK"],
    "shaman": ["SEE", "KILL", "PACK"],
    "traitor": [],
    "pack-leader": ["SACRIFICE", "KILL", "PACK"],
    "beast": ["HUNT"],
}
"""The verbs of each role (MAIL.md § 3), in the order in which its card explains them."""
FORMS = ("bare", "name", "indefinite", "plural")
PROSE = ("tagline", "does", "told", "wins")
COMMAND = {"verb", "example", "explains", "until"}
LANGUAGES = ("fr", "en")
EVERY_CARD = [pytest.param(role, language, id=f"{role}-{language}") for role in POWERS for language in LANGUAGES]
ENGLISH = {word: verb.name for verb in LEXICON for word in (verb.name, *verb.french)}


def _card(role: str, language: str) -> dict[str, Any]:
    return tomllib.loads((CARDS / role / f"{language}.toml").read_text(encoding="utf-8"))


def _texts(value: object) -> Iterator[str]:
    """Every text below a value of a card: a string, a {m, f} table, or a list of them."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        yield from value.values()
    elif isinstance(value, list):
        for item in value:
            yield from _texts(item)


def _prose(card: dict[str, Any]) -> list[str]:
    texts = [text for key in PROSE for text in _texts(card[key])]
    return texts + [command[key] for command in card["commands"] for key in ("explains", "until")]


def _folded(text: str) -> str:
    decomposed = unicodedata.normalize("NFKD", text.casefold())
    return "".join(letter for letter in decomposed if letter.isalnum())


def test_there_is_a_card_for_each_role_and_no_other() -> None:
    assert {folder.name for folder in CARDS.iterdir()} == set(POWERS)


@pytest.mark.parametrize(("role", "language"), EVERY_CARD)
class TestCard:
    def test_has_every_key(self, role: str, language: str) -> None:
        card = _card(role, language)
        assert set(card) == {*FORMS, *PROSE, "aliases", "commands"}
        for form in FORMS:
            assert set(card[form]) == {"m", "f"}
        assert card["does"]
        assert card["told"]
        assert all(text.strip() for text in _prose(card))

    def test_uses_a_table_of_genders_only_where_they_differ(self, role: str, language: str) -> None:
        card = _card(role, language)
        for value in (card["tagline"], card["wins"], *card["does"], *card["told"]):
            assert isinstance(value, str) or (set(value) == {"m", "f"} and value["m"] != value["f"])

    def test_explains_each_power_in_the_words_of_its_language(self, role: str, language: str) -> None:
        commands = _card(role, language)["commands"]
        assert [ENGLISH[command["verb"]] for command in commands] == POWERS[role]
        for command in commands:
            verb = next(verb for verb in LEXICON if verb.name == ENGLISH[command["verb"]])
            assert set(command) == COMMAND
            assert command["verb"] in (verb.french if language == "fr" else (verb.name,))
            assert command["example"].split()[0] == command["verb"]

    def test_gives_an_example_with_the_right_arguments(self, role: str, language: str) -> None:
        separators = {"fr": {"contre", "pour", "et"}, "en": {"against", "for", "and"}}[language]
        shapes = {Args.NONE: (0,), Args.BODY: (0,), Args.PLAYER: (1,), Args.MAYBE_PLAYER: (0, 1), Args.ROLE: (1,)}
        for command in _card(role, language)["commands"]:
            args = next(verb.args for verb in LEXICON if verb.name == ENGLISH[command["verb"]])
            words = command["example"].split()[1:]
            if args in {Args.TWO_PLAYERS, Args.PLAYERS}:
                assert len(words) == 3
                assert words[1] in separators
            else:
                assert len(words) in shapes[args]

    def test_names_no_verb_but_those_that_exist(self, role: str, language: str) -> None:
        """A word in capitals is something to type, or a code of no meaning to a player."""
        known = {word for verb in LEXICON for word in (verb.french if language == "fr" else (verb.name,))}
        typed = {word for text in _prose(_card(role, language)) for word in re.findall(r"\b[A-ZÉÈÊÀ]{2,}\b", text)}
        assert typed <= known | {"QUICONQUE", "ANYONE"} | ({"STATUS"} if language == "en" else set())

    def test_leaves_the_hours_to_the_letter(self, role: str, language: str) -> None:
        for text in _prose(_card(role, language)):
            fields = {field for _, field, *_ in Formatter().parse(text) if field is not None}
            assert fields <= {"execution", "sunset", "vision"}
            assert not re.search(r"\d", text)

    def test_is_well_printed(self, role: str, language: str) -> None:
        card = _card(role, language)
        texts = [*_prose(card), *(text for form in FORMS for text in _texts(card[form])), *card["aliases"]]
        assert [fault for text in texts for fault in faults(text, language)] == []

    def test_is_found_under_all_its_own_names(self, role: str, language: str) -> None:
        card = _card(role, language)
        own = {text for form in ("bare", "plural") for text in _texts(card[form])}
        assert own <= set(card["aliases"])
        assert len(set(card["aliases"])) == len(card["aliases"])


def test_no_two_roles_answer_to_the_same_word() -> None:
    """In whatever language it is asked: accents, case, spaces and hyphens are no difference."""
    owners: dict[str, set[str]] = {}
    for role in POWERS:
        words = {role, *(alias for language in LANGUAGES for alias in _card(role, language)["aliases"])}
        for word in words:
            owners.setdefault(_folded(word), set()).add(role)
    assert {word: roles for word, roles in owners.items() if len(roles) > 1} == {}


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_several_roles_share_is_told_in_the_same_words(language: str) -> None:
    told: dict[str, set[str]] = {}
    for role, verbs in POWERS.items():
        for verb, command in zip(verbs, _card(role, language)["commands"], strict=True):
            if verb != "SAVE":  # explained twice on one card, by name and for anyone
                told.setdefault(verb, set()).add(repr(sorted(command.items())))
    assert {verb: texts for verb, texts in told.items() if len(texts) > 1} == {}


@pytest.mark.parametrize("language", LANGUAGES)
def test_both_languages_say_as_much(language: str) -> None:
    """A paragraph that is added in one language is wanting in the other."""
    other = next(name for name in LANGUAGES if name != language)
    for role in POWERS:
        for key in ("does", "told"):
            assert len(_card(role, language)[key]) == len(_card(role, other)[key]), (role, key)


@pytest.mark.parametrize(
    ("text", "language", "many"),
    [
        ("Qui va là ?", "fr", 1),
        ("Qui va là?", "fr", 1),
        ("Qui va là\u00a0?", "fr", 0),
        ("Quoi\u00a0?!", "fr", 0),
        ("« oui »", "fr", 2),
        ("l'heure", "fr", 1),
        ("Envoyez `DIRE !`.", "fr", 0),
        ("the wolves' den", "en", 1),
        ("Who goes there ?", "en", 1),
        ("Who goes there?", "en", 0),
    ],
)
def test_the_printing_checks_find_faults(text: str, language: str, many: int) -> None:
    assert len(faults(text, language)) == many
