"""A host's own templates, read before anybody else reads what they make: each is compiled, and each sample letter made.

What is wrong is said as `Mistake`s; the program's own files are not looked at.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from jinja2 import Environment
from jinja2.exceptions import TemplateError

from pbem.letters.mistakes import UnusableError, found
from pbem.letters.samples import samples

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from pbem.letters.mistakes import Mistake
    from pbem.letters.scribe import Scribe


def read(scribe: Scribe, own: Path, make: Callable[[Scribe], object] | None = None) -> list[Mistake]:
    """All that is wrong with the files of `own`, the first folder of that scribe: those that no sample shows are only
    compiled. Takes some seconds a language. `make` makes all sample letters, if they are wanted. Raises its OSError.
    """
    scribe.press.mistakes.quiet = True
    wrong = [*_unreadable(own)]
    if not wrong:
        try:
            _compile(scribe, own)
            (make or _make)(scribe)
        except OSError:
            raise
        except Exception as error:  # noqa: BLE001 - whatever a host's files hold, it is told in a line
            wrong.append(found(error, (own,)))
    return [*scribe.press.mistakes, *wrong]


def _make(scribe: Scribe) -> None:
    for language in scribe.languages:
        samples(scribe, language)


def _compile(scribe: Scribe, own: Path) -> None:
    """A filter that does not exist shows even where no letter goes."""
    for file in sorted([*own.glob("letters/*/*.j2"), *own.glob("refusals/*/*.j2")]):
        if file.stem in scribe.languages:
            scribe.press.room(file.stem).has(file.parent.relative_to(own).as_posix())


def _unreadable(own: Path) -> Iterator[Mistake]:
    """Templates that are none."""
    syntax = Environment()  # noqa: S701 - nothing is rendered
    for file in sorted(own.rglob("*.j2")):
        try:
            syntax.parse(file.read_text(encoding="utf-8"), str(file.relative_to(own)), str(file))
        except TemplateError as error:
            yield found(error, (own,))
        except (OSError, ValueError) as error:
            yield found(UnusableError(file, f"cannot be read ({type(error).__name__})"), (own,))
