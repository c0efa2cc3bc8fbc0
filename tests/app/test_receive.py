"""One mail, one transaction, one answer (MAIL.md §§ 4 and 5)."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pbem.app import handling
from pbem.app.desk import Desk
from pbem.engine.commands import Join, OpenGame, OpenRegistration
from pbem.post import RawMail
from pbem.rehearsal import mailwriter
from pbem.store import StoreError


def _statuses(handled):
    return [f"{o.status}: {o.code}" if o.code else o.status for o in handled.outcomes]


def test_the_same_place_in_the_mailbox_has_no_second_effect(village):
    raw = mailwriter.write(village.draft("Alice", "SAY", "Bonsoir."))
    mail = RawMail(1, 7, village.now, raw)
    first = village.receiver.receive(mail, village.now)
    village.take()
    again = village.receiver.receive(mail, village.now)
    assert (first.kind, again.kind) == ("command", "again")
    assert village.take() == []


def _mails(village, *words):
    raws = [mailwriter.write(village.draft(name, line)) for name, line in words]
    return [RawMail(1, uid, village.now, raw) for uid, raw in enumerate(raws, 101)]


def test_several_mails_in_one_transaction_have_each_its_effect_and_its_answer(village):
    mails = _mails(village, ("Alice", "VOTE David"), ("Bruno", "VOTE Alice"), ("Alice", "VOTE Bruno"))
    assert village.receiver.receive_together(mails, village.now) == 3
    assert village.game.order(1, "VOTE").seats == (2,)
    assert [row.to for row in village.take() if row.kind == "ack"] == [
        "alice@example.org", "bruno@example.org", "alice@example.org",
    ]  # fmt: skip
    assert [village.receiver.receive(mail, village.now).kind for mail in mails] == ["again"] * 3


def test_of_several_mails_none_counts_if_one_makes_the_program_stumble(village, monkeypatch):
    mails = _mails(village, ("Alice", "VOTE David"), ("Bruno", "VOTE Alice"))
    honest = handling.read

    def stumble(mail, house, **more):
        if "Bruno" in mail.sender_name:
            raise ValueError("whatever")
        return honest(mail, house, **more)

    monkeypatch.setattr(handling, "read", stumble)
    with pytest.raises(ValueError, match="whatever"):
        village.receiver.receive_together(mails, village.now)
    assert village.game.order(1, "VOTE") is None
    assert village.take() == []
    assert [village.receiver.receive(mail, village.now).kind for mail in mails] == ["command", "quarantined"]


def test_a_forged_first_copy_does_not_suppress_the_real_mail(village):
    draft = village.draft("Alice", "VOTE David")
    forged = village.raw(mailwriter.write(replace(draft, authentic=False)))
    real = village.raw(mailwriter.write(draft))
    copy = village.raw(mailwriter.write(draft))
    assert [_statuses(h) for h in (forged, real, copy)] == [["held"], ["accepted"], []]
    assert copy.kind == "duplicate"
    assert village.game.order(1, "VOTE").seats == (4,)


def test_a_signed_mail_sent_again_under_another_message_id_has_no_second_effect(village, monkeypatch):
    honest = handling.judge

    def signed(mail, trust, raw):
        return replace(honest(mail, trust, raw), signatures=("b=AbCd",))

    monkeypatch.setattr(handling, "judge", signed)
    first = village.send("Alice", "VOTE David")
    replay = village.send("Alice", "VOTE David")
    assert (first.kind, replay.kind) == ("command", "duplicate")


def test_letters_go_to_the_registered_address_alone(village):
    village.tagged(1, "STATUT")
    assert {row.to for row in village.take()} == {"alice@example.org"}


def test_a_tag_that_others_have_seen_is_replaced_and_worth_nothing(village):
    old = village.stage.tag(1)
    village.tagged(1, "VOTE David", cc=[("Bruno", "bruno@example.org")])
    new = village.stage.tag(1)
    assert old != new
    assert [dict(n) for row in village.take("Alice") for n in row.notices] == [{"tag-replaced": True}]
    handled = village.send(("X", "x@elsewhere.example"), "VOTE Bruno", to=f"lune+{old}@example.org", authentic=False)
    assert _statuses(handled) == ["refused: not-in-game"]
    assert village.game.order(1, "VOTE").seats == (4,)
    assert _statuses(village.tagged(1, "VOTE Bruno")) == ["accepted"]


def test_a_tag_in_a_copied_text_is_replaced_though_another_wrote_it(village):
    tag = village.stage.tag(1)
    body = f"Regardez ce que j'ai reçu : lune+{tag}@example.org"
    village.send("Bruno", "Bonjour", body, cc=[("", "village@example.org")])
    assert village.stage.tag(1) != tag


def test_a_tag_in_a_post_is_not_published(village):
    tag = village.stage.tag(1)
    for body in (f"Mon adresse : lune+{tag}@example.org", f"Le mot est {tag}."):
        assert _statuses(village.send("Alice", "SAY", body)) == ["refused: secret-in-public"]
    assert all(row.to == "alice@example.org" for row in village.take())
    assert village.stage.tag(1) == tag  # nobody has seen it


@pytest.mark.parametrize(
    "header",
    ["Auto-Submitted: auto-replied", "X-Autoreply: yes", "Precedence: bulk", "List-Id: <x.example.org>"],
)
def test_machines_get_no_answer_and_have_no_effect(village, header):
    raw = mailwriter.write(village.draft("Alice", "VOTE David"))
    handled = village.raw(raw.replace(b"Subject:", header.encode() + b"\r\nSubject:"))
    assert handled.outcomes == ()
    assert village.take() == []
    assert village.game.order(1, "VOTE") is None


def test_our_own_letter_come_back_is_silent(village):
    village.send("Alice", "STATUT")
    own = village.take("Alice")[0]
    assert village.raw(own.raw).kind == "own"
    assert village.take() == []


def test_two_machines_stop_after_one_exchange(village):
    """A peer that answers everything, by a program that does not say that it is one (issue of loops)."""
    village.send("Alice", "Bonjour", "Votez Bruno")
    letters, rounds = village.take("Alice"), 0
    while letters and rounds < 10:
        rounds += 1
        for letter in letters:
            village.answer(letter, "Alice", "Votez Bruno")
        letters = village.take("Alice")
    assert rounds <= 2


def test_a_stranger_who_answers_everything_gets_one_letter(village):
    stranger = ("Luc", "luc@example.net")
    village.send(stranger, "Bonjour", "Qui êtes-vous ?")
    letters, rounds = village.take("luc@example.net"), 0
    assert len(letters) == 1
    while letters and rounds < 10:
        rounds += 1
        for letter in letters:
            village.answer(letter, stranger, "Qui êtes-vous ?")
        letters = village.take("luc@example.net")
    assert rounds == 1
    village.wait(days=2)
    village.take()
    village.send(stranger, "Bonjour", "Toujours là ?")
    assert len(village.take("luc@example.net")) == 1


def test_what_cannot_be_read_is_kept_and_the_storyteller_is_told(village):
    raw = mailwriter.write(
        village.draft("Alice", "Secret", "-----BEGIN PGP MESSAGE-----\nabc\n-----END PGP MESSAGE-----")
    )
    assert village.raw(raw).kind == "quarantined"
    assert [dict(n) for row in village.take("storyteller") for n in row.notices] == [{"unreadable": True}]
    with village.store.read() as tx:
        assert [row.raw for row in tx.quarantined()] == [raw]


def test_an_unexpected_fault_puts_the_mail_aside_and_the_next_one_is_read(village, monkeypatch):
    before = village.stage.version()

    def broken(*_args, **_options):
        raise IndexError("whatever a mail may bring about")

    with monkeypatch.context() as patch:
        patch.setattr(handling.conversation, "perform", broken)
        handled = village.send("Alice", "SAY", "Un mot.")
    assert handled.kind == "quarantined"
    assert village.stage.version() == before
    assert [row.kind for row in village.take()] == ["unreadable"]
    assert _statuses(village.send("Alice", "SAY", "Un autre.")) == ["accepted"]


def test_a_failing_database_keeps_nothing_of_the_mail(village, monkeypatch):
    def full(*_args, **_options):
        raise StoreError("full")

    with monkeypatch.context() as patch:
        patch.setattr(village.receiver.office.scribe, "acknowledge", full)
        with pytest.raises(StoreError):
            village.send("Alice", "SAY", "Un mot.")
    assert village.take() == []
    village.stage._uid -= 1  # the same place, read again
    assert _statuses(village.send("Alice", "SAY", "Un mot.")) == ["accepted"]


def test_a_mail_that_the_database_refuses_again_and_again_does_not_stop_the_others(village, monkeypatch):
    def refuse(*_args, **_options):
        raise StoreError("broken-rule")

    with monkeypatch.context() as patch:
        patch.setattr(village.receiver.office.scribe, "acknowledge", refuse)
        assert village.send("Alice", "SAY", "Un mot.").kind == "quarantined"
    assert [row.kind for row in village.take()] == ["unreadable"]
    assert _statuses(village.send("Alice", "SAY", "Un mot.")) == ["accepted"]


def test_too_many_mails_an_hour_are_kept_and_their_writer_is_told_once(village):
    for number in range(60):
        village.send("Alice", "VOTE David" if number % 2 else "VOTE Bruno")
    village.take()
    handled = [village.send("Alice", "VOTE Chloé") for _ in range(3)]
    assert [h.kind for h in handled] == ["over-limit"] * 3
    assert [row.kind for row in village.take()] == ["flood"]
    assert village.game.order(1, "VOTE").seats == (4,)
    with village.store.read() as tx:
        assert all(tx.mail(h.mail_id).raw for h in handled)
    village.wait(hours=2)
    assert _statuses(village.send("Alice", "VOTE Chloé")) == ["accepted"]


def test_a_forger_does_not_use_up_what_a_player_may_send(village):
    for _ in range(70):
        village.send("Alice", "VOTE Bruno", authentic=False)
    assert len(village.take("Alice")) == 20  # and no more letters than that ask her to confirm
    assert _statuses(village.send("Alice", "VOTE David")) == ["accepted"]


def test_mail_bombs_through_unproven_joins_are_bounded(make_village):
    village = make_village(registration=True)
    for number in range(10):
        village.send(("Z", "victim@example.net"), f"JOIN Zed{number}", authentic=False)
        village.send(("Z", "victim@example.net"), "JOIN Quiconque", authentic=False)
    assert len(village.take("victim@example.net")) <= 6


def test_a_confirmation_is_the_players_alone(village):
    """The code is in a letter to the registered address; nothing else confirms."""
    village.send("Alice", "VOTE David", authentic=False)
    village.take()
    village.send("Alice", "Re: Est-ce bien vous ?", "Oui, je confirme.", authentic=False)
    assert village.game.order(1, "VOTE") is None


def test_the_mailbox_of_two_games(village):
    """Who plays in exactly one running game may leave the code out (MAIL.md § 1)."""
    assert _statuses(village.raw(mailwriter.write(village.draft("Alice", subject="VOTE David")))) == ["accepted"]
    options = village.game.options
    with village.store.begin() as tx:
        other = tx.create_game("PL2", "", village.now)
        desk = Desk(village.receiver.office, tx, other, village.now)
        desk.act(OpenGame(village.now, "PL2", options, "0" * 64))
        desk.act(OpenRegistration(village.now))
        desk.act(
            Join(village.now, "Alix"),
            between=lambda _: tx.add_player(other, 1, "alice@example.org", "fr", "f", "a2a2a2a2a2a2a2a2"),
        )
    village.take()
    without = village.draft("Alice")
    handled = village.raw(mailwriter.write(replace(without, subject="VOTE David")))
    assert _statuses(handled) == ["refused: not-in-game"]
    assert _statuses(village.send("Alice", "VOTE David")) == ["accepted"]  # [PL1]
    handled = village.raw(mailwriter.write(replace(village.draft("Alice"), subject="[pl2] VOTE David")))
    assert handled.outcomes[0].code in {"wrong-time", "unknown-player"}
    unknown = village.raw(mailwriter.write(replace(village.draft("Alice"), subject="[PL9] VOTE David")))
    assert _statuses(unknown) == ["refused: not-in-game"]


@pytest.mark.parametrize(
    "raw",
    [b"", b"\r\n\r\n", b"\x00" * 300, b"From: \xff\xfe\r\nSubject: =?utf-8?b?////?=\r\n\r\n\xff", b"Subject: [PL1] VOTE\r\n\r\n",
     b"From: a@example.org, b@example.org\r\nSubject: [PL1] VOTE David\r\n\r\n",
     b"From: alice@example.org\r\nTo: lune+@example.org\r\nSubject: [PL1] VOTE \x00\r\n\r\n!\n!!\n!\x00",
     b'From: "@example.org\r\nSubject: [PL1] JOIN \xe2\x80\xae(f)\r\n\r\n'],
)  # fmt: skip
def test_nothing_a_mail_holds_raises(village, raw):
    handled = village.raw(raw)
    assert handled.kind in {"command", "post", "empty", "quarantined", "unreadable"}
    assert village.send("Alice", "VOTE David").outcomes[0].status == "accepted"
