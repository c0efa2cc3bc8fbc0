"""A clock that two processes share, and stands still until the harness moves it: 16 octets in a mapped file.

Beside the moment it holds the number of the step of the story that is being played, which tells apart the same command
given at different times.
"""

from __future__ import annotations

import mmap
import struct
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_SIZE = 16
_WORD = struct.Struct("<q")
SPEED = 200.0
"""Pauses that the program counts in real time (after a broken connection) pass so many times as fast."""


class SharedClock:
    """`pbem.app.clock.Clock`. The harness makes the file (`start`), the program opens it (`start` None)."""

    speed = SPEED

    def __init__(self, file: Path, start: datetime | None = None) -> None:
        if start is not None:
            file.write_bytes(bytes(_SIZE))
        with file.open("r+b") as opened:
            self._memory = mmap.mmap(opened.fileno(), _SIZE)
        if start is not None:
            self.move(start)

    def now(self) -> datetime:
        """The moment."""
        return _EPOCH + timedelta(microseconds=_WORD.unpack_from(self._memory, 0)[0])

    __call__ = now

    def move(self, to: datetime) -> None:
        """Be at that moment from now on."""
        _WORD.pack_into(self._memory, 0, (to - _EPOCH) // timedelta(microseconds=1))

    @property
    def step(self) -> int:
        """The step of the story."""
        return int(_WORD.unpack_from(self._memory, 8)[0])

    @step.setter
    def step(self, number: int) -> None:
        _WORD.pack_into(self._memory, 8, number)
