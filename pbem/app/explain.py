"""`pbem explain`: how the program reads a mail, one JSON object a line, without a game and without effect (MAIL.md § 7)."""

from __future__ import annotations

import argparse
import json
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from pbem.mail.mime import open_mail
from pbem.orders.reading import House, read

if TYPE_CHECKING:
    from collections.abc import Sequence


def explain(raw: bytes, file: str, house: House) -> dict[str, object]:
    mail = open_mail(raw, datetime.now(UTC))
    reading = read(mail, house)
    return {
        "file": file, "kind": reading.kind, "from": reading.sender, "tag": reading.tag, "code": reading.code,
        "commands": [{"verb": c.verb, "args": c.args, "where": c.where} for c in reading.commands],
        "text": reading.text, "authentic": reading.tag is not None, "why": reading.why,
    }


def main(argv: Sequence[str] | None = None) -> int:
    ap = argparse.ArgumentParser()
    ap.add_argument("--address", required=True)
    ap.add_argument("--authserv-id")
    ap.add_argument("files", nargs="+")
    a = ap.parse_args(argv)
    house = House(a.address, a.authserv_id)
    for f in a.files:
        print(json.dumps(explain(Path(f).read_bytes(), f, house), ensure_ascii=True))
    return 0


if __name__ == "__main__":
    sys.exit(main())
