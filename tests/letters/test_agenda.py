"""The calendar file: with the opening, and again whenever what it said is no longer so (RFC 5545)."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from icalendar import Calendar

from pbem.engine import events as e
from pbem.engine.commands import Abort, AppointMayor, Extend, MoveDeadline, Pause, Resume
from pbem.letters import agenda
from tests.letters.village import CAST, OPTIONS, SCRIBE, Village, to, to_list, with_roles

TWELVE = [*CAST, *((f"Hôte {n}", "m", "villager") for n in range(7))]


def _file(letter):
    ((name, kind, data),) = letter.attachments
    assert name == "pleine-lune-PL1.ics"
    assert kind == "text/calendar; charset=utf-8; method=PUBLISH"
    return data


def _entries(letter):
    book = Calendar.from_ical(_file(letter))
    assert str(book["METHOD"]) == "PUBLISH"
    return {str(one["UID"]).partition("@")[0]: one for one in book.walk("VEVENT")}


def _digest(letters):
    return next(letter for letter in to_list(letters) if letter.kind != "chronicle")


@pytest.fixture
def village() -> Village:
    return Village(TWELVE, mayor=0)


class TestTheOpening:
    def test_brings_the_first_executions_and_the_election(self, village: Village) -> None:
        found = _entries(_digest(village.start()))
        assert list(found) == [f"pl1-execution-{turn}" for turn in range(1, 7)]
        first = found["pl1-execution-1"]
        assert first["DTSTART"].dt == datetime(2026, 12, 8, 21, tzinfo=UTC)
        assert first["DTEND"].dt == datetime(2026, 12, 8, 22, tzinfo=UTC)
        assert first["SEQUENCE"] == 0
        assert str(first["SUMMARY"]) == "Pleine Lune PL1 : exécution du jour 1"
        assert (
            str(first["DESCRIPTION"])
            == "22\u00a0h · Exécution\n22\u00a0h\u00a030 · Fin du crépuscule\n23\u00a0h · Meurtre"
        )
        later = [found[f"pl1-execution-{turn}"]["DTSTART"].dt for turn in (2, 3, 4)]
        assert later == [datetime(2026, 12, day, 21, tzinfo=UTC) for day in (10, 13, 15)]

    def test_has_the_election_where_one_is_due(self) -> None:
        found = _entries(_digest(Village(mayor=None).start()))
        assert found["pl1-election-1"]["DTEND"].dt == datetime(2026, 12, 7, 21, tzinfo=UTC)

    def test_goes_along_with_the_lists_letter_and_the_readers_in_their_language(self, village: Village) -> None:
        letters = village.start()
        assert [bool(letter.attachments) for letter in letters if letter.kind != "opening"] == [False] * 12
        reader = next(letter for letter in letters if letter.to == "lectrice@example.net")
        assert str(_entries(reader)["pl1-execution-1"]["SUMMARY"]) == "Pleine Lune PL1: execution of day 1"
        assert "agenda" in _digest(letters).text
        assert not to(letters, 1)[0].attachments

    def test_is_well_made(self, village: Village) -> None:
        data = _file(_digest(village.start()))
        assert b"\r\n" in data
        assert b"\n" not in data.replace(b"\r\n", b"")
        assert all(len(line) <= 75 for line in data.split(b"\r\n"))
        for one in _entries(_digest(Village(TWELVE, mayor=0).start())).values():
            assert {"UID", "DTSTAMP", "DTSTART", "DTEND", "SUMMARY", "STATUS", "SEQUENCE"} <= set(one)
            assert one["DTSTART"].dt.tzinfo is not None
        assert b"example.net" not in data

    @pytest.mark.parametrize("text", ["a;b,c\\d\ne", "é" * 200, "x" * 74 + "é" * 3, "· " * 60, "\\n;;,,"])
    def test_keeps_any_text(self, text: str) -> None:
        lines = ["BEGIN:VCALENDAR", "BEGIN:VEVENT", f"SUMMARY:{agenda._escaped(text)}", "END:VEVENT", "END:VCALENDAR"]
        data = b"".join(agenda._folded(line) for line in lines)
        assert all(len(line) <= 75 for line in data.split(b"\r\n"))
        assert all(line.decode() for line in data.split(b"\r\n")[:-1])  # no character is cut
        assert str(Calendar.from_ical(data).walk("VEVENT")[0]["SUMMARY"]) == text


class TestLater:
    @pytest.fixture
    def started(self, village: Village) -> Village:
        village.start()
        village.at += timedelta(hours=1)
        return village

    def test_nothing_is_attached_while_nothing_moved(self) -> None:
        village = Village(TWELVE, mayor=3)
        village.start()
        for kind in ("execution", "murder"):
            assert all(not letter.attachments for letter in village.until(kind))

    def test_an_election_that_is_due_comes_as_one_more(self, started: Village) -> None:
        found = _entries(_digest(started.until("murder")))
        assert found["pl1-election-2"]["DTEND"].dt == datetime(2026, 12, 9, 21, tzinfo=UTC)
        assert found["pl1-execution-2"]["DTSTART"].dt == datetime(2026, 12, 10, 21, tzinfo=UTC)

    def test_extend_moves_the_entry_under_its_uid(self, started: Village) -> None:
        found = _entries(_digest(started.letters(Extend(started.at, days=1))))
        moved = found["pl1-execution-1"]
        assert moved["DTSTART"].dt == datetime(2026, 12, 9, 21, tzinfo=UTC)
        assert moved["SEQUENCE"] == 3600
        assert str(moved["STATUS"]) == "CONFIRMED"
        assert found["pl1-execution-2"]["DTSTART"].dt == datetime(2026, 12, 10, 21, tzinfo=UTC)

    def test_a_second_move_has_a_higher_number(self, started: Village) -> None:
        numbers = []
        for _ in range(2):
            started.at += timedelta(minutes=1)
            found = _entries(_digest(started.letters(Extend(started.at, 3600))))
            numbers.append(found["pl1-execution-1"]["SEQUENCE"])
        assert numbers[0] < numbers[1]

    def test_deadline_does_so_too(self, started: Village) -> None:
        moment = datetime(2026, 12, 11, 20, tzinfo=UTC)
        found = _entries(_digest(started.letters(MoveDeadline(started.at, moment))))
        assert found["pl1-execution-1"]["DTSTART"].dt == moment
        assert found["pl1-execution-2"]["DTSTART"].dt > moment

    def test_a_pause_takes_everything_out_and_resuming_puts_it_back(self, started: Village) -> None:
        paused = _digest(started.letters(Pause(started.at)))
        assert {str(one["STATUS"]) for one in _entries(paused).values()} == {"CANCELLED"}
        assert "retire" in paused.text
        started.at += timedelta(days=1)
        resumed = _entries(_digest(started.letters(Resume(started.at))))
        assert {str(one["STATUS"]) for one in resumed.values()} == {"CONFIRMED"}
        assert set(resumed) == set(_entries(paused))
        assert resumed["pl1-execution-1"]["SEQUENCE"] > _entries(paused)["pl1-execution-1"]["SEQUENCE"]

    def test_the_end_empties_it(self, started: Village) -> None:
        found = _entries(_digest(started.letters(Abort(started.at))))
        assert {str(one["STATUS"]) for one in found.values()} == {"CANCELLED"}

    def test_an_election_that_falls_away_is_cancelled(self) -> None:
        village = Village(TWELVE, mayor=None)
        village.start()
        village.at += timedelta(minutes=1)
        opens = village.game.election.opens
        village.game = replace(
            village.game,
            election=replace(village.game.election, opens=opens + timedelta(days=3), closes=opens + timedelta(days=4)),
        )
        found = _entries(_digest(village.letters(AppointMayor(village.at, 3))))
        assert str(found["pl1-election-1"]["STATUS"]) == "CANCELLED"

    def test_a_window_that_is_extended_moves_the_night(self, started: Village) -> None:
        started.until("execution")
        letter = _digest(started.letters(Extend(started.game.deadline - timedelta(minutes=10), 12 * 3600)))
        assert _entries(letter)["pl1-execution-1"]["DTEND"].dt == datetime(2026, 12, 9, 10, tzinfo=UTC)

    def test_seconds_of_a_late_reading_are_no_news(self, started: Village) -> None:
        late = e.SunsetOpened(1, started.game.deadline + timedelta(minutes=30, seconds=45))
        game = replace(started.game, phase=type(started.game.phase)("sunset"), deadline=late.until)
        letters = SCRIBE.batch((e.ExecutionDone(1, ()), late), started.game, game, started.book, at=late.until)
        assert not _digest(letters).attachments


def test_org_1_two_games_that_differ_in_secrets_have_the_same_calendar() -> None:
    options = replace(OPTIONS, composition="hidden")
    one, other = Village(options=options), Village(with_roles(CAST, Alice="forger", Bruno="seer"), options)
    assert _file(_digest(one.start())) == _file(_digest(other.start()))
