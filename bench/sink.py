"""An SMTP server that takes every mail and forgets it, in a process of its own; it notes when each was accepted.

    python -m bench.sink PORT-FILE

It writes its port into the file. On SIGTERM it prints one JSON list: for each mail its moment (seconds of the
machine's monotonic clock) and its recipient.
"""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sys
import time
from pathlib import Path

TAKEN: list[tuple[float, str]] = []
_ANSWERS = {b"EHLO": b"250-sink\r\n250-PIPELINING\r\n250-8BITMIME\r\n250 SMTPUTF8\r\n", b"QUIT": b"221 bye\r\n"}


async def _serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    writer.write(b"220 sink\r\n")
    recipient = ""
    while line := await reader.readline():
        word = line[:4].upper()
        if word == b"RCPT":
            recipient = line.decode().partition("<")[2].partition(">")[0]
        if word == b"DATA":
            writer.write(b"354 go on\r\n")
            await reader.readuntil(b"\r\n.\r\n")
            TAKEN.append((time.monotonic(), recipient))
        writer.write(_ANSWERS.get(word, b"250 ok\r\n"))
        if word == b"QUIT":
            break
    writer.close()


async def main(port_file: Path) -> None:
    """Serve until SIGTERM."""
    server = await asyncio.start_server(_serve, "127.0.0.1", 0, limit=1 << 24)
    draft = port_file.with_suffix(".new")
    draft.write_text(str(server.sockets[0].getsockname()[1]))
    os.replace(draft, port_file)  # noqa: PTH105 - the same, and atomic
    done = asyncio.Event()
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, done.set)
    await done.wait()
    json.dump(TAKEN, sys.stdout)


if __name__ == "__main__":
    asyncio.run(main(Path(sys.argv[1])))
