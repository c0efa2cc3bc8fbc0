"""CONTRIBUTING names the very files that a role, a language or a letter needs: each of them is there for those we have."""

from __future__ import annotations

import re

import pytest

from pbem.engine.roles import ROSTER
from tests.docs.pages import ROOT, tokens

PAGE = ROOT / "CONTRIBUTING.md"
PATH = re.compile(r"[\w.*-]+(?:/[\w.*-]+)+/?")


def named():
    """(heading, path) of every file and folder in code letters or behind a link."""
    heading = ""
    for token in tokens(PAGE):
        if (
            token.type == "inline"
            and token.map
            and (line := PAGE.read_text("utf-8").splitlines()[token.map[0]])[:3] == "## "
        ):
            heading = line[3:]
        for child in token.children or ():
            if child.type == "code_inline" and PATH.fullmatch(child.content):
                yield heading, child.content
            elif child.type == "link_open" and "://" not in child.attrs["href"]:
                yield heading, child.attrs["href"]


def of_ours(path):
    """The same file of a role, a language, a letter that we have."""
    for theirs, ours in (("herald", "militia"), ("KIND", "vote-missed"), ("/it", "/fr"), ("NNNN", "0001")):
        path = path.replace(theirs, ours)
    return path


@pytest.mark.parametrize(("heading", "path"), sorted(set(named())))
def test_every_file_that_is_named_is_there(heading, path):
    found = list(ROOT.glob(of_ours(path).removesuffix("/")))
    assert found, f"{heading}: {path}"


def test_each_chapter_names_what_it_needs():
    chapters = {}
    for heading, path in named():
        chapters.setdefault(heading, set()).add(path.rstrip("/"))
    assert chapters["To add a role"] >= {
        "pbem/engine/roles/herald.py", "pbem/engine/roles/__init__.py", "templates/roles/herald/en.toml",
        "config/roles.toml", "tests/scenarios/rules",
    }  # fmt: skip
    assert chapters["To add a language"] >= {
        "templates/words/it/LC_MESSAGES/letters.po", "templates/letters/*/it.j2", "templates/refusals/*/it.j2",
        "templates/roles/*/it.toml", "templates/rules/it.md",
    }  # fmt: skip
    assert chapters["To add a letter"] >= {"templates/letters/KIND", "pbem/letters/digest.py", "pbem/letters/samples"}


@pytest.mark.parametrize("role", ROSTER)
def test_a_roles_files_are_those(role):
    """Beside the roster there is nothing of a role that CONTRIBUTING does not name."""
    name = role.replace("-", "_")
    for path in (f"pbem/engine/roles/{name}.py", f"templates/roles/{role}/en.toml", f"templates/roles/{role}/fr.toml"):
        assert (ROOT / path).is_file(), path


def test_a_language_has_no_other_files_than_those():
    """What exists in French anywhere among the templates is of one of the kinds that are named."""
    kinds = [path for heading, path in named() if heading == "To add a language" and path.startswith("templates/")]
    known = {file for path in kinds for file in ROOT.glob(of_ours(path))}
    french = {file for file in (ROOT / "templates").rglob("*") if file.is_file() and {file.stem, *file.parts} & {"fr"}}
    missed = {str(file.relative_to(ROOT)) for file in french - known}
    assert missed == set()
