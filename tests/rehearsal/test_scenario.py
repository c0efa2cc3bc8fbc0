"""SCENARIOS.md: what a scenario file may hold, and that nothing else passes."""

from __future__ import annotations

from datetime import timedelta

import pytest

from pbem.rehearsal.moments import Later, Weekly
from pbem.rehearsal.scenario import Stranger, load
from pbem.rehearsal.shapes import ScenarioError

GAME = "  players: {Alice: militia, Bruno: werewolf, Chloé: seer, David: villager}\n"


def _load(tmp_path, steps="  - {expect: {dead: []}}\n", game=GAME, head="name: A case\nrules: [GUARD-2]\n"):
    path = tmp_path / "case.yaml"
    path.write_text(f"{head}game:\n{game}steps:\n{steps}", "utf-8")
    return load(path)


def test_the_head_and_its_defaults(tmp_path):
    setting = _load(tmp_path).setting
    assert [(s.name, s.role, s.gender) for s in setting.seats][2] == ("Chloé", "seer", "m")
    assert setting.start.isoformat() == "2026-12-07T09:00:00"
    assert (str(setting.zone), setting.mayor, setting.composition, setting.registration) == (
        "Europe/Paris", None, "hidden", False,
    )  # fmt: skip


def test_scalars_stay_words(tmp_path):
    game = GAME + "  options: {inactivity: off, sunset: 45m, executions: [mon 21:30]}\n  mayor: ''\n  dice: [7, 100]\n"
    setting = _load(tmp_path, game=game).setting
    assert setting.options == {
        "inactivity": "off", "sunset": timedelta(minutes=45), "executions": (Weekly(0, 21 * 60 + 30),),
    }  # fmt: skip
    assert (setting.mayor, setting.dice) == ("", (7, 100))


def test_a_mail_with_everything(tmp_path):
    step = _load(
        tmp_path,
        "  - at: +45m\n    from: {address: x@y.z, name: X}\n    send: 'SAY'\n    body: \"Bonsoir !\\nÀ demain.\"\n"
        "    html: '<p>x</p>'\n    forged: true\n    cc: [Alice, list]\n    repeat: true\n    unread: true\n    auto: true\n"
        "    expect: {reply: [held, 'refused: too-late'], letters: {storyteller: 0}}\n",
    ).steps[0]
    assert step.at == Later(45, 0)
    assert step.mail is not None
    assert step.mail.sender == Stranger("x@y.z", "X")
    assert step.mail.body == "Bonsoir !\nÀ demain."
    assert (step.mail.forged, step.mail.cc, step.mail.repeat, step.mail.unread, step.mail.auto) == (
        True, ("Alice", "list"), True, True, True,
    )  # fmt: skip
    assert step.expect == {"reply": ("held", "refused: too-late"), "letters": {"storyteller": 0}}


@pytest.mark.parametrize(
    ("steps", "why"),
    [
        ("  - {at: mon 10:00, form: Alice, send: VOTE Bruno}\n", "unknown key: 'form'"),
        ("  - {at: mon 25:00}\n", "a moment such as"),
        ("  - {at: mon 10:00, at: mon 11:00}\n", "given twice"),
        ("  - {at: mon 10:00, from: Zoé, send: VOTE Bruno}\n", "unknown sender: 'Zoé'"),
        ("  - {at: mon 10:00, from: Alice}\n", "wants a sender"),
        ("  - {at: mon 10:00, send: VOTE Bruno}\n", "wants a sender"),
        ("  - {from: Alice, send: VOTE Bruno}\n", "`at`"),
        ("  - {at: mon 10:00, until: murder}\n", "either"),
        ("  - {until: dawn}\n", "a moment such as"),
        ("  - {at: mon 10:00, late_poll: 5m}\n", "belongs to"),
        ("  - {until: murder, late_poll: soon}\n", "a duration"),
        ("  - {at: mon 10:00, forged: true}\n", "without a mail"),
        ("  - {at: mon 10:00, from: Alice, send: VOTE Bruno, forged: yes}\n", "unknown value"),
        ("  - {at: mon 10:00, from: Alice, send: DANCE Bruno}\n", "no such verb"),
        ("  - {at: mon 10:00, from: Alice, send: ADMIN DANCE}\n", "no such verb"),
        ("  - {at: mon 10:00, from: Alice, send: Bonsoir, body: '!dance Bruno'}\n", "no such verb: !dance"),
        ("  - {at: mon 10:00, from: storyteller, send: Bonsoir, body: '!vote Bruno'}\n", "no such verb: !vote"),
        ("  - {at: mon 10:00, from: storyteller, via: tag, send: STATUT}\n", "personal tag"),
        ("  - {at: mon 10:00, from: Alice, raw: none.eml}\n", "no such file"),
        ("  - {at: mon 10:00, from: Alice, reply_to: subject, send: VOTE Bruno}\n", "keeps the letter's subject"),
        ("  - {until: murder, expect: {reply: accepted}}\n", "without a mail"),
        ("  - {until: murder, expect: {killed: [Alice]}}\n", "unknown key: 'killed'"),
        ("  - {until: murder, expect: {dead: Alice}}\n", "a list is wanted"),
        ("  - {until: murder, expect: {role: {Alice: witch}}}\n", "unknown role: 'witch'"),
        ("  - {until: murder, expect: {told: {Alice: [{seen: Bruno}]}}}\n", "unknown key: 'seen'"),
        ("  - {until: murder, expect: {told: {Alice: [{ghost: true, lover: Bruno}]}}}\n", "one kind"),
        ("  - {until: murder, expect: {no_victim: false}}\n", "unknown value"),
        ("  - {at: mon 10:00, from: Alice, send: VOTE Bruno, expect: {reply: 'refused: no-idea'}}\n", "unknown reply"),
        ("  - {until: murder, expect: {can: {Alice: [PROTEGER]}}}\n", "unknown verb"),
        ("  - until murder\n", "a mapping is wanted"),
    ],
)
def test_what_is_no_step_is_an_error_that_names_the_step(tmp_path, steps, why):
    with pytest.raises(ScenarioError) as caught:
        _load(tmp_path, "  - {at: mon 09:30}\n" + steps)
    assert why in str(caught.value)
    assert caught.value.step == (0 if "twice" in why else 2)  # a key given twice is found before steps are counted


@pytest.mark.parametrize(
    ("game", "why"),
    [
        ("  players: {Alice: militia, Bruno: werewolf, Chloé: seer}\n", "4 to 60"),
        ("  players: [Alice, Bruno, Chloé, David]\n", "4 to 60"),
        ("  players: {Alice: witch, Bruno: werewolf, Chloé: seer, David: villager}\n", "unknown role"),
        ("  players: {Alice: seer, Bruno: werewolf, Chloé: seer, Alice: villager}\n", "given twice"),
        (GAME + "  start: monday\n", "a local date-time"),
        (GAME + "  timezone: Europe/Lyon\n", "a time zone"),
        (GAME + "  mayor: Zoé\n", "unknown player"),
        (GAME + "  heir: Alice\n", "an heir without a mayor"),
        (GAME + "  lovers: [Alice]\n", "lovers are two"),
        (GAME + "  lovers: [Alice, Alice]\n", "lovers are two"),
        (GAME + "  dice: [0]\n", "a roll"),
        (GAME + "  options: {inactive: off}\n", "unknown key"),
        (GAME + "  options: {sunset: 30}\n", "a duration"),
        (GAME + "  composition: secret\n", "unknown word"),
        (GAME + "  registration: yes\n", "unknown value"),
        ("  registration: true\n  players: [Alice, Alice]\n", "given twice"),
        ("  registration: true\n  players: [Alice]\n  mayor: Alice\n", "no mayor"),
    ],
)
def test_what_is_no_game_is_an_error(tmp_path, game, why):
    with pytest.raises(ScenarioError, match=why):
        _load(tmp_path, game=game)


@pytest.mark.parametrize(
    "head",
    ["rules: [GUARD-2]\n", "name: X\nrules: [GUARD-9]\n", "name: X\nrules: GUARD-2\n", "name: ''\nrules: []\n",
     "name: X\nrules: []\nmore: x\n", "name: X\nrules: [}\n", "name: X\n---\nrules: []\n", "? [a, b]\n: x\n"],
)  # fmt: skip
def test_what_is_no_scenario_is_an_error(tmp_path, head):
    with pytest.raises(ScenarioError):
        _load(tmp_path, head=head)


def test_a_file_that_cannot_be_read_is_an_error(tmp_path):
    (tmp_path / "latin.yaml").write_bytes(b"name: Chlo\xe9\n")
    for name in ("none.yaml", "latin.yaml", "."):
        with pytest.raises(ScenarioError, match="cannot be read"):
            load(tmp_path / name)
