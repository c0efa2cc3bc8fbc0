"""What the players and the storyteller of a `Village` say, as commands: a small reader of lines, with no mail around."""

from __future__ import annotations

import re
import unicodedata
from typing import TYPE_CHECKING

from pbem.engine import commands as c
from pbem.engine.names import fold
from pbem.engine.roles import ADMIN_LEXICON, LEXICON, ROSTER
from pbem.engine.verbs import Args, Verb

if TYPE_CHECKING:
    from datetime import datetime

    from tests.kit.village import Village

UNITS = {"m": 60, "h": 3600, "d": 86400}
SEPARATOR = re.compile(r"\s+(?:contre|against|pour|for|et|and)\s+|\s*[/,&]\s*|\s*->\s*", re.IGNORECASE)
ELECTING = re.compile(r"(?:^|[.!?\n])\s*(?:[ÉE]lisons|Let['’]s elect)\s+([^.!?\n]+?)\s*!\s*$", re.IGNORECASE)
HOW_MANY = {Args.TWO_PLAYERS: (2,), Args.PLAYERS: (1, 2, 3)}


def seconds(length: str) -> int:
    """`30m`, `2h`, `1d`."""
    return int(length[:-1]) * UNITS[length[-1]]


def plain(word: str) -> str:
    """Capitals without accents."""
    return "".join(x for x in unicodedata.normalize("NFD", word.upper()) if not unicodedata.combining(x))


def verb_of(word: str, lexicon: tuple[Verb, ...] = LEXICON) -> Verb | None:
    """The verb that this English or French word means."""
    return next((v for v in lexicon if plain(word) in (v.name, *v.french)), None)


def find(names: list[str], word: str) -> int | str:
    """A seat by name, beginning or number; or the refusal's code."""
    if word.isdigit() and 0 < int(word) <= len(names):
        return int(word)
    exact = [n for n, name in enumerate(names, 1) if fold(name) == fold(word)]
    close = [n for n, name in enumerate(names, 1) if fold(name).startswith(fold(word))]
    seats = exact or close
    if len(seats) == 1 and fold(word):
        return seats[0]
    return "ambiguous-player" if len(seats) > 1 else "unknown-player"


def words(village: Village, text: str, body: str = "") -> tuple[str, c.Words]:
    """A player's line such as `GUARD Chloé`, read: the verb's English name, and what followed."""
    word, _, rest = text.partition(" ")
    verb = verb_of(word)
    assert verb is not None, text
    return verb.name, _words(village, verb, rest.strip(), body)


def _words(village: Village, verb: Verb, rest: str, body: str) -> c.Words:
    match verb.args:
        case Args.PLAYER | Args.TWO_PLAYERS | Args.PLAYERS:
            return _named(village, verb, SEPARATOR.split(rest) if rest else [])
        case Args.MAYBE_PLAYER if fold(rest) in {"", "anyone", "quiconque"}:
            return c.Words(word="ANYONE" if rest else "")
        case Args.MAYBE_PLAYER:
            return _named(village, verb, [rest])
        case Args.ROLE:
            return c.Words(word=rest) if rest in ROSTER else c.Words(fault="unknown-role", unread=rest)
        case Args.VERB:
            return c.Words(word=getattr(verb_of(rest), "name", rest)) if rest else c.Words(fault="missing-argument")
        case Args.BODY:
            return _post(village, rest or body)
        case _:
            return c.Words(text=rest or body)


def _named(village: Village, verb: Verb, said: list[str]) -> c.Words:
    if len(said) not in HOW_MANY.get(verb.args, (1,)):
        return c.Words(fault="missing-argument")
    found = [find(village.names, word) for word in said]
    fault = next((x for x in found if isinstance(x, str)), "")
    return c.Words(fault=fault) if fault else c.Words(tuple(x for x in found if isinstance(x, int)))


def _post(village: Village, text: str) -> c.Words:
    last = ELECTING.search(text.strip())
    found = find(village.names, last[1]) if last else 0
    return c.Words(text=text, elects=found if isinstance(found, int) else -1)


def admin(village: Village, word: str, rest: str, at: datetime, read: datetime | None) -> c.Command:
    """A storyteller's line, its verb apart."""
    verb = verb_of(word, ADMIN_LEXICON)
    assert verb is not None, word
    seats = [village.seat(name) for name in SEPARATOR.split(rest) if name in village.names]
    first, _, more = rest.partition(" ")
    until = rest.partition(" until ")[2]
    makers = {
        "PAUSE": lambda: c.Pause(at, read=read),
        "RESUME": lambda: c.Resume(at, read=read),
        "RESOLVE": lambda: c.Resolve(at, read=read),
        "ABORT": lambda: c.Abort(at),
        "OPEN": lambda: c.OpenRegistration(at),
        "CLOSE": lambda: c.CloseRegistration(at),
        "DEAL": lambda: c.Deal(at, table=_table(village)),
        "START": lambda: c.Start(at, table=_table(village)),
        "COMPOSITION": lambda: c.SetComposition(at, tuple(_counts(rest))),
        "EXTEND": lambda: _extend(at, rest),
        "DEADLINE": lambda: c.MoveDeadline(at, village.moment(rest)),
        "EXCUSE": lambda: c.Excuse(at, village.seat(first), village.moment(until) if until else None),
        "SMITE": lambda: c.Smite(at, village.seat(first), more, read=read),
        "REPLACE": lambda: c.Replace(at, village.seat(first), more),
        "PAIR": lambda: c.Pair(at, *seats),
        "MAYOR": lambda: c.AppointMayor(at, village.seat(rest), read=read),
        "HOLD": lambda: c.Hold(at, held=True),
        "RELEASE": lambda: c.Hold(at, held=False),
        "NARRATE": lambda: c.Narrate(at, rest),
        "ANNOUNCE": lambda: c.Announce(at, rest),
        "TELL": lambda: c.Tell(at, village.seat(first), more),
        "ORDER": lambda: _on_behalf(village, at, rest),
    }
    return makers[verb.name]()


def _table(village: Village):
    """What is dealt where nothing is composed: the program's own table is data that the engine is given."""
    return (("werewolf", 1), ("villager", len(village.game.players) - 1))


def _counts(rest: str):
    for one in rest.split():
        role, _, number = one.partition("=")
        yield role, int(number)


def _extend(at: datetime, length: str) -> c.Extend:
    return c.Extend(at, days=int(length[:-1])) if length.endswith("d") else c.Extend(at, seconds=seconds(length))


def _on_behalf(village: Village, at: datetime, rest: str) -> c.Order:
    who, _, text = rest.partition(":")
    verb, said = words(village, text.strip())
    return c.Order(at, village.seat(who.strip()), verb, said, by_storyteller=True)
