"""`pbem archive serve`: shows the folder to browsers, and takes a reader's one-click goodbye (RFC 8058).

A small server for loopback, behind whatever web server faces the world; it knows GET and HEAD of files below its
folder (no listings, no dot files, nothing outside), and one thing that changes something: POST to
`/unsubscribe/<tag>`. A GET of that address only asks: link checkers must not end anybody's subscription.

A request with a body is the last one of its connection, whether the body is read or not: nothing of it is ever taken
for the next request (RFC 9112 § 11.2). One whose end cannot be told for sure is refused.
"""

from __future__ import annotations

import contextlib
import logging
import re
import socket
import sys
import time
from email import errors
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
_LENGTH: Final = re.compile(r"[0-9]{1,15}")
_DROPPED_BYTES: Final = 65_536
_DROPPED_SECONDS: Final = 2
_UNCLEAR: Final = (
    errors.MissingHeaderBodySeparatorDefect, errors.FirstHeaderLineIsContinuationDefect, errors.InvalidHeaderDefect,
)  # fmt: skip
_PLAIN: Final = TYPES[".txt"]


class Website(ThreadingHTTPServer):
    """The site below `root`. `prefix` is where it stands for the world (`/lune`), if whatever server is in front leaves
    that in the addresses. `leave(tag)` ends a reader's subscription, if there is one; `pages(name, start)` makes the
    answers `left`, `leave` and `404`, whose links begin with `start`. `noindex`: search engines are asked away.

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
        *,
        noindex: bool = False,
    ) -> None:
        super().__init__(address, _Visit)
        self.root = root.resolve()
        self.leave = leave
        self.pages = pages
        self.prefix = prefix.rstrip("/")
        self.headers = {**HEADERS, **({"X-Robots-Tag": "noindex, nofollow"} if noindex else {})}

    def handle_error(self, request: object, client_address: object) -> None:
        """Into the program's log and not on the terminal; somebody who goes away in the middle is no fault."""
        del request, client_address
        error = sys.exception()
        if not isinstance(error, OSError):
            _log.error("the archive's server: %s", type(error).__name__, exc_info=_log.isEnabledFor(logging.DEBUG))


class _Visit(BaseHTTPRequestHandler):
    """One connection."""

    server: Website
    protocol_version = "HTTP/1.1"
    server_version = "pbem"
    sys_version = ""
    timeout = _SECONDS

    def parse_request(self) -> bool:
        """Whether it can be answered; if not, the refusal is sent. After a request with a body the connection ends."""
        if not super().parse_request():
            return False
        length = None if self._unclear() else self._length()
        if length is None or self._where is None:
            self.send_error(HTTPStatus.BAD_REQUEST)
            return False
        self.close_connection = self.close_connection or length != 0
        return True

    def _unclear(self) -> bool:
        """Whether others may read its header in another way (RFC 9112 § 5.1)."""
        names = self.headers.keys()
        return any(name != name.strip() for name in names) or any(isinstance(d, _UNCLEAR) for d in self.headers.defects)

    def _length(self) -> int | None:
        """How many bytes of body follow; -1: in chunks, None: who knows."""
        lengths = self.headers.get_all("Content-Length", [])
        if "Transfer-Encoding" in self.headers:
            return None if lengths else -1
        if len(set(lengths)) > 1 or not all(_LENGTH.fullmatch(length) for length in lengths):
            return None
        return int(lengths[0]) if lengths else 0

    def handle_expect_100(self) -> bool:
        """Only a body that will be read is asked for."""
        length = self._length()
        wanted = self.command == "POST" and length is not None and 0 < length <= _MOST_BYTES and self._tag() is not None
        return super().handle_expect_100() if wanted else True

    def handle(self) -> None:
        """Requests until the end. What has come and was not read is dropped: without that, a closed connection takes
        the answer with it (RFC 9112 § 9.6).
        """
        super().handle()
        with contextlib.suppress(OSError):
            self.connection.shutdown(socket.SHUT_WR)
            end = time.monotonic() + _DROPPED_SECONDS
            left = _DROPPED_BYTES
            while left > 0 and (seconds := end - time.monotonic()) > 0:
                self.connection.settimeout(seconds)
                got = len(self.connection.recv(min(left, 8192)))
                left = left - got if got else 0

    def do_GET(self) -> None:
        """A file, or the question whether somebody wants to leave."""
        self._answer(body=True)

    def do_HEAD(self) -> None:
        """The same without its content."""
        self._answer(body=False)

    def do_POST(self) -> None:
        """RFC 8058: `List-Unsubscribe=One-Click`, from a mail program or from our own button."""
        tag = self._tag()
        length = self._length()
        if tag is None:
            self._refuse(HTTPStatus.METHOD_NOT_ALLOWED, {"Allow": "GET, HEAD"})
        elif length is None or length < 0 or "Content-Length" not in self.headers:
            self._refuse(HTTPStatus.LENGTH_REQUIRED)
        elif length > _MOST_BYTES:
            self._refuse(HTTPStatus.REQUEST_ENTITY_TOO_LARGE)
        else:
            self._leave(tag, self.rfile.read(length))

    def _leave(self, tag: str, body: bytes) -> None:
        if b"One-Click" not in body:
            self._page(HTTPStatus.BAD_REQUEST, "leave")
            return
        self.server.leave(tag)
        self._page(HTTPStatus.OK, "left")

    def _answer(self, *, body: bool) -> None:
        if self._tag() is not None:
            self._page(HTTPStatus.OK, "leave", body=body)
            return
        file = self._file(unquote(self._asked, errors="replace"))
        where, prefix = (self._where or "").lstrip("/"), self.server.prefix
        if prefix and self._where == prefix:
            self._send(HTTPStatus.MOVED_PERMANENTLY, b"", _PLAIN, {"Location": f"{prefix}/"})
        elif file is None:
            self._page(HTTPStatus.NOT_FOUND, "404", body=body)
        elif file.is_dir():
            self._send(HTTPStatus.MOVED_PERMANENTLY, b"", _PLAIN, {"Location": f"/{where}/"})
        else:
            self._show(file, body=body)

    @property
    def _where(self) -> str | None:
        """The path that was asked for; None if that is no address."""
        try:
            return urlsplit(self.path).path
        except ValueError:
            return None

    @property
    def _asked(self) -> str:
        """The same below the site's own place."""
        path, prefix = self._where or "", self.server.prefix
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
        for name, value in {**self.server.headers, **(more or {})}.items():
            self.send_header(name, value)
        if self.close_connection:
            self.send_header("Connection", "close")
        if kind:
            self.send_header("Content-Type", kind)
        if status is not HTTPStatus.NOT_MODIFIED:
            self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        if body and content:
            self.wfile.write(content)

    def _refuse(self, status: HTTPStatus, more: dict[str, str] | None = None) -> None:
        words = f"{status.value} {status.phrase}\n".encode()
        self._send(status, words, _PLAIN, more, body=self.command != "HEAD")

    def send_error(self, code: int, message: str | None = None, explain: str | None = None) -> None:
        """What http.server refuses, in our own words; the connection ends."""
        del message, explain
        self.close_connection = True
        self.request_version = self.protocol_version  # otherwise a garbled first line counts as HTTP/0.9: no header
        self._refuse(HTTPStatus(code))

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the name is http.server's
        """Into the program's log, without the tag of whoever leaves."""
        line = (format % args).encode("ascii", "replace").decode()
        _log.debug("%s", re.sub(rf"(/{UNSUBSCRIBE})\w+", r"\1…", line))


def _moment(text: str) -> float | None:
    try:
        return parsedate_to_datetime(text).timestamp()
    except (TypeError, ValueError):
        return None
