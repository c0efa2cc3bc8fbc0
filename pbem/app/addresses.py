"""Mail addresses that people type, and whether a letter can go there."""

from __future__ import annotations

import re
from typing import Final

_FIT: Final = re.compile(
    r"[a-z0-9!#$%&'*/=?^_`{|}~+-]+(?:\.[a-z0-9!#$%&'*/=?^_`{|}~+-]+)*@[a-z0-9-]+(?:\.[a-z0-9-]+)+", re.IGNORECASE
)
_LONGEST: Final = 254
_LOCAL: Final = 64


def fit(address: str) -> bool:
    """Whether an envelope can carry it (RFC 5321 § 4.5.3.1): plain ASCII, no quoting, a domain with a dot."""
    local, _, _ = address.rpartition("@")
    return len(address) <= _LONGEST and len(local) <= _LOCAL and _FIT.fullmatch(address) is not None


def typed(text: str) -> str:
    """The address that somebody typed, lower case; '' if it is none that a letter can go to."""
    found = text.strip().strip("<>").removeprefix("mailto:").lower()
    return found if fit(found) else ""
