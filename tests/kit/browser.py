"""Debian's Chromium for tests: where it is, how it is started, and the marks of tests that need it."""

from __future__ import annotations

from contextlib import contextmanager
from pathlib import Path

import pytest

CHROMIUM = "/usr/bin/chromium"
FLAGS = (
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync",
)  # fmt: skip
MARKS = [
    pytest.mark.chromium,
    pytest.mark.skipif(not Path(CHROMIUM).exists(), reason="needs Debian's chromium"),
]


@contextmanager
def chromium():
    """The browser, running. Skips the test where Playwright's library is not installed."""
    library = pytest.importorskip("playwright.sync_api")
    with library.sync_playwright() as play:
        running = play.chromium.launch(executable_path=CHROMIUM, args=list(FLAGS))
        yield running
        running.close()
