"""Somebody's one mail a day (MAIL daily): what was kept for him, in the order in which it happened.

A piece is what `Scribe` wrote as a `Letter` that is `daily`, reduced to `kind`, `text`, `html` and `notices`. How the
village stands is told anew, at the end. What would outgrow a letter is parted into several.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any, Final

from pbem.letters import envelope
from pbem.letters.press import Sheet

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from pbem.letters.copies import Follower
    from pbem.letters.scene import Scene
    from pbem.post import Letter

MOST_BYTES: Final = 60_000
"""Of pieces in one letter, before their looks are written into them; a mail beyond 100 kB is cut by some readers."""
_SAID: Final = {"post": "post", "graveyard-talk": "grave"}


def letters(scene: Scene, one: Follower, pieces: Sequence[Mapping[str, Any]]) -> Iterator[Letter]:
    """The mail of the day; several, if one would be too big. `scene` is its reader's."""
    parts = list(_parted(pieces))
    contents = _contents(scene, pieces)
    for number, part in enumerate(parts, 1):
        facts = {"contents": contents, "part": number, "parts": len(parts)}
        sheets = [scene.render("letters/daily", facts), *(Sheet(one["text"], one["html"]) for one in part)]
        if number == len(parts) and scene.game.started_at is not None and scene.game.phase != "over":
            sheets.append(scene.render("letters/village", {}))
        notices = [notice for one in part for notice in one.get("notices", ())]
        yield envelope.of_the_day(scene, one, sheets, notices, number)


def _contents(scene: Scene, pieces: Iterable[Mapping[str, Any]]) -> list[str]:
    """`3 posts`, `1 bulletin`, …: what there is, the commonest kinds in a fixed order."""
    found = Counter(_SAID.get(piece["kind"], "bulletin") for piece in pieces)
    return [scene.words.count(key, found[key]) for key in ("post", "bulletin", "grave") if found[key]]


def _parted(pieces: Iterable[Mapping[str, Any]]) -> Iterator[list[Mapping[str, Any]]]:
    part: list[Mapping[str, Any]] = []
    size = 0
    for piece in pieces:
        more = len(piece["html"].encode())
        if part and size + more > MOST_BYTES:
            yield part
            part, size = [], 0
        part.append(piece)
        size += more
    yield part
