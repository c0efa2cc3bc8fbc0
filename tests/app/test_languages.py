"""LANG: any language that there are letters in, without a word of program text (MAIL.md § 3)."""

from __future__ import annotations

from dataclasses import replace
from email import message_from_bytes, policy

import pytest

from pbem.letters.scribe import Scribe
from pbem.resources import templates_dir
from pbem.settings import parse

WORDS = """\
msgid ""
msgstr ""
"Language: de\\n"
"Content-Type: text/plain; charset=utf-8\\n"
"Plural-Forms: nplurals=2; plural=(n != 1);\\n"

msgctxt "subject"
msgid "STATUS"
msgstr "Wo Sie stehen"

msgctxt "noted"
msgid "LANG"
msgstr "Ihre Briefe kommen von nun an auf Deutsch."
"""


def _text(row):
    return message_from_bytes(row.raw, policy=policy.default).get_body(("plain",)).get_content()


@pytest.fixture
def german(village, tmp_path):
    words = tmp_path / "words" / "de" / "LC_MESSAGES"
    words.mkdir(parents=True)
    (words / "letters.po").write_text(WORDS, encoding="utf-8")
    receiver = village.receiver
    receiver.office = replace(receiver.office, scribe=Scribe([tmp_path, templates_dir()]))
    return village


def test_a_third_language_is_chosen_like_the_others(german):
    german.send("Alice", "LANG de")
    (answer,) = german.take("Alice")
    assert "Ihre Briefe kommen von nun an auf Deutsch." in _text(answer)
    german.send("Alice", "STATUS")
    (status,) = german.take("Alice")
    mail = message_from_bytes(status.raw, policy=policy.default)
    assert str(mail["Subject"]) == "[PL1] Wo Sie stehen"
    assert str(mail["Content-Language"]) == "de"
    assert "Where you stand" in _text(status)  # what is not written yet is said in English


def test_without_letters_there_is_no_such_language(village):
    handled = village.send("Alice", "LANG de")
    assert [outcome.code for outcome in handled.outcomes] == ["not-a-choice"]


def test_the_list_may_speak_it(tmp_path):
    text = (
        '[game]\naddress = "lune@village.example"\nlist_address = "village@village.example"\n'
        'storytellers = ["conteur@village.example"]\nlanguage = "de"\n[embedded]\nenabled = true\n'
    )
    assert parse(text, origin="test.toml", base=tmp_path).game.language == "de"
