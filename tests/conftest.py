"""What tests of every part may ask for: settings of an embedded post office, and the office itself, open."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from pbem.mail.postoffice import PostOffice
from pbem.settings import parse
from pbem.store import Store
from tests.kit import postgres

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


def pytest_addoption(parser):
    parser.addoption(
        "--on-postgres",
        action="store_true",
        help="keep in PostgreSQL what tests keep in memory, or in a file of theirs",
    )


@pytest.fixture(scope="session")
def postgres_server():
    """A private PostgreSQL; it is gone after the tests."""
    if postgres.binaries() is None:
        pytest.skip("no PostgreSQL on this machine")
    server = postgres.Postgres()
    yield server
    server.stop()


@pytest.fixture
def postgres_url(postgres_server):
    """The URL of an empty database."""
    url = postgres_server.new()
    yield url
    postgres_server.drop(url)


@pytest.fixture(scope="session", autouse=True)
def _on_postgres(request):
    if not request.config.getoption("--on-postgres"):
        yield
        return
    postgres.Lasting.server = request.getfixturevalue("postgres_server")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Store, "in_memory", postgres.Lasting.in_memory)
        yield


@pytest.fixture
def database_url(request, tmp_path):
    """The URL of an empty database: a file, or PostgreSQL if the tests run on that."""
    if request.config.getoption("--on-postgres"):
        return request.getfixturevalue("postgres_url")
    return f"sqlite:///{tmp_path}/pbem.sqlite"


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
