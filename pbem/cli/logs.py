"""What `pbem run` writes to standard error: text for people and journald, or one JSON object a line for machines.

Whatever goes wrong, and in whose code, no line holds a word of a mail, a role, an order or a tag: of an error only its
kind and the lines of code it came through are told, and of what other libraries have to say only that they said it and
where. `PBEM_DEBUG=1` shows all of it.
"""

from __future__ import annotations

import json
import logging
import os
import sys
import threading
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from rich.logging import RichHandler

from pbem.cli.screen import err

if TYPE_CHECKING:
    from types import TracebackType
    from typing import Literal

_TEXT = "%(asctime)s %(levelname)s %(message)s"
_OURS = "pbem"
_FRAMES = 6


def discreet(record: logging.LogRecord) -> str:
    """The message; of other libraries' only whose it is, since it may quote what they were given."""
    if record.name.partition(".")[0] == _OURS or os.environ.get("PBEM_DEBUG"):
        return record.getMessage()
    return f"{record.name} at {Path(record.pathname).name}:{record.lineno}"


def lines(kind: type[BaseException], trace: TracebackType | None) -> str:
    """An error's kind and the lines of code that it came through, without its text."""
    places = []
    while trace is not None:
        places.append(f"{Path(trace.tb_frame.f_code.co_filename).name}:{trace.tb_lineno}")
        trace = trace.tb_next
    return kind.__name__ + (f" in {', '.join(places[-_FRAMES:])}" if places else "")


class Text(logging.Formatter):
    """One line a record, without the text of errors."""

    def format(self, record: logging.LogRecord) -> str:
        """The record, so told."""
        told = logging.makeLogRecord({**vars(record), "msg": discreet(record), "args": None, "exc_text": None})
        return super().format(told)

    def formatException(self, ei: Any) -> str:  # noqa: N802  (logging's name)
        """See `lines`."""
        return super().formatException(ei) if os.environ.get("PBEM_DEBUG") else lines(ei[0], ei[2])


class JsonLines(logging.Formatter):
    """`{"at": ISO 8601 in UTC, "level", "logger", "message"}`; a traceback only as the error's type."""

    def format(self, record: logging.LogRecord) -> str:
        """One line."""
        line = {
            "at": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": discreet(record),
        }
        if record.exc_info and record.exc_info[0] is not None:
            line["error"] = record.exc_info[0].__name__
        return json.dumps(line, ensure_ascii=False)


def begin(kind: Literal["text", "json"], *, verbose: bool = False) -> None:
    """Log from now on: the program's own events, of others only warnings. On a terminal text is coloured."""
    handler = cast("logging.Handler", logging.StreamHandler())
    if kind == "json":
        handler.setFormatter(JsonLines())
    elif err.is_terminal:
        handler = RichHandler(console=err, show_path=False, log_time_format="%H:%M:%S")
        handler.setFormatter(Text("%(message)s"))
    else:
        handler.setFormatter(Text(_TEXT))
    logging.basicConfig(level=logging.WARNING, handlers=[handler], force=True)
    logging.getLogger(_OURS).setLevel(logging.DEBUG if verbose else logging.INFO)
    logging.captureWarnings(True)
    if not os.environ.get("PBEM_DEBUG"):
        threading.excepthook = _thread_broke
        sys.unraisablehook = _unraisable


def _thread_broke(given: threading.ExceptHookArgs) -> None:
    name = given.thread.name if given.thread is not None else "?"
    logging.getLogger(_OURS).error("the thread %s broke: %s", name, lines(given.exc_type, given.exc_traceback))


def _unraisable(given: sys.UnraisableHookArgs) -> None:
    logging.getLogger(_OURS).error("an error in passing: %s", lines(given.exc_type, given.exc_traceback))
