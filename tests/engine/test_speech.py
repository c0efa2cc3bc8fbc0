"""ORG-1, ORG-2, ORG-5, GHOST-1: who may speak where, and who is heard."""

from __future__ import annotations

import pytest

from pbem.engine import commands as c
from pbem.engine import events as e
from tests.kit.village import everybody, refused

rule = pytest.mark.rule


@rule("ORG-2", "GHOST-1")
def test_who_may_speak_where():
    v = everybody(mayor="")
    v.admin("SMITE Guy", "mon 10:00")
    v.admin("SMITE Tom", "mon 10:01")
    v.do("Guy", "SAY Hou.")
    assert v.happened(e.Posted) == [e.Posted(7, "Hou.", v.now, ghost=True)]
    v.do("Ann", "SAY Oh !")
    assert v.happened(e.Posted) == [e.Posted(1, "Oh !", v.now, ghost=False)]
    v.do("Ned", "PACK Chut.")
    assert v.happened(e.PackTalked)[0].text == "Chut."
    refused(v, "Guy", "GRAVEYARD Bonsoir.", "wrong-time")
    refused(v, "Guy", "PACK Bonsoir.", "graveyard-only")
    refused(v, "Guy", "ELECT Ann", "dead-actor")
    refused(v, "Guy", "VOTE Ann", "dead-actor")
    refused(v, "Ann", "GRAVEYARD Bonsoir.", "living-only")
    assert v.happened(e.Intruded) == [e.Intruded(0, 1)]
    v.do("Tom", "GRAVEYARD Bonsoir.")
    assert v.last(e.GraveyardTalked) == e.GraveyardTalked(20, "Tom", "Bonsoir.", v.now, ())
    refused(v, "reader", "GRAVEYARD Coucou.", "accepted")
    assert v.last(e.GraveyardTalked) == e.GraveyardTalked(0, "reader", "Coucou.", v.now, (20,))
    v.until("execution")
    refused(v, "Guy", "SAY Hou.", "graveyard-only", "tue 22:01")
    v.do("Guy", "GRAVEYARD Bonsoir.")
    assert v.last(e.GraveyardTalked).readers == (20,)


@rule("GHOST-1", "VOTE-4")
def test_a_ghost_who_burns_haunts_until_the_next_t():
    v = everybody(mayor="")
    v.votes("tue 10:00", "Ann Guy")
    v.until("execution")
    assert v.told("Guy", "ghost") == ["true"]
    v.do("Guy", "SAY Hou.", "thu 22:00")
    v.until("execution")
    refused(v, "Guy", "SAY Hou.", "graveyard-only", "thu 22:01")


@rule("GHOST-1", "MAYOR-2", "VOTE-7")
def test_a_ghosts_last_sentence_elects_nobody():
    v = everybody(mayor=None)
    v.admin("SMITE Guy", "mon 10:00")
    v.do("Guy", "SAY Élisons Ann !")
    v.until("election")
    assert v.election == {}


@rule("GHOST-1", "CORR-1")
def test_a_ghost_who_was_corrupted_does_not_haunt():
    v = everybody(mayor="")
    v.admin("SMITE Sam", "tue 09:00")
    v.do("Ole", "INFECT Guy", "tue 10:00")
    v.until("murder")
    v.admin("SMITE Guy", "wed 10:00")
    assert v.told("Guy") == []
    refused(v, "Guy", "SAY Hou.", "graveyard-only")


@rule("ORG-2", "ORG-4")
def test_an_intruder_may_die_of_it():
    v = everybody(mayor="Ann", heir="Tom", graveyard_intrusion="kill")
    refused(v, "Ann", "GRAVEYARD Bonsoir.", "living-only", "mon 10:00")
    assert (v.cause("Ann"), v.mayor) == ("heart-attack", "Tom")
    assert v.told("storyteller", "intrusion") == ["Ann"]


@rule("FINE-16", "WIN-8")
def test_after_the_end_talk_is_free_and_nothing_else():
    v = everybody(mayor="")
    v.admin("SMITE Tom", "mon 10:00")
    v.admin("SMITE Guy", "mon 10:01")
    v.admin("ABORT", "mon 10:02")
    for who in ("Ann", "Tom", "Guy"):
        refused(v, who, "SAY Belle partie. Élisons Ann !", "accepted")
        refused(v, who, "GRAVEYARD Et vous ?", "accepted")
        refused(v, who, "QUESTION On recommence ?", "accepted")
        for text in ("VOTE Ann", "PACK Oui.", "GUARD", "LEAVE", "ABSENT", "CANCEL VOTE", "HEIR"):
            refused(v, who, text, "game-over")
    assert v.last(e.GraveyardTalked).readers == tuple(s for s in range(1, 21) if s != 7)
    refused(v, "reader", "GRAVEYARD Bravo.", "accepted")
    refused(v, "reader", "VOTE Ann", "not-in-game")
    assert (
        v.admin("SMITE Ann") == v.admin("MAYOR Ann") == v.admin("PAIR Ann AND Bob") == v.admin("ABORT") == "game-over"
    )


@rule("ORG-1", "ORG-5")
def test_a_stranger_asks_and_a_reader_writes_to_the_graveyard_and_that_is_all():
    v = everybody(mayor="")
    refused(v, "reader", "QUESTION Quand ?", "accepted", "mon 10:00")
    refused(v, "reader", "GRAVEYARD Bonsoir.", "accepted")
    for text in ("VOTE Ann", "SAY Bonsoir.", "PACK Bonsoir.", "LEAVE", "CANCEL VOTE", "GUARD Ann"):
        refused(v, "reader", text, "not-in-game")


@rule("ORG-1")
@pytest.mark.parametrize("verb", ["SAY", "PACK", "QUESTION", "GRAVEYARD"])
def test_an_empty_or_endless_post_is_refused(verb):
    v = everybody(mayor="")
    v.admin("SMITE Tom", "mon 10:00")
    who = "Tom" if verb == "GRAVEYARD" else "Ned"
    refused(v, who, f"{verb}  ", "empty")
    assert v.order(who, verb, body="x" * 50_001) == "too-long"
    assert v.order(who, verb, body="x" * 50_000) == "accepted"


@rule("ORG-5")
def test_questions_and_absences_go_to_the_storyteller_alone():
    v = everybody(mayor="")
    v.do("Ann", "QUESTION Pourquoi ?", "mon 10:00")
    assert v.news == [e.QuestionAsked(0, 1, "Ann", "Pourquoi ?")]
    v.run(c.Order(v.now, 1, "ABSENT", c.Words(word="vendredi", text="Je voyage.")))
    assert v.news[1:] == [e.AbsenceAsked(0, 1, "vendredi", "Je voyage.")]
    v.do("Ann", "LEAVE")
    assert (v.told("storyteller", "replacement-wanted"), len(v.news)) == (["Ann"], 1)
    v.admin("SMITE Ann")
    refused(v, "Ann", "LEAVE", "dead-actor")
    refused(v, "Ann", "ABSENT", "dead-actor")
    refused(v, "Ann", "QUESTION Pourquoi moi ?", "accepted")
