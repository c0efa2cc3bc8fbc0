"""What `pbem run` writes to standard error: text for people and journald, or one JSON object a line for machines."""

from __future__ import annotations

import json
import logging
from datetime import UTC, datetime
from typing import TYPE_CHECKING, cast

from rich.logging import RichHandler

from pbem.cli.screen import err

if TYPE_CHECKING:
    from typing import Literal

_TEXT = "%(asctime)s %(levelname)s %(message)s"


class JsonLines(logging.Formatter):
    """`{"at": ISO 8601 in UTC, "level", "logger", "message"}`; a traceback only as the error's type."""

    def format(self, record: logging.LogRecord) -> str:
        """One line."""
        line = {
            "at": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
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
        handler.setFormatter(logging.Formatter("%(message)s"))
    else:
        handler.setFormatter(logging.Formatter(_TEXT))
    logging.basicConfig(level=logging.WARNING, handlers=[handler], force=True)
    logging.getLogger("pbem").setLevel(logging.DEBUG if verbose else logging.INFO)
