"""Templates turned into text and HTML: each is written once and run twice, with the two halves of one kit.

A template is `letters/<kind>/<language>.j2` (or `refusals/<code>/<language>.j2`) in one of several folders, the first
that has it. Outside of the kit's blocks it is prose: paragraphs with blank lines between them, wrapped in the text
part. Tags that stand alone on a line leave no trace of it. A name that is not there is an error, never a gap.

Both shapes are rendered with values escaped, so that whatever a person wrote stays text; the plain one is then
unescaped. The look is one style sheet (`letters/_kit/letter.css`), written into the elements of each letter as it is
made, since many mail programs read nothing else.

A host's own template that cannot be rendered is a mistake that is noted (`Press.mistakes`); the letter is made of the
program's own.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

from css_inline import CSSInliner
from jinja2 import Environment, FileSystemLoader, StrictUndefined, TemplateNotFound
from jinja2.ext import Extension
from markupsafe import Markup, escape

from pbem.letters import markdown
from pbem.letters.cards import Cards
from pbem.letters.mistakes import Mistakes, Spare, UnusableError
from pbem.letters.plain import Plain, wrap
from pbem.letters.typography import BLOCK, BLOCK_END, END, RAW, Typographer, clean, too_long, trusted
from pbem.letters.verses import Verses
from pbem.letters.words import FALLBACK, Words, languages

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Mapping, MutableMapping, Sequence
    from pathlib import Path

    from jinja2 import Template

_T = TypeVar("_T")

INLINE = frozenset({"cmd", "b"})
BLOCKS = frozenset(
    {"h", "sub", "verse", "note", "items", "facts", "table", "bars", "choices", "quote"}
    | {"words", "pen", "page", "pre", "rule"}
)
"""The kit: what a template may call in either shape."""
_PREVIEW = 140
"""Characters of a letter's beginning that go into its hidden preview."""
_MOST_FEET = 1_000
_WHOLE = 25
"""Characters of `code` that fit beside the margins of a screen 320 pixels wide."""
_MOST_CHARACTERS = 95_000
"""Of a letter's HTML: Gmail cuts off what comes behind 102 kB."""
_INLINER = CSSInliner(keep_at_rules=True, minify_css=True, apply_width_attributes=True, load_remote_stylesheets=False)
_LAID_OUT = re.compile(f"{BLOCK}([^{BLOCK_END}]*){BLOCK_END}")
_GAP = re.compile(r"\n[ \t]*\n\s*")
_BLANKS = re.compile(r"[ \t\n]+")
_LONE_TAG = re.compile(r"^[ \t]*\{%(-?)[ \t]*((?:[^%]|%(?!\}))*?)[ \t]*(-?)%\}[ \t]*\n", re.MULTILINE)
_LONE_REMARK = re.compile(r"^[ \t]*\{#((?:[^#]|#(?!\}))*)#\}[ \t]*\n", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Sheet:
    """A piece of a letter in both shapes. `subject` is '' where the template gives none; it is plain text."""

    text: str
    html: str
    subject: str = ""


class _LoneTags(Extension):
    """A tag alone on its line takes the line's end into itself, so that prose keeps its lines and errors their
    numbers.
    """

    def preprocess(self, source: str, name: str | None, filename: str | None = None) -> str:  # noqa: ARG002 - jinja's shape
        source = _LONE_REMARK.sub(r"{#\1\n#}", source)
        return _LONE_TAG.sub(r"{%\1 \2\n\3%}", source)


class _Environment(Environment):
    """Jinja's, with the globals of a template as one plain dictionary: a letter of ten sections asks for them often."""

    def make_globals(self, d: MutableMapping[str, Any] | None) -> MutableMapping[str, Any]:
        return {**self.globals, **(d or {})}


class Room:
    """One language: its words, its cards, its verses, and its two ways of rendering."""

    def __init__(self, folders: Sequence[Path], language: str, spare: Spare | None = None) -> None:
        self.language = language
        self.languages = languages(folders)
        self._spare = spare
        self.words = Words(folders, language, spare)
        self.cards = Cards(folders, language, spare)
        self.verses = Verses(folders, language)
        self.typographer = Typographer(*(self.words.get("typography", key) for key in ("before", "after")))
        loader = FileSystemLoader([str(folder) for folder in folders])
        self._text = _environment(loader, self)
        self._html = _environment(loader, self)
        self.plain = Plain(self.typographer)
        self._text.globals |= {name: getattr(self.plain, name) for name in INLINE | BLOCKS}
        kit: Any = self._html.get_template("letters/_kit/html.j2").module
        self._html.globals |= {name: getattr(kit, name) for name in INLINE}
        self._html.globals |= {name: _block(getattr(kit, name)) for name in BLOCKS}
        self._paragraph: Callable[[Markup], Markup] = kit.p
        self._frame: Callable[..., Markup] = kit.frame
        self._found: dict[str, tuple[Template, Template]] = {}
        self._folders = folders
        self._rules: tuple[str, Markup] | None = None
        self._feet: dict[Hashable, Sheet] = {}

    def after(self, name: str, word: str) -> str:
        """`word` and `name`, as the language puts them together: "de Bruno", "d’Alice"."""
        return self.words.elision.joined(word, name)

    def rules(self) -> tuple[str, Markup]:
        """The rule book (`rules/<language>.md`): its source, which reads well as it is, and its HTML."""
        if self._rules is None:
            self._rules = self._safely(self._book, Room.rules)
        return self._rules

    def _book(self) -> tuple[str, Markup]:
        names = [
            folder / "rules" / f"{language}.md" for language in (self.language, FALLBACK) for folder in self._folders
        ]
        name = next(name for name in names if name.is_file())
        try:
            text = name.read_text(encoding="utf-8")
        except ValueError:
            raise UnusableError(name, "is not UTF-8") from None
        return (markdown.as_text(text), markdown.book(text))

    def _safely(self, here: Callable[[], _T], there: Callable[[Room], _T]) -> _T:
        """The work here; where a host's files make it fail, the same there, with the program's own."""
        try:
            return here()
        except Exception as error:
            if self._spare is None:
                raise
            return self._spare.instead(error, there)

    def has(self, folder: str) -> bool:
        """Whether there is a template in that folder (`letters/murder`), in this language or the common one."""
        return self._safely(lambda: self._has(folder), lambda room: room.has(folder))

    def _has(self, folder: str) -> bool:
        try:
            self._templates(folder)
        except TemplateNotFound:
            return False
        return True

    def render(self, folder: str, facts: Mapping[str, Any]) -> Sheet:
        """That folder's template, run with `facts`. Raises jinja2's errors if it is missing or wants what is
        not there, in the program's own template as well.
        """
        return self._safely(lambda: self._render(folder, facts), lambda room: room.render(folder, facts))

    def _render(self, folder: str, facts: Mapping[str, Any]) -> Sheet:
        plain, rich = self._templates(folder)
        subjects: list[str] = []

        def subject(text: object) -> str:
            subjects.append(self.plain.say(text))
            return ""

        text = self.lay_text(plain.render(facts, subject=subject))
        html = self.lay_html(rich.render(facts, subject=lambda _: ""))
        return Sheet(text, html, subjects[0] if subjects else "")

    def lay_text(self, rendered: str) -> str:
        """What a template gave, as text: blocks as they are, paragraphs wrapped, one blank line between them."""
        printed = self.typographer.plain(_unescaped(rendered))
        pieces = _LAID_OUT.split(printed)
        for n in range(0, len(pieces), 2):
            pieces[n] = "\n\n".join(
                wrap(_BLANKS.sub(" ", part)) for part in _GAP.split(pieces[n]) if part.strip(" \n\t")
            )
        return "\n\n".join(piece for piece in pieces if piece)

    def lay_html(self, rendered: str) -> str:
        """The same as HTML."""
        pieces = _LAID_OUT.split(rendered)
        for n in range(0, len(pieces), 2):
            parts = (part.strip(" \n\t") for part in _GAP.split(pieces[n]))
            pieces[n] = "\n".join(self._paragraph(trusted(part)) for part in parts if part)
        return self.typographer.html("\n".join(piece for piece in pieces if piece))

    def foot(self, key: Hashable, facts: Callable[[], Mapping[str, Any]]) -> Sheet:
        """What stands under letters of that kind; the same `key` always means the same `facts`."""
        if key not in self._feet:
            if len(self._feet) >= _MOST_FEET:
                self._feet.clear()
            self._feet[key] = self.render("letters/_foot", facts())
        return self._feet[key]

    def frame(self, title: str, masthead: str, sheets: Sequence[Sheet], foot: Sheet) -> Sheet:
        """A whole letter of these pieces, its HTML a document."""
        return self._safely(
            lambda: self._framed(title, masthead, sheets, foot), lambda room: room.frame(title, masthead, sheets, foot)
        )

    def _framed(self, title: str, masthead: str, sheets: Sequence[Sheet], foot: Sheet) -> Sheet:
        texts = [sheet.text for sheet in sheets if sheet.text]
        head = self.plain.say(masthead)
        text = self.plain.frame(head, "\n\n".join(texts), foot.text)
        start = _beginning(texts[0]) if texts else ""
        body = trusted("\n".join(sheet.html for sheet in sheets))
        html = self._frame(self.language, title, start, head, body, trusted(foot.html))
        return Sheet(text, _dressed(str(html)), title)

    def _templates(self, folder: str) -> tuple[Template, Template]:
        if folder not in self._found:
            names = [f"{folder}/{language}.j2" for language in dict.fromkeys((self.language, FALLBACK))]
            self._found[folder] = (self._text.select_template(names), self._html.select_template(names))
        return self._found[folder]


class Press:
    """The rooms of all languages, opened when they are wanted. `folders`: the first that has a template wins, and the
    last is the program's own. `mistakes` are those of the others, as far as they have come to light.
    """

    def __init__(self, folders: Sequence[Path]) -> None:
        self._folders = tuple(folders)
        self._rooms: dict[str, Room] = {}
        self._own = Press(self._folders[-1:]) if len(self._folders) > 1 else None
        self.mistakes = Mistakes(self._folders[:-1])
        self.languages = languages(self._folders)

    def room(self, language: str) -> Room:
        """That language's room; of one that is not spoken here, the common one's."""
        code = language if language in self.languages else FALLBACK
        if code not in self._rooms:
            self._rooms[code] = self._opened(code)
        return self._rooms[code]

    def _opened(self, code: str) -> Room:
        own = self._own
        if own is None:
            return Room(self._folders, code)
        spare = Spare(lambda: own.room(code), self.mistakes)
        try:
            return Room(self._folders, code, spare)
        except Exception as error:  # noqa: BLE001 - whatever a host's files hold, letters are written
            return spare.instead(error, lambda room: room)


def _environment(loader: FileSystemLoader, room: Room) -> Environment:
    environment = _Environment(
        loader=loader,
        autoescape=True,
        undefined=StrictUndefined,
        finalize=_shown,
        extensions=[_LoneTags],
        cache_size=-1,
        auto_reload=False,
    )
    environment.globals |= {"lang": room.language, "word": room.words, "count": room.words.count, "card": room.cards}
    environment.globals |= {"g": _gendered, "RAW": trusted(RAW), "END": trusted(END)}
    environment.filters |= {"raw": _raw, "lines": _broken, "pen": markdown.gently, "long": _long, "whole": _whole}
    environment.filters |= {"printed": room.typographer.plain, "after": room.after}
    return environment


def _shown(value: object) -> object:
    """What an expression may leave in a letter: no control characters, and never a None."""
    if isinstance(value, Markup):
        return value
    if value is None:
        raise TypeError("a template prints None")
    return clean(value) if isinstance(value, str) else value


def _gendered(who: Any, masculine: str, feminine: str) -> str:
    """The form for somebody's gender (anything with a `gender`)."""
    return feminine if who.gender == "f" else masculine


def _raw(value: object) -> Markup:
    return trusted(RAW + escape(value if isinstance(value, Markup) else clean(str(value))) + END)


def _broken(value: object) -> Markup:
    """Somebody's words, line breaks kept."""
    return trusted(RAW + escape(clean(str(value)).strip("\n")).replace("\n", Markup("<br>\n")) + END)


def _long(value: object, columns: int = 2) -> Markup:
    """The class of a table's cell that holds a word so long that it must be broken, or the table outgrows a phone."""
    text = value.striptags() if isinstance(value, Markup) else str(value)
    return trusted(' class="long"' if too_long(text, columns) else "")


def _whole(value: object) -> Markup:
    """The class of something to type that is short enough to stay on one line on any phone, though it holds hyphens."""
    text = str(value)
    return trusted(' class="whole"' if "-" in text and " " not in text and len(text) <= _WHOLE else "")


def _block(macro: Callable[..., Markup]) -> Callable[..., Markup]:
    def block(*args: object) -> Markup:
        return trusted(f"\n\n{BLOCK}{macro(*args)}{BLOCK_END}\n\n")

    return block


def _dressed(html: str) -> str:
    """The letter with its looks; where that makes it more than mail programs show, its buttons go without theirs."""
    whole = _INLINER.inline(html)
    if len(whole) > _MOST_CHARACTERS:
        whole = _INLINER.inline(html.replace('<a class="button"', '<a class="brief"'))
    return whole


def _beginning(text: str) -> str:
    """What a mailbox shows beside the subject: the first words, without rules and lines to copy."""
    lines = (line.strip() for line in text.split("\n")[:12] if not line.startswith(("─", "┄", "    ")))
    return " ".join(line for line in lines if line)[:_PREVIEW]


def _unescaped(text: str) -> str:
    """What `escape` did, undone (and nothing else)."""
    if "&" not in text:
        return text
    for entity, char in (("&lt;", "<"), ("&gt;", ">"), ("&#39;", "'"), ("&#34;", '"'), ("&amp;", "&")):
        text = text.replace(entity, char)
    return text
