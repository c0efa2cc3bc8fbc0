"""What other programs subscribe to: Atom feeds (RFC 4287), deadlines as iCalendar (RFC 5545), the list as an mbox.

Without a configured address of the site the feeds' links are relative to the feed, which RFC 4287 allows; ids are made
of the place of an entry alone, so they stay the same wherever the site moves.
"""

from __future__ import annotations

import re
import uuid
from collections import Counter
from datetime import UTC, timedelta
from email import message_from_bytes, policy
from typing import TYPE_CHECKING, Any, Final
from xml.etree import ElementTree as ET

from icalendar import Calendar, Event

from pbem.archive import addresses
from pbem.archive.render import excerpt
from pbem.archive.safe import masked
from pbem.archive.story import LEAF, Bulletin, Post, bulletin_has, is_told
from pbem.archive.telling import plain
from pbem.engine import events as e

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from datetime import datetime
    from email.message import Message

    from pbem.archive.facts import House, Mail, Tongue
    from pbem.archive.site import GameSite

ENTRIES: Final = 40
"""Entries of a feed."""
_ATOM: Final = "http://www.w3.org/2005/Atom"
_SPACE: Final = uuid.uuid5(uuid.NAMESPACE_URL, "urn:pleine-lune:archive")
_FROM_LINE: Final = re.compile(rb"(?m)^(>*From )")


# --- Atom ----------------------------------------------------------------------------------------------------------


def latest(site: GameSite, number: int = ENTRIES) -> list[dict[str, Any]]:
    """The last entries of a game's feed, the newest first: plain records, for its note."""
    found: list[dict[str, Any]] = []
    for day in reversed(site.story.days):
        for place, item in reversed(list(enumerate(day.items))):
            if isinstance(item, Post):
                found.append(_post(site, item))
            elif entry := _bulletin(site, item, day.turn, place // LEAF + 1):
                found.append(entry)
            if len(found) >= number:
                return found
    return found


def _post(site: GameSite, post: Post) -> dict[str, Any]:
    tongue = site.press.tongue
    key = "post title" if post.turn else "post title before"
    return {
        "path": site.post_path(post),
        "title": tongue("feed", key, code=site.code, turn=post.turn, name=post.name),
        "author": post.name,
        "at": post.at.isoformat(),
        "summary": excerpt(post.text),
        "html": site.press.text("_post_entry.html", post=post),
    }


def _bulletin(site: GameSite, bulletin: Bulletin, turn: int, leaf: int) -> dict[str, Any] | None:
    parts = [part for part in bulletin.parts if is_told(part.event)]
    if not parts:
        return None
    stand = [part for part in parts if not part.undone]
    told = [plain(sentence) for part in stand for sentence in site.teller.sentences(part)]
    title = site.press.tongue(
        "feed", "bulletin title" if turn else "bulletin title before",
        code=site.code, turn=turn, title=site.title_of(bulletin),
    )  # fmt: skip
    if bulletin.undone:
        title = f"{title} ({site.press.tongue('ui', 'undone')})"
    return {
        "path": f"{site.day_path(turn, leaf)}#{bulletin.key}",
        "title": title,
        "author": site.house.name,
        "at": bulletin.at.isoformat(),
        "summary": excerpt(" ".join(told), 240),
        "html": site.press.text("_bulletin_entry.html", site=site, bulletin=bulletin),
    }


def atom(house: House, tongue: Tongue, path: str, title: str, home: str, entries: Iterable[dict[str, Any]]) -> bytes:
    """A feed at `path` about the page at `home`."""
    entries = list(entries)
    ET.register_namespace("", _ATOM)
    feed = ET.Element(_name("feed"), {"xml:lang": tongue.language})
    _put(feed, "id", _identifier(path))
    _put(feed, "title", title)
    _put(feed, "updated", max((entry["at"] for entry in entries), default="1970-01-01T00:00:00+00:00"))
    ET.SubElement(
        feed, _name("link"), {"rel": "self", "type": "application/atom+xml", "href": _href(house, path, path)}
    )
    ET.SubElement(feed, _name("link"), {"rel": "alternate", "type": "text/html", "href": _href(house, path, home)})
    _put(_put(feed, "author"), "name", house.name)
    for entry in entries:
        _entry(feed, house, path, entry)
    return bytes(ET.tostring(feed, encoding="utf-8", xml_declaration=True))


def _entry(feed: ET.Element, house: House, path: str, entry: dict[str, Any]) -> None:
    one = _put(feed, "entry")
    _put(one, "id", _identifier(entry["path"]))
    _put(one, "title", entry["title"])
    _put(one, "updated", entry["at"])
    _put(one, "published", entry["at"])
    _put(_put(one, "author"), "name", entry["author"])
    href = _href(house, path, entry["path"])
    ET.SubElement(one, _name("link"), {"rel": "alternate", "type": "text/html", "href": href})
    _put(one, "summary", entry["summary"])
    _put(one, "content", entry["html"]).set("type", "html")


def _put(parent: ET.Element, name: str, text: str | None = None) -> ET.Element:
    child = ET.SubElement(parent, _name(name))
    child.text = text
    return child


def _name(name: str) -> str:
    return f"{{{_ATOM}}}{name}"


def _identifier(path: str) -> str:
    return uuid.uuid5(_SPACE, path).urn


def _href(house: House, path: str, target: str) -> str:
    return addresses.absolute(house.url, target) if house.url else addresses.relative(path, target)


# --- deadlines -----------------------------------------------------------------------------------------------------


def calendar(site: GameSite) -> bytes:
    """Every closing that has happened, when it did, and those to come. An entry keeps its UID when the storyteller
    moves it; one that fell away (an election dropped, a game that ended before) is left out.
    """
    tongue, view = site.press.tongue, site.facts.view
    book = Calendar()
    book.add("prodid", "-//Pleine Lune//archive//EN")
    book.add("version", "2.0")
    book.add("calscale", "GREGORIAN")
    book.add("method", "PUBLISH")
    book.add("x-wr-calname", f"{site.house.name} · {site.code}")
    book.add("x-wr-timezone", view.options.timezone)
    stamp = _last_word(site)
    before: Counter[tuple[int, str]] = Counter()
    for turn, key, at, sure in _closings(site):
        before[turn, key] += 1
        again = f"/{before[turn, key]}" if before[turn, key] > 1 else ""  # a second election on one day
        event = Event()
        event.add("uid", f"{uuid.uuid5(_SPACE, f'{site.code}/{turn}/{key}{again}')}")
        event.add("dtstamp", stamp)
        event.add("dtstart", at.astimezone(UTC))
        event.add("duration", timedelta(0) if sure else timedelta(minutes=1))
        event.add("summary", tongue("calendar", "summary", code=site.code, turn=turn, what=tongue("deadline", key)))
        event.add("status", "CONFIRMED" if sure else "TENTATIVE")
        event.add("transp", "TRANSPARENT")
        if site.house.url:
            event.add("url", addresses.absolute(site.house.url, site.day_path(turn)))
        book.add_component(event)
    return bytes(book.to_ical())


def _closings(site: GameSite) -> Iterator[tuple[int, str, datetime, bool]]:
    """(turn, key, moment, whether it is sure). While a digest waits for the storyteller's words nothing is known to
    come but what was announced last.
    """
    facts, turn = site.facts, site.facts.view.turn
    for closed in facts.closed:
        if closed.key != _UNSAID:
            yield closed.turn, closed.key, closed.at, True
    for deadline in facts.deadlines:
        if deadline.key != _UNSAID:
            yield turn, deadline.key, deadline.at, deadline.sure
    if facts.telling and facts.view.deadline is not None:
        gone = {closed.key for closed in facts.closed if closed.turn == turn}
        for key, at in _announced(site.story.by_turn[turn].items).items():
            if key not in gone:
                yield turn, key, at, True


_UNSAID: Final = "murder"
"""It closes with the vision: one entry for both."""


def _announced(items: Sequence[Post | Bulletin]) -> dict[str, datetime]:
    """What the bulletins of a day said would close when, the last word of each that stands."""
    found: dict[str, datetime] = {}
    for item in items:
        for part in item.parts if isinstance(item, Bulletin) else ():
            if part.undone:
                continue
            match part.event:
                case e.DayOpened(execution=at):
                    found["execution"] = at
                case e.ElectionSet(closes=at):
                    found["election"] = at
                case e.TieAnnounced(until=at):
                    found["tie-break"] = at
                case e.SunsetOpened(until=at):
                    found["sunset"] = at
                case e.DeadlineMoved(phase=phase, deadline=at) | e.Resumed(phase=phase, deadline=at):
                    found["execution" if phase == "day" else phase] = at
                case _:
                    pass
    return found


def _last_word(site: GameSite) -> datetime:
    """When something was told or closed last that could move a deadline: the file stays the same until then."""
    moments = (item.at for _, item in site.story.bulletins() if not bulletin_has(item, e.Joined))
    closed = (one.at for one in site.facts.closed[-1:])
    return max(next(moments, site.facts.first), *closed, site.facts.first).replace(microsecond=0)


# --- the list ------------------------------------------------------------------------------------------------------


def mbox(mails: Iterable[Mail], known: Iterable[str]) -> bytes:
    """Mails as the lines of an mbox (the `mboxrd` kind). `known` are the addresses that may be seen: the game's own."""
    allowed = {address.lower() for address in known}
    return b"".join(_mail(mail, allowed) for mail in mails)


def _mail(mail: Mail, allowed: set[str]) -> bytes:
    raw = _anonymous(mail.raw.replace(b"\r\n", b"\n"), allowed)
    stamp = mail.at.astimezone(UTC).ctime()
    return f"From MAILER-DAEMON {stamp}\n".encode("ascii") + _FROM_LINE.sub(rb">\1", raw).rstrip(b"\n") + b"\n\n"


def _anonymous(raw: bytes, allowed: set[str]) -> bytes:
    """The mail as it was sent, unless somebody wrote an address into it: then without that. What is attached is the
    game's own work.
    """
    mail = message_from_bytes(raw, policy=policy.compat32)
    changed = False
    for part in mail.walk():
        if part.get_content_type() not in {"text/plain", "text/html"}:
            continue
        text = _text_of(part)
        shown = _only(text, allowed)
        if shown != text:
            del part["Content-Transfer-Encoding"]
            part.set_payload(shown, "utf-8")
            changed = True
    return mail.as_bytes() if changed else raw


def _text_of(part: Message) -> str:
    payload = part.get_payload(decode=True)
    return payload.decode("utf-8", "replace") if isinstance(payload, bytes) else ""


def _only(text: str, allowed: set[str]) -> str:
    """`text` without personal tags, and without addresses that are not among `allowed` or below one of them
    (`lune+pl1-say@…`).
    """

    def mine(address: str) -> bool:
        local, _, domain = address.rpartition("@")
        name, _, detail = local.partition("+")
        return address in allowed or (f"{name}@{domain}" in allowed and bool(_PUBLIC_DETAIL.fullmatch(detail)))

    return masked(text, mine)


_PUBLIC_DETAIL: Final = re.compile(r"[a-z]+\d+-(say|grave)")
