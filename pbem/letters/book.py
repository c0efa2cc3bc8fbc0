"""Who is written to, for one game, and the addresses and links that their letters carry (MAIL.md § 1).

All frozen. An address is bare (`a@b.c`). A personal tag stands in an address or a link only where the caller passes it.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING
from urllib.parse import quote

if TYPE_CHECKING:
    from collections.abc import Mapping


@dataclass(frozen=True, slots=True)
class Correspondent:
    """One person who gets letters.

    `gender` is m or f, `tag` the personal tag of a player, or the secret of a reader's way out; `reminders` whether he
    wants to be reminded of his vote. `name` is empty for who only follows the game. `amount` is how much mail he wants
    (MAIL): posts, daily or digest; watch for a reader who has not said. A player who wants every post is on the list.
    """

    address: str
    language: str = "fr"
    gender: str = "m"
    tag: str | None = None
    name: str = ""
    amount: str = "posts"
    reminders: bool = True


@dataclass(frozen=True, slots=True)
class Book:
    """The addresses of one game: `tags` is plus or subject, `language` the list's, `archive_url` where the
    archive is. `own_list`: the list is the program's own, and sends to nobody who wants less than all.
    """

    code: str
    game_address: str
    list_address: str
    tags: str = "plus"
    seats: Mapping[int, Correspondent] = field(default_factory=dict)
    storytellers: tuple[Correspondent, ...] = ()
    readers: tuple[Correspondent, ...] = ()
    language: str = "fr"
    archive_url: str | None = None
    own_list: bool = True

    def with_detail(self, detail: str) -> str:
        """The game's address with a sub-address: `lune+detail@example.org`."""
        local, _, domain = self.game_address.rpartition("@")
        return f"{local}+{detail}@{domain}"

    def private_address(self, tag: str | None) -> str:
        """Where an answer to a private letter goes."""
        return self.with_detail(tag) if tag and self.tags == "plus" else self.game_address

    def channel_address(self, channel: str) -> str:
        """Where posts go: `channel` is say or grave. Without sub-addressing it is the game's own address."""
        return self.with_detail(f"{self.code.lower()}-{channel}") if self.tags == "plus" else self.game_address

    def prefix(self, tag: str | None = None) -> str:
        """What stands before every subject: the code, with the tag where addresses cannot carry it; '' without
        a game.
        """
        if not self.code:
            return ""
        return f"[{self.code}:{tag}]" if tag and self.tags == "subject" else f"[{self.code}]"

    def link(self, line: str, tag: str | None = None) -> str:
        """A `mailto:` (RFC 6068) that sends the command `line`; with a tag it is that player's own, and proves it."""
        if tag and self.tags == "plus":
            return mailto(self.private_address(tag), line)
        return mailto(self.game_address, f"{self.prefix(tag)} {line}".strip())

    def channel_link(self, channel: str, line: str) -> str:
        """A `mailto:` that opens an empty post; it names no one."""
        if self.tags == "plus":
            return mailto(self.channel_address(channel))
        return mailto(self.game_address, f"{self.prefix()} {line}")


def mailto(address: str, subject: str = "") -> str:
    """A `mailto:` link; `subject` is any text, percent-encoded as UTF-8."""
    target = f"mailto:{quote(address, safe='@+')}"
    return f"{target}?subject={_quoted(subject)}" if subject else target


@lru_cache(maxsize=4096)
def _quoted(text: str) -> str:
    return quote(text, safe="")
