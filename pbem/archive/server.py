"""`pbem archive serve`: shows the folder to browsers, and takes a reader's one-click goodbye (RFC 8058).

A small server for loopback, behind whatever web server faces the world; it knows GET and HEAD of files below its
folder (no listings, no dot files, nothing outside), and one thing that changes something: POST to
`/unsubscribe/<tag>`. A GET of that address only asks: link checkers must not end anybody's subscription.
"""

from __future__ import annotations

import logging
import re
from email.utils import formatdate, parsedate_to_datetime
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Final
from urllib.parse import unquote, urlsplit

from pbem.archive.addresses import UNSUBSCRIBE
from pbem.archive.render import POLICY

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

_log = logging.getLogger(__name__)

HEADERS: Final = {
    "Content-Security-Policy": f"{POLICY}; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
}
TYPES: Final = {
    ".html": "text/html; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
    ".json": "application/json",
    ".atom": "application/atom+xml",
    ".ics": "text/calendar; charset=utf-8",
    ".mbox": "application/mbox",
    ".txt": "text/plain; charset=utf-8",
}
_TAG: Final = re.compile(r"[a-z0-9]{8,64}")
_MOST_BYTES: Final = 4096
_SECONDS: Final = 20
_DEEPEST: Final = 20


class Website(ThreadingHTTPServer):
    """The site below `root`. `prefix` is where it stands for the world (`/lune`), if whatever server is in front leaves
    that in the addresses. `leave(tag)` ends a reader's subscription, if there is one; `pages(name, start)` makes the
    answers `left`, `leave` and `404`, whose links begin with `start`.

    Port 0 takes any free one (`server_port`). Raises OSError if the port is taken.
    """

    daemon_threads = True
    block_on_close = False

    def __init__(
        self,
        address: tuple[str, int],
        root: Path,
        leave: Callable[[str], object],
        pages: Callable[[str, str], bytes],
        prefix: str = "",
    ) -> None:
        super().__init__(address, _Visit)
        self.root = root.resolve()
        self.leave = leave
        self.pages = pages
        self.prefix = prefix.rstrip("/")


class _Visit(BaseHTTPRequestHandler):
    """One connection."""

    server: Website
    protocol_version = "HTTP/1.1"
    server_version = "pbem"
    sys_version = ""
    timeout = _SECONDS

    def do_GET(self) -> None:
        """A file, or the question whether somebody wants to leave."""
        self._answer(body=True)

    def do_HEAD(self) -> None:
        """The same without its content."""
        self._answer(body=False)

    def do_POST(self) -> None:
        """RFC 8058: `List-Unsubscribe=One-Click`, from a mail program or from our own button."""
        tag = self._tag()
        if tag is None:
            self._send(HTTPStatus.METHOD_NOT_ALLOWED, b"", "text/plain; charset=utf-8", {"Allow": "GET, HEAD"})
            return
        length = self.headers.get("Content-Length", "")
        if not length.isdigit() or int(length) > _MOST_BYTES:
            self.close_connection = True
            self._send(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, b"", "text/plain; charset=utf-8")
            return
        if b"One-Click" not in self.rfile.read(int(length)):
            self._page(HTTPStatus.BAD_REQUEST, "leave")
            return
        self.server.leave(tag)
        self._page(HTTPStatus.OK, "left")

    def _answer(self, *, body: bool) -> None:
        if self._tag() is not None:
            self._page(HTTPStatus.OK, "leave", body=body)
            return
        file = self._file(unquote(self._asked, errors="replace"))
        if file is None:
            self._page(HTTPStatus.NOT_FOUND, "404", body=body)
        elif file.is_dir():
            where = urlsplit(self.path).path.lstrip("/")
            self._send(HTTPStatus.MOVED_PERMANENTLY, b"", "text/plain; charset=utf-8", {"Location": f"/{where}/"})
        else:
            self._show(file, body=body)

    @property
    def _asked(self) -> str:
        """The path that was asked for, below the site's own place."""
        path, prefix = urlsplit(self.path).path, self.server.prefix
        return path.removeprefix(prefix) if prefix and path.startswith(f"{prefix}/") else path

    def _tag(self) -> str | None:
        """The tag in the address, if it is one for leaving."""
        path = self._asked
        tag = path.removeprefix(f"/{UNSUBSCRIBE}") if path.startswith(f"/{UNSUBSCRIBE}") else ""
        return tag if _TAG.fullmatch(tag) else None

    def _file(self, path: str) -> Path | None:
        """The file (or a folder that lacks its slash); None for everything that is not to be seen."""
        parts = path.split("/")[1:]
        if not path.startswith("/") or any(part.startswith(".") or "\\" in part or "\0" in part for part in parts):
            return None
        if "" in parts[:-1]:
            return None
        file = self.server.root.joinpath(*parts[:-1], parts[-1] or "index.html")
        try:
            inside = file.resolve().is_relative_to(self.server.root)
            if not inside or not (file.is_file() or (file.is_dir() and (file / "index.html").is_file())):
                return None
        except (OSError, ValueError):
            return None
        return file

    def _show(self, file: Path, *, body: bool) -> None:
        try:
            with file.open("rb") as opened:
                content = opened.read()
                changed = int(file.stat().st_mtime)
        except OSError:
            self._page(HTTPStatus.NOT_FOUND, "404", body=body)
            return
        since = self.headers.get("If-Modified-Since", "")
        seen = _moment(since)
        more = {"Last-Modified": formatdate(changed, usegmt=True), "Cache-Control": "no-cache"}
        if seen is not None and changed <= seen:
            self._send(HTTPStatus.NOT_MODIFIED, b"", "", more, body=False)
            return
        kind = TYPES.get(file.suffix, "application/octet-stream")
        self._send(HTTPStatus.OK, content, kind, more, body=body)

    def _page(self, status: HTTPStatus, name: str, *, body: bool = True) -> None:
        more = {"Cache-Control": "no-store"} if name != "404" else None
        depth = min(self._asked.count("/") - 1, _DEEPEST)
        self._send(status, self.server.pages(name, "../" * depth or "./"), TYPES[".html"], more, body=body)

    def _send(
        self, status: HTTPStatus, content: bytes, kind: str, more: dict[str, str] | None = None, *, body: bool = True
    ) -> None:
        self.send_response(status)
        for name, value in {**HEADERS, **(more or {})}.items():
            self.send_header(name, value)
        if kind:
            self.send_header("Content-Type", kind)
        if status is not HTTPStatus.NOT_MODIFIED:
            self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        if body and content:
            self.wfile.write(content)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the name is http.server's
        """Into the program's log, without the tag of whoever leaves."""
        line = (format % args).encode("ascii", "replace").decode()
        _log.debug("%s", re.sub(rf"(/{UNSUBSCRIBE})\w+", r"\1…", line))


def _moment(text: str) -> float | None:
    try:
        return parsedate_to_datetime(text).timestamp()
    except (TypeError, ValueError):
        return None
