"""Every labelled mail is read as its label says (MAIL.md § 7): our own in `tests/mails`, and larger sets where present."""

from __future__ import annotations

import importlib.util
import json
import sys
import time
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from pbem.app import explain as explain_module
from pbem.app.explain import FAILED, explain, explain_files, main
from pbem.app.timebound import TooSlow, at_most
from pbem.mail.bounces import diagnose
from pbem.mail.mime import open_mail
from pbem.orders.reading import House

if TYPE_CHECKING:
    from types import ModuleType

ROOT = Path(__file__).resolve().parents[2]
MAILS = ROOT / "tests" / "mails"
SHARED = ROOT.parent / "shared"
HOUSE = House("lune@jeu.example", "mx.jeu.example")


def labels(folder: Path) -> list[dict[str, Any]]:
    lines = (folder / "labels.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines if line.strip()]


OWN = labels(MAILS)


def told(label: dict[str, Any]) -> dict[str, Any]:
    found = explain((MAILS / label["file"]).read_bytes(), label["file"], HOUSE)
    return found | {"commands": [[one["verb"], one["args"], one["where"]] for one in found["commands"]]}


def test_every_mail_has_a_label_and_every_label_a_mail() -> None:
    assert sorted(label["file"] for label in OWN) == sorted(path.name for path in MAILS.glob("*.eml"))


def test_mails_keep_their_bytes() -> None:
    for path in MAILS.glob("*.eml"):
        raw = path.read_bytes()
        assert raw.count(b"\n") == raw.count(b"\r\n"), f"{path.name} lost its CRLF line ends"


@pytest.mark.parametrize("label", OWN, ids=lambda label: label["file"].removesuffix(".eml"))
def test_own_mails(label: dict[str, Any]) -> None:
    found = told(label)
    fields = ("kind", "from", "tag", "code", "commands", "text", "authentic")
    assert {key: found[key] for key in fields} == {key: label[key] for key in fields}, label["note"]


@pytest.mark.parametrize("label", [one for one in OWN if "bounce" in one], ids=lambda label: label["file"])
def test_own_bounces(label: dict[str, Any]) -> None:
    raw = (MAILS / label["file"]).read_bytes()
    found = diagnose(open_mail(raw, datetime.now(UTC)), raw)
    assert found is not None
    for key, expected in label["bounce"].items():
        value = getattr(found, key)
        assert (list(value) if isinstance(value, tuple) else value) == expected, key


def test_one_object_a_line_with_every_key_of_the_manual(capsys: pytest.CaptureFixture[str]) -> None:
    files = [str(MAILS / label["file"]) for label in OWN[:3]]
    assert main(["--address", HOUSE.address, "--authserv-id", "mx.jeu.example", *files]) == 0
    objects = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [one["file"] for one in objects] == files
    keys = {"file", "kind", "from", "tag", "code", "commands", "text", "authentic", "why"}
    assert all(set(one) == keys for one in objects)


def test_a_missing_file_is_told_not_raised(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    missed: list[str] = []
    assert list(explain_files([tmp_path / "none.eml", "\0"], HOUSE, missed=missed.append)) == []
    assert [line.split(": ")[1][:14] for line in missed] == ["cannot be read"] * 2
    assert main(["--address", HOUSE.address, str(tmp_path / "none.eml"), str(MAILS / OWN[0]["file"])]) == 2
    told = capsys.readouterr()
    assert [json.loads(line)["file"] for line in told.out.splitlines()] == [str(MAILS / OWN[0]["file"])]
    assert told.err == f"{tmp_path}/none.eml: cannot be read (No such file or directory)\n"


def work(seconds: float) -> None:
    """Keep the processor busy for so long."""
    until = time.process_time() + seconds
    while time.process_time() < until:
        pass


def test_a_mail_that_takes_too_long_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(explain_module, "TIME_LIMIT", 0.05)
    monkeypatch.setattr(explain_module, "open_mail", lambda _raw, _now: work(5))
    began = time.monotonic()
    found = explain(b"From: a@b.example\n\nx", "x", HOUSE)
    assert time.monotonic() - began < 2
    assert (found["kind"], "longer than" in found["why"]) == ("unreadable", True)


def test_the_time_limit_ends_with_its_block() -> None:
    with at_most(0.05):
        pass
    work(0.1)
    with pytest.raises(TooSlow), at_most(0.05):
        work(2)


def test_a_fault_of_ours_is_told_for_that_mail_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(_raw: bytes, _now: datetime) -> None:
        raise KeyError("x")

    monkeypatch.setattr(explain_module, "open_mail", broken)
    assert explain(b"", "x", HOUSE)["why"].startswith(FAILED)


def test_a_storyteller_of_the_house_is_read_by_his_table() -> None:
    raw = b"From: c@minuit.example\nTo: lune@jeu.example\nSubject: VOTER Noe\n\n!extend 24h\n"
    known = House(HOUSE.address, HOUSE.authserv_id, storyteller=("C@minuit.example",))
    assert [one["verb"] for one in explain(raw, "x", HOUSE)["commands"]] == ["VOTE", "EXTEND"]
    assert [one["verb"] for one in explain(raw, "x", known)["commands"]] == ["EXTEND"]


# -- The larger labelled sets, which are no part of this repository ----------------------------------------------------


def comparer() -> ModuleType:
    spec = importlib.util.spec_from_file_location("mail_comparer", SHARED / "mailcorpus" / "compare.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    before, sys.dont_write_bytecode = sys.dont_write_bytecode, True
    try:
        spec.loader.exec_module(module)
    finally:
        sys.dont_write_bytecode = before
    return module


def rates(folder: Path) -> dict[str, float]:
    """Per cent right of each labelled field; no mail may be read with an exception."""
    compare = comparer()
    tally: dict[str, list[bool]] = {}
    for label in labels(folder):
        raw = (folder / label["file"]).read_bytes()
        raw = compare.wrapped(raw, label["wrap"]) if "wrap" in label else raw
        found = explain(raw, label["file"], HOUSE)
        assert not found["why"].startswith(FAILED), f"{label['file']}: {found['why']}"
        for key, right, _, _ in compare.check(label, found):
            tally.setdefault(key, []).append(right)
    return {key: 100 * sum(rights) / len(rights) for key, rights in tally.items()}


needs_shared = pytest.mark.skipif(
    not (SHARED / "mailcorpus" / "compare.py").is_file(), reason="left out: no labelled mails beside the repository"
)


@needs_shared
def test_shared_game_mails_are_right_in_every_field() -> None:
    assert {key: rate for key, rate in rates(SHARED / "mails").items() if rate < 100} == {}


@needs_shared
def test_shared_corpus_meets_its_thresholds() -> None:
    found = rates(SHARED / "mailcorpus")
    assert found["kind"] >= 98
    assert min(found["text_starts"], found["text_ends"], found["text_lacks"]) >= 92


@needs_shared
def test_no_shared_file_at_all_fails() -> None:
    for path in sorted((SHARED / "mailcorpus").rglob("*")):
        if path.is_file():
            found = explain(path.read_bytes(), path.name, HOUSE)
            assert not found["why"].startswith(FAILED), f"{path}: {found['why']}"
