"""The project's pages as web pages: `python docs/build.py` (make docs) writes `build/docs`.

Every Markdown page of the project is turned into HTML beside the others, with the files that it links to. A link that
leads nowhere (to a page, a file or a heading) is told with page and line, and the exit code is 1.
"""  # noqa: INP001 -- a script beside the pages, not a package

from __future__ import annotations

import re
import shutil
import sys
from html import escape
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Final
from urllib.parse import unquote, urlsplit

from markdown_it import MarkdownIt

if TYPE_CHECKING:
    from collections.abc import Iterator

    from markdown_it.token import Token

ROOT: Final = Path(__file__).resolve().parents[1]
TARGET: Final = ROOT / "build" / "docs"
FOLDERS: Final = ("docs", "templates/letters")
_IMAGE: Final = re.compile(r'<img src="([^"]+)"')
_STYLE: Final = (
    "body{max-width:46rem;margin:2rem auto;padding:0 1rem;font:1.05rem/1.55 Georgia,serif;color:#1c1c1c}"
    "body{background:#fffdf7}"
    "code,pre{font:.9em/1.5 ui-monospace,monospace;background:#f1ece0}pre{padding:.8rem;overflow-x:auto}"
    "code{padding:.1em .25em}pre code{padding:0}table{border-collapse:collapse;display:block;overflow-x:auto}"
    "td,th{border-bottom:1px solid #d8d2c4;padding:.35rem .6rem;text-align:left;vertical-align:top}"
    "a{color:#7a1f1f}img{max-width:100%;height:auto}h1,h2,h3{line-height:1.2}"
)


def pages(root: Path = ROOT) -> list[Path]:
    """The pages, absolute."""
    found = [*root.glob("*.md")]
    for folder in FOLDERS:
        found += (root / folder).rglob("*.md")
    return sorted(found)


def parse(text: str) -> list[Token]:
    """A page's tokens; its headings have the names that links to them use."""
    tokens = MarkdownIt("commonmark", {"html": True}).enable("table").parse(text)
    taken: dict[str, int] = {}
    for token, inside in pairwise(tokens):
        if token.type == "heading_open":
            token.attrSet("id", _anchor(inside, taken))
    return tokens


def _anchor(heading: Token, taken: dict[str, int]) -> str:
    """As code hosts do: lower case, blanks to hyphens, punctuation dropped, doubles numbered."""
    words = "".join(child.content for child in heading.children or () if child.type in {"text", "code_inline"})
    name = re.sub(r"[^\w\- ]", "", words.lower()).strip().replace(" ", "-")
    number = taken.get(name, 0)
    taken[name] = number + 1
    return f"{name}-{number}" if number else name


def links(tokens: list[Token]) -> Iterator[tuple[int, str]]:
    """(line, where to) of every link and picture."""
    line = 0
    for token in tokens:
        line = token.map[0] + 1 if token.map else line
        for one in (token, *(token.children or ())):
            if one.type in {"html_block", "html_inline"}:
                yield from ((line, found) for found in _IMAGE.findall(one.content))
            for name in ("href", "src"):
                if name in one.attrs:
                    yield line, str(one.attrs[name])


def broken(root: Path = ROOT) -> list[str]:
    """`page:line: link`, for every link inside the project that leads nowhere; those to elsewhere must be whole."""
    names = {
        page: {str(t.attrs["id"]) for t in parse(page.read_text("utf-8")) if "id" in t.attrs} for page in pages(root)
    }
    found = []
    for page in names:
        for line, link in links(parse(page.read_text("utf-8"))):
            if not _leads_somewhere(page, link, names):
                found.append(f"{page.relative_to(root)}:{line}: {link}")
    return found


def _leads_somewhere(page: Path, link: str, names: dict[Path, set[str]]) -> bool:
    parts = urlsplit(link)
    if parts.scheme or parts.netloc:
        return parts.scheme in {"https", "http", "mailto"} and bool(parts.netloc or parts.path)
    target = (page.parent / unquote(parts.path)).resolve() if parts.path else page
    if not target.exists():
        return False
    return not parts.fragment or unquote(parts.fragment) in names.get(target, set())


def build(target: Path = TARGET, root: Path = ROOT) -> None:
    """Write everything anew."""
    shutil.rmtree(target, ignore_errors=True)
    known = set(pages(root))
    for page in known:
        tokens = parse(page.read_text("utf-8"))
        for _, link in links(tokens):
            _bring(page, link, known, target, root)
        place = target / page.relative_to(root).with_suffix(".html")
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(_html(page, tokens), "utf-8")


def _bring(page: Path, link: str, known: set[Path], target: Path, root: Path) -> None:
    """What a page links to and is no page itself, beside it."""
    parts = urlsplit(link)
    source = (page.parent / unquote(parts.path)).resolve()
    if parts.scheme or not parts.path or source in known or not source.is_file():
        return
    place = target / source.relative_to(root)
    place.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(source, place)


def _html(page: Path, tokens: list[Token]) -> str:
    for token in tokens:
        for child in token.children or ():
            link = urlsplit(str(child.attrs.get("href", "")))
            if not link.scheme and link.path.endswith(".md"):
                child.attrSet("href", link._replace(path=link.path[:-3] + ".html").geturl())
    renderer = MarkdownIt("commonmark", {"html": True}).enable("table")
    body = renderer.renderer.render(tokens, renderer.options, {})
    title = next((t.content for before, t in pairwise(tokens) if before.tag == "h1"), page.stem)
    language = page.suffixes[0][1:] if page.suffixes[0] in {".fr", ".en"} else "en"
    head = f'<meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>{escape(title)}</title>'
    head += f"<style>{_STYLE}</style>"
    return f'<!doctype html><html lang="{language}"><head>{head}</head><body>\n{body}</body></html>\n'


def main() -> int:
    """Build, and tell what is broken; the exit code."""
    build()
    found = broken()
    sys.stderr.write("".join(f"{line}\n" for line in found))
    sys.stdout.write(f"{len(pages())} pages: {TARGET / 'docs' / 'README.html'}\n")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
