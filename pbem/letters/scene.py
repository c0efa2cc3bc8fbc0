"""What a template can say and ask: names, roles, moments, command lines and links, in one language, for one reader.

A `Scene` holds views only: what its reader may know (`pbem.engine.view`). Its `facts()` are the names that every
template has; what a section tells comes on top of them. Without a seat it speaks to everybody, and its links carry no
tag.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

from babel.lists import format_list

from pbem.engine.roles import ROSTER
from pbem.letters.acts import Act, Choice, acts
from pbem.letters.clock import Clock, Closing, closings
from pbem.letters.tables import NAMES, Tables
from pbem.letters.typography import clean

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import datetime

    from pbem.engine.view import Face, PublicView, SeatView
    from pbem.letters.book import Book
    from pbem.letters.press import Room, Sheet
    from pbem.letters.words import Words


@dataclass
class Scene:
    """One reader's scene: `game` is what all know, `view` what he knows besides (None for the list and strangers).

    `audience` is list, seat, reader, storyteller or stranger; `tag` stands in the links of a seat's letters only. The
    game's `seed` draws verses, and no template sees it.
    """

    room: Room
    book: Book
    game: PublicView
    at: datetime
    audience: str = "list"
    view: SeatView | None = None
    tag: str | None = None
    seed: str = field(default="", repr=False)
    _facts: dict[str, Any] = field(default_factory=dict)

    @property
    def words(self) -> Words:
        """The catalogue."""
        return self.room.words

    @cached_property
    def clock(self) -> Clock:
        """The game's local time."""
        return Clock(self.words, self.game.options.timezone, self.at)

    # --- people and roles ---------------------------------------------------------------------------------------

    def face(self, seat: int) -> Face:
        """The player at a seat, as all see him."""
        return self.game.face(seat)

    def name(self, seat: int) -> str:
        """His name."""
        return clean(self.game.face(seat).name)

    def names(self, seats: Iterable[int], conjunction: str = "and") -> str:
        """`Alice, Bruno and Chloé`, or that it is nobody."""
        return self.listed([self.name(seat) for seat in seats], conjunction) or self.words("label", "nobody")

    def listed(self, texts: Iterable[str], conjunction: str = "and") -> str:
        """Several texts as one enumeration; '' if there are none."""
        texts = list(texts)
        if len(texts) < 2:  # noqa: PLR2004 - one thing is no list
            return "".join(texts)
        return format_list(texts, style="or" if conjunction == "or" else "standard", locale=self.words.language)

    def role(self, slug: str, gender: str = "m", form: str = "bare") -> str:
        """A role's name in that gender: `form` is bare, name (with the article), indefinite or plural."""
        return str(getattr(self.room.cards(slug, gender), form))

    def role_of(self, who: Face, form: str = "bare") -> str:
        """The role of a face that shows one, in its gender."""
        return self.role(who.role, who.gender, form)

    def tale(self, occasion: str, number: int) -> str:
        """A line in the village's voice: its `number`, a turn or a seat, may be nothing that is secret."""
        return self.room.verses.line(occasion, number, self.seed)

    def role_names(self) -> list[str]:
        """Every role there is, by its bare name, in the order of the roster."""
        return [self.role(slug) for slug in ROSTER]

    # --- commands -----------------------------------------------------------------------------------------------

    def verb(self, verb: str) -> str:
        """The word of command in this language."""
        return self.words("verb", verb)

    def both(self, verb: str, one: str, other: str) -> str:
        """Two names as that verb takes them: `Alice against Bruno`."""
        return self.words("pair", verb, one=one, other=other)

    def line(self, verb: str, *words: str) -> str:
        """A command line: `VOTE Chloé`."""
        return " ".join((self.verb(verb), *words))

    def choice(self, label: str, verb: str, *words: str) -> Choice:
        """One touch that sends that line."""
        return self.sending(label, self.line(verb, *words))

    def sending(self, label: str, line: str) -> Choice:
        """One touch that sends that very line; without a tag the line must name the game, so its code goes
        before it.
        """
        href = self.book.link(line, self.tag)
        return Choice(label, line if self.tag else f"{self.book.prefix()} {line}".strip(), href)

    def ordering(self, label: str, line: str) -> Choice:
        """One touch of the storyteller's."""
        return self.sending(label, f"ADMIN {line}")

    def each(self, verb: str, seats: Iterable[int]) -> list[Choice]:
        """One touch for each of these players but the reader himself."""
        me = self.view.seat if self.view else 0
        return [self.choice(self.name(seat), verb, self.name(seat)) for seat in seats if seat != me]

    @cached_property
    def acts(self) -> tuple[Act, ...]:
        """What the reader can do; nothing for who has no seat."""
        return acts(self, self.view) if self.view else ()

    def speaking(self) -> Choice:
        """One touch to write to the village; it names nobody."""
        return self._channel("say", "SAY")

    def mourning(self) -> Choice:
        """One touch to write to the graveyard."""
        return self._channel("grave", "GRAVEYARD")

    def _channel(self, channel: str, verb: str) -> Choice:
        line = self.verb(verb)
        shown = self.book.channel_address(channel) if self.book.tags == "plus" else f"{self.book.prefix()} {line}"
        return Choice(self.words("offer", verb), shown, self.book.channel_link(channel, line))

    # --- time ---------------------------------------------------------------------------------------------------

    @cached_property
    def coming(self) -> dict[str, Closing]:
        """What will close next, by key, in order."""
        return {closing.key: closing for closing in closings(self.game)}

    def until(self, act: Act) -> str:
        """Until when something can be done or changed, in words."""
        if act.until is None:
            return self.words("until", act.until_key)
        return self.words(
            "until", "closing", what=self.words("closing", act.until.key), when=self.clock.closing(act.until)
        )

    # --- rendering ----------------------------------------------------------------------------------------------

    def facts(self) -> dict[str, Any]:
        """The names that every template has."""
        if not self._facts:
            tables = Tables(self)
            offered = (
                "face",
                "name",
                "names",
                "listed",
                "role",
                "role_of",
                "verb",
                "both",
                "line",
                "choice",
                "sending",
                "ordering",
            )
            talking = ("speaking", "mourning", "each", "until", "role_names", "tale")
            timed = ("hour", "day", "when", "left", "span", "full", "closing", "between", "begun")
            self._facts |= {name: getattr(self, name) for name in (*offered, *talking)}
            self._facts["acts"] = lambda: self.acts
            self._facts |= {name: getattr(tables, name) for name in NAMES}
            self._facts |= {name: getattr(self.clock, name) for name in timed}
            self._facts |= {
                "game": self.game,
                "code": self.book.code,
                "book": _Addresses(self.book),
                "audience": self.audience,
            }
            self._facts |= {"view": self.view, "me": self.view.face if self.view else None}
        return self._facts

    def render(self, folder: str, facts: dict[str, Any]) -> Sheet:
        """A folder's template with these facts."""
        return self.room.render(folder, {**self.facts(), **facts})

    def foot(self) -> Sheet:
        """What stands under the letter: no more than whom it speaks to, so that one will do for all his letters."""
        me = self.view.face if self.view else None
        who = (me.name, me.seat, me.gender) if me else None
        key = (self.audience, who, self.book.game_address, self.book.tags, self.book.archive_url)
        return self.room.foot(key, lambda: self._foot_facts(me))

    def _foot_facts(self, me: Face | None) -> dict[str, Any]:
        person = {"name": clean(me.name), "seat": me.seat, "gender": me.gender} if me else None
        return {"audience": self.audience, "book": _Addresses(self.book), "verb": self.verb, "me": person}


@dataclass(frozen=True, slots=True)
class _Addresses:
    """What a template may know of the book: no one's address, no tag."""

    _book: Book

    @property
    def game(self) -> str:
        """Where one writes to the game."""
        return self._book.game_address

    @property
    def village(self) -> str:
        """Where one speaks to the village."""
        return self._book.channel_address("say")

    @property
    def graveyard(self) -> str:
        """Where the dead speak."""
        return self._book.channel_address("grave")

    @property
    def tags(self) -> str:
        """Plus or subject."""
        return self._book.tags

    @property
    def own_list(self) -> bool:
        """Whether the list is the program's own."""
        return self._book.own_list

    @property
    def archive(self) -> str:
        """The archive's address, or ''."""
        return self._book.archive_url or ""
