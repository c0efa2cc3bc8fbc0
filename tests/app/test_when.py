"""MAIL.md § 3: durations and dates as people write them, on the village clock."""

from __future__ import annotations

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest

from pbem.app import when

PARIS = ZoneInfo("Europe/Paris")
NOW = datetime(2026, 12, 8, 12, 0, tzinfo=PARIS).astimezone(UTC)  # a Tuesday


def _local(moment):
    return moment and moment.astimezone(PARIS).strftime("%Y-%m-%d %H:%M")


@pytest.mark.parametrize(
    ("text", "seconds", "days"),
    [
        ("24h", 86400, 0), ("24 h", 86400, 0), ("+2h", 7200, 0), ("90 min", 5400, 0), ("90mn", 5400, 0),
        ("1h30", 5400, 0), ("1 h 30", 5400, 0), ("1 heure et 30 minutes", 5400, 0), ("2 jours", 0, 2), ("2j", 0, 2),
        ("2d", 0, 2), ("un jour", 0, 1), ("une heure", 3600, 0), ("1 jour 12 heures", 43200, 1), ("1 semaine", 0, 7),
        ("a week", 0, 7), ("2 Days", 0, 2), ("30\u00a0min", 1800, 0),
    ],
)  # fmt: skip
def test_a_duration(text, seconds, days):
    assert when.duration(text) == when.Span(seconds, days)


@pytest.mark.parametrize(
    "text",
    ["", "24", "demain", "h", "-2h", "0h", "0 jours", "2 jours ou trois", "99999h", "61 jours", "2 lunes", "1j30"],
)
def test_what_is_no_duration(text):
    assert when.duration(text) is None


@pytest.mark.parametrize(
    ("text", "then"),
    [
        ("2026-12-09 21:30", "2026-12-09 21:30"),
        ("09/12 21h30", "2026-12-09 21:30"),
        ("9/12/2026 à 21 h 30", "2026-12-09 21:30"),
        ("le 9 décembre à 21h", "2026-12-09 21:00"),
        ("december 9 9:30 pm", "2026-12-09 21:30"),
        ("mercredi 21h30", "2026-12-09 21:30"),
        ("wed 21:30", "2026-12-09 21:30"),
        ("mercredi 9 décembre 21:30", "2026-12-09 21:30"),
        ("demain 22h", "2026-12-09 22:00"),
        ("tomorrow 10pm", "2026-12-09 22:00"),
        ("22:00", "2026-12-08 22:00"),
        ("11h", "2026-12-09 11:00"),
        ("mardi 22h", "2026-12-08 22:00"),
        ("mardi 11h", "2026-12-15 11:00"),
        ("1er janvier 20:00", "2027-01-01 20:00"),
        ("ce soir 23h", "2026-12-08 23:00"),
        ("demain midi", "2026-12-09 12:00"),
    ],
)
def test_a_moment(text, then):
    assert _local(when.moment(text, NOW, PARIS)) == then


@pytest.mark.parametrize(
    "text", ["", "demain", "25:00", "31/02 22:00", "2026-12-01 22:00", "mardi ou jeudi 22h", "bientôt 22h", "22h 23h"]
)
def test_what_is_no_moment(text):
    assert when.moment(text, NOW, PARIS) is None


@pytest.mark.parametrize(
    ("text", "then"),
    [
        ("jusqu'à samedi", "2026-12-13 00:00"),
        ("until saturday", "2026-12-13 00:00"),
        ("jusqu'au 14 décembre", "2026-12-15 00:00"),
        ("until 2026-12-14", "2026-12-15 00:00"),
        ("14/12", "2026-12-15 00:00"),
        ("jusqu'à demain 18h", "2026-12-09 18:00"),
        ("jusqu'au 3 janvier", "2027-01-04 00:00"),
    ],
)
def test_the_end_of_an_absence(text, then):
    assert _local(when.until(text, NOW, PARIS)) == then


@pytest.mark.parametrize("text", ["", "longtemps", "jusqu'à nouvel ordre", "32/12"])
def test_what_is_no_end(text):
    assert when.until(text, NOW, PARIS) is None


@pytest.mark.parametrize("zone", ["Europe/Paris", "America/New_York", "Pacific/Kiritimati"])
@pytest.mark.parametrize(
    "day", ["9999-12-31", "31/12/9999", "31 décembre 9999", "0001-01-01", "1 janvier 0001", "0000-01-01"]
)
def test_the_ends_of_all_time_are_no_dates(day, zone):
    """Their hours cannot be told in every zone; nothing raises."""
    for read in (when.moment, when.until):
        assert read(f"{day} 23:59", NOW, ZoneInfo(zone)) is None
        assert read(f"{day} 00:01", NOW, ZoneInfo(zone)) is None
        assert read(day, NOW, ZoneInfo(zone)) is None
