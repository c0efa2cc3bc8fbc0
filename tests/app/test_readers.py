"""Who reads along (WATCH): the name that the dead see above his words, and what a living player finds shut (ORG-2)."""

from __future__ import annotations

import pytest

from tests.app.conftest import Village


def watches(village, name, address):
    """Somebody of that name follows the game; the name under which he speaks."""
    village.send((name, address), "WATCH")
    village.answer(village.take(address)[0], (name, address))
    with village.store.read() as tx:
        game = tx.game_id("PL1")
        return next(row.name for row in tx.readers(game) if row.address == address)


@pytest.mark.parametrize(
    ("name", "known_as"),
    [
        ("Luc", "Luc"), ("Bruno", "Bruno (lecteur)"), ("CHLOE", "CHLOE (lecteur)"), ("Le Conteur", "Lecteur"),
        ("Bruno, loup-garou", "Lecteur"), ("Вruno", "Lecteur"), ("", "Lecteur"), ("\u3164", "Lecteur"),
    ],
)  # fmt: skip
def test_nobody_speaks_under_anothers_name(village, name, known_as):
    assert watches(village, name, "evil@example.net") == known_as


def test_two_of_the_same_name_are_told_apart_and_both_get_what_the_other_says(village):
    assert watches(village, "Luc", "luc@example.net") == "Luc"
    assert watches(village, "Luc", "luc2@example.net") == "Luc 2"
    village.take()
    village.send(("Luc", "luc@example.net"), "CIMETIERE", "Il fait froid.")
    said = [row for row in village.take() if row.kind == "graveyard-talk"]
    assert "luc2@example.net" in [row.to for row in said]
    assert "luc@example.net" not in [row.to for row in said]


def test_a_readers_name_does_not_change_with_what_he_calls_himself_later(village):
    watches(village, "Luc", "luc@example.net")
    village.send("storyteller", "ADMIN SMITE David")
    village.take()
    village.send(("Chloé", "luc@example.net"), "CIMETIERE", "Bruno est loup.")
    (said,) = [row for row in village.take("David") if row.kind == "graveyard-talk"]
    assert [dict(notice) for notice in said.notices] == [{"graveyard-talk": "Luc"}]


def test_a_forgers_word_from_the_living_is_told_to_nobody():
    """A GRAVEYARD in a living player's name that nothing proves: nothing is passed on, and no one is accused."""
    for authentic in (True, False):
        village = Village()
        village.send("Alice", "CIMETIERE", "Je vous entends.", authentic=authentic)
        letters = village.take()
        (answer,) = [row for row in letters if row.kind == "ack"]
        told = [row for row in letters if {"intrusion": "Alice"} in [dict(notice) for notice in row.notices]]
        assert bool(told) is authentic
        assert (b"le conteur le sait" in answer.raw.replace(b"=\r\n", b"")) is authentic
        village.stage.close()
