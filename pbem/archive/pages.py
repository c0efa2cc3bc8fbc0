"""The pages and files of one game: where each is, what it is made of, and how it is made when that has changed.

`Pages` lists them without rendering any; a `Page` whose `key` is the one on record need not be made again. The pages of
single posts are apart (`post_page`): once written they never change.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any, Final

from pbem.archive import addresses, data, feeds
from pbem.archive.story import LEAF, Bulletin, Post, chunks, digest, marks

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from pbem.archive.site import GameSite
    from pbem.archive.story import Day
    from pbem.engine.view import Face

OWN_POSTS: Final = 50
"""Posts on one page of a player's."""


@dataclass(frozen=True, slots=True)
class Page:
    """One file: `key` changes whenever its content may."""

    path: str
    key: str
    make: Callable[[], bytes]


@dataclass
class Pages:
    """Everything that is written of a game; `edition` names the program and the templates that make it."""

    site: GameSite
    edition: str

    @cached_property
    def frame(self) -> str:
        """What every page hangs on: who made it, the names, and whether all is told."""
        facts = self.site.facts
        names = tuple((face.name, face.gender) for face in facts.view.faces)
        truth = facts.truth.mark if facts.truth else ""
        return digest(self.edition, self.site.code, self.site.started, names, truth, facts.view.options.language)

    @cached_property
    def news(self) -> str:
        """All that was told but posts."""
        days = self.site.story.days
        return digest([item.mark for day in days for item in day.items if isinstance(item, Bulletin)])

    @cached_property
    def latest(self) -> list[dict[str, Any]]:
        """The entries of its feed."""
        return feeds.latest(self.site)

    def pages(self) -> Iterator[Page]:
        """All but single posts, the ones that lead to others last."""
        site, story = self.site, self.site.story
        for day in story.days:
            yield from self._day_pages(day)
        if site.started:
            for face in site.facts.view.faces:
                yield from self._player_pages(face)
        yield self._page("votes", "votes/", self.news)
        yield self._page("search", "search/", self.news, len(story.posts), search_size=data.CHUNK)
        if site.over:
            yield from self._graveyard_pages()
            for name in ("truth", "replay"):
                yield self._page(name, f"{name}/", self.news, site.facts.view)
        state = (site.facts.view, site.facts.deadlines, site.facts.telling, self.news)
        yield self._page("game", "", *state, len(story.posts), marks(site.latest()))

    def _page(self, name: str, below: str, *made_of: object, **more: Any) -> Page:
        path = self.site.path(below)
        return Page(path, digest(self.frame, made_of), partial(self._render, f"{name}.html", path, **more))

    def _day_pages(self, day: Day) -> Iterator[Page]:
        turns = [other.turn for other in self.site.story.days]
        place = turns.index(day.turn)
        before = turns[place - 1] if place else None
        after = turns[place + 1] if place + 1 < len(turns) else None
        where = partial(addresses.day_path, self.site.code, day.turn)
        for leaf in range(1, day.leaves + 1):
            items = day.leaf(leaf)
            make = partial(
                self._render, "day.html", where(leaf), day=day, leaf=leaf, items=items, before=before, after=after,
                last=leaf == day.leaves, leaf_path=where,
            )  # fmt: skip
            key = digest(self.frame, marks(items), self._replies(items), before, after, leaf == day.leaves, day.opened)
            yield Page(where(leaf), key, make)

    def _player_pages(self, face: Face) -> Iterator[Page]:
        rows = chunks(self.site.story.by_seat.get(face.seat, []), OWN_POSTS)
        where = partial(addresses.player_path, self.site.code, face.seat)
        for leaf, posts in enumerate(rows, 1):
            make = partial(
                self._render, "player.html", where(leaf), face=face, leaf=leaf, items=posts, last=leaf == len(rows),
                leaf_path=where,
            )  # fmt: skip
            made_of = (marks(posts), self._replies(posts), leaf == len(rows), face, self.news)
            yield Page(where(leaf), digest(self.frame, *made_of), make)

    def _replies(self, items: Iterable[Post | Bulletin]) -> list[str]:
        """What is answered to the posts among these, in short."""
        posts = (item for item in items if isinstance(item, Post))
        return [reply.key for post in posts for reply in self.site.replies(post)]

    def _graveyard_pages(self) -> Iterator[Page]:
        rows = chunks(self.site.stones(), LEAF)
        for leaf, stones in enumerate(rows, 1):
            path = self.site.graveyard_path(leaf)
            make = partial(
                self._render, "graveyard.html", path, leaf=leaf, stones=stones, last=leaf == len(rows),
                leaf_path=self.site.graveyard_path,
            )  # fmt: skip
            yield Page(path, digest(self.frame, len(stones), leaf == len(rows)), make)

    def post_page(self, post: Post) -> tuple[str, bytes]:
        """The page of one post: where it is, and what stands there."""
        path = self.site.post_path(post)
        return path, self._render("post.html", path, post=post)

    def _render(self, template: str, path: str, **more: Any) -> bytes:
        site = self.site
        return site.press.page(template, path, site=site, view=site.facts.view, story=site.story, **more)

    def files(self) -> Iterator[Page]:
        """Feed, calendar, data, index. The file for `pbem verify` stays as it was when the end was first told."""
        site, below, posts = self.site, self.site.path(), self.site.story.posts
        rows = chunks(posts, data.CHUNK) if posts else []
        for n, row in enumerate(rows, 1):
            key = digest(self.frame, marks(row))
            yield Page(f"{below}posts-{n}.json", key, partial(data.posts, site, row))
            yield Page(f"{below}search-{n}.json", key, partial(data.index, row))
        state = digest(self.frame, site.facts.view, site.facts.deadlines, self.news)
        yield Page(f"{below}game.json", digest(state, len(posts)), partial(data.game, site, len(rows)))
        closings = digest(state, site.facts.closed)
        yield Page(f"{below}deadlines.ics", closings, partial(feeds.calendar, site))
        yield Page(f"{below}feed.atom", digest(self.frame, self.news, marks(posts[-feeds.ENTRIES :])), self._feed)
        if site.facts.truth is not None:
            yield Page(f"{below}export.json", digest(self.edition), site.facts.truth.export)

    def _feed(self) -> bytes:
        site, path = self.site, self.site.path("feed.atom")
        title = site.press.tongue("feed", "game title", name=site.house.name, code=site.code)
        return feeds.atom(site.house, site.press.tongue, path, title, site.path(), self.latest)
