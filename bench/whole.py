"""The whole program on a mailbox full of commands, or waiting for one mail after the other.

    python -m bench.whole DATABASE IMAP-PORT USER PASSWORD SMTP-PORT NUMBER

It is the daemon of `pbem run`, on a database (a file of SQLite's, or a URL) of games that have begun. When NUMBER mails
are answered and nothing is left in the outbox (or at SIGTERM, if NUMBER is no number) it prints one JSON object:
seconds and CPU seconds from the moment it was ready (start-up not counted), when that was, when it noticed each
mail, and when the mailbox had been read out for the first time (seconds of the machine's monotonic clock).
"""

from __future__ import annotations

import asyncio
import json
import resource
import sys
import time
from typing import TYPE_CHECKING, Any

from bench.town import ADDRESS, DOMAIN
from pbem import settings as configuration
from pbem import wiring
from pbem.settings.sections import Archive

if TYPE_CHECKING:
    from pbem.app.daemon import Daemon
    from pbem.settings import Settings


def settings(path: str, imap: str, user: str, password: str, smtp: str) -> Settings:
    """The program's own defaults, on these servers; the archive is not written."""
    loaded = configuration.load(
        None,
        {
            "PBEM_EMBEDDED_ENABLED": "false",
            "PBEM_GAME_ADDRESS": ADDRESS, "PBEM_GAME_LIST_ADDRESS": f"village@{DOMAIN}",
            "PBEM_GAME_STORYTELLERS": f"conteur@{DOMAIN}",
            "PBEM_IMAP_HOST": "127.0.0.1", "PBEM_IMAP_PORT": imap, "PBEM_IMAP_TLS": "none",
            "PBEM_IMAP_USER": user, "PBEM_IMAP_PASSWORD": password,
            "PBEM_SMTP_HOST": "127.0.0.1", "PBEM_SMTP_PORT": smtp, "PBEM_SMTP_TLS": "none",
            "PBEM_DATABASE_URL": path if "://" in path else f"sqlite:///{path}",
            "PBEM_AUTH_AUTHSERV_ID": f"mx.{DOMAIN}",
        },
    )  # fmt: skip
    return loaded.model_copy(update={"archive": Archive(folder=None)})


class Noticing:
    """A receiver that notes when it was given each mail."""

    def __init__(self, receiver: Any) -> None:
        self._receiver = receiver
        self.noticed: list[float] = []
        self.read_out = 0.0

    def receive(self, *args: Any) -> object:
        """As the receiver's."""
        self.noticed.append(time.monotonic())
        return self._receiver.receive(*args)

    def receive_together(self, mails: Any, poll_at: Any) -> int:
        """As the receiver's."""
        now = time.monotonic()
        done: int = self._receiver.receive_together(mails, poll_at)
        self.noticed += [now] * done
        return done

    def tick(self, *args: Any) -> object:
        """As the receiver's: the mailbox is read out, now what is due may happen."""
        self.read_out = self.read_out or time.monotonic()
        return self._receiver.tick(*args)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._receiver, name)


async def _run(daemon: Daemon, watch: Noticing, number: int | None) -> dict[str, Any]:
    serving = asyncio.create_task(daemon.serve())
    await daemon.started.wait()
    began, cpu = time.monotonic(), time.process_time()
    while number is not None and len(watch.noticed) < number and not serving.done():  # noqa: ASYNC110 - a thread counts
        await asyncio.sleep(0.02)
    if number is None:
        await serving
    else:
        await daemon.poll()
        await daemon.quiet()
    took = {"seconds": time.monotonic() - began, "cpu": time.process_time() - cpu}
    daemon.stop()
    await serving
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return took | {"began": began, "noticed": watch.noticed, "read out": watch.read_out, "megabytes": peak}


def main(path: str, imap: str, user: str, password: str, smtp: str, number: str) -> None:
    """One run."""
    chosen = settings(path, imap, user, password, smtp)
    daemon = wiring.daemon(chosen)
    watch = Noticing(daemon._receiver)  # noqa: SLF001 - a bench looks inside
    daemon._receiver = watch  # noqa: SLF001 - as above
    json.dump(asyncio.run(_run(daemon, watch, int(number) if number.isdecimal() else None)), sys.stdout)


if __name__ == "__main__":
    main(*sys.argv[1:])
