"""`make torture`: whole games, killed and disturbed at every turn, and whether anything was lost.

python -m tests.torture [--quick] [--seed N] [--keep FOLDER]
"""

from __future__ import annotations

import argparse
import logging
import sys
import tempfile
import time
from pathlib import Path

from tests.torture.rack import Rack, campaign


def main() -> int:
    parser = argparse.ArgumentParser(prog="make torture")
    parser.add_argument("--quick", action="store_true", help="less than a minute")
    parser.add_argument("--seed", default="1")
    parser.add_argument("--keep", type=Path, help="keep everything in that folder")
    chosen = parser.parse_args()
    logging.getLogger("asyncio").setLevel(logging.ERROR)  # connections that die are what this is about
    began = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="torture-") as folder:
        rack = Rack(chosen.keep or Path(folder), lambda line: print(line, flush=True))  # noqa: T201
        campaign(rack, seed=chosen.seed, quick=chosen.quick)
    rack.report(time.monotonic() - began)
    return 1 if rack.losses else 0


if __name__ == "__main__":
    sys.exit(main())
