"""What `pbem init` writes into: the annotated file keeps every comment, and reads back as it was meant."""

from __future__ import annotations

import stat
import tomllib

import pytest

from pbem.app import setup
from pbem.settings import ConfigError, default_path, load
from tests.conftest import EMBEDDED


def test_filling_in_nothing_changes_nothing():
    text = default_path().read_text("utf-8")
    assert setup.fill(text, {}) == text


def test_every_setting_of_the_annotated_file_can_be_filled_in_and_keeps_its_comment():
    text = default_path().read_text("utf-8")
    section = ""
    for number, line in enumerate(text.splitlines()):
        if line.startswith("["):
            section = line.partition("]")[0][1:]
        key = line.removeprefix("# ").partition(" = ")[0]
        if not section or " = " not in line or not key.replace("_", "").isalpha():
            continue
        changed = setup.fill(text, {section: {key: "x # y"}}).splitlines()
        assert changed[number].startswith(f'{key} = "x # y"')
        assert changed[number].count("#") == 1 + bool(line.removeprefix("# ").count(" # "))
        assert [line for n, line in enumerate(changed) if n != number] == [
            line for n, line in enumerate(text.splitlines()) if n != number
        ]


@pytest.mark.parametrize(
    "value",
    [
        "",
        "plain",
        'say "moon" \\ é\n\x07\x7f',
        True,
        False,
        0,
        993,
        1.5,
        [],
        ["a", "b"],
        {"env": "X"},
        {"*": 5, "a.b": 1},
        {},
    ],
)
def test_values_read_back_as_they_were(value):
    assert tomllib.loads(f"x = {setup.toml(value)}")["x"] == value
    assert "\n" not in setup.toml(value)


def test_a_setting_without_a_place_is_a_fault_of_ours():
    with pytest.raises(KeyError, match="game.moon"):
        setup.fill(default_path().read_text("utf-8"), {"game": {"moon": 1}})


def test_changing_one_setting_keeps_a_file_that_somebody_wrote_by_hand(tmp_path):
    file = tmp_path / "pbem.toml"
    file.write_text(EMBEDDED + '\n# mine\n[auth]  # who\nmode = "results"\n')
    file.chmod(0o600)
    setup.change(file, "auth", "authserv_id", "mx.example.org")
    setup.change(file, "archive", "noindex", value=True)
    assert load(file, {}).authserv_id == "mx.example.org"
    assert load(file, {}).archive.noindex
    assert "# mine\n[auth]  # who\n" in file.read_text()
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    before = file.read_text()
    with pytest.raises(ConfigError):
        setup.change(file, "auth", "mode", "moonlight")
    assert file.read_text() == before
