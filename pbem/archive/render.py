"""Templates to bytes: one environment a language, everything escaped, a missing name an error.

A page is given facts and small helpers; it never sees a path but its own and those it links to, which become relative
ones, so that the site works wherever it is put.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markdown_it import MarkdownIt
from markupsafe import Markup, escape

from pbem.archive import portrait
from pbem.archive.addresses import relative
from pbem.archive.safe import HIDDEN
from pbem.archive.telling import plain, strong

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from pbem.archive.facts import House, Tongue

POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; form-action 'self'; "
    "base-uri 'none'"
)
"""Content-Security-Policy of every page: nothing inline, nothing from elsewhere. A header adds who may frame it."""
_LINK: Final = re.compile(r"https?://[^\s<>\"'«»]+(?=(\S{0,300}))")
_AFTER_LINK: Final = ".,;:!?)]…"
_GAP: Final = re.compile(r"\n[ \t]*(?:\n[ \t]*)+")
_PEN: Final = MarkdownIt("zero", {"breaks": True}).enable(["newline", "emphasis", "escape", "list", "blockquote"])


def paragraphs(text: str) -> Markup:
    """Somebody's words: paragraphs, line breaks and web addresses kept, everything else as text. A web address out of
    which somebody's mail address was taken leads nowhere any more, and is text.
    """
    return Markup("\n").join(
        Markup("<p>{}</p>").format(Markup("<br>\n").join(_linked(line) for line in part.split("\n")))
        for part in _GAP.split(text.strip("\n \t"))
    )


def _linked(line: str) -> Markup:
    found, last = Markup(""), 0
    for link in _LINK.finditer(line):
        target = link[0].rstrip(_AFTER_LINK)
        if HIDDEN in link[0] + link[1] or target.endswith("//"):
            continue
        found += escape(line[last : link.start()])
        found += Markup('<a href="{0}" rel="nofollow ugc noopener">{0}</a>').format(target)
        last = link.start() + len(target)
    return found + escape(line[last:])


def pen(text: str) -> Markup:
    """The storyteller's little markup: emphasis, lists, quotations; HTML in it is shown, never obeyed."""
    return Markup(_PEN.render(text))  # noqa: S704 - the parser escapes


def excerpt(text: str, length: int = 180) -> str:
    """The beginning of somebody's words, on one line, cut between words."""
    line = " ".join(text.split())
    if len(line) <= length:
        return line
    cut = line[: length - 1]
    return (cut.rpartition(" ")[0] or cut).rstrip(" ,;:") + "…"


def _people(items: Iterable[Any]) -> list[tuple[str, int]]:
    """(name, seat) of those who speak among these."""
    return [(item.name, item.seat) for item in items if hasattr(item, "seat")]


def _bust(name: str, gender: str) -> Markup:
    return Markup(portrait.bust(name, gender))  # noqa: S704 - no text is in it


class Press:
    """Renders in one language. `assets` are the names of the static files as pages ask for them."""

    def __init__(self, folder: Path, house: House, tongue: Tongue, assets: dict[str, str]) -> None:
        self.tongue = tongue
        self._environment = Environment(
            loader=FileSystemLoader(str(folder / "pages")),
            autoescape=True,
            undefined=StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
            auto_reload=False,
            cache_size=-1,
        )
        self._environment.filters |= {"paragraphs": paragraphs, "pen": pen, "excerpt": excerpt}
        self._environment.filters |= {"strong": strong, "plain": plain}
        self._environment.globals |= {"t": tongue, "count": tongue.count, "role": tongue.role, "lang": tongue.language}
        self._environment.globals |= {"people": _people, "bust": _bust, "bust_box": portrait.BOX}
        self._environment.globals |= {"house": house, "policy": POLICY, "assets": assets}

    def page(self, template: str, path: str, **facts: Any) -> bytes:
        """The page at that path."""
        return self.text(template, path=path, link=lambda target: relative(path, target), **facts).encode()

    def text(self, template: str, **facts: Any) -> str:
        """Anything else."""
        return self._environment.get_template(template).render(facts)
