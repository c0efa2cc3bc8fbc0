"""Which tests and scenarios show which rule: the table that `make rules` prints.

    python tools/rules_table.py [--brief]

A scenario shows the rules of its `rules:` line; a test those of its marker `rule("VOTE-2", …)` or of its docstring. The
rules are those of `tests/rules.txt`. Exit 1 when one of them has no test or no scenario, when something names a rule
that is not there, or when the rule book beside the repository (if it is there) numbers others.
"""
# ruff: noqa: INP001 - a program, no package

from __future__ import annotations

import ast
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).resolve().parents[1]
BOOK = ROOT.parent / "shared" / "rules" / "RULES.md"
RULE = re.compile(r"\b[A-Z]+-\d+\b")
NUMBERED = re.compile(r"^(?:- |\d+\. )\*\*([A-Z]+-\d+)\*\*", re.MULTILINE)
LISTED = re.compile(r"^rules:\s*\[(.*?)\]", re.MULTILINE)
MAIL = re.compile(r"MAIL-\d+")
"""A scenario may name a section of the mail protocol in the same way."""
WIDTH = 100

Shown = dict[str, list[str]]
"""Rule to the places that show it."""


def titles() -> dict[str, str]:
    """The rules, in order, with a few words on each."""
    lines = (ROOT / "tests" / "rules.txt").read_text("utf-8").splitlines()
    return dict(line.split(maxsplit=1) for line in lines if line and not line.startswith("#"))


def scenarios() -> Shown:
    """What the scenario files say they show."""
    shown: Shown = {}
    for path in sorted((ROOT / "tests" / "scenarios").rglob("*.yaml")):
        listed = LISTED.search(path.read_text("utf-8"))
        for rule in RULE.findall(listed[1]) if listed else ():
            shown.setdefault(rule, []).append(path.stem)
    return shown


def tests(known: dict[str, str]) -> Shown:
    """What the tests say they show; other words of that shape in a docstring are left alone."""
    shown: Shown = {}
    for path in sorted((ROOT / "tests").rglob("test_*.py")):
        tree = ast.parse(path.read_text("utf-8"))
        for name, rules in _named(tree):
            for rule in dict.fromkeys(rules):
                shown.setdefault(rule, []).append(f"{path.stem}::{name}")
    return {rule: places for rule, places in shown.items() if rule in known or not _is_prose(places)}


def _is_prose(places: list[str]) -> bool:
    return all(place.endswith("*") for place in places)


def _named(tree: ast.Module) -> Iterator[tuple[str, list[str]]]:
    """Tests with the rules of their markers, and of their docstrings (these with a star)."""
    for node in ast.walk(tree):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)) and "test" in node.name.lower():
            yield node.name, [rule for mark in node.decorator_list for rule in _marked(mark)]
            yield f"{node.name}*", RULE.findall(ast.get_docstring(node) or "")
        elif isinstance(node, ast.Assign) and isinstance(node.value, ast.Call):
            yield _target(node), list(_marked(node.value))


def _target(node: ast.Assign) -> str:
    target = node.targets[0]
    return target.id if isinstance(target, ast.Name) else "?"


def _marked(mark: ast.expr) -> Iterator[str]:
    """The rules of `@rule("A-1", "B-2")` or `@pytest.mark.rule("A-1")`."""
    if not isinstance(mark, ast.Call):
        return
    called = mark.func.id if isinstance(mark.func, ast.Name) else getattr(mark.func, "attr", "")
    if called == "rule":
        yield from (x.value for x in mark.args if isinstance(x, ast.Constant) and isinstance(x.value, str))


def row(rule: str, title: str, places: tuple[list[str], list[str]], *, brief: bool) -> Iterator[str]:
    """One rule's lines."""
    shown, tested = places
    yield f"{rule:<9}{title:<48}{len(shown):>3} scenarios {len(tested):>3} tests"
    if not brief:
        yield from (f"          {place}"[:WIDTH] for place in (*shown, *tested))


def gaps(known: dict[str, str], shown: Shown, tested: Shown) -> Iterator[str]:
    """What is wrong, one sentence each."""
    yield from (f"no scenario shows {rule}" for rule in known if rule not in shown)
    yield from (f"no test shows {rule}" for rule in known if rule not in tested)
    for rule in sorted({*shown, *tested} - set(known)):
        if not MAIL.fullmatch(rule):
            yield f"there is no rule {rule}, named by {(shown.get(rule) or tested[rule])[0]}"
    if BOOK.is_file():
        numbered = NUMBERED.findall(BOOK.read_text("utf-8"))
        yield from (f"the rule book has {rule}, tests/rules.txt has not" for rule in numbered if rule not in known)
        yield from (f"tests/rules.txt has {rule}, the rule book has not" for rule in known if rule not in numbered)


def main(arguments: list[str]) -> int:
    """Print the table; 1 if there is a gap."""
    known = titles()
    shown, tested = scenarios(), tests(known)
    for rule, title in known.items():
        places = (shown.get(rule, []), tested.get(rule, []))
        sys.stdout.writelines(f"{line}\n" for line in row(rule, title, places, brief="--brief" in arguments))
    wrong = list(gaps(known, shown, tested))
    sys.stdout.writelines(f"{line}\n" for line in ("", *wrong, f"{len(known)} rules, {len(wrong)} gaps"))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
