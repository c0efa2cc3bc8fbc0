"""`make bench`: everything that is measured, one report.

    python -m bench [PART …] [--full]

Parts: engine, throughput, latency, growth, standing. All but the first two figures of `engine` need Dovecot. `--full`
also measures growth with 10,000 games, which take minutes to make.
"""

from __future__ import annotations

import argparse
import os
import platform
import sys
from typing import TYPE_CHECKING, Any

from rich.console import Console

from bench import engine, growth, latency, servers, throughput

if TYPE_CHECKING:
    from collections.abc import Callable

FULL = (10, 1000, 10_000)
out = Console(highlight=False)


def parts(*, full: bool) -> dict[str, Callable[[], dict[str, Any]]]:
    """What can be measured."""
    return {
        "engine": engine.measure,
        "throughput": throughput.measure,
        "latency": latency.measure,
        "growth": lambda: growth.measure(FULL) if full else growth.measure(),
        "standing": growth.standing,
    }


def main() -> int:
    """Measure, and print as it goes."""
    parser = argparse.ArgumentParser(prog="make bench")
    parser.add_argument("parts", nargs="*", metavar="PART")
    parser.add_argument("--full", action="store_true", help="growth with 10,000 games too")
    asked = parser.parse_args()
    known = parts(full=asked.full)
    for name in asked.parts or known:
        if name not in known:
            parser.error(f"{name}: there are {', '.join(known)}")
    load = os.getloadavg()[0]
    out.print(f"Python {platform.python_version()}, {os.cpu_count()} processors, load {load:.1f} at the start")
    for name in asked.parts or known:
        lacking = servers.unavailable() if name != "engine" else None
        out.print(f"\n[bold]{name}[/]" + (f": left out, {lacking}" if lacking else ""))
        for what, figure in (known[name]() if not lacking else {}).items():
            out.print(f"  {what}: {_shown(figure)}")
    return 0


def _shown(figure: Any) -> str:
    if isinstance(figure, dict):
        return ", ".join(f"{name} {_shown(value)}" for name, value in figure.items())
    return f"{figure:,}" if isinstance(figure, int) else str(figure)


if __name__ == "__main__":
    sys.exit(main())
