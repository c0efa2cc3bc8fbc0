"""What is measured, as it is reported: figures with their goals, and whether those hold.

`Figure` is one line of the report. A goal is a limit that the program is meant to keep on a machine of its own; a must
is one that it may never miss. Both are ratios to something measured in the same run wherever that makes sense, since
the absolute figures are the machine's as much as the program's.
"""

from __future__ import annotations

import statistics
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

ROUNDS = 5
"""So many rounds take turns with what they are compared with; the figures are their medians."""


@dataclass(frozen=True, slots=True)
class Figure:
    """`value` in `unit`. `least` and `most` are goals, `must` is the limit behind the goal, where there is one."""

    what: str
    value: float
    unit: str = ""
    least: float | None = None
    most: float | None = None
    must: float | None = None

    @property
    def held(self) -> bool | None:
        """Whether the goal was reached; None where there is none."""
        if self.least is not None:
            return self.value >= self.least
        return None if self.most is None else self.value <= self.most

    @property
    def broken(self) -> bool:
        """Whether even the must was missed."""
        if self.must is None:
            return False
        return self.value < self.must if self.least is not None else self.value > self.must

    def line(self) -> str:
        """For people."""
        shown = f"{self.value:,.0f}" if self.value >= 1000 else f"{self.value:,.3g}"  # noqa: PLR2004 - enough digits
        text = f"{self.what}: {shown}{self.unit and ' '}{self.unit}"
        if self.held is None:
            return text
        sign, limit = ("≥", self.least) if self.least is not None else ("≤", self.most)
        verdict = "holds" if self.held else "MISSED"
        return f"{text}   (goal {sign} {limit:,g}: {verdict}{', and so is the must' if self.broken else ''})"


def median(values: Sequence[float]) -> float:
    """Of the rounds."""
    return float(statistics.median(values))
