"""MAIL.md § 4 in the whole program: what each `auth.mode` believes, and what becomes of a mail that takes too long."""

from __future__ import annotations

import re
import time

import dkim
import pytest

from pbem.app.receive import Receiver
from pbem.app.tokens import Counted
from pbem.engine.events import OrderTaken
from pbem.rehearsal import mailwriter
from tests.mail.test_authenticity import KEY, PUBLIC

SIGNED = [b"from", b"to", b"subject", b"message-id", b"date"]


def _with(village, *, auth=None, limits=None):
    """The village's program anew, with other settings."""
    office = village.receiver.office
    changed = {
        "auth": office.settings.auth.model_copy(update=auth or {}),
        "limits": office.settings.limits.model_copy(update=limits or {}),
    }
    settings = office.settings.model_copy(update=changed)
    village.stage.receiver = Receiver(village.store, office.scribe, settings, Counted("trust"))


def _votes(village):
    return [event for event in village.stage.events() if isinstance(event, OrderTaken)]


def _status(handled):
    return [outcome.status for outcome in handled.outcomes]


@pytest.fixture
def zone(monkeypatch):
    """The records of example.org, and nobody else's."""
    record = {b"s._domainkey.example.org": b"v=DKIM1; k=rsa; p=" + PUBLIC}
    monkeypatch.setattr(dkim, "get_txt", lambda name, **_: record.get(name.rstrip(b".")))
    verify = dkim.DKIM.verify
    monkeypatch.setattr(dkim.DKIM, "verify", lambda self, at=0, **_: verify(self, at, dnsfunc=dkim.get_txt))


def _signed(raw):
    plain = re.sub(rb"Authentication-Results:.*?\r\n(?![ \t])", b"", raw, flags=re.DOTALL)
    return dkim.sign(plain, b"s", b"example.org", KEY, include_headers=SIGNED) + plain


def test_without_a_servers_word_the_signature_is_checked_here(village, zone):
    _with(village, auth={"mode": "dkim"})
    raw = mailwriter.write(village.draft("Alice", "VOTE Bruno", authentic=False))
    assert _status(village.raw(raw)) == ["held"]
    assert not _votes(village)
    raw = mailwriter.write(village.draft("Alice", "VOTE Bruno", authentic=False))
    assert _status(village.raw(_signed(raw).replace(b"VOTE Bruno", b"VOTE David"))) == ["held"]
    assert _status(village.raw(_signed(raw))) == ["accepted"]
    assert len(_votes(village)) == 1


def test_a_servers_word_is_worth_nothing_where_signatures_are_checked_here(village, zone):
    _with(village, auth={"mode": "dkim"})
    assert _status(village.send("Alice", "VOTE Bruno")) == ["held"]


def test_a_signed_mail_sent_again_has_no_second_effect(village, zone):
    _with(village, auth={"mode": "dkim"})
    raw = _signed(mailwriter.write(village.draft("Alice", "VOTE Bruno", authentic=False)))
    assert _status(village.raw(raw)) == ["accepted"]
    assert _status(village.tagged(1, "VOTE David")) == ["accepted"]
    village.take()
    before = len(_votes(village))
    village.wait(minutes=5)
    assert village.raw(b"X-Way: another\r\n" + raw).outcomes == ()
    assert village.take() == []
    assert len(_votes(village)) == before > 1


def test_where_only_tags_count_nothing_else_does(village):
    _with(village, auth={"mode": "tags-only"})
    assert _status(village.send("Alice", "VOTE Bruno")) == ["held"]
    assert _status(village.tagged(1, "VOTE Bruno")) == ["accepted"]


def test_a_mail_that_takes_too_long_is_put_aside_whole_and_the_next_one_is_read(village, monkeypatch):
    _with(village, limits={"seconds_per_mail": 0.05})
    raw = mailwriter.write(village.draft("Alice", "VOTE Bruno"))

    def endless(*_args, **_more):
        while True:
            time.process_time()

    with monkeypatch.context() as patch:
        patch.setattr("pbem.app.handling.read", endless)
        assert village.raw(raw).kind == "quarantined"
    assert not _votes(village)
    told = village.take("storyteller")
    assert len(told) == 1
    assert _status(village.send("Alice", "VOTE Bruno")) == ["accepted"]
