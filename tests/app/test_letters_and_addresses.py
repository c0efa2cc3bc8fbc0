"""Bounces, moving to another address, languages, and what letters carry (MAIL.md §§ 3 and 5)."""

from __future__ import annotations

from email import message_from_bytes, policy

import pytest

from pbem.rehearsal.mailwriter import LIST


def _status(handled):
    return [f"{o.status}: {o.code}" if o.code else o.status for o in handled.outcomes]


def _open(row):
    return message_from_bytes(row.raw, policy=policy.default)


def _bounce(letter, address, *, action="failed", status="5.1.1"):
    """An RFC 3464 report of that letter."""
    own = _open(letter)["Message-ID"]
    return (
        "Return-Path: <>\r\nFrom: MAILER-DAEMON@mx.example.org\r\nTo: lune@example.org\r\n"
        "Subject: Undelivered Mail Returned to Sender\r\nMessage-ID: <dsn@mx.example.org>\r\nMIME-Version: 1.0\r\n"
        'Content-Type: multipart/report; report-type=delivery-status; boundary="b"\r\n\r\n'
        "--b\r\nContent-Type: text/plain\r\n\r\nIt failed.\r\n"
        "--b\r\nContent-Type: message/delivery-status\r\n\r\nReporting-MTA: dns; mx.example.org\r\n\r\n"
        f"Final-Recipient: rfc822; {address}\r\nAction: {action}\r\nStatus: {status}\r\n\r\n"
        f"--b\r\nContent-Type: text/rfc822-headers\r\n\r\nMessage-ID: {own}\r\nTo: {address}\r\n\r\n--b--\r\n"
    ).encode()


def _ask(village):
    village.send("Alice", "STATUT")
    return village.take("Alice")[0]


def test_a_bounce_marks_the_address_and_the_storyteller_is_told_once(village):
    letter = _ask(village)
    assert village.raw(_bounce(letter, "alice@example.org")).kind == "bounce"
    assert [dict(n) for row in village.take() for n in row.notices] == [{"bounce": "Alice"}]
    village.raw(_bounce(letter, "alice@example.org"))
    assert village.take() == []
    with village.store.read() as tx:
        assert tx.player(village.stage.game_id, 1).bounced == village.now


@pytest.mark.parametrize("other", ["anna2@elsewhere.example", "bruno@example.org"])
def test_a_bounce_from_where_his_mail_is_forwarded_marks_him_alone(village, other):
    """It names an address that the game never wrote to; the letter says whose it was, and nobody else is marked."""
    letter = _ask(village)
    village.raw(_bounce(letter, other))
    assert [dict(n) for row in village.take() for n in row.notices] == [{"bounce": "Alice"}]
    with village.store.read() as tx:
        assert [tx.player(village.stage.game_id, seat).bounced is not None for seat in (1, 2)] == [True, False]


@pytest.mark.parametrize("how", ["delayed", "unknown", "the list's"])
def test_what_is_no_bounce_of_a_letter_of_ours_marks_nobody(village, how):
    letter = _ask(village)
    if how == "the list's":
        village.send("Alice", "SAY", "Bonjour.")
        (letter,) = village.take("village@example.org")
        village.take()
    raw = _bounce(letter, "alice@example.org",
                  action="delayed" if how == "delayed" else "failed", status="4.4.1" if how == "delayed" else "5.1.1")  # fmt: skip
    if how == "unknown":
        raw = raw.replace(_open(letter)["Message-ID"].encode(), b"<never-sent@example.org>")
    village.raw(raw)
    assert village.take() == []


def test_what_was_lost_is_sent_again_to_the_new_address(village):
    letter = _ask(village)
    village.raw(_bounce(letter, "alice@example.org"))
    village.until(23, day=1)
    village.wait(minutes=5)
    lost = {row.kind for row in village.take("Alice")} - {"ack", "vote-reminder"}
    assert lost
    retired = village.stage.tag(1)
    village.send("Alice", "ADRESSE alice@example.net")
    (old,) = village.take("Alice")
    with village.store.read() as tx:
        new = tx.letters(to="alice@example.net")[-1]
    village.answer(new, ("Alice", "alice@example.net"))
    assert _status(village.answer(old, "Alice")) == ["accepted"]
    again = village.take("alice@example.net")
    assert lost <= {row.kind for row in again}
    assert all(_open(row)["To"] == "alice@example.net" for row in again)
    assert len({row.message_id for row in again}) == len(again)
    assert retired != village.stage.tag(1)
    for row in again:
        assert retired.encode() not in row.raw.replace(b"=\r\n", b"")
        assert row.raw.count(b"\n") == row.raw.count(b"\r\n")
    assert any(village.stage.tag(1) in str(_open(row)["Reply-To"]) for row in again)
    with village.store.read() as tx:
        assert tx.player(village.stage.game_id, 1).bounced is None


def test_an_address_that_somebody_else_has_is_refused_when_it_is_confirmed(village):
    village.send("Alice", "ADRESSE bruno@example.org")
    old, new = village.take("Alice")[0], None
    with village.store.read() as tx:
        new = tx.letters(to="bruno@example.org")[-1]
    village.answer(old, "Alice")
    assert _status(village.answer(new, "Bruno")) == ["refused: not-a-choice"]
    assert village.stage.addresses()[1] == "alice@example.org"


def test_the_letter_to_the_new_address_tells_nothing_of_the_seat(village):
    village.send("Alice", "ADRESSE somebody@example.net")
    with village.store.read() as tx:
        new = _open(tx.letters(to="somebody@example.net")[-1])
        tag = tx.player(village.stage.game_id, 1).tag
    assert tag not in new.as_string()
    assert "villageois" not in new.as_string().lower()


def test_lang_and_mail_change_how_one_is_written_to(village):
    village.send("Alice", "LANG en")
    assert _open(village.take("Alice")[0])["Content-Language"] == "en"
    assert _open(_ask(village))["Content-Language"] == "en"
    village.send("Alice", "MAIL daily")
    with village.store.read() as tx:
        assert tx.player(village.stage.game_id, 1).amount == "daily"


def test_an_answer_names_the_mail_and_a_digest_its_thread(village):
    handled = village.send("Alice", "SAY", "Un mot.")
    letters = village.take()
    ack = _open(next(row for row in letters if row.kind == "ack"))
    post = _open(next(row for row in letters if row.to == LIST))
    assert handled.outcomes[0].status == "accepted"
    assert ack["In-Reply-To"] == ack["References"].split()[-1] == "<step-1.202612070800@example.org>"
    assert ack["Auto-Submitted"] == "auto-replied"
    assert post["Auto-Submitted"] == "auto-generated"
    village.send("Bruno", "SAY", "Un autre.")
    other = _open(next(row for row in village.take() if row.to == LIST))
    assert other["In-Reply-To"] == post["In-Reply-To"]
    with village.store.read() as tx:
        root = tx.letter(post["In-Reply-To"])
    assert (root.kind, root.to) == ("opening", LIST)


def test_every_letter_is_dated_with_the_poll_and_has_its_own_message_id(village):
    village.send("Alice", "SAY", "Un mot.")
    letters = village.take()
    assert {_open(row)["Date"].datetime for row in letters} == {village.now}
    assert len({row.message_id for row in letters}) == len(letters)
    assert all(row.message_id.endswith("@example.org>") for row in letters)
