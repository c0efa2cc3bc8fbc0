"""Games are logs: what is loaded is what the events make, whoever folded them and whenever."""

from __future__ import annotations

import threading
from datetime import timedelta

import pytest

from pbem.engine import commands as c
from pbem.engine import events as e
from pbem.engine.evolve import replay
from pbem.engine.options import Options
from pbem.engine.state import Game
from pbem.store import Conflict, Store, StoreError
from tests.store.conftest import NOW

OPENED = e.GameOpened(code="PL1", options=Options(), seed="ab" * 32, at=NOW)
ALICE, BRUNO = e.Joined(1, "Alice", "f"), e.Joined(2, "Bruno", "m")


@pytest.fixture
def game(store):
    with store.begin() as tx:
        game = tx.create_game("PL1", "Lune", NOW)
        tx.append(game, [OPENED, e.RegistrationOpened()], 0, NOW)
    return game


def _load(store, game):
    with store.read() as tx:
        return tx.load(game)


def test_a_new_game_is_blank(store):
    with store.begin() as tx:
        game = tx.create_game("PL1", "Lune", NOW)
        assert tx.load(game) == (Game(), 0)
        assert tx.game(game).created == NOW


def test_a_game_is_found_by_its_code_in_any_case(store, game):
    with store.read() as tx:
        assert tx.game_id("pl1") == game
        assert tx.game_id("PL2") is None


def test_a_code_is_taken_once(store, game):
    with pytest.raises(StoreError), store.begin() as tx:
        tx.create_game("PL1", "Lune", NOW)


def test_an_unknown_game_cannot_be_loaded(store):
    with pytest.raises(KeyError), store.begin() as tx:
        tx.load(7)


def test_what_is_appended_is_loaded_by_everybody(store, game, url):
    with store.begin() as tx:
        assert tx.append(game, [ALICE, BRUNO], 2, NOW) == 4
        assert tx.load(game)[0].players[1].name == "Bruno"
    expected = replay([OPENED, e.RegistrationOpened(), ALICE, BRUNO])
    assert _load(store, game) == (expected, 4)
    store._cache.clear()
    assert _load(store, game) == (expected, 4)
    with store.read() as tx:
        assert [(row.n, row.event) for row in tx.events(game, after=2)] == [(3, ALICE), (4, BRUNO)]
        assert tx.events(game)[0].at == NOW


def test_what_is_rolled_back_is_forgotten_by_the_cache_too(store, game):
    before = _load(store, game)
    with pytest.raises(ZeroDivisionError), store.begin() as tx:  # noqa: PT012  (what comes before it is the case)
        tx.append(game, [ALICE], 2, NOW)
        assert tx.load(game)[1] == 3
        raise ZeroDivisionError
    assert _load(store, game) == before
    with store.begin() as tx:
        tx.append(game, [BRUNO], 2, NOW)
    assert [p.name for p in _load(store, game)[0].players] == ["Bruno"]


def test_an_append_on_an_old_version_is_refused(store, game):
    with store.begin() as tx:
        tx.append(game, [ALICE], 2, NOW)
    with pytest.raises(Conflict), store.begin() as tx:
        tx.append(game, [BRUNO], 2, NOW)
    assert _load(store, game)[1] == 3


def test_a_second_process_is_followed(game, store, url):
    """Many workers on one database: each sees what the others did, though it has a state of its own at hand."""
    if url == "sqlite://":
        pytest.skip("a database in memory has one process")
    other = Store(url)
    assert _load(other, game)[1] == 2
    with store.begin() as tx:
        tx.append(game, [ALICE], 2, NOW)
    assert _load(other, game) == _load(store, game)
    with other.begin() as tx:
        tx.append(game, [BRUNO], 3, NOW)
    assert [p.name for p in _load(store, game)[0].players] == ["Alice", "Bruno"]
    other.close()


@pytest.mark.parametrize("cached", ["here", "elsewhere", "nowhere"])
def test_undo_is_folded_from_the_whole_log(store, game, url, cached):
    with store.begin() as tx:
        tx.append(game, [ALICE, BRUNO], 2, NOW)
    other = store if url == "sqlite://" else Store(url)
    _load(other, game)
    with store.begin() as tx:
        tx.append(game, [e.Undone(3, NOW), e.Joined(2, "Chloé", "f")], 4, NOW)
    if cached == "nowhere":
        store._cache.clear()
    found, version = _load(other if cached == "elsewhere" else store, game)
    assert version == 6
    assert [p.name for p in found.players] == ["Alice", "Chloé"]
    assert found.epoch == 1
    if other is not store:
        other.close()


def test_a_finished_game_is_no_running_one_until_undone(store, game):
    with store.begin() as tx:
        tx.create_game("PL2", "Lune", NOW)
        tx.append(game, [e.GameWon("nobody", (), (), "ab" * 32, aborted=True)], 2, NOW + timedelta(days=1))
        assert tx.game_codes(running_only=True) == ["PL2"]
        assert tx.game_codes() == ["PL1", "PL2"]
        assert tx.game(game).ended == NOW + timedelta(days=1)
        assert tx.last_of_series("Lune").code == "PL1"
        assert tx.last_of_series("Lune", before=game) is None
        assert tx.last_of_series("other") is None
        tx.append(game, [e.Undone(2, NOW)], 3, NOW)
        assert tx.game_codes(running_only=True) == ["PL1", "PL2"]
        assert tx.game(game).ended is None


def test_commands_are_kept_with_what_they_led_to(store, game):
    join = c.Join(NOW, "Alice", "f")
    with store.begin() as tx:
        mail = tx.record_mail(1, 5, NOW, "<a@b>", "a@b.c", "0" * 64, "command", "")
        tx.append(game, [ALICE], 2, NOW, mail, join)
        tx.append(game, [], 3, NOW, command=c.Tick(NOW))
        tx.append(game, [BRUNO], 3, NOW, command=c.Join(NOW, "Bruno"))
        kept = tx.commands(game)
        assert [(row.n, row.version, row.count, row.mail_id) for row in kept] == [
            (1, 2, 1, mail),
            (2, 3, 0, None),
            (3, 3, 1, None),
        ]
        assert kept[0].command == join


def test_writers_take_turns(store, game):
    """Twenty threads append to one game: no event is lost, no version given twice."""

    def join(i):
        with store.begin() as tx:
            _, version = tx.load(game)
            tx.append(game, [e.Joined(version - 1, f"P{i}", "m")], version, NOW)

    threads = [threading.Thread(target=join, args=(i,)) for i in range(20)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    found, version = _load(store, game)
    assert version == 22
    assert sorted(p.name for p in found.players) == sorted(f"P{i}" for i in range(20))
    store._cache.clear()
    assert _load(store, game) == (found, version)


def test_looking_holds_nobody_up(store, game, url):
    if url == "sqlite://":
        pytest.skip("a database in memory has one connection")
    with store.read() as looking:
        assert looking.load(game)[1] == 2
        done = threading.Thread(target=lambda: _append(store, game))
        done.start()
        done.join(5)
        assert not done.is_alive()
        assert looking.load(game)[1] == 2  # one state, from beginning to end
    assert _load(store, game)[1] == 3


def _append(store, game):
    with store.begin() as tx:
        tx.append(game, [ALICE], 2, NOW)


def test_who_only_looks_cannot_write_on_postgresql_and_nothing_is_left_behind(store, game, url):
    if url.startswith("sqlite"):
        pytest.skip("SQLite has no such promise")
    with pytest.raises(StoreError), store.read() as tx:
        tx.set("a", "b")


def test_a_transaction_inside_a_transaction_is_a_mistake_not_a_deadlock(store, url):
    if not url.startswith("sqlite"):
        pytest.skip("PostgreSQL allows it")
    with store.begin(), pytest.raises(RuntimeError), store.begin():
        pass
