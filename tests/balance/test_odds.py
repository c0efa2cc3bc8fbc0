"""What to expect of a composition: known for the tables' lines, played for others."""

from __future__ import annotations

import json

from pbem.app import tables
from pbem.app.odds import Odds, written
from pbem.balance import odds
from pbem.balance.compositions import in_order, read

OWN = (("werewolf", 2), ("seer", 1), ("villager", 3))


def test_the_odds_of_every_line_of_the_default_table_are_known():
    """So `COMPOSITION auto` is answered at once; whoever changes a line makes them anew."""
    missing = [one.name for one in read("default") if written(in_order(dict(one.counts))) not in odds.precomputed()]
    assert missing == []


def test_what_is_known_is_not_played(monkeypatch):
    monkeypatch.setattr(odds, "_elsewhere", lambda *_: None)
    counts = tables.roles_for(12)
    assert odds.foretell(counts) == odds.precomputed()[written(in_order(dict(counts)))]
    assert odds.foretell(tuple(reversed(counts))) == odds.foretell(counts)
    assert odds.foretell(OWN) is None


def test_anything_else_is_played_in_another_process(monkeypatch):
    monkeypatch.setattr(odds, "precomputed", dict)
    here = odds.played(in_order(dict(OWN)), games=odds.GAMES)
    assert odds.foretell(OWN) == here
    assert here.wolves > 80
    assert here.village + here.wolves <= 101


def test_roles_that_nobody_can_play_have_no_odds(monkeypatch):
    monkeypatch.setattr(odds, "precomputed", dict)
    assert odds.foretell((("villager", 2),)) is None


def test_playing_ends_in_time():
    assert odds.played(in_order(dict(OWN)), seconds=0).games == 20


def test_the_file_of_known_odds_is_read_as_it_is_written(tmp_path, monkeypatch):
    found = {"werewolf=1 seer=1 villager=2": Odds(48, 52, 1000)}
    (tmp_path / "odds.toml").write_text(odds.table(found), "utf-8")
    monkeypatch.setattr(odds.resources, "config_dir", lambda: tmp_path)
    odds.precomputed.cache_clear()
    try:
        assert odds.precomputed() == found
    finally:
        odds.precomputed.cache_clear()


def test_who_may_not_lower_his_priority_plays_all_the_same(monkeypatch, capsys):
    def refuse(_by):
        raise PermissionError(1, "Operation not permitted")

    monkeypatch.setattr(odds.os, "nice", refuse)
    monkeypatch.setattr(odds, "played", lambda _counts: Odds(40, 60, 7))
    odds.main(written(in_order(dict(OWN))))
    assert json.loads(capsys.readouterr().out) == {"village": 40, "wolves": 60, "games": 7}
