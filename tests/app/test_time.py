"""What is due happens once the mailbox has been read to it (CAL-6), and an outage gives time back."""

from __future__ import annotations

from datetime import timedelta

from pbem.app import composition, undeliverable
from pbem.app.desk import Desk
from pbem.engine.commands import Join, OpenGame, OpenRegistration
from pbem.engine.decide import due_at
from pbem.engine.events import PhaseClosed
from pbem.rehearsal import mailwriter
from pbem.rehearsal.stage import _gathered, _start
from pbem.store import schema

SECOND = timedelta(seconds=1)


def _closed(village):
    return [event.what for event in village.stage.events() if isinstance(event, PhaseClosed)]


def _execution(village):
    return village.game.deadline


def test_nothing_closes_before_it_has_been_read_out(village):
    t = _execution(village)
    assert set(village.receiver.tick(t - SECOND, t + SECOND)) == {"reminder"}
    assert _closed(village) == []
    assert "execution" in village.receiver.tick(t, t + SECOND)


def test_a_reminder_that_is_overdue_closes_nothing(village):
    """A poll that began after T has read mails to a second before T only: reminders may go, the day may not close."""
    t = _execution(village)
    done = village.receiver.tick(t - timedelta(minutes=1), t + timedelta(minutes=5))
    assert set(done) == {"reminder"}
    assert _closed(village) == []


def test_windows_count_from_a_late_reading(village):
    t = _execution(village)
    late = t + timedelta(minutes=10)
    village.receiver.tick(t, late)
    village.stage._game = None
    assert village.game.deadline == late + timedelta(minutes=30)


def test_a_mail_of_the_very_moment_still_counts(village):
    t = _execution(village)
    village.stage.now = t + SECOND
    raw = mailwriter.write(village.draft("Alice", "VOTE David"))
    handled = village.stage.deliver(raw, t)
    assert handled.outcomes[0].status == "accepted"
    raw = mailwriter.write(village.draft("Alice", "VOTE Bruno"))
    late = village.stage.deliver(raw, t + SECOND)
    assert late.outcomes[0].code == "wrong-time"
    assert "execution" in _closed(village)


def test_the_next_wakeup_and_a_mailbox_that_is_down(village):
    t = _execution(village)
    assert village.receiver.next_wakeup() == t - timedelta(hours=24)
    village.receiver.mailbox_down(t + timedelta(minutes=2))
    village.receiver.mailbox_down(t + timedelta(minutes=3))
    told = [dict(n) for row in village.take("storyteller") for n in row.notices]
    assert told == [{"late-mailbox": True}]
    assert _closed(village) == []


def _down(village, began, ended):
    with village.store.begin() as tx:
        tx.begin_outage(began)
        tx.end_outage(ended)


def test_a_phase_whose_last_hour_was_lost_is_extended_once(make_village):
    village = make_village(options={"outage_extension": timedelta(hours=1)})
    t = _execution(village)
    _down(village, t - timedelta(minutes=50), t + timedelta(minutes=10))
    now = t + timedelta(minutes=10)
    assert "extended" in village.receiver.tick(now, now)
    village.stage._game = None
    assert (village.game.phase, village.game.deadline) == ("day", now + timedelta(hours=1))
    _down(village, now, now + timedelta(hours=1))
    assert "execution" in village.receiver.tick(now + timedelta(hours=1), now + timedelta(hours=1))


def test_after_an_outage_the_extension_comes_before_the_mails_that_waited(make_village):
    """Who wrote after T while the server could not be reached is in time for the extended day."""
    village = make_village(options={"outage_extension": timedelta(hours=1)})
    t = _execution(village)
    _down(village, t - timedelta(hours=1), t + timedelta(minutes=30))
    now = t + timedelta(minutes=30)
    village.stage.now = now
    village.receiver.reopened(now - SECOND, now)
    raw = mailwriter.write(village.draft("Alice", "VOTE David"))
    assert village.stage.deliver(raw, t + timedelta(minutes=10)).outcomes[0].status == "accepted"
    assert (village.game.phase, village.game.deadline) == ("day", now + timedelta(hours=1))
    village.receiver.reopened(now - SECOND, now)
    assert village.game.deadline == now + timedelta(hours=1)


def test_a_phase_that_has_not_ended_is_not_extended(make_village):
    village = make_village(options={"outage_extension": timedelta(hours=1)})
    t = _execution(village)
    _down(village, t - timedelta(hours=1), t - SECOND)
    village.receiver.reopened(t - 2 * SECOND, t - SECOND)
    assert village.game.deadline == t


def test_overlapping_outages_count_once(make_village):
    village = make_village(options={"outage_extension": timedelta(hours=1)})
    t = _execution(village)
    for _ in range(3):
        _down(village, t - timedelta(minutes=20), t)
    assert "execution" in village.receiver.tick(t, t)


def test_a_short_outage_extends_nothing_nor_does_a_game_without_the_option(make_village):
    for options, minutes in (({"outage_extension": timedelta(hours=1)}, 20), ({}, 60)):
        village = make_village(options=options)
        t = _execution(village)
        _down(village, t - timedelta(minutes=minutes), t)
        assert "execution" in village.receiver.tick(t, t)


def test_many_games_are_looked_at_only_when_something_is_due(village, monkeypatch):
    village.receiver.next_wakeup()
    opened = []
    monkeypatch.setattr("pbem.app.agendas.next_wakeup", opened.append)
    for _ in range(5):
        village.receiver.tick(village.now, village.now)
    assert opened == []


def test_the_first_evenings_dead_are_immune_in_the_next_game_of_the_series(make_village):
    """NEXT-1, with the people known by their addresses."""
    village = make_village()
    with village.store.begin() as tx:
        tx._run(schema.games.update().values(series="S"))
    village.send("Alice", "VOTE David")
    village.send("Bruno", "KILL Chloé")
    village.until(23, day=1)
    village.wait(minutes=5)
    village.send("storyteller", "ADMIN SMITE Émile")
    village.send("storyteller", "ADMIN ABORT")
    village.answer(village.take("storyteller")[-1], "storyteller")
    assert village.game.winner == "nobody"
    options = village.game.options
    with village.store.begin() as tx:
        other = tx.create_game("PL2", "S", village.now)
        desk = Desk(village.receiver.office, tx, other, village.now)
        desk.act(OpenGame(village.now, "PL2", options, "0" * 64))
        desk.act(OpenRegistration(village.now))
        for seat, name in enumerate(("emile", "david", "chloe", "alice"), 1):
            desk.act(
                Join(village.now, name),
                between=lambda _, s=seat, n=name: tx.add_player(
                    other, s, f"{n}@example.org", "fr", "m", n * 3 + "a2a2"
                ),
            )
        assert composition.immune(desk) == (2, 3)


def _another_game(village):
    """A second game, like the village's first one, that has begun at the same time."""
    stage = village.stage
    with village.store.begin() as tx:
        game_id = tx.create_game("PL2", "", stage.now)
        tx.append(game_id, _gathered(stage.setting, stage.now, "5eed" * 16), 0, stage.now)
        for number, seat in enumerate(stage.setting.seats, 1):
            tx.add_player(game_id, number, f"other.{number}@example.org", "fr", seat.gender, f"other{number}")
        Desk(village.receiver.office, tx, game_id, stage.now).act(_start(stage.setting, stage.now))
    return game_id


def test_a_game_that_makes_the_program_stumble_holds_back_no_other(village, monkeypatch, caplog):
    other = _another_game(village)
    due = due_at(village.game)
    resolve = Desk.resolve_one

    def stumble(desk, read_to):
        if desk.game_id == 1:
            raise ValueError("whatever")
        return resolve(desk, read_to)

    monkeypatch.setattr(Desk, "resolve_one", stumble)
    changes = []
    happened = village.receiver.tick(due, due, lambda: changes.append(1))
    assert happened
    assert changes
    assert "game 1 stands still" in caplog.text
    with village.store.read() as tx:
        assert due_at(tx.load(1)[0]) == due
        assert due_at(tx.load(other)[0]) > due


def test_games_that_close_together_share_a_commit(make_village, monkeypatch):
    monkeypatch.setattr(undeliverable, "overdue", lambda *_: None)
    begun = []
    for games in (1, 2):
        village = make_village()
        numbers = [1] if games == 1 else [1, _another_game(village)]
        due, begin, count = due_at(village.game), village.store.begin, []
        monkeypatch.setattr(village.store, "begin", lambda begin=begin, count=count: count.append(1) or begin())
        assert village.receiver.tick(due, due) == ["execution"] * games
        begun.append(len(count))
        with village.store.read() as tx:
            assert all(due_at(tx.load(number)[0]) > due for number in numbers)
    assert begun == [1, 1]
