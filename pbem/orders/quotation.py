"""The writer's own words: a mail's text without what he quotes, forwards, signs with, or what programs add to it.

MAIL.md § 2.4. In doubt a line is quotation: it is safer to lose a word than to execute or publish another's. Inline
answers between quoted lines are the writer's. Work is linear: each line is folded once and at most `_SPAN` lines are
joined to look for a header.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from pbem.orders import phrases, signature
from pbem.orders.words import fold, spaced

if TYPE_CHECKING:
    from collections.abc import Sequence

_SPAN: Final = 6
"""Lines over which one "On … wrote:" may be wrapped."""
_LONGEST: Final = 500
"""Characters of a line, and of a header, that are looked at."""
_SHORT: Final = 250
"""Characters of a separator, or of a header that only its date and address show."""
_FULL: Final = 66
_STUMP: Final = 40
"""Characters of a quoted line that a program wrapped, and of what it left on the next."""
_NAME: Final = 4
_NAMES: Final = 12
"""Words of a name before "a écrit :"; of whatever stands before it above marked lines."""
_LABELS: Final = 4
_BLOCK: Final = 14
"""Lines within which the labels of one header block stand."""

_MARKED: Final = re.compile(r"\s{0,4}(?:[>\uff1e]|&gt;|\|(?!.*\|\s*$)(?:\s|$)|[A-Za-z]{1,10}>(?:\s|$))")
_LABEL: Final = re.compile(r"^[\s*_|>]{0,6}([^\d\W][^:\n]{0,24}?)[\s*_]{0,3}:(?!//)[\s*_]{0,4}(.*)$")
_TITLE: Final = re.compile(
    r"^[\s*>]{0,6}[-_=*~\u2013\u2014]{2,60}\s?[^\s_=*~-][^_=*~]{2,60}?\s?[-_=*~\u2013\u2014]{2,60}$"
)
_SENTENCE: Final = re.compile(r"[^\W\d_]{3}[.!?]\s")
_ORANGE: Final = re.compile(r"^[\s*_|>]{0,6}message du \d")


@dataclass(frozen=True, slots=True)
class Own:
    """`lines`: the writer's own, in order, blank ones kept between. `quoted`: whether any quotation was found."""

    lines: tuple[str, ...]
    quoted: bool

    @property
    def text(self) -> str:
        """The lines as one text, without blank ones at its ends."""
        return "\n".join(self.lines).strip("\n").strip()


def own_words(text: str) -> Own:
    """Splits `text`, a body with line feeds as line ends."""
    lines = spaced(text).split("\n")
    page = _Page(lines, [fold(line[:_LONGEST]) for line in lines])
    kinds = page.classify()
    segments = _segments(lines, page.folded, kinds)
    kept: list[str] = []
    for own, folded in segments:
        kept += signature.unsigned(own, folded, quoted=not all(kinds))
        kept.append("")
    return Own(tuple(signature.trimmed(kept)), quoted=not all(kinds))


def _segments(lines: Sequence[str], folded: Sequence[str], kinds: Sequence[bool]) -> list[tuple[list[str], list[str]]]:
    """The runs of own lines between quotations."""
    found: list[tuple[list[str], list[str]]] = []
    for at, mine in enumerate(kinds):
        if not mine:
            continue
        if not at or not kinds[at - 1] or not found:
            found.append(([], []))
        found[-1][0].append(lines[at])
        found[-1][1].append(folded[at])
    return found


class _Page:
    """A body's lines, raw and folded, and what is quotation among them."""

    def __init__(self, lines: list[str], folded: list[str]) -> None:
        self.lines = lines
        self.folded = folded
        self.marked = [_MARKED.match(line) is not None for line in lines]
        self._unmark_tables()
        self._unmark_wrapped()

    def _unmark_tables(self) -> None:
        """A lone `|` or `Name>` line is no quotation; two neighbours, or one below a header, are."""
        for at, line in enumerate(self.lines):
            if not self.marked[at] or line.lstrip().startswith((">", "&gt;")):
                continue
            near = [self.lines[n] for n in (at - 2, at - 1, at + 1, at + 2) if 0 <= n < len(self.lines)]
            prefix = line.lstrip().split(None, 1)[0]
            alike = any(other.lstrip().startswith(prefix) for other in near)
            header = any(phrases.WROTE_END.search(fold(other[:_LONGEST])) for other in near)
            self.marked[at] = alike or header

    def _unmark_wrapped(self) -> None:
        """`> a écrit :` below an address whose bracket is still open is the end of a header, not a quoted line."""
        for at in range(1, len(self.lines)):
            opened = self.lines[at - 1].rpartition("<")[2][-_LONGEST:] if self.marked[at] else ""
            if ">" not in opened and "@" in opened and phrases.WROTE.match(self.folded[at].lstrip("> ")):
                self.marked[at] = self.marked[at - 1]

    def classify(self) -> list[bool]:
        """For each line whether it is the writer's own."""
        mine = [not marked for marked in self.marked]
        for at in range(len(self.lines)):
            if self.marked[at]:
                if phrases.GROUPWISE.match(self.folded[at]) and not self._marked_next(at + 1):
                    return _cut(mine, at)
                continue
            if not self.folded[at]:
                continue
            if self._cuts(at) or self._inline(at):
                return _cut(mine, at)
            span = self._attribution(at)
            if span is None:
                continue
            if not self._marked_next(at + 1):
                return _cut(mine, span)
            mine[span : at + 1] = [False] * (at + 1 - span)
        self._continuations(mine)
        return mine

    def _marked_next(self, at: int) -> bool:
        """Whether the next line that is not blank is marked as quoted."""
        while at < len(self.lines) and not self.folded[at]:
            at += 1
        return at < len(self.lines) and self.marked[at]

    def _cuts(self, at: int) -> bool:
        line = self.folded[at]
        if len(line) <= _SHORT and phrases.CUT.match(line):
            return True
        return self._header_block(at) or self._foreign_block(at) or self._notes_header(at) or self._title(at)

    def _foreign_block(self, at: int) -> bool:
        """A header block in whatever language: a sender with his address, a date and time, two labels more."""
        if not phrases.BRACKETED.search(self.folded[at][:_LONGEST]):
            return False
        block = self.folded[at : at + _LABELS]
        labelled = len(block) == _LABELS and all(_LABEL.match(line[:200]) for line in block)
        return labelled and phrases.CLOCK.search(block[1][:_SHORT]) is not None

    def _title(self, at: int) -> bool:
        """Words between drawn rules right above a header block, in whatever language."""
        if len(self.folded[at]) > _SHORT or not _TITLE.match(self.folded[at]):
            return False
        below = next((n for n in range(at + 1, min(at + 3, len(self.lines))) if self.folded[n]), None)
        return below is not None and self._header_block(below)

    def _inline(self, at: int) -> bool:
        """A header with the quotation behind it on one line."""
        head = phrases.WROTE_INLINE.match(self.folded[at])
        if head is None or head.end() >= len(self.folded[at]):
            return False
        told = head[0]
        return bool(phrases.STARTER.match(told) and phrases.EMAIL.search(told) and phrases.WHEN.search(told))

    def _header_block(self, at: int) -> bool:
        """`De : … Envoyé : … À : … Objet : …`, in any order and language, from the line `at` on."""
        first = _label(self.folded[at])
        if first is None or first in {"other", "cc"}:
            return False
        kinds = {first}
        apart = 0
        for line in self.folded[at + 1 : at + _BLOCK]:
            if not line:
                apart += 1
                if apart > 1 and len(kinds) == 1:
                    break
                continue
            kind = _label(line)
            if kind is None and apart:
                break
            if kind is not None:
                kinds.add(kind)
                apart = 0
        told = len(kinds & {"date", "subject"})
        return "from" in kinds and bool(told) and len(kinds) >= (2 if "date" in kinds or self._sender(at) else 3)

    def _sender(self, at: int) -> bool:
        """Whether a block that starts here names its sender by address, or begins with a sender and a date."""
        head = self.folded[at : at + 3]
        return bool(phrases.EMAIL.search(" ".join(head)) and _label(head[0]) == "from")

    def _notes_header(self, at: int) -> bool:
        """Notes: the sender, then a date, then labels that stand alone or before a tab."""
        if not phrases.EMAIL.search(self.folded[at]) or len(self.folded[at]) > _SHORT:
            return False
        rest = [line for line in self.folded[at + 1 : at + 12] if line]
        if not rest or len(rest[0]) > _STUMP or not phrases.WHEN.search(rest[0]):
            return False
        words = {phrases.LABELS.get(line.split("\t")[0].strip()) for line in rest[1:]}
        return "subject" in words and "to" in words

    def _attribution(self, end: int) -> int | None:
        """If a header like "Le … a écrit :" ends on the line `end`: the line on which it begins."""
        tail = self.folded[end]
        quoted_next = self._marked_next(end + 1)
        if len(tail) > _LONGEST - 1 or not _may_end(tail, quoted=quoted_next):
            return None
        window = " ".join(self.folded[max(0, end - _SPAN + 1) : end + 1])[-_LONGEST:]
        if not quoted_next and "@" not in window and not phrases.WROTE.search(window):
            return None  # nearly every line that ends in a colon
        best: int | None = None
        joined = ""
        for start in range(end, max(-1, end - _SPAN), -1):
            if self.marked[start] or not self.folded[start]:
                break
            joined = f"{self.folded[start]} {joined}".strip()
            if len(joined) > _LONGEST:
                break
            if not _is_attribution(joined, quoted=quoted_next):
                continue
            starter = phrases.STARTER.match(self.folded[start])
            if starter and phrases.WHEN.search(joined):
                return start
            if best is None:
                best = start
        if best is not None and self.folded[best].startswith("<") and best and self.folded[best - 1]:
            best -= not self.marked[best - 1]
        return best

    def _continuations(self, mine: list[bool]) -> None:
        """Takes back the ends of quoted lines that a program wrapped without marking them."""
        for at in range(1, len(mine) - 1):
            before, line = self.lines[at - 1], self.lines[at]
            wrapped = mine[at] and self.marked[at - 1] and self.marked[at + 1] and self.folded[at]
            if wrapped and len(before) >= _FULL and len(line) < _STUMP and (line[:1].islower() or line.startswith("!")):
                mine[at] = False


def _cut(mine: list[bool], at: int) -> list[bool]:
    return mine[:at] + [False] * (len(mine) - at)


def _label(folded: str) -> str | None:
    """The kind of label (`from`, `date`, …) that a folded line begins with."""
    if _ORANGE.match(folded):
        return "date"
    found = _LABEL.match(folded[:200])
    return phrases.LABELS.get(found[1].strip(" *_")) if found else None


def _may_end(tail: str, *, quoted: bool) -> bool:
    if tail.endswith("--"):
        return tail.startswith("--") and phrases.WROTE_END.search(tail) is not None
    return tail.rstrip("*_ ").endswith((":", ";", "\uff1a")) or quoted


def _is_attribution(joined: str, *, quoted: bool) -> bool:
    """Whether a folded line tells who wrote the lines below it, and when."""
    colon = joined.rstrip("*_ ").endswith((":", ";", "\uff1a"))
    dashes = joined.endswith("--") and joined.startswith("--")
    address, when = phrases.EMAIL.search(joined), phrases.WHEN.search(joined)
    dated = when is not None and phrases.STARTER.match(joined) is not None and len(joined) <= _SHORT
    named = phrases.BRACKETED.search(joined) is not None and not _SENTENCE.search(joined)
    if quoted and colon and (dated or named or phrases.QUOTING.match(joined) or phrases.WHEN_LAST.match(joined)):
        return True
    wrote = phrases.WROTE_END.search(joined)
    if wrote and phrases.PRONOUN.search(joined[: wrote.start()]):
        return False  # "Le 7 à 19:02 j'ai vu Jean. Il a écrit :" is talk
    if wrote and (colon or dashes or quoted):
        return bool(address or when) or _bare_name(joined[: wrote.start()], quoted=quoted)
    if not (colon or dashes):
        return quoted and address is not None and when is not None and len(joined) <= _SHORT
    mid = phrases.WROTE_MID.search(joined)
    if mid and when and (address or quoted or (phrases.STARTER.match(joined) and not _talks(mid[0], joined))):
        return len(joined) <= _SHORT
    return when is not None and (phrases.BRACKETED.search(joined) is not None or (quoted and address is not None))


def _talks(verb: str, joined: str) -> bool:
    """Whether a line with such a verb in its middle may be a sentence: programs give the time of day, too."""
    return phrases.WROTE_TALK.search(verb) is not None and not phrases.CLOCK_TIME.search(joined)


def _bare_name(before: str, *, quoted: bool) -> bool:
    """Nothing but a name before "a écrit :", so at most a few words; a longer sentence is the writer's own."""
    count = len(before.split())
    if quoted:
        return 1 <= count <= _NAMES and not re.search(r"[.!?]\s", before)
    return 1 <= count <= _NAME and not re.search(r"[.!?,;]\s", before) and phrases.NO_NAME.isdisjoint(before.split())
