"""The servers around a measurement, each in processes of its own: a private Dovecot, and a sink that takes all mail."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import time
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tests.kit.dovecot import PASSWORD, Dovecot, unavailable

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from datetime import datetime

ROOT = Path(__file__).parents[1]
START_SECONDS = 20.0

__all__ = ["PASSWORD", "dovecot", "fill", "finish", "run", "sink", "start", "unavailable"]


@contextmanager
def dovecot() -> Iterator[Dovecot]:
    """A server whose every user has a mailbox. (Written in the tests' kit.)"""
    with Dovecot() as server:
        yield server


def fill(server: Dovecot, user: str, mails: Iterable[bytes], received: datetime) -> None:
    """Put many mails into a user's INBOX at once."""
    home = server.folder / "mail" / user
    for part in ("tmp", "new", "cur"):
        (home / "Maildir" / part).mkdir(parents=True, exist_ok=True)
    stamp = received.timestamp()
    for serial, raw in enumerate(mails, 1):
        file = home / "Maildir" / "new" / f"{int(stamp)}.{serial:06}.bench"
        file.write_bytes(raw)
        os.utime(file, (stamp, stamp))
    if os.geteuid() == 0:
        for path in (home, *home.rglob("*")):
            shutil.chown(path, "nobody", "nogroup")


class Sink:
    """The running sink: its `port`, and when it is over what it took."""

    def __init__(self, process: subprocess.Popen[str], port: int) -> None:
        self._process = process
        self.port = port
        self.taken: list[tuple[float, str]] = []

    def end(self) -> None:
        """Stop it, and learn what it took."""
        self._process.terminate()
        out, _ = self._process.communicate(timeout=START_SECONDS)
        self.taken = [(moment, to) for moment, to in json.loads(out or "[]")]


@contextmanager
def sink(folder: Path) -> Iterator[Sink]:
    """A sink, until the end of the block."""
    place = folder / f"port-{time.monotonic_ns()}"
    command = [sys.executable, "-m", "bench.sink", str(place)]
    process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True)  # noqa: S603 - our own
    try:
        until = time.monotonic() + START_SECONDS
        while not place.exists() and time.monotonic() < until:
            time.sleep(0.01)
        running = Sink(process, int(place.read_text()))
        yield running
        running.end()
    finally:
        process.kill()
        process.wait()


def start(module: str, *arguments: object) -> subprocess.Popen[str]:
    """Start one of this folder's programs."""
    command = [sys.executable, "-m", f"bench.{module}", *map(str, arguments)]
    return subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True)  # noqa: S603 - our own


def finish(process: subprocess.Popen[str]) -> dict[str, Any]:
    """Wait for its end; what it printed. Raises CalledProcessError."""
    out, _ = process.communicate()
    if process.returncode:
        raise subprocess.CalledProcessError(process.returncode, process.args)
    found: dict[str, Any] = json.loads(out)
    return found


def run(module: str, *arguments: object) -> dict[str, Any]:
    """Run one of this folder's programs to its end; what it printed."""
    return finish(start(module, *arguments))
