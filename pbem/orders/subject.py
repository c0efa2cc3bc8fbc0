"""A Subject line taken apart: reply and forward prefixes, marks that servers add, the game's code and tag, the words.

MAIL.md § 1 and § 2.1.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final
from urllib.parse import unquote

from pbem.orders.words import fold, spaced, undecorated

if TYPE_CHECKING:
    from collections.abc import Collection

    from pbem.orders.house import House

_LONGEST: Final = 1_000

_PREFIXES: Final = frozenset(
    fold(word)
    for word in [
        "re",
        "ré",
        "rép",
        "rep",
        "réf",
        "ref",
        "réponse",
        "reponse",
        "tr",
        "trans",
        "transf",
        "transféré",
        "transfert",
        "fwd",
        "fw",
        "fd",
        "forward",
        "aw",
        "antw",
        "antwort",
        "wg",
        "weitergeleitet",
        "sv",
        "vs",
        "svar",
        "vb",
        "vl",
        "vidaresänt",
        "doorst",
        "doorgestuurd",
        "rif",
        "r",
        "i",
        "inoltra",
        "inol",
        "res",
        "resp",
        "rv",
        "rs",
        "enc",
        "encaminhado",
        "ynt",
        "ilt",
        "odp",
        "pd",
        "atb",
        "ang",
        "fs",
        "továbbítás",
        "válasz",
        "vál",
        "továbbít",
        "rtr",
        "rst",
        "на",
        "отв",
        "ответ",
        "пересл",
        "fyi",
        "bls",
        "hl",
        "ha",
        "回",
        "回复",
        "回覆",
        "答复",
        "转发",
        "轉寄",
        "返信",
        "転送",
        "답장",
        "전달",
        "απ",
        "πρθ",
        "σχετ",
        "ext",
        "external",
        "externe",
        "extern",
        "mail-extern",
        "spam",
        "caution",
        "reponse-a",
        "objet",
        "sujet",
        "subject",
    ]
)
_PREFIX: Final = re.compile(r"^([^\s:\[\](){}<>\d^]{1,14}) ?(?:\[\d{1,4}\]|\(\d{1,4}\)|\^\d{1,4}|\d{1,3})? ?[:\uff1a]")
_MARK: Final = re.compile(
    r"^(?:\[[^\[\]]{0,60}\]|\{[^{}]{0,40}\}|\*{2,5}[^*]{1,40}\*{2,5}|<<?(?:ext|external|externe)>>?|\(ext(?:ern(?:al|e)?)?\))",
    re.IGNORECASE,
)
_BRACKETS: Final = re.compile(r"\[ ?([A-Za-z0-9][A-Za-z0-9-]{0,19}) ?(?:: ?([A-Za-z0-9]{16}) ?)?\]")
_WAS: Final = re.compile(r" ?[(\[](?:was|était|etait|anciennement|war) ?: ?.{0,400}[)\]]$", re.IGNORECASE)
"""What people put behind a subject that they changed."""
_CODE: Final = re.compile(r"[a-z]{1,10}\d{1,6}", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Subject:
    """`words` is what is left for a command; `reply`: it began with a reply or forward prefix."""

    words: str
    code: str | None
    tag: str | None
    reply: bool


def take_apart(subject: str, house: House) -> Subject:
    """`subject` (decoded) in its pieces; the code in capitals."""
    line = " ".join(spaced(subject[:_LONGEST]).split())
    if "%20" in line and " " not in line:
        line = " ".join(unquote(line).split())  # a mailto link that a program did not decode
    code = tag = None
    for found in _BRACKETS.finditer(line):
        if not _is_code(found[1], found[2], house.codes):
            continue
        code, tag = code or found[1].upper(), tag or (found[2].lower() if found[2] else None)
        line = line.replace(found[0], " ", 1)
    words, reply = _unprefixed(_WAS.sub("", " ".join(line.split())))
    return Subject(words, code, tag, reply)


def unmarked(line: str) -> str:
    """A subject without the marks that gateways put before it (`[EXT]`, `***SPAM***`)."""
    while mark := _MARK.match(line):
        line = line[mark.end() :].lstrip()
    return line


def _is_code(code: str, tag: str | None, known: Collection[str]) -> bool:
    if tag is not None or code.upper() in known:
        return True
    return not known and _CODE.fullmatch(code) is not None


def _unprefixed(line: str) -> tuple[str, bool]:
    reply = False
    while True:
        line = undecorated(line.lstrip(" -–—:"))
        if mark := _MARK.match(line):
            line = line[mark.end() :]
        elif (prefix := _PREFIX.match(line)) and fold(prefix[1]).rstrip(".") in _PREFIXES:
            line, reply = line[prefix.end() :], True
        else:
            return line.strip(), reply
