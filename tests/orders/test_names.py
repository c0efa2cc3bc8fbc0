"""MAIL.md § 2, *Names*: how few letters name a player, and what is never guessed."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.engine.roles import ADMIN_LEXICON, LEXICON
from pbem.orders.names import Ambiguous, Found, Unknown, bad_name, find, leading, same_name, split_two

ROSTER = [
    (1, "Anne"),
    (2, "Annette"),
    (3, "Antoine"),
    (4, "Chloé"),
    (5, "Jean-Luc"),
    (6, "Élodie"),
    (7, "L'Œil"),
    (8, "Mère Noël"),
]


@pytest.mark.parametrize(
    ("words", "seat"),
    [
        ("anne", 1),  # an exact name wins over the longer one
        ("ANNET", 2),
        ("ant", 3),
        ("chloe", 4),
        ("Chloé !", 4),
        ("jean luc", 5),
        ("JeanLuc", 5),
        ("j", 5),
        ("elodie", 6),
        ("E\u0301lodie", 6),
        ("l'oeil", 7),
        ("L\u2019\u0152il", 7),
        ("mere\u00a0noel", 8),
        ("« Antoine »", 3),
        ("5", 5),
        ("n. 5"[3:], 5),
    ],
)
def test_found(words: str, seat: int) -> None:
    assert find(words, ROSTER) == Found(seat)


def test_a_beginning_of_several_is_ambiguous() -> None:
    assert find("Ann", ROSTER) == Ambiguous((1, 2))
    assert find("an", ROSTER) == Ambiguous((1, 2, 3))


@pytest.mark.parametrize(("words", "suggested"), [("Jan-Luc", 5), ("Cloé", 4), ("Antoin e x", 3), ("Elodi3", 6)])
def test_something_close_is_suggested_never_taken(words: str, suggested: int) -> None:
    found = find(words, ROSTER)
    assert isinstance(found, Unknown)
    assert found.suggestions[0] == suggested


@pytest.mark.parametrize("words", ["", "  ", "!", "9", "0", "zzzz"])
def test_nothing_to_suggest(words: str) -> None:
    assert find(words, ROSTER) == Unknown(())


def test_the_end_of_a_name_is_none_of_it() -> None:
    assert isinstance(find("Luc", ROSTER), Unknown)


@pytest.mark.parametrize(
    "words",
    ["Anne/Chloé", "Anne, Chloé", "Anne->Chloé", "Anne → Chloé", "Anne & Chloé", "Anne contre Chloé", "Anne AGAINST Chloé",
     "Anne pour Chloé", "Anne for Chloé", "Anne et Chloé", "Anne and Chloé", "Anne par Chloé", "Anne with Chloé",
     "Anne\u00a0contre\u202fChloé"],
)  # fmt: skip
def test_two_names(words: str) -> None:
    assert split_two(words) == ("Anne", "Chloé")


@pytest.mark.parametrize(
    "words",
    ["Anne", "", "Anne contre", "contre Chloé", "Anne, Chloé, Bruno", "Anne et Chloé et Bruno", "Annette Chloé", "/"],
)
def test_not_two_names(words: str) -> None:
    assert split_two(words) is None


def test_a_hyphen_and_a_word_inside_a_name_part_nothing() -> None:
    assert split_two("Jean-Luc et Élodie") == ("Jean-Luc", "Élodie")
    assert split_two("Poursuivant contre Etienne") == ("Poursuivant", "Etienne")


@pytest.mark.parametrize(
    ("line", "words", "seat"),
    [
        ("Marie an unfair player", 1, 1), ("Marie", 1, 1), ("Marie-Anne pour triche", 1, 2), ("Marie Anne triche", 2, 2),
        ("mère noël triche", 2, 3), ("Mère triche", 1, 3), ("Noël", 0, 0), ("1 2 fois", 1, 1), ("place 1", 0, 0), ("", 0, 0),
        ("Mari a triché", 0, 0), ("Jo anne", 0, 0), ("Joh n'écrit plus", 1, 4), ("Johanna triche", 1, 5),
    ],
)  # fmt: skip
def test_a_player_at_the_beginning_of_a_line(line: str, words: int, seat: int) -> None:
    roster = [(1, "Marie"), (2, "Marie-Anne"), (3, "Mère Noël"), (4, "Joh"), (5, "Johanna")]
    pieces = line.split()
    heads = [" ".join(pieces[:end]) for end in range(1, len(pieces) + 1)]
    assert leading(heads, roster) == words
    if words:
        assert find(heads[words - 1], roster) == Found(seat)


@pytest.mark.parametrize("verb", [*LEXICON, *ADMIN_LEXICON], ids=lambda verb: verb.name)
def test_a_verb_is_no_name(verb) -> None:  # type: ignore[no-untyped-def]
    assert all(bad_name(word) and bad_name(word.lower()) for word in (verb.name, *verb.french))


@pytest.mark.parametrize(
    "name",
    ["Anyone", "quiconque", "Contre", "et", "12", "١٢", "", "  ", "!!", "Anne/Bruno", "Anne, Bruno", "Anne -> B", "Anne et Bruno",
     "Le conteur", "STORYTELLER", "le village", "Pleine Lune", "admin", "\u3164", "Bruno\u3164", "Bru\u202eno", "Bru\ue000no",
     "Вruno", "Brunо", "Αlice", "B\u0334\u0335\u0336runo", "e\u0301\u0302\u0303",
     "Bruno & Cie", "Protéger", "x" * 41, "a@b.example", "Anne\nBcc: x", "[PL1]", "Anne: x", "!Anne"],
)  # fmt: skip
def test_bad_names(name: str) -> None:
    assert bad_name(name)


@pytest.mark.parametrize(
    "name",
    [
        "Anne",
        "Jean-Luc",
        "L'Œil",
        "Mère Noël",
        "Étienne",
        "Bruno 2",
        "Contrebasse",
        "Noé",
        "王芳",
        "Ivan IV",
        "さくら子",
        "Иван",
        "Ἀλέξης",
        "Nguyễn",
        "Zoë 🐺",
        "Conteuse-née",
        "Jean Marchand",
    ],
)
def test_good_names(name: str) -> None:
    assert not bad_name(name)


def test_same_name() -> None:
    assert same_name("Jean-Luc", "JEAN LUC")
    assert same_name("alice", "Alicé")
    assert not same_name("Anne", "Annette")


@given(st.text(max_size=60), st.lists(st.text(max_size=12), max_size=8))
def test_any_words_mean_at_most_a_seat_that_is_there(words: str, names: list[str]) -> None:
    roster = list(enumerate(names, 1))
    found = find(words, roster)
    seats = {seat for seat, _ in roster}
    match found:
        case Found(seat):
            assert seat in seats
        case Ambiguous(candidates):
            assert len(candidates) > 1
            assert set(candidates) <= seats
        case Unknown(suggestions):
            assert set(suggestions) <= seats
    assert isinstance(bad_name(words), bool)
    split_two(words)
