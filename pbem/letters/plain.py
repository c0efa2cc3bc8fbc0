"""The kit of blocks that letters are written with, in plain text, wrapped at `WIDTH` columns.

Its other half, in HTML, is `letters/_kit/html.j2` in the folder of templates: the same names, the same arguments. A
block takes text, or what another piece of the kit made, and is marked as laid out (`typography.BLOCK`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from markupsafe import Markup, escape

from pbem.letters.typography import BLOCK, BLOCK_END, END, RAW, clean, trusted

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from pbem.letters.acts import Choice
    from pbem.letters.typography import Typographer

WIDTH = 76
_LABEL = 24
_NEVER_FIRST = "!?:;»>"
"""No line is broken before these: a `!` there would make a command of it, a `>` a quotation."""
_BAR = 20


def wrap(text: str, first: str = "", rest: str = "", width: int = WIDTH) -> str:
    """`text` in lines of at most `width` columns, broken at plain spaces only; a longer word keeps its line."""
    lines, line, indent = [], first, first
    for word in _words(calm(text) if not first.strip() else text):
        if line != indent and len(line) + len(word) >= width:
            lines.append(line)
            line = indent = rest
        line += word if line == indent else f" {word}"
    return "\n".join([*lines, line])


def _words(text: str) -> list[str]:
    """What may be parted from what stands before it."""
    words: list[str] = []
    for word in text.replace("\n", " ").split(" "):
        if words and word and word[0] in _NEVER_FIRST:
            words[-1] += f" {word}"
        elif word:
            words.append(word)
    return words


def calm(text: str) -> str:
    """`text`, with a dot before it if it begins with a `!`: sent back unquoted, no line of ours may be a command."""
    return f"· {text}" if text.lstrip().startswith("!") else text


class Plain:
    """The kit, for one language's `typographer`."""

    def __init__(self, typographer: Typographer) -> None:
        self._typographer = typographer

    def say(self, value: object) -> str:
        """`value` as printed text on one line."""
        text = value.unescape() if isinstance(value, Markup) else clean(str(value))
        return " ".join(part for part in self._typographer.plain(text).split("\n") if part)

    # --- inline -----------------------------------------------------------------------------------------------

    def cmd(self, line: object) -> Markup:
        """Something to type."""
        return trusted(RAW + escape(clean(str(line))) + END)

    def b(self, value: object) -> Markup:
        """Something to notice."""
        return escape(value if isinstance(value, Markup) else clean(str(value)))

    # --- blocks -----------------------------------------------------------------------------------------------

    def h(self, title: object) -> Markup:
        """A heading."""
        text = calm(self.say(title))
        return _block(f"{text}\n{'─' * len(text)}")

    def sub(self, title: object) -> Markup:
        """A heading below the last one."""
        text = calm(self.say(title))
        return _block(f"{text}\n{'┄' * len(text)}")

    def verse(self, text: object) -> Markup:
        """A line of atmosphere."""
        return _block(wrap(self.say(text), "    ", "    "))

    def note(self, text: object) -> Markup:
        """Small print."""
        return _block(wrap(self.say(text)))

    def items(self, values: Iterable[object]) -> Markup:
        """A list."""
        return _block("\n".join(wrap(self.say(value), "- ", "  ") for value in values))

    def facts(self, rows: Iterable[tuple[object, object]]) -> Markup:
        """Labels and what stands beside them."""
        said = [(self.say(label), self.say(value)) for label, value in rows]
        width = min(max((len(label) for label, _ in said), default=0), _LABEL)
        return _block("\n".join(_fact(label, value, width) for label, value in said))

    def table(self, head: Sequence[object], rows: Iterable[Sequence[object]]) -> Markup:
        """Columns under a head."""
        cells = [[self.say(cell) for cell in row] for row in (head, *rows)]
        widths = [max(len(row[n]) for row in cells) for n in range(len(head))]
        lines = [
            "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in cells
        ]
        return _block("\n".join([lines[0], "  ".join("─" * width for width in widths), *lines[1:]]))

    def bars(self, rows: Sequence[tuple[object, int, object]]) -> Markup:
        """A bar chart: rows of label, number, and the number in words."""
        said = [(self.say(label), n, self.say(words)) for label, n, words in rows]
        width = max((len(label) for label, _, _ in said), default=0)
        most = max((n for _, n, _ in said), default=0) or 1
        return _block(
            "\n".join(
                f"{label.ljust(width)}  {'█' * max(1, round(n * _BAR / most))} {words}" for label, n, words in said
            )
        )

    def choices(self, choices: Sequence[Choice]) -> Markup:
        """What can be chosen, each with one touch; here as lines to copy, under a label where they do not tell
        enough.
        """
        return _block("\n".join(self._choice(choice) for choice in choices))

    def _choice(self, choice: Choice) -> str:
        line = f"    {clean(choice.line)}"
        return line if choice.label in choice.line else f"  {self.say(choice.label)}\n{line}"

    def quote(self, text: object) -> Markup:
        """Somebody's words, set apart."""
        return _block("\n".join(_kept(line, "> ").rstrip() for line in _lines(text)))

    def words(self, text: object) -> Markup:
        """Somebody's words, as the body of a letter."""
        return _block("\n".join(_kept(line) for line in _lines(text)))

    def pen(self, text: object) -> Markup:
        """The storyteller's words, lightly marked up."""
        return _block("\n".join(_kept(calm(line)) for line in _lines(text)))

    def page(self, text: object, html: Any) -> Markup:  # noqa: ARG002 - the other half of the kit uses it
        """A page written beforehand in both shapes: this one is its text."""
        return _block(
            "\n".join(
                line if line.startswith("    ") else wrap(line, "", "  " if line.startswith("- ") else "")
                for line in _lines(text)
            )
        )

    def pre(self, lines: Iterable[object]) -> Markup:
        """Lines for a machine's eye, as they are."""
        return _block("\n".join(wrap(clean(str(line)), "", "      ") for line in lines))

    def rule(self) -> Markup:
        """A break."""
        return _block("*".center(7).rstrip())

    def frame(self, masthead: str, body: str, foot: str) -> str:
        """The whole letter: all three are laid out already."""
        return f"{masthead}\n{'═' * min(len(masthead), WIDTH)}\n\n{body}\n\n-- \n{foot}\n"


def _lines(text: object) -> list[str]:
    return clean(str(text)).strip("\n").expandtabs(4).split("\n")


def _kept(line: str, prefix: str = "") -> str:
    """A line of somebody's as it is, unless it is too long."""
    if len(prefix) + len(line) <= WIDTH:
        return prefix + line
    stripped = line.lstrip(" ")
    indent = prefix + " " * min(len(line) - len(stripped), WIDTH // 2)
    return wrap(stripped, indent, indent)


def _fact(label: str, value: str, width: int) -> str:
    if len(label) > width:
        return f"  {label}\n" + wrap(value, " " * (width + 4), " " * (width + 4))
    return wrap(value, f"  {label.ljust(width)}  ", " " * (width + 4))


def _block(text: str) -> Markup:
    return trusted(f"\n\n{BLOCK}{RAW}{escape(text)}{END}{BLOCK_END}\n\n")
