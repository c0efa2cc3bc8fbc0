"""The mails of one poll, put into the order in which they count: that of their reception (CAL-6), then of their UIDs.

A poll may find thousands of mails; beyond some megabytes they wait in a nameless temporary file, not in memory.

What the server received after the poll had begun waits for the next one: a closing between the two moments comes before
it, and that needs a poll that began after the closing. A date that lies far ahead is nobody's reception (a mail copied
into the folder by hand may bear any): such a mail counts as received when the poll began.
"""

from __future__ import annotations

import tempfile
from datetime import timedelta
from typing import TYPE_CHECKING, NamedTuple

from pbem.post import RawMail

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime

_IN_MEMORY = 32_000_000
AHEAD = timedelta(minutes=5)
"""How long a poll may take, and how far the clocks may be apart."""


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

    def in_order(self, begun: datetime) -> Iterator[RawMail]:
        """Those to deal with in a poll begun then, by reception, then by UID."""
        for entry in sorted(self._entries):
            if not self._waits(entry, begun):
                self._file.seek(entry.start)
                received = min(entry.received, begun)
                yield RawMail(entry.uidvalidity, entry.uid, received, self._file.read(entry.size))

    def left_over(self, begun: datetime) -> Spool | None:
        """Those that wait for a later poll than the one begun then; None if none do."""
        waiting = [entry for entry in self._entries if self._waits(entry, begun)]
        if not waiting:
            return None
        rest = Spool(self.position)
        for entry in waiting:
            self._file.seek(entry.start)
            rest.add(RawMail(entry.uidvalidity, entry.uid, entry.received, self._file.read(entry.size)))
        rest.position = self.position
        return rest

    @property
    def first_received(self) -> datetime:
        """When the first of them was received. Raises ValueError if there is none."""
        return min(entry.received for entry in self._entries)

    @staticmethod
    def _waits(entry: _Entry, begun: datetime) -> bool:
        return begun < entry.received <= begun + AHEAD

    def settled(self, begun: datetime) -> tuple[int, int] | None:
        """Up to where the folder needs no more reading once those of the poll begun then are dealt with."""
        if self.position is None:
            return None
        validity, last = self.position
        waiting = (e.uid for e in self._entries if e.uidvalidity == validity and self._waits(e, begun))
        return validity, min(waiting, default=last + 1) - 1

    def uids(self, begun: datetime) -> list[int]:
        """The UIDs of those dealt with that belong to the present numbering of the folder."""
        validity = self.position[0] if self.position else 0
        entries = (entry for entry in self._entries if not self._waits(entry, begun))
        return [entry.uid for entry in entries if entry.uidvalidity == validity]

    def close(self) -> None:
        """Forget them."""
        self._file.close()
