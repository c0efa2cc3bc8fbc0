"""The little markup of the storyteller's pen and of the rule book, as HTML without anything foreign in it.

`gently` knows paragraphs, emphasis, lists and quotations, nothing that leads or loads elsewhere; `book` knows
headings and tables as well. HTML in the source is shown, never obeyed.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from markdown_it import MarkdownIt

from pbem.letters.typography import END, RAW, clean, too_long, trusted

if TYPE_CHECKING:
    from markupsafe import Markup

_GENTLE = MarkdownIt("zero", {"breaks": True}).enable(["newline", "emphasis", "escape", "list", "blockquote"])
_BOOK = MarkdownIt("zero").enable(["emphasis", "escape", "list", "heading", "table", "backticks"])
_LOWER = {"h1": "h2", "h2": "h3", "h3": "h4", "h4": "h4", "h5": "h4", "h6": "h4"}
_TABLE = re.compile(r"(?:^\|.*\n)+", re.MULTILINE)
_WIDTH = 72


def gently(text: object) -> Markup:
    """A person's words."""
    return trusted(RAW + _GENTLE.render(clean(str(text))) + END)


def book(text: str) -> Markup:
    """A page of the rule book; its headings go down one level, below the letter's."""
    tokens = _BOOK.parse(clean(text))
    columns = 0
    for token, within in zip(tokens, [*tokens[1:], None], strict=True):
        columns += token.type == "th_open"
        if token.tag in _LOWER:
            token.tag = _LOWER[token.tag]
        elif token.type == "table_open":
            token.attrSet("class", "data")
            columns = 0
        elif token.type == "th_open":
            token.attrSet("scope", "col")
        elif token.type == "td_open" and within and too_long(within.content, columns):
            token.attrSet("class", "long")
    return trusted(RAW + _BOOK.renderer.render(tokens, _BOOK.options, {}) + END)


def as_text(text: str) -> str:
    """A page of the rule book as plain text: as it is, but for its tables, which get columns or, where they are too
    wide for a letter, a paragraph a row.
    """
    return _TABLE.sub(lambda found: _columns(found[0]), clean(text))


def _columns(table: str) -> str:
    rows = [[cell.strip() for cell in line.strip().strip("|").split("|")] for line in table.strip().split("\n")]
    head, body = rows[0], rows[2:]
    widths = [max(len(row[n]) for row in (head, *body)) for n in range(len(head))]
    if sum(widths) + 2 * len(widths) > _WIDTH:
        return f"{' · '.join(head)}\n\n" + "".join(f"- {' · '.join(row)}\n" for row in body)
    lines = [head, ["─" * width for width in widths], *body]
    padded = ("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in lines)
    return "".join(f"    {line}\n" for line in padded)
