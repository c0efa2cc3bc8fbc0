"""The storyteller hears what to expect of the roles that he composes, in a letter of its own that holds up nothing."""

from __future__ import annotations

import re
import threading
import time

import pytest

from pbem.app import odds
from pbem.app.clock import DrivenClock
from pbem.app.odds import Odds, Oracle
from pbem.balance import odds as balance
from pbem.mail.mime import open_mail
from pbem.rehearsal.mailwriter import STORYTELLER

OWN = "ADMIN COMPOSITION werewolf=1 seer=1 villager=3"


@pytest.fixture
def village(make_village):
    village = make_village(registration=True)
    village.take()
    return village


def _oracle(village, foretell):
    return Oracle(village.receiver.office, DrivenClock(village.now), foretell)


def _text(letter, now):
    return open_mail(letter.raw, now).text


def test_the_odds_are_told_by_a_letter_of_their_own_and_once(village):
    asked = []

    def foretell(counts, _stopped):
        asked.append(counts)
        return Odds(47, 50, 1000)

    oracle = _oracle(village, foretell)
    assert village.send("storyteller", OWN).outcomes[0].status == "accepted"
    assert [row.kind for row in village.take()] == ["ack"]  # it did not wait for them
    assert oracle.tell_all() == [1]
    (letter,) = village.take()
    assert (letter.kind, letter.to) == ("odds", STORYTELLER)
    text = _text(letter, village.now)
    assert all(part in text for part in ("47", "50", "3", "1000"))
    assert asked == [(("werewolf", 1), ("seer", 1), ("villager", 3))]
    assert oracle.tell_all() == []
    assert village.take() == []


def test_only_the_last_composition_is_told(village):
    def foretell(counts, _stopped):
        if dict(counts)["villager"] == 3:
            village.send("storyteller", "ADMIN COMPOSITION werewolf=1 seer=1 militia=1 villager=2")
        return Odds(dict(counts)["villager"], 50, 1000)

    oracle = _oracle(village, foretell)
    village.send("storyteller", OWN)
    assert oracle.tell_all() == []
    assert oracle.tell_all() == [1]
    (letter,) = [row for row in village.take() if row.kind == "odds"]
    assert re.search(r"\b2\b.%", _text(letter, village.now))


def test_what_was_not_told_when_the_program_died_is_told_at_its_next_start(village):
    village.send("storyteller", OWN)

    def dies(_counts, _stopped):
        raise MemoryError

    with pytest.raises(MemoryError):
        _oracle(village, dies).tell_all()
    assert _oracle(village, lambda _counts, _stopped: Odds(50, 50, 1000)).tell_all() == [1]


def test_a_game_that_has_begun_is_told_no_odds(village):
    village.send("storyteller", OWN)
    village.send("storyteller", "ADMIN START")
    village.take()
    assert _oracle(village, lambda _counts, _stopped: Odds(50, 50, 1000)).tell_all() == []
    assert village.take() == []


def test_mail_is_dealt_with_while_the_odds_are_worked_out(village):
    working, go_on = threading.Event(), threading.Event()

    def slowly(_counts, _stopped):
        working.set()
        assert go_on.wait(20)
        return Odds(50, 50, 1000)

    oracle = _oracle(village, slowly)
    village.send("storyteller", OWN)
    oracle.start()
    try:
        assert working.wait(20)
        assert village.send("storyteller", "ADMIN STATUS").outcomes[0].status == "accepted"
        assert "odds" not in {row.kind for row in village.take()}
        go_on.set()
        until = time.monotonic() + 20
        while not (told := [row for row in village.take() if row.kind == "odds"]) and time.monotonic() < until:
            time.sleep(0.02)
        assert told
    finally:
        go_on.set()
        oracle.stop()


def test_stopping_does_not_wait_for_odds(village):
    village.send("storyteller", OWN)
    oracle = _oracle(village, lambda _counts, stopped: balance._elsewhere((("werewolf", 9), ("villager", 51)), stopped))
    oracle.start()
    time.sleep(0.5)
    begin = time.monotonic()
    oracle.stop()
    assert time.monotonic() - begin < 4
    assert not oracle._thread.is_alive()
    with village.store.read() as tx:
        assert odds.waiting(tx) == [1]
