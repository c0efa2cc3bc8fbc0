"""A mail has one effect, however often it comes and whenever the program dies (MAIL.md § 5)."""

from __future__ import annotations

from datetime import timedelta

import pytest

from pbem.store import StoreError
from tests.store.conftest import NOW

HOUR = timedelta(hours=1)


@pytest.fixture
def tx(store):
    with store.begin() as tx:
        tx.create_game("PL1", "", NOW)
        yield tx


def _record(tx, uid, *, message_id="<m@x>", sender="Alice@example.org", digest="d1", authentic=True, received=NOW):
    return tx.record_mail(
        7, uid, received, message_id, sender, digest, "command", "accepted", game_id=1, seat=2, authentic=authentic
    )


def test_a_mail_read_before_a_crash_is_not_read_again(store):
    with store.begin() as tx:
        tx.create_game("PL1", "", NOW)
        _record(tx, 1)
    with store.begin() as tx:
        assert tx.recorded(7, 1)
        assert not tx.recorded(7, 2)
        assert not tx.recorded(8, 1)  # the server numbers its mails anew
    with pytest.raises(StoreError), store.begin() as tx:
        _record(tx, 1, message_id="<other@x>")


def test_a_second_delivery_from_the_same_authenticated_sender_is_known(tx):
    _record(tx, 1)
    assert tx.seen("<m@x>", "alice@example.org", True, "other bytes")
    assert not tx.seen("<m@x>", "bruno@example.org", True, "d1")
    assert not tx.seen("<n@x>", "alice@example.org", True, "d1")


def test_a_forged_first_copy_does_not_suppress_the_real_one(tx):
    _record(tx, 1, authentic=False)
    assert not tx.seen("<m@x>", "alice@example.org", True, "d1")


def test_of_mails_that_prove_nothing_only_the_same_bytes_are_the_same(tx):
    _record(tx, 1, authentic=False)
    assert tx.seen("<m@x>", "alice@example.org", False, "d1")
    assert not tx.seen("<m@x>", "alice@example.org", False, "d2")
    _record(tx, 2, authentic=True, digest="d3")
    assert not tx.seen("<m@x>", "alice@example.org", False, "d3")


def test_a_mail_without_message_id_is_known_by_its_bytes(tx):
    _record(tx, 1, message_id=None)
    assert tx.seen(None, "alice@example.org", True, "d1")
    assert not tx.seen(None, "alice@example.org", True, "d2")


def test_a_record_is_completed_and_read_back(tx):
    mail = tx.record_mail(7, 1, NOW, None, "a@b.c", "d", "post", "")
    tx.set_mail(mail, outcome="refused: too-late", seat=3)
    row = tx.mail(mail)
    assert (row.kind, row.outcome, row.seat, row.game_id, row.received, row.read) == (
        "post",
        "refused: too-late",
        3,
        None,
        NOW,
        NOW,
    )
    tx.set_mail(mail, game_id=1)
    assert [m.id for m in tx.mails_of_game(1)] == [mail]
    with pytest.raises(KeyError):
        tx.mail(99)


def test_mails_of_one_sender_are_counted_by_the_hour(tx):
    for i in range(3):
        _record(tx, i + 1, received=NOW + i * HOUR)
    assert tx.count_mails("ALICE@example.org", NOW) == 2
    assert tx.count_mails("bruno@example.org", NOW) == 0


def test_the_position_moves_on_and_starts_anew_with_uidvalidity(tx):
    assert tx.position() is None
    tx.set_position((7, 40))
    tx.set_position((7, 41))
    assert tx.position() == (7, 41)
    tx.set_position((9, 1))
    assert tx.position() == (9, 1)
    assert tx.position("Archive") is None


def test_a_code_confirms_once(tx):
    tx.hold("c0de", 1, 2, "alice@example.org", b"raw", NOW, '["VOTE"]', NOW + HOUR)
    assert [row.code for row in tx.held(1)] == ["c0de"]
    taken = tx.take_held("c0de", NOW + 2 * HOUR)
    assert (taken.raw, taken.received, taken.commands, taken.seat) == (b"raw", NOW, '["VOTE"]', 2)
    assert tx.take_held("c0de") is None
    assert tx.take_held("other") is None
    assert tx.find_held("c0de").state == "taken"
    assert tx.held(1) == []


def test_what_waits_can_be_made_void(tx):
    tx.hold("a", 1, 2, "alice@example.org", b"", NOW, "", NOW)
    tx.hold("b", 1, 3, "bruno@example.org", b"", NOW, "", NOW)
    tx.hold("c", 1, 0, "zoe@example.org", b"", NOW, "", NOW)
    assert tx.void_held(1, seat=2) == 1
    assert tx.take_held("a") is None
    assert tx.void_held(1, address="ZOE@example.org") == 1
    assert tx.void_held(1) == 1
    assert tx.void_held(1) == 0


def test_quarantine_keeps_a_mail_whole(tx):
    raw = bytes(range(256))
    tx.quarantine(raw, "no text", NOW)
    (row,) = tx.quarantined()
    assert (row.raw, row.why, row.at) == (raw, "no text", NOW)


def test_an_outage_lasts_from_its_first_sign_to_the_first_poll(tx):
    tx.begin_outage(NOW)
    tx.begin_outage(NOW + HOUR)
    assert [(o.began, o.ended) for o in tx.outages(NOW)] == [(NOW, None)]
    tx.end_outage(NOW + 2 * HOUR)
    tx.end_outage(NOW + 3 * HOUR)
    assert [(o.began, o.ended) for o in tx.outages(NOW)] == [(NOW, NOW + 2 * HOUR)]
    assert tx.outages(NOW + 2 * HOUR) == []


def test_up_to_when_the_mailbox_was_read(store):
    """By the mails' own moments, but never beyond the poll that read them; and which mails a moved game takes along."""
    with store.begin() as tx:
        game_id, other = tx.create_game("PL8", "", NOW), tx.create_game("PL9", "", NOW)
        assert (tx.read_to(), tx.ever_read()) == (None, False)
        hour = timedelta(hours=1)
        tx.record_mail(-1, 1, NOW, "<0@x>", "a@x", "0", "status", "", game_id=game_id)
        assert (tx.read_to(), tx.ever_read()) == (NOW, False)
        tx.record_mail(1, 1, NOW + hour, "<1@x>", "a@x", "1", "status", "", game_id=other, read=NOW + 2 * hour)
        assert (tx.read_to(), tx.ever_read()) == (NOW + hour, True)
        tx.record_mail(1, 2, NOW + 9 * hour, "<2@x>", "a@x", "2", "status", "", read=NOW + 3 * hour)
        assert tx.read_to() == NOW + 3 * hour
        tx.record_mail(1, 3, NOW, "<3@x>", "a@x", "3", "status", "")
        assert [row.digest for row in tx.mails_of_game(game_id)] == ["0"]
        assert [row.digest for row in tx.mails_of_game(game_id, since=tx.read_to())] == ["0", "2"]
