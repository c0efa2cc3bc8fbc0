"""Whether what a step expects has come about: the truth of the game, and what the letters of the step really held.

One function a key of SCENARIOS.md's table. Each returns what was found, in the shape of what is expected; the two are
compared by `failures`.
"""

from __future__ import annotations

from dataclasses import dataclass
from email import message_from_bytes, policy
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final

from pbem.engine.events import ElectionClosed, MurderDone, VotesPublished
from pbem.engine.view import allowed, public_view, seat_view
from pbem.rehearsal import words
from pbem.rehearsal.mailwriter import LIST, STORYTELLER

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from pbem.engine.events import Event
    from pbem.engine.state import Game, Player
    from pbem.rehearsal.cast import Cast
    from pbem.store import OutboxRow


@dataclass(frozen=True, slots=True)
class Failure:
    """An expectation that did not hold."""

    step: int
    key: str
    expected: Any
    found: Any


@dataclass
class Found:
    """What a step has led to. `log`: all events so far; `before`: the game before the step; `reply` as in the table."""

    cast: Cast
    before: Game
    game: Game
    log: Sequence[Event]
    letters: Sequence[OutboxRow]
    reply: Sequence[str]

    @cached_property
    def public(self) -> str:
        """All that the step's letters to the list say, on one line, case folded."""
        return _flat(" ".join(text for row in self.letters if row.to == LIST for text in _texts(row.raw)))

    def name(self, seat: int) -> str:
        """How the scenario calls that seat; '' for none."""
        return self.cast.name_of(self.game, seat) if seat else ""

    def seat(self, name: str) -> int:
        """The seat that the scenario means."""
        return self.cast.seat_of(self.game, name)

    def player(self, name: str) -> Player:
        """Who sits there."""
        return self.game.player(self.seat(name))

    def last(self, kind: type[Event]) -> Any:
        """The last event of that kind."""
        return next((event for event in reversed(self.log) if isinstance(event, kind)), None)

    def to(self, name: str) -> list[OutboxRow]:
        """The step's private letters to a player or the storyteller."""
        addresses = {STORYTELLER} if name == "storyteller" else self.cast.addresses(name)
        return [row for row in self.letters if row.to in addresses]

    def notices(self, name: str) -> list[tuple[str, Any]]:
        """What those told, for machines."""
        return [
            (kind, _normal(self.cast.scenario_names(value)))
            for row in self.to(name)
            for notice in row.notices
            for kind, value in notice.items()
        ]


def _flat(text: str) -> str:
    return " ".join(text.split()).casefold()


def _texts(raw: bytes) -> Iterator[str]:
    """Subject and text of a letter as it goes over the wire."""
    mail = message_from_bytes(raw, policy=policy.default)
    yield str(mail.get("Subject", ""))
    for part in mail.walk():
        if part.get_content_maintype() == "text":
            yield str(part.get_content())


def _normal(value: Any) -> Any:
    return tuple(sorted(value)) if isinstance(value, list) else value


def _names(found: Found, players: Sequence[Player]) -> list[str]:
    return [found.name(player.seat) for player in players]


def _dead(found: Found, _expected: Any) -> list[str]:
    return _names(found, [player for player in found.game.players if not player.alive])


def _died(found: Found, _expected: Any) -> list[str]:
    alive = {player.seat for player in found.before.players if player.alive}
    return _names(found, [player for player in found.game.players if not player.alive and player.seat in alive])


def _cause(found: Found, expected: Mapping[str, str]) -> dict[str, str]:
    return {name: found.player(name).cause for name in expected}


def _revealed(found: Found, expected: Mapping[str, str]) -> dict[str, str]:
    public = public_view(found.game)
    return {name: public.face(found.seat(name)).role for name in expected}


def _role(found: Found, expected: Mapping[str, str]) -> dict[str, str]:
    """As it truly is: a conversion counts from sunset's close on, though it does not show yet (NIGHT-12)."""
    converted = found.game.night.converted if found.game.night else 0
    return {
        name: "werewolf" if converted and found.seat(name) == converted else found.player(name).role
        for name in expected
    }


def _no_victim(found: Found, _expected: Any) -> str:
    murder = found.last(MurderDone)
    return "true" if murder is not None and not murder.found else "false"


def _votes(found: Found, _expected: Any) -> dict[str, str]:
    record = found.last(VotesPublished)
    if record is None:
        return {}
    return {
        found.name(voter): how if how in {"blank", "self"} else found.name(target)
        for voter, target, how in record.record
    }  # fmt: skip


def _forged(found: Found, _expected: Any) -> Any:
    record = found.last(VotesPublished)
    return None if record is None else record.forged


def _election(found: Found, _expected: Any) -> dict[str, str]:
    closed = found.last(ElectionClosed)
    return {} if closed is None else {found.name(voter): found.name(candidate) for voter, candidate in closed.ballots}


def _heir(found: Found, _expected: Any) -> str:
    mayor = found.game.mayor
    return found.name(seat_view(found.game, mayor).heir) if mayor else ""


def _told(found: Found, expected: Mapping[str, Sequence[tuple[str, Any]]]) -> dict[str, Any]:
    """All that they were told, if something that was expected is missing; else just that."""
    told = {name: found.notices(name) for name in expected}
    return {name: wanted if _within(wanted, told[name]) else told[name] for name, wanted in expected.items()}


def _within(wanted: Sequence[tuple[str, Any]], told: Sequence[tuple[str, Any]]) -> bool:
    left = list(told)
    for one in wanted:
        if one not in left:
            return False
        left.remove(one)
    return True


def _not_told(found: Found, expected: Mapping[str, Sequence[str]]) -> dict[str, Any]:
    """What they were told that they should not have been, beside what was not to be told and was not."""
    found_kinds = {name: {kind for kind, _ in found.notices(name)} for name in expected}
    return {
        name: [f"told: {kind}" if kind in found_kinds[name] else kind for kind in kinds]
        for name, kinds in expected.items()
    }


def _public_has(found: Found, expected: Sequence[str]) -> list[str]:
    return [word if _flat(word) in found.public else f"missing: {word}" for word in expected]


def _public_lacks(found: Found, expected: Sequence[str]) -> list[str]:
    return [f"present: {word}" if _flat(word) in found.public else word for word in expected]


def _letters(found: Found, expected: Mapping[str, int]) -> dict[str, int]:
    return {name: len(found.to(name)) for name in expected}


def _can(found: Found, expected: Mapping[str, Sequence[str]]) -> dict[str, list[str]]:
    return {name: sorted(allowed(found.game, found.seat(name))) for name in expected}


_FINDERS: Final[dict[str, Callable[[Found, Any], Any]]] = {
    "phase": lambda found, _: public_view(found.game).phase,
    "dead": _dead,
    "died": _died,
    "cause": _cause,
    "revealed": _revealed,
    "no_victim": _no_victim,
    "votes": _votes,
    "forged": _forged,
    "mayor": lambda found, _: found.name(found.game.mayor),
    "heir": _heir,
    "ineligible": lambda found, _: _names(found, [p for p in found.game.players if p.ineligible]),
    "election": _election,
    "role": _role,
    "told": _told,
    "not_told": _not_told,
    "public_has": _public_has,
    "public_lacks": _public_lacks,
    "letters": _letters,
    "asked": lambda found, _: found.name(found.game.tie.asked) if found.game.tie else "",
    "winner": lambda found, _: found.game.winner,
    "winners": lambda found, _: [found.name(seat) for seat in found.game.winners],
    "can": _can,
}
_UNORDERED: Final = frozenset({"dead", "died", "ineligible", "winners"})


def failures(step: int, expected: Mapping[str, Any], found: Found) -> list[Failure]:
    """The expectations of a step that did not hold."""
    wrong = []
    for key, wanted in expected.items():
        if key == "reply":
            got: Any = list(found.reply)
            holds = len(wanted) == len(got) and all(map(_answers, wanted, got))
        else:
            got = _find(key, found, wanted)
            holds = _same(key, wanted, got)
        if not holds:
            wrong.append(Failure(step, key, wanted, got))
    return wrong


def _find(key: str, found: Found, wanted: Any) -> Any:
    try:
        return _FINDERS[key](found, wanted)
    except IndexError:
        return "one of them has no seat any more"


def _answers(wanted: str, got: str) -> bool:
    """`refused` stands for every code."""
    return got == wanted or (wanted == "refused" and got.startswith("refused: "))


def _same(key: str, wanted: Any, got: Any) -> bool:
    if key in _UNORDERED:
        return bool(sorted(wanted) == sorted(got))
    if key == "can":
        return bool({name: sorted(verbs) for name, verbs in wanted.items()} == got)
    return bool(_plain(wanted) == _plain(got))


def _plain(value: Any) -> Any:
    """Tuples and lists alike."""
    if isinstance(value, (list, tuple)):
        return [_plain(item) for item in value]
    return {key: _plain(item) for key, item in value.items()} if isinstance(value, dict) else value


def shown(value: Any) -> str:
    """A value as the scenario file would write it."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key}: {shown(item)}" for key, item in value.items()) + "}"
    if isinstance(value, tuple) and len(value) == 2 and value[0] in words.NOTICES:  # noqa: PLR2004 - a notice
        return f"{{{value[0]}: {shown(value[1])}}}"
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(map(shown, value)) + "]"
    return "''" if value == "" else str(value)
