"""`pbem balance` at the terminal, and its picture."""

from __future__ import annotations

import json
import tomllib
from xml.etree import ElementTree as ET

import pytest

from pbem.balance.chart import draw
from pbem.balance.compositions import read
from pbem.balance.figures import SIDES
from pbem.balance.table import Bots
from pbem.balance.trial import report, workers
from pbem.cli import main

SVG = "{http://www.w3.org/2000/svg}"


def run(capsys, *arguments):
    with pytest.raises(SystemExit) as ended:
        main(["balance", *arguments])
    return ended.value.code, *capsys.readouterr()


def test_figures_for_machines(capsys):
    code, out, _ = run(capsys, "6", "werewolf=1 seer=1 villager=4", "--games", "20", "--jobs", "1", "--json")
    found = json.loads(out)
    assert code == 0
    assert [one["players"] for one in found] == [6, 6]
    for one in found:
        assert sum(side["share"] for side in one["sides"].values()) == pytest.approx(1.0, abs=1e-3)
        assert one["games"] == 20
        assert set(one["effects"]) == set(one["roles"]) - {"villager", "werewolf"}


def test_the_same_seed_prints_the_same(capsys):
    first = run(capsys, "5", "--games", "15", "--jobs", "1", "--effects", "0")
    assert first == run(capsys, "5", "--games", "15", "--jobs", "1", "--effects", "0")
    other = run(capsys, "5", "--games", "15", "--jobs", "1", "--effects", "0", "--seed", "2")
    assert first[1] != other[1]


def test_figures_for_people(capsys):
    code, out, _ = run(capsys, "4", "--games", "10", "--jobs", "1")
    assert code == 0
    for word in ("default:4", "Village", "Wolves", "seer", "Adds to village", "10 games"):
        assert word in out


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("99",), "tables go from 4 to 60"),
        (("unicorn=3",), "unicorn"),
        (("4", "--village", "clever"), "bots are random, plain, sensible"),
        (("4", "--games", "1", "--effects", "0", "--jobs", "1", "--plot", "/nowhere/x.svg"), "cannot be written"),
    ],
)
def test_what_cannot_be_done_is_one_line(capsys, arguments, told):
    code, out, err = run(capsys, *arguments)
    assert (code, out) == (2, "")
    assert told in " ".join(err.split())


def test_the_picture_shows_every_composition(tmp_path, capsys):
    picture = tmp_path / "who-wins.svg"
    run(capsys, "4-6", "--games", "10", "--effects", "0", "--jobs", "1", "--plot", str(picture))
    svg = ET.parse(picture).getroot()
    words = [element.text for element in svg.iter(f"{SVG}text")]
    assert {"default:4", "default:5", "default:6", *SIDES} <= set(words)


def test_bars_fill_their_row():
    with workers(1) as crew:
        found = report(read("5")[0], 10, 0, Bots(), "1", crew, lambda _: None)
    svg = ET.fromstring(draw([found], "who wins"))
    bars = [bar for bar in svg.iter(f"{SVG}rect") if bar.find(f"{SVG}title") is not None]
    assert len(bars) == len(SIDES)
    assert sum(float(bar.get("width")) for bar in bars) == pytest.approx(520, abs=0.5)


def test_what_to_expect_goes_into_a_file(capsys, tmp_path):
    file = tmp_path / "odds.toml"
    code, _, _ = run(capsys, "4-5", "--games", "20", "--jobs", "1", "--effects", "0", "--odds", str(file))
    assert code == 0
    found = tomllib.loads(file.read_text("utf-8"))
    assert len(found) == 2
    assert all(village + wolves in (99, 100, 101) and games == 20 for village, wolves, games in found.values())


@pytest.mark.parametrize("option", ["--plot", "--odds"])
@pytest.mark.parametrize("place", ["nowhere/x", "file/x"])
def test_what_cannot_be_written_is_told_before_anything_is_played(capsys, monkeypatch, tmp_path, option, place):
    def never(*_):
        raise AssertionError("it plays")

    monkeypatch.setattr("pbem.cli.balance._play", never)
    (tmp_path / "file").write_text("")
    code, out, err = run(capsys, "6", option, str(tmp_path / place))
    assert (code, out) == (2, "")
    assert "cannot be written" in err
    assert len(err.splitlines()) == 1


def test_looking_whether_it_can_be_written_leaves_nothing(capsys, monkeypatch, tmp_path):
    def stop(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr("pbem.cli.balance._play", stop)
    run(capsys, "6", "--plot", str(tmp_path / "x.svg"))
    assert list(tmp_path.iterdir()) == []
