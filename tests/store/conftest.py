"""Stores to test with: in memory, in a file, and on a private PostgreSQL."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from pbem.store import Store

NOW = datetime(2026, 12, 7, 8, 0, tzinfo=UTC)


@pytest.fixture(params=["memory", "file", pytest.param("postgres", marks=pytest.mark.postgres)])
def url(request, tmp_path):
    """The URL of an empty database, of each kind in turn."""
    if request.param == "memory":
        return "sqlite://"
    if request.param == "file":
        return f"sqlite:///{tmp_path}/var/pbem.sqlite"
    return request.getfixturevalue("postgres_url")


@pytest.fixture
def store(url):
    """A store with all its tables, on each kind of database in turn."""
    opened = Store(url)
    opened.migrate()
    yield opened
    opened.close()


@pytest.fixture
def file_url(tmp_path):
    """A store in a file."""
    return f"sqlite:///{tmp_path}/pbem.sqlite"
