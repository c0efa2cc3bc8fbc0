"""Words that nobody can guess: personal tags, confirmation codes, Message-IDs (MAIL.md §§ 1, 4 and 5).

The real ones come from the operating system. `Counted` gives the same ones for the same seed: for rehearsals and
tests, never for a game that people play.
"""

from __future__ import annotations

import hashlib
import secrets
from typing import TYPE_CHECKING, Final, Protocol

if TYPE_CHECKING:
    from collections.abc import Callable

ALPHABET: Final = "abcdefghijklmnopqrstuvwxyz23456789"
LENGTH: Final = 16
"""Characters of a tag: 34^16 is more than 2^81."""


class Tokens(Protocol):
    """Where unguessable words come from."""

    def tag(self) -> str:
        """A personal tag or a single-use code: 16 characters, at least one letter and one digit among them."""

    def message_id(self, domain: str) -> str:
        """A Message-ID at that domain, angle brackets included."""

    def seed(self) -> str:
        """The secret of a game: 64 hexadecimal digits."""


class Secrets:
    """The real thing, from the operating system's generator."""

    def tag(self) -> str:
        """See `Tokens.tag`."""
        return _tag(lambda: "".join(secrets.choice(ALPHABET) for _ in range(LENGTH)))

    def message_id(self, domain: str) -> str:
        """See `Tokens.message_id`."""
        return f"<{secrets.token_hex(16)}@{domain}>"

    def seed(self) -> str:
        """See `Tokens.seed`."""
        return secrets.token_hex(32)


class Counted:
    """Words that follow from a seed and a counter: the same run gives the same ones."""

    def __init__(self, seed: str) -> None:
        self._seed = seed
        self._count = 0

    def _next(self) -> bytes:
        self._count += 1
        return hashlib.sha256(f"{self._seed} {self._count}".encode()).digest()

    def tag(self) -> str:
        """See `Tokens.tag`."""
        return _tag(lambda: "".join(ALPHABET[byte % len(ALPHABET)] for byte in self._next()[:LENGTH]))

    def message_id(self, domain: str) -> str:
        """See `Tokens.message_id`."""
        return f"<{self._next().hex()[:32]}@{domain}>"

    def seed(self) -> str:
        """See `Tokens.seed`."""
        return self._next().hex()


def _tag(draw: Callable[[], str]) -> str:
    """A word that cannot be taken for a number or for plain text."""
    while True:
        word = draw()
        if any(char.isdigit() for char in word) and any(char.isalpha() for char in word):
            return word
