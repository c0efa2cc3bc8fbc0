"""`pbem run` with a clock that the test moves: a process of its own, to be killed at any moment.

Reads lines: `to MOMENT` moves the clock, `poll` reads the mailbox out, `quiet` waits for the letters to be out.
Answers each with `ok`; says `ready SMTP-PORT IMAP-PORT` at first.
"""

from __future__ import annotations

import asyncio
import sys
from datetime import datetime

from pbem import settings as configuring
from pbem import wiring
from pbem.app.clock import DrivenClock


def _say(text: str) -> None:
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


async def _obey(daemon, clock):
    await daemon.started.wait()
    _say(f"ready {daemon.office.smtp_port} {daemon.office.imap_port}")
    while line := (await asyncio.to_thread(sys.stdin.readline)).split():
        if line[0] == "to":
            clock.move(datetime.fromisoformat(line[1]))
        elif line[0] == "poll":
            await daemon.poll()
        elif line[0] == "quiet":
            await daemon.quiet()
        _say("ok")
    daemon.stop()


async def main(config: str, start: str) -> None:
    clock = DrivenClock(datetime.fromisoformat(start))
    daemon = wiring.daemon(configuring.load(config, {}), clock)
    obeying = asyncio.create_task(_obey(daemon, clock))
    await daemon.serve()
    await obeying


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
