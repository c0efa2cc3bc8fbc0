"""`python -m pbem.rehearsal FILE.yaml…`: the same as `pbem rehearse`."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from pbem.rehearsal.runner import main

if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="pbem rehearse")
    parser.add_argument("files", nargs="+", type=Path)
    parser.add_argument("--transcript", action="store_true", help="print every mail in and out")
    parser.add_argument("--json", action="store_true", help="one result object a file")
    given = parser.parse_args()
    sys.exit(main(given.files, transcript=given.transcript, as_json=given.json))
