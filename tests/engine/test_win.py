"""WIN-1 to WIN-10, LOVE-1 to LOVE-4, FINE-14, ORG-4: how a game ends, and who has won."""

from __future__ import annotations

import pytest

from pbem.engine import events as e
from pbem.engine.evolve import evolve
from pbem.engine.victory import Victory, after_deaths, at_count
from tests.kit.village import Village

rule = pytest.mark.rule


def scene(text, *, dead=(), lovers=(), mayor="", spent=()):
    """A village in which some have died already, without anything following from it, at a count."""
    v = Village(text, lovers=lovers, mayor=mayor)
    for name in dead:
        v.game = evolve(v.game, e.Died(v.seat(name), "heart-attack", v.player(name).role, 1))
    for name, verb in spent:
        v.game = evolve(v.game, e.PowerSpent(v.seat(name), verb))
    return v


def names(v, won):
    return won and Victory(won.winner, {v.name(s) for s in won.seats})


# ---- after a batch of deaths


@rule("WIN-1")
@pytest.mark.parametrize(
    ("roles", "winner"),
    [
        ("villager villager werewolf", None),
        ("villager villager beast", None),
        ("villager villager villager", "village"),
        ("villager traitor", "village"),
        ("traitor traitor", "nobody"),
        ("traitor", "nobody"),
        ("beast", "beast"),
        ("beast traitor", None),
        ("beast beast", None),
        ("werewolf", None),  # WIN-2 is for a count
        ("werewolf villager", None),
        ("ghost", "village"),
    ],
)
def test_who_has_won_after_deaths(roles, winner):
    """WIN-7, WIN-5, WIN-6, WIN-1, by who lives."""
    living = [f"L{n}: {role}" for n, role in enumerate(roles.split())]
    v = scene(", ".join([*living, "D1: villager, D2: werewolf, D3: seer"]), dead=("D1", "D2", "D3"))
    won = after_deaths(v.game)
    assert (won.winner if won else None) == winner


@rule("WIN-7")
def test_nobody_lives_and_nobody_wins():
    v = scene("A: villager, B: werewolf, C: villager, D: villager", dead=("A", "B", "C", "D"))
    assert after_deaths(v.game) == Victory("nobody", ())


@rule("WIN-5", "LOVE-4")
@pytest.mark.parametrize(
    ("one", "other", "winner"),
    [
        ("villager", "werewolf", "lovers"),
        ("villager", "beast", "lovers"),
        ("werewolf", "beast", "lovers"),
        ("villager", "traitor", "lovers"),
        ("traitor", "beast", "lovers"),
        ("werewolf", "traitor", None),
        ("villager", "seer", "village"),
        ("werewolf", "shaman", None),
        ("traitor", "traitor", "nobody"),
    ],
)
def test_the_last_two_are_lovers(one, other, winner):
    v = scene(f"A: {one}, B: {other}, C: villager, D: werewolf", dead=("C", "D"), lovers=("A", "B"))
    won = after_deaths(v.game)
    assert (won.winner if won else None) == winner
    if winner == "lovers":
        assert won.seats == (1, 2)


@rule("WIN-5")
def test_lovers_of_two_sides_with_a_third_alive_do_not_win_yet():
    v = scene("A: villager, B: werewolf, C: traitor, D: werewolf", dead=("D",), lovers=("A", "B"))
    assert after_deaths(v.game) is None
    assert names(v, at_count(v.game)) == ("wolves", {"D", "C"})


@rule("WIN-1", "WIN-9", "WIN-5")
def test_the_village_wins_dead_or_alive_but_lovers_must_live_and_be_of_one_side():
    v = scene(
        "A: villager, B: seer, C: villager, D: werewolf, E: traitor, F: villager, G: villager",
        dead=("C", "D"),
        lovers=("A", "B"),
    )
    assert names(v, after_deaths(v.game)) == ("village", {"A", "B", "C", "F", "G"})
    v = scene("A: villager, B: seer, C: villager, D: werewolf, E: villager", dead=("A", "B", "D"), lovers=("A", "B"))
    assert names(v, after_deaths(v.game)) == ("village", {"C", "E"})
    v = scene("A: villager, B: traitor, C: villager, D: werewolf, E: villager", dead=("D",), lovers=("A", "B"))
    assert names(v, after_deaths(v.game)) == ("village", {"C", "E"})


# ---- at a count


@rule("WIN-2", "WIN-3", "WIN-4", "BEAST-5")
@pytest.mark.parametrize(
    ("roles", "winner"),
    [
        ("werewolf villager", "wolves"),
        ("werewolf villager villager", None),
        ("werewolf werewolf villager villager", "wolves"),
        ("werewolf traitor villager", "wolves"),  # the traitor is no villager in the count
        ("werewolf traitor villager villager", None),  # nor a wolf
        ("werewolf beast villager", None),
        ("werewolf werewolf beast villager", None),
        ("werewolf", "wolves"),
        ("werewolf traitor", "wolves"),
        ("corrupter shaman pack-leader seer militia ghost", "wolves"),
        ("beast villager", None),
        ("traitor villager", None),
        ("werewolf forger", None),
        ("werewolf werewolf werewolf telepath", None),
        ("werewolf werewolf executioner", None),
        ("werewolf seer", "wolves"),
        ("werewolf sandman", "wolves"),  # sways no votes
        ("werewolf militia", "wolves"),
    ],
)
def test_the_count(roles, winner):
    living = [f"L{n}: {role}" for n, role in enumerate(roles.split())]
    v = scene(", ".join([*living, "D1: villager, D2: villager, D3: werewolf"]), dead=("D1", "D2", "D3"))
    won = at_count(v.game)
    assert (won.winner if won else None) == winner


@rule("WIN-3")
@pytest.mark.parametrize(("role", "verb"), [("forger", "FORGE"), ("telepath", "FORCE"), ("executioner", "DOUBLE")])
def test_a_spent_power_sways_nobody_and_a_dead_owners_neither(role, verb):
    text = f"A: werewolf, B: {role}, C: villager, D: {role}"
    spent = scene(text, dead=("C", "D"), spent=(("B", verb),))
    assert at_count(spent.game).winner == "wolves"
    assert at_count(scene(text, dead=("C", "B")).game) is None
    assert at_count(scene(text, dead=("B", "D")).game).winner == "wolves"


@rule("WIN-3", "CORR-1")
def test_a_converted_forger_sways_nobody():
    v = Village("A: corrupter, B: forger, C: villager, D: villager, E: villager")
    v.orders("tue 10:00", "A: INFECT B; C: VOTE D")
    v.until("murder")
    assert v.winner == "wolves"


@rule("WIN-3")
@pytest.mark.parametrize(
    ("roles", "mayor", "winner"),
    [
        ("werewolf villager", "L1", None),
        ("werewolf villager", "L0", "wolves"),  # the mayor is a wolf
        ("werewolf werewolf villager", "L2", "wolves"),  # not at equal numbers
        ("werewolf traitor villager", "L1", "wolves"),  # the mayor is a traitor
        ("werewolf traitor villager", "L2", None),
        ("werewolf traitor", "L1", "wolves"),
    ],
)
def test_a_villagers_mayor_at_exactly_equal_numbers(roles, mayor, winner):
    living = [f"L{n}: {role}" for n, role in enumerate(roles.split())]
    v = scene(", ".join([*living, "D1: villager, D2: villager, D3: werewolf"]), dead=("D1", "D2", "D3"), mayor=mayor)
    won = at_count(v.game)
    assert (won.winner if won else None) == winner


@rule("WIN-4", "WIN-9", "WIN-5")
def test_wolves_win_dead_or_alive_with_the_living_traitors_and_without_unlucky_lovers():
    v = scene(
        "A: werewolf, B: werewolf, C: traitor, D: traitor, E: villager, F: villager",
        dead=("B", "D", "F"),
    )
    assert names(v, at_count(v.game)) == ("wolves", {"A", "B", "C"})
    v = scene("A: werewolf, B: werewolf, C: villager, D: shaman", dead=("B", "A"), lovers=("A", "B"))
    assert names(v, at_count(v.game)) == ("wolves", {"D"})
    v = scene("A: werewolf, B: shaman, C: villager, D: villager", dead=("D",), lovers=("A", "B"))
    assert names(v, at_count(v.game)) == ("wolves", {"A", "B"})
    v = scene("A: werewolf, B: traitor, C: villager, D: villager", dead=("D",), lovers=("A", "B"))
    assert names(v, at_count(v.game)) == ("wolves", {"A", "B"})


@rule("FINE-14")
def test_the_only_living_wolf_loves_a_villager_and_the_dead_wolves_win():
    v = scene(
        "A: werewolf, B: villager, C: villager, D: werewolf, E: traitor, F: traitor",
        dead=("C", "D", "F"),
        lovers=("A", "B"),
    )
    assert names(v, at_count(v.game)) == ("wolves", {"D", "E"})


@rule("WIN-2", "NIGHT-8")
def test_a_heart_attack_in_the_day_waits_for_the_count():
    v = Village("A: werewolf, B: werewolf, C: villager, D: villager, E: villager")
    v.admin("SMITE C", "mon 10:00")
    assert v.winner == ""
    v.until("murder")
    assert (v.winner, v.winners) == ("wolves", {"A", "B"})


@rule("WIN-8")
def test_the_end_publishes_roles_and_seed_and_stops_everything():
    v = Village("A: werewolf, B: traitor, C: villager, D: beast")
    v.orders("mon 10:00", "A: KILL C; C: VOTE A")
    v.admin("ABORT", "mon 11:00")
    end = v.last(e.GameWon)
    assert (end.winner, end.aborted, end.roles) == ("nobody", True, ("werewolf", "traitor", "villager", "beast"))
    assert end.seed == "5eed" * 16
    assert (v.game.orders, v.deadline) == ((), "")
    v.go("2027-01-01T00:00")
    assert v.news == []


@rule("WIN-10")
def test_abort_before_the_start():
    v = Village("A: werewolf, B: traitor, C: villager, D: beast", begin=False)
    v.admin("ABORT")
    assert (v.phase, v.winner) == ("over", "nobody")


@rule("WIN-10")
def test_three_quiet_turns_running_and_then_three_more():
    v = Village("A: werewolf, B: villager, C: villager, D: villager, E: villager, F: villager", mayor="")
    told = []
    for _ in range(7):
        v.until("murder")
        told.append(bool(v.told("storyteller", "stalemate")))
    assert told == [False, False, True, False, False, True, False]


@rule("WIN-10")
def test_any_death_in_a_turn_starts_the_count_of_quiet_turns_anew():
    v = Village("A: werewolf, B: villager, C: villager, D: villager, E: villager, F: villager", mayor="")
    v.until("murder")
    v.until("murder")
    v.admin("SMITE F", "fri 10:00")
    told = []
    for _ in range(4):
        v.until("murder")
        told.append(bool(v.told("storyteller", "stalemate")))
    assert told == [False, False, False, True]


# ---- love


@rule("LOVE-3")
@pytest.mark.parametrize("cause", ["executed", "murdered", "heart-attack", "inactive", "sacrificed"])
def test_from_whatever_cause_the_other_dies_at_once(cause):
    v = Village(
        "A: pack-leader, B: werewolf, C: villager, D: villager, E: villager, F: villager, G: villager, H: villager",
        lovers=("B", "C"),
        inactivity="eliminate",
    )
    match cause:
        case "executed":
            v.votes("tue 10:00", "D B; E B")
            v.until("execution")
        case "murdered":
            v.do("A", "KILL C", "tue 10:00")
            v.until("murder")
        case "heart-attack":
            v.admin("SMITE B", "tue 10:00")
        case "inactive":
            v.until("execution")
            v.orders("wed 10:00", ";".join(f"{x}: SAY Bonjour." for x in "ACDEFGH"))
            v.until("execution")
        case _:
            v.do("A", "SACRIFICE B for H", "tue 10:00")
            v.until("murder")
    first, second = ("C", "B") if cause == "murdered" else ("B", "C")
    assert (v.cause(first), v.cause(second)) == (cause, "love")
    assert {x.role for x in v.happened(e.Died) if x.seat in (2, 3)} == {"werewolf", "villager"}


@rule("LOVE-1")
def test_lovers_learn_who_not_what():
    v = Village("A: werewolf, B: villager, C: villager, D: villager", lovers=("A", "B"))
    assert v.told("A", "lover") == ["B"]
    assert v.told("A", "role-seen") == v.told("B", "role-seen") == []


@rule("ORG-4", "WIN-1")
def test_a_heart_attack_that_ends_the_game_in_a_tie_break_burns_nobody():
    v = Village("A: werewolf, B: villager, C: villager, D: villager", mayor="D")
    v.votes("tue 10:00", "B C; C B")
    v.until("execution")
    v.admin("SMITE A", "tue 22:10")
    assert (v.winner, v.dead, v.asked) == ("village", {"A"}, "")


@rule("ORG-4", "NIGHT-9")
@pytest.mark.parametrize("phase", ["sunset", "vision"])
def test_a_heart_attack_of_the_wolf_voids_his_choice_in_sunset_but_not_in_vision(phase):
    v = Village("A: werewolf, B: villager, C: villager, D: villager, E: werewolf, F: villager, G: villager")
    v.do("A", "KILL B", "tue 10:00")
    v.until("execution" if phase == "sunset" else "sunset")
    v.admin("SMITE A", "+5m")
    v.until("murder")
    assert v.dead == ({"A"} if phase == "sunset" else {"A", "B"})


@rule("ORG-4")
def test_the_reason_is_told_with_the_heart_attack_alone():
    v = Village("A: werewolf, B: villager, C: villager, D: villager, E: villager, F: villager", lovers=("B", "C"))
    v.admin("SMITE B a triché")
    assert [x.reason for x in v.happened(e.Died)] == ["a triché", ""]
