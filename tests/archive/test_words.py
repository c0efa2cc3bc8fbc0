"""The words of the archive: a host's own come before the program's, a third language needs files alone."""

from __future__ import annotations

import pytest

from tests.archive.troupe import Stage

HEAD = 'msgid ""\nmsgstr ""\n"Content-Type: text/plain; charset=utf-8\\n"\n"Plural-Forms: nplurals=2; plural=(n != 1);\\n"\n'
VILLAGE = 'msgctxt "ui"\nmsgid "village"\nmsgstr "{}"\n'


@pytest.fixture
def own(tmp_path):
    """A host's folder: German in part, and one French word that is otherwise."""
    folder = tmp_path / "own"
    write(folder / "archive/words/de/LC_MESSAGES/letters.po", HEAD + VILLAGE.format("Das Dorf"))
    write(
        folder / "words/de/LC_MESSAGES/letters.po",
        HEAD + 'msgctxt "label"\nmsgid "voter"\nmsgstr "Wer"\n\nmsgctxt "date"\nmsgid "hour"\nmsgstr "HH:mm \'Uhr\'"\n',
    )
    write(folder / "archive/words/fr/LC_MESSAGES/letters.po", HEAD + VILLAGE.format("Le hameau"))
    return folder


def write(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, "utf-8")


def test_a_third_language_is_spoken_as_far_as_it_goes_and_then_english(tmp_path, own):
    stage = Stage(tmp_path, own=own)
    game = stage.open("PL1", language="de")
    game.start(mayor=1)
    game.order("Alice", "VOTE", "Bruno")
    game.until("execution")
    stage.publish()
    page = stage.read("pl1/")
    assert '<html lang="de">' in page
    assert '<h2 id="people">Das Dorf</h2>' in page
    assert "The story, day by day" in page
    assert ">Wer</th>" in stage.read("pl1/votes/")
    assert "Dienstag 8 Dezember at 22:00 Uhr" in stage.read("pl1/day-1/")
    stage.store.close()


def test_a_hosts_word_comes_before_the_programs(tmp_path, own):
    stage = Stage(tmp_path, own=own)
    stage.open("PL1").start()
    stage.publish()
    assert '<h2 id="people">Le hameau</h2>' in stage.read("pl1/")
    assert "L’histoire, jour après jour" in stage.read("pl1/")
    stage.store.close()


def test_when_a_hosts_words_change_everything_is_written_anew(tmp_path, own):
    stage = Stage(tmp_path, own=own)
    stage.open("PL1").start()
    stage.publish()
    stage.renew()
    assert not stage.publish()
    write(own / "archive/words/fr/LC_MESSAGES/letters.po", HEAD + VILLAGE.format("La bourgade"))
    stage.renew()
    assert stage.publish()
    assert "La bourgade" in stage.read("pl1/")
    stage.store.close()
