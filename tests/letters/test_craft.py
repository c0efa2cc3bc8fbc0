"""The craft under the letters: typography, wrapping, the clock, the storyteller's markup, names and links."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import pytest

from pbem.engine import events as e
from pbem.engine.view import public_view
from pbem.letters import markdown
from pbem.letters.acts import Choice
from pbem.letters.book import Book, mailto
from pbem.letters.clock import Clock, closing_of, closings
from pbem.letters.notices import notice_of
from pbem.letters.plain import WIDTH, Plain, wrap
from pbem.letters.typography import BLOCK, BLOCK_END, END, RAW, Typographer, clean
from tests.letters.village import MONDAY, SCRIBE, Village

if TYPE_CHECKING:
    from markupsafe import Markup

FRENCH = Typographer(":;!?»%", "«")
NBSP = "\u00a0"


class TestTypography:
    @pytest.mark.parametrize(
        ("typed", "printed"),
        [
            ("Qui ? Moi !", f"Qui{NBSP}? Moi{NBSP}!"),
            ("il dit : « non »", f"il dit{NBSP}: «{NBSP}non{NBSP}»"),
            ("l'aube d'Arc", "l’aube d’Arc"),
            ("'tis a 'word'", "'tis a 'word'"),
            ("22:00 et a:b", "22:00 et a:b"),
            (f"{RAW}VOTER d'Arc !{END} !", f"VOTER d'Arc !{NBSP}!"),
        ],
    )
    def test_french(self, typed: str, printed: str) -> None:
        assert FRENCH.plain(typed) == printed

    def test_html_keeps_its_tags(self) -> None:
        typed = f'<a href="x ? y" title="l\'a">l&#39;aube ?</a>{RAW}<b>d\'Arc ?</b>{END}'
        assert FRENCH.html(typed) == f'<a href="x ? y" title="l\'a">l’aube{NBSP}?</a><b>d\'Arc ?</b>'

    def test_english_has_no_spaces_to_keep(self) -> None:
        assert Typographer().plain("Who ? The mayor's.") == "Who ? The mayor’s."

    def test_clean_takes_out_what_has_no_place_in_a_letter(self) -> None:
        assert clean("a\x00b\x1b[1m\u202ec\r\nd\u2028e\tf") == "ab[1mc\nd\ne\tf"
        assert clean(f"{RAW}x{END}{BLOCK}y{BLOCK_END}") == "xy"


class TestPlainText:
    kit = Plain(FRENCH)

    def _shown(self, block: Markup) -> str:
        return FRENCH.plain(block.unescape()).strip("\n").strip(BLOCK + BLOCK_END)

    def test_wraps_at_spaces_that_break(self) -> None:
        text = wrap(f"{'mot ' * 30}fin{NBSP}!")
        assert max(len(line) for line in text.split("\n")) <= WIDTH
        assert text.endswith(f"fin{NBSP}!")
        assert wrap("x" * 200) == "x" * 200

    def test_no_line_begins_with_a_bang_or_a_quotation_mark(self) -> None:
        for n in range(60, 80):
            for mark in ("!voter", "> cité", "!"):
                lines = wrap(f"{'x' * n} {mark} fin").split("\n")
                assert not any(line.startswith(("!", ">")) for line in lines)

    def test_facts_stand_in_two_columns(self) -> None:
        shown = self._shown(self.kit.facts([("Maire", "Chloé"), ("Exécution", "mot " * 30), ("x" * 30, "y")]))
        assert shown.split("\n")[0] == f"  {'Maire'.ljust(24)}  Chloé"
        assert all(len(line) <= WIDTH for line in shown.split("\n"))

    def test_a_table_has_a_head_and_columns(self) -> None:
        assert self._shown(self.kit.table(["Qui", "Quoi"], [("Chloé", 1), ("D'Arc", 22)])) == (
            "Qui    Quoi\n─────  ────\nChloé  1\nD’Arc  22"
        )

    def test_bars_are_in_proportion(self) -> None:
        rows = [("Chloé", 4, "4 voix"), ("Al", 1, "1 voix"), ("Bob", 0, "0 voix")]
        lines = self._shown(self.kit.bars(rows)).split("\n")
        assert [line.count("█") for line in lines] == [20, 5, 1]
        assert self._shown(self.kit.bars([])) == ""

    def test_quoted_words_keep_their_lines_and_are_marked(self) -> None:
        assert (
            self._shown(self.kit.quote("Un.\n\n!voter Bruno\n  Deux <b>")) == "> Un.\n>\n> !voter Bruno\n>   Deux <b>"
        )

    def test_words_are_as_they_were_written(self) -> None:
        assert self._shown(self.kit.words("Qui ?\n    l'un & l'autre")) == "Qui ?\n    l'un & l'autre"

    def test_a_choice_shows_its_label_where_the_line_does_not_tell(self) -> None:
        shown = self._shown(self.kit.choices([Choice("Chloé", "VOTER Chloé", ""), Choice("Parler", "DIRE", "")]))
        assert shown == "    VOTER Chloé\n  Parler\n    DIRE"


class TestTheClock:
    def _clock(self, language: str, at: datetime = MONDAY, timezone: str = "Europe/Paris") -> Clock:
        return Clock(SCRIBE.press.room(language).words, timezone, at)

    def test_local_time_with_its_zone(self) -> None:
        moment = datetime(2026, 12, 8, 21, tzinfo=UTC)
        assert self._clock("fr").when(moment) == f"mardi 8 décembre à 22{NBSP}h (Paris)"
        assert self._clock("en").when(moment) == "Tuesday 8 December at 22:00 (Paris)"
        there = self._clock("en", timezone="America/New_York").when(moment)
        assert there == f"Tuesday 8 December at 16:00 (New{NBSP}York)"
        assert self._clock("fr", timezone="UTC").when(moment) == f"mardi 8 décembre à 21{NBSP}h (UTC)"

    def test_a_full_hour_and_another_as_each_language_writes_them(self) -> None:
        half = datetime(2026, 12, 8, 21, 30, tzinfo=UTC)
        assert self._clock("fr").hour(half) == f"22{NBSP}h{NBSP}30"
        assert self._clock("en").hour(half) == "22:30"
        assert self._clock("fr", timezone="Asia/Kolkata").hour(half) == f"3{NBSP}h"

    def test_cal_1_daylight_saving(self) -> None:
        assert self._clock("fr").hour(datetime(2027, 3, 27, 21, tzinfo=UTC)) == f"22{NBSP}h"
        assert self._clock("fr").hour(datetime(2027, 3, 28, 20, tzinfo=UTC)) == f"22{NBSP}h"

    @pytest.mark.parametrize(
        ("seconds", "french", "english"),
        [
            (25 * 3600, "dans 25 heures", "in 25 hours"),
            (7200, "dans 2 heures", "in 2 hours"),
            (7199, "dans 120 minutes", "in 120 minutes"),
            (60, "dans 1 minute", "in 1 minute"),
            (30, "maintenant", "now"),
            (-60, "maintenant", "now"),
        ],
    )
    def test_in_how_many_hours(self, seconds: int, french: str, english: str) -> None:
        moment = MONDAY + timedelta(seconds=seconds)
        assert (self._clock("fr").left(moment), self._clock("en").left(moment)) == (french, english)

    def test_what_closes_next(self) -> None:
        village = Village(mayor=None)
        village.start()
        game = public_view(village.game)
        day = closings(replace(game, election=None))
        assert [(one.key, one.sure) for one in day] == [
            ("execution", True),
            ("tie-break", False),
            ("sunset", False),
            ("vision", False),
            ("murder", False),
        ]
        assert game.deadline is not None
        sunset = closings(replace(game, phase="sunset"))
        assert [(one.key, one.at - game.deadline) for one in sunset] == [
            ("sunset", timedelta()),
            ("vision", timedelta(minutes=30)),
            ("murder", timedelta(minutes=30)),
        ]
        assert [one.key for one in closings(replace(game, phase="vision"))] == ["vision", "murder"]
        assert next(one.key for one in closings(replace(game, phase="tie-break"))) == "tie-break"
        assert closings(replace(game, phase="paused", deadline=None)) == ()
        assert closings(replace(game, phase="registration")) == ()

    def test_the_first_election_is_the_execution_where_there_is_none(self) -> None:
        village = Village()
        village.start()
        coming = {one.key: one for one in closings(public_view(village.game))}
        found = closing_of(coming, "first-election")
        assert found is not None
        assert found.key == "execution"
        assert closing_of(coming, "any") is None


class TestMarkup:
    def test_leads_and_loads_nowhere(self) -> None:
        html = str(markdown.gently("![x](http://a/b.png) [y](http://c) <http://d> <img src=x> http://e"))
        assert "<img" not in html
        assert "<a " not in html
        assert "&lt;img src=x&gt;" in html

    def test_knows_emphasis_lists_and_lines(self) -> None:
        html = str(markdown.gently("*un* et **deux**\nligne\n\n- a\n- b\n\n> cité"))
        for piece in ("<em>un</em>", "<strong>deux</strong>", "<br>", "<li", "<blockquote>"):
            assert piece in html

    def test_wide_tables_become_lines(self) -> None:
        table = "| a | b |\n|---|---|\n| 1 | 2 |\n"
        assert markdown.as_text(table) == "    a  b\n    ─  ─\n    1  2\n"
        wide = f"| a | b |\n|---|---|\n| 1 | {'x' * 80} |\n"
        assert markdown.as_text(wide) == f"a · b\n\n- 1 · {'x' * 80}\n"


class TestAddresses:
    book = Book("PL1", "lune@example.org", "village@example.org")

    def test_mailto(self) -> None:
        assert mailto("lune+k7f3@example.org", "VOTER Chloé & d'Arc ?") == (
            "mailto:lune+k7f3@example.org?subject=VOTER%20Chlo%C3%A9%20%26%20d%27Arc%20%3F"
        )
        assert mailto("lune@example.org") == "mailto:lune@example.org"

    def test_channels(self) -> None:
        assert self.book.channel_address("say") == "lune+pl1-say@example.org"
        assert self.book.channel_link("grave", "GRAVEYARD") == "mailto:lune+pl1-grave@example.org"
        subject = replace(self.book, tags="subject")
        assert subject.channel_address("say") == "lune@example.org"
        assert subject.channel_link("say", "DIRE") == "mailto:lune@example.org?subject=%5BPL1%5D%20DIRE"


class TestNotices:
    @pytest.fixture
    def game(self):
        village = Village()
        village.start()
        return village.game

    @pytest.mark.parametrize(
        ("event", "notice"),
        [
            (e.RoleDealt(1, "seer"), {"role-dealt": "seer"}),
            (e.PackShown(2, ()), {"pack": []}),
            (e.WolvesCounted(1, 2), {"wolf-count": 2}),
            (e.LoverShown(1, 3), {"lover": "Chloé"}),
            (e.RoleSeen(1, 2, "shaman"), {"role-seen": {"Bruno": "shaman"}}),
            (e.ThreatShown(1, (2, 3)), {"threatened": ["Bruno", "Chloé"]}),
            (e.ThreatShown(1, ()), {"threatened": []}),
            (e.Saved(1, 2), {"saved": "Bruno"}),
            (e.WolfGlimpsed(1, 2), {"wolf-glimpsed": "Bruno"}),
            (e.NothingGlimpsed(1), {"nothing-glimpsed": True}),
            (e.PeeperSpotted(1, 2), {"peeper-spotted": "Bruno"}),
            (e.BeastUnmasked(1, 2), {"beast-unmasked": "Bruno"}),
            (e.ConvertedTold(1, (2,)), {"corrupted": ["Bruno"]}),
            (e.PackJoined(1, 2), {"pack-joined": "Bruno"}),
            (e.RoleCounted(1, "seer", 1), {"role-count": {"seer": 1}}),
            (e.NoEffect(1, "SEE"), {"no-effect": "SEE"}),
            (e.OrderVoided(1, "VOTE", 2), {"vote-void": "Bruno"}),
            (e.OrderVoided(1, "GUARD", 2), {"order-void": "GUARD"}),
            (e.VoteMissed(1, "blank"), {"vote-missed": "blank"}),
            (e.VoteReminded(1, 3, MONDAY), {"vote-reminder": True}),
            (e.InactivityWarned(1, MONDAY), {"inactivity-warning": True}),
            (e.Asked(1, (2, 3), 1, MONDAY, "mayor"), {"asked": ["Bruno", "Chloé"]}),
            (e.OfficeTaken(1, "elected"), {"elected": True}),
            (e.OfficeTaken(1, "heir"), {"mayor-now": True}),
            (e.OfficeLost(1), {"repudiated": True}),
            (e.GhostRisen(1), {"ghost": True}),
            (e.PackTalked(1, 2, "x"), {"pack-talk": "Bruno"}),
            (e.Intruded(0, 2), {"intrusion": "Bruno"}),
            (e.AbsenceAsked(0, 2, "", ""), {"absence": "Bruno"}),
            (e.QuestionAsked(0, 2, "", ""), {"question": "Bruno"}),
            (e.QuestionAsked(0, 0, "Luc", ""), {"question": "Luc"}),
            (e.StalemateNoted(0), {"stalemate": True}),
            (e.MailboxLate(0, "execution", MONDAY), {"late-mailbox": True}),
            (e.ReplacementWanted(0, 2), {"replacement-wanted": "Bruno"}),
        ],
        ids=lambda value: type(value).__name__ if isinstance(value, e.Event) else "",
    )
    def test_are_those_of_the_scenarios(self, game, event: e.Private, notice: dict) -> None:
        assert notice_of(event, game) == notice
        assert notice_of(event, public_view(game)) == notice

    def test_what_is_not_private_has_none(self, game) -> None:
        assert notice_of(e.Paused(MONDAY, 1), game) is None
