"""What a bot reads off its letters is what happened: a demonstration's mail against its log."""

from __future__ import annotations

import pytest

from pbem.balance import seats
from pbem.balance.minds import facts as f
from pbem.demo import news, run
from pbem.demo.client import _open
from pbem.engine import events as e
from pbem.store import Store

GUESTS = 8
SAYS = "lune+pl1-say@village.example"
NAMED = (f.Became, f.Pack, f.Loves, f.Learnt, f.Threatened, f.Whispered)


@pytest.fixture(scope="module")
def played(tmp_path_factory):
    """The log of a game, and the letters of every seat."""
    folder = tmp_path_factory.mktemp("demo")
    game = run("8", lambda _: None, folder, GUESTS)
    store = Store(f"sqlite:///{folder / 'pbem.sqlite'}")
    with store.begin() as tx:
        events = [row.event for row in tx.events(tx.game_id("PL1"))]
    store.close()
    letters = {}
    for player in game.players:
        box = folder / "mail" / f"joueur{player.seat}@village.example"
        files = sorted(path for path in box.glob("*/*") if path.parent.name in {"cur", "new"})
        letters[player.seat] = [_open(path.read_bytes()) for path in files]
    return game, events, letters


def told(events, names, kind):
    return [fact for event in events if isinstance(fact := seats.fact_of(event, names), kind)]


@pytest.fixture(scope="module")
def names(played):
    return ("", *(player.name for player in played[0].players))


def test_everybody_knows_his_role(played):
    game, _, letters = played
    for player in game.players:
        read = [fact for mail in letters[player.seat] for fact in news.private(mail.text) if isinstance(fact, f.Became)]
        assert f.Became(player.dealt) in read


def test_each_learns_what_was_told_to_him_and_nothing_else(played, names):
    game, events, letters = played
    for player in game.players:
        own = [ev for ev in events if isinstance(ev, e.Private) and ev.to == player.seat]
        there = {fact for fact in told(own, names, NAMED) if getattr(fact, "who", True)}
        texts = [mail.text for mail in letters[player.seat] if mail.reply_to != SAYS]
        read = {fact for text in texts for fact in news.private(text) if isinstance(fact, NAMED)}
        assert read == there, player.name


def test_all_read_the_same_votes_deaths_and_accusations(played, names):
    _, events, letters = played
    texts = [mail.text for mail in letters[1] if mail.reply_to == SAYS]
    read = [fact for text in texts for fact in news.public(text)]
    assert {fact for fact in read if isinstance(fact, f.Said)} == set(told(events, names, f.Said))
    records = [tuple(p for p in fact.record if p[1] in names) for fact in read if isinstance(fact, f.Voted)]
    assert sorted(records) == sorted(fact.record for fact in told(events, names, f.Voted))
    over = next(n for n, event in enumerate(events) if isinstance(event, e.GameWon))
    last = max((n for n, ev in enumerate(events) if isinstance(ev, e.DayOpened) and n < over), default=0)
    fallen = set(told(events[:last], names, f.Fell))
    assert fallen
    assert fallen <= {fact for fact in read if isinstance(fact, f.Fell)}


def test_the_days_are_counted_with_the_living(played, names):
    game, events, letters = played
    texts = [mail.text for mail in letters[1] if mail.reply_to == SAYS]
    dawns = {fact.day: fact.living for text in texts for fact in news.public(text) if isinstance(fact, f.Dawn)}
    assert sorted(dawns) == [event.turn for event in events if isinstance(event, e.DayOpened)]
    assert dawns[1] == names[1:]
    dead = {p.name for p in game.players if 0 < p.died < max(dawns)}
    assert not dead & set(dawns[max(dawns)])
