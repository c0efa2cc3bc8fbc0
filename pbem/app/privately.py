"""A file of secrets: whole or not there, and readable by its owner alone, whatever bore its name before."""

from __future__ import annotations

import contextlib
import os
import secrets
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path


def write(path: Path, content: bytes) -> None:
    """Put it there. Raises OSError; then what was there is untouched.

    It is written beside its name and renamed: a former file's mode does not stay, a link is replaced and not followed.
    What is no file (a pipe, a terminal) is written into.
    """
    if str(path.absolute()).startswith(("/dev/", "/proc/")) or (path.exists() and not path.is_file()):
        path.write_bytes(content)
        return
    draft = path.with_name(f".{path.name}.{secrets.token_hex(8)}")
    try:
        with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        draft.replace(path)
    finally:
        with contextlib.suppress(OSError):
            draft.unlink()
