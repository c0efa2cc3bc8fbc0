"""What one seat, or everybody, may know: the only thing that templates are given.

`public_view(game)` is what a reader of the list knows; `seat_view(game, seat)` adds what that seat knows of itself.
No function here returns the game.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from pbem.engine.legality import COMMON_POWERS, open_now, pairing_open, power_named, powers_of
from pbem.engine.phases.signup import dealt_counts
from pbem.engine.roles.pack import WOLVES, fellows
from pbem.engine.roles.targets import FIRST_TURN
from pbem.engine.state import Phase
from pbem.engine.statuses.mayor import ELECT, heir_of
from pbem.engine.statuses.tie import MAYOR, choices
from pbem.engine.verbs import Args

if TYPE_CHECKING:
    from collections.abc import Container
    from datetime import datetime

    from pbem.engine.options import Options
    from pbem.engine.roles.base import Power
    from pbem.engine.state import Game, Player

_PUBLIC_CAUSE = {"murdered": "found", "sacrificed": "found"}
"""NIGHT-7: the village finds the dead, and is not told by whom they died."""
_NAMING = (Args.PLAYER, Args.MAYBE_PLAYER, Args.PLAYERS, Args.TWO_PLAYERS)


@dataclass(frozen=True, slots=True)
class Face:
    """A player as all see him. `role` is '' while he lives, until the end. `cause` is found for whoever was murdered or
    sacrificed, until the end. `mayor`, `ineligible`, `immune` are public.
    """

    seat: int
    name: str
    gender: str
    alive: bool
    role: str
    cause: str
    died: int
    mayor: bool
    ineligible: bool
    immune: bool
    ghost: bool


@dataclass(frozen=True, slots=True)
class PublicView:
    """The game as the village knows it.

    `phase` as in SCENARIOS.md, `paused` included. `tied`, `tie_mayor`: the announced tie. `heirless`: a mayor in office
    without a successor is *not* public and not here; `election` is (opens, closes) or None.
    """

    code: str
    options: Options
    phase: str
    turn: int
    deadline: datetime | None
    election: tuple[datetime, datetime] | None
    faces: tuple[Face, ...]
    mayor: int
    tied: tuple[int, ...]
    tie_mayor: int
    winner: str
    winners: tuple[int, ...]
    started_at: datetime | None
    open: bool
    composition: tuple[tuple[str, int], ...] | None

    def face(self, seat: int) -> Face:
        """That seat's face."""
        return self.faces[seat - 1]

    @property
    def living(self) -> tuple[Face, ...]:
        """In seat order."""
        return tuple(f for f in self.faces if f.alive)


@dataclass(frozen=True, slots=True)
class OrderView:
    """One of a seat's own standing orders."""

    verb: str
    seats: tuple[int, ...]
    word: str


@dataclass(frozen=True, slots=True)
class VerbView:
    """A verb that the seat can use: `until` names the closing (execution, election, tie-break, sunset, vision or any),
    `open_now` whether this phase takes it, `choices` whom it may name now (for two names: each alone).
    """

    verb: str
    until: str
    open_now: bool
    choices: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class SeatView:
    """What a seat knows besides the public: its role, orders, powers, pack, lovers and what it is asked."""

    public: PublicView
    seat: int
    role: str
    dealt: str
    orders: tuple[OrderView, ...]
    verbs: tuple[VerbView, ...]
    spent: frozenset[str]
    pack: tuple[int, ...]
    lovers: tuple[int, ...]
    asked: tuple[int, ...]
    asked_places: int
    heir: int
    posted: bool
    missed_votes: int
    excused: bool

    @property
    def face(self) -> Face:
        """Its own face."""
        return self.public.face(self.seat)


def public_view(game: Game) -> PublicView:
    """The game as the village knows it."""
    over = game.phase is Phase.OVER
    return PublicView(
        code=game.code,
        options=game.options,
        phase="paused" if game.paused else game.phase.value,
        turn=game.turn,
        deadline=None if game.paused else game.deadline,
        election=(game.election.opens, game.election.closes) if game.election else None,
        faces=tuple(_face(game, player, over=over) for player in game.players),
        mayor=game.mayor,
        tied=game.tie.tied if game.tie else (),
        tie_mayor=game.tie.asked if game.tie and game.tie.office == MAYOR else 0,
        winner=game.winner,
        winners=game.winners,
        started_at=game.started_at,
        open=game.open,
        composition=dealt_counts(game) if game.started and (over or game.options.composition == "public") else None,
    )


def _face(game: Game, player: Player, *, over: bool) -> Face:
    cause = player.cause if over else _PUBLIC_CAUSE.get(player.cause, player.cause)
    return Face(
        seat=player.seat,
        name=player.name,
        gender=player.gender,
        alive=player.alive,
        role=player.role if over or not player.alive else "",
        cause=cause,
        died=player.died,
        mayor=player.seat == game.mayor,
        ineligible=player.ineligible,
        immune=player.immune and game.turn <= FIRST_TURN,
        ghost=player.haunting,
    )


def seat_view(game: Game, seat: int, public: PublicView | None = None) -> SeatView:
    """What that seat knows. IndexError if there is no such seat. `public` is the public view, where it is at hand."""
    player = game.player(seat)
    tie = game.tie if game.tie and game.tie.asked == seat and player.alive else None
    return SeatView(
        public=public or public_view(game),
        seat=seat,
        role=player.role if game.started else "",
        dealt=player.dealt if game.started else "",
        orders=tuple(OrderView(o.verb, o.seats, o.word) for o in game.orders if o.seat == seat),
        verbs=tuple(_verb_view(game, player, power) for power in _in_hand(game, player)),
        spent=_shown_spent(player),
        pack=fellows(game, seat) if game.started and player.alive and player.role in WOLVES else (),
        lovers=game.lovers_of(seat),
        asked=choices(game, tie) if tie else (),
        asked_places=tie.places if tie else 0,
        heir=heir_of(game, seat) if game.mayor == seat else 0,
        posted=player.posted,
        missed_votes=player.missed,
        excused=player.excused,
    )


def open_verbs(game: Game, seat: int, hours: Container[str]) -> tuple[VerbView, ...]:
    """Of `seat_view`'s verbs those open now that close with one of `hours` (execution …), for who needs no more."""
    player = game.player(seat)
    powers = (power for power in _in_hand(game, player) if power.until in hours)
    return tuple(_verb_view(game, player, power) for power in powers if _ready(game, player, power))


def allowed(game: Game, seat: int) -> tuple[str, ...]:
    """The verbs of his role that he can still use, now or later (SCENARIOS.md, `can`)."""
    player = game.player(seat)
    if not player.alive or not game.started or game.phase is Phase.OVER:
        return ()
    return tuple(p.verb.name for p in powers_of(player) if not p.verb.publishes and _lasting(game, player, p))


def _lasting(game: Game, player: Player, power: Power) -> bool:
    if power.once and power.verb.name in player.spent:
        return False
    if power.until == "first-election":
        return pairing_open(game) and player.seat not in game.paired_by
    return power.verb.name != "ASK" or game.options.composition != "public"


def _in_hand(game: Game, player: Player) -> list[Power]:
    """The powers to show him: his role's that last, and those of every living player or of his office."""
    if not player.alive or not game.started or game.phase is Phase.OVER:
        return []
    common = [p for p in COMMON_POWERS if power_named(game, player, p.verb.name)]
    common = [p for p in common if p is not ELECT or game.election]
    return [*common, *(p for p in powers_of(player) if _lasting(game, player, p))]


def _verb_view(game: Game, player: Player, power: Power) -> VerbView:
    takes = power.verb.args
    seats = tuple(p.seat for p in game.living) if takes in _NAMING else ()
    if takes in (Args.PLAYER, Args.MAYBE_PLAYER, Args.PLAYERS):
        seats = tuple(s for s in seats if not power.check(game, player, (s,)))
    return VerbView(power.verb.name, power.until, _ready(game, player, power), seats)


def _ready(game: Game, player: Player, power: Power) -> bool:
    return open_now(game, power) and not power.available(game, player)


def _shown_spent(player: Player) -> frozenset[str]:
    """Of what is spent, the verbs of the role he has now."""
    return player.spent & {p.verb.name for p in powers_of(player)}
