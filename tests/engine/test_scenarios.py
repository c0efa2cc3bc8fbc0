"""The rules' scenarios on the rules alone, with no mail in between; with mail, `pbem rehearse` plays the same files.

PBEM_SCENARIOS names a further folder of scenario files to play; those that are about mail are left out.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.kit.stage import play

OURS = Path(__file__).parents[1] / "scenarios" / "rules"
FURTHER = os.environ.get("PBEM_SCENARIOS")
FILES = sorted(OURS.glob("*.yaml")) + (sorted(Path(FURTHER).glob("*.yaml")) if FURTHER else [])


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_scenario(path):
    faults = play(path)
    if faults is None:
        pytest.skip("about mail")
    assert faults == []


def test_there_is_one_for_every_rule():
    rules = [
        line.split()[0]
        for line in (OURS.parents[1] / "rules.txt").read_text("utf-8").splitlines()
        if line[:1].isupper()
    ]
    shown = {"-".join(path.stem.split("-")[:2]) for path in OURS.glob("*.yaml")}
    assert shown == set(rules)
    assert len(rules) == len(set(rules))
