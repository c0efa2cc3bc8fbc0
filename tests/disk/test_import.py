"""A game from one database into another: `pbem game export --people`, `pbem game import`."""

from __future__ import annotations

import json

import pytest

from pbem.app import imported
from pbem.app.export import export
from pbem.app.importing import CannotImport, NotAnExport, bring_in
from pbem.app.receive import Receiver
from pbem.engine.evolve import replay
from pbem.post import RawMail
from pbem.rehearsal import mailwriter
from pbem.store import Store
from tests.cli.playing import Play


def exported(village, *, people=True):
    with village.store.read() as tx:
        return json.dumps(export(tx, village.stage.game_id, people=people))


def bring(store, text):
    with store.begin() as tx:
        return bring_in(tx, text)


def test_a_game_goes_on_elsewhere_as_it_would_have_here(village, there):
    """Its people, its tags, its letters under way and its threads come along; the same mails then bring the same."""
    village.send("Alice", "VOTE David")
    village.send("storyteller", "ADMIN HOLD")
    village.send("David", "LANG en")
    village.send("David", "MAIL daily")
    village.send("Émile", "VOTE Alice", authentic=False)  # waits for his confirmation
    assert bring(there, exported(village)) == "PL1"
    with village.store.read() as here, there.read() as other:
        assert other.load(1) == here.load(1)
        assert [(r.n, r.at, r.event) for r in other.events(1)] == [(r.n, r.at, r.event) for r in here.events(1)]
        assert [row.command for row in other.commands(1)] == [row.command for row in here.commands(1)]
        for rows in ("players", "storytellers", "readers", "graveyard", "threads", "collected"):
            assert getattr(other, rows)(1) == getattr(here, rows)(1), rows
        assert other.values_of(1) == here.values_of(1) | {imported.KEY: "2026-12-07T08:00:00+00:00"}
        assert [(r.to, r.message_id, r.raw, r.state) for r in other.letters(1)] == [
            (r.to, r.message_id, r.raw, r.state) for r in here.letters(1)
        ]
        code = here.held(1)[0].code
        assert other.held(1)[0].code == code
    receiver = Receiver(there, village.receiver.office.scribe, village.receiver.office.settings)
    to = f"lune+{village.stage.tag(2)}@example.org"
    by_tag = village.draft(("X", "x@y.example"), "VOTE Chloé", to=to, authentic=False)
    confirming = village.draft("Émile", "Re: ?", "Oui.", to=f"lune+{code}@example.org", authentic=False)
    for number, draft in enumerate([by_tag, confirming], 1):
        raw = mailwriter.write(draft)
        here, other = village.raw(raw), receiver.receive(RawMail(9, number, village.now, raw), village.now)
        assert [o.status for o in here.outcomes] == [o.status for o in other.outcomes] == ["accepted"]
    with there.read() as tx:
        assert tx.load(1)[0] == village.game


def test_a_finished_game_comes_in_without_people(tmp_path, there):
    store = Store(f"sqlite:///{tmp_path}/pbem.sqlite")
    store.migrate()
    play = Play(store, series="autumn")
    play.start()
    with store.read() as tx:
        started = tx.load(1)[1]
    play.resolve_next()
    play.undo(started)
    play.to_the_end()
    with store.read() as tx:
        text, row = json.dumps(export(tx, 1)), tx.game(1)
    bring(there, text)
    with there.read() as tx:
        found = tx.game(1)
        assert (found.code, found.series, found.version, found.over) == (row.code, "autumn", row.version, True)
        assert (found.created, found.ended) == (row.created, row.ended)
        assert tx.load(1)[0] == replay(event.event for event in tx.events(1)) == play.game
        assert json.loads(text)["events"] == json.loads(json.dumps(export(tx, 1)))["events"]
    store.close()


def changed(text, change):
    value = json.loads(text)
    change(value)
    return json.dumps(value)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda value: value.pop("people"), "export it with --people"),
        (lambda value: value["events"].pop(), "does not hold"),
        (lambda value: value["commands"].pop(), "does not hold"),
        (lambda value: value["events"][3].update(event={}), "damaged"),
        (lambda value: value.pop("series"), "damaged"),
        (lambda value: value["people"]["players"][0].pop("address"), "damaged"),
        (lambda value: value["people"]["letters"][0].update(raw="é"), "damaged"),
        (lambda value: value.update(version=99), "version 99"),
        (lambda value: value.clear(), "not a game's export"),
    ],
)
def test_what_does_not_hold_does_not_come_in(village, there, change, words):
    """Not even in part."""
    village.send("Alice", "VOTE David")
    text = changed(exported(village), change)
    with pytest.raises((CannotImport, NotAnExport), match=words), there.begin() as tx:
        bring_in(tx, text)
    with there.read() as tx:
        assert tx.games() == []


def test_a_game_that_is_here_already_does_not_come_in_again(village):
    text = exported(village)
    with pytest.raises(CannotImport, match="there is a game PL1 already"), village.store.begin() as tx:
        bring_in(tx, text)


def test_what_is_due_after_the_move_is_due_there_as_here(village, there):
    village.until(23, day=1)
    bring(there, exported(village))
    with there.begin() as tx:
        game, version = tx.load(1)
        assert (game, version) == (village.game, village.stage.version())
    receiver = Receiver(there, village.receiver.office.scribe, village.receiver.office.settings)
    assert receiver.tick(village.now, village.now) == village.receiver.tick(village.now, village.now) != []
    village.stage._game = None
    with there.read() as tx:
        assert tx.load(1)[0] == village.game


def test_what_was_arranged_by_hand_does_not_come_in(village, there, monkeypatch):
    text = exported(village)
    monkeypatch.undo()
    with pytest.raises(CannotImport, match="the roles were dealt by hand"), there.begin() as tx:
        bring_in(tx, text)
