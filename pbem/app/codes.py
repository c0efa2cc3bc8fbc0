"""The code of a game: it names files and folders and stands in subjects, so that no other form will do."""

from __future__ import annotations

import re
from typing import Final

_CODE: Final = re.compile(r"[A-Za-z][A-Za-z0-9]{0,14}[0-9]")

SERIES: Final = 100
"""Characters of a series' name, at most."""


class NotAnExport(ValueError):  # noqa: N818  (it says what the file is, not what failed)
    """The file is no export that this program can read; the text says why, in one line."""


def fit_code(code: str) -> bool:
    """Whether a game can have that code: letters, then digits, such as PL1; 16 characters at most."""
    return _CODE.fullmatch(code) is not None
