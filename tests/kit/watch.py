"""A watchman over a game: looks at every event as it happens, and cries out where the rule book is not kept.

What he demands is told in `Watch`'s methods; who may be told what, in `MAY_KNOW`, which names every private event.
"""

from __future__ import annotations

from pbem.engine import events as e
from pbem.engine.evolve import evolve, replay
from pbem.engine.state import Game, Phase
from pbem.engine.view import allowed, public_view, seat_view
from tests.kit import oracle
from tests.kit.oracle import PACK

RUNNING = {Phase.DAY, Phase.TIE_BREAK, Phase.SUNSET, Phase.VISION}
ONCE = {"SAVE", "FORGE", "SPY", "FORCE", "DOUBLE", "SLEEP", "INFECT", "SACRIFICE"}


def _wolf(game, x):
    player = game.player(x.to)
    return player.alive and player.role in PACK


def _is(*roles):
    return lambda game, x: game.player(x.to).role in roles


def _alive(game, x):
    return game.player(x.to).alive


def _ordered(game, x):
    order = game.order(x.to, x.verb)
    return order is not None and x.target in order.seats


def _seen(game, x):
    """SEER-1, NEIGH-1: by his own order, or because a nosy neighbour has just looked at him."""
    if x.by == "SEE":
        order = game.order(x.to, "SEE")
        return order is not None and order.seats == (x.seat,) and game.player(x.to).role in {"seer", "shaman"}
    one, other = game.player(x.to), game.player(x.seat)
    return one.role == "nosy-neighbour" or (other.role == "nosy-neighbour" and x.role == "nosy-neighbour")


def _teller(game, x):
    return x.to == e.STORYTELLER


MAY_KNOW = {
    e.RoleDealt: lambda game, x: game.player(x.to).dealt == x.role,
    e.PackShown: lambda game, x: _wolf(game, x) and {game.player(s).role in PACK for s in x.pack} <= {True},
    e.WolvesCounted: _is("traitor"),
    e.LoverShown: lambda game, x: x.seat in game.lovers_of(x.to),
    e.OrderVoided: _ordered,
    e.OrderedFor: lambda game, x: x.to > 0,
    e.PackTalked: lambda game, x: _wolf(game, x) and game.player(x.seat).role in PACK and x.seat != x.to,
    e.Intruded: _teller,
    e.AbsenceAsked: _teller,
    e.QuestionAsked: _teller,
    e.ReplacementWanted: _teller,
    e.SilenceReported: _teller,
    e.StalemateNoted: _teller,
    e.MailboxLate: _teller,
    e.VoteReminded: _alive,
    e.InactivityWarned: _alive,
    e.VoteMissed: _alive,
    e.RoleSeen: _seen,
    e.RoleCounted: _is("investigator"),
    e.OfficeTaken: lambda game, x: game.mayor == x.to and game.player(x.to).alive,
    e.OfficeLost: lambda game, x: game.player(x.to).ineligible,
    e.Asked: lambda game, x: game.tie is not None and game.tie.asked == x.to and set(x.tied) <= set(game.tie.tied),
    e.GhostRisen: lambda game, x: game.player(x.to).role == "ghost" and not game.player(x.to).alive,
    e.ThreatShown: lambda game, x: game.player(x.to).role == "prescient" and game.player(x.to).alive,
    e.Saved: _is("prescient"),
    e.ConvertedTold: lambda game, x: game.night is not None and game.night.converted == x.to and _wolf(game, x),
    e.PackJoined: lambda game, x: _wolf(game, x) and game.night is not None and game.night.converted == x.seat != x.to,
    e.WolfGlimpsed: lambda game, x: _is("little-child")(game, x) and x.seat in game.night.wolves,
    e.NothingGlimpsed: _is("little-child"),
    e.PeeperSpotted: lambda game, x: _wolf(game, x) and game.player(x.seat).role == "little-child",
    e.BeastUnmasked: lambda game, x: _wolf(game, x) and game.player(x.seat).role == "beast",
    e.NoEffect: lambda game, x: _alive(game, x) and (x.to, x.verb) in game.night.stopped,
    e.Told: lambda game, x: x.to > 0,
}
"""Who may learn a private event, by the game at that moment."""


class Watch:
    """Follows one game from its beginning; `see` takes each command's events."""

    def __init__(self) -> None:
        self.game, self.log, self.spent = Game(), [], set()
        self.roles, self.batch, self.expected = {}, [], None

    def see(self, command, events) -> Game:
        """All that follows from one command."""
        before = self.game
        self._only_the_living_act(before, command, events)
        for event in events:
            self._closings(event)
            self._private(event)
            if (
                isinstance(event, e.Died)
                and event.cause == "inactive"
                and self.batch
                and self.batch[0].cause == "executed"
            ):
                self._finish_batch(None)  # FINE-10: the inactive are a second batch
            self.log.append(event)
            self.game = evolve(self.game, event)
            self._spent_once(event)
            self._ends(event)
            self._promised(event)
        self._finish_batch(None)
        if any(isinstance(x, e.Rejected) for x in events):
            assert {type(x) for x in events} <= {e.Rejected, e.Intruded, *_DYING} or type(command).__name__ == "Start"
        self._whole()
        closing = any(isinstance(x, (e.PhaseClosed, e.GameStarted, e.GameWon)) for x in events)
        self._views(self.game.players if closing else ())
        return self.game

    def replayed(self) -> None:
        """The log makes the game."""
        assert replay(self.log) == self.game

    # ---- commands

    def _only_the_living_act(self, game, command, events) -> None:
        """The dead give no orders: they talk among themselves, haunt in their time, or ask the storyteller."""
        seat = getattr(command, "seat", 0) if type(command).__name__ == "Order" else 0
        if not seat or game.player(seat).alive or game.phase is Phase.OVER:
            return
        may = {e.Rejected, e.QuestionAsked, e.GraveyardTalked, e.OrderedFor}
        may |= {e.Posted} if game.player(seat).haunting else set()
        assert {type(x) for x in events} <= may, events

    # ---- secrets

    def _private(self, event) -> None:
        if isinstance(event, e.Private):
            after = evolve(self.game, event)
            rule = MAY_KNOW[type(event)]
            assert rule(self.game, event) or rule(after, event), event
        if isinstance(event, e.GraveyardTalked):
            over = self.game.phase is Phase.OVER
            readers = [self.game.player(s) for s in event.readers]
            assert over or all(not p.alive and not p.haunting for p in readers)

    def _spent_once(self, event) -> None:
        """Once-only powers are spent once at most, by who had them."""
        if isinstance(event, e.PowerSpent):
            assert event.verb in ONCE
            assert (event.seat, event.verb) not in self.spent, event
            self.spent.add((event.seat, event.verb))

    # ---- closings against the oracle

    def _closings(self, event) -> None:
        if not isinstance(event, e.PhaseClosed):
            return
        work = {
            "execution": oracle.vote,
            "tie-break": oracle.answer,
            "sunset": oracle.night,
            "murder": oracle.murder,
        }.get(event.what)
        self.expected = work(self.game) if work else None
        self.at_closing, self.since = self.game, len(self.log)

    def _promised(self, event) -> None:
        """What a closing brought, when it is complete."""
        match event, self.expected:
            case ((e.TieFound() | e.ExecutionDone()), oracle.Day()):
                self._day(self.expected, event)
                self.expected = None
            case e.ExecutionDone(), oracle.Answer():
                assert event.burned == tuple(sorted(self.expected.burned))
                assert {x.seat for x in self._recent(e.Repudiated)} == {self.expected.repudiated} - {0}
                self.expected = None
            case e.VisionOpened(), oracle.Dark():
                self._dark(self.expected)
                self.expected = None
            case ((e.DayOpened() | e.GameWon()), oracle.Dawn()):
                self._dawn(self.expected)
                self.expected = None

    def _recent(self, kind) -> list:
        return [x for x in self.log[self.since :] if isinstance(x, kind)]

    def _day(self, day, event) -> None:
        (shown,) = self._recent(e.VotesPublished)
        assert {a: (b, how) for a, b, how in shown.record} == day.record
        assert [a for a, _, _ in shown.record] == sorted(day.record)
        assert shown.forged == day.forged
        assert {x.to for x in self._recent(e.VoteMissed)} == day.missed
        assert {(x.seat, x.verb) for x in self._recent(e.PowerSpent)} == day.spent
        if isinstance(event, e.TieFound):
            assert (set(event.tied), event.places, set(event.sure), event.asked) == (
                day.tied,
                day.places,
                day.sure,
                day.asked,
            )
        else:
            assert not day.tied
            assert event.burned == tuple(sorted(day.sure))

    def _dark(self, dark) -> None:
        night = self.game.night
        assert night.asleep == dark.asleep
        assert (set(night.protected), set(night.blocked)) == (dark.protected, dark.blocked)
        assert (list(night.main), night.extra, night.sacrificed) == (dark.main, dark.extra, dark.sacrificed)
        assert (night.converted, set(night.unmasked)) == (dark.converted, dark.unmasked)
        assert {(s, v) for s, v, _ in night.spends} == dark.spent
        assert set(night.stopped) == dark.stopped
        assert {(x.to, x.seat, x.role) for x in self._recent(e.RoleSeen)} == dark.seen
        warned = {x.to: set(x.seats) for x in self._recent(e.ThreatShown)}
        assert warned == dict.fromkeys(dark.warned, dark.threatened)

    def _dawn(self, dawn) -> None:
        (done,) = self._recent(e.MurderDone)
        assert list(done.found) == dawn.found
        assert {x.to: x.seat for x in self._recent(e.Saved)} == dawn.saved
        assert {x.seat for x in self._recent(e.Died)} == dawn.dead
        assert {x.to for x in self._recent(e.NothingGlimpsed)} >= dawn.blind
        rolled = {x.to for x in self._recent(e.WolfGlimpsed)} | {x.to for x in self._recent(e.NothingGlimpsed)}
        assert rolled == dawn.blind | dawn.rolling
        assert not {x.to for x in self._recent(e.WolfGlimpsed)} & dawn.blind
        assert len([x for x in self._recent(e.DiceRolled) if x.purpose == "peek"]) >= 2 * len(dawn.rolling)
        assert {x.seat for x in self._recent(e.PeeperSpotted)} <= dawn.rolling

    # ---- the end

    def _ends(self, event) -> None:
        """Victory is judged after every batch of deaths, and at the count; nowhere else."""
        if isinstance(event, e.Died):
            self.batch.append(event)
        elif not isinstance(event, (e.OrderVoided, e.GhostRisen, e.RoleChanged)):
            self._finish_batch(event)
        if isinstance(event, e.TurnEnded):
            assert oracle.won_at_a_count(self.game) is None

    def _finish_batch(self, event) -> None:
        if isinstance(event, e.GameWon) and not event.aborted:
            after = oracle.won_after_deaths(self.game) if self.batch else None
            won = after or oracle.won_at_a_count(self.game)
            assert won == (event.winner, set(event.winners)), (won, event)
            assert after or self.since_murder(), "counted elsewhere than after a murder"
        elif self.batch:
            assert oracle.won_after_deaths(self.game) is None
        self.batch = []

    def since_murder(self) -> bool:
        """Whether the last closing was the murder."""
        return next(x.what for x in reversed(self.log) if isinstance(x, e.PhaseClosed)) == "murder"

    # ---- what is always so

    def _whole(self) -> None:
        game = self.game
        living = set(oracle.alive(game))
        assert game.mayor == 0 or (game.mayor in living and not game.player(game.mayor).ineligible)
        assert all(o.seat in living for o in game.orders), "the dead have no orders"
        assert all(set(o.seats) <= living for o in game.orders), "no order names the dead"
        keys = [(o.seat, o.verb) for o in game.orders]
        assert len(keys) == len(set(keys))
        assert [o.at for o in game.orders] == sorted(o.at for o in game.orders)
        assert not any(o.verb in game.player(o.seat).spent for o in game.orders)
        assert {o.seat for o in game.orders if o.verb == "HEIR"} <= {game.mayor}
        loved = [s for pair in game.couples for s in pair]
        assert len(loved) == len(set(loved))
        assert (game.deadline is not None) == (game.phase in RUNNING)
        assert (game.tie is not None) == (game.phase is Phase.TIE_BREAK)
        assert (game.phase is Phase.VISION) <= (game.night is not None)
        assert game.election is None or game.mayor == 0

    def _views(self, players) -> None:
        """What is shown never holds what is not known."""
        game, over = self.game, self.game.phase is Phase.OVER
        faces = public_view(game).faces if players else ()
        assert all(f.role == ("" if f.alive and not over else game.player(f.seat).role) for f in faces)
        assert over or {f.cause for f in faces} <= {"", "found", "executed", "love", "heart-attack", "inactive"}
        for player in players:
            view = seat_view(game, player.seat)
            assert {o.verb for o in view.orders} == {o.verb for o in game.orders if o.seat == player.seat}
            assert (view.pack == ()) or (player.role in PACK and player.alive)
            assert set(allowed(game, player.seat)) & player.spent == set()
            if not player.alive:
                assert view.verbs == ()


_DYING = (e.Died, e.OrderVoided, e.GhostRisen, e.MayorChanged, e.OfficeTaken, e.GameWon, e.ElectionSet, e.OrdersLapsed,
          e.ElectionDropped, e.TiedDropped, e.PhaseClosed, e.TieFound, e.TieAnnounced, e.Asked, e.ExecutionDone,
          e.SunsetOpened, e.RoleChanged)  # fmt: skip
"""What a heart attack may bring."""
