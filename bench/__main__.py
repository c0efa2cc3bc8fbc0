"""`make bench`: everything that is measured, one report.

    python -m bench [PART …] [--rounds N]

Parts, by default all: engine, throughput, latency, storm, growth, standing, archive, postgres. Most need Debian's
dovecot-imapd, the last one its postgresql too; what is not installed is left out, and the report says so. The exit code
is 1 if something misses even what it must hold.
"""

from __future__ import annotations

import argparse
import os
import platform
import sys
import time
from typing import TYPE_CHECKING

from rich.console import Console

from bench import archive, engine, figures, growth, latency, postgres, servers, standing, storm, throughput

if TYPE_CHECKING:
    from collections.abc import Callable

    from bench.figures import Figure

PARTS = ("engine", "throughput", "latency", "storm", "growth", "standing", "archive", "postgres")
_DOVECOT = frozenset({"throughput", "latency", "storm", "standing", "postgres"})
out = Console(highlight=False, width=150)


def measure(part: str, rounds: int) -> list[Figure]:
    """One part of the report."""
    parts: dict[str, Callable[[], list[Figure]]] = {
        "engine": engine.measure,
        "throughput": lambda: throughput.measure(rounds=rounds),
        "latency": latency.measure,
        "storm": lambda: storm.measure(rounds=rounds),
        "growth": growth.measure,
        "standing": lambda: standing.measure(rounds=rounds),
        "archive": archive.measure,
        "postgres": lambda: postgres.measure(rounds=rounds),
    }
    return parts[part]()


def lacking(part: str) -> str | None:
    """Why that part cannot be measured here, or None."""
    why = servers.unavailable() if part in _DOVECOT else None
    return why or (postgres.unavailable() if part == "postgres" else None)


def main() -> int:
    """Measure, and print as it goes."""
    parser = argparse.ArgumentParser(prog="make bench")
    parser.add_argument("parts", nargs="*", metavar="PART", help=", ".join(PARTS))
    parser.add_argument("--rounds", type=int, default=figures.ROUNDS, help="rounds of what takes turns")
    asked = parser.parse_args()
    unknown = [name for name in asked.parts if name not in PARTS]
    if unknown:
        parser.error(f"{unknown[0]}: there are {', '.join(PARTS)}")
    load = os.getloadavg()[0]
    out.print(f"Python {platform.python_version()}, {os.cpu_count()} processors, load {load:.1f} at the start")
    return max([_report(part, asked.rounds) for part in asked.parts or PARTS])


def _report(part: str, rounds: int) -> int:
    why = lacking(part)
    if why:
        out.print(f"\n[bold]{part}[/]: left out, {why}")
        return 0
    begin = time.monotonic()
    found = measure(part, rounds)
    out.print(f"\n[bold]{part}[/] ({time.monotonic() - begin:.0f} s, load {os.getloadavg()[0]:.1f})")
    for figure in found:
        out.print(f"  {figure.line()}", markup=False)
    return int(any(figure.broken for figure in found))


if __name__ == "__main__":
    sys.exit(main())
