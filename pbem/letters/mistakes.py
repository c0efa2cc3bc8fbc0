"""What is wrong with a host's own templates, words and cards: in which file, in which line, and what.

A mistake in them never keeps a letter from being written: where the program's own files can do the same work, they do
it instead (`Spare`), and the mistake is kept and logged, once. Its `discreet` form holds nothing but what stands in the
host's file; `text` may quote a letter's facts, and is for sample letters alone.
"""

from __future__ import annotations

import logging
import re
import tomllib
import traceback
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeVar

from jinja2 import Template, TemplateSyntaxError, UndefinedError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from pbem.letters.press import Room

_LOG = logging.getLogger(__name__)
_T = TypeVar("_T")
_MOST: Final = 50
"""Mistakes that are kept and logged; more would only fill the log."""
_NAME: Final = re.compile(r"'[A-Za-z_]\w*' is undefined")
_LINE: Final = re.compile(r"\(at line (\d+), column \d+\)")


@dataclass(frozen=True, slots=True)
class Mistake:
    """`line` is 0 where it is of the whole file. `what` is said in full, `kind` without a letter's facts."""

    file: Path
    line: int
    what: str
    kind: str

    @property
    def text(self) -> str:
        """One line: file, line, what is wrong."""
        return " ".join(f"{self._place}: {self.what}".split())

    @property
    def discreet(self) -> str:
        """The same without what the letter was about."""
        return " ".join(f"{self._place}: {self.kind}".split())

    @property
    def _place(self) -> str:
        return f"{self.file}:{self.line}" if self.line else str(self.file)


class UnusableError(ValueError):
    """A file that is no template cannot be used: `mistake` says which and why."""

    def __init__(self, file: Path, what: str, line: int = 0) -> None:
        super().__init__(what)
        self.mistake = Mistake(file, line, what, what)


def table(file: Path) -> dict[str, Any]:
    """A TOML file. Raises UnusableError."""
    try:
        return tomllib.loads(file.read_text(encoding="utf-8"))
    except tomllib.TOMLDecodeError as error:
        line = _LINE.search(str(error))
        raise UnusableError(file, str(error), int(line[1]) if line else 0) from None
    except (OSError, ValueError) as error:
        raise UnusableError(file, f"cannot be read ({type(error).__name__})") from None


def found(error: Exception, folders: Sequence[Path]) -> Mistake:
    """Where in one of these folders it went wrong; of the first of them as a whole if no file can be named."""
    if isinstance(error, UnusableError):
        return error.mistake
    if isinstance(error, TemplateSyntaxError):
        what = error.message or "is no template"
        return Mistake(Path(error.filename or folders[0]), error.lineno, what, what)
    what, kind = f"{type(error).__name__}: {error}", type(error).__name__
    if isinstance(error, UndefinedError):
        what = str(error)
        kind = what if _NAME.fullmatch(what) else kind
    places = [one for one in _places(error) if any(one[0].is_relative_to(folder) for folder in folders)]
    file, line = places[-1] if places else (folders[0], 0)
    return Mistake(file, line, what, kind)


def _places(error: Exception) -> Iterator[tuple[Path, int]]:
    """Files and lines on the way to it. Jinja gives a template's own lines only where a template was rendered whole,
    not where a macro of it was called; then its lines are those of the code made of it.
    """
    for frame, line in traceback.walk_tb(error.__traceback__):
        template = frame.f_globals.get("__jinja_template__")
        if isinstance(template, Template) and template.filename:
            yield Path(template.filename), template.get_corresponding_lineno(line)
        else:
            yield Path(frame.f_code.co_filename), line


class Mistakes:
    """Those of some folders (a host's own), as they came to light, each once; logged unless `quiet`."""

    def __init__(self, folders: Sequence[Path]) -> None:
        self._folders = tuple(folders)
        self._known: dict[str, Mistake] = {}
        self.quiet = False

    def __iter__(self) -> Iterator[Mistake]:
        return iter(self._known.values())

    def __len__(self) -> int:
        return len(self._known)

    def note(self, error: Exception) -> None:
        """Keep it, and log it if it is new."""
        mistake = found(error, self._folders)
        if mistake.discreet in self._known or len(self._known) >= _MOST:
            return
        self._known[mistake.discreet] = mistake
        if not self.quiet:
            _LOG.error("a template of your own is wrong, the program's is used instead: %s", mistake.discreet)


class Spare:
    """The program's own room of a language, for what a host's files cannot do."""

    def __init__(self, room: Callable[[], Room], mistakes: Mistakes) -> None:
        self._room = room
        self._mistakes = mistakes

    def instead(self, error: Exception, work: Callable[[Room], _T]) -> _T:
        """The same work there. If it fails there too it was no mistake of the host's: that is raised."""
        done = work(self._room())
        self._mistakes.note(error)
        return done
