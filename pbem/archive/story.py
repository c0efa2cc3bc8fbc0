"""A game's public happenings put in order: days, bulletins, posts, what each player said and how he voted.

`tell` reads the happenings once. A bulletin is what the list was told at one moment; posts stand between
bulletins. Days are cut into leaves of `LEAF` items, so that a page stays a page however much is said, and only the last
leaf of a day changes when somebody speaks.
"""

from __future__ import annotations

import hashlib
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, TypeVar

from pbem.archive.addresses import post_key
from pbem.engine import events as e

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from datetime import datetime

    from pbem.archive.facts import Happening, Narration

ItemT = TypeVar("ItemT")
LEAF: Final = 100
"""Items (posts or bulletins) on one page."""


@dataclass(frozen=True, slots=True)
class Post:
    """What somebody said in the village. `n` counts the posts of the game from 1, `key` names it for ever, and
    `answers` is the key of the post that it answers ('': none).
    """

    n: int
    key: str
    seat: int
    name: str
    text: str
    at: datetime
    turn: int
    ghost: bool
    mark: str
    answers: str = ""


@dataclass(slots=True)
class Bulletin:
    """What was told at one moment, in order."""

    at: datetime
    parts: list[Happening]

    @property
    def mark(self) -> str:
        """What it is made of."""
        return " ".join(f"{part.mark}{'!' * part.undone}" for part in self.parts)

    @property
    def key(self) -> str:
        """What it is called on its page."""
        return f"b-{self.at:%Y%m%dT%H%M%S}-{self.parts[0].mark[:8]}"

    @property
    def undone(self) -> bool:
        """Whether all that it tells was taken back; what somebody said in it never is."""
        return any(part.undone for part in self.parts) and all(
            part.undone or isinstance(part.event, e.Announced) for part in self.parts
        )


@dataclass(slots=True)
class Day:
    """One day of the game; turn 0 is before the first. Of what was told again after an UNDO, the last counts."""

    turn: int
    items: list[Post | Bulletin] = field(default_factory=list)
    opened: e.DayOpened | None = None
    votes: e.VotesPublished | None = None
    election: e.ElectionClosed | None = None
    burned: tuple[int, ...] | None = None
    posts: int = 0

    @property
    def leaves(self) -> int:
        """How many pages it has."""
        return max(1, -(-len(self.items) // LEAF))

    def leaf(self, number: int) -> list[Post | Bulletin]:
        """The items of one page, numbered from 1."""
        return self.items[(number - 1) * LEAF : number * LEAF]


@dataclass(frozen=True, slots=True)
class Death:
    """Who died when, of what as all may know it. `night`: after the sun had set on that day."""

    seat: int
    turn: int
    cause: str
    role: str
    at: datetime
    night: bool


@dataclass(slots=True)
class Story:
    """All of it. `replies` maps a post's key to the posts that answer it, in their order; `nights` a turn to what its
    murder brought: seats found dead, and whether the village slept.

    `told` are the happenings it is made of; `last`, `repeated` and `dark` are for carrying it on.
    """

    by_turn: dict[int, Day] = field(default_factory=dict)
    posts: list[Post] = field(default_factory=list)
    by_seat: dict[int, list[Post]] = field(default_factory=lambda: defaultdict(list))
    by_key: dict[str, Post] = field(default_factory=dict)
    by_mark: dict[str, Post] = field(default_factory=dict)
    replies: dict[str, list[Post]] = field(default_factory=lambda: defaultdict(list))
    nights: dict[int, e.MurderDone] = field(default_factory=dict)
    deaths: list[Death] = field(default_factory=list)
    commitment: str = ""
    end: e.GameWon | None = None
    ended: datetime | None = None
    dark: bool = False
    told: tuple[Happening, ...] = ()
    last: Bulletin | None = None
    repeated: Counter[tuple[datetime, int]] = field(default_factory=Counter)

    @property
    def days(self) -> list[Day]:
        """In their order."""
        return [self.by_turn[turn] for turn in sorted(self.by_turn)]

    def day(self, turn: int) -> Day:
        """That day, made if it is new."""
        if turn not in self.by_turn:
            self.by_turn[turn] = Day(turn)
        return self.by_turn[turn]

    def bulletins(self) -> Iterator[tuple[Day, Bulletin]]:
        """Every bulletin with its day, the latest first."""
        for day in reversed(self.days):
            for item in reversed(day.items):
                if isinstance(item, Bulletin):
                    yield day, item


def tell(happenings: Sequence[Happening], known: Story | None = None) -> Story:
    """The story that these happenings make. `known` is the story of their beginning, and is carried on if it is."""
    story = known if known and tuple(happenings[: len(known.told)]) == known.told else Story()
    for happening in happenings[len(story.told) :]:
        day = story.day(happening.turn)
        if isinstance(happening.event, e.Posted):
            _post(story, day, happening, happening.event)
            continue
        last = story.last
        if last is None or not day.items or day.items[-1] is not last or not _together(last, happening):
            story.last = last = Bulletin(happening.at, [])
            day.items.append(last)
        last.parts.append(happening)
        if not happening.undone:
            _note(story, day, happening)
    story.told = tuple(happenings)
    return story


def _together(last: Bulletin, happening: Happening) -> bool:
    """Whether it is told in one bulletin with what came before: at one moment, or both about who comes and goes."""
    coming = (e.Joined, e.Left, e.RegistrationOpened, e.RegistrationClosed)
    return last.at == happening.at or (isinstance(happening.event, coming) and isinstance(last.parts[-1].event, coming))


def _post(story: Story, day: Day, happening: Happening, event: e.Posted) -> None:
    second = (event.at.replace(microsecond=0), event.seat)
    story.repeated[second] += 1
    answered = story.by_mark.get(happening.answers)
    post = Post(
        len(story.posts) + 1, post_key(event.at, event.seat, story.repeated[second]), event.seat, happening.name,
        event.text, event.at, happening.turn, event.ghost, happening.mark, answered.key if answered else "",
    )  # fmt: skip
    story.by_key[post.key] = story.by_mark[post.mark] = post
    if answered:
        story.replies[answered.key].append(post)
    story.last = None
    story.posts.append(post)
    story.by_seat[post.seat].append(post)
    day.items.append(post)
    day.posts += 1


def _note(story: Story, day: Day, happening: Happening) -> None:
    match happening.event:
        case e.DayOpened() as event:
            day.opened, story.dark = event, False
        case e.VotesPublished() as event:
            day.votes = event
        case e.ElectionClosed() as event:
            day.election = event
        case e.ExecutionDone() as event:
            day.burned = event.burned
        case e.MurderDone() as event:
            story.nights[event.turn] = event
        case e.Died() as event:
            story.deaths.append(Death(event.seat, event.turn, event.cause, event.role, happening.at, story.dark))
        case e.SunsetOpened():
            story.dark = True
        case e.GameStarted() as event:
            story.commitment = event.commitment
        case e.GameWon() as event:
            story.end, story.ended = event, happening.at
        case _:
            pass


def bulletin_has(bulletin: Bulletin, kind: type[e.Public | Narration]) -> bool:
    """Whether something of that kind is told in it."""
    return any(isinstance(part.event, kind) for part in bulletin.parts)


def is_told(event: object) -> bool:
    """Whether news are made of it: registration's comings and goings would drown the rest."""
    return not isinstance(event, e.Joined | e.Left)


def digest(*inputs: object) -> str:
    """A short name for what a page is made of: the same inputs, the same name."""
    return hashlib.blake2s(repr(inputs).encode("utf-8", "replace"), digest_size=12).hexdigest()


def marks(items: Iterable[Post | Bulletin]) -> str:
    """What a row of items is made of."""
    return "|".join(item.mark for item in items)


def chunks(items: Sequence[ItemT], size: int) -> list[Sequence[ItemT]]:
    """Rows of at most `size`; one empty row of nothing."""
    return [items[start : start + size] for start in range(0, len(items), size)] or [()]
