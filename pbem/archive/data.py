"""What machines read: the public state of a game as JSON, its posts in files of `CHUNK`, and the search index.

The index of a chunk maps each word of a post (folded by `folded`, the speaker's name included) to the places of the
posts that hold it. `archive.js` folds what is typed in the same way, and takes each word as a beginning.
"""

from __future__ import annotations

import json
import re
import unicodedata
from typing import TYPE_CHECKING, Any, Final

from pbem.archive.story import Bulletin
from pbem.archive.telling import plain

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pbem.archive.site import GameSite
    from pbem.archive.story import Day, Post
    from pbem.engine import events as e

CHUNK: Final = 200
"""Posts in one file."""
_WORD: Final = re.compile(r"[^\W_]+")
_LIGATURES: Final = str.maketrans({"œ": "oe", "æ": "ae", "ø": "o", "ß": "ss", "ł": "l", "đ": "d"})
_LONGEST: Final = 32


def folded(text: str) -> str:
    """`text` in lower case, without accents, ligatures opened."""
    decomposed = unicodedata.normalize("NFKD", text.lower().translate(_LIGATURES))
    return "".join(letter for letter in decomposed if not unicodedata.combining(letter))


def words(text: str) -> set[str]:
    """The words of a text as the index holds them."""
    return {word[:_LONGEST] for word in _WORD.findall(folded(text)) if len(word) > 1 or word.isdigit()}


def index(posts: Sequence[Post]) -> bytes:
    """The search index of one chunk."""
    places: dict[str, list[int]] = {}
    for place, post in enumerate(posts):
        for word in words(f"{post.name} {post.text}"):
            places.setdefault(word, []).append(place)
    return _json({"words": dict(sorted(places.items()))}, indent=None)


def posts(site: GameSite, chunk: Sequence[Post]) -> bytes:
    """The posts of one chunk."""
    return _json(
        {
            "posts": [
                {
                    "n": post.n, "key": post.key, "seat": post.seat, "name": post.name, "day": post.turn,
                    "at": post.at.isoformat(), "ghost": post.ghost, "text": post.text,
                    "answers": post.answers or None, "shown": site.clock.short(post.at),
                }
                for post in chunk
            ]
        },
        indent=None,
    )  # fmt: skip


def game(site: GameSite, chunks: int) -> bytes:
    """Everything public but the words of posts."""
    view, story = site.facts.view, site.story
    return _json(
        {
            "code": view.code,
            "language": view.options.language,
            "timezone": view.options.timezone,
            "phase": view.phase,
            "day": view.turn,
            "deadline": view.deadline.isoformat() if view.deadline else None,
            "deadlines": [{"what": d.key, "at": d.at.isoformat(), "sure": d.sure} for d in site.facts.deadlines],
            "opened": site.facts.first.isoformat(),
            "started": view.started_at.isoformat() if view.started_at else None,
            "ended": story.ended.isoformat() if story.ended else None,
            "commitment": story.commitment or None,
            "composition": dict(view.composition) if view.composition else None,
            "mayor": view.mayor or None,
            "winner": view.winner or None,
            "winners": list(view.winners),
            "players": [
                {
                    "seat": face.seat, "name": face.name, "alive": face.alive, "role": face.role or None,
                    "cause": face.cause or None, "died": face.died or None,
                    **({"dealt": site.facts.truth.dealt[face.seat - 1]} if site.facts.truth else {}),
                }
                for face in view.faces
            ],
            "days": [_day(site, day) for day in story.days],
            "posts": {"count": len(story.posts), "files": [f"posts-{n}.json" for n in range(1, chunks + 1)]},
            "seed": site.facts.truth.seed if site.facts.truth else None,
        },
        indent=1,
    )  # fmt: skip


def _day(site: GameSite, day: Day) -> dict[str, Any]:
    night = site.story.nights.get(day.turn)
    return {
        "day": day.turn,
        "opened": day.opened.at.isoformat() if day.opened else None,
        "execution": day.opened.execution.isoformat() if day.opened else None,
        "posts": day.posts,
        "election": {"mayor": day.election.mayor, "ballots": day.election.ballots} if day.election else None,
        "votes": _votes(day.votes) if day.votes else None,
        "burned": day.burned,
        "night": {"found": night.found, "asleep": night.asleep} if night else None,
        "told": [
            {"at": item.at.isoformat(), "text": plain(sentence), **({"undone": True} if part.undone else {})}
            for item in day.items if isinstance(item, Bulletin) for part in item.parts
            for sentence in _told(site, part)
        ],
    }  # fmt: skip


def _votes(event: e.VotesPublished) -> dict[str, Any]:
    return {"record": event.record, "tally": event.tally, "forged": event.forged}


def _told(site: GameSite, part: Any) -> list[str]:
    return site.teller.sentences(part) or ([part.event.text] if hasattr(part.event, "text") else [])


def summary(site: GameSite) -> dict[str, Any]:
    """What the pages above a game show of it: for its note, so JSON again."""
    view = site.facts.view
    closing = next((deadline for deadline in site.facts.deadlines if deadline.sure), None)
    end = site.story.end
    return {
        "code": view.code,
        "language": view.options.language,
        "timezone": view.options.timezone,
        "phase": view.phase,
        "open": view.open,
        "day": view.turn,
        "telling": site.facts.telling,
        "closing": closing.key if closing else "",
        "deadline": closing.at.isoformat() if closing else "",
        "opened": site.facts.first.isoformat(),
        "started": view.started_at.isoformat() if view.started_at else "",
        "ended": site.story.ended.isoformat() if site.story.ended else "",
        "lights": [[face.alive, face.mayor] for face in view.faces],
        "winner": "aborted" if end and end.aborted else view.winner,
        "winners": [view.face(seat).name for seat in view.winners],
    }


def games(summaries: Sequence[dict[str, Any]]) -> bytes:
    """The list of all games."""
    keys = ("code", "language", "phase", "day", "deadline", "opened", "started", "ended", "winner", "winners")
    rows = [
        {
            **{key: one[key] or None for key in keys},
            "players": len(one["lights"]), "living": sum(alive for alive, _ in one["lights"]),
            "file": f"{one['code'].lower()}/game.json",
        }
        for one in summaries
    ]  # fmt: skip
    return _json({"games": rows}, indent=1)


def _json(value: Any, *, indent: int | None) -> bytes:
    separators = (",", ":") if indent is None else None
    return json.dumps(value, ensure_ascii=False, indent=indent, separators=separators).encode()
