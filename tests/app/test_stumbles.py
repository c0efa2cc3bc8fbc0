"""What the program cannot do is told in its status: games that stand still, mails put aside, templates that are wrong."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest

from pbem import resources
from pbem.app import handling, health
from pbem.app.desk import Desk
from pbem.app.status import gather
from pbem.engine.decide import due_at
from pbem.letters.scribe import Scribe


@pytest.fixture
def look(village):
    """How the program stands, as if it ran but for its letters, which nobody sends here; causes and texts."""

    def gathered(now=None):
        now = now or village.now
        with village.store.begin() as tx:
            health.write(tx, health.Health(at=now, started=now, polled=now))
        with village.store.read() as tx:
            return {problem.cause: problem.text for problem in gather(tx, now).found if problem.cause != "stuck"}

    return gathered


def own(village, folder, text, name="letters/execution/fr.j2"):
    """From now on the village's host has that template."""
    file = folder / name
    file.parent.mkdir(parents=True)
    file.write_text(text)
    office = replace(village.receiver.office, scribe=Scribe([folder, resources.templates_dir()]))
    village.receiver.office = office


@pytest.mark.parametrize("text", ["{{ nichts }}", "{% nichts %}", "{{ nobody.name }}"])
def test_a_game_goes_on_over_a_wrong_template_and_the_status_tells(village, tmp_path, look, text):
    assert look() == {}
    own(village, tmp_path, text)
    due, before = due_at(village.game), village.stage.version()
    assert "execution" in village.receiver.tick(due, due)
    assert village.stage.version() > before
    assert [row.kind for row in village.take() if row.kind == "execution"]
    assert list(look()) == ["templates"]
    assert f"{tmp_path}/letters/execution/fr.j2:1: " in look()["templates"]


def test_mails_are_answered_over_a_wrong_template(village, tmp_path, look):
    own(village, tmp_path, "{{ nichts }}", "letters/done/fr.j2")
    assert village.send("Alice", "VOTE Bruno").kind == "command"
    assert village.take("Alice")
    village.receiver.tick(village.now, village.now)
    assert list(look()) == ["templates"]


def test_a_mended_template_is_no_news_after_a_restart(village, tmp_path, look):
    own(village, tmp_path, "{{ nichts }}", "letters/done/fr.j2")
    village.send("Alice", "VOTE Bruno")
    village.receiver.tick(village.now, village.now)
    assert look()
    again = type(village.receiver)(village.store, Scribe([resources.templates_dir()]), village.receiver.office.settings)
    again.tick(village.now, village.now)
    assert look() == {}


def test_a_game_that_stands_still_is_told_as_that_until_it_goes_on(village, monkeypatch, look):
    due = due_at(village.game)

    def stumble(*_):
        raise ValueError("canary")

    with monkeypatch.context() as patch:
        patch.setattr(Desk, "resolve_one", stumble)
        village.receiver.tick(due, due)
        village.receiver.tick(due, due)
    told = look(due + timedelta(minutes=20))
    assert list(told) == ["still"]
    assert told["still"].startswith(f"PL1 stands still since {due:%Y-%m-%d %H:%M} UTC (ValueError in ")
    assert "canary" not in told["still"]
    village.receiver.tick(due, due)
    assert look(due) == {}


def test_mails_over_which_the_program_stumbled_are_news_for_two_days(village, monkeypatch, look):
    def broken(*_args, **_options):
        raise IndexError("canary")

    with monkeypatch.context() as patch:
        patch.setattr(handling.conversation, "perform", broken)
        village.send("Alice", "SAY", "Un mot.")
        village.send("Bruno", "SAY", "Un mot.")
    told = look()
    assert told["stumbled"] == "2 mail(s) made the program stumble in the last two days, and were put aside"
    assert "stumbled" not in look(village.now + timedelta(days=2, hours=1))


def test_a_mail_that_nobody_can_read_needs_no_host(village, look):
    text = "-----BEGIN PGP MESSAGE-----\nabc\n-----END PGP MESSAGE-----"
    assert village.send("Alice", "Secret", text).kind == "quarantined"
    assert look() == {}
