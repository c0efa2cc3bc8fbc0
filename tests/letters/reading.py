"""Letters read as their readers see them: the HTML part as text, its links, and answers as the game would read them."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import cache
from html.parser import HTMLParser
from typing import TYPE_CHECKING
from urllib.parse import parse_qs, unquote, urlsplit

from pbem.orders.house import House
from pbem.orders.reading import Reading, read
from pbem.post import Incoming

if TYPE_CHECKING:
    from pbem.post import Letter

HOUSE = House("lune@example.org", list_address="village@example.org", codes=("PL1",))
_WORD = re.compile(r"[^\W_]+")
VOID = {"meta", "br", "hr"}


@dataclass(frozen=True)
class Link:
    """A `mailto:` of a letter: where it goes, with which subject, under which label."""

    address: str
    subject: str
    label: str


@dataclass
class Page(HTMLParser):
    """What a mail program shows of an HTML part."""

    shown: list[str] = field(default_factory=list)
    hrefs: list[tuple[str, str]] = field(default_factory=list)
    open: list[str] = field(default_factory=list)
    tags: set[str] = field(default_factory=set)
    attributes: list[tuple[str, str, str]] = field(default_factory=list)
    hidden: int = 0

    def __post_init__(self) -> None:
        super().__init__(convert_charrefs=True)

    def handle_starttag(self, tag, attrs) -> None:
        self.tags.add(tag)
        self.attributes += [(tag, name, value or "") for name, value in attrs]
        if tag in VOID:
            self.shown.append("\n")
            return
        self.open.append(tag)
        if tag in {"style", "title"} or "display:none" in (dict(attrs).get("style") or ""):
            self.hidden = self.hidden or len(self.open)
        if tag == "a":
            self.hrefs.append((dict(attrs).get("href") or "", ""))

    def handle_endtag(self, tag) -> None:
        assert self.open, f"</{tag}> without its beginning"
        assert self.open.pop() == tag
        if len(self.open) < self.hidden:
            self.hidden = 0
        if tag not in {"b", "strong", "em", "code", "a", "span"}:
            self.shown.append("\n")

    def handle_data(self, data) -> None:
        if self.hidden:
            return
        self.shown.append(data)
        if "a" in self.open:
            href, label = self.hrefs[-1]
            self.hrefs[-1] = (href, label + data)

    @property
    def text(self) -> str:
        return "".join(self.shown)

    @property
    def links(self) -> list[Link]:
        return [_link(href, label) for href, label in self.hrefs]


def page(letter: Letter) -> Page:
    return _parsed(letter.html)


@cache
def _parsed(html: str) -> Page:
    parsed = Page()
    parsed.feed(html)
    parsed.close()
    assert parsed.open == []
    return parsed


def _link(href: str, label: str) -> Link:
    parts = urlsplit(href)
    assert parts.scheme == "mailto"
    query = parse_qs(parts.query, keep_blank_values=True, strict_parsing=True) if parts.query else {}
    assert set(query) <= {"subject"}
    return Link(unquote(parts.path), query.get("subject", [""])[0], label)


def words(text: str) -> set[str]:
    """The words of a text, however it is set."""
    return set(_WORD.findall(text.casefold()))


def answer(letter: Letter, *, subject: str | None = None, text: str = "", to: str = "", admin: bool = False) -> Reading:
    """An answer to a letter, as the game reads it."""
    return read(
        Incoming(
            message_id="<x@y>",
            received=datetime(2026, 12, 7, tzinfo=UTC),
            senders=("p1@example.net" if letter.to == HOUSE.list_address else letter.to,),
            sender_name="",
            to=(to or letter.reply_to or HOUSE.address,),
            cc=(),
            recipients=(),
            subject=f"Re: {letter.subject}" if subject is None else subject,
            headers=(),
            text=text,
        ),
        HOUSE,
        storyteller=admin,
    )
