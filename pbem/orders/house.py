"""Where the game lives: its address and what is written into it (MAIL.md § 1)."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Collection

TAG: Final = re.compile(r"[a-z0-9]{16}")
"""A personal tag: 16 lower-case letters and digits."""
_CHANNEL: Final = re.compile(r"([a-z0-9]{1,20})-(say|grave)")


@dataclass(frozen=True, slots=True)
class House:
    """`address` is the mailbox of all games, `list_address` the village's list, `storyteller` the storytellers' own.

    `authserv_id` is the name under which the receiving server writes Authentication-Results (§ 4). `codes` are the
    games' codes, in capitals, where they are known; otherwise letters followed by digits in brackets are taken for one.
    `aliases` are further addresses that lead into the mailbox. `subaddressing` False: tags stand in the subject.
    """

    address: str
    authserv_id: str | None = None
    subaddressing: bool = True
    list_address: str | None = None
    storyteller: tuple[str, ...] = ()
    codes: Collection[str] = ()
    aliases: tuple[str, ...] = ()
    separator: str = "+"

    @property
    def domain(self) -> str:
        """The domain of the game's address."""
        return self.address.lower().rpartition("@")[2]

    def detail(self, address: str) -> str | None:
        """What stands behind the `+` of an address of the game: '' if nothing, None if it is not the game's."""
        for mine in (self.address, *self.aliases):
            local, _, domain = mine.lower().rpartition("@")
            theirs, _, at = address.lower().rpartition("@")
            if at != domain:
                continue
            if theirs == local:
                return ""
            if theirs.startswith(local + self.separator):
                return theirs[len(local) + len(self.separator) :]
        return None

    def is_mine(self, address: str) -> bool:
        """Whether the game itself writes from this address: its own in any form, or its list in any form."""
        return self.detail(address) is not None or self._plain(address) == self._plain(self.list_address or "")

    @staticmethod
    def _plain(address: str) -> str:
        local, _, domain = address.lower().rpartition("@")
        return f"{local.partition('+')[0]}@{domain}"

    def tag_of(self, address: str) -> str | None:
        """The personal tag in an address of the game."""
        detail = self.detail(address)
        return detail if detail and TAG.fullmatch(detail) else None

    def channel_of(self, address: str) -> tuple[str, str] | None:
        """(code, "say" or "grave") of an address like `lune+pl1-say@…`."""
        found = _CHANNEL.fullmatch(self.detail(address) or "")
        return (found[1].upper(), found[2]) if found else None
