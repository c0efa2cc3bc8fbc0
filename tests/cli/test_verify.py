"""`pbem verify`: an honest game holds; whatever is changed in it is found."""

from __future__ import annotations

import json

import pytest

from pbem.app.export import export
from pbem.app.verify import NotAnExport, draw, parse, verify
from pbem.engine import dice
from pbem.engine.state import Phase
from pbem.store import Store
from tests.cli.playing import Play


def _export(play):
    with play.store.read() as tx:
        return export(tx, play.game_id)


@pytest.fixture(scope="module")
def finished():
    """A finished game's export, with an UNDO on the first evening."""
    store = Store.in_memory()
    play = Play(store)
    play.start()
    with store.read() as tx:
        version = tx.load(play.game_id)[1]
    play.resolve_next()
    play.undo(version)
    play.to_the_end()
    value = _export(play)
    store.close()
    return value


def _report(value):
    return verify(parse(json.dumps(value)))


def _fails(value):
    report = _report(value)
    assert not report.holds
    return {check.name for check in report.checks if not check.holds}


def _copy(value):
    return json.loads(json.dumps(value))


def _find(value, kind):
    return next(row["event"] for row in value["events"] if row["event"]["type"] == kind)


def test_an_honest_game_holds(finished):
    report = _report(finished)
    assert [(check.name, check.faults) for check in report.checks] == [
        ("log", []),
        ("rules", []),
        ("dice", []),
        ("chance", []),
        ("seal", []),
    ]
    assert report.holds
    assert report.over
    assert report.winner
    assert report.commitment == dice.commitment("5e" * 32)
    assert all(check.looked_at for check in report.checks)
    assert report.as_json()["holds"] is True


def test_the_export_holds_no_address_and_no_tag(finished):
    text = json.dumps(finished)
    assert "example.org" not in text
    assert "PL1tag" not in text


def test_a_game_that_goes_on_is_no_finished_one():
    store = Store.in_memory()
    play = Play(store)
    play.start()
    report = _report(_export(play))
    assert all(check.holds for check in report.checks)
    assert not report.over
    assert not report.holds
    assert play.game.phase is Phase.DAY
    store.close()


@pytest.mark.parametrize(
    ("kind", "arranged", "told"),
    [
        ("OpenGame", {"dice": [3, 4]}, "rolls were given in advance"),
        ("Deal", {"roles": ["villager"] * 8}, "the roles were dealt by hand"),
        ("Start", {"mayor": 3}, "mayor, heir or lovers were set"),
        ("Start", {"heir": 3}, "mayor, heir or lovers were set"),
        ("Start", {"lovers": [1, 2]}, "mayor, heir or lovers were set"),
    ],
)
def test_what_was_arranged_by_hand_is_found(finished, kind, arranged, told):
    """A game that a rehearsal could play follows from its commands, yet nobody should believe in it."""
    value = _copy(finished)
    row = next(row for row in value["commands"] if row["command"]["type"] in (kind, "Start"))
    if row["command"]["type"] == kind:
        row["command"] |= arranged
    else:
        row["command"] = {"type": kind, "at": row["command"]["at"]} | arranged
    (chance,) = [check for check in _report(value).checks if check.name == "chance"]
    assert told in chance.faults[0]


def test_a_roll_given_in_advance_is_found(finished):
    value = _copy(finished)
    _find(value, "DiceRolled")["given"] = True
    assert "chance" in _fails(value)


def test_another_roll_is_found(finished):
    value = _copy(finished)
    roll = _find(value, "DiceRolled")
    roll["value"] = roll["value"] % roll["sides"] + 1
    assert {"rules", "dice"} <= _fails(value)


def test_other_roles_are_found(finished):
    value = _copy(finished)
    roles = _find(value, "RolesDealt")["roles"]
    roles[0], roles[2] = roles[2], roles[0]
    assert "rules" in _fails(value)


def test_another_vote_is_found(finished):
    value = _copy(finished)
    _find(value, "VotesPublished")["record"][0][1] = 0
    assert "rules" in _fails(value)


def test_another_seed_at_the_end_is_found(finished):
    value = _copy(finished)
    _find(value, "GameWon")["seed"] = "ab" * 32
    assert {"seal", "rules"} <= _fails(value)


def test_another_seed_from_the_beginning_is_found_by_its_commitment(finished):
    """A host who picks the seed after the fact has to change the commitment that everybody has in his letters."""
    value = _copy(finished)
    for row in value["events"] + value["commands"]:
        body = row.get("event") or row["command"]
        if body.get("seed"):
            body["seed"] = "ab" * 32
    assert {"seal", "dice", "rules"} <= _fails(value)
    assert _report(value).commitment != _report(finished).commitment


def test_an_event_of_no_command_is_found(finished):
    value = _copy(finished)
    value["events"].append(
        {"n": len(value["events"]) + 1, "at": value["created"], "event": {"type": "Announced", "text": "x"}}
    )
    assert _fails(value) == {"log"}


def test_an_event_left_out_is_found(finished):
    value = _copy(finished)
    value["events"].pop()
    assert "log" in _fails(value)


def test_a_command_left_out_is_found(finished):
    value = _copy(finished)
    value["commands"] = [row for row in value["commands"] if row["command"]["type"] != "Start"]
    assert "log" in _fails(value)


def test_an_order_changed_is_found(finished):
    value = _copy(finished)
    order = next(row["command"] for row in value["commands"] if row["command"].get("verb") == "KILL")
    order["seat"] = order["seat"] % 8 + 1
    assert "rules" in _fails(value)


def test_an_undo_in_disguise_is_found(finished):
    """UNDO may not bring in a death of its own."""
    value = _copy(finished)
    undone = next(i for i, row in enumerate(value["events"]) if row["event"]["type"] == "Undone")
    value["events"][undone]["event"] = {"type": "Died", "seat": 1, "cause": "executed", "role": "seer", "turn": 1}
    assert "log" in _fails(value)


@pytest.mark.parametrize(
    "text", ["", "[]", "{}", '{"format":"pbem-game"}', '{"format":"pbem-game","version":99}',
             '{"format":"pbem-game","version":1,"codec":1,"commands":[],"events":[{"n":1,"event":{"type":"Nonsense"}}]}',
             '{"format":"pbem-game","version":1,"codec":1,"commands":[],"events":[{"n":2,"event":{"type":"RegistrationOpened"}}]}',
             '{"format":"pbem-game","version":1,"codec":1,"commands":7,"events":[]}'],
)  # fmt: skip
def test_what_is_no_export_is_named_as_such(text):
    with pytest.raises(NotAnExport):
        parse(text)


@pytest.mark.parametrize("events", [
    [{"type": "Died", "seat": 9, "cause": "executed", "role": "seer", "turn": 1}],
    [{"type": "Undone", "version": 40, "at": "2026-12-07T08:00:00+00:00"}],
    [{"type": "DiceRolled", "purpose": "x", "counter": 0, "sides": 0, "value": 1, "given": False}],
])  # fmt: skip
def test_a_log_that_makes_no_game_does_not_hold_and_does_not_raise(events):
    rows = [{"n": n, "at": "", "event": event} for n, event in enumerate(events, 1)]
    value = {"format": "pbem-game", "version": 1, "codec": 1, "code": "PL1", "commands": [], "events": rows}
    assert _fails(value)


def test_the_formula_is_the_engines():
    for epoch in (0, 1, 2):
        for sides in (2, 5, 100):
            assert draw("5e" * 32, "deal", 3, sides, epoch) == dice.value("5e" * 32, "deal", 3, sides, epoch)
