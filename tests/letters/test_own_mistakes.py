"""A host's own templates that are wrong: told before anybody gets a letter, and never in the way of one."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

import pytest

from pbem.cli import main
from pbem.letters import samples as every
from pbem.letters.press import Press
from pbem.letters.samples import preview, proof
from pbem.letters.samples.troupe import Troupe
from pbem.letters.scribe import Scribe
from pbem.resources import templates_dir
from tests.letters.test_preview import MINIMAL

if TYPE_CHECKING:
    from pathlib import Path

OURS = templates_dir()
KIT = "letters/_kit/html.j2"
STORY = "letters/opening/fr.j2"
WRONG = {
    "a name that is not there": (STORY, "Bon\n\n{{ nichts }}\n", ":3: 'nichts' is undefined"),
    "an attribute that is not there": (STORY, "{{ lang.nichts }}", ":1: 'str object' has no attribute 'nichts'"),
    "no template": (STORY, "Bon\n{% if %}\n{% endif %}", ":2: Expected an expression"),
    "an open tag": (STORY, "Bon\n\n{{ lang", ":3: unexpected end of template"),
    "an unknown filter": (STORY, "Bon\n{{ lang|nichts }}", ":2: No filter named 'nichts'"),
    "a division": (STORY, "\n{{ 1 // 0 }}", ":2: ZeroDivisionError"),
    "a piece of the kit called wrongly": (STORY, "\n\n{{ table() }}", ":3: TypeError"),
    "a template that is not there": (STORY, "\n{% include 'letters/nowhere.j2' %}", ":2: TemplateNotFound"),
    "not UTF-8": (STORY, b"\xff", ": cannot be read"),
    "a kit that is none": (KIT, "{% macro p(x) %}", ":1: Unexpected end of template"),
    "a kit without its macros": (KIT, "x", "AttributeError"),
    "a style sheet that is a template": ("letters/_kit/letter.css", "\n{{ nichts }}", ":2: 'nichts' is undefined"),
    "verses that are no TOML": ("verses/fr.toml", "\nmurder = x\n", ":2: "),
    "verses that are no list": ("verses/fr.toml", "murder = 3", "murder: expected a list of lines"),
    "a card that lacks what cards have": ("roles/werewolf/fr.toml", "bare = 'Loup'", "is no card (KeyError: 'name')"),
    "a card that is no TOML": ("roles/werewolf/fr.toml", "bare = \n", ":1: "),
    "a letter that no sample needs": ("letters/mine/fr.j2", "{% nichts %}", ":1: Encountered unknown tag 'nichts'"),
    "a page that is no template": ("archive/pages/x.j2", "{{", ":1: unexpected 'end of template'"),
}
PO = (
    'msgid ""\nmsgstr ""\n"Language: fr\\n"\n"Content-Type: text/plain; charset=utf-8\\n"\n\n'
    'msgctxt "masthead"\nmsgid "day"\nmsgstr "{nichts}"\n'
)
WRONG["words that ask for another field"] = ("words/fr/LC_MESSAGES/letters.po", PO, "cannot be filled in (KeyError)")
NEVER_RENDERED = {"a letter that no sample needs", "a page that is no template"}


def write(folder: Path, name: str, text: str | bytes) -> Path:
    file = folder / name
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(text if isinstance(text, bytes) else text.encode())
    return file


def opening(scribe: Scribe) -> list:
    """The letters of a game's beginning, in both languages: they need cards, verses, words, the kit and its looks."""
    troupe = Troupe(scribe)
    return troupe.told(troupe.day.events)


@pytest.fixture(scope="module")
def plain() -> list:
    return opening(Scribe([OURS]))


@pytest.mark.parametrize("case", WRONG)
def test_a_mistake_is_found_and_named(tmp_path, case) -> None:
    name, text, told = WRONG[case]
    file = write(tmp_path, name, text)
    wrong = proof.read(Scribe([tmp_path, OURS]), tmp_path, opening)
    assert wrong
    assert any(one.text.startswith(str(file) if told.startswith(":") else str(tmp_path)) for one in wrong)
    assert told in wrong[0].text
    assert len(wrong[0].text.splitlines()) == 1


@pytest.mark.parametrize("case", [case for case in WRONG if case not in NEVER_RENDERED])
def test_every_letter_is_written_all_the_same_and_the_mistake_logged_once(tmp_path, case, plain, caplog) -> None:
    name, text, _ = WRONG[case]
    write(tmp_path, name, text)
    scribe = Scribe([tmp_path, OURS])
    letters = opening(scribe)
    assert [(one.to, one.kind, one.subject) for one in letters] == [(one.to, one.kind, one.subject) for one in plain]
    assert [one.text for one in letters] == [one.text for one in plain]
    again = opening(scribe)
    assert [one.html for one in again] == [one.html for one in letters]
    assert len(scribe.press.mistakes) == 1
    assert [record.message for record in caplog.records] == [
        f"a template of your own is wrong, the program's is used instead: {one.discreet}"
        for one in scribe.press.mistakes
    ]


def test_the_log_holds_nothing_of_what_a_letter_is_about(tmp_path, caplog) -> None:
    write(tmp_path, "letters/told/fr.j2", "{{ {}[text] }}")
    write(tmp_path, "letters/told/en.j2", "{{ text|int(base=text) }}")
    scribe = Scribe([tmp_path, OURS])
    troupe = Troupe(scribe)
    from pbem.engine.events import Told  # noqa: PLC0415

    troupe.told((Told(1, "canary"), Told(3, "canary")))
    assert len(scribe.press.mistakes) >= 1
    assert "canary" not in caplog.text
    assert "UndefinedError" in caplog.text


def test_what_is_no_mistake_of_the_hosts_is_raised(tmp_path) -> None:
    write(tmp_path, "letters/mine/fr.j2", "x")
    room = Press([tmp_path, OURS]).room("fr")
    with pytest.raises(Exception, match="letters/nowhere"):
        room.render("letters/nowhere", {})
    assert not room.has("letters/nowhere")
    assert room.render("letters/mine", {}).text == "x"


def test_the_programs_own_templates_as_a_hosts_are_without_mistakes(tmp_path) -> None:
    for part in ("letters", "refusals", "verses", "roles", "rules", "words", "archive"):
        shutil.copytree(OURS / part, tmp_path / part)
    assert proof.read(Scribe([tmp_path, OURS]), tmp_path, opening) == []


# --- the commands ---------------------------------------------------------------------------------------------------


@pytest.fixture
def config(tmp_path, monkeypatch) -> Path:
    write(tmp_path, "own/letters/opening/fr.j2", "Bon\n\n{{ nichts }}\n")
    (tmp_path / "pbem.toml").write_text(MINIMAL + '[letters]\ntemplates = "own"\n')
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(proof, "samples", lambda scribe, _language: opening(scribe))  # all of them take seconds
    monkeypatch.setattr(preview, "samples", lambda scribe, _language: {"start": opening(scribe)})
    return tmp_path / "pbem.toml"


COMMANDS = [("run",), ("doctor",), ("doctor", "--offline"), ("letters", "preview", "--out", "out")]


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
@pytest.mark.parametrize("text", ["Bon\n\n{{ nichts }}\n", "Bon\n\n{% nichts %}\n"])
def test_a_mistake_is_one_line_before_anything_starts(config, capsys, command, text) -> None:
    write(config.parent, "own/letters/opening/fr.j2", text)
    with pytest.raises(SystemExit) as ended:
        main(command)
    told = capsys.readouterr()
    assert (ended.value.code, told.out) == (2, "")
    assert len(told.err.splitlines()) == 1
    assert f"letters.templates: {config.parent}/own/letters/opening/fr.j2:3: " in told.err
    assert "'nichts'" in told.err
    assert not (config.parent / "var").exists()


def test_several_mistakes_are_counted(config, capsys) -> None:
    write(config.parent, "own/letters/role-dealt/fr.j2", "{{ nichts }}")
    with pytest.raises(SystemExit):
        main(["letters", "preview", "--out", "out"])
    assert capsys.readouterr().err.endswith("(and 1 more)\n")


def test_whoever_has_no_templates_of_his_own_waits_for_nothing(config, monkeypatch, capsys) -> None:
    config.write_text(MINIMAL)
    monkeypatch.setattr(proof, "read", lambda *_: pytest.fail("it looks"))
    with pytest.raises(SystemExit):
        main(["doctor", "--offline"])
    assert "configuration" in capsys.readouterr().out


def test_the_samples_that_are_read_are_all_there_are() -> None:
    assert proof.samples is every.samples
