"""The commands of a mail in the order in which they stand in it, those that no verb begins included (MAIL.md § 2.3)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbem.orders import grammar

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pbem.orders.grammar import Spoken
    from pbem.orders.reading import Reading


def in_order(reading: Reading, lines: Sequence[str]) -> Iterator[Spoken | str]:
    """Commands, and `!` lines that are none (as text), by where they stand; `lines` are the mail's, quotation included.

    What the subject, the address and the first line say comes first; a post's last sentence is no command of its own.
    """
    bangs = [spoken for spoken in reading.commands if spoken.where == "bang"]
    unknown = list(reading.unknown)
    yield from (spoken for spoken in reading.commands if spoken.where not in {"bang", "closing"})
    for line in lines if unknown else ():
        words = grammar.bang(line)
        if words is None:
            continue
        if unknown and words[:200] == unknown[0]:
            yield unknown.pop(0)
        elif bangs and _says(words, bangs[0]):
            yield bangs.pop(0)
    yield from bangs
    yield from unknown


def _says(words: str, spoken: Spoken) -> bool:
    heard = grammar.admin(words) or grammar.parse(words, grammar.ADMIN_VERBS if spoken.admin else grammar.VERBS)
    return heard is not None and (heard[0].name, heard[1]) == (spoken.verb, spoken.args)
