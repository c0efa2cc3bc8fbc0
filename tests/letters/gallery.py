"""The samples that the program ships, written once for all tests."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from pbem.letters import samples as shipped
from pbem.letters.samples.answers import CODES
from pbem.letters.samples.troupe import Troupe, evolved
from tests.letters.village import SCRIBE

if TYPE_CHECKING:
    from pbem.post import Letter

__all__ = ["CAST", "CODES", "evolved", "samples"]

CAST = Troupe(SCRIBE).cast


@cache
def samples() -> dict[str, list[Letter]]:
    """Every sample, by name."""
    return shipped.samples(SCRIBE)
