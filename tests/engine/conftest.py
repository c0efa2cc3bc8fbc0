"""Tests of the rules. `@pytest.mark.rule("VOTE-2", …)` names the rules of the rule book that a test shows."""

from __future__ import annotations


def pytest_configure(config):
    config.addinivalue_line("markers", "rule(*ids): the numbered rules of the rule book that the test shows")
