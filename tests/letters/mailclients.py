"""A linter of letters: whether mail programs, and screen readers, can make something of them (mailclients.toml)."""

from __future__ import annotations

import re
import tomllib
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

from lxml import html as lxml_html

if TYPE_CHECKING:
    from collections.abc import Iterator

RULES = tomllib.loads((Path(__file__).parent / "mailclients.toml").read_text("utf-8"))
_VALUES = [(re.compile(pattern), why) for pattern, why in RULES["values"].items()]
_AT_RULE = re.compile(r"(@[^{]+)\{((?:[^{}]*\{[^{}]*\})*)[^{}]*\}")
_RULE = re.compile(r"([^{}]+)\{([^{}]*)\}")
_SELECTOR = re.compile(r"(?:[a-z]+[0-9]?|\.[a-z]+|:root)(?: (?:[a-z]+[0-9]?|\.[a-z]+))?")


def faults(text: str, language: str) -> list[str]:
    """All that is wrong with a letter's HTML part."""
    document = lxml_html.document_fromstring(text.encode(), parser=lxml_html.HTMLParser(encoding="utf-8"))
    return [
        *_whole(text, document, language),
        *_head(document),
        *(fault for element in document.iter() if isinstance(element.tag, str) for fault in _element(element)),
        *_tables(document),
        *_headings(document),
        *_links(document),
    ]


def _whole(text: str, document, language: str) -> Iterator[str]:
    if not text.startswith("<!DOCTYPE html>"):
        yield "no doctype: browsers go into quirks mode"
    if len(text.encode()) > RULES["bytes"]:
        yield f"{len(text.encode())} bytes"
    if document.get("lang") != language:
        yield f"lang is {document.get('lang')!r}"
    if not (document.findtext(".//title") or "").strip():
        yield "no title"
    metas = {meta.get("name") or "charset" for meta in document.iter("meta")}
    if not metas >= {"charset", "viewport", "color-scheme"}:
        yield f"metas: {metas}"


def _head(document) -> Iterator[str]:
    if document.xpath("//body//style"):
        yield "a style element in the body"
    for style in document.xpath("//head//style"):
        yield from sheet_faults(style.text or "")


def sheet_faults(css: str) -> Iterator[str]:
    """What is wrong with a style sheet that is sent along."""
    for at, inner in _AT_RULE.findall(css):
        if " ".join(at.split()) not in RULES["at-rules"]:
            yield f"at-rule {at.strip()!r}"
        for selectors, declarations in _RULE.findall(inner):
            for selector in selectors.split(","):
                if not _SELECTOR.fullmatch(" ".join(selector.split())):
                    yield f"selector {selector.strip()!r}"
            yield from _declarations(
                declarations, allowed={"color-scheme", "supported-color-schemes", "border-color", "border-left-color"}
            )
    if _AT_RULE.sub("", css).strip():
        yield "rules outside of @media: they should stand in the elements"


def _element(element) -> Iterator[str]:
    tag = element.tag
    if tag not in RULES["elements"]:
        yield f"element <{tag}>"
    for name, value in element.items():
        where = RULES["attributes"].get(name, "").split()
        if tag not in where and "*" not in where:
            yield f"attribute {name} on <{tag}>"
        if name == "style":
            yield from _declarations(value)
    yield from _widths(element)


def _declarations(style: str, allowed: set[str] = frozenset()) -> Iterator[str]:
    for declaration in filter(str.strip, style.split(";")):
        name, _, value = declaration.partition(":")
        if name.strip() not in RULES["properties"] and name.strip() not in allowed:
            yield f"property {name.strip()}"
        if name.strip() == "display" and value.strip() not in {"none", "inline-block"}:
            yield f"display:{value.strip()}"
        yield from (
            f"{declaration.strip()}: {why}"
            for pattern, why in _VALUES
            if pattern.search(value) and name.strip() != "vertical-align"
        )


@cache
def _width_of(style: str) -> str:
    found = re.search(r"(?:^|;)\s*width\s*:\s*([\d.]+)(%|px)", style)
    return f"{found[1]}{'%' if found[2] == '%' else ''}" if found else ""


def _widths(element) -> Iterator[str]:
    wanted = _width_of(element.get("style") or "")
    if element.tag in {"table", "td", "th"} and wanted and element.get("width") != wanted:
        yield f"<{element.tag}> of width {wanted} without the attribute"


def _tables(document) -> Iterator[str]:
    for table in document.iter("table"):
        heads = table.xpath("./thead/tr/th | ./tbody/tr/th | ./tr/th")
        if table.get("role") == "presentation":
            if heads:
                yield "a table for layout with heads"
        elif not heads:
            yield "a table of data without heads"
        yield from ("a th without scope" for th in heads if th.get("scope") not in {"row", "col"})
        for row in table.xpath("./tbody/tr"):
            if not len(row):
                yield "an empty row"


def _headings(document) -> Iterator[str]:
    levels = [int(heading.tag[1]) for heading in document.iter("h1", "h2", "h3", "h4")]
    if levels.count(1) != 1 or levels[0] != 1:
        yield f"headings {levels}"
    yield from (f"a heading of level {b} after {a}" for a, b in pairwise(levels) if b > a + 1)
    yield from ("an empty heading" for h in document.iter("h1", "h2", "h3") if not h.text_content().strip())


def _links(document) -> Iterator[str]:
    for link in document.iter("a"):
        if not link.text_content().strip():
            yield "a link without a label"
        if not (link.get("href") or "").startswith("mailto:"):
            yield f"a link to {link.get('href')}"
