"""A co-storyteller is named, gets what the storyteller gets, and takes over when the first one goes."""

from __future__ import annotations

import json
from email import message_from_bytes, policy

import pytest

from pbem.app import tellers
from pbem.app.tellers import Unfit
from pbem.cli import main
from pbem.rehearsal.mailwriter import STORYTELLER, text_of
from tests.app.conftest import make_village, village
from tests.cli.playing import Play
from tests.conftest import EMBEDDED

from pbem.store import Store  # isort: skip

ANNA = ("Anna", "anna@example.org")

__all__ = ["make_village", "village"]


def name(village, address=ANNA[1], **keys):
    with village.store.begin() as tx:
        return tellers.name(village.receiver.office, tx, 1, address, village.now, **keys)


def dismiss(village, address):
    with village.store.begin() as tx:
        tellers.dismiss(tx, 1, address)


def codes(handled):
    return [outcome.code or outcome.status for outcome in handled.outcomes]


def test_a_stranger_steers_nothing_until_he_is_named(village):
    assert codes(village.send(ANNA, "ADMIN PAUSE")) == ["not-in-game"]
    assert name(village)
    assert codes(village.send(ANNA, "ADMIN PAUSE")) == ["accepted"]
    assert village.game.paused


def test_he_is_sent_the_whole_state_in_his_language(village):
    name(village, language="en")
    (letter,) = village.take()
    assert letter.to == ANNA[1]
    text = text_of(message_from_bytes(letter.raw, policy=policy.default))
    assert "Bruno" in text
    assert "werewolf" in text


def test_naming_him_twice_is_no_news(village):
    assert name(village)
    village.take()
    assert not name(village)
    assert village.take() == []


def test_both_get_what_the_storyteller_gets_and_each_may_steer(village):
    name(village)
    village.take()
    village.send("Alice", "QUESTION", "Une question ?")
    assert {row.to for row in village.take() if row.to in {ANNA[1], STORYTELLER}} == {ANNA[1], STORYTELLER}
    assert codes(village.send("storyteller", "ADMIN PAUSE")) == ["accepted"]
    assert codes(village.send(ANNA, "ADMIN RESUME")) == ["accepted"]


def test_he_takes_over(village):
    name(village)
    dismiss(village, STORYTELLER)
    village.take()
    assert codes(village.send("storyteller", "ADMIN PAUSE")) == ["not-in-game"]
    assert not village.game.paused
    assert codes(village.send(ANNA, "ADMIN NARRATE", "La lune se lève.")) == ["accepted"]
    village.take()
    village.send("Alice", "QUESTION", "Et maintenant ?")
    assert [row.to for row in village.take() if row.to in {ANNA[1], STORYTELLER}] == [ANNA[1]]


def test_a_reader_who_is_named_follows_no_longer(village):
    village.send("reader", "WATCH")
    with village.store.begin() as tx:
        tx.add_reader(1, ANNA[1], "anna0000reads000")
    name(village)
    with village.store.read() as tx:
        assert ANNA[1] not in [row.address for row in tx.readers(1)]


@pytest.mark.parametrize(
    ("address", "told"),
    [
        ("alice@example.org", "plays in this game"),
        ("lune@example.org", "expected a person"),
        ("village@example.org", "expected a person"),
    ],
)
def test_who_cannot_be_storyteller(village, address, told):
    with pytest.raises(Unfit, match=told):
        name(village, address)


def test_a_game_is_never_without_one(village):
    with pytest.raises(Unfit, match="is the last storyteller"):
        dismiss(village, STORYTELLER)
    with pytest.raises(Unfit, match="expected one of conteur@example.org"):
        dismiss(village, ANNA[1])


# --- the command ----------------------------------------------------------------------------------------------------


@pytest.fixture
def pbem(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "pbem.toml").write_text(EMBEDDED)
    store = Store(f"sqlite:///{tmp_path}/var/pbem.sqlite")
    store.migrate()
    Play(store)
    store.close()

    def run(*words):
        with pytest.raises(SystemExit) as ended:
            main(("game", "storyteller", *words))
        told = capsys.readouterr()
        return ended.value.code or 0, told.out, told.err

    return run


def test_the_command_names_and_lets_go(pbem):
    assert pbem("PL1", "--json")[1] == '[\n  "conteur@example.org"\n]\n'
    code, out, _ = pbem("PL1", "--add", "Anna@example.org", "--remove", "conteur@example.org")
    assert (code, "PL1 is steered by anna@example.org." in out) == (0, True)
    assert json.loads(pbem("pl1", "--json")[1]) == ["anna@example.org"]


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("PL9",), "there is no game PL9; expected one of PL1"),
        (("PL1", "--add", "anna"), "--add anna: expected a mail address"),
        (("PL1", "--remove", "conteur@example.org"), "is the last storyteller"),
        (("PL1", "--add", "p1@example.org"), "p1@example.org: plays in this game"),
        (("PL1", "--add", "a@example.org", "--language", "de"), "--language de: expected en or fr"),
        (("PL1", "--add", "a@example.org", "--remove", "b@example.org"), "b@example.org: expected one of"),
    ],
)
def test_what_cannot_be_is_one_line_and_changes_nothing(pbem, words, told):
    code, _, err = pbem(*words)
    assert (code, len(err.splitlines())) == (2, 1)
    assert told in err
    assert json.loads(pbem("PL1", "--json")[1]) == ["conteur@example.org"]


# --- completion -----------------------------------------------------------------------------------------------------


def test_the_shell_completes_commands_and_codes(pbem, monkeypatch, capsys):
    def complete(*words):
        monkeypatch.setenv("_PBEM_COMPLETE", "complete_bash")
        monkeypatch.setenv("COMP_WORDS", "\n".join(("pbem", *words)))
        monkeypatch.setenv("COMP_CWORD", str(len(words)))
        with pytest.raises(SystemExit):
            main(())
        return capsys.readouterr().out.split()

    assert "doctor" in complete("do")
    assert complete("game", "show", "P") == ["PL1"]
    assert complete("game", "show", "X") == []


def test_the_shell_script_can_be_shown(monkeypatch, capsys):
    monkeypatch.setattr("typer.completion._get_shell_name", lambda: "bash", raising=False)
    with pytest.raises(SystemExit) as ended:
        main(("--show-completion", "bash"))
    assert ended.value.code in {0, None}
    assert "_PBEM_COMPLETE" in capsys.readouterr().out
