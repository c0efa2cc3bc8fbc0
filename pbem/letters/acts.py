"""What a player can do now, ready to be offered: each verb with its hours and, per possible choice, its command line.

Made of a `SeatView` alone. A `Choice` is one touch: a label to show, the line it sends, and the link that sends it.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING

from pbem.engine.roles import LEXICON
from pbem.engine.verbs import Args
from pbem.letters.clock import closing_of

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from pbem.engine.view import OrderView, SeatView, VerbView
    from pbem.letters.clock import Closing
    from pbem.letters.scene import Scene

TAKES = {verb.name: verb.args for verb in LEXICON}
"""What follows each verb of a player."""
_BARE = (Args.NONE, Args.BODY)


@dataclass(frozen=True, slots=True)
class Choice:
    """One touch: `label` is what is shown, `line` the command, `href` a `mailto:` that sends it."""

    label: str
    line: str
    href: str


@dataclass(frozen=True, slots=True)
class Act:
    """A verb in somebody's hands.

    `verb` is the English word, `word` that of the letter's language; `title` says what it does; `until` is when it
    closes (None: at any time, or no time runs); `opens` is when it will be taken, if not yet (None: see `open_now`).
    `standing` says what is on record, '' if nothing; `cancel` withdraws it. `model` is a line to complete, for verbs
    whose choices cannot be listed ('' for the others).
    """

    verb: str
    word: str
    title: str
    until: Closing | None
    until_key: str
    opens: datetime | None
    open_now: bool
    choices: tuple[Choice, ...]
    model: str
    standing: str
    cancel: Choice | None


def acts(scene: Scene, view: SeatView) -> tuple[Act, ...]:
    """All that this seat can do, now or later in this turn, in the order of the view."""
    return tuple(act(scene, view, verb) for verb in view.verbs)


def act(scene: Scene, view: SeatView, verb: VerbView) -> Act:
    """One verb of his."""
    order = next((order for order in view.orders if order.verb == verb.verb), None)
    opens = _opens(scene, verb.verb)
    return Act(
        verb=verb.verb,
        word=scene.verb(verb.verb),
        title=scene.words.gendered("act", verb.verb, view.face.gender),
        until=closing_of(scene.coming, verb.until),
        until_key=verb.until,
        opens=opens,
        open_now=verb.open_now and opens is None,
        choices=choices(scene, view, verb),
        model=_model(scene, verb.verb) if TAKES[verb.verb] is Args.TWO_PLAYERS else "",
        standing=standing(scene, order) if order else "",
        cancel=scene.choice(scene.line("CANCEL", scene.verb(verb.verb)), "CANCEL", scene.verb(verb.verb))
        if order and verb.verb != "PAIR"
        else None,
    )


def _opens(scene: Scene, verb: str) -> datetime | None:
    """MAYOR-1: an election that is announced is not open yet."""
    election = scene.game.election
    return election[0] if verb == "ELECT" and election and scene.at < election[0] else None


def choices(scene: Scene, view: SeatView, verb: VerbView) -> tuple[Choice, ...]:
    """A choice for each player he may name, or the bare verb; for ASK one for each role; none for verbs of two
    names.
    """
    takes = TAKES[verb.verb]
    names = [scene.name(seat) for seat in (view.asked if verb.verb == "DECIDE" else verb.choices)]
    if takes in _BARE:
        return (scene.choice(scene.verb(verb.verb), verb.verb),)
    if takes is Args.ROLE:
        return tuple(scene.choice(name, verb.verb, name) for name in scene.role_names())
    found = [scene.choice(name, verb.verb, name) for name in names if takes is not Args.TWO_PLAYERS]
    if takes is Args.MAYBE_PLAYER:
        found.append(scene.choice(scene.words("offer", "ANYONE"), verb.verb, scene.words("verb", "ANYONE")))
    if takes is Args.PLAYERS and view.asked_places > 1:
        pairs = (scene.both(verb.verb, one, other) for one, other in combinations(names, 2))
        found += [scene.choice(pair, verb.verb, pair) for pair in pairs]
    return tuple(found)


def standing(scene: Scene, order: OrderView) -> str:
    """What an order says, in a sentence."""
    names = [scene.name(seat) for seat in order.seats]
    return noted(scene, order.verb, names, order.word)


def noted(scene: Scene, verb: str, names: Sequence[str], word: str = "") -> str:
    """What a command means, in a sentence. An entry of the catalogue's context `noted`, by verb and number of names."""
    if word and not names and scene.words.has("noted", f"{verb} {word}"):
        return scene.words("noted", f"{verb} {word}")
    if not names:
        return scene.words("noted", f"{verb} -" if scene.words.has("noted", f"{verb} -") else verb)
    one, other = names[0], names[1] if len(names) > 1 else ""
    key = f"{verb} 2" if other and scene.words.has("noted", f"{verb} 2") else verb
    return scene.words("noted", key, one=one, other=other)


def _model(scene: Scene, verb: str) -> str:
    name = scene.words("offer", "NAME")
    return f"{scene.verb(verb)} {scene.both(verb, name, name)}"
