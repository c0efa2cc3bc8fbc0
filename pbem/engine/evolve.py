"""`evolve` applies one event to a game; `replay` folds a whole list. No rule is judged here: events are what happened.

An event without an entry in the table below changes nothing of the state.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from pbem.engine import events as e
from pbem.engine.state import Election, Game, Night, Order, Phase, Player, Tie, altered

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from datetime import datetime


def evolve(game: Game, event: e.Event) -> Game:
    """The game after that event."""
    change = _CHANGES.get(type(event))
    return change(game, event) if change else game


def replay(events: Iterable[e.Event]) -> Game:
    """The game that a list of events makes. After `Undone(version)` the events behind that number no longer count
    (`pbem.engine.undoing` tells which), but who has posted since has posted (VOTE-7).
    """
    game, past, log = Game(), [Game()], list[e.Event]()
    for event in events:
        if isinstance(event, e.Undone):
            game = altered(past[event.version], epoch=game.epoch + 1)
            for said in log[event.version :]:
                game = _posted(game, said) if isinstance(said, e.Posted) else game
        else:
            game = evolve(game, event)
        past.append(game)
        log.append(event)
    return game


def _player(game: Game, seat: int, **changes: Any) -> Game:
    players = list(game.players)
    players[seat - 1] = altered(players[seat - 1], **changes)
    return altered(game, players=tuple(players))


def _everybody(game: Game, **changes: Any) -> Game:
    """Only who is not like that already is made anew."""
    wanted = changes.items()
    players = tuple([p if wanted <= vars(p).items() else altered(p, **changes) for p in game.players])
    return altered(game, players=players)


def _put(mapping: Mapping[Any, Any], key: Any, value: Any) -> Mapping[Any, Any]:
    return MappingProxyType({**mapping, key: value})


def _without(game: Game, gone: Iterable[tuple[int, str]]) -> tuple[Order, ...]:
    out = set(gone)
    return tuple([o for o in game.orders if (o.seat, o.verb) not in out]) if out else game.orders


def _opened(game: Game, event: e.GameOpened) -> Game:
    return altered(game, code=event.code, options=event.options, seed=event.seed, dice=event.dice, opened_at=event.at)


def _joined(game: Game, event: e.Joined) -> Game:
    return altered(game, players=(*game.players, Player(event.seat, event.name, event.gender)))


def _left(game: Game, event: e.Left) -> Game:
    stay = (p for p in game.players if p.seat != event.seat)
    players = tuple(altered(p, seat=n, role="", dealt="") for n, p in enumerate(stay, 1))
    return altered(game, players=players)


def _undealt(game: Game) -> Game:
    """Other roles than those that were dealt: the deal is void."""
    return altered(game, players=tuple(altered(p, role="", dealt="") for p in game.players))


def _dealt(game: Game, event: e.RolesDealt) -> Game:
    players = zip(game.players, event.roles, strict=True)
    return altered(game, players=tuple(altered(p, role=role, dealt=role) for p, role in players))


def _started(game: Game, event: e.GameStarted) -> Game:
    game = altered(game, phase=Phase.DAY, started_at=event.at, open=False, narration=())
    for seat in event.immune:
        game = _player(game, seat, immune=True)
    return game


def _day(game: Game, event: e.DayOpened) -> Game:
    game = altered(game, phase=Phase.DAY, turn=event.turn, day_opened=event.at, deadline=event.execution)
    return _everybody(altered(game, night=None, vision_closed=False, tie=None), reminded=())


def _closed(game: Game, event: e.PhaseClosed) -> Game:
    game = altered(game, closed=_put(game.closed, event.what, event.at))
    if event.what == "execution":
        return altered(game, deadline=None)
    if event.what == "tie-break" and game.tie:
        return altered(game, last_asked=game.tie.asked)
    return altered(game, vision_closed=True) if event.what == "vision" else game


def _moved(game: Game, event: e.DeadlineMoved) -> Game:
    return _remind_anew(altered(game, deadline=event.deadline), event.at)


def _remind_anew(game: Game, at: datetime | None) -> Game:
    """T has moved: reminders that lie before the new one again will be sent again (MAIL.md § 5)."""
    if game.phase is not Phase.DAY or game.deadline is None or at is None:
        return game
    over = [hours for hours in game.options.reminders if game.deadline - timedelta(hours=hours) <= at]
    return altered(
        game, players=tuple(altered(p, reminded=tuple(h for h in p.reminded if h in over)) for p in game.players)
    )


def _paused(game: Game, event: e.Paused) -> Game:
    return altered(game, paused_left=event.left)


def _resumed(game: Game, event: e.Resumed) -> Game:
    return _remind_anew(altered(game, paused_left=None, deadline=event.deadline), event.at)


def _ordered(game: Game, event: e.OrderTaken) -> Game:
    order = Order(event.seat, event.verb, event.at, event.seats, event.word)
    orders = _without(game, [(event.seat, event.verb)])
    place = next((n for n, o in enumerate(orders) if o.at > event.at), len(orders))
    latest = _put(game.latest, (event.seat, event.verb), event.at)
    game = altered(game, orders=(*orders[:place], order, *orders[place:]), latest=latest)
    return _player(game, event.seat, voided=False) if event.verb == "VOTE" else game


def _cancelled(game: Game, event: e.OrderCancelled) -> Game:
    key = (event.seat, event.verb)
    game = altered(game, orders=_without(game, [key]), latest=_put(game.latest, key, event.at))
    return _player(game, event.seat, voided=False) if event.verb == "VOTE" else game


def _lapsed(game: Game, event: e.OrdersLapsed) -> Game:
    return altered(game, orders=_without(game, event.orders))


def _voided(game: Game, event: e.OrderVoided) -> Game:
    game = altered(game, orders=_without(game, [(event.to, event.verb)]))
    return _player(game, event.to, voided=True) if event.verb == "VOTE" else game


def _spent(game: Game, event: e.PowerSpent) -> Game:
    game = altered(game, orders=_without(game, [(event.seat, event.verb)]))
    return _player(game, event.seat, spent=game.player(event.seat).spent | {event.verb})


def _remembered(game: Game, event: e.Remembered) -> Game:
    return _player(game, event.seat, memory=_put(game.player(event.seat).memory, event.key, event.value))


def _rolled(game: Game, event: e.DiceRolled) -> Game:
    counters = _put(game.counters, event.purpose, event.counter + 1)
    if event.given:
        counters = _put(counters, "given", counters.get("given", 0) + 1)
    return altered(game, counters=counters)


def _posted(game: Game, event: e.Posted) -> Game:
    return _player(game, event.seat, posted=True)


def _replaced(game: Game, event: e.Replaced) -> Game:
    game = _forgiven(game, event.seat)
    return _player(game, event.seat, name=event.name, gender=event.gender, excused=True)


def _forgiven(game: Game, seat: int) -> Game:
    """An excuse that comes in the tie-break still spares him whom the span that ended at T found silent."""
    return altered(game, silent=tuple(s for s in game.silent if s != seat))


def _excused(game: Game, event: e.Excused) -> Game:
    game = _forgiven(game, event.seat)
    if event.until is None:
        return _player(game, event.seat, excused=True)
    return _player(game, event.seat, excused_until=event.until)


def _reminded(game: Game, event: e.VoteReminded) -> Game:
    return _player(game, event.to, reminded=(*game.player(event.to).reminded, event.hours))


def _warned(game: Game, event: e.InactivityWarned) -> Game:
    return _player(game, event.to, warned=True)


def _paired(game: Game, event: e.LoversPaired) -> Game:
    return altered(game, couples=(*game.couples, (event.a, event.b)), paired_by=game.paired_by | {event.by})


def _election_closed(game: Game, _event: e.ElectionClosed) -> Game:
    gone = [(o.seat, o.verb) for o in game.orders_for("ELECT")]
    return altered(game, election=None, first_election_over=True, orders=_without(game, gone), narration=())


def _election_dropped(game: Game, _event: e.ElectionDropped) -> Game:
    gone = [(o.seat, o.verb) for o in game.orders_for("ELECT")]
    return altered(game, election=None, orders=_without(game, gone))


def _repudiated(game: Game, event: e.Repudiated) -> Game:
    return _player(game, event.seat, ineligible=True)


def _votes(game: Game, _event: e.VotesPublished) -> Game:
    gone = [(o.seat, o.verb) for o in game.orders_for("VOTE")]
    return altered(_everybody(game, voided=False), orders=_without(game, gone), narration=())


def _missed(game: Game, event: e.VoteMissed) -> Game:
    return _player(game, event.to, missed=game.player(event.to).missed + 1)


def _tie(game: Game, event: e.TieFound) -> Game:
    return altered(game, tie=Tie(event.tied, event.places, event.sure, event.asked, event.office))


def _tie_opened(game: Game, event: e.TieAnnounced) -> Game:
    return _restart(altered(game, phase=Phase.TIE_BREAK, deadline=event.until), game.options.tie_break)


def _tied_dropped(game: Game, event: e.TiedDropped) -> Game:
    tie = game.tie
    assert tie is not None
    tied = tuple(s for s in tie.tied if s not in event.seats)
    return altered(game, tie=replace(tie, tied=tied, sure=tuple(s for s in tie.sure if s not in event.seats)))


def _executed(game: Game, _event: e.ExecutionDone) -> Game:
    return altered(game, tie=None)


def _died(game: Game, event: e.Died) -> Game:
    game = _player(game, event.seat, alive=False, cause=event.cause, role=event.role, died=event.turn)
    mayor = 0 if game.mayor == event.seat else game.mayor
    gone = [(o.seat, o.verb) for o in game.orders if o.seat == event.seat]
    return altered(game, mayor=mayor, orders=_without(game, gone), deaths_this_turn=game.deaths_this_turn + 1)


def _silent(game: Game, event: e.SilentNoted) -> Game:
    kept = {} if not game.span else {"excused": False}
    return _everybody(altered(game, span=True, silent=event.seats), posted=False, warned=False, **kept)


def _laid(game: Game, event: e.GhostsLaid) -> Game:
    for seat in event.seats:
        game = _player(game, seat, haunting=False)
    return game


def _sunset(game: Game, event: e.SunsetOpened) -> Game:
    return _restart(altered(game, phase=Phase.SUNSET, deadline=event.until, tie=None, silent=()), game.options.sunset)


def _restart(game: Game, seconds: int) -> Game:
    """A window that opens during a pause has its whole length before it when the game goes on."""
    return altered(game, paused_left=seconds) if game.paused else game


def _night(game: Game, event: e.NightFixed) -> Game:
    fields = {name: getattr(event, name) for name in Night.__dataclass_fields__}
    return altered(game, night=Night(**fields))


def _vision(game: Game, event: e.VisionOpened) -> Game:
    return altered(game, phase=Phase.VISION, deadline=event.until, vision_closed=False)


def _turned(game: Game, event: e.TurnEnded) -> Game:
    quiet = 0 if event.deaths else game.quiet_turns + 1
    return altered(game, deaths_this_turn=0, quiet_turns=quiet)


def _changed(game: Game, event: e.RoleChanged) -> Game:
    return _player(game, event.seat, role=event.role)


def _won(game: Game, event: e.GameWon) -> Game:
    over = altered(game, phase=Phase.OVER, winner=event.winner, winners=event.winners, deadline=None, election=None)
    return altered(over, orders=(), tie=None, paused_left=None)


_CHANGES: dict[type[e.Event], Callable[[Game, Any], Game]] = {
    e.GameOpened: _opened,
    e.RegistrationOpened: lambda g, _: altered(g, open=True),
    e.RegistrationClosed: lambda g, _: altered(g, open=False),
    e.Joined: _joined,
    e.Left: _left,
    e.CompositionSet: lambda g, ev: altered(_undealt(g), composition=ev.counts),
    e.RolesDealt: _dealt,
    e.GameStarted: _started,
    e.DayOpened: _day,
    e.PhaseClosed: _closed,
    e.DeadlineMoved: _moved,
    e.Paused: _paused,
    e.Resumed: _resumed,
    e.ElectionSet: lambda g, ev: altered(g, election=Election(ev.opens, ev.closes)),
    e.ElectionDropped: _election_dropped,
    e.OrderTaken: _ordered,
    e.OrderCancelled: _cancelled,
    e.OrdersLapsed: _lapsed,
    e.OrderVoided: _voided,
    e.PowerSpent: _spent,
    e.Remembered: _remembered,
    e.DiceRolled: _rolled,
    e.Posted: _posted,
    e.Replaced: _replaced,
    e.Excused: _excused,
    e.VoteReminded: _reminded,
    e.InactivityWarned: _warned,
    e.LoversPaired: _paired,
    e.ElectionClosed: _election_closed,
    e.MayorChanged: lambda g, ev: altered(g, mayor=ev.mayor or 0, vacant=not ev.mayor),
    e.Repudiated: _repudiated,
    e.VotesPublished: _votes,
    e.VoteMissed: _missed,
    e.TieFound: _tie,
    e.TieAnnounced: _tie_opened,
    e.TiedDropped: _tied_dropped,
    e.ExecutionDone: _executed,
    e.Died: _died,
    e.SilentNoted: _silent,
    e.GhostRisen: lambda g, ev: _player(g, ev.to, haunting=True),
    e.GhostsLaid: _laid,
    e.SunsetOpened: _sunset,
    e.NightFixed: _night,
    e.VisionOpened: _vision,
    e.MurderDone: lambda g, _: altered(g, narration=()),
    e.RoleChanged: _changed,
    e.TurnEnded: _turned,
    e.StalemateNoted: lambda g, _: altered(g, quiet_turns=0),
    e.MailboxLate: lambda g, ev: altered(g, late_told=ev.deadline),
    e.GameWon: _won,
    e.Narrated: lambda g, ev: altered(g, narration=(*g.narration, ev.text)),
    e.DigestsHeld: lambda g, ev: altered(g, held=ev.held),
}
