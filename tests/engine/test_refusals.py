"""MAIL.md § 4 and § 6, FINE-16 to FINE-18, NEXT-1: which code, which first, and what is confirmed late."""

from __future__ import annotations

import pytest

from pbem.engine import events as e
from tests.kit.village import EVERYBODY, everybody, refused

rule = pytest.mark.rule
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


# ---- whose verb, and when


@rule("VILL-1", "TRAI-1", "GHOST-1")
def test_every_role_has_its_verbs_and_no_other():
    for name in [one.split(":")[0].strip() for one in EVERYBODY.split(",")]:
        v = everybody(mayor=None)
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
    v = everybody(mayor="Ann")
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
    v = everybody(mayor=None)
    v.do("Max", "PAIR Tom and Ann", "mon 22:00")
    v = everybody(mayor=None)
    v.until("election")
    assert v.order("Max", "PAIR Tom and Ann", "mon 22:01") == "wrong-time"
    assert v.can("Max") == set()


@rule("MATCH-1")
@pytest.mark.parametrize("mayor", ["", "Ann"])
def test_without_an_election_pairing_ends_at_the_first_t(mayor):
    v = everybody(mayor=mayor)
    v.do("Max", "PAIR Tom and Max", "tue 22:00")
    assert (v.told("Tom", "lover"), v.told("Max", "lover")) == (["Max"], ["Tom"])
    v = everybody(mayor=mayor)
    v.until("execution")
    assert v.order("Max", "PAIR Tom and Ann", "tue 22:01") == "wrong-time"


@rule("MATCH-1", "FINE-16", "FINE-18", "LOVE-1")
def test_what_the_matchmaker_may_not_do():
    v = everybody(mayor=None)
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
    v = everybody(mayor=None)
    v.admin("SMITE Tom", "mon 10:00")
    assert v.admin("PAIR Ann AND Ann") == "not-a-choice"
    assert v.admin("PAIR Ann AND Tom") == "dead-target"
    v.do("Max", "PAIR Bob and Cid")
    assert v.admin("PAIR Ann AND Eve") == "already-paired"
    late = everybody(mayor="")
    late.until("murder")
    assert late.admin("PAIR Ann AND Eve", "wed 10:00") == "accepted"  # MATCH-1: when the matchmaker did not


@rule("INV-1", "FINE-16")
def test_one_question_a_turn_from_murder_to_murder():
    v = everybody(mayor="")
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
    v = everybody(mayor="")
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
    v = everybody(mayor="", composition="public")
    assert v.order("Lea", "ASK seer", "mon 10:00") == "composition-public"
    assert v.can("Lea") == set()


@rule("NEIGH-1")
def test_the_neighbour_pries_at_any_moment_and_is_known_for_it():
    v = everybody(mayor="")
    v.until("sunset")
    v.do("Fay", "SPY Sam", "tue 22:40")
    assert v.told("Fay", "role-seen") == [{"Sam": "beast"}]
    assert v.told("Sam", "role-seen") == [{"Fay": "nosy-neighbour"}]
    assert v.happened(e.RoleSeen) == [e.RoleSeen(6, 19, "beast", "SPY"), e.RoleSeen(19, 6, "nosy-neighbour", "SPY")]
    assert v.order("Fay", "SPY Tom") == "already-used"


# ---- the order of refusals


@rule("FINE-16")
def test_the_first_code_that_applies():
    v = everybody(mayor="")
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
    v = everybody(mayor="")
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
        v = everybody(mayor="")
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
    v = everybody(mayor="")
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
    v = everybody(mayor="", lovers=("Eve", "Ned"))
    refused(v, "Eve", "VOTE Ned", "lover-target", "mon 10:00")
    refused(v, "Eve", "FORGE Ned", "lover-target")
    refused(v, "Ned", "VOTE Eve", "lover-target")
    refused(v, "Ned", "KILL Eve", "accepted")
    refused(v, "Ivo", "FORCE Eve against Ned", "accepted")


@rule("FINE-18")
def test_pair_makes_a_forgings_target_the_forgers_lover_and_the_forging_is_void():
    v = everybody(mayor=None)
    v.orders("mon 10:00", "Eve: FORGE Tom; Tom: VOTE Eve")
    v.do("Max", "PAIR Eve and Tom")
    assert v.told("Eve", "order-void") == ["FORGE"]
    assert v.told("Tom", "vote-void") == ["Eve"]
    assert "FORGE" in v.can("Eve")


@rule("LOVE-2", "FINE-18", "FINE-8")
def test_the_storyteller_pairs_the_asked_executioner_with_whom_he_has_named():
    v = everybody(mayor="")
    v.orders("tue 10:00", "Jan: DOUBLE; Ann: VOTE Bob; Bob: VOTE Cid; Cid: VOTE Ann")
    v.until("execution")
    v.do("Jan", "DECIDE Ann and Cid", "tue 22:05")
    v.admin("PAIR Jan AND Cid", "tue 22:10")
    assert v.told("Jan", "order-void") == ["DECIDE"]
    assert v.order("Jan", "DECIDE Cid", "tue 22:11") == "lover-target"


@rule("NEXT-1")
def test_immunity_on_the_first_evening_and_not_after():
    v = everybody(mayor="Ann", immune=("Tom", "Ned"))
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
