"""HTML mail to plain text that shows what was quoted.

`to_text` gives the words as a reader sees them. Whatever a mail program marked as quotation (a blockquote, its own
container, everything below its separator) comes out with `> ` before each line, so that the plain-text rules of
`pbem.orders.quotation` see it; signature containers and what is hidden are left out (MAIL.md § 2.4).
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from lxml import etree, html  # type: ignore[import-untyped]

if TYPE_CHECKING:
    from collections.abc import Iterator

MAX_HTML: Final = 1_000_000
"""Characters of HTML read."""
MAX_TEXT: Final = 200_000
"""Characters of text made of it, line ends counted; what follows is not looked at."""
MAX_DEPTH: Final = 24
"""Levels of quotation shown; deeper ones count as this deep."""

_BLOCKS: Final = frozenset(
    {
        "address", "article", "aside", "blockquote", "body", "center", "dd", "details", "div", "dl", "dt",
        "fieldset", "figure", "footer", "form", "h1", "h2", "h3", "h4", "h5", "h6", "header", "hr", "li", "main",
        "nav", "ol", "p", "pre", "section", "table", "tbody", "tfoot", "thead", "tr", "ul",
    }
)  # fmt: skip
_SKIPPED: Final = frozenset(
    {
        "script", "style", "head", "title", "meta", "link", "noscript", "template", "object", "embed", "iframe",
        "svg", "select", "button", "textarea", "xml", "s", "strike", "del",
    }
)  # fmt: skip
# Attribute words by which mail programs name the quotation they add. Matched against class, id, name and data-marker,
# with the prefixes that other programs put before them when they quote in turn (x_, yiv…, ydp…, m_…).
_QUOTE: Final = re.compile(
    r"(?:^|[\s_\-\d])(?:gmail_quote|gmail_extra|gmail_attr|yahoo_quoted|protonmail_quote|tutanota_quote|moz-cite-prefix"
    r"|moz-email-headers-table|moz-forward-container|zmail_extra|mail_quote|quoted-?text|quotedmail|quote-?header|reply-?quote"
    r"|ms-outlook-mobile-reference-message|mail-editor-reference-message-container|reply-intro|messagereplysection|isreplycontent"
    r"|sh-quoted-content|front-blockquote|replyheader|aolmail_quote|wmquote|orange_quote|lpquote|gmail_quote_container"
    r"|__quoted_text__|__headers__|infomaniak-quote|ik_mail_quote|ik_mail_forward|forwardmessage|ntes_quote|airmail_on)",
    re.IGNORECASE,
)  # fmt: skip
_NAMED_QUOTE: Final = re.compile(r"^(?:quote|reply|originalmail|ntes_.{0,20}|includetail)$", re.IGNORECASE)
# From such an element on, itself included, everything is quotation.
_CUT: Final = re.compile(
    r"(?:^|[\s_\-\d])(?:divrplyfwdmsg|appendonsend|outlookmessageheader|stopspelling|orimsghtmlseperator|zwchr|__divider__"
    r"|ms-outlook-mobile-body-separator-line|originalmessage|lotus_quote|hm_replyfwd)",
    re.IGNORECASE,
)  # fmt: skip
_SIGNATURE: Final = re.compile(
    r"(?:^|[\s_\-\d])(?:moz-signature|gmail_signature|gmail_signature_prefix|protonmail_signature_block|composer_signature"
    r"|applemailsignature|ms-outlook-mobile-signature|ymail_signature|yahoo-signature|messagesignaturesection|email_signature"
    r"|mail_signature|tutanota_signature|zmail_signature|__sig_pre__|__sig_post__|mail-signature|bloop_sign\w{0,20})",
    re.IGNORECASE,
)  # fmt: skip
_SIGNATURE_ID: Final = re.compile(r"^(?:x_)*signature$|^(?:x_)*id-\w{1,40}_signature$", re.IGNORECASE)
_RULE: Final = re.compile(
    r"border-top:\s{0,3}(?:solid\s{0,3}#?(?:e1e1e1|b5c4df)|#?(?:e1e1e1|b5c4df)\s{1,3}1)", re.IGNORECASE
)
# What is not shown, or struck out, its writer does not say.
_HIDDEN: Final = re.compile(
    r"display:\s{0,3}none|mso-hide:\s{0,3}all|visibility:\s{0,3}hidden|text-decoration[a-z-]{0,8}:[^;]{0,40}line-through",
    re.IGNORECASE,
)
_INDENT: Final = re.compile(r"border(?:-left)?:\s{0,3}(?:none|0)", re.IGNORECASE)
_BLANKS: Final = re.compile(r"[ \t\r\n\f]+")
_LABEL: Final = re.compile(
    r"\s{0,9}\*?(?:de|from|von|da|van|från|fra|od|от|发件人|差出人|寄件者)\s{0,3}[:\uff1a]", re.IGNORECASE
)


def to_text(markup: str) -> str:
    """The plain text of `markup`, quoted lines marked by `> `. Never raises; at worst the tags are just taken out."""
    source = re.sub(r"<\?xml[^>]{0,500}\?>", "", markup[:MAX_HTML].replace("\0", ""), count=1)
    try:
        root = html.document_fromstring(source, parser=html.HTMLParser(huge_tree=True, encoding=None))
    except (etree.LxmlError, ValueError, AssertionError, TypeError):
        return _stripped(source)
    page = _Page()
    _walk(root, page)
    return page.text()


def _stripped(source: str) -> str:
    return _BLANKS.sub(" ", re.sub(r"<[^<>]{0,5000}>", " ", source)).strip()


class _Page:
    """The text as it grows: finished lines with their depth, and the line at hand."""

    def __init__(self) -> None:
        self._lines: list[tuple[int, str]] = []
        self._now: list[str] = []
        self._space = False
        self._size = 0
        self.depth = 0
        self.floor = 0

    @property
    def full(self) -> bool:
        """Whether no more text is wanted."""
        return self._size > MAX_TEXT

    def words(self, text: str, *, pre: bool) -> None:
        """Adds text of one node, its blanks folded unless `pre`."""
        self._size += len(text)
        if pre:
            first, *rest = text.replace("\r\n", "\n").split("\n")
            self._now.append(first)
            for line in rest:
                self.newline(force=True)
                self._now.append(line)
            return
        folded = _BLANKS.sub(" ", text)
        if folded.startswith(" ") and self._now:
            self._space = True
        body = folded.strip(" ")
        if not body:
            return
        self._now.append((" " if self._space and self._now else "") + body)
        self._space = folded.endswith(" ")

    def newline(self, *, force: bool = False) -> None:
        if self._now or force:
            self._size += 1 + self._level()
            self._lines.append((self._level(), "".join(self._now).rstrip()))
        self._now.clear()
        self._space = False

    def gap(self) -> None:
        self.newline()
        if self._lines and self._lines[-1][1]:
            self._size += 1 + self._level()
            self._lines.append((self._level(), ""))

    def holds_words(self) -> bool:
        return bool(self._now) or any(line for _, line in self._lines)

    def _level(self) -> int:
        return min(max(self.depth, self.floor), MAX_DEPTH)

    def text(self) -> str:
        self.newline()
        out: list[str] = []
        for depth, line in self._lines:
            marked = f"{'>' * depth} {line}".rstrip() if depth else line
            if line or not out or out[-1] != marked:
                out.append(marked)
        return "\n".join(out).strip("\n")


def _walk(root: etree._Element, page: _Page) -> None:
    """Goes through the tree without recursion; `skip` is the element whose inside is left out."""
    skip: etree._Element | None = None
    opened: list[etree._Element] = []
    pre = 0
    for event, node in _events(root):
        if page.full:
            return
        if event == "end":
            if node is skip:
                skip = None
            elif skip is None:
                _close(node, page, opened)
                pre -= _is_pre(node)
            if skip is None and node.tail:
                page.words(node.tail, pre=pre > 0)
            continue
        if skip is not None:
            continue
        if _left_out(node):
            skip = node
            continue
        pre += _is_pre(node)
        _open(node, page, opened)
        if node.text:
            page.words(node.text, pre=pre > 0)


def _events(root: etree._Element) -> Iterator[tuple[str, etree._Element]]:
    for event, node in etree.iterwalk(root, events=("start", "end", "comment", "pi")):
        if event in {"comment", "pi"}:
            yield "start", node
            yield "end", node
        else:
            yield event, node


def _is_pre(node: etree._Element) -> bool:
    return node.tag in {"pre", "listing", "plaintext", "xmp"}


def _names(node: etree._Element) -> str:
    found = (node.get(key) for key in ("class", "id", "name", "data-marker"))
    return " ".join(value[:200] for value in found if value)


def _left_out(node: etree._Element) -> bool:
    if not isinstance(node.tag, str) or node.tag in _SKIPPED:
        return True
    if not node.attrib:
        return False
    if _HIDDEN.search((node.get("style") or "")[:500]):
        return True
    if node.tag in {"body", "html"}:
        return False
    return bool(_SIGNATURE.search(_names(node)) or _SIGNATURE_ID.match((node.get("id") or "")[:60]))


def _open(node: etree._Element, page: _Page, opened: list[etree._Element]) -> None:
    tag = node.tag
    if tag == "br":
        page.newline(force=True)
        return
    if tag in _BLOCKS:
        page.newline()
        if tag == "p" and page.holds_words():
            page.gap()
    if tag not in {"body", "html"} and _cuts(node):
        page.newline()
        page.floor = 1
    if _quotes(node):
        page.newline()
        page.depth += 1
        opened.append(node)
    if tag == "li":
        page.words("- ", pre=True)
    elif tag in {"td", "th"}:
        page.words(" ", pre=False)


def _close(node: etree._Element, page: _Page, opened: list[etree._Element]) -> None:
    if opened and opened[-1] is node:
        page.newline()
        opened.pop()
        page.depth -= 1
    if node.tag in _BLOCKS:
        page.newline()
        if node.tag in {"p", "blockquote", "ul", "ol", "table", "pre"}:
            page.gap()


def _quotes(node: etree._Element) -> bool:
    if node.tag == "blockquote":
        plain = not (node.get("type") or node.get("cite") or _QUOTE.search(_names(node)))
        return not (plain and _INDENT.search((node.get("style") or "")[:500]))
    if node.tag in {"body", "html"} or not node.attrib or _holds_answers(node):
        return False
    return bool(_QUOTE.search(_names(node)) or _NAMED_QUOTE.match((node.get("name") or node.get("id") or "")[:60]))


def _holds_answers(node: etree._Element) -> bool:
    """Gmail's container of a reply: its blockquotes are marked themselves, and what stands between them is answers.

    A forwarded letter in the same container bears no such marks, and dashes above.
    """
    if node.tag != "div" or "gmail_quote" not in (node.get("class") or "")[:200]:
        return False
    first = next(node.iterchildren("div"), None)
    told = "".join(text for _, text in zip(range(5), first.itertext(), strict=False)) if first is not None else ""
    return node.find("blockquote") is not None and not told.lstrip().startswith("-")


def _cuts(node: etree._Element) -> bool:
    if not node.attrib:
        return False
    if _CUT.search(_names(node)):
        return True
    if node.tag == "div" and _RULE.search((node.get("style") or "")[:500]):
        start = "".join(text for _, text in zip(range(12), node.itertext(), strict=False))
        return _LABEL.match(start[:200]) is not None
    return False
