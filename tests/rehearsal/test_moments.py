"""SCENARIOS.md, *Time*: the grammar, and what it means on the clock."""

from __future__ import annotations

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest

from pbem.rehearsal import moments
from pbem.rehearsal.shapes import ScenarioError

PARIS = ZoneInfo("Europe/Paris")


def _on(text, now):
    found = moments.find(moments.read(text), datetime.fromisoformat(now).replace(tzinfo=PARIS).astimezone(UTC), PARIS)
    return found.astimezone(PARIS).strftime("%a %Y-%m-%d %H:%M")


@pytest.mark.parametrize(
    ("text", "now", "then"),
    [
        ("mon 09:00", "2026-12-07T09:00", "Mon 2026-12-07 09:00"),  # now included
        ("mon 08:59", "2026-12-07T09:00", "Mon 2026-12-14 08:59"),
        ("sun 22:00", "2026-12-07T09:00", "Sun 2026-12-13 22:00"),
        ("tue 00:30", "2026-12-07T23:59", "Tue 2026-12-08 00:30"),
        ("+45m", "2026-12-07T23:30", "Tue 2026-12-08 00:15"),
        ("+2h", "2027-03-28T01:30", "Sun 2027-03-28 04:30"),  # elapsed: the clocks go forward in between
        ("+1d", "2027-03-27T22:00", "Sun 2027-03-28 22:00"),  # calendar: ten in the evening again
        ("2026-12-08T20:00", "2026-12-07T09:00", "Tue 2026-12-08 20:00"),
        ("sun 22:00", "2027-03-27T22:00", "Sun 2027-03-28 22:00"),
    ],
)
def test_a_moment_on_the_clock(text, now, then):
    assert _on(text, now) == then


@pytest.mark.parametrize(
    "text", ["", "mon", "mon 24:00", "mon 9:00", "lun 20:00", "Mon 20:00", "20:00", "+5", "+5s", "-5m", "tuesday 20:00",
             "2026-12-07T09:00+01:00", "2026-13-07T09:00", "tomorrow", "mon 20:00 ", "mon ٢٠:٠٠"],
)  # fmt: skip
def test_a_bad_time_is_an_error(text):
    with pytest.raises(ScenarioError):
        moments.read(text)


def test_beyond_the_calendar_is_an_error_not_a_crash():
    with pytest.raises(ScenarioError):
        _on("+999999d", "9000-12-07T23:30")
