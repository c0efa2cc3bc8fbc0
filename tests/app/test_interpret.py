"""From a verb and its words to what the engine takes (MAIL.md §§ 2 and 3)."""

from __future__ import annotations

import pytest

from pbem.app import interpret, registration, rolenames
from pbem.app.tokens import ALPHABET, Counted, Secrets
from pbem.engine.commands import Words
from pbem.engine.state import Game, Player

NAMES = ("Anne", "Annette", "Jean-Luc", "Chloé", "Élodie", "Marie Claire")
GAME = Game(players=tuple(Player(seat, name) for seat, name in enumerate(NAMES, 1)))


@pytest.mark.parametrize(
    ("verb", "args", "found"),
    [
        ("VOTE", "anne", Words((1,))),
        ("VOTE", "jean luc", Words((3,))),
        ("VOTE", "4", Words((4,))),
        ("VOTE", "", Words(fault="missing-argument")),
        ("VOTE", "Ann", Words(fault="ambiguous-player", unread="Ann", suggestions=("Anne", "Annette"))),
        ("SAVE", "", Words()),
        ("SAVE", "quiconque", Words(word="ANYONE")),
        ("SAVE", "Élodie", Words((5,))),
        ("DECIDE", "Chloé", Words((4,))),
        ("DECIDE", "Chloé et Elodie", Words((4, 5))),
        ("DECIDE", "Anne, Chloé, Élodie", Words((1, 4, 5))),
        ("DECIDE", "Marie Claire", Words((6,))),
        ("FORCE", "Chloé contre Elodie", Words((4, 5))),
        ("FORCE", "Chloé", Words(fault="missing-argument", unread="Chloé")),
        ("SACRIFICE", "Anne pour Annette", Words((1, 2))),
        ("PAIR", "Anne & Chloé", Words((1, 4))),
        ("ASK", "Loup-garou", Words(word="werewolf")),
        ("ASK", "werewolves", Words(word="werewolf")),
        ("ASK", "la petite fille", Words(word="little-child")),
        ("ASK", "", Words(fault="missing-argument")),
        ("ASK", "dragon", Words(fault="unknown-role", unread="dragon")),
        ("CANCEL", "protéger", Words(word="GUARD")),
        ("CANCEL", "vote Anne", Words(word="VOTE")),
        ("CANCEL", "danser", Words(fault="not-a-choice", unread="danser")),
        ("CANCEL", "", Words(fault="missing-argument")),
        ("SLEEP", "", Words()),
    ],
)
def test_words_behind_a_verb(verb, args, found):
    assert interpret.words(verb, args, GAME) == found


def test_what_is_unknown_is_only_suggested():
    found = interpret.words("VOTE", "Jan-Luc", GAME)
    assert (found.seats, found.fault) == ((), "unknown-player")
    assert "Jean-Luc" in found.suggestions


def test_the_first_name_that_does_not_do_is_the_fault():
    assert interpret.words("FORCE", "Gustave contre Ann", GAME).fault == "unknown-player"
    assert interpret.words("FORCE", "Anne contre Ann", GAME).fault == "ambiguous-player"


def test_a_post_with_its_last_sentence():
    assert interpret.words("SAY", "", GAME, text=" Bonsoir.\n", closing="chloe") == Words(text="Bonsoir.", elects=4)
    assert interpret.words("SAY", "", GAME, text="Bonsoir.", closing="Gustave").elects == -1
    assert interpret.words("SAY", "Mon avis", GAME, text="Le voici.").text == "Mon avis\n\nLe voici."


def test_absent_keeps_the_words_and_the_reason():
    assert interpret.words("ABSENT", "jusqu'au 14", GAME, text="Voyage") == Words(word="jusqu'au 14", text="Voyage")


@pytest.mark.parametrize(
    ("args", "named"),
    [("Diane (f)", ("Diane", "f")), ("Diane(F)", ("Diane", "f")), ("Luc  [homme]", ("Luc", "m")), ("Luc", ("Luc", "")),
     ("Luc (le vrai)", ("Luc (le vrai)", "")), ("  Marie   Claire ", ("Marie Claire", "")), ("", ("", ""))],
)  # fmt: skip
def test_a_name_and_a_gender(args, named):
    assert registration.named(args) == named


def test_every_role_is_known_by_its_names_in_both_languages():
    assert rolenames.find("seer") == rolenames.find("Voyante") == rolenames.find("le voyant") == "seer"
    assert rolenames.find("") is None
    assert rolenames.find("x" * 5000) is None


def test_tokens_are_as_the_protocol_says():
    tags = {Secrets().tag() for _ in range(300)}
    assert len(tags) == 300
    assert all(len(t) == 16 and set(t) <= set(ALPHABET) and not t.isalpha() and not t.isdigit() for t in tags)
    assert [Counted("a").tag() for _ in range(2)] == [Counted("a").tag()] * 2
    assert Counted("a").tag() != Counted("b").tag()
    assert len({Secrets().message_id("x.example") for _ in range(50)}) == 50
    assert len(Secrets().seed()) == 64
