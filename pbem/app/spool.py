"""The mails of one poll, put into the order in which they count: that of their reception (CAL-6), then of their UIDs.

A poll may find thousands of mails; beyond some megabytes they wait in a nameless temporary file, not in memory.
"""

from __future__ import annotations

import tempfile
from typing import TYPE_CHECKING, NamedTuple

from pbem.post import RawMail

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime

_IN_MEMORY = 32_000_000


class _Entry(NamedTuple):
    received: datetime
    uidvalidity: int
    uid: int
    start: int
    size: int


class Spool:
    """Mails fetched and not dealt with yet. `position` is that of the last one fetched: (uidvalidity, uid) or None."""

    def __init__(self, position: tuple[int, int] | None) -> None:
        self.position = position
        self._entries: list[_Entry] = []
        self._file = tempfile.SpooledTemporaryFile(max_size=_IN_MEMORY)  # noqa: SIM115  (closed by `close`)

    def __len__(self) -> int:
        return len(self._entries)

    def add(self, mail: RawMail) -> None:
        """One more."""
        start = self._file.seek(0, 2)
        self._file.write(mail.raw)
        self._entries.append(_Entry(mail.received, mail.uidvalidity, mail.uid, start, len(mail.raw)))
        self.position = (mail.uidvalidity, mail.uid)

    def in_order(self) -> Iterator[RawMail]:
        """All of them, by reception, then by UID."""
        for entry in sorted(self._entries):
            self._file.seek(entry.start)
            yield RawMail(entry.uidvalidity, entry.uid, entry.received, self._file.read(entry.size))

    def uids(self) -> list[int]:
        """The UIDs of those that belong to the present numbering of the folder."""
        validity = self.position[0] if self.position else 0
        return [entry.uid for entry in self._entries if entry.uidvalidity == validity]

    def close(self) -> None:
        """Forget them."""
        self._file.close()
