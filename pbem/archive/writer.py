"""Writes the site: what has changed since the last time, nothing else.

`Archive` promises: a file is there whole or not at all; what a page leads to is written before the page; writing the
same facts again writes nothing; a new post writes its own page, the leaf and the few pages that show it, however long
the game is. What is written of a game stays: addresses are for ever.
"""

from __future__ import annotations

import hashlib
from datetime import datetime
from functools import cache, partial
from heapq import nlargest
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlsplit

from markupsafe import Markup

from pbem.archive import addresses, data, feeds, skyline
from pbem.archive.folder import Folder, Record
from pbem.archive.pages import Page, Pages
from pbem.archive.render import Press
from pbem.archive.site import GameSite
from pbem.archive.story import digest, tell
from pbem.archive.telling import Clock

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from pbem.archive.facts import GameFacts, Honour, House, Mail, Tongue
    from pbem.archive.story import Story

SITE: Final = "_site"
"""The note of the pages above the games."""
ASSETS: Final = "assets/"
MBOX: Final = "list.mbox"
_HOUSES: Final = 9


class Archive:
    """One site: its folder, the templates (`templates/archive`), and `tongue(language)` for its words; `own` is the
    host's folder of words, after whose change everything is written anew.
    """

    def __init__(
        self, root: Path, templates: Path, house: House, tongue: Callable[[str], Tongue], own: Path | None = None
    ) -> None:
        self.folder = Folder(root)
        self._house = house
        self._assets = {file.name: file.read_bytes() for file in sorted((templates / "assets").iterdir())}
        words = [_sources(own / part) for part in ("archive", "words", "roles")] if own else []
        self.edition = digest(house, _sources(templates), _sources(Path(__file__).parent), words)
        names = {name: f"{ASSETS}{name}?{digest(content)[:8]}" for name, content in self._assets.items()}
        self._press = cache(lambda language: Press(templates, house, tongue(language), names))
        self._records: dict[str, Record] = {}
        self._stories: dict[str, Story] = {}

    # --- what is there already --------------------------------------------------------------------------------------

    def _record(self, name: str) -> Record:
        """The note of a game (by its code) or of the site; one made by another edition is worth nothing: what that
        wrote, mails too, may hold what this one would not show.
        """
        if name not in self._records:
            known = self.folder.record(name)
            if known.edition != self.edition:
                known = Record(self.edition)
            self._records[name] = known
        return self._records[name]

    def version(self, code: str) -> int:
        """The version of the game that is shown; -1 for none."""
        return self._record(code.lower()).version

    def mails(self, code: str) -> int:
        """The number of the last mail of the list that is in the mbox."""
        record = self._record(code.lower())
        file = self.folder.file(addresses.game_path(code) + MBOX)
        if record.mbox >= 0 and not (file.is_file() and file.stat().st_size >= record.mbox):
            record.mails, record.mbox = 0, -1
        return record.mails

    def forget(self) -> None:
        """Write everything anew the next time."""
        self.folder.forget()
        self._records.clear()

    # --- a game -----------------------------------------------------------------------------------------------------

    def write_game(self, facts: GameFacts, mails: Sequence[Mail], version: int) -> None:
        """Write what the site lacks of a game of that version. `mails` are those of the list above `mails(code)`.

        Raises OSError.
        """
        name = facts.view.code.lower()
        press = self._press(facts.view.options.language)
        story = self._stories[name] = tell(facts.happenings, self._stories.get(name))
        site = GameSite(facts, story, press, self._house)
        pages = Pages(site, self.edition)
        record = self._record(name)
        written = self.folder.written
        self._write_assets()
        self._write_mbox(site, record, mails)
        for post in site.story.posts[record.posts :]:
            self.folder.write(*pages.post_page(post))
        for page in (*pages.files(), *pages.pages()):
            self._write_page(record, page)
        if facts.truth is not None:
            del self._stories[name]  # a game that is over is hardly ever told again
        summary, latest = data.summary(site), pages.latest
        if self.folder.written > written or (record.version, record.summary, record.latest) != (
            version,
            summary,
            latest,
        ):
            record.posts, record.version = len(site.story.posts), version
            record.summary, record.latest = summary, latest
            self.folder.note(name, record)

    def _write_page(self, record: Record, page: Page) -> None:
        if record.pages.get(page.path) != page.key:
            self.folder.write(page.path, page.make())
            record.pages[page.path] = page.key

    def _write_mbox(self, site: GameSite, record: Record, mails: Sequence[Mail]) -> None:
        if mails or record.mbox < 0:
            more = feeds.mbox(mails, (self._house.mailbox, self._house.list_address))
            record.mbox = self.folder.append(site.path(MBOX), max(0, record.mbox), more)
            record.mails = max((mail.n for mail in mails), default=record.mails)

    # --- the site ---------------------------------------------------------------------------------------------------

    def wants_hall(self, codes: Iterable[str]) -> bool:
        """Whether the hall of fame is to be made again: another game has ended, or none was made yet."""
        return self._record(SITE).pages.get(addresses.HALL) != self._ended(codes)

    def _ended(self, codes: Iterable[str]) -> str:
        ended = [code for code in codes if self._record(code.lower()).summary.get("ended")]
        return digest(self.edition, ended)

    def write_site(self, codes: Sequence[str], hall: Sequence[Honour] | None) -> None:
        """The pages above the games; `hall` None leaves the hall of fame as it is. Raises OSError."""
        self._write_assets()
        site, press = self._record(SITE), self._press(self._house.language)
        records = [record for code in codes if (record := self._record(code.lower())).summary]
        games = [Card(record.summary, press) for record in records]
        before = dict(site.pages)
        if hall is not None:
            shown = self._ended(codes)
            self._write_page(
                site, Page(addresses.HALL, shown, lambda: press.page("hall.html", addresses.HALL, honours=hall))
            )
        for page in self._site_pages(press, records, games):
            self._write_page(site, page)
        if site.pages != before:
            self.folder.note(SITE, site)

    def _site_pages(self, press: Press, records: Sequence[Record], games: Sequence[Card]) -> Iterator[Page]:
        summaries = [record.summary for record in records]
        yield Page("games.json", digest(self.edition, summaries), lambda: data.games(summaries))
        lively = nlargest(feeds.ENTRIES, (record.latest for record in records if record.latest), key=_newest)
        newest = sorted(chain.from_iterable(lively), key=_moment, reverse=True)[: feeds.ENTRIES]
        title = press.tongue("feed", "site title", name=self._house.name)
        yield Page(
            "feed.atom",
            digest(self.edition, newest),
            lambda: feeds.atom(self._house, press.tongue, "feed.atom", title, "", newest),
        )
        yield Page("404.html", self.edition, lambda: self.notice("404"))
        if self._house.noindex:
            yield Page("robots.txt", self.edition, lambda: b"User-agent: *\nDisallow: /\n")
        yield Page("", digest(self.edition, summaries), lambda: self._index(press, games))

    def _index(self, press: Press, games: Sequence[Card]) -> bytes:
        """The first page; its sky stands over the newest game that runs, or over a village that sleeps well."""
        running = next((game for game in reversed(games) if not game.facts["winner"] and game.players), None)
        village = running.skyline if running else _picture(self._house.name, [(True, False)] * _HOUSES)
        return press.page("index.html", "", games=games, village=village, village_box=skyline.BOX)

    def notice(self, name: str, start: str = "") -> bytes:
        """A page that has no place of its own: `404`, `leave` or `left`. `start` is where its links begin (`../`); by
        default at the site's configured address.
        """
        start = start or f"{urlsplit(self._house.url).path.rstrip('/')}/"
        press = self._press(self._house.language)
        return press.text(f"{name}.html", path=f"{name}.html", link=lambda target: f"{start}{target}").encode()

    def _write_assets(self) -> None:
        """Style, script and pictures that all pages share."""
        site = self._record(SITE)
        for name, content in self._assets.items():
            self._write_page(site, Page(f"{ASSETS}{name}", digest(content), partial(bytes, content)))


class Card:
    """A game as the index shows it, from its note."""

    def __init__(self, summary: dict[str, Any], press: Press) -> None:
        self.facts = summary
        self.clock = Clock(press.tongue, summary["timezone"])
        self.path = addresses.game_path(summary["code"])
        self.living = sum(alive for alive, _ in summary["lights"])
        self.players = len(summary["lights"])

    @property
    def skyline(self) -> Markup:
        """The village at night."""
        return _picture(self.facts["code"], self.facts["lights"])

    def moment(self, key: str) -> datetime:
        """One of the summary's moments."""
        return datetime.fromisoformat(self.facts[key])


def _moment(entry: dict[str, Any]) -> datetime:
    return datetime.fromisoformat(entry["at"])


def _newest(latest: Sequence[dict[str, Any]]) -> datetime:
    """When a game was last told of: its entries stand with the newest first."""
    return _moment(latest[0])


def _picture(seed: str, lights: Iterable[Sequence[bool]]) -> Markup:
    houses = [skyline.Light(alive, mayor) for alive, mayor in lights]
    return Markup(skyline.village(seed, houses))  # noqa: S704 - no text is in it


def _sources(folder: Path) -> str:
    """What the files below a folder hold, in short."""
    state = hashlib.blake2s(digest_size=12)
    for file in sorted(folder.rglob("*")):
        if file.is_file() and file.suffix != ".pyc":
            state.update(file.name.encode() + b"\0" + file.read_bytes())
    return state.hexdigest()
