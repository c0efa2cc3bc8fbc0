"""Nothing can happen, and nothing be refused, without a letter in every language; and a language is data."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from babel.messages.pofile import read_po

from pbem.engine import events as e
from pbem.engine.roles import ADMIN_LEXICON, LEXICON, ROSTER
from pbem.engine.state import Phase
from pbem.engine.verbs import Args
from pbem.letters import digest, seats, storyteller
from pbem.letters.outcome import Outcome
from pbem.letters.press import BLOCKS, INLINE
from pbem.letters.scribe import HOLDABLE, Scribe
from pbem.resources import templates_dir
from tests.letters.gallery import CODES, samples
from tests.letters.village import SCRIBE, Village, to

if TYPE_CHECKING:
    from pathlib import Path

    from pbem.engine.roles.base import Power

TEMPLATES = templates_dir()
LANGUAGES = ("en", "fr")
SPECIAL = {"Died", "OrderVoided", "OfficeTaken", "GraveyardTalked", "Posted"}
"""Events whose section hangs on more than their class; the gallery shows them all."""


def _classes(base: type) -> list[type]:
    """The events of a family."""
    known = (kind for kind in vars(e).values() if isinstance(kind, type) and issubclass(kind, base))
    return [kind for kind in known if kind not in {base, e.Event}]


def test_languages_are_folders() -> None:
    assert SCRIBE.languages == LANGUAGES


def test_every_folder_of_letters_has_a_template_in_every_language() -> None:
    for top in ("letters", "refusals"):
        for folder in (TEMPLATES / top).iterdir():
            if folder.is_dir() and folder.name != "_kit":
                assert sorted(path.name for path in folder.iterdir()) == ["en.j2", "fr.j2"], folder


def test_every_private_event_has_its_section() -> None:
    for kind in _classes(e.Private):
        assert kind in seats.KINDS or kind in storyteller.KINDS or kind.__name__ in SPECIAL, kind


def test_every_public_event_has_its_section_or_is_silent_on_purpose() -> None:
    for kind in _classes(e.Public):
        assert kind in digest._TELLERS or kind in digest.SILENT, kind


def test_every_section_has_a_template_and_a_place() -> None:
    for order in (digest.ORDER, seats.ORDER, storyteller.ORDER):
        assert len(set(order)) == len(order)
        for kind in order:
            for language in LANGUAGES:
                assert (TEMPLATES / "letters" / kind / f"{language}.j2").is_file(), kind
    assert {*seats.KINDS.values(), "vote-void", "order-void", "elected", "mayor-now"} <= set(seats.ORDER)
    assert set(storyteller.KINDS.values()) <= set(storyteller.ORDER)
    assert set(digest.ORDER) >= HOLDABLE
    assert set(seats.ORDER) >= seats.LASTING


def test_every_refusal_of_the_protocol_has_words() -> None:
    known = {folder.name for folder in (TEMPLATES / "refusals").iterdir()}
    assert known == {*CODES, "other"}
    assert len(CODES) == 33


def test_the_gallery_shows_every_template() -> None:
    """Each template of letters and refusals is the one a sample was written with: nothing is there untried."""
    shown = {folder for room in SCRIBE.press._rooms.values() for folder in room._found}
    samples()
    shown |= {folder for room in SCRIBE.press._rooms.values() for folder in room._found}
    wanted = {
        f"{top}/{folder.name}"
        for top in ("letters", "refusals")
        for folder in (TEMPLATES / top).iterdir()
        if folder.is_dir()
    }
    assert wanted - shown == {"letters/_kit", "letters/_card"}


class TestWords:
    def _catalogue(self, language: str) -> dict[tuple[str, str], object]:
        path = TEMPLATES / "words" / language / "LC_MESSAGES" / "letters.po"
        with path.open("rb") as file:
            return {(m.context, m.id if isinstance(m.id, str) else m.id[0]): m for m in read_po(file) if m.id}

    def test_every_language_says_the_same_things(self) -> None:
        french, english = self._catalogue("fr"), self._catalogue("en")
        only_french = {("typography", key) for key in ("before", "after")} | {("date", "sharp"), ("date", "first")}
        only_french |= {("elision", key) for key in ("words", "before", "but")}
        assert set(french) - set(english) == only_french
        assert set(english) <= set(french)

    @pytest.mark.parametrize("language", LANGUAGES)
    def test_with_the_same_fields(self, language: str) -> None:
        other = self._catalogue("en")
        for key, message in self._catalogue(language).items():
            texts = message.string if isinstance(message.string, tuple) else (message.string,)
            assert all(texts), key
            if key in other:
                theirs = other[key].string if isinstance(other[key].string, tuple) else (other[key].string,)
                assert {frozenset(re.findall(r"\{(\w+)\}", text)) for text in texts} == {
                    frozenset(re.findall(r"\{(\w+)\}", text)) for text in theirs
                }, key

    @pytest.mark.parametrize("language", LANGUAGES)
    def test_every_verb_is_a_word_of_the_protocol(self, language: str) -> None:
        words = SCRIBE.press.room(language).words
        for verb in (*LEXICON, *ADMIN_LEXICON):
            assert words("verb", verb.name) in (verb.name, *verb.french)
        assert words("verb", "ANYONE") in {"ANYONE", "QUICONQUE"}

    @pytest.mark.parametrize("language", LANGUAGES)
    def test_every_verb_can_be_told_of(self, language: str) -> None:
        words = SCRIBE.press.room(language).words
        for verb in LEXICON:
            if verb.name in {"STATUS", "HELP", "RULES"}:
                continue
            keys = {f"{verb.name} 2"} if verb.args is Args.TWO_PLAYERS else {verb.name, f"{verb.name} posts"}
            assert any(words.has("noted", key) for key in keys), verb
        for verb in ADMIN_LEXICON:
            assert words.has("noted admin", verb.name) or verb.name == "STATUS", verb

    @pytest.mark.parametrize("language", LANGUAGES)
    def test_every_power_has_its_title_and_hours(self, language: str) -> None:
        words = SCRIBE.press.room(language).words
        powers: list[Power] = [power for role in ROSTER.values() for power in role.powers]
        for power in powers:
            assert words.has("act", power.verb.name), power
            assert words.has("until", power.until), power
        for verb in ("VOTE", "ELECT", "HEIR", "DECIDE"):
            assert words.has("act", verb)
            assert words.has("effect", verb)
        for phase in (*Phase, "paused"):
            assert words.has("phase", str(phase))

    def test_what_is_nowhere_is_an_error_not_a_gap(self) -> None:
        with pytest.raises(KeyError):
            SCRIBE.press.room("fr").words("verb", "FLY")
        with pytest.raises(KeyError):
            SCRIBE.press.room("fr").words.count("moon", 2)


def test_both_halves_of_the_kit_have_the_same_pieces() -> None:
    room = SCRIBE.press.room("fr")
    for name in INLINE | BLOCKS:
        assert callable(getattr(room.plain, name))
        assert callable(room._html.globals[name])


class TestAThirdLanguage:
    """German, in part: a few words and one template, and nothing but files."""

    @pytest.fixture
    def folder(self, tmp_path: Path) -> Path:
        words = tmp_path / "words" / "de" / "LC_MESSAGES"
        words.mkdir(parents=True)
        (words / "letters.po").write_text(
            'msgid ""\nmsgstr ""\n"Language: de\\n"\n"Content-Type: text/plain; charset=utf-8\\n"\n'
            '"Plural-Forms: nplurals=2; plural=(n != 1);\\n"\n\n'
            'msgctxt "masthead"\nmsgid "day"\nmsgstr "Pleine Lune · Spiel {code} · Tag {turn}"\n\n'
            'msgctxt "date"\nmsgid "moment"\nmsgstr "{day} um {hour} ({zone})"\n\n'
            'msgctxt "act"\nmsgid "VOTE"\nmsgstr "Wer soll brennen?"\n\n'
            'msgctxt "count"\nmsgid "hour"\nmsgid_plural "hours"\nmsgstr[0] "{n} Stunde"\nmsgstr[1] "{n} Stunden"\n',
            encoding="utf-8",
        )
        (tmp_path / "letters" / "welcome").mkdir(parents=True)
        (tmp_path / "letters" / "welcome" / "de.j2").write_text("Willkommen, {{ me.name }}.\n", encoding="utf-8")
        return tmp_path

    def test_is_spoken_as_far_as_it_goes_and_then_english(self, folder: Path) -> None:
        scribe = Scribe([folder, TEMPLATES])
        assert scribe.languages == ("de", "en", "fr")
        village = Village(languages="de")
        village.start()
        letters = scribe.batch(village.events, village.before, village.game, village.book, at=village.at)
        text = to(letters, 1)[0].text
        assert to(letters, 1)[0].language == "de"
        assert text.startswith("Pleine Lune · Spiel PL1 · Tag 1\n")
        assert "Willkommen, Alice." in text
        assert "Wer soll brennen?" in text
        assert "Dienstag 8 Dezember um 22:00 (Paris), in 37 Stunden" in " ".join(text.split())
        assert "Your commands" in text

    def test_leaves_the_others_alone(self, folder: Path) -> None:
        scribe = Scribe([folder, TEMPLATES])
        village = Village(languages="fr en")
        letters = village.start()
        assert scribe.batch(village.events, village.before, village.game, village.book, at=village.at) == letters


class TestAHostsOwnFolder:
    def test_a_template_of_the_hosts_wins(self, tmp_path: Path) -> None:
        own = tmp_path / "letters" / "told"
        own.mkdir(parents=True)
        (own / "fr.j2").write_text('{{ subject("Un mot") }}\nÀ {{ me.name }} : {{ text }}\n', encoding="utf-8")
        scribe = Scribe([tmp_path, TEMPLATES])
        village = Village()
        village.start()
        letters = scribe.batch(
            (e.Told(1, "oui"), e.Told(2, "yes")), village.game, village.game, village.book, at=village.at
        )
        assert to(letters, 1)[0].subject == "[PL1] Un mot"
        assert "À Alice\u00a0: oui" in to(letters, 1)[0].text
        assert "The storyteller writes to you" in to(letters, 2)[0].text

    def test_a_kit_of_the_hosts_wins(self, tmp_path: Path) -> None:
        kit = tmp_path / "letters" / "_kit"
        kit.mkdir(parents=True)
        source = (TEMPLATES / "letters" / "_kit" / "letter.css").read_text(encoding="utf-8")
        assert "#e8e2d3" in source
        (kit / "letter.css").write_text(source.replace("#e8e2d3", "#00ff00"), encoding="utf-8")
        village = Village()
        village.start()
        scribe = Scribe([tmp_path, TEMPLATES])
        letters = scribe.batch((e.Told(1, "oui"),), village.game, village.game, village.book, at=village.at)
        assert "#00ff00" in letters[0].html

    def test_a_name_that_is_not_there_is_told_and_the_programs_letter_goes(
        self, tmp_path: Path, caplog: pytest.LogCaptureFixture
    ) -> None:
        own = tmp_path / "letters" / "told"
        own.mkdir(parents=True)
        (own / "fr.j2").write_text("{{ nothing_of_the_kind }}\n", encoding="utf-8")
        village = Village()
        village.start()
        letters = Scribe([tmp_path, TEMPLATES]).batch(
            (e.Told(1, "Un mot."),), village.game, village.game, village.book, at=village.at
        )
        assert "Un mot." in to(letters, 1)[0].text
        assert "'nothing_of_the_kind' is undefined" in caplog.text


def test_a_code_without_words_is_still_answered() -> None:
    village = Village()
    village.start()
    letter = SCRIBE.acknowledge(
        [Outcome("VOTE", "x", "refused", "no-such-code")], village.game, village.game, village.book, 1, at=village.at
    )
    assert "n’a pas pu être exécutée" in letter.text
