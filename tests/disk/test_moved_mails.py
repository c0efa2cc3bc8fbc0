"""After a move (`pbem game export --people`, `pbem game import`) the old mails have no second effect, and no answer."""

from __future__ import annotations

import json
from datetime import timedelta

import pytest

from pbem.app import addresses, imported
from pbem.app.export import export
from pbem.app.importing import bring_in
from pbem.app.receive import Receiver
from pbem.post import RawMail
from pbem.rehearsal import mailwriter
from pbem.store import Store


class Mailbox:
    """Every mail that the village's program has received, to be read by another one from the beginning."""

    def __init__(self, village, there):
        self.village, self.there, self.mails = village, there, []
        office = village.receiver.office
        self.receiver = Receiver(there, office.scribe, office.settings)

    def send(self, who, *words, **more):
        return self.put(mailwriter.write(self.village.draft(who, *words, **more)))

    def put(self, raw):
        self.mails.append((self.village.now, raw))
        return self.village.raw(raw)

    def move(self):
        with self.village.store.read() as tx:
            text = json.dumps(export(tx, self.village.stage.game_id, people=True))
        with self.there.begin() as tx:
            bring_in(tx, text)
        return json.loads(text)

    def read(self, *, place=7):
        """What comes of all of it there."""
        at = self.village.now + timedelta(minutes=5)
        mails = [RawMail(place, uid, received, raw) for uid, (received, raw) in enumerate(self.mails, 1)]
        return [self.receiver.receive(mail, at).kind for mail in mails]

    def state(self):
        with self.there.read() as tx:
            game_id = tx.game_id("PL1")
            return (
                tx.load(game_id), tx.players(game_id), tx.readers(game_id), tx.held(game_id), tx.values_of(game_id),
                tx.letters(), tx.quarantined(),
            )  # fmt: skip


@pytest.fixture
def box(village, there):
    return Mailbox(village, there)


def test_a_living_players_former_address_stays_shut(box):
    """ORG-2: WATCH from the address that she has left is refused after the move as it was before."""
    with box.village.store.begin() as tx:
        addresses.leave_behind(tx, box.village.stage.game_id, 1, "anna+old@example.net")
    box.move()
    with box.there.read() as tx:
        assert addresses.former_seat(tx, tx.game_id("PL1"), "anna@example.net") == 1


def fill(box):
    """Mails of every kind, over some time."""
    village = box.village
    box.send("Alice", "VOTE David")
    box.send("Bruno", "SAY", "Je suis innocent.")
    village.wait(minutes=2)
    box.send("Émile", "VOTE Alice", authentic=False)  # waits for his confirmation
    box.send(("X", "x@y.example"), "VOTE Chloé", to=f"lune+{village.stage.tag(2)}@example.org", authentic=False)
    box.send(("Zoé", "zoe@y.example"), "WATCH")
    box.send(("Zoé", "zoe@y.example"), "", "Bonjour ?")
    village.wait(minutes=2)
    box.send("storyteller", "ADMIN EXTEND 1h")
    box.send("David", "LANG en")
    box.send("Alice", "STATUS")


def test_the_whole_mailbox_read_again_changes_nothing_and_brings_no_letter(box):
    fill(box)
    box.move()
    before = box.state()
    assert box.read() == ["duplicate"] * len(box.mails)
    assert box.state() == before
    assert box.read(place=8) == ["duplicate"] * len(box.mails)  # renumbered
    assert box.state() == before


def test_what_comes_after_the_move_counts_as_it_would_have_here(box):
    fill(box)
    box.move()
    box.village.wait(minutes=1)
    box.send("Alice", "VOTE Bruno")
    box.send("Émile", "STATUS")
    assert box.read()[-2:] == ["command", "command"]
    assert box.state()[0][0] == box.village.game


def test_a_mail_of_the_same_second_that_was_not_read_yet_counts(box):
    """Mailboxes know no fractions: it has the moment of the last one that was read."""
    fill(box)
    box.move()
    box.send("Chloé", "VOTE Bruno")
    kinds = box.read()
    assert (kinds[-1], set(kinds[:-1])) == ("command", {"duplicate"})
    assert box.state()[0][0] == box.village.game


def test_without_the_record_the_moment_alone_keeps_old_mails_out(box, there):
    """A mail to no game, and what the record lost: they were received before it."""
    box.send("Alice", "VOTE David")
    box.send(("Y", "y@y.example"), "[PL77] JOIN Yves")
    box.village.wait(minutes=2)
    box.send("Alice", "STATUS")
    with box.village.store.read() as tx:
        value = export(tx, 1, people=True)
    value["people"]["mails"] = []
    with there.begin() as tx:
        bring_in(tx, json.dumps(value))
    before = box.state()
    assert box.read()[:2] == ["duplicate", "duplicate"]
    box.mails.pop()
    assert box.read(place=8) == ["duplicate", "duplicate"]
    assert box.state()[0] == before[0]


def test_a_server_whose_clock_is_ahead_does_not_silence_the_game(box):
    """A mail received, as its server said, next year: what is written today is new all the same."""
    late = mailwriter.write(box.village.draft("Alice", "STATUS"))
    box.village.stage.deliver(late, box.village.now + timedelta(days=365))
    assert box.move()["people"]["read_to"] <= box.village.now.isoformat()
    box.village.wait(minutes=1)
    box.send("Alice", "VOTE Bruno")
    assert box.read() == ["command"]


def test_a_game_that_moves_twice_keeps_both_pasts(box, there):
    fill(box)
    box.move()
    box.village.wait(minutes=1)
    box.send("Alice", "VOTE Bruno")
    box.read()
    third = Store.in_memory()
    with there.read() as tx:
        text = json.dumps(export(tx, tx.game_id("PL1"), people=True))
    with third.begin() as tx:
        bring_in(tx, text)
    box.there, box.receiver = third, Receiver(third, box.receiver.office.scribe, box.receiver.office.settings)
    before = box.state()
    assert set(box.read(place=9)) == {"duplicate"}
    assert box.state() == before
    third.close()


def test_a_database_with_a_mailbox_of_its_own_goes_on_reading_it(box, there):
    """What was written there to no game, before the other game came, is dealt with."""
    box.receiver.receive(RawMail(1, 1, box.village.now, b"From: a@b.example\r\nSubject: x\r\n\r\n"), box.village.now)
    box.village.wait(minutes=5)
    box.send("Alice", "STATUS")
    box.move()
    with there.read() as tx:
        assert tx.get(imported.KEY) is None
        assert tx.get(f"{imported.KEY}:1") is not None


def test_an_export_of_before_has_no_such_record_and_comes_in(box, there):
    fill(box)
    with box.village.store.read() as tx:
        value = export(tx, 1, people=True)
    del value["people"]["mails"], value["people"]["read_to"]
    with there.begin() as tx:
        assert bring_in(tx, json.dumps(value)) == "PL1"
