"""A bound on the time that reading one mail may take: what takes longer is put aside (`[limits] seconds_per_mail`)."""

from __future__ import annotations

import signal
import threading
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import FrameType


class TooSlow(Exception):  # noqa: N818 - it says what happened, like TimeoutError's own name
    """The time is up."""


@contextmanager
def at_most(seconds: float) -> Iterator[None]:
    """Raise TooSlow when the block takes longer than `seconds` of real time.

    In the main thread it is interrupted; elsewhere, where nothing can interrupt it, it is told at its end.
    """
    interrupts = threading.current_thread() is threading.main_thread() and hasattr(signal, "setitimer")
    started = time.monotonic()
    if not interrupts:
        yield
    else:
        before = signal.signal(signal.SIGALRM, _ring)
        signal.setitimer(signal.ITIMER_REAL, seconds)
        try:
            yield
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGALRM, before)
    if time.monotonic() - started > seconds:
        raise TooSlow


def _ring(_number: int, _frame: FrameType | None) -> None:
    raise TooSlow
