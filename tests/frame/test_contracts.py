"""What the import contracts cannot say: the engine uses a few pure modules of Python and asks no clock."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

ENGINE = Path(__file__).parents[2] / "pbem" / "engine"
# Pure, and needed for reckoning. What is not here must be argued for here.
ALLOWED = {
    "__future__",
    "abc",
    "bisect",
    "collections",
    "dataclasses",
    "datetime",
    "enum",
    "fractions",
    "functools",
    "hashlib",
    "heapq",
    "hmac",
    "itertools",
    "math",
    "operator",
    "re",
    "string",
    "types",
    "typing",
    "unicodedata",
    "zoneinfo",  # reads the system's time zones: the same everywhere, and no clock
}
CLOCKS = {"now", "today", "utcnow"}
EFFECTS = {"print", "open", "input", "exec", "eval", "breakpoint", "__import__"}


def modules():
    return sorted(ENGINE.rglob("*.py"))


@pytest.mark.parametrize("path", modules(), ids=lambda path: str(path.relative_to(ENGINE)))
def test_the_engine_is_pure(path):
    tree = ast.parse(path.read_text("utf-8"))
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "absolute imports"
            names = [node.module or ""]
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            assert node.func.attr not in CLOCKS, f"line {node.lineno}: {node.func.attr}"
            continue
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            assert node.func.id not in EFFECTS, f"line {node.lineno}: {node.func.id}"
            continue
        else:
            continue
        for name in names:
            ours = name == "pbem.engine" or name.startswith("pbem.engine.")
            assert ours or name.split(".")[0] in ALLOWED, f"line {node.lineno}: {name}"


def test_there_is_an_engine_to_look_at():
    assert len(modules()) > 3
