"""What stands below the writer's words but is not his message: signature, disclaimer, the mail program's line.

MAIL.md § 2.4. Works on one run of own lines at a time; `folded` are the same lines after `words.fold`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from pbem.orders import phrases

if TYPE_CHECKING:
    from collections.abc import Sequence

_FEW: Final = 8
"""Lines that may stand below a drawn rule and still be a signature."""
_PARAGRAPH: Final = 100
"""Characters from which a paragraph is long enough to be a disclaimer."""


def unsigned(lines: Sequence[str], folded: Sequence[str]) -> list[str]:
    """`lines` without signature, footers and disclaimers."""
    end = _separator(folded)
    end = _footer(folded, end)
    end = _disclaimers(folded, end)
    return list(lines[:end])


def _separator(folded: Sequence[str]) -> int:
    """Where the signature separator, or a list's footer, stands; the number of lines if there is none."""
    for at, line in enumerate(folded):
        if phrases.SIGN.match(line):
            return at
        if phrases.RULE.match(line) and line[:1] in "_-=*" and _is_below(folded, at, underlined=line.startswith("_" * 8)):
            return at
    return len(folded)


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
        if not line or len(line) > 200:
            continue
        if phrases.FOOTER.match(line) or phrases.DISCLAIMER_HEAD.match(line):
            return at
    return end


def _disclaimers(folded: Sequence[str], end: int) -> int:
    """Takes paragraphs in the language of disclaimers off the end."""
    while True:
        last = end
        while last and (not folded[last - 1] or phrases.RULE.match(folded[last - 1])):
            last -= 1
        first = last
        while first and folded[first - 1]:
            first -= 1
        text = " ".join(folded[first:last])
        if first == last or len(text) < _PARAGRAPH or not _legal(text):
            return end
        end = first


def _legal(text: str) -> bool:
    """Whether a paragraph speaks like a disclaimer: several of its stems, the more the longer it is."""
    return phrases.legal_words(text[:3000]) >= (4 if len(text) < 400 else 5)


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
