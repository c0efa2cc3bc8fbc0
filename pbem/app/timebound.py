"""A bound on the work that reading one mail may make: what takes longer is put aside (`[limits] seconds_per_mail`).

What counts is the processor's time, so that a busy machine makes no mail unreadable.
"""

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
    """Raise TooSlow when the block works longer than `seconds` of this thread's time.

    In the main thread it is interrupted; elsewhere, where nothing can interrupt it, it is told at its end.
    """
    interrupts = threading.current_thread() is threading.main_thread() and hasattr(signal, "setitimer")
    started = time.thread_time()
    if not interrupts:
        yield
    else:
        before = signal.signal(signal.SIGPROF, _ring)
        signal.setitimer(signal.ITIMER_PROF, seconds)
        try:
            yield
        finally:
            signal.setitimer(signal.ITIMER_PROF, 0)
            signal.signal(signal.SIGPROF, before)
    if time.thread_time() - started > seconds:
        raise TooSlow


def _ring(_number: int, _frame: FrameType | None) -> None:
    raise TooSlow
