"""MAIL posts, daily or digest (MAIL.md § 3): how much of what goes to the list reaches whom, and when."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, time, timedelta
from email import message_from_bytes, policy

import pytest

from pbem.app import daily
from pbem.engine.options import Options
from pbem.rehearsal.mailwriter import LIST, READER
from pbem.settings import ConfigError, parse


def _open(row):
    return message_from_bytes(row.raw, policy=policy.default)


def _text(row):
    return " ".join(_open(row).get_body(("plain",)).get_content().replace("\u00a0", " ").split())


def _subjects(rows):
    return [str(_open(row)["Subject"]) for row in rows]


def _at(village, hour):
    """The next time the village clock shows that hour."""
    return daily.due(village.game.options, time(hour), village.now)


def _evening(village):
    """It is six o'clock."""
    village.stage.pass_to(_at(village, 18))


def _until(village, event):
    """Time passes until that has happened."""
    stage, what = village.stage, ""
    while what != event:
        stage.now = max(stage.now, stage.next_due())
        what = stage.step(stage.now)


def _subscribed(village):
    with village.store.read() as tx:
        return tx.list_members(village.now - timedelta(days=1))


@pytest.fixture
def mails(village):
    """Letters to one, newest last, since this was asked before."""

    def to(who):
        return [row for row in village.take(who) if row.kind != "ack"]

    return to


class TestAPlayer:
    def test_who_wants_every_post_is_on_the_list_and_gets_no_copy(self, village, mails):
        village.send("Bruno", "SAY", "Bonsoir.")
        assert mails("Alice") == []
        assert "alice@example.org" in _subscribed(village)

    @pytest.mark.parametrize("amount", ["daily", "digest"])
    def test_who_wants_less_leaves_the_list_and_may_come_back(self, village, amount):
        village.send("Alice", f"MAIL {amount}")
        assert "alice@example.org" not in _subscribed(village)
        assert "bruno@example.org" in _subscribed(village)
        village.send("Alice", "COURRIER posts")
        assert "alice@example.org" in _subscribed(village)

    def test_digests_only(self, village, mails):
        village.send("Alice", "MAIL digest")
        village.send("Bruno", "SAY", "Bonsoir.")
        assert mails("Alice") == []
        _until(village, "execution")
        (copy,) = [row for row in mails("Alice") if row.kind == "execution"]
        assert _open(copy)["Reply-To"].addresses[0].addr_spec == "lune+pl1-say@example.org"
        assert "List-Id" in _open(copy)
        assert "List-Unsubscribe" not in _open(copy)
        with village.store.read() as tx:
            assert tx.player(village.stage.game_id, 1).tag not in str(_open(copy))

    def test_one_mail_a_day_holds_posts_and_digests_in_their_order(self, village, mails):
        village.send("Alice", "MAIL daily")
        village.take()
        village.send("Bruno", "SAY", "Je n'ai rien vu.\n\nEt vous ?")
        _until(village, "murder")
        village.send("Chloé", "SAY", "Moi non plus.")
        first = [row for row in mails("Alice") if row.kind == "daily"]
        assert _subjects(first) == ["[PL1] Votre lettre du jour"]  # Monday evening's
        assert "Depuis la précédente : 1 message." in _text(first[0])
        _evening(village)
        (second,) = [row for row in mails("Alice") if row.kind == "daily"]
        text = _text(second)
        assert "Depuis la précédente : 1 message et 2 bulletins." in text
        places = [text.index(part) for part in ("L’exécution", "La nuit 1", "Chloé · ", "Moi non plus.", "En vie")]
        assert places == sorted(places)
        assert text.count("Au cimetière") <= 1
        assert second.kind == "daily"

    def test_nothing_comes_when_nothing_happened(self, village, mails):
        village.send("Alice", "MAIL daily")
        village.take()
        _evening(village)
        assert mails("Alice") == []

    def test_hours_that_move_wait_for_no_daily_mail(self, village, mails):
        village.send("Alice", "MAIL daily")
        village.take()
        village.send("storyteller", "ADMIN EXTEND 24h")
        assert [row.kind for row in mails("Alice")] == ["deadline-moved"]
        village.send("storyteller", "ADMIN PAUSE")
        village.send("storyteller", "ADMIN RESUME")
        assert [row.kind for row in mails("Alice")] == ["paused", "resumed"]
        village.send("storyteller", "ADMIN ANNOUNCE", "Bonsoir.")
        assert mails("Alice") == []

    def test_private_letters_come_at_once(self, village, mails):
        village.send("Bruno", "MAIL daily")
        village.take()
        village.send("storyteller", "ADMIN TELL Bruno", "Courage.")
        assert [row.kind for row in mails("Bruno")] == ["told"]

    def test_at_the_end_nothing_waits(self, village, mails):
        village.send("Alice", "MAIL daily")
        village.send("Bruno", "SAY", "Bonsoir.")
        village.take()
        village.send("storyteller", "ADMIN ABORT")
        village.answer(village.take("storyteller")[-1], "storyteller")
        kinds = [row.kind for row in mails("Alice")]
        assert kinds == ["daily", "end", "chronicle"]
        with village.store.read() as tx:
            assert tx.next_collected() is None

    def test_what_is_held_is_not_collected_until_it_is_released(self, village, mails):
        village.send("Alice", "MAIL daily")
        village.send("storyteller", "ADMIN HOLD")
        _until(village, "murder")
        village.send("Bruno", "SAY", "Qu'attend-on ?")
        village.take()
        _evening(village)
        (one,) = mails("Alice")
        assert "1 message." in _text(one)
        village.send("storyteller", "ADMIN NARRATE", "Il *pleuvait*.")
        village.send("storyteller", "ADMIN RELEASE")
        village.take()
        _evening(village)
        (two,) = [row for row in mails("Alice") if row.kind == "daily"]
        assert "3 bulletins." in _text(two)  # the execution, the night, an election that nobody came to
        assert "Il *pleuvait*." in _text(two)

    def test_it_follows_to_a_new_address(self, village):
        village.send("Alice", "MAIL daily")
        village.send("Bruno", "SAY", "Bonsoir.")
        with village.store.begin() as tx:
            tx.set_player(village.stage.game_id, 1, address="alice@elsewhere.example")
            tx.move_collected(village.stage.game_id, "alice@example.org", "alice@elsewhere.example")
        village.take()
        _evening(village)
        assert [row.to for row in village.take() if row.kind == "daily"] == ["alice@elsewhere.example"]

    def test_on_a_list_kept_elsewhere_the_answer_says_what_to_do_there(self, village):
        village.send("Alice", "MAIL digest")
        (answer,) = village.take("Alice")
        assert "suspendez" in _text(answer)


class TestTheDead:
    def test_one_mail_a_day_holds_the_graveyard_and_answers_to_it(self, village, mails):
        for name in ("Alice", "Chloé", "David", "Émile"):
            village.send(name, "VOTE David")
        _until(village, "execution")
        village.send("David", "MAIL daily")
        village.take()
        village.send("reader", "GRAVEYARD", "Bienvenue.")
        assert [row for row in mails("David") if row.kind != "death"] == []
        with village.store.read() as tx:
            assert "david@example.org" in tx.graveyard(village.stage.game_id)
        _evening(village)
        (one,) = [row for row in mails("David") if row.kind == "daily"]
        assert "Au cimetière · Le Lecteur" in _text(one)
        assert "1 message du cimetière" in _text(one)
        assert _open(one)["Reply-To"].addresses[0].addr_spec == "lune+pl1-grave@example.org"
        assert {"graveyard-talk": "Le Lecteur"} in [dict(notice) for notice in one.notices]


class TestAReader:
    def test_gets_digests_and_the_graveyard_unless_he_says_otherwise(self, village, mails):
        for name in ("Alice", "Chloé", "David", "Émile"):
            village.send(name, "VOTE David")
        village.send("Bruno", "SAY", "Bonsoir.")
        assert mails("reader") == []
        _until(village, "execution")
        assert [row.kind for row in mails("reader")] == ["execution"]
        village.send("David", "GRAVEYARD", "Il fait sombre.")
        assert [row.kind for row in mails("reader")] == ["graveyard-talk"]

    def test_may_want_every_post(self, village, mails):
        village.send("reader", "MAIL posts")
        village.take()
        village.send("Bruno", "SAY", "Bonsoir.")
        (post,) = mails("reader")
        assert "Bonsoir." in _text(post)
        assert _open(post)["From"].addresses[0].display_name == "Bruno"
        assert _open(post)["Reply-To"].addresses[0].addr_spec == "lune@example.org"
        assert "UNWATCH" in _open(post)["List-Unsubscribe"]

    def test_may_want_one_mail_a_day(self, village, mails):
        village.send("reader", "MAIL daily")
        village.take()
        village.send("Bruno", "SAY", "Bonsoir.")
        _evening(village)
        (one,) = mails("reader")
        assert "Bruno · " in _text(one)
        assert one.to == READER

    def test_who_follows_no_longer_gets_nothing_that_waited(self, village, mails):
        village.send("reader", "MAIL daily")
        village.send("Bruno", "SAY", "Bonsoir.")
        village.send("reader", "UNWATCH")
        village.take()
        _evening(village)
        assert mails("reader") == []
        with village.store.read() as tx:
            assert tx.next_collected() is None


@pytest.mark.parametrize(
    ("typed", "understood"),
    [
        ("quotidien", "une lettre par jour"),
        ("RÉSUMÉ", "que les bulletins"),
        ("tout", "chaque message"),
        ("daily", "une lettre par jour"),
    ],
)
def test_the_answer_says_what_was_understood(village, typed, understood):
    village.send("Alice", f"COURRIER {typed}")
    (answer,) = village.take("Alice")
    assert understood in _text(answer)
    elsewhere = "suspendez" if typed != "tout" else "bien inscrit"
    assert elsewhere in _text(answer)


def test_help_and_status_say_how_much_mail_one_gets_and_offer_the_rest(village):
    village.send("Alice", "MAIL daily")
    village.take()
    village.send("Alice", "AIDE")
    village.send("Alice", "STATUT")
    helped, status = (_text(row) for row in village.take("Alice"))
    assert "une lettre par jour." in helped
    assert "COURRIER tout" in helped
    assert "Votre courrier une lettre par jour" in status


def test_a_big_day_is_parted_into_letters_that_mail_programs_show_whole(village, mails):
    village.send("Alice", "MAIL daily")
    village.take()
    for name in ("Bruno", "Chloé", "David"):
        for _ in range(3):
            village.send(name, "SAY", "Longue histoire. " * 900)
    _evening(village)
    parts = mails("Alice")
    assert _subjects(parts) == [f"[PL1] Votre lettre du jour ({n} sur {len(parts)})" for n in range(1, len(parts) + 1)]
    assert len(parts) > 1
    assert all(len(_open(row).get_body(("html",)).get_content().encode()) < 100_000 for row in parts)


def test_the_list_gets_everything_at_once_whatever_anybody_wants(village):
    village.send("Alice", "MAIL daily")
    village.take()
    village.send("Bruno", "SAY", "Bonsoir.")
    assert [row.kind for row in village.take() if row.to == LIST] == ["post"]


class TestTheHour:
    @pytest.mark.parametrize(
        ("now", "wanted"),
        [
            ("2026-12-07T16:59:59+00:00", "2026-12-07T17:00:00+00:00"),
            ("2026-12-07T17:00:00+00:00", "2026-12-08T17:00:00+00:00"),
            ("2026-03-28T18:00:00+00:00", "2026-03-29T16:00:00+00:00"),  # the clock goes forward in the night
            ("2026-10-24T18:00:00+00:00", "2026-10-25T17:00:00+00:00"),
        ],
    )
    def test_is_the_village_clocks(self, now, wanted):
        assert daily.due(Options(), time(18), datetime.fromisoformat(now)) == datetime.fromisoformat(wanted)


def test_the_host_chooses_the_hour(village, mails):
    office = village.receiver.office
    letters = office.settings.letters.model_copy(update={"daily_at": time(8, 30)})
    village.receiver.office = replace(office, settings=office.settings.model_copy(update={"letters": letters}))
    village.send("Alice", "MAIL daily")
    village.take()
    village.send("Bruno", "SAY", "Bonsoir.")
    village.stage.pass_to(daily.due(village.game.options, time(8, 29), village.now))
    assert "daily" not in [row.kind for row in mails("Alice")]
    village.stage.pass_to(daily.due(village.game.options, time(8, 30), village.now))
    assert [row.kind for row in mails("Alice")] == ["daily"]


@pytest.mark.parametrize(
    ("given", "wanted"), [('"7:05"', time(7, 5)), ("23:00:00", time(23)), ('"24:00"', None), ('"soir"', None)]
)
def test_the_hour_is_read_from_the_configuration(tmp_path, given, wanted):
    text = (
        '[game]\naddress = "lune@village.example"\nlist_address = "village@village.example"\n'
        f'storytellers = ["conteur@village.example"]\n[embedded]\nenabled = true\n[letters]\ndaily_at = {given}\n'
    )
    if wanted:
        assert parse(text, origin="test.toml", base=tmp_path).letters.daily_at == wanted
    else:
        with pytest.raises(ConfigError, match="letters.daily_at"):
            parse(text, origin="test.toml", base=tmp_path)


# --- reminders (MAIL.md § 5) ----------------------------------------------------------------------------------------


def _reminded(village, name):
    """Whether he has been reminded of his vote when T comes."""
    village.take()
    village.until(22, day=1)
    return any({"vote-reminder": True} in [dict(notice) for notice in row.notices] for row in village.take(name))


@pytest.mark.parametrize(("words", "wanted"), [("sans rappels", False), ("no reminders", False), ("rappels", True)])
def test_each_player_may_do_without_reminders(village, words, wanted):
    outcome = village.send("Alice", f"COURRIER {words}").outcomes[0]
    assert outcome.status == "accepted"
    letter = village.take("Alice")[0]
    assert ("rappel" in letter.raw.decode("utf-8", "replace").replace("=\r\n", "")) is True
    assert _reminded(village, "Alice") is wanted


def test_a_reminder_says_how_to_be_reminded_no_more_and_that_works(village):
    village.until(22)
    village.wait(minutes=1)
    (reminder,) = [row for row in village.take("Alice") if row.kind == "vote-reminder"]
    assert b"COURRIER sans rappels" in reminder.raw
    village.answer(reminder, "Alice", "COURRIER sans rappels")
    assert not _reminded(village, "Alice")


def test_a_reader_has_no_reminders_to_do_without(village):
    assert village.send("reader", "MAIL no reminders").outcomes[0].code == "not-a-choice"
