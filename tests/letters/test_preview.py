"""`pbem letters preview`: a page with every letter, whole, that needs nothing from elsewhere."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

import pytest

from pbem.cli import main
from pbem.letters.samples import preview
from pbem.letters.samples.troupe import Troupe
from pbem.letters.scribe import Scribe
from pbem.resources import templates_dir
from tests.letters.village import SCRIBE

if TYPE_CHECKING:
    from pathlib import Path

MINIMAL = """
[game]
address = "lune@village.example"
list_address = "village@village.example"
storytellers = ["conteur@village.example"]
[embedded]
enabled = true
"""


@pytest.fixture(scope="module")
def shown(tmp_path_factory):
    folder = tmp_path_factory.mktemp("preview")
    return folder, preview.write(SCRIBE, folder)


def test_every_letter_is_there_in_both_shapes(shown) -> None:
    folder, letters = shown
    page = (folder / "index.html").read_text("utf-8")
    for one in letters:
        assert f'href="{one.stem}.html"' in page
        html = (folder / f"{one.stem}.html").read_text("utf-8")
        assert html.startswith("<!DOCTYPE html>")
        assert "(prefers-color-scheme: dark)" in html
        assert "(prefers-color-scheme: dark)" not in (folder / f"{one.stem}-dark.html").read_text("utf-8")
        text = (folder / f"{one.stem}.txt").read_text("utf-8")
        assert f"Subject: {one.subject}\n" in text
        assert "\nPleine Lune · " in text
        for file in one.files:
            assert list((folder / "letters").glob(f"*{file}"))


def test_every_language_and_gender_is_there_for_each_private_kind(shown) -> None:
    found = {}
    for one in shown[1]:
        found.setdefault(one.kind, set()).add((one.language, one.gender))
    everybody = {(language, gender) for language in ("fr", "en") for gender in "fm"}
    for kind in ("role-dealt", "ack", "ballot", "death", "ghost", "threatened", "confirm", "tag-replaced", "asked"):
        assert found.get(kind, everybody) >= everybody, kind
    for kind in ("opening", "murder", "execution", "end", "election", "tie", "chronicle"):
        assert found[kind] >= {("fr", ""), ("en", "")}, kind


def test_nothing_comes_from_elsewhere(shown) -> None:
    page = (shown[0] / "index.html").read_text("utf-8")
    assert not re.search(r"https?://|//[a-z]|url\(|@import", page)


def test_no_letter_is_shown_twice(shown) -> None:
    folder, letters = shown
    pages = [(one.gender or one.to, one.subject, (folder / f"{one.stem}.html").read_text("utf-8")) for one in letters]
    assert len(set(pages)) == len(pages)


def test_the_command_says_where_the_page_is(tmp_path: Path, capsys, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("pbem.letters.samples.preview._each", lambda _scribe: iter(()))
    monkeypatch.setattr("pbem.letters.samples.preview.write", lambda _scribe, folder: (folder.mkdir(), [])[1])
    with pytest.raises(SystemExit) as ended:
        main(["letters", "preview", "--out", str(tmp_path / "out"), "--json"])
    assert not ended.value.code
    assert json.loads(capsys.readouterr().out) == {
        "page": str(tmp_path / "out" / "index.html"),
        "letters": 0,
        "kinds": [],
    }


def test_a_folder_that_cannot_be_made_is_named(tmp_path: Path, capsys) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(SystemExit) as ended:
        main(["letters", "preview", "--out", str(tmp_path / "file" / "out")])
    assert ended.value.code == 1
    assert "cannot be written" in capsys.readouterr().err


class TestAHostsTemplates:
    @pytest.fixture
    def config(self, tmp_path: Path) -> Path:
        own = tmp_path / "own" / "letters" / "told"
        own.mkdir(parents=True)
        (own / "fr.j2").write_text('{{ subject("Psst") }}\n{{ text }}\n', encoding="utf-8")
        (tmp_path / "pbem.toml").write_text(MINIMAL + '[letters]\ntemplates = "own"\n')
        return tmp_path / "pbem.toml"

    def test_are_shown_where_they_stand_in(self, config: Path, monkeypatch, capsys) -> None:
        written = []
        monkeypatch.setattr("pbem.letters.samples.preview.write", lambda scribe, _folder: written.append(scribe) or [])
        with pytest.raises(SystemExit):
            main(["letters", "preview", "--out", str(config.parent / "out"), "--config", str(config)])
        (scribe,) = written
        troupe = Troupe(scribe)
        from pbem.engine.events import Told  # noqa: PLC0415

        letters = troupe.told((Told(1, "oui"), Told(3, "yes")))
        assert [letter.subject for letter in letters] == ["[PL1] Psst", "[PL1] The storyteller writes to you"]

    def test_a_folder_that_is_not_there_is_told_in_one_line(self, config: Path, capsys) -> None:
        config.write_text(MINIMAL + '[letters]\ntemplates = "nowhere"\n')
        with pytest.raises(SystemExit) as ended:
            main(["letters", "preview", "--out", str(config.parent / "out"), "--config", str(config)])
        assert ended.value.code == 2
        assert "letters.templates" in capsys.readouterr().err


def test_a_third_language_is_shown_too(tmp_path: Path) -> None:
    words = tmp_path / "words" / "de" / "LC_MESSAGES"
    words.mkdir(parents=True)
    (words / "letters.po").write_text(
        'msgid ""\nmsgstr ""\n"Language: de\\n"\n"Content-Type: text/plain; charset=utf-8\\n"\n\n'
        'msgctxt "masthead"\nmsgid "day"\nmsgstr "Pleine Lune · Spiel {code} · Tag {turn}"\n',
        encoding="utf-8",
    )
    troupe = Troupe(Scribe([tmp_path, templates_dir()]), "de")
    assert troupe.languages == ("de", "fr", "en")
    letters = troupe.told(troupe.day.events)
    assert {letter.language for letter in letters} == {"de", "fr", "en"}
    assert any(letter.text.startswith("Pleine Lune · Spiel PL1 · Tag 1") for letter in letters)
