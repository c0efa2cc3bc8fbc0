"""`make fuzz`: hundreds of thousands of mails that nobody meant to send, each derived from one of ours.

    python -m tests.fuzz.fuzz_mails [--read N] [--receive N] [--seed N] [--minutes M] [--only KIND:NUMBER]

`--read` mails are opened, read, judged and, if they are bounces, diagnosed; `--receive` ones go through the whole of
the program into a running game. No exception may come up, every mail must end as accepted, refused, held, ignored or
quarantined, machines get no answer, and no mail may give an order that the unchanged one did not hold. The same seed
and number make the same mail again (`--only`).
"""

from __future__ import annotations

import argparse
import json
import sys
import time
import traceback
from collections import Counter
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import lru_cache
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Final

from pbem.mail.authenticity import Trust, judge
from pbem.mail.bounces import diagnose
from pbem.mail.mime import open_mail
from pbem.orders.reading import House, read
from pbem.orders.words import letters
from tests.fuzz import mutations
from tests.fuzz.town import ENDS, MACHINES, Town

if TYPE_CHECKING:
    from collections.abc import Callable

    from pbem.orders.reading import Reading
    from tests.fuzz.mutations import Mutant

MAILS: Final = Path(__file__).resolve().parents[1] / "mails"
HOUSE: Final = House("lune@jeu.example", "mx.jeu.example")
TRUST: Final = Trust("mx.jeu.example")
AT: Final = datetime(2026, 12, 7, 20, tzinfo=UTC)
PER_TOWN: Final = 250
"""Mails to one game before a new one is made."""
SLOW: Final = 5.0
"""Seconds of the processor that one mail may take."""


@dataclass
class Tally:
    """What was seen. `faults`: (which mail, what is wrong with it)."""

    read: Counter[str] = field(default_factory=Counter)
    ends: Counter[str] = field(default_factory=Counter)
    changes: Counter[str] = field(default_factory=Counter)
    faults: list[tuple[str, str]] = field(default_factory=list)
    unmarked: int = 0
    slowest: float = 0.0


@lru_cache(maxsize=1)
def sources() -> tuple[tuple[str, bytes, bool], ...]:
    """Our own mails: name, bytes, and whether a person wrote it."""
    labels = [json.loads(line) for line in (MAILS / "labels.jsonl").read_text("utf-8").splitlines()]
    by_machines = MACHINES | {"bounce"}
    return tuple((one["file"], (MAILS / one["file"]).read_bytes(), one["kind"] not in by_machines) for one in labels)


def made(kind: str, seed: int, number: int) -> tuple[str, bytes, Mutant]:
    """The mail of that number: from which one, that one, and what was made of it."""
    rng = Random(f"{kind} {seed} {number}")
    name, raw, person = sources()[rng.randrange(len(sources()))]
    return name, raw, mutations.mutate(raw, rng, person=person)


def _reading(raw: bytes) -> Reading:
    mail = open_mail(raw, AT)
    reading = read(mail, HOUSE)
    judge(mail, TRUST, raw)
    if reading.kind == "bounce":
        diagnose(mail, raw)
    return reading


@lru_cache(maxsize=512)
def _unchanged(raw: bytes) -> tuple[Counter[str], frozenset[tuple[str, str]], bool]:
    """What the mail holds: its verbs, its orders, and whether its charset is what it says."""
    reading = _reading(raw)
    orders = frozenset((spoken.verb, letters(spoken.args)) for spoken in reading.commands)
    return Counter(spoken.verb for spoken in reading.commands), orders, not open_mail(raw, AT).faults


def _new_verbs(reading: Reading, raw: bytes, mutant: Mutant) -> str:
    """What it says that the unchanged mail does not; '' if nothing."""
    verbs, orders, sound = _unchanged(raw)
    said = Counter(spoken.verb for spoken in reading.commands)
    if mutant.silent and said:
        return f"an order in what another says: {dict(said)}"
    if new := _more(said, verbs, mutant):
        return f"new orders: {new}"
    if mutant.damaged is None and sound:
        others = {(spoken.verb, letters(spoken.args)) for spoken in reading.commands} - orders
        return f"other orders: {others}" if others else ""
    return ""


def _more(said: Counter[str], held: Counter[str], mutant: Mutant) -> dict[str, int]:
    """The verbs of `said` that are not in `held`; a line that damage doubled says nothing new."""
    return dict(said - held) if mutant.damaged is None else {verb: n for verb, n in said.items() if verb not in held}


def _damage_unmarks(raw: bytes, mutant: Mutant) -> bool:
    """Whether the damage took away what makes words another's: with those lines gone the mail itself says more."""
    if mutant.damaged is None:
        return False
    verbs = _unchanged(raw)[0]
    variants = mutations.without(raw, mutant.damaged)
    return any(Counter(s.verb for s in read(open_mail(variant, AT), HOUSE).commands) - verbs for variant in variants)


def read_one(seed: int, number: int, tally: Tally) -> None:
    """One mail, opened and read."""
    name, raw, mutant = made("read", seed, number)
    which = f"read:{number} {name} {'+'.join(mutant.how)}"
    began = time.process_time()
    try:
        reading = _reading(mutant.raw)
    except Exception:  # noqa: BLE001 - that is what is looked for
        tally.faults.append((which, traceback.format_exc(limit=-3)))
        return
    _took(which, began, tally)
    tally.read[reading.kind] += 1
    tally.changes.update(mutant.how)
    if new := _new_verbs(reading, raw, mutant):
        if _damage_unmarks(raw, mutant):
            tally.unmarked += 1
        else:
            tally.faults.append((which, new))


def _took(which: str, began: float, tally: Tally) -> None:
    took = time.process_time() - began
    tally.slowest = max(tally.slowest, took)
    if took > SLOW:
        tally.faults.append((which, f"took {took:.1f} s"))


def receive_one(town: Town, seed: int, number: int, tally: Tally) -> None:
    """One mail into a game."""
    name, raw, mutant = made("receive", seed, number)
    which = f"receive:{number} {name} {'+'.join(mutant.how)}"
    dressed = town.dressed(mutant.raw)
    held = town.heard(town.dressed(raw))
    began = time.process_time()
    try:
        end, handled, written = town.throw(dressed)
    except Exception:  # noqa: BLE001 - that is what is looked for
        tally.faults.append((which, traceback.format_exc(limit=-3)))
        return
    _took(which, began, tally)
    tally.ends[end] += 1
    tally.changes.update(mutant.how)
    done = Counter(outcome.verb for outcome in handled.outcomes if outcome.status in {"accepted", "held"})
    if end not in ENDS:
        tally.faults.append((which, f"ended as {end}"))
    if town.stumbled():
        tally.faults.append((which, f"an exception put it aside: {town.log.pop()}"))
    if handled.kind in MACHINES and written:
        tally.faults.append((which, f"a machine was answered: {[row.kind for row in written]}"))
    if (mutant.silent and done) or _more(done, held, mutant):
        if not mutant.silent and _damage_unmarks(raw, mutant):
            tally.unmarked += 1
        else:
            tally.faults.append((which, f"did {dict(done)}, held {dict(held)}"))


def run(*, reading: int, receiving: int, seed: int, seconds: float, say: Callable[[str], object]) -> Tally:
    """So many mails of each sort, or as many as there is time for."""
    tally = Tally()
    end = time.monotonic() + seconds
    town: Town | None = None
    for number in range(receiving):
        if time.monotonic() > end:
            break
        if number % PER_TOWN == 0:
            if town is not None:
                town.close()
            town = Town(number // PER_TOWN)
        assert town is not None
        receive_one(town, seed, number, tally)
        if number % 5000 == 4999:
            say(f"{number + 1} received, {len(tally.faults)} faults")
    if town is not None:
        town.close()
    for number in range(reading):
        if time.monotonic() > end:
            break
        read_one(seed, number, tally)
        if number % 20000 == 19999:
            say(f"{number + 1} read, {len(tally.faults)} faults")
    return tally


def report(tally: Tally, took: float) -> str:
    """The figures, and every fault (the first hundred)."""
    lines = [
        f"{sum(tally.read.values())} mails read: " + ", ".join(f"{kind} {n}" for kind, n in tally.read.most_common()),
        f"{sum(tally.ends.values())} mails received: " + ", ".join(f"{end} {tally.ends[end]}" for end in ENDS),
        "changes: " + ", ".join(f"{how} {n}" for how, n in tally.changes.most_common()),
        f"left out, because the damage itself took a quotation's or a machine's mark away: {tally.unmarked}",
        f"the slowest took {tally.slowest:.2f} s of the processor; {took:.0f} s in all",
        f"{len(tally.faults)} faults",
    ]
    return "\n".join(lines + [f"  {which}: {what}" for which, what in tally.faults[:100]])


def _show(kind: str, seed: int, number: int) -> None:
    name, raw, mutant = made(kind, seed, number)
    sys.stderr.write(f"{name} {mutant.how} silent={mutant.silent} damaged={mutant.damaged}\n")
    sys.stderr.write(f"before: {[(s.verb, s.args, s.where) for s in _reading(raw).commands]}\n")
    reading = _reading(mutant.raw)
    sys.stderr.write(
        f"after: {reading.kind} {[(s.verb, s.args, s.where) for s in reading.commands]} {reading.text!r}\n"
    )
    sys.stdout.buffer.write(mutant.raw)


def main() -> int:
    parser = argparse.ArgumentParser(prog="make fuzz", description="Mails changed at random, read and received.")
    parser.add_argument("--read", type=int, default=180_000, help="mails that are only read (default 180000)")
    parser.add_argument("--receive", type=int, default=20_000, help="mails into a running game (default 20000)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--minutes", type=float, default=60.0, help="an end, wherever it stands then")
    parser.add_argument("--only", help="show one mail: read:NUMBER or receive:NUMBER")
    chosen = parser.parse_args()
    if chosen.only:
        kind, _, number = chosen.only.partition(":")
        _show(kind, chosen.seed, int(number))
        return 0
    began = time.monotonic()
    say = lambda line: print(line, flush=True)  # noqa: E731, T201
    tally = run(reading=chosen.read, receiving=chosen.receive, seed=chosen.seed, seconds=60 * chosen.minutes, say=say)
    say(report(tally, time.monotonic() - began))
    return 1 if tally.faults else 0


if __name__ == "__main__":
    sys.exit(main())
