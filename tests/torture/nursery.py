"""Where workers are born: a process that has loaded the program once and forks a fresh one for each life.

A worker is the real daemon over the settings of a file, with the shared clock, `points` armed, and a control line to
the harness: to each `settle` it answers `settled` when the mailbox has been read out and no letter that is due is left.

    python -m tests.torture.nursery SOCKET
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import os
import resource
import signal
import socket
import sys
from pathlib import Path

from pbem import settings as configuration
from pbem import wiring
from pbem.app import daemon as _loaded  # noqa: F401  (so that each life need not)
from pbem.app import receive as _loaded_too  # noqa: F401
from pbem.cli import logs
from pbem.cli import running as _and_that  # noqa: F401
from pbem.rehearsal import rehearse
from pbem.rehearsal.stage import _scribe
from pbem.store import StoreError, connection
from pbem.store import migrate as _and_more  # noqa: F401
from tests.torture.points import Points, arm
from tests.torture.sabotage import commit
from tests.torture.shared import SharedClock

SCENARIOS = Path(__file__).resolve().parents[1] / "scenarios"
CANNOT = 3
"""The exit code of a worker that the store would not have."""


def nurse(line: socket.socket) -> None:
    """Serve births until the harness hangs up: `{…}` in with the worker's control line, a handle to kill it with and its end out."""
    while True:
        request, descriptors, _, _ = socket.recv_fds(line, 65_536, 1)
        if not request:
            return
        pid = os.fork()
        if pid == 0:
            line.close()
            _live(json.loads(request), socket.socket(fileno=descriptors[0]))
        for descriptor in descriptors:
            os.close(descriptor)
        handle = os.pidfd_open(pid)  # a number could be somebody else's by the time it is used
        socket.send_fds(line, [b"."], [handle])
        os.close(handle)
        _, status = os.waitpid(pid, 0)
        line.sendall(f"{status}\n".encode())


def _live(order: dict, control: socket.socket) -> None:
    """A life. Never returns."""
    code = 1
    connection.BUSY_MS = 300  # long enough for another worker, and no longer than a test can wait
    try:
        _log(Path(order["log"]), loud=order["loud"])
        clock = SharedClock(Path(order["clock"]))
        files = Path(order["deaths"]), Path(order["journal"])
        points = Points(order["shares"], order["seed"], *files, clock, stepwise=order["stepwise"])
        if order["sabotage"]:
            commit(order["sabotage"])
        arm(points, clock)
        settings = configuration.load(Path(order["config"]))
        daemon = wiring.daemon(settings, clock, durable=False)
        asyncio.run(_serve(daemon, control))
        code = 0
    except StoreError as error:
        logging.getLogger("pbem").error("%s", error)  # noqa: TRY400  (as the command line tells it)
        code = CANNOT
    except BaseException:
        logging.getLogger("pbem").exception("the worker broke")
    finally:
        logging.shutdown()
        os._exit(code)


def _log(file: Path, *, loud: bool) -> None:
    """As `pbem run --verbose` does, into that file; `loud`: of other libraries everything, too."""
    descriptor = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
    for stream in (1, 2):
        os.dup2(descriptor, stream)
    os.close(descriptor)
    logs.begin("text", verbose=True)
    if loud:
        for name in (None, *logging.root.manager.loggerDict):
            logging.getLogger(name).setLevel(logging.DEBUG)


async def _serve(daemon, control: socket.socket) -> None:
    control.setblocking(False)
    reader, writer = await asyncio.open_connection(sock=control)
    obeying = asyncio.create_task(_obey(daemon, reader, writer))
    try:
        await daemon.serve(signals=False)
    finally:
        obeying.cancel()
        with contextlib.suppress(asyncio.CancelledError, OSError):
            await obeying
        writer.close()


async def _obey(daemon, reader, writer) -> None:
    await daemon.started.wait()
    writer.write(b"started\n")
    while word := (await reader.readline()).strip():
        if word == b"settle":
            await daemon.poll()
            await daemon.quiet()
            await daemon.poll()  # what was told while letters left
            await daemon.quiet()
            writer.write(b"settled\n")
        elif word == b"ping":
            writer.write(b"pong\n")
        elif word in DISKS:
            DISKS[word]()
            writer.write(word + b"\n")
        elif word == b"stop":
            break
    daemon.stop()


def _full() -> None:
    """No file may grow any more: what a full disk does, to this process alone."""
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, resource.RLIM_INFINITY))


def _free() -> None:
    resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))


DISKS = {b"full": _full, b"free": _free}


def warm() -> None:
    """Have templates and statements compiled once, for all lives to come."""
    for path in sorted(SCENARIOS.glob("mail-*.yaml"))[:6]:
        rehearse(path)
    wiring.scribe = lambda *_: _scribe()


if __name__ == "__main__":
    warm()
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    nurse(socket.socket(fileno=int(sys.argv[1])))
