"""What the storyteller gets: what he alone is told, his secret state of the game, its log, and drafts of held digests.

These are the only letters that may show the whole truth (`state`, `log`); they go to the storytellers' addresses alone.
"""

from __future__ import annotations

from dataclasses import fields
from typing import TYPE_CHECKING, Any

from pbem.engine import events as e
from pbem.letters import envelope
from pbem.letters.acts import noted
from pbem.letters.notices import notice_of
from pbem.letters.scene import Scene
from pbem.letters.section import Section, fields_of, in_order

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from datetime import datetime

    from pbem.engine.state import Game, Player
    from pbem.engine.view import PublicView
    from pbem.letters.book import Book
    from pbem.letters.press import Press
    from pbem.post import Letter

ORDER = (
    "intrusion",
    "question",
    "absence",
    "replacement-wanted",
    "stalemate",
    "silence-report",
    "late-mailbox",
    "draft",
)
"""Every section of a storyteller's letter that events bring, the weightiest first."""

KINDS: dict[type[e.Event], str] = {
    e.Intruded: "intrusion",
    e.QuestionAsked: "question",
    e.AbsenceAsked: "absence",
    e.ReplacementWanted: "replacement-wanted",
    e.StalemateNoted: "stalemate",
    e.SilenceReported: "silence-report",
    e.MailboxLate: "late-mailbox",
}


def sections(events: Sequence[e.Event], known: PublicView) -> list[Section]:
    """What a batch has for him."""
    told = (
        event for event in events if isinstance(event, e.Private) and event.to == e.STORYTELLER and type(event) in KINDS
    )
    return in_order((Section(KINDS[type(ev)], fields_of(ev), notice_of(ev, known)) for ev in told), ORDER)


def draft(letter: Letter) -> Section:
    """A digest that waits for his narration."""
    return Section("draft", {"title": letter.subject, "text": letter.text})


def letters(press: Press, told: Sequence[Section], known: PublicView, book: Book, at: datetime) -> list[Letter]:
    """One letter of these sections to each storyteller; none if there are none."""
    found = []
    for person in book.storytellers if told else ():
        scene = Scene(press.room(person.language), book, known, at, audience="storyteller")
        sheets = [scene.render(f"letters/{section.kind}", section.facts) for section in told]
        notices = [section.notice for section in told if section.notice]
        found.append(envelope.to_person(scene, person, told[0].kind, sheets, notices))
    return found


def state(game: Game, scene: Scene) -> Section:
    """STATUS: everything, for `scene`, whose reader is a storyteller."""
    rows = [_row(game, player, scene) for player in game.players]
    orders = [(scene.name(o.seat), scene.clock.hour(o.at), _order(o.verb, o.seats, o.word, scene)) for o in game.orders]
    facts = {
        "rows": rows,
        "orders": orders,
        "couples": [scene.names(pair) for pair in game.couples],
        "held": game.held,
        "narration": game.narration,
        "quiet": game.quiet_turns,
    }
    return Section("state", facts)


def _row(game: Game, player: Player, scene: Scene) -> tuple[Any, ...]:
    """Seat and name, role, and what is worth a note: his fate first."""
    words = scene.words
    role = scene.role(player.role, player.gender) if player.role else ""
    if player.dealt != player.role:
        role = words("fate", "was", role=role, dealt=scene.role(player.dealt, player.gender))
    fate = words.gendered("cause", player.cause or "living", player.gender)
    notes = [
        *([words("fate", "mayor")] if game.mayor == player.seat else []),
        *([words("fate", "missed", n=player.missed)] if player.missed else []),
        *([words("fate", "silent")] if player.alive and game.span and not player.posted else []),
        *([words("fate", "excused")] if player.excused or player.excused_until else []),
        *(
            [words("fate", "spent", what=scene.listed(scene.verb(verb) for verb in sorted(player.spent)))]
            if player.spent
            else []
        ),
    ]
    return f"{player.seat} · {player.name}", role, ", ".join([fate, *notes])


def _order(verb: str, seats: Iterable[int], word: str, scene: Scene) -> str:
    return noted(scene, verb, [scene.name(seat) for seat in seats], word)


def log(events: Iterable[tuple[int, datetime, e.Event]], scene: Scene) -> Section:
    """LOG: (number, instant, event), a line each."""
    lines = [f"{n:>4}  {scene.clock.day(at)} {scene.clock.hour(at)}  {_line(event, scene)}" for n, at, event in events]
    return Section("log", {"lines": lines})


def _line(event: e.Event, scene: Scene) -> str:
    """An event for a careful reader: its name, and its fields with names for seats."""
    told = " ".join(f"{item.name}={_value(item.name, getattr(event, item.name), scene)}" for item in fields(event))
    return f"{type(event).__name__} {told}".rstrip()


_SEATS = frozenset(
    {
        "seat",
        "seats",
        "to",
        "target",
        "voter",
        "asked",
        "tied",
        "sure",
        "burned",
        "found",
        "pack",
        "mayor",
        "a",
        "b",
        "by",
    }
)
"""Fields of events that hold seats."""
_UNSAID = frozenset({"seed", "options"})
"""What stays out of a mail: the seed until the end, the options because they are long."""


def _value(field: str, value: Any, scene: Scene) -> str:
    """A field of an event in words."""
    if field in _UNSAID:
        return "…"
    if isinstance(value, tuple):
        return ", ".join(_value(field, item, scene) for item in value) or "-"
    if field in _SEATS and isinstance(value, int) and 1 <= value <= len(scene.game.faces):
        return scene.name(value)
    return scene.clock.hour(value) if hasattr(value, "astimezone") else str(value)
