"""ORG-2 at UNDO: whoever lives again has left the graveyard, whatever way its words took to him."""

from __future__ import annotations

from email import message_from_bytes, policy

import pytest

from pbem.rehearsal.mailwriter import text_of


def _status(handled):
    return [f"{o.status}: {o.code}" if o.code else o.status for o in handled.outcomes]


def _texts(village, who):
    return [text_of(message_from_bytes(row.raw, policy=policy.default)) for row in village.take(who)]


@pytest.fixture
def burned(village):
    """David is dead by the vote, Bruno by the storyteller."""
    village.send("storyteller", "ADMIN SMITE Chloé")
    village.send("David", "MAIL daily")
    village.send("Alice", "VOTE David")
    village.until(22, day=1)
    village.wait(minutes=5)
    assert not village.game.player(4).alive
    return village


def _words_reach(village, who, words):
    """Whether they came to him by any letter within two days."""
    village.wait(minutes=2 * 24 * 60)
    return any(words in text for text in _texts(village, who))


def test_what_the_dead_said_and_was_not_yet_sent_never_comes(burned):
    burned.send("Chloé", "GRAVEYARD", "Il fait froid ici.")
    burned.send("storyteller", "ADMIN UNDO")
    assert burned.game.player(4).alive
    with burned.stage.store.read() as tx:
        kinds = [piece["kind"] for _, _, piece in tx.collected(burned.stage.game_id)]
    assert "graveyard-talk" not in kinds
    assert kinds, "the rest of his daily mail still comes"
    assert not _words_reach(burned, "David", "Il fait froid ici.")


def test_without_undo_it_comes(burned):
    burned.send("Chloé", "GRAVEYARD", "Il fait froid ici.")
    assert _words_reach(burned, "David", "Il fait froid ici.")


@pytest.mark.parametrize("confirmed", ["before", "after"])
def test_a_reader_who_lives_again_is_none(burned, confirmed):
    burned.take()
    burned.send("David", "WATCH")
    asked = next(row for row in burned.take("David") if row.kind == "confirm")
    if confirmed == "before":
        assert _status(burned.answer(asked, "David")) == ["accepted"]
    burned.send("storyteller", "ADMIN UNDO")
    if confirmed == "after":
        assert _status(burned.answer(asked, "David")) == ["refused: living-only"]
    with burned.stage.store.read() as tx:
        assert [row.address for row in tx.readers(burned.stage.game_id)] == ["reader@example.org"]  # who never played


def test_the_storyteller_hears_that_somebody_knows_what_the_dead_said(burned):
    burned.send("Chloé", "GRAVEYARD", "Il fait froid ici.")
    burned.take()
    assert [(o.status, o.code) for o in burned.send("storyteller", "ADMIN UNDO").outcomes] == [("accepted", "warning")]
    assert any("a reçu entre-temps le cimetière" in " ".join(text.split()) for text in _texts(burned, "storyteller"))


def test_and_nothing_where_nobody_does(burned):
    assert _status(burned.send("storyteller", "ADMIN UNDO")) == ["accepted"]
