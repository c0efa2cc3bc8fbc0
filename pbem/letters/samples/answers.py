"""Acknowledgements: every verb accepted, every code refused, in every phase, by the living, the dead and strangers."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from pbem.engine import events as e
from pbem.engine.roles import LEXICON
from pbem.engine.state import Game, Phase
from pbem.letters.outcome import Outcome
from pbem.letters.samples.moments import public
from pbem.letters.samples.troupe import LATER, MONDAY, evolved

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pbem.letters.samples.troupe import Troupe
    from pbem.post import Letter

CODES: Final = (
    *("unknown-command", "missing-argument", "unknown-player", "ambiguous-player", "not-your-power", "already-used"),
    *("wrong-time", "too-late", "dead-actor", "dead-target", "self-target", "ally-target", "lover-target"),
    *("repeat-target", "immune-target", "not-a-candidate", "not-a-choice", "ineligible", "not-in-game"),
    *("not-storyteller", "unknown-role", "composition-public", "already-paired", "name-taken", "bad-name"),
    *("registration-closed", "game-over", "game-paused", "graveyard-only", "living-only", "secret-in-public"),
    *("too-long", "empty"),
)
"""MAIL.md § 6."""
TRIED: Final = (("VOTE", "Bru"), ("SACRIFICE", "Bru"), ("CANCEL", "VOTE"), ("ASK", "x"), ("", "bla bla"))
"""What each code is given for."""
_SHAPES: Final = {
    "MAIL": ("posts", "daily", "digest"),
    "LANG": ("fr", "en"),
    "ADDRESS": ("new@example.org",),
    "RULES": ("", "voyante"),
}
"""What follows the verbs that take neither a player nor nothing."""
_TWO: Final = frozenset({"DECIDE", "SACRIFICE", "FORCE", "PAIR"})
_BARE: Final = frozenset({"SLEEP", "PEEK", "DOUBLE"})
_NO_ORDER: Final = frozenset(
    {
        *("SAY", "PACK", "GRAVEYARD", "QUESTION", "STATUS", "HELP", "RULES", "JOIN", "LEAVE", "WATCH", "UNWATCH"),
        *("ABSENT", "LANG", "MAIL", "ADDRESS"),
    }
)


def acknowledged(troupe: Troupe) -> Iterator[tuple[str, list[Letter]]]:
    """All of them, by name."""
    now = _with_votes(troupe)
    yield from _accepted(troupe, now)
    yield from _refused(troupe, now)
    yield from _asked(troupe, now)
    yield "asked by strangers", list(_strangers(troupe, now))
    posted = Outcome("SAY", "", "accepted", "wrong-time", events=(e.Posted(1, "x", LATER),))
    ballot = e.OrderTaken(1, "ELECT", LATER, (troupe.other(1),))
    counted = Outcome("SAY", "", "accepted", events=(e.Posted(1, "x", LATER), ballot))
    yield "posts", _acks(troupe, now, [posted, counted, Outcome("VOTE", "Bruno", "held")])


def _with_votes(troupe: Troupe) -> Game:
    """The lettered have voted."""
    return evolved(
        troupe.day.game, tuple(e.OrderTaken(seat, "VOTE", MONDAY, (troupe.other(1),)) for seat in troupe.lettered)
    )


def _accepted(troupe: Troupe, now: Game) -> Iterator[tuple[str, list[Letter]]]:
    for verb in LEXICON:
        for args in _SHAPES.get(verb.name, ("",)):
            outcome = Outcome(verb.name, args, "accepted", events=_taken(troupe, verb.name))
            yield f"accepted {verb.name} {args}".strip(), _acks(troupe, now, [outcome])


def _taken(troupe: Troupe, verb: str) -> tuple[e.Event, ...]:
    """An order of that verb: with two names where it takes two, so that every sentence shows."""
    if verb == "CANCEL":
        return (e.OrderCancelled(1, "VOTE", MONDAY),)
    one, two = troupe.other(1), troupe.other(2)
    seats = () if verb in _BARE else (one, two) if verb in _TWO else (one,)
    return () if verb in _NO_ORDER else (e.OrderTaken(1, verb, MONDAY, seats),)


def _refused(troupe: Troupe, now: Game) -> Iterator[tuple[str, list[Letter]]]:
    for code in (*CODES, "no-such-code"):
        for verb, words in TRIED:
            outcome = Outcome(verb, words, "refused", code, words, ("Bruno", "Brunette") if verb == "VOTE" else ())
            yield f"refused {code} {verb}".strip(), _acks(troupe, now, [outcome])


def _asked(troupe: Troupe, now: Game) -> Iterator[tuple[str, list[Letter]]]:
    """STATUS and HELP, which are others at every moment."""
    questions = [Outcome("STATUS", "", "accepted"), Outcome("HELP", "", "accepted")]
    for phase in Phase:
        early = Outcome("VOTE", "5", "refused", "wrong-time")
        yield f"asked in {phase}", _acks(troupe, replace(now, phase=phase), [*questions, early])
    yield "asked in a pause", _acks(troupe, evolved(now, (e.Paused(LATER, 7_300),)), questions)
    coming = evolved(now, public(troupe)["ElectionSet, for later"])
    yield "asked before an election", _acks(troupe, coming, questions)
    dead = evolved(now, public(troupe)["Death of the lettered"])
    yield "asked by the dead", _acks(troupe, dead, questions)
    ghosts = evolved(now, public(troupe)["Death of the ghosts"])
    closed = Outcome("GRAVEYARD", "", "refused", "wrong-time")
    yield "asked by ghosts", _acks(troupe, ghosts, [questions[1], closed])


def _strangers(troupe: Troupe, now: Game) -> Iterator[Letter]:
    book = troupe.day.book
    asked = [
        Outcome("HELP", "", "accepted"),
        Outcome("RULES", "", "accepted"),
        Outcome("JOIN", "Vote", "refused", "bad-name", "Vote"),
        Outcome("WATCH", "", "accepted"),
        Outcome("MAIL", "daily", "accepted"),
    ]
    for language in troupe.languages:
        for address in (book.readers[0].address, "x@example.net"):
            to = replace(book.readers[0], language=language, address=address)
            known = replace(book, readers=(to,)) if address == book.readers[0].address else book
            for outcome in asked:
                yield troupe.scribe.acknowledge([outcome], now, now, known, 0, at=LATER, to=to, message_id="<m@x>")


def _acks(troupe: Troupe, game: Game, outcomes: Sequence[Outcome]) -> list[Letter]:
    """One to each of the lettered."""
    return [
        troupe.scribe.acknowledge(
            outcomes, game, game, troupe.day.book, seat, at=LATER, subject="VOTE Bruno", message_id="<m@x>"
        )
        for seat in troupe.lettered
    ]
