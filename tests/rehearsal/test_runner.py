"""SCENARIOS.md: `pbem rehearse` plays a file, says precisely what did not hold, and never passes what it did not check."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest

from pbem.rehearsal import main, rehearse

SCENARIOS = sorted((Path(__file__).parent.parent / "scenarios").glob("*.yaml"))
HEAD = """name: A case
rules: [MAIL-5]
game:
  players: {Alice: villager, Bruno: werewolf, Chloé: seer, David: villager, Émile: militia}
  mayor: ''
steps:
"""


@pytest.mark.parametrize("path", SCENARIOS, ids=lambda path: path.stem)
def test_the_projects_own_scenarios_hold(path):
    result = rehearse(path)
    assert result.lines() == []
    assert result.code == 0


def _file(tmp_path, steps, head=HEAD):
    path = tmp_path / "case.yaml"
    path.write_text(head + steps, "utf-8")
    return path


def _run(*paths, **options):
    out = io.StringIO()
    code = main(list(paths), out=out, **options)
    return code, out.getvalue()


def test_what_did_not_hold_is_told_by_file_step_expected_and_found(tmp_path):
    path = _file(tmp_path, "  - {at: mon 10:00, from: Alice, send: VOTE Bruno, expect: {reply: held, phase: vision}}\n")
    code, out = _run(path)
    assert code == 1
    assert f"{path}: step 1: reply: expected [held], found [accepted]" in out
    assert f"{path}: step 1: phase: expected vision, found day" in out


@pytest.mark.parametrize(
    ("wrong", "found"),
    [
        ("dead: [Bruno]", "dead: expected [Bruno], found []"),
        ("votes: {Alice: David}", "votes: expected {Alice: David}, found {Alice: blank, Bruno: blank"),
        ("forged: true", "forged: expected true, found false"),
        ("mayor: Alice", "mayor: expected Alice, found ''"),
        ("role: {Alice: seer}", "found {Alice: villager}"),
        ("revealed: {Alice: villager}", "found {Alice: ''}"),
        ("told: {Alice: [{ghost: true}]}", "found {Alice: [{vote-missed: blank}]}"),
        ("not_told: {Alice: [vote-missed]}", "found {Alice: [told: vote-missed]}"),
        ("public_has: [brioche]", "found [missing: brioche]"),
        ("public_lacks: [Bruno]", "found [present: Bruno]"),
        ("letters: {Alice: 0}", "found {Alice: 1}"),
        ("can: {Émile: [SEE]}", "found {Émile: [GUARD]}"),
        ("can: {Émile: []}", "found {Émile: [GUARD]}"),
        ("winner: wolves", "winner: expected wolves, found ''"),
        ("ineligible: [Alice]", "ineligible: expected [Alice], found []"),
        ("no_victim: true", "no_victim: expected true, found false"),
        ("asked: Alice", "asked: expected Alice, found ''"),
        ("election: {Alice: Bruno}", "election: expected {Alice: Bruno}, found {}"),
        ("winners: [Alice]", "winners: expected [Alice], found []"),
        ("cause: {Alice: executed}", "cause: expected {Alice: executed}, found {Alice: ''}"),
        ("died: [Alice, Bruno]", "died: expected [Alice, Bruno], found []"),
        ("heir: Alice", "heir: expected Alice, found ''"),
    ],
)
def test_every_key_can_fail(tmp_path, wrong, found):
    code, out = _run(_file(tmp_path, f"  - {{at: tue 20:00}}\n  - {{until: execution, expect: {{{wrong}}}}}\n"))
    assert code == 1
    assert "step 2" in out
    assert found in out


def test_an_event_that_cannot_come_any_more_fails(tmp_path):
    steps = (
        "  - {at: mon 10:00, from: storyteller, send: ADMIN ABORT}\n"
        "  - {at: mon 10:05, from: storyteller, answers: confirm, expect: {phase: over, winner: nobody}}\n"
    )
    for event in ("murder", "over", "election"):
        code, out = _run(_file(tmp_path, f"{steps}  - {{until: {event}}}\n"))
        assert code == 1
        assert "step 3: until" in out


def test_an_event_that_never_comes_fails_too(tmp_path):
    code, out = _run(_file(tmp_path, "  - {until: tie-break}\n", HEAD.replace("mayor: ''", "mayor: Alice")))
    assert (code, "did not come within" in out) == (1, True)


def test_a_letter_that_never_came_cannot_be_answered(tmp_path):
    code, out = _run(_file(tmp_path, "  - {at: mon 10:00, from: Alice, answers: confirm}\n"))
    assert (code, "no letter asks for a confirmation" in out) == (1, True)


def test_a_file_that_is_no_scenario_is_exit_2_and_names_the_step(tmp_path):
    path = _file(tmp_path, "  - {at: mon 10:00}\n  - {at: 2026-12-06T10:00}\n")
    code, out = _run(path)
    assert code == 2
    assert f"{path}: step 2: no scenario: bad time" in out
    good = tmp_path / "good.yaml"
    good.write_text(HEAD + "  - {at: mon 10:00}\n", "utf-8")
    assert _run(good, path)[0] == 2
    assert _run(good)[0] == 0
    assert _run()[0] == 2


def test_stops_right_after_the_event(tmp_path):
    steps = (
        "  - {at: tue 22:00, expect: {phase: day}}\n"  # received at ten still counts
        "  - {until: execution, expect: {phase: sunset}}\n"
        "  - {until: vision, expect: {phase: vision, no_victim: true}}\n"
    )
    code, out = _run(_file(tmp_path, steps))
    assert (code, "step 3: no_victim: expected true, found false" in out) == (1, True)  # the murder has not come yet


def test_json_is_one_object_a_file(tmp_path):
    path = _file(tmp_path, "  - {at: mon 10:00, from: Alice, send: VOTE Bruno, expect: {reply: none}}\n")
    bad = tmp_path / "bad.yaml"
    bad.write_text("name: X\n", "utf-8")
    code, out = _run(path, bad, as_json=True)
    one, other = map(json.loads, out.splitlines())
    assert code == 2
    assert (one["file"], one["result"]) == (str(path), "failed")
    assert one["failures"] == [{"step": 1, "what": "reply", "expected": "[none]", "found": "[accepted]"}]
    assert (other["result"], other["step"]) == ("malformed", 0)


def test_the_transcript_holds_every_mail_in_and_out(tmp_path):
    path = _file(tmp_path, "  - {at: mon 10:00, from: Alice, send: SAY, body: 'Il fera nuit.'}\n")
    _, out = _run(path, transcript=True)
    assert "<<< mon 2026-12-07 10:00" in out
    assert "From: Alice <alice@example.org>" in out
    assert out.count("Il fera nuit.") >= 2  # as she wrote it, and as the list got it
    assert ">>> mon 2026-12-07 10:00 (ack)" in out


def test_many_files_are_played_in_their_order(tmp_path):
    paths = []
    for number in range(40):
        path = tmp_path / f"{number:02}.yaml"
        path.write_text(HEAD.replace("A case", f"Case {number}") + "  - {expect: {phase: day}}\n", "utf-8")
        paths.append(path)
    code, out = _run(*paths, as_json=True)
    assert code == 0
    assert [json.loads(line)["name"] for line in out.splitlines()] == [f"Case {n}" for n in range(40)]
