"""MAIL.md § 4 and § 6, FINE-16 to FINE-18, NEXT-1: which code, which first, and what is confirmed late."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from pbem.engine import commands as c
from pbem.engine import events as e
from pbem.engine.decide import decide
from tests.kit.village import Village

rule = pytest.mark.rule
ALL = (
    "Ann: villager, Bob: prescient, Cid: seer, Dan: little-child, Eve: forger, Fay: nosy-neighbour, Guy: ghost, "
    "Hal: militia, Ivo: telepath, Jan: executioner, Kim: sandman, Lea: investigator, Max: matchmaker, Ned: werewolf, "
    "Ole: corrupter, Pam: shaman, Quin: traitor, Rik: pack-leader, Sam: beast, Tom: villager"
)
POWERS = {
    "Bob": ("SAVE Tom",),
    "Cid": ("SEE Tom",),
    "Dan": ("PEEK",),
    "Eve": ("FORGE Tom",),
    "Fay": ("SPY Tom",),
    "Hal": ("GUARD Tom",),
    "Ivo": ("FORCE Tom against Ann",),
    "Jan": ("DOUBLE",),
    "Kim": ("SLEEP",),
    "Lea": ("ASK seer",),
    "Max": ("PAIR Tom and Ann",),
    "Ned": ("KILL Tom", "PACK Bonsoir."),
    "Ole": ("INFECT Tom", "KILL Tom", "PACK Bonsoir."),
    "Pam": ("SEE Tom", "KILL Tom", "PACK Bonsoir."),
    "Rik": ("SACRIFICE Ned for Tom", "KILL Tom", "PACK Bonsoir."),
    "Sam": ("HUNT Tom",),
}
VERBS = sorted({text.split()[0] for texts in POWERS.values() for text in texts})
SAMPLES = {text.split()[0]: text for texts in POWERS.values() for text in texts}
ONCE = {"SAVE", "FORGE", "SPY", "FORCE", "DOUBLE", "SLEEP", "INFECT", "SACRIFICE"}


def village(**more):
    return Village(ALL, **more)


# ---- whose verb, and when


@rule("VILL-1", "TRAI-1", "GHOST-1")
def test_every_role_has_its_verbs_and_no_other():
    for name in [one.split(":")[0].strip() for one in ALL.split(",")]:
        v = village(mayor=None)
        own = {text.split()[0] for text in POWERS.get(name, ())}
        assert v.can(name) == own - {"PACK"}
        for verb in VERBS:
            expected = "accepted" if verb in own else "not-your-power"
            assert v.order(name, SAMPLES[verb], "mon 10:00") == expected, (name, verb)


HOURS = {
    "day": {"VOTE", "PEEK", "GUARD", "FORGE", "FORCE", "DOUBLE"},
    "sunset": {"KILL", "INFECT", "SACRIFICE", "SEE", "HUNT", "SLEEP"},
    "vision": {"SAVE"},
    "any": {"SPY", "ASK", "PACK"},
}


@rule("CAL-4", "NIGHT-9")
@pytest.mark.parametrize("phase", ["day", "tie-break", "sunset", "vision"])
def test_the_hours_of_every_verb(phase):
    order = ["day", "tie-break", "sunset", "vision"]
    last = {verb: ends for ends, verbs in HOURS.items() for verb in verbs}
    texts = [(who, text) for who, texts in POWERS.items() for text in texts if text.split()[0] != "PAIR"]
    v = village(mayor="Ann")
    v.votes("tue 12:00", "Tom Quin; Quin Tom")
    v.orders("tue 13:00", "Ned: KILL Cid")
    reached = {"day": "tue 21:00", "tie-break": "execution", "sunset": "tie-break", "vision": "sunset"}
    for step in order[: order.index(phase) + 1]:
        v.until(reached[step])
    assert v.phase == phase
    for who, text in [*texts, ("Cid", "VOTE Ann")]:
        ends = last[text.split()[0]]
        open_now = ends == "any" or order.index(phase) <= order.index(ends)
        assert v.order(who, text, "+1m") == ("accepted" if open_now else "wrong-time"), (phase, text)


@rule("MATCH-1")
def test_pairing_ends_with_the_first_election():
    v = village(mayor=None)
    v.do("Max", "PAIR Tom and Ann", "mon 22:00")
    v = village(mayor=None)
    v.until("election")
    assert v.order("Max", "PAIR Tom and Ann", "mon 22:01") == "wrong-time"
    assert v.can("Max") == set()


@rule("MATCH-1")
@pytest.mark.parametrize("mayor", ["", "Ann"])
def test_without_an_election_pairing_ends_at_the_first_t(mayor):
    v = village(mayor=mayor)
    v.do("Max", "PAIR Tom and Max", "tue 22:00")
    assert (v.told("Tom", "lover"), v.told("Max", "lover")) == (["Max"], ["Tom"])
    v = village(mayor=mayor)
    v.until("execution")
    assert v.order("Max", "PAIR Tom and Ann", "tue 22:01") == "wrong-time"


@rule("MATCH-1", "FINE-16", "FINE-18", "LOVE-1")
def test_what_the_matchmaker_may_not_do():
    v = village(mayor=None)
    assert v.order("Max", "PAIR Tom and Tom", "mon 10:00") == "not-a-choice"
    assert v.order("Max", "CANCEL PAIR") == "not-a-choice"
    v.admin("PAIR Ann AND Bob")
    assert v.order("Max", "PAIR Tom and Bob") == "already-paired"
    v.do("Max", "PAIR Tom and Cid")  # FINE-18: though the storyteller has made a couple
    assert v.told("Cid", "lover") == ["Tom"]
    assert v.order("Max", "PAIR Eve and Fay") == "already-paired"
    assert v.order("Max", "CANCEL PAIR") == "already-paired"
    assert v.can("Max") == set()


@rule("FINE-13", "MATCH-1")
def test_what_the_storyteller_may_not_pair():
    v = village(mayor=None)
    v.admin("SMITE Tom", "mon 10:00")
    assert v.admin("PAIR Ann AND Ann") == "not-a-choice"
    assert v.admin("PAIR Ann AND Tom") == "dead-target"
    v.do("Max", "PAIR Bob and Cid")
    assert v.admin("PAIR Ann AND Eve") == "already-paired"
    late = village(mayor="")
    late.until("murder")
    assert late.admin("PAIR Ann AND Eve", "wed 10:00") == "accepted"  # MATCH-1: when the matchmaker did not


@rule("INV-1", "FINE-16")
def test_one_question_a_turn_from_murder_to_murder():
    v = village(mayor="")
    v.do("Lea", "ASK seer", "mon 10:00")
    assert v.told("Lea", "role-count") == [{"seer": "1"}]
    assert v.order("Lea", "ASK seer", "tue 10:00") == "already-used"
    v.until("sunset")
    assert v.order("Lea", "ASK seer", "tue 22:40") == "already-used"
    v.until("murder")
    v.do("Lea", "ASK ghost", "tue 23:05")
    assert v.can("Lea") == {"ASK"}


@rule("INV-1")
def test_the_count_is_of_what_was_dealt_and_a_bad_question_costs_nothing():
    v = village(mayor="")
    v.do("Ole", "INFECT Cid", "tue 10:00")
    v.admin("SMITE Sam", "tue 10:05")
    v.until("murder")
    assert v.player("Cid").role == "werewolf"
    assert v.order("Lea", "ASK dragon", "wed 10:00") == "unknown-role"
    assert v.order("Lea", "ASK") == "unknown-role"
    v.do("Lea", "ASK seer")
    assert v.told("Lea", "role-count") == [{"seer": "1"}]


@rule("INV-1")
def test_in_an_open_game_the_question_is_refused():
    v = village(mayor="", composition="public")
    assert v.order("Lea", "ASK seer", "mon 10:00") == "composition-public"
    assert v.can("Lea") == set()


@rule("NEIGH-1")
def test_the_neighbour_pries_at_any_moment_and_is_known_for_it():
    v = village(mayor="")
    v.until("sunset")
    v.do("Fay", "SPY Sam", "tue 22:40")
    assert v.told("Fay", "role-seen") == [{"Sam": "beast"}]
    assert v.told("Sam", "role-seen") == [{"Fay": "nosy-neighbour"}]
    assert v.order("Fay", "SPY Tom") == "already-used"


# ---- the order of refusals


def refused(v, who, text, code, at=""):
    assert v.order(who, text, at) == code, (who, text)


@rule("FINE-16")
def test_the_first_code_that_applies():
    v = village(mayor="")
    v.admin("SMITE Tom", "mon 10:00")
    # dead-actor before not-your-power and everything behind it
    refused(v, "Tom", "GUARD", "dead-actor")
    refused(v, "Tom", "SAY", "graveyard-only")
    refused(v, "Tom", "PACK", "graveyard-only")
    # not-your-power before wrong-time, missing-argument, unknown-player, dead-target
    refused(v, "Ann", "GUARD", "not-your-power")
    refused(v, "Ann", "GUARD Zorro", "not-your-power")
    refused(v, "Ann", "GUARD Tom", "not-your-power")
    refused(v, "Ann", "HEIR", "not-your-power")
    refused(v, "Ann", "DECIDE Bob", "not-your-power")
    # missing-argument, unknown-player before dead-target and the rest
    refused(v, "Hal", "GUARD", "missing-argument")
    refused(v, "Hal", "GUARD Zorro", "unknown-player")
    refused(v, "Ivo", "FORCE Ann", "missing-argument")
    refused(v, "Ivo", "FORCE Tom against Zorro", "unknown-player")
    refused(v, "Max", "PAIR Tom and Tom", "dead-target")
    refused(v, "Rik", "SACRIFICE Tom for Rik", "dead-target")
    # already-used before wrong-time and missing-argument
    v.do("Kim", "SLEEP")
    v.do("Eve", "FORGE Ann")
    v.until("execution")
    refused(v, "Eve", "FORGE", "already-used", "tue 22:05")
    refused(v, "Hal", "GUARD", "wrong-time")
    refused(v, "Ivo", "FORCE Tom against Zorro", "wrong-time")
    v.until("murder")
    refused(v, "Kim", "SLEEP", "already-used")


@rule("FINE-16", "FINE-18")
def test_cancel():
    v = village(mayor="")
    for text in (
        "CANCEL GUARD",
        "CANCEL PACK",
        "CANCEL SAY",
        "CANCEL HEIR",
        "CANCEL DECIDE",
        "CANCEL CANCEL",
        "CANCEL ADMIN",
    ):
        refused(v, "Ann", text, "not-a-choice", "mon 10:00")
    refused(v, "Ann", "CANCEL", "missing-argument")
    refused(v, "Ann", "CANCEL VOTE", "not-a-choice")
    refused(v, "Fay", "CANCEL SPY", "not-a-choice")
    v.do("Ann", "VOTE Bob")
    v.do("Ann", "CANCEL VOTE")
    refused(v, "Ann", "CANCEL VOTE", "not-a-choice")
    refused(v, "Ann", "CANCEL ELECT", "wrong-time")


@rule("FINE-16", "NIGHT-10")
@pytest.mark.parametrize("who", sorted(POWERS))
def test_whatever_stands_can_be_withdrawn_as_long_as_its_verb_is_open(who):
    for text in POWERS[who]:
        verb = text.split()[0]
        if verb in {"SPY", "ASK", "PACK", "PAIR"}:
            continue  # at once, and for good
        v = village(mayor="")
        v.do(who, text, "tue 10:00")
        v.do(who, f"CANCEL {verb}", "tue 10:01")
        assert v.game.orders == ()
        assert verb in v.can(who)
        v.until("murder")
        assert v.died == set()
        assert verb in v.can(who)


@rule("NIGHT-10", "FINE-16")
@pytest.mark.parametrize("verb", sorted(ONCE))
def test_a_once_only_power_that_is_spent_is_already_used_and_no_longer_shown(verb):
    who = next(name for name, texts in POWERS.items() if any(t.startswith(verb) for t in texts))
    v = village(mayor="")
    v.admin("SMITE Sam", "tue 09:00")  # while the beast lives the pack's powers fail
    v.do(who, SAMPLES[verb], "tue 10:00")
    if verb == "SAVE":
        v.do("Ned", "KILL Tom")
    if verb == "DOUBLE":
        v.do("Ann", "VOTE Quin")
    v.until("murder")
    assert verb not in v.can(who)
    assert v.order(who, SAMPLES[verb], "wed 10:00") == "already-used"
    assert not v.game.orders


@rule("LOVE-2", "FINE-18")
def test_lovers_spare_each_other_where_they_are_asked_and_only_there():
    v = village(mayor="", lovers=("Eve", "Ned"))
    refused(v, "Eve", "VOTE Ned", "lover-target", "mon 10:00")
    refused(v, "Eve", "FORGE Ned", "lover-target")
    refused(v, "Ned", "VOTE Eve", "lover-target")
    refused(v, "Ned", "KILL Eve", "accepted")
    refused(v, "Ivo", "FORCE Eve against Ned", "accepted")


@rule("FINE-18")
def test_pair_makes_a_forgings_target_the_forgers_lover_and_the_forging_is_void():
    v = village(mayor=None)
    v.orders("mon 10:00", "Eve: FORGE Tom; Tom: VOTE Eve")
    v.do("Max", "PAIR Eve and Tom")
    assert v.told("Eve", "order-void") == ["FORGE"]
    assert v.told("Tom", "vote-void") == ["Eve"]
    assert "FORGE" in v.can("Eve")


@rule("LOVE-2", "FINE-18", "FINE-8")
def test_the_storyteller_pairs_the_asked_executioner_with_whom_he_has_named():
    v = village(mayor="")
    v.orders("tue 10:00", "Jan: DOUBLE; Ann: VOTE Bob; Bob: VOTE Cid; Cid: VOTE Ann")
    v.until("execution")
    v.do("Jan", "DECIDE Ann and Cid", "tue 22:05")
    v.admin("PAIR Jan AND Cid", "tue 22:10")
    assert v.told("Jan", "order-void") == ["DECIDE"]
    assert v.order("Jan", "DECIDE Cid", "tue 22:11") == "lover-target"


@rule("NEXT-1")
def test_immunity_on_the_first_evening_and_not_after():
    v = village(mayor="Ann", immune=("Tom", "Ned"))
    for who, text in (
        ("Ann", "VOTE Tom"),
        ("Tom", "VOTE Tom"),
        ("Eve", "FORGE Tom"),
        ("Ivo", "FORCE Ann against Tom"),
        ("Pam", "KILL Tom"),
        ("Sam", "HUNT Tom"),
        ("Rik", "SACRIFICE Pam for Tom"),
        ("Rik", "SACRIFICE Ned for Ann"),
    ):
        refused(v, who, text, "immune-target", "tue 10:00")
    for who, text in (
        ("Hal", "GUARD Tom"),
        ("Cid", "SEE Tom"),
        ("Ole", "INFECT Tom"),
        ("Ivo", "FORCE Tom against Quin"),
        ("Tom", "VOTE Quin"),
    ):
        refused(v, who, text, "accepted", "tue 10:00")
    v.until("execution")
    refused(v, "Pam", "KILL Tom", "immune-target", "tue 22:05")
    v.until("murder")
    refused(v, "Ann", "VOTE Tom", "accepted")
    refused(v, "Sam", "HUNT Tom", "accepted")


# ---- speech


@rule("ORG-2", "GHOST-1")
def test_who_may_speak_where():
    v = village(mayor="")
    v.admin("SMITE Guy", "mon 10:00")
    v.admin("SMITE Tom", "mon 10:01")
    v.do("Guy", "SAY Hou.")
    assert v.happened(e.Posted)[0].ghost
    refused(v, "Guy", "GRAVEYARD Bonsoir.", "wrong-time")
    refused(v, "Guy", "PACK Bonsoir.", "graveyard-only")
    refused(v, "Guy", "ELECT Ann", "dead-actor")
    refused(v, "Guy", "VOTE Ann", "dead-actor")
    refused(v, "Ann", "GRAVEYARD Bonsoir.", "living-only")
    assert v.happened(e.Intruded) == [e.Intruded(0, 1)]
    v.do("Tom", "GRAVEYARD Bonsoir.")
    assert v.last(e.GraveyardTalked).readers == ()
    v.until("execution")
    refused(v, "Guy", "SAY Hou.", "graveyard-only", "tue 22:01")
    v.do("Guy", "GRAVEYARD Bonsoir.")
    assert v.last(e.GraveyardTalked).readers == (20,)


@rule("GHOST-1", "VOTE-4")
def test_a_ghost_who_burns_haunts_until_the_next_t():
    v = village(mayor="")
    v.votes("tue 10:00", "Ann Guy")
    v.until("execution")
    assert v.told("Guy", "ghost") == ["true"]
    v.do("Guy", "SAY Hou.", "thu 22:00")
    v.until("execution")
    refused(v, "Guy", "SAY Hou.", "graveyard-only", "thu 22:01")


@rule("GHOST-1", "MAYOR-2", "VOTE-7")
def test_a_ghosts_last_sentence_elects_nobody():
    v = village(mayor=None)
    v.admin("SMITE Guy", "mon 10:00")
    v.do("Guy", "SAY Élisons Ann !")
    v.until("election")
    assert v.election == {}


@rule("GHOST-1", "CORR-1")
def test_a_ghost_who_was_corrupted_does_not_haunt():
    v = village(mayor="")
    v.admin("SMITE Sam", "tue 09:00")
    v.do("Ole", "INFECT Guy", "tue 10:00")
    v.until("murder")
    v.admin("SMITE Guy", "wed 10:00")
    assert v.told("Guy") == []
    refused(v, "Guy", "SAY Hou.", "graveyard-only")


@rule("ORG-2", "ORG-4")
def test_an_intruder_may_die_of_it():
    v = village(mayor="Ann", heir="Tom", graveyard_intrusion="kill")
    refused(v, "Ann", "GRAVEYARD Bonsoir.", "living-only", "mon 10:00")
    assert (v.cause("Ann"), v.mayor) == ("heart-attack", "Tom")
    assert v.told("storyteller", "intrusion") == ["Ann"]


@rule("FINE-16", "WIN-8")
def test_after_the_end_talk_is_free_and_nothing_else():
    v = village(mayor="")
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
    v = village(mayor="")
    refused(v, "reader", "QUESTION Quand ?", "accepted", "mon 10:00")
    refused(v, "reader", "GRAVEYARD Bonsoir.", "accepted")
    for text in ("VOTE Ann", "SAY Bonsoir.", "PACK Bonsoir.", "LEAVE", "CANCEL VOTE", "GUARD Ann"):
        refused(v, "reader", text, "not-in-game")


@rule("ORG-1")
@pytest.mark.parametrize("verb", ["SAY", "PACK", "QUESTION", "GRAVEYARD"])
def test_an_empty_or_endless_post_is_refused(verb):
    v = village(mayor="")
    v.admin("SMITE Tom", "mon 10:00")
    who = "Tom" if verb == "GRAVEYARD" else "Ned"
    refused(v, who, f"{verb}  ", "empty")
    assert v.order(who, verb, body="x" * 50_001) == "too-long"
    assert v.order(who, verb, body="x" * 50_000) == "accepted"


@rule("ORG-5")
def test_questions_and_absences_go_to_the_storyteller_alone():
    v = village(mayor="")
    v.do("Ann", "QUESTION Pourquoi ?", "mon 10:00")
    assert (v.told("storyteller", "question"), len(v.news)) == (["Ann"], 1)
    v.do("Ann", "ABSENT vendredi")
    assert (v.told("storyteller", "absence"), len(v.news)) == (["Ann"], 1)
    v.do("Ann", "LEAVE")
    assert (v.told("storyteller", "replacement-wanted"), len(v.news)) == (["Ann"], 1)
    v.admin("SMITE Ann")
    refused(v, "Ann", "LEAVE", "dead-actor")
    refused(v, "Ann", "ABSENT", "dead-actor")
    refused(v, "Ann", "QUESTION Pourquoi moi ?", "accepted")


# ---- before the start


@rule("ORG-6")
def test_before_the_start_no_verb_tells_what_was_dealt():
    v = Village("Ann: villager, Bob: villager, Cid: villager, Dan: villager, Eve: villager", begin=False)
    for text in ("VOTE Ann", "KILL Ann", "HEIR Ann", "PACK Bonsoir.", "GRAVEYARD Bonsoir.", "ABSENT"):
        refused(v, "Ann", text, "wrong-time")
    v.admin("COMPOSITION werewolf=1 villager=4")
    v.admin("DEAL")
    for name in v.names:
        for text in ("VOTE Ann", "KILL Ann", "PACK Bonsoir.", "GUARD Ann", "CANCEL KILL"):
            refused(v, name, text, "wrong-time")
        assert v.can(name) == set()
    assert v.happened(e.Intruded) == []
    assert v.admin("START") == "accepted"
    assert sorted(v.can(name) != set() for name in v.names) == [False] * 4 + [True]


@rule("ORG-6")
def test_who_may_sign_up_and_when():
    v = Village("Ann: villager, Bob: villager, Cid: villager", begin=False)

    def join(name, **more):
        return v._reply(v.run(c.Join(v.now, name, **more)))

    assert join("ann") == join("Â nn!") == "name-taken"
    assert join("Zoé", known=True) == "name-taken"
    assert join("Anyone", bad_name=True) == join("???") == "bad-name"
    assert v.admin("DEAL") == v.admin("START") == "wrong-time"  # three are too few
    assert v.admin("OPEN") == "wrong-time"
    assert v.admin("CLOSE") == "accepted"
    assert v.admin("CLOSE") == "wrong-time"
    assert join("Dan") == "registration-closed"
    v.admin("OPEN")
    for n in range(57):
        assert join(f"Nummer {n}") == "accepted"
    assert join("One too many") == "registration-closed"


@rule("ORG-6")
def test_who_leaves_before_the_start_makes_room_and_voids_the_deal():
    v = Village("Ann: villager, Bob: villager, Cid: villager, Dan: villager, Eve: villager", begin=False)
    v.admin("COMPOSITION werewolf=1 villager=4")
    v.admin("DEAL")
    v.do("Bob", "LEAVE")
    assert [(p.seat, p.name, p.role) for p in v.game.players] == [
        (1, "Ann", ""),
        (2, "Cid", ""),
        (3, "Dan", ""),
        (4, "Eve", ""),
    ]
    assert v.admin("START") == "not-a-choice"  # five cards, four players
    v.admin("COMPOSITION werewolf=1 villager=3")
    assert v.admin("START") == "accepted"
    assert v.admin("START") == v.admin("DEAL") == v.admin("COMPOSITION werewolf=4") == "wrong-time"


@rule("ORG-6")
def test_a_composition_names_roles_of_the_rule_book():
    v = Village("Ann: villager, Bob: villager, Cid: villager, Dan: villager", begin=False)
    assert v.admin("COMPOSITION dragon=1") == "unknown-role"
    assert v.admin("COMPOSITION") == "missing-argument"


@rule("ORG-6", "WIN-8")
def test_the_deal_follows_from_the_seed_alone():
    def dealt(seed):
        v = Village("Ann: villager, Bob: villager, Cid: villager, Dan: villager", begin=False, seed=seed)
        v.admin("COMPOSITION werewolf=1 seer=1 villager=2")
        v.admin("DEAL")
        return v.last(e.RolesDealt).roles

    assert dealt("ab" * 32) == dealt("ab" * 32)
    assert len({dealt(f"{n:02x}" * 32) for n in range(30)}) > 6
    assert all(sorted(dealt(f"{n:02x}" * 32)) == ["seer", "villager", "villager", "werewolf"] for n in range(5))


# ---- held, and confirmed late (MAIL.md § 4)


@rule("CAL-6")
def test_a_held_vote_counts_as_of_its_arrival_and_never_over_a_later_one():
    v = village(mayor="")
    v.do("Ann", "VOTE Bob", "mon 12:00", sent="mon 10:00")
    assert v.standing("Ann", "VOTE") == ["Bob"]
    v.do("Cid", "VOTE Bob", "mon 13:00")
    assert v.order("Cid", "VOTE Tom", "mon 14:00", sent="mon 11:00") == "too-late"
    assert v.standing("Cid", "VOTE") == ["Bob"]
    v.do("Cid", "CANCEL VOTE", "mon 15:00")
    assert v.order("Cid", "VOTE Tom", "mon 16:00", sent="mon 14:30") == "too-late"
    v.do("Cid", "VOTE Tom", "mon 17:00", sent="mon 16:30")


@rule("CAL-6")
def test_a_held_cancel_never_withdraws_what_came_after_it():
    v = village(mayor="")
    v.do("Ann", "VOTE Bob", "mon 12:00")
    assert v.order("Ann", "CANCEL VOTE", "mon 13:00", sent="mon 11:00") == "too-late"
    assert v.standing("Ann", "VOTE") == ["Bob"]


@rule("CAL-6", "FINE-17")
@pytest.mark.parametrize(
    ("who", "text", "sent", "confirmed", "code"),
    [
        # the hours were over when it was confirmed
        ("Ann", "VOTE Bob", "tue 21:00", "tue 22:10", "too-late"),
        ("Ann", "VOTE Bob", "tue 21:00", "wed 10:00", "too-late"),
        ("Ann", "VOTE Bob", "tue 22:00", "wed 10:00", "too-late"),
        ("Hal", "GUARD Bob", "tue 21:00", "tue 22:10", "too-late"),
        ("Ned", "KILL Bob", "tue 21:00", "tue 22:10", "accepted"),
        ("Ned", "KILL Bob", "tue 21:00", "tue 22:40", "too-late"),
        ("Ned", "KILL Bob", "tue 21:00", "wed 10:00", "too-late"),
        ("Bob", "SAVE Ann", "mon 21:00", "tue 22:40", "accepted"),
        ("Bob", "SAVE Ann", "tue 22:40", "wed 10:00", "too-late"),
        # out of hours when it was sent, and so it stays
        ("Ann", "VOTE Bob", "tue 22:10", "tue 22:40", "wrong-time"),
        ("Ann", "VOTE Bob", "tue 22:10", "wed 10:00", "wrong-time"),
        ("Ned", "KILL Bob", "tue 22:40", "wed 10:00", "wrong-time"),
        ("Hal", "GUARD Bob", "tue 22:40", "wed 10:00", "wrong-time"),
        # sent in this very day
        ("Ann", "VOTE Bob", "tue 23:05", "wed 10:00", "accepted"),
        ("Ned", "KILL Bob", "tue 23:05", "thu 22:10", "accepted"),
        # what works at any moment
        ("Fay", "SPY Bob", "tue 21:00", "wed 10:00", "accepted"),
        ("Lea", "ASK seer", "tue 21:00", "wed 10:00", "accepted"),
    ],
)
def test_a_held_order_belongs_to_the_phase_it_was_sent_in(who, text, sent, confirmed, code):
    v = village(mayor="")
    v.until(sent)
    v.go(confirmed)
    assert v.order(who, text, sent=sent) == code


@rule("CAL-6", "FINE-1", "FORGE-1")
def test_a_held_order_takes_its_place_by_its_arrival():
    v = Village("Ann: forger, Bob: forger, Cid: werewolf, Dan: villager, Eve: villager")
    v.do("Ann", "FORGE Dan", "mon 12:00")
    v.do("Bob", "FORGE Eve", "mon 14:00", sent="mon 11:00")
    v.until("execution")
    assert (v.died, v.can("Ann"), v.can("Bob")) == ({"Eve"}, {"FORGE"}, set())


@rule("CAL-6", "MATCH-1")
@pytest.mark.parametrize("mayor", [None, "", "Ann"])
def test_a_pairing_confirmed_after_its_hours_is_too_late(mayor):
    v = village(mayor=mayor)
    v.go("tue 22:10")
    assert v.order("Max", "PAIR Tom and Ann", sent="mon 12:00") == "too-late"
    assert v.order("Max", "PAIR Tom and Ann", "tue 22:20", sent="tue 22:11") == "wrong-time"


@rule("CAL-6", "MAYOR-2")
def test_a_ballot_confirmed_after_the_election_is_too_late():
    v = village(mayor=None)
    v.until("election")
    assert v.order("Ann", "ELECT Tom", "mon 23:00", sent="mon 21:00") == "too-late"
    assert v.order("Ann", "ELECT Tom", "wed 10:00", sent="mon 23:00") == "wrong-time"


@rule("CAL-6", "VOTE-5")
def test_an_answer_confirmed_after_the_tie_break_is_too_late_and_one_confirmed_in_it_counts():
    v = village(mayor="Ann")
    v.votes("tue 12:00", "Tom Quin; Quin Tom")
    v.until("tie-break")
    assert v.order("Ann", "DECIDE Tom", "tue 22:40", sent="tue 22:20") == "too-late"
    assert v.order("Tom", "DECIDE Tom", "tue 22:41", sent="tue 22:20") == "not-your-power"
    assert v.order("Ann", "DECIDE Tom", "tue 22:42") == "not-your-power"
    v = village(mayor="Ann")
    v.votes("tue 12:00", "Tom Quin; Quin Tom")
    v.until("execution")
    v.do("Ann", "DECIDE Tom", "tue 22:25", sent="tue 22:05")
    assert (v.died, v.deadline) == ({"Tom"}, "tue 22:55")


@rule("CAL-6", "NIGHT-10")
def test_the_dead_confirm_nothing():
    v = village(mayor="")
    v.admin("SMITE Ann", "mon 12:00")
    assert v.order("Ann", "VOTE Bob", "mon 13:00", sent="mon 11:00") == "dead-actor"


@rule("CAL-7")
def test_an_order_by_the_storyteller_is_told_to_its_owner_and_judged_like_any_other():
    v = village(mayor="")
    assert v.admin("ORDER Hal: GUARD Tom", "mon 10:00") == "accepted"
    assert v.happened(e.OrderedFor) == [e.OrderedFor(8, "GUARD")]
    assert v.standing("Hal", "GUARD") == ["Tom"]
    assert v.admin("ORDER Ann: GUARD Tom") == "not-your-power"


@rule("ORG-4")
def test_what_the_storyteller_cannot_do_to_the_dead_or_before_the_start():
    v = village(mayor="")
    v.admin("SMITE Tom", "mon 10:00")
    assert v.admin("SMITE Tom") == v.admin("EXCUSE Tom") == v.admin("REPLACE Tom") == "dead-target"
    v = village(begin=False)
    assert v.admin("SMITE Tom") == v.admin("EXCUSE Tom") == v.admin("MAYOR Tom") == "wrong-time"


@rule("ORG-4")
def test_a_replacement_keeps_the_seat_the_role_and_the_orders_under_a_free_name():
    v = village(mayor="Hal", heir="Tom")
    v.do("Hal", "GUARD Ann", "mon 10:00")
    assert v.admin("REPLACE Hal ann") == "name-taken"
    assert v.admin("REPLACE Hal HAL") == "accepted"
    assert v.admin("REPLACE Hal Zoé") == "accepted"
    v.names[7] = "Zoé"
    assert (v.mayor, v.standing("Zoé", "GUARD"), v.can("Zoé")) == ("Zoé", ["Ann"], {"GUARD"})
    told = v._reply(v.run(c.Replace(v.now, 8, "VOTE", bad_name=True)))
    assert told == "bad-name"


@rule("WIN-10")
@pytest.mark.parametrize("text", ["NARRATE", "ANNOUNCE", "TELL Ann"])
def test_the_storyteller_says_something_or_nothing_happens(text):
    v = village(mayor="")
    assert v.admin(text) == "empty"
    assert v.admin(f"{text} Il pleut.") == "accepted"


@rule("WIN-8")
def test_a_command_that_nobody_knows_is_the_programmers_fault():
    with pytest.raises(TypeError):
        decide(village().game, c.Command(datetime(2026, 12, 7, tzinfo=UTC)))
