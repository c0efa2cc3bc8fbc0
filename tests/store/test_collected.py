"""Pieces of daily mails: kept, moved, taken out once, in their order."""

from __future__ import annotations

from datetime import timedelta

import pytest

from tests.store.conftest import NOW

LATER = NOW + timedelta(hours=10)


@pytest.fixture
def game(store):
    with store.begin() as tx:
        return tx.create_game("PL1", "", NOW)


def test_pieces_come_out_in_their_order_and_once(store, game):
    with store.begin() as tx:
        for number in range(3):
            tx.collect(game, "Alice@Example.org", LATER, {"number": number, "text": "été \ud800"})
    with store.begin() as tx:
        assert tx.collected_due(LATER) == [(game, "alice@example.org")]
        assert [piece["number"] for piece in tx.take_collected(game, "alice@example.org", LATER)] == [0, 1, 2]
        assert tx.take_collected(game, "alice@example.org", LATER) == []
        assert tx.next_collected() is None


def test_what_is_not_due_stays(store, game):
    with store.begin() as tx:
        tx.collect(game, "a@b.c", NOW, {"number": 1})
        tx.collect(game, "a@b.c", LATER, {"number": 2})
    with store.begin() as tx:
        assert [piece["number"] for piece in tx.take_collected(game, "a@b.c", NOW)] == [1]
        assert tx.collected_due(NOW) == []
        assert tx.next_collected() == LATER


def test_all_of_it_may_be_taken_whenever_it_is_due(store, game):
    with store.begin() as tx:
        tx.collect(game, "a@b.c", LATER, {"number": 1})
        tx.collect(game, "d@e.f", LATER, {"number": 2})
        assert tx.collected_for(game) == ["a@b.c", "d@e.f"]
        assert tx.take_collected(game, "a@b.c") == [{"number": 1}]
        assert tx.collected_for(game) == ["d@e.f"]


def test_games_and_people_are_kept_apart(store, game):
    with store.begin() as tx:
        other = tx.create_game("PL2", "", NOW)
        tx.collect(game, "a@b.c", NOW, {"number": 1})
        tx.collect(other, "a@b.c", NOW, {"number": 2})
        tx.collect(game, "d@e.f", NOW, {"number": 3})
    with store.begin() as tx:
        assert tx.collected_due(NOW) == [(game, "a@b.c"), (other, "a@b.c"), (game, "d@e.f")]
        assert tx.take_collected(game, "a@b.c", NOW) == [{"number": 1}]
        assert tx.collected_due(NOW) == [(other, "a@b.c"), (game, "d@e.f")]


def test_it_follows_to_a_new_address(store, game):
    with store.begin() as tx:
        tx.collect(game, "a@b.c", NOW, {"number": 1})
        tx.collect(game, "d@e.f", NOW, {"number": 2})
        tx.move_collected(game, "A@B.C", "New@B.C")
        assert tx.collected_due(NOW) == [(game, "new@b.c"), (game, "d@e.f")]


def test_what_was_not_committed_is_still_there(store, game):
    with store.begin() as tx:
        tx.collect(game, "a@b.c", NOW, {"number": 1})
    with pytest.raises(ZeroDivisionError), store.begin() as tx:  # noqa: PT012  (the transaction is what is left)
        tx.take_collected(game, "a@b.c", NOW)
        raise ZeroDivisionError
    with store.read() as tx:
        assert tx.collected_due(NOW) == [(game, "a@b.c")]


def test_who_wants_less_than_all_is_not_on_the_list(store, game):
    since = NOW - timedelta(days=1)
    with store.begin() as tx:
        tx.add_player(game, 1, "a@b.c", "fr", "m", "tag-a")
        tx.add_player(game, 2, "d@e.f", "fr", "m", "tag-d")
        tx.set_player(game, 1, amount="daily")
        assert tx.list_members(since) == ["d@e.f"]
        other = tx.create_game("PL2", "", NOW)
        tx.add_player(other, 1, "a@b.c", "fr", "m", "tag-b")
        assert tx.list_members(since) == ["a@b.c", "d@e.f"]  # one list for all games


def test_a_database_of_before_is_brought_up(file_url):
    from alembic import command  # noqa: PLC0415

    from pbem.store import Store, migrate  # noqa: PLC0415

    old = Store(file_url)
    with old._engine.begin() as connection:
        command.upgrade(migrate._config(connection), "0001")
    with old._engine.begin() as connection:
        connection.exec_driver_sql(
            "INSERT INTO games (id, code, series, version, over, created) VALUES (1, 'PL1', '', 0, 0, '2026')"
        )
        connection.exec_driver_sql(
            "INSERT INTO readers (game_id, address, name, language, amount, tag) VALUES (1, 'a@b.c', '', 'fr', 'posts', 't')"
        )
    old.migrate()
    with old.begin() as tx:
        assert [row.amount for row in tx.readers(1)] == ["watch"]
        tx.collect(1, "a@b.c", NOW, {})
    old.close()
