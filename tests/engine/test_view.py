"""CAL-5, NIGHT-12, ORG-1: what a seat, and everybody, is shown; letters are made of nothing else."""

from __future__ import annotations

import pytest

from pbem.engine.view import allowed, public_view, seat_view
from tests.kit.village import Village, crowd, everybody

rule = pytest.mark.rule


def face(v, name):
    return public_view(v.game).face(v.seat(name))


def verbs(v, name):
    """His verbs: until when, whether they are open now, whom they may name."""
    shown = seat_view(v.game, v.seat(name)).verbs
    return {x.verb: (x.until, x.open_now, {v.name(s) for s in x.choices}) for x in shown}


@rule("NIGHT-7", "WIN-8")
def test_the_living_show_no_role_and_the_dead_no_more_than_the_village_was_told():
    v = crowd("Ann: pack-leader, Bob: werewolf, Cid: ghost", mayor="Will", lovers=("Bob", "Cid"), immune=("Xena",))
    v.orders("tue 12:00", "Ann: SACRIFICE Bob for Tom; Ugo: VOTE Vera")
    v.until("murder")
    shown = {
        name: (face(v, name).role, face(v, name).cause, face(v, name).died)
        for name in v.names
        if not face(v, name).alive
    }
    assert shown == {
        "Bob": ("werewolf", "found", 1),
        "Tom": ("villager", "found", 1),
        "Cid": ("ghost", "love", 1),
        "Vera": ("villager", "executed", 1),
    }
    assert face(v, "Cid").ghost
    assert not face(v, "Xena").immune  # the first evening is over
    assert {f.role for f in public_view(v.game).living} == {""}
    assert [f.name for f in public_view(v.game).living] == ["Ann", "Ugo", "Will", "Xena", "Yann"]
    assert (face(v, "Will").mayor, face(v, "Ugo").mayor) == (True, False)
    v.admin("ABORT")
    assert face(v, "Bob").cause == "sacrificed"
    assert face(v, "Ann").role == "pack-leader"


@rule("NEXT-1", "MAYOR-2")
def test_immunity_office_and_election_are_public():
    v = crowd("Ann: werewolf", mayor=None, immune=("Tom",))
    public = public_view(v.game)
    assert (public.phase, public.turn, public.mayor, public.winner, public.tied) == ("day", 1, 0, "", ())
    assert (v.clock(public.election[0]), v.clock(public.election[1])) == ("mon 09:00", "mon 22:00")
    assert v.clock(public.deadline) == "tue 22:00"
    assert (face(v, "Tom").immune, face(v, "Ugo").immune) == (True, False)
    assert public.composition is None
    v.admin("PAUSE", "mon 10:00")
    assert (public_view(v.game).phase, public_view(v.game).deadline) == ("paused", None)


@rule("INV-1", "WIN-8")
def test_the_composition_is_shown_where_it_is_open_or_all_is_over():
    counts = (("villager", 6), ("seer", 1), ("werewolf", 1))
    v = crowd("Ann: werewolf, Bob: seer", composition="public")
    assert public_view(v.game).composition == counts
    v = crowd("Ann: werewolf, Bob: seer")
    assert public_view(v.game).composition is None
    v.admin("ABORT")
    assert public_view(v.game).composition == counts


@rule("CAL-5", "EXEC-1")
def test_a_tie_shows_the_tied_and_the_mayor_but_no_executioner():
    v = crowd("Ann: executioner, Bob: werewolf", mayor="Will")
    v.votes("tue 12:00", "Tom Ugo; Ugo Tom; Vera Tom; Xena Ugo")
    v.until("execution")
    assert (public_view(v.game).tied, public_view(v.game).tie_mayor) == ((3, 4), v.seat("Will"))
    mine = seat_view(v.game, v.seat("Will"))
    assert (mine.asked, mine.asked_places) == ((3, 4), 1)
    assert verbs(v, "Will")["DECIDE"] == ("tie-break", True, {"Tom", "Ugo"})
    assert seat_view(v.game, v.seat("Tom")).asked == ()
    v = crowd("Ann: executioner, Bob: werewolf", mayor="Will", lovers=("Ann", "Tom"))
    v.orders("tue 12:00", "Ann: DOUBLE; Tom: VOTE Ugo; Ugo: VOTE Tom; Vera: VOTE Xena")
    v.until("execution")
    assert (public_view(v.game).tied, public_view(v.game).tie_mayor) == ((3, 4, 7), 0)
    mine = seat_view(v.game, 1)
    assert (mine.asked, mine.asked_places) == ((4, 7), 2)  # without her lover
    assert "DECIDE" not in verbs(v, "Will")


@rule("VILL-1", "LOVE-2", "MAYOR-4")
def test_everybodys_verbs_and_whom_they_may_name():
    v = crowd("Ann: werewolf", mayor="Tom", heir="Ugo", lovers=("Tom", "Vera"))
    v.admin("SMITE Yann", "mon 10:00")
    others = {"Ann", "Ugo", "Will", "Xena"}
    assert verbs(v, "Tom") == {
        "VOTE": ("execution", True, others | {"Tom"}),  # not his lover
        "HEIR": ("any", True, others | {"Vera"}),  # not himself
    }
    assert verbs(v, "Ugo") == {"VOTE": ("execution", True, others | {"Tom", "Vera"})}
    assert verbs(v, "Yann") == {}
    mine = seat_view(v.game, v.seat("Tom"))
    assert (mine.heir, mine.lovers, mine.role, mine.dealt, mine.pack) == (
        v.seat("Ugo"),
        (v.seat("Vera"),),
        "villager",
        "villager",
        (),
    )
    assert seat_view(v.game, v.seat("Ugo")).heir == 0
    v.until("execution")
    assert verbs(v, "Ugo")["VOTE"][1] is False


@rule("MAYOR-2", "CAL-2")
def test_elect_is_shown_while_an_election_is_due():
    v = crowd("Ann: werewolf", mayor=None)
    assert "ELECT" in verbs(v, "Tom")
    v.do("Tom", "ELECT Ugo", "mon 10:00")
    v.until("election")
    assert "ELECT" not in verbs(v, "Tom")
    assert "HEIR" in verbs(v, "Ugo")


@rule("GUARD-2", "WOLF-3", "NEXT-1")
def test_choices_leave_out_whom_the_rules_forbid():
    v = everybody(mayor="", immune=("Tom",))
    v.do("Hal", "GUARD Ann", "tue 12:00")
    wolves = {"Ned", "Ole", "Pam", "Rik"}
    assert verbs(v, "Ned")["KILL"] == ("sunset", True, set(v.names) - wolves - {"Tom"})
    assert verbs(v, "Ole")["INFECT"][2] == set(v.names) - wolves
    assert verbs(v, "Cid")["SEE"][2] == set(v.names) - {"Cid"}
    assert verbs(v, "Bob")["SAVE"] == ("vision", True, set(v.names) - {"Bob"})
    assert verbs(v, "Rik")["SACRIFICE"][2] == set(v.names)
    assert verbs(v, "Kim")["SLEEP"] == ("sunset", True, set())
    assert verbs(v, "Max")["PAIR"][0] == "first-election"
    assert seat_view(v.game, v.seat("Ned")).pack == tuple(map(v.seat, ("Ole", "Pam", "Rik")))
    v.until("murder")
    assert verbs(v, "Hal")["GUARD"][2] == set(v.names) - {"Ann"}
    assert "Tom" in verbs(v, "Ned")["KILL"][2]


@rule("NIGHT-10", "CORR-2")
def test_what_is_spent_or_standing_is_shown_to_its_owner_alone():
    v = crowd("Ann: forger, Bob: corrupter, Cid: investigator, Dan: matchmaker", mayor=None)
    v.orders("mon 10:00", "Ann: FORGE Tom; Cid: ASK seer; Dan: PAIR Ugo and Vera")
    shown = seat_view(v.game, 1)
    assert [(o.verb, o.seats, o.word) for o in shown.orders] == [("FORGE", (v.seat("Tom"),), "")]
    assert seat_view(v.game, 2).orders == ()
    early = crowd("Ann: prescient, Bob: werewolf")
    early.do("Ann", "SAVE ANYONE", "mon 10:00")
    assert [(o.verb, o.seats, o.word) for o in seat_view(early.game, 1).orders] == [("SAVE", (), "ANYONE")]
    assert verbs(v, "Cid")["ASK"][1] is False  # once a turn
    assert "PAIR" not in verbs(v, "Dan")
    v.orders("tue 12:00", "Bob: INFECT Ann")
    v.until("execution")
    assert seat_view(v.game, 1).spent == frozenset({"FORGE"})
    assert allowed(v.game, 1) == ()
    v.until("murder")
    mine = seat_view(v.game, 1)
    assert (mine.role, mine.dealt, mine.spent, mine.pack) == ("werewolf", "forger", frozenset(), (2,))


@rule("ORG-6")
def test_before_the_start_nobody_is_shown_what_was_dealt():
    v = Village("Ann: villager, Bob: villager, Cid: villager, Dan: villager", begin=False)
    v.admin("COMPOSITION werewolf=4")
    v.admin("DEAL")
    shown = seat_view(v.game, 1)
    assert (shown.role, shown.dealt, shown.pack, shown.verbs) == ("", "", (), ())
    assert allowed(v.game, 1) == ()
    assert public_view(v.game).open is False


@rule("VOTE-2", "VOTE-7")
def test_a_seat_is_shown_its_own_silence():
    v = crowd("Ann: werewolf", mayor="", inactivity="report")
    v.orders("tue 12:00", "Ann: VOTE Tom; Ann: SAY Bonjour.")
    assert (seat_view(v.game, 1).posted, seat_view(v.game, 3).posted) == (True, False)
    v.admin("EXCUSE Ugo")
    v.until("execution")
    assert (seat_view(v.game, 1).missed_votes, seat_view(v.game, 3).missed_votes) == (0, 1)
    assert (seat_view(v.game, 1).posted, seat_view(v.game, 3).excused) == (False, True)


@rule("ORG-1")
def test_there_is_no_seat_nought():
    v = crowd("Ann: werewolf")
    with pytest.raises(IndexError):
        seat_view(v.game, 0)
    with pytest.raises(IndexError):
        seat_view(v.game, 99)
