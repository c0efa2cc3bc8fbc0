"""The storm's floor: every letter of a database, handed over four SMTP connections and nothing else.

    python -m bench.postman URL SMTP-PORT

It prints one JSON object: the seconds from the first connection to the last acceptance.
"""

from __future__ import annotations

import json
import queue
import smtplib
import sys
import time
from concurrent.futures import ThreadPoolExecutor

from pbem.store import Store

CONNECTIONS = 4
SENDER = "lune@village.example"


def send(port: int, letters: queue.Queue[tuple[str, bytes]]) -> None:
    """One connection's share."""
    with smtplib.SMTP("127.0.0.1", port) as client:
        while True:
            try:
                to, raw = letters.get_nowait()
            except queue.Empty:
                return
            client.sendmail(SENDER, [to], raw)


def main(url: str, port: str) -> None:
    """Read them all, then send them all."""
    store = Store(url)
    with store.read() as tx:
        rows = tx.letters()
    letters: queue.Queue[tuple[str, bytes]] = queue.Queue()
    for row in rows:
        letters.put((row.to, row.raw))
    began = time.monotonic()
    with ThreadPoolExecutor(CONNECTIONS) as crew:
        for task in [crew.submit(send, int(port), letters) for _ in range(CONNECTIONS)]:
            task.result()
    json.dump({"seconds": time.monotonic() - began, "letters": len(rows)}, sys.stdout)


if __name__ == "__main__":
    main(*sys.argv[1:])
