"""MAYOR-1, CAL-2: an election that is announced says when it opens, and offers nothing before."""

from __future__ import annotations

from datetime import timedelta

import pytest

from pbem.engine import events as e
from pbem.engine.evolve import evolve
from pbem.letters.outcome import Outcome
from tests.letters.village import SCRIBE, Village, to, to_list


@pytest.fixture
def village() -> Village:
    """Monday, 09:00; the election is on Wednesday, the execution on Thursday."""
    started = Village(mayor=0)
    started.start()
    wednesday = started.at.replace(hour=23, minute=0) + timedelta(days=1)
    closes = wednesday + timedelta(hours=22)
    for event in (e.ElectionSet(wednesday, closes), e.DeadlineMoved("day", closes + timedelta(days=1))):
        started.game = evolve(started.game, event)
    return started


def _day(village: Village, at):
    event = e.DayOpened(2, at, village.game.deadline)
    game = evolve(village.game, event)
    game = evolve(game, e.ElectionSet(*_hours(village)))
    return SCRIBE.batch((event, e.ElectionSet(*_hours(village))), village.game, game, village.book, at=at)


def _hours(village: Village):
    return village.game.election.opens, village.game.election.closes


def _flat(text: str) -> str:
    return " ".join(text.split())


def test_the_ballot_says_from_when_to_when(village: Village) -> None:
    letters = _day(village, village.at)
    text = _flat(to(letters, 1)[0].text)
    assert "ELIRE Bruno" not in text
    assert "Ouverture mercredi 9 décembre à 0 h (Paris), dans 39 heures" in text
    assert "jusqu’à la clôture de l’élection : mercredi 9 décembre à 22 h (Paris)" in text.replace("\u00a0", " ")
    assert "VOTER Bruno" in text
    assert "mercredi 9 décembre, de 0 h à 22 h" in _flat(to_list(letters)[0].text)


def test_once_it_is_open_each_name_is_one_touch(village: Village) -> None:
    text = to(_day(village, _hours(village)[0]), 1)[0].text
    assert "    ELIRE Bruno\n" in text
    assert "Ouverture" not in text


def test_a_refused_ballot_offers_none_that_would_be_refused_too(village: Village) -> None:
    early = Outcome("ELECT", "Bruno", "refused", "wrong-time")
    for seat, hours in ((1, "mercredi 9 décembre, de 0 h à 22 h"), (2, "Wednesday 9 December, from 00:00 to 22:00")):
        letter = SCRIBE.acknowledge([early], village.game, village.game, village.book, seat, at=village.at)
        assert hours in _flat(letter.text)
        assert "ELIRE Bruno" not in letter.text.replace("Refusé\u00a0: ELIRE Bruno", "")
        assert "    ELECT" not in letter.text
        assert "    AIDE\n" in letter.text or "    HELP\n" in letter.text


def test_help_waits_for_it_too(village: Village) -> None:
    asked = Outcome("HELP", "", "accepted")
    early = SCRIBE.acknowledge([asked], village.game, village.game, village.book, 1, at=village.at)
    assert "    ELIRE" not in early.text
    assert "Ouverture" in early.text
    later = SCRIBE.acknowledge([asked], village.game, village.game, village.book, 1, at=_hours(village)[0])
    assert "    ELIRE Bruno\n" in later.text


def test_an_election_that_runs_over_several_days_names_both(village: Village) -> None:
    opens, closes = _hours(village)
    event = e.ElectionSet(opens - timedelta(days=1, hours=3), closes)
    game = evolve(village.game, event)
    (letter,) = to_list(SCRIBE.batch((event,), village.game, game, village.book, at=village.at))
    assert "du lundi 7 décembre à 21 h au mercredi 9 décembre à 22 h" in _flat(letter.text)
