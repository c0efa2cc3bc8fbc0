"""Who answers whom in the village: posts answer the post that their mail answered, within the day (MAIL.md § 5)."""

from __future__ import annotations

from email import message_from_bytes, policy

import pytest

from pbem.rehearsal.mailwriter import LIST, READER

SAY = "lune+pl1-say@example.org"


def _open(row):
    return message_from_bytes(row.raw, policy=policy.default)


def _post(village, to=LIST):
    """The letter that brought the last post there."""
    return [row for row in village.take() if row.to == to and row.kind == "post"][-1]


def _opening(village):
    with village.store.read() as tx:
        return next(row for row in tx.letters(village.stage.game_id, to=LIST) if row.kind == "opening")


@pytest.fixture
def first(village):
    """What Alice said to all."""
    village.send("Alice", "SAY", "Qui a vu le loup ?")
    return _post(village)


def test_a_post_that_answers_none_answers_the_days_first_letter(village, first):
    root = _opening(village).message_id
    assert (_open(first)["In-Reply-To"], _open(first)["References"]) == (root, root)


def test_an_answer_to_a_post_goes_out_as_one(village, first):
    village.answer(first, "Bruno", "Pas moi.", to=SAY)
    second = _post(village)
    assert _open(second)["In-Reply-To"] == first.message_id
    assert _open(second)["References"].split() == [_opening(village).message_id, first.message_id]
    assert _open(second)["Auto-Submitted"] == "auto-generated"
    village.answer(second, "Alice", "Alors qui ?", to=SAY)
    assert _open(_post(village))["In-Reply-To"] == second.message_id


def test_the_references_do_where_a_program_names_nothing_else(village, first):
    village.send("Bruno", "", "Pas moi.", to=SAY, references=("<of@somebody.example>", first.message_id))
    assert _open(_post(village))["In-Reply-To"] == first.message_id


def test_an_answer_to_a_copy_is_one_to_the_post(village, first):
    village.send("Bruno", "COURRIER posts")
    village.send("Chloé", "COURRIER digest")
    village.send("reader", "COURRIER posts")
    village.take()
    village.send("Alice", "SAY", "Qui a vu le renard ?")
    letters = village.take()
    copy = next(row for row in letters if row.to == READER and row.kind == "post")
    original = next(row for row in letters if row.to == LIST)
    village.send("Bruno", "", "Moi !", to=SAY, in_reply_to=copy.message_id)
    assert _open(_post(village))["In-Reply-To"] == original.message_id


@pytest.mark.parametrize("other", ["private", "unknown"])
def test_what_not_all_have_read_is_named_to_nobody(village, other):
    village.send("Alice", "STATUT")
    private = village.take("Alice")[-1].message_id
    named = {"private": private, "unknown": "<no@where.example>"}[other]
    village.send("Alice", "", "Un mot à tous.", to=SAY, in_reply_to=named, references=(named,))
    letter = _post(village)
    assert _open(letter)["In-Reply-To"] == _opening(village).message_id
    assert named.encode() not in letter.raw


def test_each_day_is_a_thread_of_its_own(village, first):
    village.wait(days=1, hours=16)
    assert village.game.turn == 2
    village.take()
    village.answer(first, "Chloé", "Hier, tu disais cela.", to=SAY)
    letter = _open(_post(village))
    assert first.message_id not in letter["References"]
    with village.store.read() as tx:
        assert tx.letter(letter["In-Reply-To"]).kind == "murder"


def test_a_post_that_had_to_be_confirmed_answers_what_its_mail_answered(village, first):
    village.answer(first, "Bruno", "Pas moi.", to=SAY, authentic=False)
    asked = next(row for row in village.take("Bruno") if row.kind == "confirm")
    village.answer(asked, "Bruno", "Oui.")
    assert _open(_post(village))["In-Reply-To"] == first.message_id
