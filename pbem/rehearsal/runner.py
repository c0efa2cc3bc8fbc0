"""`pbem rehearse`: plays scenario files and says what did not hold (SCENARIOS.md).

Exit code 0: every expectation held; 1: at least one did not; 2: at least one file is no scenario.
"""

from __future__ import annotations

import json
import multiprocessing
import os
import sys
import time
import traceback
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TextIO

from pbem.rehearsal import checks
from pbem.rehearsal.checks import Failure
from pbem.rehearsal.player import play
from pbem.rehearsal.scenario import load
from pbem.rehearsal.shapes import ScenarioError
from pbem.rehearsal.transcript import Transcript

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path


HELD, FAILED, MALFORMED = 0, 1, 2
FEW = 16
"""Files that one process plays faster than it would take to share them out."""


@dataclass(frozen=True, slots=True)
class Result:
    """What came of one file: `code` is the exit code that it asks for; `fault` why it is no scenario."""

    path: Path
    name: str
    code: int
    failures: tuple[Failure, ...] = ()
    fault: str = ""
    step: int = 0
    seconds: float = 0.0

    def lines(self) -> list[str]:
        """For people: nothing if all held."""
        if self.code == MALFORMED:
            where = f"step {self.step}: " if self.step else ""
            return [f"{self.path}: {where}no scenario: {self.fault}"]
        return [
            f"{self.path}: step {f.step}: {f.key}: expected {checks.shown(f.expected)}, found {checks.shown(f.found)}"
            for f in self.failures
        ]

    def as_json(self) -> dict[str, Any]:
        """For machines: `result` is held, failed or malformed."""
        told: dict[str, Any] = {
            "file": str(self.path),
            "name": self.name,
            "result": ("held", "failed", "malformed")[self.code],
            "seconds": round(self.seconds, 4),
        }
        if self.code == MALFORMED:
            return told | {"step": self.step, "why": self.fault}
        return told | {
            "failures": [
                {"step": f.step, "what": f.key, "expected": checks.shown(f.expected), "found": checks.shown(f.found)}
                for f in self.failures
            ]
        }


def rehearse(path: Path, transcript: TextIO | None = None) -> Result:
    """Play one file."""
    started = time.perf_counter()
    name = ""
    try:
        scenario = load(path)
        name = scenario.name
        watch = Transcript(transcript, scenario.setting.zone).watch() if transcript else None
        wrong = play(scenario, watch)
    except ScenarioError as fault:
        return Result(path, name, MALFORMED, fault=str(fault), step=fault.step)
    except BrokenPipeError:  # nobody reads the transcript any more
        raise
    except Exception as fault:  # noqa: BLE001 - the other files are played all the same
        traceback.print_exc()
        wrong = [Failure(0, "program", "no fault", f"{type(fault).__name__}: {fault}")]
    taken = time.perf_counter() - started
    return Result(path, name, FAILED if wrong else HELD, tuple(wrong), seconds=taken)


def main(
    paths: Sequence[Path], *, transcript: bool = False, as_json: bool = False, out: TextIO | None = None
) -> int:  # fmt: skip
    """Play the files in order and print what came of them; the exit code."""
    out = out or sys.stdout
    started = time.perf_counter()
    results: list[Result] = []
    for result in _played(paths, out if transcript and not as_json else None):
        results.append(result)
        for line in [json.dumps(result.as_json(), ensure_ascii=False)] if as_json else result.lines():
            print(line, file=out)
    if not as_json:
        print(_summary(results, time.perf_counter() - started), file=out)
    return max((result.code for result in results), default=MALFORMED)


def _played(paths: Sequence[Path], transcript: TextIO | None) -> Iterator[Result]:
    """The results in the order of the files; many files are shared out among the processors."""
    workers = min(len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else 1, len(paths) // FEW)
    if transcript is None and workers > 1 and "fork" in multiprocessing.get_all_start_methods():
        with ProcessPoolExecutor(workers, multiprocessing.get_context("fork")) as pool:
            yield from pool.map(rehearse, paths, chunksize=FEW // 4)
        return
    for path in paths:
        if transcript is not None:
            print(f"##### {path}", file=transcript)
        yield rehearse(path, transcript)


def _summary(results: Sequence[Result], seconds: float) -> str:
    bad = sum(result.code == MALFORMED for result in results)
    failed = sum(result.code == FAILED for result in results)
    words = [f"{len(results) - bad - failed} of {len(results)} scenarios held"]
    words += [f"{failed} failed"] if failed else []
    words += [f"{bad} are no scenarios"] if bad else []
    return f"{', '.join(words)} ({seconds:.1f} s)"
