"""What tests of every part may ask for: settings of an embedded post office, and the office itself, open."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from pbem.mail.postoffice import PostOffice
from pbem.settings import parse

EMBEDDED = """
[game]
address = "lune@village.example"
list_address = "village@village.example"
storytellers = ["conteur@village.example"]

[embedded]
enabled = true
smtp_port = 0
imap_port = 0

[imap]
timeout_seconds = 10

[smtp]
timeout_seconds = 10
"""


class Clock:
    """A clock that stands until it is moved."""

    def __init__(self, start: datetime) -> None:
        self.time = start

    def __call__(self) -> datetime:
        return self.time

    def forward(self, seconds: float) -> None:
        self.time += timedelta(seconds=seconds)


@pytest.fixture
def clock():
    """Monday 7 December 2026, nine o'clock in Paris: long before or after whatever the machine's clock says."""
    return Clock(datetime(2026, 12, 7, 8, 0, 0, tzinfo=UTC))


@pytest.fixture
def settings(tmp_path):
    return parse(EMBEDDED, origin="test.toml", base=tmp_path)


@pytest.fixture
def subscribers():
    """The addresses that the list is copied to; tests add theirs."""
    return []


@pytest.fixture
def office(settings, clock, subscribers):
    office = PostOffice(settings, clock, subscribers=lambda _list: list(subscribers), durable=False)
    office.start()
    yield office
    office.stop()
