"""What an answer offers: only what would be taken now; and how a verb of the storyteller's is written (MAIL.md § 5)."""

from __future__ import annotations

from datetime import UTC, datetime
from email import message_from_bytes, policy

import pytest

from pbem.letters.clock import Clock
from pbem.letters.words import Words
from pbem.rehearsal.mailwriter import text_of
from pbem.resources import templates_dir
from tests.app.conftest import Village


@pytest.fixture
def village():
    made = Village()
    yield made
    made.stage.close()


def answer(village, who, line):
    village.take()
    village.send(who, line)
    letter = message_from_bytes(village.take(who)[0].raw, policy=policy.default)
    return " ".join(text_of(letter).split())


def test_a_name_that_was_perhaps_meant_is_offered_only_if_it_would_be_taken(village):
    assert "VOTER Chloé" in answer(village, "Alice", "VOTE Cloé")
    village.send("storyteller", "ADMIN SMITE Chloé")
    assert "VOTER Chloé" not in answer(village, "Alice", "VOTE Cloé")
    village.send("storyteller", "ADMIN RESOLVE")
    assert village.game.phase == "sunset"
    assert "VOTER David" not in answer(village, "Alice", "VOTE Davi")


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("ADMIN EXTEND -3h", "PROLONGER 24h"), ("ADMIN EXTEND", "PROLONGER 24h"), ("ADMIN SMITE", "FOUDROYER Bruno"),
        ("ADMIN DEADLINE 2020-01-01 22:00", "un jour et une heure à venir"), ("ADMIN REPLACE Bruno", "PAR luc@"),
    ],
)  # fmt: skip
def test_a_storytellers_verb_that_is_miswritten_is_shown_as_it_is_written(village, line, told):
    assert told in answer(village, "storyteller", line)


def test_a_reader_is_offered_what_a_reader_may(village):
    told = answer(village, "reader", "AIDE")
    assert "CIMETIERE" in told
    assert "NEPLUSSUIVRE" in told
    assert "INSCRIPTION" not in told


@pytest.mark.parametrize(
    ("line", "told"), [("COURRIER résumé", "COURRIER résumé"), ("COURRIER sans rappels", "COURRIER sans rappels")]
)
def test_an_amount_of_mail_is_said_back_in_the_letters_language(village, line, told):
    assert told in answer(village, "Alice", line)


@pytest.mark.parametrize(
    ("language", "day", "told"),
    [("fr", 1, "mardi 1er décembre"), ("fr", 2, "mercredi 2 décembre"), ("en", 1, "Tuesday 1 December")],
)
def test_the_first_of_a_month(language, day, told):
    moment = datetime(2026, 12, day, 12, tzinfo=UTC)
    assert Clock(Words([templates_dir()], language), "Europe/Paris", moment).day(moment) == told


def test_everybody_is_told_when_the_night_begins_early(village):
    """CAL-7: a sunset that is resolved opens the vision at once, and no digest tells its new hour."""
    village.send("storyteller", "ADMIN RESOLVE")
    village.take()
    village.wait(minutes=5)
    village.send("storyteller", "ADMIN RESOLVE")
    assert village.game.phase == "vision"
    assert [row.kind for row in village.take() if row.to == "village@example.org"] == ["deadline-moved"]


def test_the_help_offers_reminders_to_who_has_none(village):
    assert "COURRIER sans rappels" in answer(village, "Alice", "AIDE")
    village.send("Alice", "COURRIER sans rappels")
    told = answer(village, "Alice", "AIDE")
    assert "COURRIER rappels" in told
    assert "COURRIER sans rappels" not in told


def test_a_reader_is_told_that_he_follows(village):
    assert "vous suivez la partie" in answer(village, "reader", "STATUT")


def test_a_heart_attack_is_told_by_the_name_alone(village):
    told = answer(village, "storyteller", "ADMIN SMITE Chloé il triche")
    assert "a frappé : Chloé." in told.replace("\u202f", " ").replace("\xa0", " ")
