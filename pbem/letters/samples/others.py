"""Letters that answer no command of the rules, what storytellers get, and what comes as a copy or once a day."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from pbem.engine import events as e
from pbem.letters.copies import Follower
from pbem.letters.outcome import Outcome
from pbem.letters.samples.moments import public, won
from pbem.letters.samples.troupe import LATER, MONDAY, evolved

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pbem.engine.state import Game
    from pbem.letters.samples.troupe import Troupe
    from pbem.post import Letter

_CODE: Final = "0123456789abcdef"
_STEERED: Final = ("OPEN", "CLOSE", "COMPOSITION", "PAUSE", "TELL", "STATUS", "UNDO")


def others(troupe: Troupe) -> Iterator[tuple[str, list[Letter]]]:
    """All of them, by name."""
    yield from _about_mail(troupe)
    yield from _storytellers(troupe)
    yield from _narrated(troupe)
    yield from _copied(troupe)
    yield "start, hidden, lovers", _hidden(troupe)
    yield "GameWon, told", _told_truly(troupe)


def _about_mail(troupe: Troupe) -> Iterator[tuple[str, list[Letter]]]:
    scribe, book, game = troupe.scribe, troupe.day.book, troupe.day.game
    people = [(seat, book.seats[seat]) for seat in troupe.lettered]
    held = [Outcome("VOTE", "Bruno", "held"), Outcome("SEE", "David", "held")]
    yield "confirm", [scribe.confirm(_CODE, held, to, book, at=LATER, seat=n, game=game) for n, to in people]
    join = [Outcome("JOIN", "Luc (m)", "held"), Outcome("VOTE", "x", "refused", "not-in-game")]
    yield "confirm JOIN", [scribe.confirm(_CODE, join, to, book, at=LATER) for _, to in people]
    move, new = [Outcome("ADDRESS", "x@y.zz", "held")], "x@y.zz"
    yield "confirm ADDRESS", [scribe.confirm(_CODE, move, to, book, at=LATER, address=new) for _, to in people]
    yield "stranger", [scribe.help_stranger(to, book, at=LATER) for _, to in people]
    yield (
        "stranger, open",
        [scribe.help_stranger(to, book, at=LATER, game=replace(game, open=True)) for _, to in people],
    )
    yield "tag-replaced", [scribe.tag_replaced(book, game, seat, at=LATER) for seat in troupe.lettered]
    yield (
        "watching",
        [scribe.notice("watching", to, {}, book, at=LATER, game=game, audience="reader") for _, to in people],
    )
    yield "flood", [scribe.notice("flood", to, {}, book, at=LATER, game=game, seat=n) for n, to in people]


def _storytellers(troupe: Troupe) -> Iterator[tuple[str, list[Letter]]]:
    scribe, book, game = troupe.scribe, troupe.day.book, troupe.day.game
    for village, wolves in ((50, 48), (60, 40), (30, 70)):
        facts = {"odds": {"village": village, "wolves": wolves, "games": 1000}, "rest": 100 - village - wolves}
        yield (
            "odds",
            [
                scribe.notice("odds", to, facts, book, at=LATER, game=game, audience="storyteller")
                for to in book.storytellers
            ],
        )
    yield "bounce", scribe.bounce_notice(book, game, troupe.other(1), at=LATER, why="550")
    yield "unreadable", scribe.unreadable_notice(book, None, at=LATER, sender="x@y.zz", why="no text")
    rows = [("Bruno", "[PL1] La nuit tombe", MONDAY), ("village@example.org", "[PL1] Sur le bûcher : Chloé", MONDAY)]
    for lasting in (False, True):
        many = rows if lasting else rows * 20
        told = scribe.undelivered_notice(book, game, many, at=LATER, why="550 no", lasting=lasting)
        yield f"undelivered, lasting {lasting}", told
    full = evolved(
        game,
        (
            e.OrderTaken(1, "SEE", MONDAY, (troupe.other(1),)),
            e.PowerSpent(3, "DOUBLE"),
            e.RoleChanged(troupe.other(1), "werewolf"),
            e.DigestsHeld(True),
            e.LoversPaired(troupe.other(2), troupe.other(3), 0),
        ),
    )
    lines = [(n, MONDAY, event) for n, event in enumerate(troupe.day.history, 1)]
    yield "state", [scribe.storyteller_status(to, full, book, at=LATER) for to in book.storytellers]
    yield "log", [scribe.storyteller_log(to, game, lines, book, at=LATER) for to in book.storytellers]
    asked = {
        verb: [Outcome(verb, "Bruno", "accepted"), Outcome(verb, "Bruno", "refused", "wrong-time")] for verb in _STEERED
    }
    warned = "sum no-wolf parity investigator pack-leader"
    asked["DEAL, warned"] = [Outcome("DEAL", "", "accepted", "warning", warned)]
    asked["START, too few roles"] = [Outcome("START", "", "refused", "not-a-choice", "4/5")]
    asked["ORDER"] = [
        Outcome("ORDER", "Bruno: STATUS", "refused", "not-a-choice", "STATUS", ("SAY", "VOTE")),
        Outcome("ORDER", "Bruno: VOTE", "refused", "missing-argument", behalf=(troupe.other(1), "VOTE")),
    ]
    for name, outcomes in asked.items():
        told = [
            scribe.acknowledge(outcomes, game, game, book, 0, at=LATER, to=to, admin=True) for to in book.storytellers
        ]
        yield f"admin {name}", told


def _narrated(troupe: Troupe) -> Iterator[tuple[str, list[Letter]]]:
    scribe, game, night = troupe.scribe, troupe.day.game, public(troupe)["Murder"]
    narrated = replace(game, narration=("*Il pleut*.", "Il vente."))
    yield "narration", scribe.batch(night, narrated, evolved(narrated, night), troupe.day.book, at=LATER)
    held = (e.DigestsHeld(True), *night)
    yield "draft", scribe.batch(held, game, evolved(game, held), troupe.day.book, at=LATER)


def _copied(troupe: Troupe) -> Iterator[tuple[str, list[Letter]]]:
    """What comes to those who want less than every post, or follow without playing and want more."""
    book, game, moments = troupe.day.book, troupe.day.game, public(troupe)
    reader = book.readers[0]
    readers = tuple(
        replace(reader, language=language, address=f"{amount}-{language}@example.net", amount=amount)
        for language in troupe.languages for amount in ("posts", "digest")
    )  # fmt: skip
    seats = {seat: replace(book.seats[seat], amount="digest") for seat in troupe.lettered}
    wanting = replace(book, readers=readers, seats={**book.seats, **seats})
    for name in ("Execution", "Posted", "GraveyardTalked"):
        after = evolved(game, moments[name])
        yield f"copies, {name}", troupe.scribe.batch(moments[name], game, after, wanting, at=LATER)
    dead = evolved(game, moments["Death of the lettered"])
    followers = [*(Follower(book.seats[seat], seat) for seat in troupe.lettered), *map(Follower, readers[::2])]
    for name, now in (("daily", game), ("daily, of the dead", dead)):
        yield name, [letter for one in followers for letter in _of_the_day(troupe, one, now)]


def _of_the_day(troupe: Troupe, one: Follower, game: Game) -> list[Letter]:
    """A day's mail: posts, a digest, the graveyard."""
    person = replace(one.person, amount="daily")
    book = troupe.day.book
    book = replace(book, seats={**book.seats, one.seat: person}) if one.seat else replace(book, readers=(person,))
    pieces = [
        {"kind": letter.kind, "text": letter.text, "html": letter.html, "notices": letter.notices}
        for name in ("Posted", "Execution", "GraveyardTalked")
        for letter in troupe.scribe.batch(
            public(troupe)[name], game, evolved(game, public(troupe)[name]), book, at=LATER
        )
        if letter.daily
    ]
    return troupe.scribe.daily(Follower(person, one.seat), pieces, game, book, at=LATER)


def _hidden(troupe: Troupe) -> list[Letter]:
    """A start whose roles nobody knows, with an election, and love."""
    start = troupe.village(composition="hidden", mayor=None, lovers=(1, troupe.lettered[-1]))
    return troupe.told(start.events, start)


def _told_truly(troupe: Troupe) -> list[Letter]:
    """WIN-8: the end of a game in which something was said among the dead."""
    o, end = troupe.other, (won(troupe, "village"),)
    talked = (
        e.GraveyardTalked(o(1), "", "Il faisait <sombre>.", MONDAY, (o(2),)),
        e.GraveyardTalked(0, "Luce", "Il faisait clair.", MONDAY, (o(2),)),
    )
    day = troupe.day
    return troupe.scribe.batch(
        end, day.game, evolved(day.game, end), day.book, at=LATER, history=(*day.history, *talked)
    )
