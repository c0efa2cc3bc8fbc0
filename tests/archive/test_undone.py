"""What the storyteller took back (UNDO) is marked as such in pages, feeds, calendars and data, and is no part of the
truth.
"""

from __future__ import annotations

import json
from datetime import timedelta
from xml.etree import ElementTree as ET

import pytest
from icalendar import Calendar

from pbem.app import undo
from pbem.app.desk import Desk
from pbem.app.verify import parse, verify
from pbem.engine import commands as c
from tests.archive.troupe import Stage
from tests.kit.village import PEEK

ATOM = "{http://www.w3.org/2005/Atom}"


def take_back(stage, game):
    stage.now += timedelta(minutes=5)
    with stage.store.begin() as tx:
        desk = Desk(stage.office, tx, game.id, stage.now)
        assert undo.objection(desk) is None
        undo.take_back(desk, stage.now)


def entries(stage):
    feed = ET.fromstring(stage.folder.file("pl1/feed.atom").read_text("utf-8"))
    return [
        (one.findtext(f"{ATOM}title"), one.findtext(f"{ATOM}summary"), one.findtext(f"{ATOM}content"))
        for one in feed.findall(f"{ATOM}entry")
    ]


def closings(stage):
    book = Calendar.from_ical(stage.folder.file("pl1/deadlines.ics").read_bytes())
    return {str(event["summary"]).replace("\xa0", " ") for event in book.walk("VEVENT")}


@pytest.fixture
def burned(stage):
    """Bruno has burned, and that was taken back."""
    game = stage.open("PL1")
    game.start()
    game.order("Alice", "VOTE", "Bruno")
    game.order("Chloé", "VOTE", "Bruno")
    game.until("execution")
    stage.publish()
    return game


def test_a_feed_tells_what_was_taken_back_as_taken_back(stage, burned):
    assert any("Bruno a brûlé" in summary for _, summary, _ in entries(stage))
    take_back(stage, burned)
    stage.publish()
    (fire,) = [one for one in entries(stage) if "Bruno" in one[2] and "brûlé" in one[2]]
    title, summary, content = fire
    assert title.endswith("(défait depuis)")
    assert "Bruno" not in summary
    assert "<s><b>Bruno</b> a brûlé" in content
    assert "voix" not in content


def test_a_calendar_knows_no_closing_that_was_taken_back(stage, burned):
    assert "PL1, jour 1 : Fin du crépuscule" in closings(stage)
    burned.until("murder")
    stage.publish()
    assert any("jour 2" in one for one in closings(stage))
    take_back(stage, burned)
    stage.publish()
    assert not any("jour 2" in one for one in closings(stage))


def test_the_words_beside_what_was_taken_back_stay_and_the_votes_do_not(stage):
    game = stage.open("PL1")
    game.start()
    game.admin(c.Narrate, "Le bûcher fume.")
    game.order("Alice", "VOTE", "Bruno")
    game.until("execution")
    game.admin(c.Narrate, "Un corbeau passa.")
    take_back(stage, game)
    stage.publish()
    page = stage.read("pl1/day-1/")
    section = next(part for part in page.split("<section") if "Bruno</b> a brûlé" in part)
    assert 'class="bulletin undone"' in section
    assert '<p class="undone"><b>Bruno</b> a brûlé' in section
    assert "Le bûcher fume." in section
    assert "Un corbeau passa." not in page
    game.order("Alice", "VOTE", "David")
    game.until("execution")
    stage.publish()
    page = stage.read("pl1/day-1/")
    real = next(part for part in page.split("<section") if "David</b> a brûlé" in part)
    for words in ("Le bûcher fume.", "Un corbeau passa."):  # as the digest of that execution told them
        assert real.count(words) == 1
        assert page.count(words) == 1 + (words in section)
    assert json.loads(stage.read("pl1/game.json"))["days"][1]["burned"] == [4]


@pytest.mark.parametrize("language", ["fr", "en"])
def test_the_truth_is_what_stands_and_still_verifies(tmp_path, language):
    cast = (
        ("Alice", "f", "seer"), ("Bruno", "m", "werewolf"), ("Chloé", "f", "little-child"), ("David", "m", "villager"),
        ("Émile", "m", "villager"), ("Fanny", "f", "prescient"),
    )  # fmt: skip
    stage = Stage(tmp_path, language=language)
    game = stage.open("PL1", cast, language=language, peek=PEEK)
    game.start()
    for order in (("Alice", "SEE", "Émile"), ("Bruno", "KILL", "David"), ("Chloé", "PEEK")):
        game.order(*order)
    game.until("execution")
    game.until("sunset")
    take_back(stage, game)
    game.order("Alice", "SEE", "Bruno")
    game.until("murder")
    assert not game.state.player(4).alive
    take_back(stage, game)
    game.order("Fanny", "SAVE", "David")
    game.until("murder")
    assert game.state.player(4).alive
    game.admin(c.Smite, 2, "")
    stage.publish()
    page = stage.read("pl1/truth/")
    seen, word = ("a vu", "défait") if language == "fr" else ("saw", "took a resolution back")
    assert f"{seen} Bruno" in page or "Bruno, " in page
    assert "Émile, " not in page
    assert word in page
    night = page[page.index('class="night"') : page.index('id="check"')]
    assert "David, " not in night  # nobody was found dead
    assert night.count('class="die"') == 2  # those of the murder that was taken back: no child peeps where nobody dies
    report = verify(parse(stage.folder.file("pl1/export.json").read_text("utf-8")))
    assert [check.name for check in report.checks if not check.holds] == ["chance"]  # the scene was set by hand
    assert report.checks[[check.name for check in report.checks].index("dice")].looked_at == 2
    stage.store.close()
