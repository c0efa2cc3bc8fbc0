"""The storyteller's table (MAIL.md § 3): every command of his, read and made a deed.

His mails need Authentication-Results or the confirmation, never a tag alone; ABORT is confirmed always. What he asks in
a player's name (ORDER) is judged by the same rules as if the player had asked.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from pbem.app import composition, heard, interpret, narration, players, undo, when
from pbem.app.deeds import Deed, answered, decided, nothing_against, refused
from pbem.app.desk import Refusal
from pbem.app.replacement import replace as replaced
from pbem.engine import commands as c
from pbem.engine.calendar import zone
from pbem.engine.verbs import Args
from pbem.orders import grammar, names
from pbem.orders.grammar import Spoken
from pbem.orders.words import fold

if TYPE_CHECKING:
    from collections.abc import Callable

    from pbem.app.deeds import Asking, Events
    from pbem.engine.commands import Command, Words

_UNTIL: Final = re.compile(r"^(.*?)[\s,]+((?:until\b|till\b|jusqu).*)$", re.IGNORECASE | re.DOTALL)
_IN_HIS_NAME: Final = frozenset({"VOTE", "ELECT", "HEIR", "DECIDE", "SAY", "PACK", "CANCEL", "LEAVE"})
"""Verbs of no role that ORDER takes; every role's own come besides."""
_CLOCK: Final = frozenset({"EXTEND", "DEADLINE", "RESOLVE"})
_IN_A_GAME: Final = _CLOCK | {"PAUSE", "RESUME", "EXCUSE", "SMITE", "REPLACE", "PAIR", "MAYOR", "ORDER"}
"""What is asked of a game that runs."""
OF_A_PHASE: Final = _IN_A_GAME | {"UNDO", "ABORT"}
"""What is meant for the phase in which it was written (MAIL.md § 4)."""
_ONLY_TELL: Final = frozenset({"STATUS", "LOG"})


def deeds(asking: Asking) -> list[Deed]:
    """The deeds of a storyteller's mail, in the order of its commands."""
    found = (_deed(asking, one) for one in heard.in_order(asking.reading, asking.lines))
    return [*found, *players.dropped(asking.reading)]


def _deed(asking: Asking, spoken: Spoken | str) -> Deed:
    if isinstance(spoken, str):
        return refused("", spoken, "unknown-command", spoken)
    made = _asleep_first(asking, _MAKERS[spoken.verb](asking, spoken))
    alone = grammar.ADMIN_VERBS[fold(spoken.verb)].args is Args.NONE and spoken.verb not in _ONLY_TELL
    return _with_nothing_behind(made) if alone and spoken.args and not grammar.idle(spoken.args) else made


def _asleep_first(asking: Asking, deed: Deed) -> Deed:
    """What keeps a command from working at all comes before what is wrong with its words (MAIL.md § 6)."""
    game = asking.desk.game
    if deed.verb not in _IN_A_GAME:
        return deed
    paused = game.paused and deed.verb in _CLOCK
    code = "game-over" if game.winner else "game-paused" if paused else "" if game.started else "wrong-time"
    return replace(deed, objection=lambda: Refusal(code) if deed.objection() is not None else None) if code else deed


def _with_nothing_behind(deed: Deed) -> Deed:
    """Who writes "PAUSE demain" does not mean now: what he asks is not done, if nothing else speaks against it."""
    left_over = Refusal("not-a-choice", deed.args)
    return replace(deed, objection=lambda: deed.objection() or left_over)


# --- making deeds -------------------------------------------------------------------------------------------------


def _simple(make: Callable[[Asking], Command]) -> Callable[[Asking, Spoken], Deed]:
    """A command without arguments."""
    return lambda asking, spoken: decided(asking.desk, make(asking), spoken.verb, spoken.args)


def _bad(spoken: Spoken, words: Words) -> Deed:
    return refused(spoken.verb, spoken.args, words.fault, words.unread, words.suggestions)


def _not(spoken: Spoken, why: str = "not-a-choice") -> Deed:
    return refused(spoken.verb, spoken.args, why if spoken.args else "missing-argument", spoken.args)


def first_player(args: str, asking: Asking) -> tuple[Words, str]:
    """The player that `args` begin with, and what is left (`names.leading`)."""
    who = interpret.roster(asking.desk.game)
    pieces = args.split()
    heads = [" ".join(pieces[:end]).rstrip(",;:") for end in range(1, len(pieces) + 1)]
    end = names.leading(heads, who)
    if end:
        return interpret.player(heads[end - 1], who), " ".join(pieces[end:]).lstrip(",;: ")
    first = interpret.player(pieces[0].rstrip(",;:"), who) if pieces else interpret.player("", who)
    return first, ""


def _with_player(make: Callable[[Asking, int, str], Command]) -> Callable[[Asking, Spoken], Deed]:
    """A command for one player, with words behind his name."""

    def maker(asking: Asking, spoken: Spoken) -> Deed:
        words, rest = first_player(spoken.args, asking)
        if words.fault:
            return _bad(spoken, words)
        return decided(asking.desk, make(asking, words.seats[0], rest), spoken.verb, spoken.args)

    return maker


def _player_alone(make: Callable[[Asking, int], Command]) -> Callable[[Asking, Spoken], Deed]:
    """A command for one player, with nothing behind his name."""

    def maker(asking: Asking, spoken: Spoken) -> Deed:
        words = interpret.player(spoken.args, interpret.roster(asking.desk.game))
        return _bad(spoken, words) if words.fault else decided(
            asking.desk, make(asking, words.seats[0]), spoken.verb, spoken.args
        )  # fmt: skip

    return maker


def _said(asking: Asking, spoken: Spoken, args: str) -> str:
    """The body that a command passes on, the words beside it first."""
    text = "" if spoken.where == "bang" and args else asking.reading.text
    return "\n\n".join(part for part in (args, text.strip()) if part)


def _with_body(make: Callable[[Asking, str], Command]) -> Callable[[Asking, Spoken], Deed]:
    """A command whose body is passed on."""
    return lambda asking, spoken: decided(
        asking.desk, make(asking, _said(asking, spoken, spoken.args)), spoken.verb, spoken.args
    )


# --- the commands -------------------------------------------------------------------------------------------------


def _extend(asking: Asking, spoken: Spoken) -> Deed:
    span = when.duration(spoken.args)
    if span is None:
        return _not(spoken)
    return decided(asking.desk, c.Extend(asking.at, span.seconds, span.days), spoken.verb, spoken.args)


def _deadline(asking: Asking, spoken: Spoken) -> Deed:
    moment = when.moment(spoken.args, asking.at, zone(asking.desk.game.options.timezone))
    if moment is None:
        return _not(spoken)
    return decided(asking.desk, c.MoveDeadline(asking.at, moment), spoken.verb, spoken.args)


def _excuse(asking: Asking, spoken: Spoken) -> Deed:
    found = _UNTIL.match(spoken.args)
    name, limit = (found[1], found[2]) if found else (spoken.args, "")
    words = interpret.player(name, interpret.roster(asking.desk.game))
    if words.fault:
        return _bad(spoken, words)
    until = when.until(limit, asking.at, zone(asking.desk.game.options.timezone)) if limit else None
    if limit and until is None:
        return refused(spoken.verb, spoken.args, "not-a-choice", limit)
    return decided(asking.desk, c.Excuse(asking.at, words.seats[0], until), spoken.verb, spoken.args)


def _pair(asking: Asking, spoken: Spoken) -> Deed:
    words = interpret.two_players(spoken.args, interpret.roster(asking.desk.game))
    if words.fault:
        return _bad(spoken, words)
    return decided(asking.desk, c.Pair(asking.at, *words.seats), spoken.verb, spoken.args)


def _tell(asking: Asking, spoken: Spoken) -> Deed:
    words, rest = first_player(spoken.args, asking)
    if words.fault:
        return _bad(spoken, words)
    told = c.Tell(asking.at, words.seats[0], _said(asking, spoken, rest))
    return decided(asking.desk, told, spoken.verb, spoken.args)


def _order(asking: Asking, spoken: Spoken) -> Deed:
    """ORDER player: command."""
    name, colon, line = spoken.args.partition(":")
    words = interpret.player(name.strip(), interpret.roster(asking.desk.game))
    if not colon:
        words, line = first_player(spoken.args, asking)
    if words.fault:
        return _bad(spoken, words)
    heard = grammar.parse(line.strip(), grammar.VERBS)
    if heard is None:
        return refused(
            spoken.verb, spoken.args, "unknown-command" if line.strip() else "missing-argument", line.strip()
        )
    verb, args = heard
    if verb.name not in _IN_HIS_NAME | players.ROLE_VERBS:
        may = sorted(_IN_HIS_NAME | players.ROLE_VERBS)
        return refused(spoken.verb, spoken.args, "not-a-choice", verb.name, may)
    inner = players.order(asking, Spoken(verb.name, args, spoken.where), seat=words.seats[0], by_storyteller=True)
    behalf = (words.seats[0], verb.name)
    return Deed(spoken.verb, spoken.args, inner.objection, inner.act, inner.needs, behalf=behalf)


def _undo(asking: Asking, spoken: Spoken) -> Deed:
    desk = asking.desk
    return Deed(
        spoken.verb, spoken.args, lambda: undo.objection(desk), lambda: undo.take_back(desk, asking.at),
        remark=lambda: undo.warning(desk),
    )  # fmt: skip


def _release(asking: Asking, spoken: Spoken) -> Deed:
    def act() -> Events:
        events = asking.desk.act(c.Hold(asking.at, held=False))
        narration.release(asking.desk)
        return events

    return Deed(spoken.verb, spoken.args, nothing_against, act)


def _narrate(asking: Asking, spoken: Spoken) -> Deed:
    """NARRATE: the storyteller is shown how a held digest reads now."""
    command = c.Narrate(asking.at, _said(asking, spoken, spoken.args))

    def act() -> Events:
        events = asking.desk.act(command)
        narration.show_draft(asking.desk)
        return events

    return Deed(spoken.verb, spoken.args, lambda: asking.desk.judge(command), act)


def _abort(asking: Asking, spoken: Spoken) -> Deed:
    return decided(asking.desk, c.Abort(asking.at), spoken.verb, spoken.args, needs="consent")


def _deal(asking: Asking, spoken: Spoken) -> Deed:
    table = composition.table(asking.desk.game)
    return composition.warned(asking.desk, decided(asking.desk, c.Deal(asking.at, (), table), spoken.verb, spoken.args))


def _start(asking: Asking, spoken: Spoken) -> Deed:
    desk = asking.desk
    command = c.Start(asking.at, composition.immune(desk), table=composition.table(desk.game))
    return composition.warned(desk, decided(desk, command, spoken.verb, spoken.args))


def _composition(asking: Asking, spoken: Spoken) -> Deed:
    counts = composition.read(spoken.args, len(asking.desk.game.players))
    if isinstance(counts, Refusal):
        return refused(spoken.verb, spoken.args, counts.code, counts.words)
    deed = decided(asking.desk, c.SetComposition(asking.at, counts), spoken.verb, spoken.args)
    return composition.warned(asking.desk, composition.foretold(asking.desk, deed), counts)


def _reading(_asking: Asking, spoken: Spoken) -> Deed:
    return answered(spoken.verb, spoken.args)


_MAKERS: Final[dict[str, Callable[[Asking, Spoken], Deed]]] = {
    "OPEN": _simple(lambda a: c.OpenRegistration(a.at)),
    "CLOSE": _simple(lambda a: c.CloseRegistration(a.at)),
    "COMPOSITION": _composition,
    "DEAL": _deal,
    "START": _start,
    "PAUSE": _simple(lambda a: c.Pause(a.at)),
    "RESUME": _simple(lambda a: c.Resume(a.at)),
    "EXTEND": _extend,
    "DEADLINE": _deadline,
    "RESOLVE": _simple(lambda a: c.Resolve(a.at)),
    "EXCUSE": _excuse,
    "SMITE": _with_player(lambda a, seat, reason: c.Smite(a.at, seat, reason)),
    "REPLACE": replaced,
    "PAIR": _pair,
    "MAYOR": _player_alone(lambda a, seat: c.AppointMayor(a.at, seat)),
    "NARRATE": _narrate,
    "HOLD": _simple(lambda a: c.Hold(a.at, held=True)),
    "RELEASE": _release,
    "ANNOUNCE": _with_body(lambda a, text: c.Announce(a.at, text)),
    "TELL": _tell,
    "ORDER": _order,
    "UNDO": _undo,
    "ABORT": _abort,
    "STATUS": _reading,
    "LOG": _reading,
}
"""Every verb of the storyteller's lexicon; a test compares the two."""
