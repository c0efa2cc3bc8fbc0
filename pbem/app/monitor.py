"""Beside the running program: metrics and a health check on a loopback port, alerts to the host, problems in the log.

It reads the store as `pbem status` does, in threads of its own, and nothing waits for it; what goes wrong in here is
logged, and tried again at the next look.
"""

from __future__ import annotations

import json
import logging
import os
import threading
from datetime import UTC, datetime
from functools import partial
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Final, Self

from pbem.app import alerts, metrics
from pbem.app.status import gather
from pbem.store import StoreError

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import TracebackType

    from pbem.app.status import Status
    from pbem.settings import Settings
    from pbem.store import Store

_log = logging.getLogger(__name__)

EVERY: Final = 30.0
"""Seconds between two looks."""
_LEASE: Final = "alerts"
_SHUT: Final = 0.05


def wall_clock() -> datetime:
    """The host's."""
    return datetime.now(UTC)


class Monitor:
    """A context manager. `now` gives the moment (aware). Raises ConfigError on entry if the port is taken."""

    def __init__(
        self, settings: Settings, store: Store, now: Callable[[], datetime] = wall_clock, *, every: float = EVERY
    ) -> None:
        self._settings = settings
        self._store = store
        self._now = now
        self._every = every
        self._owner = f"{os.uname().nodename}:{os.getpid()}"
        self._stopped = threading.Event()
        self._said: frozenset[str] = frozenset()
        self._server: ThreadingHTTPServer | None = None
        self._threads: list[threading.Thread] = []

    def __enter__(self) -> Self:
        where = self._settings.monitor
        if where.port is not None:
            try:
                self._server = _Page((where.host, where.port), self.look)
            except OSError as error:
                free = f"a free port ({error.strerror or error})"
                raise self._settings.refusal("monitor.port", where.port, free) from None
            _log.info("metrics: http://%s:%d/metrics", where.host, self._server.server_port)
            self._start(partial(self._server.serve_forever, _SHUT))
        self._start(self._watch)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stopped.set()
        if self._server is not None:
            self._server.shutdown()
            self._server.server_close()
        for thread in self._threads:
            thread.join(5)

    @property
    def port(self) -> int:
        """Where the metrics are; 0 if nowhere."""
        return self._server.server_port if self._server is not None else 0

    def look(self) -> Status:
        """How the program stands. Raises StoreError."""
        with self._store.read() as tx:
            return gather(tx, self._now())

    def watch_once(self) -> None:
        """Log what is new, and write the alerts that are due. Raises StoreError."""
        status = self.look()
        problems = frozenset(problem.cause for problem in status.found)
        for problem in status.found:
            if problem.cause not in self._said:
                _log.warning("%s", problem.text)
        self._said = problems
        if not self._settings.monitor.alerts:
            return
        with self._store.begin() as tx:
            if tx.lease(_LEASE, self._owner, self._now(), 2 * self._every):
                alerts.tell(tx, self._settings, status.found, self._now())

    def _watch(self) -> None:
        while not self._stopped.wait(self._every):
            try:
                self.watch_once()
            except StoreError as error:
                _log.error("the state cannot be looked at: %s", error)

    def _start(self, work: Callable[[], object]) -> None:
        thread = threading.Thread(target=work, name="monitor", daemon=True)
        self._threads.append(thread)
        thread.start()


class _Page(ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self, address: tuple[str, int], look: Callable[[], Status]) -> None:
        self.look = look
        super().__init__(address, _Visit)


class _Visit(BaseHTTPRequestHandler):
    """GET /metrics and GET /health (200: all is well, 503: something needs the host)."""

    server: _Page
    server_version = "pbem"
    sys_version = ""
    timeout = 20

    def do_GET(self) -> None:
        """Answer."""
        page = self.path.partition("?")[0]
        if page not in {"/metrics", "/health"}:
            self._say(404, "text/plain", "/metrics, /health\n")
            return
        try:
            status = self.server.look()
        except StoreError as error:
            self._say(503, "text/plain", f"the database: {error}\n")
            return
        if page == "/metrics":
            self._say(200, metrics.CONTENT_TYPE, metrics.text(status))
            return
        told = {"healthy": status.healthy, "problems": list(status.problems)}
        self._say(200 if status.healthy else 503, "application/json", json.dumps(told) + "\n")

    def _say(self, code: int, kind: str, text: str) -> None:
        body = text.encode()
        self.send_response(code)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002  (http.server's name)
        """Not in the log: a scrape every quarter of a minute is no event."""
