"""The locks: every package pinned with its hashes, from no particular place, and all that pyproject asks for."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from packaging.version import Version

ROOT = Path(__file__).parents[2]
LOCKS = ("requirements.lock", "requirements-build.lock", "requirements-dev.lock")
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]


def pins(name):
    """{package: (version, number of hashes)}"""
    text = (ROOT / name).read_text("utf-8").replace("\\\n", " ")
    found = {}
    for line in text.splitlines():
        if line.strip() and not line.lstrip().startswith("#"):
            match = re.match(r"([A-Za-z0-9._-]+)==(\S+)((?:\s+--hash=sha256:[0-9a-f]{64})+)\s*$", line)
            assert match, line[:80]
            found[canonicalize_name(match[1])] = Version(match[2]), match[3].count("--hash")
    return found


@pytest.mark.parametrize("name", LOCKS)
def test_pinned_with_hashes_and_from_no_place(name):
    assert len(pins(name)) > 3
    said = "\n".join(
        line for line in (ROOT / name).read_text("utf-8").splitlines() if not line.lstrip().startswith("#")
    )
    assert not re.search(r"://|file:|--find-links|index-url|--trusted-host| @ ", said)


@pytest.mark.parametrize("package", ["pydantic-core", "sqlalchemy", "rapidfuzz", "lxml", "markupsafe"])
def test_hashes_for_other_machines_and_pythons_are_there(package):
    """Compiled packages have a file for each platform and version; one hash would fit this machine alone."""
    assert pins("requirements.lock")[package][1] > 5


def test_the_locks_agree():
    run, build, dev = (pins(name) for name in LOCKS)
    assert run.items() <= dev.items()
    assert all(dev.get(name, pin) == pin for name, pin in build.items())


@pytest.mark.parametrize(
    ("lock", "asked"),
    [
        ("requirements.lock", PROJECT["dependencies"]),
        ("requirements-build.lock", re.findall(r"(?m)^[a-z].*", (ROOT / "requirements-build.in").read_text("utf-8"))),
        ("requirements-dev.lock", PROJECT["optional-dependencies"]["dev"]),
        ("requirements-dev.lock", PROJECT["optional-dependencies"]["postgres"]),
    ],
)
def test_all_that_is_asked_for_is_locked(lock, asked):
    locked = pins(lock)
    for requirement in map(Requirement, asked):
        name = canonicalize_name(requirement.name)
        if name != "pbem":
            assert locked[name][0] in requirement.specifier, name
