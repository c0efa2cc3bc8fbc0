"""`pbem game …` and `pbem verify`: opening, listing, showing, exporting."""

from __future__ import annotations

import json
import stat
from pathlib import Path

import pytest

from tests.cli.playing import NAMES, ROLES, Play
from tests.conftest import EMBEDDED


def test_a_new_game_is_open_for_registration(pbem, store):
    code, told, _ = pbem(
        "game", "new", "--series", "Autumn", "--option", "inactivity=off", "--option", "executions=mon 21:00, fri 20:30"
    )
    assert code == 0
    assert "PL1 is open" in told
    assert "lune@village.example" in told
    with store.read() as tx:
        game = tx.load(tx.game_id("PL1"))[0]
        assert (game.open, game.options.inactivity, game.options.language) == (True, "off", "fr")
        assert game.options.executions == ((0, 21 * 60), (4, 20 * 60 + 30))
        assert len(game.seed) == 64
        assert [row.address for row in tx.storytellers(1)] == ["conteur@village.example"]
        assert tx.game(1).series == "Autumn"
        assert len(tx.commands(1)) == 2


@pytest.mark.parametrize(
    ("tellers", "told"),
    [
        (["a@x.example"], "a@x.example tells the story."),
        (["a@x.example", "b@x.example"], "a@x.example and b@x.example tell the story."),
        (["a@x.example", "b@x.example", "c@x.example"], "a@x.example, b@x.example and c@x.example tell the story."),
    ],
)
def test_it_is_said_who_tells_the_story(pbem, tellers, told):
    out = pbem("game", "new", *(word for one in tellers for word in ("--storyteller", one)))[1]
    assert told in " ".join(out.split())


def test_games_are_numbered(pbem):
    assert json.loads(pbem("game", "new", "--json")[1])["code"] == "PL1"
    assert json.loads(pbem("game", "new", "--code", "pl3", "--json")[1])["code"] == "PL3"
    assert json.loads(pbem("game", "new", "--json")[1])["code"] == "PL2"
    assert json.loads(pbem("game", "new", "--json")[1])["code"] == "PL4"


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("--option", "inactivity=perhaps"), '--option inactivity=perhaps: expected "eliminate", "report" or "off"'),
        (("--option", "executions=someday"), "--option executions=someday: expected a weekly moment"),
        (("--option", "sunset=soon"), "--option sunset=soon: expected a duration"),
        (("--option", "sunset=0m"), "--option sunset=0m: expected a duration from 1m up to 7d"),
        (("--option", "vision=0h"), "--option vision=0h: expected a duration from 1m up to 7d"),
        (("--option", "tie_break=59s"), "--option tie_break=59s: expected a duration"),
        (("--option", "colour=red"), "expected KEY=VALUE with one of executions"),
        (("--language", "de"), "--language de: expected en or fr"),
        (("--composition", "open"), '--composition open: expected "hidden" or "public"'),
        (("--storyteller", "nobody"), "--storyteller nobody: expected a mail address"),
        (("--storyteller", "lune@village.example"), "expected a person"),
        (("--code", "1"), "--code 1: expected letters followed by digits"),
        (("--code", "[]"), "expected letters followed by digits"),
        (("--code", "../../x1"), "expected letters followed by digits"),
        (("--series", "a\nb"), "--series: expected at most 100 characters on one line"),
        (("--series", "\udcff"), "--series: expected at most 100 characters on one line"),
        (("--series", "x" * 101), "--series: expected at most 100 characters on one line"),
    ],
)
def test_a_wrong_option_is_one_line(pbem, words, told):
    code, out, err = pbem("game", "new", *words)
    assert (code, out) == (2, "")
    assert told in err
    assert len(err.splitlines()) == 1
    assert "there is no database yet" in pbem("game", "list")[2] or pbem("game", "list", "--json")[1] == "[]\n"


def test_a_language_that_the_host_has_letters_in_can_be_chosen(pbem, folder, store):
    words = folder / "own" / "words" / "de" / "LC_MESSAGES"
    words.mkdir(parents=True)
    (words / "letters.po").write_text('msgid ""\nmsgstr "Content-Type: text/plain; charset=UTF-8\\n"\n')
    (folder / "pbem.toml").write_text(EMBEDDED + '[letters]\ntemplates = "own"\n')
    assert pbem("game", "new", "--language", "de")[0] == 0
    assert pbem("game", "storyteller", "PL1", "--add", "a@example.org", "--language", "de")[0] == 0
    with store.read() as tx:
        assert tx.load(1)[0].options.language == "de"
        assert [row.language for row in tx.storytellers(1) if row.address == "a@example.org"] == ["de"]


def test_a_code_is_given_once(pbem):
    pbem("game", "new")
    code, _, err = pbem("game", "new", "--code", "PL1")
    assert code == 2
    assert "expected a code that no game has" in err


def test_list_and_show_tell_what_the_village_knows_and_no_more(pbem, store):
    play = Play(store)
    play.start()
    play.resolve_next()
    listed = json.loads(pbem("game", "list", "--json")[1])
    assert [(row["code"], row["players"]) for row in listed] == [("PL1", len(NAMES))]
    code, told, _ = pbem("game", "show", "pl1")
    assert code == 0
    assert all(name in told for name in NAMES)
    assert not any(role in told for role in ROLES)
    shown = json.loads(pbem("game", "show", "PL1", "--json")[1])
    assert {seat["role"] for seat in shown["seats"]} == {""}
    assert shown["phase"] == "day"


def test_a_finished_game_shows_who_won(pbem, store):
    play = Play(store)
    play.start()
    play.to_the_end()
    assert "Winner:" in pbem("game", "show", "PL1")[1]
    assert json.loads(pbem("game", "list", "--json")[1])[0]["winner"]


def test_an_unknown_game_is_told_with_those_there_are(pbem, store):
    Play(store)
    code, _, err = pbem("game", "show", "PL7")
    assert code == 2
    assert "there is no game PL7; expected one of PL1" in err


def test_bytes_that_are_no_text_name_no_game(pbem, store):
    code, _, err = pbem("game", "show", "\udcff")
    assert (code, len(err.splitlines())) == (2, 1)
    assert "there is no game" in err


def test_without_games_there_is_a_hint(pbem, store):
    assert "pbem game new" in pbem("game", "list")[1]


def test_export_and_verify(pbem, store, folder):
    play = Play(store)
    play.start()
    play.to_the_end()
    code, _, err = pbem("game", "export", "PL1", "--output", "PL1.json")
    assert (code, err) == (0, "")
    assert stat.S_IMODE((folder / "PL1.json").stat().st_mode) == 0o600
    assert json.loads(pbem("game", "export", "PL1")[1]) == json.loads((folder / "PL1.json").read_text())
    code, told, _ = pbem("verify", "PL1.json")
    assert code == 0
    assert "Everything follows" in told
    assert json.loads(pbem("verify", "PL1.json", "--json")[1])["holds"] is True


@pytest.fixture
def exports(pbem, store):
    Play(store).start()
    return lambda file: pbem("game", "export", "PL1", "--people", "-o", file)


def test_an_export_leaves_no_former_mode(exports, folder):
    """What others could read before is for its owner alone now."""
    file = folder / "PL1.json"
    file.write_text("old")
    file.chmod(0o666)
    with file.open() as reader:
        assert exports("PL1.json")[0] == 0
        assert reader.read() == "old"  # who had it open sees nothing of the new one
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert json.loads(file.read_text())["code"] == "PL1"


def test_an_export_follows_no_link(exports, folder):
    for target in ("mine.txt", "nothing.txt"):
        (folder / "mine.txt").write_text("mine")
        (folder / "PL1.json").unlink(missing_ok=True)
        (folder / "PL1.json").symlink_to(target)
        assert exports("PL1.json")[0] == 0
        assert not (folder / "PL1.json").is_symlink()
        assert (folder / "mine.txt").read_text() == "mine"
        assert not (folder / "nothing.txt").exists()
        assert stat.S_IMODE((folder / "PL1.json").stat().st_mode) == 0o600


def test_an_export_that_cannot_be_written_leaves_what_was_there(exports, folder, monkeypatch):
    (folder / "PL1.json").write_text("old")

    def fail(_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", fail)
    code, _, err = exports("PL1.json")
    assert (code, err.splitlines()[-1]) == (2, "pbem: PL1.json: cannot be written (No space left on device)")
    assert (folder / "PL1.json").read_text() == "old"
    assert not list(folder.glob(".PL1*"))


def test_an_export_into_a_pipe_or_a_folder(exports, folder):
    assert exports("/dev/null")[0] == 0
    assert stat.S_ISCHR(Path("/dev/null").stat().st_mode)
    code, _, err = exports(str(folder))
    assert (code, "cannot be written" in err) == (2, True)


def test_verify_says_no(pbem, store, folder):
    play = Play(store)
    play.start()
    code, _, err = pbem("game", "export", "PL1", "--output", "PL1.json")
    assert "holds its secrets" in err
    code, told, _ = pbem("verify", "PL1.json")
    assert code == 1
    assert "not over" in told
    value = json.loads((folder / "PL1.json").read_text())
    next(row["event"] for row in value["events"] if row["event"]["type"] == "DiceRolled")["value"] = 99
    (folder / "PL1.json").write_text(json.dumps(value))
    code, told, _ = pbem("verify", "PL1.json")
    assert code == 1
    assert "does not hold" in told


def test_verify_of_something_else_is_a_mistake(pbem, folder):
    (folder / "x.json").write_bytes(b"\xff")
    for file in ("x.json", "pbem.toml", "nothing.json"):
        code, _, err = pbem("verify", file)
        assert (code, len(err.splitlines())) == (2, 1)
