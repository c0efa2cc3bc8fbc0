"""UNDO (MAIL.md § 3), HOLD, NARRATE, RELEASE."""

from __future__ import annotations

from email import message_from_bytes, policy

from pbem.engine.events import DiceRolled, MurderDone, Undone
from pbem.rehearsal.mailwriter import LIST, text_of
from pbem.rehearsal.scenario import Seat


def _status(handled):
    return [f"{o.status}: {o.code}" if o.code else o.status for o in handled.outcomes]


def _public(village):
    return [text_of(message_from_bytes(row.raw, policy=policy.default)) for row in village.take(LIST)]


def test_what_is_undone_stays_in_the_log_and_counts_no_more(village):
    village.send("Alice", "VOTE David")
    village.until(22, day=1)
    village.wait(minutes=5)
    assert not village.game.player(4).alive
    assert _status(village.send("storyteller", "ADMIN UNDO")) == ["accepted"]
    assert village.game.player(4).alive
    assert village.game.order(1, "VOTE").seats == (4,)
    assert sum(isinstance(event, Undone) for event in village.stage.events()) == 1


def test_there_is_time_to_put_right_what_was_wrong(village):
    village.send("Alice", "VOTE David")
    village.until(22, day=1)
    village.wait(minutes=5)
    village.send("storyteller", "ADMIN UNDO")
    village.wait(minutes=29)
    assert village.game.phase == "day"
    assert _status(village.send("Alice", "VOTE Bruno")) == ["accepted"]
    village.wait(minutes=2)
    assert not village.game.player(2).alive
    assert village.game.player(4).alive


def test_dice_that_are_drawn_again_are_new_ones(make_village):
    roles = {
        "Alice": "little-child",
        "Bruno": "werewolf",
        "Chloé": "villager",
        "David": "villager",
        "Émile": "villager",
    }
    village = make_village(seats=tuple(Seat(name, role) for name, role in roles.items()))
    village.send("Alice", "PEEK")
    village.send("Bruno", "KILL David")
    village.until(23, day=1)
    village.wait(minutes=5)
    first = [e.value for e in village.stage.events() if isinstance(e, DiceRolled)]
    village.send("storyteller", "ADMIN UNDO")
    village.send("storyteller", "ADMIN RESOLVE")
    rolls = [e.value for e in village.stage.events() if isinstance(e, DiceRolled)]
    assert len(first) == 2
    assert len(rolls) == 4
    assert rolls[2:] != first
    assert sum(isinstance(e, MurderDone) for e in village.stage.events()) == 2


def test_what_the_storyteller_has_settled_since_stays(village):
    village.send("Alice", "VOTE David")
    village.until(22, day=1)
    village.wait(minutes=5)
    village.send("storyteller", "ADMIN HOLD")
    village.send("storyteller", "ADMIN NARRATE", "Un corbeau passa.")
    village.send("storyteller", "ADMIN UNDO")
    assert village.game.held
    assert village.game.narration == ("Un corbeau passa.",)


def test_a_held_digest_of_what_is_undone_is_never_sent(village):
    village.send("Alice", "VOTE David")
    village.send("storyteller", "ADMIN HOLD")
    village.until(22, day=1)
    village.wait(minutes=5)
    village.send("storyteller", "ADMIN UNDO")
    village.take()
    village.send("storyteller", "ADMIN RELEASE")
    assert not any("David" in text and "villageois" in text for text in _public(village))


def test_the_storyteller_sees_how_a_held_digest_reads(village):
    village.send("Alice", "VOTE David")
    village.send("storyteller", "ADMIN HOLD")
    village.until(22, day=1)
    village.wait(minutes=5)
    assert "draft" in {row.kind for row in village.take("storyteller")}
    village.send("storyteller", "ADMIN NARRATE", "Un corbeau passa.")
    drafts = [row for row in village.take("storyteller") if row.kind == "draft"]
    assert len(drafts) == 1
    assert "Un corbeau passa." in text_of(message_from_bytes(drafts[0].raw, policy=policy.default))


def test_each_word_is_told_once(village):
    village.send("storyteller", "ADMIN NARRATE", "Premier mot.")
    village.send("storyteller", "ADMIN HOLD")
    village.until(22, day=1)
    village.wait(minutes=5)
    village.send("storyteller", "ADMIN NARRATE", "Deuxième mot.")
    village.send("storyteller", "ADMIN RELEASE")
    village.send("storyteller", "ADMIN NARRATE", "Troisième mot.")
    village.until(23)
    village.wait(minutes=5)
    told = _public(village)
    for word in ("Premier mot.", "Deuxième mot.", "Troisième mot."):
        assert sum(word in text for text in told) == 1, word


def test_what_is_told_in_place_of_what_is_undone_has_all_its_words(village):
    village.send("storyteller", "ADMIN NARRATE", "Premier mot.")
    village.send("storyteller", "ADMIN HOLD")
    village.send("Alice", "VOTE David")
    village.until(22, day=1)
    village.wait(minutes=5)
    village.send("storyteller", "ADMIN NARRATE", "Deuxième mot.")
    village.send("storyteller", "ADMIN RELEASE")
    village.send("storyteller", "ADMIN UNDO")
    village.take()
    village.send("storyteller", "ADMIN RESOLVE")
    (digest,) = [text for text in _public(village) if "David" in text and "villageois" in text]
    for word in ("Premier mot.", "Deuxième mot."):
        assert digest.count(word) == 1
