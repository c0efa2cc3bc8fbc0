"""The harness itself: it finds what is put wrong on purpose; and a short campaign finds nothing."""

from __future__ import annotations

import logging
from collections import Counter
from dataclasses import replace

import pytest

from tests.torture.audit import Account, faults
from tests.torture.rack import Rack, campaign, every
from tests.torture.town import Plan

pytestmark = pytest.mark.slow


@pytest.fixture(autouse=True)
def quiet():
    logging.getLogger("asyncio").setLevel(logging.ERROR)
    yield
    logging.getLogger("asyncio").setLevel(logging.NOTSET)


@pytest.fixture(scope="session")
def recorded(tmp_path_factory):
    """A small story, and what comes of it undisturbed."""
    rack = Rack(tmp_path_factory.mktemp("story"), lambda _line: None)
    story = rack.record("1", 4, spice=False)
    assert not rack.losses
    return story


def test_a_short_campaign_loses_nothing(tmp_path):
    """Kills at commits, IMAP commands and SMTP replies; the same events and letters as undisturbed."""
    lines = []
    rack = Rack(tmp_path, lines.append)
    campaign(rack, seed="1", quick=True)
    rack.report(0)
    assert not rack.losses, "\n".join(lines)
    assert rack.kills.total() >= 10  # the campaign is bounded in time, and a busy machine kills less often
    assert sum(count > 0 for count in rack.kills.values()) > 5
    assert rack.faults.total() >= 5
    assert rack.orders > 0
    assert 0 < rack.duplicates <= rack.excused


@pytest.mark.parametrize(
    ("sabotage", "shares", "finding"),
    [
        ("read_ahead", every(0.0, commit_before=0.4), "record differs"),
        ("mark_early", every(0.0, smtp_before=0.4), "not delivered"),
        ("rename", every(0.0, smtp_reply=0.4), "nobody wrote"),
    ],
)
def test_what_is_put_wrong_is_found(tmp_path, recorded, sabotage, shares, finding):
    """Where the kills fall hangs on the machine's speed, too: one round may miss it, three do not."""
    rack = Rack(tmp_path, lambda _line: None)
    for seed in "123":
        plan = Plan(seed, shares, most=12, sabotage=sabotage)
        rack.torture(f"{sabotage} {seed}", *recorded, plan, seed="1")
        if any(finding in line for line in rack.losses):
            return
    pytest.fail(f"not found: {rack.losses[:3]}")


RIGHT = Account(
    events=(), mails=((1, "a"),), letters=Counter(["one"]), acknowledged=Counter(["<1@a>"]), undelivered=(),
    copies={"<x@y>": 1}, strangers=(), orders=0,
)  # fmt: skip


@pytest.mark.parametrize(
    "wrong",
    [
        {"events": ("something",)}, {"mails": ()}, {"mails": ((1, "a"), (2, "a"))}, {"letters": Counter()},
        {"letters": Counter(["one", "one"])}, {"acknowledged": Counter(["<1@a>", "<1@a>"])}, {"undelivered": ("x",)},
        {"copies": {"<x@y>": 2}}, {"strangers": ("<z@y>",)},
    ],
)  # fmt: skip
def test_every_difference_counts(wrong):
    assert faults(RIGHT, replace(RIGHT, **wrong), {})


def test_only_a_letter_that_was_on_its_way_may_come_twice_and_once_more_a_kill():
    twice, thrice = replace(RIGHT, copies={"<x@y>": 2}), replace(RIGHT, copies={"<x@y>": 3})
    assert not faults(RIGHT, twice, {"<x@y>": 1})
    assert faults(RIGHT, thrice, {"<x@y>": 1})
