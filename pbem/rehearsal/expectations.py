"""What a step may expect: SCENARIOS.md's table, read strictly. What came of it is compared by `checks`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pbem.rehearsal import words
from pbem.rehearsal.shapes import Check, ScenarioError, keys, many, number, pairs, switch, text, true, word

if TYPE_CHECKING:
    from collections.abc import Collection


def expectations(names: Collection[str]) -> Check[dict[str, Any]]:
    """The check of `expect` in a game with these players."""
    who = word(names, "player")
    nobody_too = word({*names, ""}, "player")
    teller = word({*names, "storyteller"}, "player")
    roles = pairs(who, word(words.ROLES, "role"))
    reply = word(words.REPLIES, "reply")
    table: dict[str, Check[Any]] = {key: many(who) for key in ("dead", "died", "ineligible", "winners")}
    table |= dict.fromkeys(("mayor", "heir", "asked"), nobody_too)
    table |= {key: many(text) for key in ("public_has", "public_lacks")}
    table |= {
        "reply": lambda value: many(reply)(value) if isinstance(value, list) else (reply(value),),
        "phase": word(words.PHASES, "phase"),
        "cause": pairs(who, word(words.CAUSES, "cause")),
        "revealed": roles,
        "role": roles,
        "no_victim": true,
        "forged": switch,
        "votes": pairs(who, word({*names, "blank", "self"}, "vote")),
        "election": pairs(who, who),
        "winner": word(words.WINNERS, "winner"),
        "told": pairs(teller, many(_notice(names))),
        "not_told": pairs(teller, many(word(words.NOTICES, "notice"))),
        "letters": pairs(teller, number),
        "can": pairs(who, many(word(words.ENGLISH, "verb"))),
    }
    return keys(table)


def _notice(names: Collection[str]) -> Check[tuple[str, Any]]:
    """`{kind: what}` read to (kind, what); players' lists become sorted tuples, since their order says nothing."""
    who = word(names, "player")
    shapes: dict[str, Check[Any]] = {
        "true": lambda value: true(value) == "true",
        "player": who,
        "players": lambda value: tuple(sorted(many(who)(value))),
        "role": word(words.ROLES, "role"),
        "roles": pairs(who, word(words.ROLES, "role")),
        "counts": pairs(word(words.ROLES, "role"), number),
        "number": number,
        "verb": word(words.ANY_ENGLISH, "verb"),
        "missed": word({"blank", "self"}),
    }
    table = keys({kind: shapes[about] for kind, about in words.NOTICES.items()})

    def check(value: Any) -> tuple[str, Any]:
        read = table(value)
        if len(read) != 1:
            raise ScenarioError("a notice has one kind")
        return next(iter(read.items()))

    return check
