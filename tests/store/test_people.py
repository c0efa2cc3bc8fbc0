"""Who sits where, whose tag it is, who steers and who reads along."""

from __future__ import annotations

from datetime import timedelta

import pytest

from pbem.engine import events as e
from tests.store.conftest import NOW

DAY = timedelta(days=1)


@pytest.fixture
def tx(store):
    with store.begin() as tx:
        for code in ("PL1", "PL2"):
            game = tx.create_game(code, "", NOW)
            for seat, name in enumerate(("alice", "bruno", "chloe", "david"), 1):
                tx.add_player(game, seat, f"{name}@Example.org", "fr", "m", f"{code}{name}")
        yield tx


def test_players_come_in_seat_order_with_their_current_tag(tx):
    row = tx.players(1)[2]
    assert (row.seat, row.address, row.tag, row.amount, row.reminders) == (
        3,
        "chloe@example.org",
        "PL1chloe",
        "posts",
        True,
    )
    assert tx.player(1, 3) == row
    assert tx.player(1, 9) is None


def test_a_seat_is_found_by_tag_and_by_address(tx):
    assert tx.by_tag("PL2bruno") == (2, 2)
    assert tx.by_tag("nobody") is None
    assert tx.by_address("BRUNO@example.org") == [(1, 2), (2, 2)]


def test_a_game_that_is_over_is_looked_at_only_when_asked(tx):
    tx.append(1, [e.GameWon("nobody", (), (), "", aborted=True)], 0, NOW)
    assert tx.by_address("bruno@example.org") == [(2, 2)]
    assert tx.by_address("bruno@example.org", running_only=False) == [(1, 2), (2, 2)]


def test_a_replaced_tag_opens_nothing_but_is_known(tx):
    tx.set_player(1, 2, tag="fresh", address="New@example.org", language="en")
    assert tx.by_tag("fresh") == (1, 2)
    assert tx.by_tag("PL1bruno") is None
    assert tx.retired_tag("PL1bruno") == (1, 2)
    assert tx.retired_tag("fresh") is None
    assert tx.player(1, 2).address == "new@example.org"
    assert tx.player(1, 2).language == "en"
    assert len(tx.players(1)) == 4


def test_who_leaves_moves_the_seats_above_down(tx):
    tx.remove_player(1, 2)
    assert [(row.seat, row.address[:5]) for row in tx.players(1)] == [(1, "alice"), (2, "chloe"), (3, "david")]
    assert tx.by_tag("PL1david") == (1, 3)
    assert tx.by_tag("PL1bruno") is None
    assert tx.retired_tag("PL1bruno") == (1, 2)
    assert [row.seat for row in tx.players(2)] == [1, 2, 3, 4]


@pytest.mark.parametrize("change", [lambda tx: tx.set_player(1, 9, language="en"), lambda tx: tx.remove_player(1, 9)])
def test_an_empty_seat_cannot_be_changed(tx, change):
    with pytest.raises(KeyError):
        change(tx)


def test_storytellers_steer_their_games(tx):
    tx.add_storyteller(1, "Conteur@example.org", language="fr")
    tx.add_storyteller(1, "conteur@example.org", language="en", name="Léa", gender="f")
    tx.add_storyteller(2, "conteur@example.org")
    assert [(row.address, row.language, row.name) for row in tx.storytellers(1)] == [
        ("conteur@example.org", "en", "Léa")
    ]
    assert tx.steered_by("CONTEUR@example.org") == [1, 2]
    assert tx.steered_by("alice@example.org") == []


def test_readers_come_and_go(tx):
    tx.add_reader(1, "Rita@example.org", "wayout", name="Rita")
    tx.set_reader(1, "rita@example.org", amount="digest")
    assert tx.readers(1)[0].amount == "digest"
    assert tx.reader_by_tag("wayout").address == "rita@example.org"
    assert tx.watched_by("rita@example.org") == [1]
    assert tx.remove_reader(1, "rita@example.org")
    assert not tx.remove_reader(1, "rita@example.org")
    assert tx.readers(1) == []


def test_org_2_who_has_received_the_graveyard_is_remembered(tx):
    tx.note_graveyard(1, "Rita@example.org")
    tx.note_graveyard(1, "rita@example.org")
    assert "rita@example.org" in tx.graveyard(1)
    assert "rita@example.org" not in tx.graveyard(2)


def test_a_bounce_is_news_once(tx):
    assert tx.note_bounce("bruno@example.org", NOW) == [(1, 2), (2, 2)]
    assert tx.note_bounce("bruno@example.org", NOW) == []
    assert tx.player(1, 2).bounced == NOW


@pytest.mark.parametrize("odd", ["nul\x00@b.c", "half\ud83d@b.c"])
def test_text_that_no_database_can_hold_is_found_all_the_same(tx, odd):
    tx.add_player(1, 5, odd, "fr", "m", "odd")
    assert tx.by_address(odd) == [(1, 5)]


def test_the_list_is_for_who_plays_or_steers_now_or_lately(tx):
    tx.set_player(2, 1, address="zoe@example.org")
    tx.add_storyteller(2, "conteur@example.org")
    tx.append(2, [e.GameWon("nobody", (), (), "", aborted=True)], 0, NOW)
    assert "conteur@example.org" in tx.list_members(NOW - DAY)
    assert len(tx.list_members(NOW - DAY)) == 6
    assert tx.list_members(NOW) == [f"{name}@example.org" for name in ("alice", "bruno", "chloe", "david")]
