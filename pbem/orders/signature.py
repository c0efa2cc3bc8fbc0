"""What stands below the writer's words but is not his message: signature, disclaimer, the mail program's line.

MAIL.md § 2.4. Works on one run of own lines at a time; `folded` are the same lines after `words.fold`.
"""

from __future__ import annotations

import re
from itertools import islice
from typing import TYPE_CHECKING, Final

from pbem.orders import phrases

if TYPE_CHECKING:
    from collections.abc import Sequence

_LONGEST: Final = 200
"""Characters of a program's line."""
_FEW: Final = 8
"""Lines that may stand below a drawn rule and still be a signature."""
_SIGNED: Final = 12
"""Lines of a signature below a separator that lacks its blank."""
_PARAGRAPH: Final = 100
"""Characters from which a paragraph is long enough to be a disclaimer."""


_LINKED: Final = re.compile(r"^(?:[<\[(](?:https?:|cid:|image|logo|#)[^<>\[\]()]{0,400}[>\])]\s?)+")
"""The pictures and links that programs put before their advertisement."""


def unsigned(lines: Sequence[str], folded: Sequence[str], *, quoted: bool) -> list[str]:
    """`lines` (trailing blanks kept) without banners, signature, footers and disclaimers.

    `quoted`: the mail quotes another, so that a program's line may stand alone above the quotation.
    """
    end = _separator(lines, folded)
    end = _footer(folded, end)
    end = _disclaimers(folded, end)
    end = _last_line(folded, end, alone=quoted)
    return [line.rstrip() for line in lines[_banners(folded, end) : end]]


def _banners(folded: Sequence[str], end: int) -> int:
    """Where the writer begins, below what a gateway put on top."""
    start = 0
    while start < end:
        first = start
        while first < end and (not folded[first] or phrases.RULE.match(folded[first])):
            first += 1
        last = first
        while last < end and folded[last] and last - first < _FEW and not phrases.RULE.match(folded[last]):
            last += 1
        if first == last or not phrases.BANNER.match(" ".join(folded[first:last])[:700]):
            return start
        start = last
    return start


def _separator(lines: Sequence[str], folded: Sequence[str]) -> int:
    """Where the signature separator, or a list's footer, stands; the number of lines if there is none.

    `-- ` is one wherever it stands (RFC 3676 § 4.3); forms without the blank only above a few lines, for they also
    part the scenes of a story.
    """
    for at, line in enumerate(folded):
        if phrases.SIGN.match(line) and (lines[at] == "-- " or _ends_soon(folded, at)):
            return at
        if (
            phrases.RULE.match(line)
            and line[:1] in "_-=*"
            and _is_below(folded, at, underlined=line.startswith("_" * 8))
        ):
            return at
    return len(folded)


def _ends_soon(folded: Sequence[str], at: int) -> bool:
    """Whether no more than a signature's lines follow."""
    return sum(1 for _ in islice((line for line in folded[at + 1 : at + 100] if line), _SIGNED + 1)) <= _SIGNED


def _is_below(folded: Sequence[str], at: int, *, underlined: bool) -> bool:
    """Whether what stands below a drawn rule is a list's footer, or a signature's few lines."""
    rest = [line for line in folded[at + 1 : at + 40] if line]
    if not 0 < len(rest) <= _FEW:
        return False
    told = " ".join(rest)[:1000]
    return underlined or bool(phrases.LIST_FOOTER.search(told) or phrases.CONTACT.search(told))


def _footer(folded: Sequence[str], end: int) -> int:
    """Where a mail program's own line, or the heading of a disclaimer, begins, if no more than a few lines follow."""
    for at, line in enumerate(folded[:end]):
        bare = _LINKED.sub("", line) if line[:1] in "<[(" else line
        if not bare or len(bare) > _LONGEST:
            continue
        if phrases.FOOTER.match(bare) or phrases.DISCLAIMER_HEAD.match(bare):
            return at
    return end


def _disclaimers(folded: Sequence[str], end: int) -> int:
    """Takes off the end what companies and programs add: disclaimers, pleas for trees, seals of virus scanners."""
    while True:
        last = end
        while last and (not folded[last - 1] or phrases.RULE.match(folded[last - 1])):
            last -= 1
        first = last
        while first and folded[first - 1] and not phrases.RULE.match(folded[first - 1]):
            first -= 1
        text = " ".join(folded[first:last])
        framed = last < end and first > 0 and phrases.RULE.match(folded[first - 1]) is not None
        short = len(text) <= _LONGEST and phrases.TRAILER.search(text)
        if first == last or not (short or _is_disclaimer(text, framed=framed)):
            return end
        end = first


def _is_disclaimer(text: str, *, framed: bool) -> bool:
    """Whether a paragraph is one; `framed` by drawn rules, or with a heading, it need not say much."""
    if framed or phrases.DISCLAIMER_START.match(text):
        return len(text) >= _PARAGRAPH // 2 and phrases.is_disclaimer(text[:3000], least=2)
    return len(text) >= _PARAGRAPH and phrases.is_disclaimer(text[:3000])


def _last_line(folded: Sequence[str], end: int, *, alone: bool) -> int:
    """Takes off a program's line that stands last below a blank one, or above nothing but links and drawn rules."""
    last = end
    while last and (
        not folded[last - 1] or phrases.RULE.match(folded[last - 1]) or folded[last - 1].startswith("http")
    ):
        last -= 1
    if last == 0:
        return end
    above = any(folded[: last - 1])
    lone = not folded[last - 2] if above else alone
    return last - 1 if lone and phrases.LAST_LINE.match(folded[last - 1][:200]) else end


def trimmed(lines: Sequence[str]) -> list[str]:
    """`lines` without blank lines and drawn rules at either end, and with runs of blank lines made one."""
    kept = list(lines)
    while kept and (not kept[-1].strip() or phrases.RULE.match(kept[-1])):
        kept.pop()
    start = 0
    while start < len(kept) and (not kept[start].strip() or phrases.RULE.match(kept[start])):
        start += 1
    out: list[str] = []
    for line in kept[start:]:
        if line.strip() or (out and out[-1]):
            out.append(line.strip() if not line.strip() else line)
    return out
