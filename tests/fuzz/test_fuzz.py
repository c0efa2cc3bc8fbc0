"""A small part of `make fuzz`: the same mails each time, few enough for every run of the tests (MAIL.md §§ 2.4 and 5)."""

from __future__ import annotations

from random import Random

import pytest

from tests.fuzz import fuzz_mails, mutations
from tests.fuzz.town import ENDS, Town

READ, RECEIVED = 1500, 120


def test_no_mail_raises_or_gives_an_order_that_it_did_not_hold():
    tally = fuzz_mails.run(reading=READ, receiving=RECEIVED, seed=0, seconds=300, say=lambda _: None)
    assert tally.faults == []
    assert sum(tally.read.values()) == READ
    assert sum(tally.ends.values()) == RECEIVED
    assert set(tally.ends) <= set(ENDS)
    assert {"accepted", "refused", "ignored"} <= set(tally.ends)
    assert len(tally.read) >= 8, "the mails are of every kind"


@pytest.mark.parametrize("name", [*mutations.KEEPING, *mutations.BY_PERSONS, *mutations.SILENCING])
def test_every_change_changes_some_mail(name):
    """A change that never applies would test nothing."""
    change = {**mutations.KEEPING, **mutations.BY_PERSONS, **mutations.SILENCING}[name]
    changed = 0
    for _, raw, _ in fuzz_mails.sources():
        mail = mutations.take_apart(raw)
        if mail is not None and (other := change(mail, Random(1))) is not None and other.raw() != raw:
            changed += 1
    assert changed > 5


def test_keeping_changes_keep_plain_orders():
    """Not only is nothing new heard: an order is still heard in its other form."""
    kept = tried = 0
    for number in range(600):
        _, raw, mutant = fuzz_mails.made("read", 5, number)
        before = fuzz_mails._unchanged(raw)[0]
        if not before or mutant.silent or mutant.damaged is not None:
            continue
        tried += 1
        kept += fuzz_mails._reading(mutant.raw).kind == "command"
    assert tried > 50
    assert kept / tried > 0.9


def test_a_fault_would_be_seen(monkeypatch):
    """Were quotations heard, silenced mails answered or exceptions raised, the tally would say so."""
    monkeypatch.setattr(fuzz_mails, "_reading", _raising)
    tally = fuzz_mails.Tally()
    fuzz_mails.read_one(0, 1, tally)
    assert "boom" in tally.faults[0][1]


def _raising(_raw):
    raise ValueError("boom")


def test_the_village_sees_what_stumbles(monkeypatch):
    town = Town(0)
    monkeypatch.setattr("pbem.app.handling.read", _raising_read)
    end, handled, _ = town.throw(town.dressed(fuzz_mails.sources()[0][1]))
    assert (end, handled.kind, town.stumbled()) == ("quarantined", "quarantined", True)
    town.close()


def _raising_read(*_args, **_more):
    raise ValueError("boom")
