"""The little markup of the storyteller's pen and of the rule book, as HTML without anything foreign in it.

`gently` knows paragraphs, emphasis, lists and quotations, nothing that leads or loads elsewhere; `book` knows
headings and tables as well. HTML in the source is shown, never obeyed.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from markdown_it import MarkdownIt

from pbem.letters.typography import END, RAW, clean, trusted

if TYPE_CHECKING:
    from markupsafe import Markup

_GENTLE = MarkdownIt("zero", {"breaks": True}).enable(["newline", "emphasis", "escape", "list", "blockquote"])
_BOOK = MarkdownIt("zero").enable(["emphasis", "escape", "list", "heading", "table", "backticks"])
_TAG = re.compile(r"<(h[1-6]|p|table|th|td|ul|ol|li|code)((?: style=\"[^\"]*\")?)>")
_STYLES = {
    "p": "margin:0 0 14px",
    "table": "width:100%;border-collapse:collapse;margin:0 0 16px",
    "th": "text-align:left;font-size:14px;padding:6px 12px 6px 0;border-bottom:2px solid #d9d1c0",
    "td": "vertical-align:top;padding:6px 12px 6px 0;border-bottom:1px solid #e6dfd0",
    "ul": "margin:0 0 14px;padding:0 0 0 22px",
    "ol": "margin:0 0 14px;padding:0 0 0 22px",
    "li": "margin:0 0 6px",
    "code": "font-family:Menlo,Consolas,monospace",
}
_TABLE = re.compile(r"(?:^\|.*\n)+", re.MULTILINE)
_WIDTH = 72
_HEADING = "margin:26px 0 10px;font-size:20px;line-height:1.3"


def gently(text: object) -> Markup:
    """A person's words."""
    return trusted(RAW + _styled(_GENTLE.render(clean(str(text)))) + END)


def book(text: str) -> Markup:
    """A page of the rule book; its headings go down one level, below the letter's."""
    return trusted(RAW + _styled(_BOOK.render(clean(text))) + END)


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


def _styled(html: str) -> str:
    return _TAG.sub(_with_style, html)


def _with_style(found: re.Match[str]) -> str:
    tag = found[1]
    style = _HEADING if tag.startswith("h") else _STYLES[tag]
    kind = ' class="code"' if tag == "code" else ' class="line"' if tag in {"td", "th"} else ""
    return f'<{tag}{kind} style="{style}">'
