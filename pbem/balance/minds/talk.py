"""Statements as sentences, and back: what bots say to each other in the village and in the pack.

They speak French, like the villages they are made for. Names may hold anything but the mark that ends the sentence.
"""

from __future__ import annotations

import re
import tomllib
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from pbem import resources
from pbem.app import rolenames
from pbem.balance.minds.facts import ACCUSE, CLAIM, PREY, SAW, Statement

if TYPE_CHECKING:
    from collections.abc import Iterable

_SENTENCES: Final = {
    ACCUSE: "J’accuse {who}.",
    CLAIM: "Mon rôle : {role}.",
    SAW: "J’ai vu {who} : {role}.",
    PREY: "Cette nuit, prenons {who}.",
}
_READ: Final = {
    kind: re.compile(re.sub(r"\\{(who|role)\\}", r"(?P<\1>[^.:!?]+?)", re.escape(sentence)))
    for kind, sentence in _SENTENCES.items()
}
_BLANKS: Final = re.compile(r"\s+")


@lru_cache(maxsize=64)
def _role(slug: str) -> str:
    card = tomllib.loads((resources.templates_dir() / "roles" / slug / "fr.toml").read_text("utf-8"))
    return str(card["bare"]["m"])


def say(statements: Iterable[Statement]) -> str:
    """The sentences, one a statement."""
    return " ".join(
        _SENTENCES[s.kind].format(who=s.who, role=_role(s.role) if s.role else "") for s in statements
    )  # fmt: skip


@lru_cache(maxsize=4096)
def read(text: str) -> tuple[Statement, ...]:
    """The statements in a text, in the order in which they stand there; what is none is small talk."""
    line = _BLANKS.sub(" ", text)
    found = [(match.start(), kind, match.groupdict()) for kind, form in _READ.items() for match in form.finditer(line)]
    statements = []
    for _, kind, words in sorted(found, key=lambda item: item[0]):
        role = rolenames.find(words["role"]) if "role" in words else ""
        if role is not None:
            statements.append(Statement(kind, words.get("who", ""), role))
    return tuple(statements)
