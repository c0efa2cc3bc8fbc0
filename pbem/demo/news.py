"""What a letter tells its reader, as facts that a bot's mind takes in: read off the French text, as a player would.

Only words that stand in the letter count. What is not understood is no fact; a bot then knows less, and plays on.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from pbem.app import rolenames
from pbem.balance.minds import facts as f
from pbem.balance.minds import talk

if TYPE_CHECKING:
    from collections.abc import Iterator

_DAY: Final = re.compile(r"^Le jour (\d+) se lève$", re.MULTILINE)
_LIVING: Final = re.compile(r"En vie \(\d+\)\s+(.+?)(?:\n\s*\n|\Z)", re.DOTALL)
_POST: Final = re.compile(r"^Jour \d+ · ([^,\n]+).*\n", re.MULTILINE)
_PACK_TALK: Final = re.compile(r"^À la meute · (.+)\n", re.MULTILINE)
_VOTES: Final = re.compile(r"^Votant\s+Vote *\n.*\n((?:.+\n?)+)", re.MULTILINE)
_GRAVES: Final = re.compile(r"^Au cimetière\s+Rôle\s+Fin *\n.*\n((?:.+\n?)+)", re.MULTILINE)
_CELLS: Final = re.compile(r"\s{2,}")
_MAYOR: Final = re.compile(r"^\s*Maire\s{2,}(.+?)\s*$", re.MULTILINE)
_ROLE: Final = re.compile(r"^Vous êtes (une? .+)$", re.MULTILINE)
_PACK: Final = re.compile(r"(?:Vous chassez avec|Votre meute :) ([^.:]+)\.")
_NEWCOMER: Final = re.compile(r"^([^.:;]+) vient de rejoindre la meute, et sait", re.MULTILINE)
_LOVER: Final = re.compile(r"Vous aimez (.+?), et (?:il|elle) vous aime")
_SEEN: Final = re.compile(r"^(.+?) est (une? [^.]+)\.$", re.MULTILINE)
_GLIMPSED: Final = re.compile(r"vous avez vu : (.+?) est du côté de la nuit")
_SPIED: Final = re.compile(r"c’est (.+?), (l[ea’]\s?.+?)\.")
_CHILD: Final = re.compile(r"la meute a reconnu (.+?) :")
_BEAST: Final = re.compile(r"La meute n’est pas seule à chasser : (.+?) est ")
_THREAT: Final = re.compile(r"Cette nuit, la mort menace (.+?)\.\s")
_COUNT: Final = re.compile(r"ce rôle a été donné à (\d+|aucun)[^:]*: (.+?)\.")


def names(listed: str) -> tuple[str, ...]:
    """The names of a list in prose: commas, and "et" before the last."""
    return tuple(name for name in re.split(r",\s+|\s+et\s+", " ".join(listed.split())) if name)


def public(text: str) -> Iterator[f.Public]:
    """What a letter to the village tells, in the order in which it happened: votes, deaths, the office, the day."""
    post = _POST.search(text)
    if post:
        statements = talk.read(text[post.end() :])
        if statements:
            yield f.Said(post[1].strip(), statements)
        return
    for block in _VOTES.findall(text):
        yield f.Voted(tuple((row[0], row[1]) for row in _rows(block, 2)))
    for block in _GRAVES.findall(text):
        for who, role, how in _rows(block, 3):
            slug = rolenames.find(role)
            if slug:
                yield f.Fell(who, slug, burned=how.startswith("brûl"))
    mayor = _MAYOR.search(text)
    if mayor:
        yield f.Mayor("" if mayor[1] == "personne" else mayor[1])
    day, living = _DAY.search(text), _LIVING.search(text)
    if day and living:
        yield f.Dawn(int(day[1]), names(living[1]))


def _rows(block: str, cells: int) -> list[list[str]]:
    rows = (_CELLS.split(line.strip()) for line in block.splitlines())
    return [row for row in rows if len(row) == cells]


def private(text: str) -> Iterator[f.Fact]:
    """What a letter tells its one reader."""
    whispered = _PACK_TALK.search(text)
    if whispered:
        yield f.Whispered(whispered[1].strip(), talk.read(text[whispered.end() :]))
        return
    flat = " ".join(text.split())
    yield from _of_oneself(text, flat)
    yield from _of_others(text, flat)
    threat = _THREAT.search(flat + " ")
    if threat:
        yield f.Threatened(names(threat[1]))
    count = _COUNT.search(flat)
    slug = rolenames.find(count[2]) if count else None
    if count and slug:
        yield f.Counted(slug, int(count[1]) if count[1].isdigit() else 0)


def _of_oneself(text: str, flat: str) -> Iterator[f.Fact]:
    role = _ROLE.search(text)
    slug = rolenames.find(role[1]) if role else None
    if slug:
        yield f.Became(slug)
    for listed in (*_PACK.findall(flat), *_NEWCOMER.findall(text)):
        yield f.Pack(names(listed))
    lover = _LOVER.search(flat)
    if lover:
        yield f.Loves(lover[1])


def _of_others(text: str, flat: str) -> Iterator[f.Fact]:
    if "Ce que vous avez vu" in text:
        for who, role in _SEEN.findall(text):
            slug = rolenames.find(role)
            if slug:
                yield f.Learnt(who, slug)
    if "On vous a vu" in text:
        spy = _SPIED.search(flat)
        slug = rolenames.find(spy[2]) if spy else None
        if spy and slug:
            yield f.Learnt(spy[1], slug)
    for form, slug in ((_GLIMPSED, "werewolf"), (_CHILD, "little-child"), (_BEAST, "beast")):
        found = form.search(flat)
        if found:
            yield f.Learnt(found[1], slug)
