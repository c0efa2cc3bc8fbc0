"""`pbem explain`: how the program reads a mail, one JSON object a line, with no game and no effect (MAIL.md § 7).

Opening, reading and judging a mail are apart; this joins them. Nothing here raises for what a mail or a file holds,
and no mail takes longer than `TIME_LIMIT`.
"""

from __future__ import annotations

import argparse
import json
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from pbem.app.timebound import TooSlow, at_most
from pbem.mail.authenticity import Trust, judge
from pbem.mail.mime import open_mail
from pbem.mail.parts import MAX_RAW
from pbem.orders.reading import House, Reading, read

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

TIME_LIMIT: Final = 5.0
"""Seconds that one mail may take."""

FAILED: Final = "Reading it failed, which is an error of this program"
"""How the reason begins if an exception came up, which none should."""


def explain_files(
    files: Iterable[str | Path], house: House, trust: Trust | None = None, *, missed: Callable[[str], object]
) -> Iterator[dict[str, Any]]:
    """One object of § 7 for each file, in order. There is none of a file that cannot be had (a mail that is unreadable
    is another thing): `missed` is told that in one line, and the others are told all the same.
    """
    for file in files:
        try:
            with Path(file).open("rb") as stream:
                raw = stream.read(MAX_RAW + 1)
        except (OSError, ValueError) as error:  # ValueError: a NUL in its name
            missed(f"{file}: cannot be read ({getattr(error, 'strerror', None) or error})")
            continue
        yield explain(raw, str(file), house, trust)


def explain(raw: bytes, file: str, house: House, trust: Trust | None = None) -> dict[str, Any]:
    """How the mail `raw` is read, as § 7 prints it. `trust` defaults to the house's authserv-id."""
    try:
        with at_most(TIME_LIMIT):
            return _explained(raw, file, house, trust or Trust(house.authserv_id))
    except TooSlow:
        return _unreadable(file, f"Reading it took longer than {TIME_LIMIT:.0f} seconds.")
    except Exception as error:  # noqa: BLE001 - a host who asks about one mail of many wants the others told as well
        return _unreadable(file, f"{FAILED} ({type(error).__name__}: {error}).")


def _explained(raw: bytes, file: str, house: House, trust: Trust) -> dict[str, Any]:
    mail = open_mail(raw, datetime.now(UTC))
    known = len(mail.senders) == 1 and mail.senders[0] in {address.lower() for address in house.storyteller}
    reading = read(mail, house, storyteller=known)
    verdict = judge(mail, trust, raw)
    who = "It carries a personal tag." if reading.tag else verdict.why
    faults = f" ({'; '.join(mail.faults[:3])})" if mail.faults else ""
    return _object(file, reading, authentic=bool(reading.tag) or verdict.authentic, why=f"{reading.why} {who}{faults}")


def _object(file: str, reading: Reading, *, authentic: bool, why: str) -> dict[str, Any]:
    commands = [{"verb": spoken.verb, "args": spoken.args, "where": spoken.where} for spoken in reading.commands]
    return {
        "file": file,
        "kind": reading.kind,
        "from": reading.sender,
        "tag": reading.tag,
        "code": reading.code,
        "commands": commands,
        "text": reading.text,
        "authentic": authentic,
        "why": why,
    }


def _unreadable(file: str, why: str) -> dict[str, Any]:
    return _object(file, Reading("unreadable", None, None, None), authentic=False, why=why)


def main(argv: Sequence[str] | None = None) -> int:
    """`python -m pbem.app.explain --address A [--authserv-id B] FILE…`; `pbem explain` reads the configuration.

    The exit code: 2 if a file could not be had, else 0.
    """
    parser = argparse.ArgumentParser(
        prog="pbem.app.explain", description="Prints how mails are read, one JSON object a line."
    )
    parser.add_argument("--address", required=True, help="the game's address")
    parser.add_argument("--authserv-id", help="the name of the receiving server in Authentication-Results")
    parser.add_argument("--storyteller", action="append", default=[], help="a storyteller's address; may be repeated")
    parser.add_argument("--list", dest="list_address", help="the address of the village's list")
    parser.add_argument("files", nargs="+", metavar="FILE")
    given = parser.parse_args(argv)
    house = House(
        given.address, given.authserv_id, list_address=given.list_address, storyteller=tuple(given.storyteller)
    )
    missed: list[str] = []
    for line in explain_files(given.files, house, missed=missed.append):
        sys.stdout.write(json.dumps(line) + "\n")
    sys.stderr.write("".join(f"{line}\n" for line in missed))
    return 2 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
