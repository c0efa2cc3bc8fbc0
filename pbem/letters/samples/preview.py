"""Every sample letter as files, and a page to look at them side by side, on a phone's width or wider, light or dark.

The files are the letters' own parts: `NNNN.html` and `NNNN.txt`, and what is attached; `NNNN-dark.html` is the first
one as it looks where screens are dark. The page needs nothing from elsewhere.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from pbem.letters.samples import samples
from pbem.letters.samples.troupe import LIST, Troupe
from pbem.resources import templates_dir

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from pbem.letters.scribe import Scribe
    from pbem.post import Letter

INDEX: Final = "index.html"
_FOLDER: Final = "letters"
_WHERE_DARK: Final = "@media (prefers-color-scheme: dark)"


@dataclass(frozen=True, slots=True)
class Shown:
    """A letter on the page: which moment it is of, whom it is for, and its files' names without their ends."""

    moment: str
    kind: str
    subject: str
    to: str
    language: str
    gender: str
    kilobytes: int
    stem: str
    files: tuple[str, ...]


def write(scribe: Scribe, folder: Path) -> list[Shown]:
    """Write the page and all that it shows into `folder`, which is made if need be; what is shown. Raises OSError."""
    (folder / _FOLDER).mkdir(parents=True, exist_ok=True)
    shown = [
        _written(folder, number, moment, letter, gender)
        for number, (moment, letter, gender) in enumerate(_each(scribe), 1)
    ]
    kinds = sorted({one.kind for one in shown})
    groups = [(kind, [one for one in shown if one.kind == kind]) for kind in kinds]
    loader = FileSystemLoader(str(templates_dir() / "preview"))
    page = Environment(loader=loader, autoescape=True, undefined=StrictUndefined).get_template(INDEX)
    text = page.render(shown=shown, groups=groups, languages=sorted({one.language for one in shown}))
    (folder / INDEX).write_text(text, encoding="utf-8")
    return shown


def _each(scribe: Scribe) -> Iterator[tuple[str, Letter, str]]:
    """(moment, letter, gender of whom it is for), none twice alike: to people in all languages, to the list in each."""
    seen: set[tuple[str, str, str]] = set()
    for number, language in enumerate(sorted(scribe.languages, reverse=True)):
        cast = Troupe(scribe, language).cast
        genders = {f"p{seat}@example.net": gender for seat, (_, gender, _) in enumerate(cast, 1)}
        for moment, letters in samples(scribe, language).items():
            for letter in letters:
                mark = (genders.get(letter.to, letter.to), letter.subject, letter.html)
                if mark not in seen and (number == 0 or letter.to == LIST):
                    seen.add(mark)
                    yield moment, letter, genders.get(letter.to, "")


def _written(folder: Path, number: int, moment: str, letter: Letter, gender: str) -> Shown:
    stem = f"{_FOLDER}/{number:04}"
    (folder / f"{stem}.html").write_text(letter.html, encoding="utf-8")
    (folder / f"{stem}-dark.html").write_text(letter.html.replace(_WHERE_DARK, "@media all"), encoding="utf-8")
    (folder / f"{stem}.txt").write_text(_with_headers(letter), encoding="utf-8")
    for name, _, data in letter.attachments:
        (folder / f"{stem}-{name}").write_bytes(data)
    return Shown(
        moment=moment, kind=letter.kind, subject=letter.subject, to=letter.to, language=letter.language, gender=gender,
        kilobytes=max(1, len(letter.html.encode()) // 1000), stem=stem,
        files=tuple(name for name, _, _ in letter.attachments),
    )  # fmt: skip


def _with_headers(letter: Letter) -> str:
    """The text part under the headers that a reader sees."""
    headers: Iterable[tuple[str, str | None]] = (
        *letter.headers, ("To", letter.to), ("Reply-To", letter.reply_to), ("Subject", letter.subject),
    )  # fmt: skip
    return "".join(f"{name}: {value}\n" for name, value in headers if value) + "\n" + letter.text
