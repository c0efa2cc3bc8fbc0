"""One game as its pages and feeds see it: whatever a template asks of the facts, in words and pictures."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Final

from markupsafe import Markup

from pbem.archive import addresses, charts, portrait, skyline
from pbem.archive.facts import Happening
from pbem.archive.story import LEAF, Bulletin, Day, Death, Post, Story, bulletin_has, is_told
from pbem.archive.telling import Clock, Teller
from pbem.archive.truth import Revelation
from pbem.engine import events as e
from pbem.engine.roles import side_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from datetime import datetime

    from pbem.archive.facts import GameFacts, House
    from pbem.archive.render import Press
    from pbem.engine.view import Face

_LATEST: Final = 4


@dataclass(slots=True)
class Step:
    """One moment of the replay. `gone` are the seats dead by then, `fresh` those who died in it."""

    title: str
    night: bool
    told: list[str]
    gone: frozenset[int] = frozenset()
    fresh: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class Stone:
    """Something said in the graveyard; seat 0: by a reader."""

    seat: int
    name: str
    text: str
    at: datetime


@dataclass(frozen=True, slots=True)
class Bust:
    """A portrait as a symbol of its page."""

    key: str
    inside: Markup


@dataclass
class GameSite:
    """A game as it may be shown now."""

    facts: GameFacts
    story: Story
    press: Press
    house: House

    @property
    def code(self) -> str:
        """The game's code."""
        return self.facts.view.code

    @cached_property
    def teller(self) -> Teller:
        """Who tells."""
        return Teller(self.press.tongue, self.facts.view)

    @property
    def clock(self) -> Clock:
        """The game's local time."""
        return self.teller.clock

    @property
    def over(self) -> bool:
        """Whether everything may be shown."""
        return self.facts.truth is not None

    @property
    def started(self) -> bool:
        """Whether seats are settled."""
        return self.facts.view.started_at is not None

    def name(self, seat: int) -> str:
        """Whoever sits there now."""
        return self.teller.name(seat)

    def day_path(self, turn: int, leaf: int = 1) -> str:
        """That day's page."""
        return addresses.day_path(self.code, turn, leaf)

    def player_path(self, seat: int, leaf: int = 1) -> str:
        """That player's page."""
        return addresses.player_path(self.code, seat, leaf)

    def post_path(self, post: Post) -> str:
        """That post's page."""
        return addresses.post_path(self.code, post.key)

    def graveyard_path(self, leaf: int = 1) -> str:
        """A page of the graveyard."""
        return self.path("graveyard/" + (f"{leaf}/" if leaf > 1 else ""))

    def path(self, below: str = "") -> str:
        """A page of this game."""
        return addresses.game_path(self.code) + below

    def place_of(self, post: Post) -> str:
        """Where a post stands among the others of its day."""
        place = self._places[post.n]
        return f"{self.day_path(post.turn, place // LEAF + 1)}#p-{post.key}"

    def answered(self, post: Post) -> Post | None:
        """The post that this one answers, if it is known."""
        return self.story.by_key.get(post.answers)

    def replies(self, post: Post) -> Sequence[Post]:
        """The posts that answer it."""
        return self.story.replies.get(post.key, ())

    @cached_property
    def _places(self) -> dict[int, int]:
        return {
            item.n: place
            for day in self.story.days for place, item in enumerate(day.items) if isinstance(item, Post)
        }  # fmt: skip

    def busts(self, people: Iterable[tuple[str, int]], *, timeless: bool = False) -> dict[str, Bust]:
        """The portraits of (name, seat) by name; wolves with their ears once all is told, but not where `timeless`."""
        found: dict[str, Bust] = {}
        for name, seat in people:
            if name not in found:
                found[name] = Bust(f"b{len(found)}", self.bust(name, seat, timeless=timeless))
        return found

    def bust(self, name: str, seat: int, *, timeless: bool = False) -> Markup:
        """One portrait."""
        wolf = (
            self.over
            and not timeless
            and 0 < seat <= len(self.facts.view.faces)
            and self._wolfish(self.facts.view.face(seat))
        )
        return Markup(portrait.bust(name, self.teller.gender(seat), wolf=wolf))  # noqa: S704 - no text is in it

    @staticmethod
    def _wolfish(face: Face) -> bool:
        return bool(face.role) and side_of(face.role) == "wolves" and face.role != "traitor"

    @property
    def bust_box(self) -> str:
        """The view box of a portrait."""
        return portrait.BOX

    @cached_property
    def skyline(self) -> Markup:
        """The village at night, as it stands."""
        lights = [skyline.Light(face.alive, face.mayor) for face in self.facts.view.faces]
        return Markup(skyline.village(self.code, lights))  # noqa: S704 - no text is in it

    @property
    def skyline_box(self) -> str:
        """Its view box."""
        return skyline.BOX

    def kind(self, face: Face) -> str:
        """The side of a face whose role shows, as a class; '' otherwise."""
        return side_of(face.role) if face.role else ""

    def vote_picture(self, event: e.VotesPublished | e.ElectionClosed, *, moving: bool = False) -> charts.Picture:
        """Who voted for whom, or how the count moved."""
        if isinstance(event, e.ElectionClosed):
            cast = [(self.name(voter), self.name(candidate)) for voter, candidate in event.ballots]
            chosen = [self.name(event.mayor)] if event.mayor else []
        else:
            cast = [(self.name(voter), self.name(target)) for voter, target, _ in event.record]
            burned = self.story.day(event.turn).burned or ()
            chosen = [self.name(seat) for seat in burned]
        return charts.count([candidate for _, candidate in cast], chosen) if moving else charts.votes(cast, chosen)

    def tally(self, event: e.VotesPublished | e.ElectionClosed) -> list[tuple[int, int]]:
        """(seat, votes), most first."""
        if isinstance(event, e.VotesPublished):
            return list(event.tally)
        counted: dict[int, int] = {}
        for _, candidate in event.ballots:
            counted[candidate] = counted.get(candidate, 0) + 1
        return sorted(counted.items(), key=lambda item: -item[1])

    def elections(self) -> list[tuple[Day, e.ElectionClosed]]:
        """All that stand."""
        return [(day, day.election) for day in self.story.days if day.election]

    def ballots(self) -> list[tuple[Day, e.VotesPublished]]:
        """The votes of all days that stand."""
        return [(day, day.votes) for day in self.story.days if day.votes]

    def votes_of(self, seat: int) -> list[tuple[int, str]]:
        """(turn, against whom in words) of all his published votes."""
        return [
            (event.turn, self.name(target) if how == "vote" else self.press.tongue("label", how))
            for _, event in self.ballots() for voter, target, how in event.record if voter == seat
        ]  # fmt: skip

    def votes_against(self, seat: int) -> list[tuple[int, list[int]]]:
        """(turn, voters) of all votes against him."""
        rows = [(event.turn, [v for v, target, _ in event.record if target == seat]) for _, event in self.ballots()]
        return [(turn, voters) for turn, voters in rows if voters]

    def matrix(self) -> list[tuple[Face, list[tuple[int, str]]]]:
        """For each player his vote of each day: (target, how), how '' where he had none any more."""
        cast = [{voter: (target, how) for voter, target, how in event.record} for _, event in self.ballots()]
        return [(face, [day.get(face.seat, (0, "")) for day in cast]) for face in self.facts.view.faces]

    @cached_property
    def deaths(self) -> dict[int, Death]:
        """By seat."""
        return {death.seat: death for death in self.story.deaths}

    def survival(self) -> charts.Picture:
        """Who lived how long."""
        lives = []
        for face in self.facts.view.faces:
            death = self.deaths.get(face.seat)
            kind = self.kind(face) or "unknown"
            lives.append(charts.Life(face.name, face.died, death.night if death else False, kind))
        return charts.survival(lives, max(self.facts.view.turn, 1))

    def summary_of(self, day: Day) -> list[str]:
        """What a day brought, in a few sentences: office, fire, night, end."""
        telling = (e.GameStarted, e.ElectionClosed, e.MayorChanged, e.Repudiated, e.Died, e.ExecutionDone, e.MurderDone)
        told = []
        for item in day.items:
            for part in item.parts if isinstance(item, Bulletin) else ():
                if isinstance(part.event, (*telling, e.GameWon, e.Replaced)) and not part.undone:
                    told += self.teller.sentences(part)[: 2 if isinstance(part.event, e.GameWon) else 1]
        return told

    def listed(self, seats: Iterable[int]) -> str:
        """Their names, one after the other."""
        return ", ".join(self.name(seat) for seat in seats)

    def elected_by(self, seat: int) -> list[tuple[int, int]]:
        """(turn, candidate) of his ballots in the elections."""
        return [
            (day.turn, candidate)
            for day, event in self.elections() for voter, candidate in event.ballots if voter == seat
        ]  # fmt: skip

    def sentences_of(self, event: e.Public) -> list[str]:
        """What is said of an event that stands."""
        return self.teller.sentences(Happening(self.facts.first, 0, event))

    def epitaph(self, death: e.Died) -> str:
        """Who died, of what in truth, as what."""
        tongue, gender = self.press.tongue, self.teller.gender(death.seat)
        cause = tongue.gendered("cause", death.cause, gender)
        return f"{self.teller.names([death.seat])}, {tongue.role(death.role, gender)} ({cause})"

    def stones(self) -> list[Stone]:
        """What was said among the dead, with the names of today."""
        talk = self.revelation.graveyard
        return [Stone(one.seat, self.name(one.seat) or one.name, one.text, one.at) for one in talk]

    def last_bulletins(self) -> list[tuple[Day, Bulletin]]:
        """The latest thing told, if it is more than somebody's coming or going."""
        found = ((day, one) for day, one in self.story.bulletins() if any(is_told(p.event) for p in one.parts))
        return [first] if (first := next(found, None)) else []

    def latest(self) -> list[Post]:
        """The last posts, the newest first."""
        return self.story.posts[: -_LATEST - 1 : -1]

    def title_of(self, bulletin: Bulletin) -> str:
        """A bulletin's heading, after the weightiest thing in it."""
        for kind, key in _HEADINGS:
            if bulletin_has(bulletin, kind):
                return self.press.tongue("heading", key)
        return self.press.tongue("heading", "news")

    def steps(self) -> list[Step]:
        """The replay: the beginning, then each day and each night."""
        steps = [Step(self.press.tongue("ui", "beginning"), night=False, told=[])]
        for day in self.story.days:
            for item in day.items:
                for part in item.parts if isinstance(item, Bulletin) and day.turn else ():
                    if not part.undone:
                        self._replay(steps, part.event, self.teller.sentences(part))
        return steps

    def _replay(self, steps: list[Step], event: object, told: list[str]) -> None:
        now = steps[-1]
        match event:
            case e.DayOpened() | e.SunsetOpened():
                night = isinstance(event, e.SunsetOpened)
                title = self.press.tongue("ui", "night" if night else "day", turn=event.turn)
                steps.append(Step(title, night, told if not night else [], now.gone))
            case e.Died():
                now.gone |= {event.seat}
                now.fresh |= {event.seat}
                now.told += told
            case _:
                now.told += told

    @cached_property
    def revelation(self) -> Revelation:
        """What was secret. Raises ValueError before the end."""
        if self.facts.truth is None:
            raise ValueError(f"{self.code} is not over")
        return Revelation(self.facts.truth, self.teller)


_HEADINGS: Final[tuple[tuple[type[e.Public], str], ...]] = (
    (e.Undone, "undone"),
    (e.GameWon, "end"),
    (e.GameStarted, "opening"),
    (e.MurderDone, "murder"),
    (e.ExecutionDone, "execution"),
    (e.TieAnnounced, "tie"),
    (e.VotesPublished, "votes"),
    (e.ElectionClosed, "election"),
    (e.Died, "death"),
    (e.Repudiated, "mayor"),
    (e.MayorChanged, "mayor"),
    (e.Replaced, "replaced"),
    (e.Announced, "announcement"),
    (e.Joined, "joined"),
    (e.Left, "joined"),
    (e.RegistrationOpened, "registration"),
    (e.RegistrationClosed, "registration"),
    (e.DayOpened, "daybreak"),
    (e.SunsetOpened, "nightfall"),
)
