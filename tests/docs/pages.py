"""The project's pages as their tests see them: blocks of code with what kind they are, links, headings, comments."""

from __future__ import annotations

import re
import shlex
from dataclasses import dataclass
from pathlib import Path

import typer
from markdown_it import MarkdownIt

from pbem.cli import app

ROOT = Path(__file__).parents[2]
_FOLDERS = ("docs", "templates", "tests", "bench", "config")


def pages():
    """Every Markdown page that people are meant to read on its own."""
    found = [*ROOT.glob("*.md")]
    for folder in _FOLDERS:
        found += [path for path in (ROOT / folder).rglob("*.md") if path.parent.name != "rules"]
    return sorted(found)


@dataclass(frozen=True)
class Block:
    """A block of code: `kind` is the first word behind the fence ('' for indented ones), `rest` what follows it."""

    page: Path
    line: int
    kind: str
    rest: str
    text: str


def tokens(page):
    return MarkdownIt("commonmark").enable("table").parse(page.read_text("utf-8"))


def blocks(page):
    """Blocks of code and HTML comments (kind `comment`), in order."""
    found = []
    for token in tokens(page):
        line = (token.map or [0])[0] + 1
        if token.type == "fence":
            kind, _, rest = token.info.strip().partition(" ")
            found.append(Block(page, line, kind, rest.strip(), token.content))
        elif token.type == "code_block":
            found.append(Block(page, line, "", "", token.content))
        elif token.type == "html_block":
            found += [
                Block(page, line, "comment", "", text) for text in re.findall(r"<!--(.*?)-->", token.content, re.DOTALL)
            ]
    return found


def exists(command):
    """Raises AssertionError if there is no such command, or an option of it is none."""
    words = shlex.split(command.replace("…", ""))[1:]
    here = typer.main.get_command(app)
    while words and hasattr(here, "commands") and not words[0].startswith("-"):
        assert words[0] in here.commands, command
        here = here.commands[words.pop(0)]
    options = {name for param in here.params for name in (*param.opts, *param.secondary_opts)} | {"--help", "-h"}
    for word in words:
        if word.startswith("-") and word != "-":
            assert word.partition("=")[0] in options, f"{command}: {word}"
