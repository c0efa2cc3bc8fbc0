"""The site's folder: files that are there whole or not at all, and a note of what each was made of.

`write` puts a file under another name first and renames it, so nobody ever reads half of one. `Record` is the note of
one game (or of the whole site), kept as JSON in `.written/`: which version of the game is shown, and for each file a
digest of what it was made of. If the note is lost, everything is written again. Whatever a game is called, nothing is
written or read outside the folder.
"""

from __future__ import annotations

import contextlib
import json
import os
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

NOTES: Final = ".written"
_BLOCK: Final = 1 << 20


@dataclass(slots=True)
class Record:
    """What is written. `pages` maps paths to digests; `posts` counts posts, `mails` is the last mail's number, `mbox`
    the bytes of the mbox (-1: there is none); `summary` and `latest` are what the pages above the game show of it.
    """

    edition: str = ""
    version: int = -1
    posts: int = 0
    mails: int = 0
    mbox: int = -1
    pages: dict[str, str] = field(default_factory=dict)
    summary: dict[str, Any] = field(default_factory=dict)
    latest: list[dict[str, Any]] = field(default_factory=list)


class Folder:
    """One archive's folder, made when the first file is."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.written = 0
        """How many files have been written, for who measures."""

    def file(self, path: str) -> Path:
        """Where the page or file of that path is. Raises ValueError if that would be outside the folder."""
        if any(part == ".." or "\\" in part or "\0" in part for part in path.split("/")) or path.startswith("/"):
            raise ValueError(f"not within the archive: {path!r}")
        return self.root / (f"{path}index.html" if path.endswith("/") or not path else path)

    def write(self, path: str, content: bytes) -> None:
        """Put it there at once. Raises OSError."""
        self._replace(self.file(path), lambda file: _write_all(file, content))

    def append(self, path: str, kept: int, more: bytes) -> int:
        """The first `kept` bytes of what is there, and `more` behind them, at once; how long it is now.

        Raises OSError; ValueError if there is less than that.
        """
        target = self.file(path)
        if kept and (not target.is_file() or target.stat().st_size < kept):
            raise ValueError(path)

        def fill(file: int) -> None:
            if kept:
                _copy(target, file, kept)
            _write_all(file, more)

        self._replace(target, fill)
        return kept + len(more)

    def _replace(self, target: Path, fill: Callable[[int], None]) -> None:
        beside = target.with_name(f".{target.name}.{os.getpid()}.new")
        try:
            descriptor = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o644)
        except FileNotFoundError:
            target.parent.mkdir(parents=True, exist_ok=True)
            descriptor = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o644)
        try:
            with contextlib.closing(os.fdopen(descriptor, "wb", buffering=0)) as file:
                fill(file.fileno())
            beside.replace(target)
        except BaseException:
            beside.unlink(missing_ok=True)
            raise
        self.written += 1

    # --- notes ------------------------------------------------------------------------------------------------------

    def record(self, name: str) -> Record:
        """The note of that name; a new one if there is none that can be read."""
        try:
            return Record(**json.loads(self.file(f"{NOTES}/{name}.json").read_text("utf-8")))
        except (OSError, ValueError, TypeError):
            return Record()

    def note(self, name: str, record: Record) -> None:
        """Keep it."""
        self.write(f"{NOTES}/{name}.json", json.dumps(asdict(record), separators=(",", ":")).encode())
        self.written -= 1

    def forget(self) -> None:
        """Lose all notes."""
        for note in (self.root / NOTES).glob("*.json"):
            note.unlink(missing_ok=True)


def _write_all(file: int, content: bytes) -> None:
    view = memoryview(content)
    while view:
        view = view[os.write(file, view) :]


def _copy(source: Path, file: int, length: int) -> None:
    """Within the kernel where it can."""
    with source.open("rb", buffering=0) as old:
        done = 0
        with contextlib.suppress(OSError, AttributeError):
            while done < length and (n := os.copy_file_range(old.fileno(), file, length - done)):
                done += n
        old.seek(done)
        while done < length:
            block = old.read(min(_BLOCK, length - done))
            if not block:
                raise ValueError(str(source))
            _write_all(file, block)
            done += len(block)
