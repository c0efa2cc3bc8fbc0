"""The one acknowledgement of a mail, and letters about mails (MAIL.md §§ 4 to 6)."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest

from pbem.engine import events as e
from pbem.engine.commands import Order, Words
from pbem.engine.decide import decide
from pbem.letters.book import Correspondent
from pbem.letters.outcome import Outcome
from tests.letters.reading import answer, page
from tests.letters.village import CAST, OPTIONS, SCRIBE, Village, with_roles


@pytest.fixture
def village() -> Village:
    started = Village()
    started.start()
    return started


def flat(letter) -> str:
    return " ".join(letter.text.split())


def ack(village: Village, seat: int, *outcomes: Outcome, **more):
    return SCRIBE.acknowledge(
        outcomes, village.before, village.game, village.book, seat, at=village.at, message_id="<m@x>", **more
    )


def done(village: Village, seat: int, verb: str, *seats: int, args: str = "", **words) -> Outcome:
    return Outcome(verb, args, "accepted", events=village.order(seat, verb, *seats, **words))


class TestAccepted:
    def test_says_what_is_on_record_until_when_and_when_it_counts(self, village: Village) -> None:
        letter = ack(village, 1, done(village, 1, "VOTE", 2, args="bru"))
        text = flat(letter)
        assert letter.subject == "[PL1] C’est noté – VOTER bru"
        assert "Noté Vous votez contre Bruno." in text
        assert "jusqu’à l’exécution : mardi 8 décembre à 22 h (Paris), dans 37 heures" in text
        assert "Prend effet à l’exécution" in text
        assert "ANNULER VOTER" in text
        assert (letter.to, letter.reply_to, letter.in_reply_to) == (
            "p1@example.net",
            "lune+tag01k7f3q9x2m5z@example.org",
            "<m@x>",
        )

    def test_one_letter_lists_all_commands(self, village: Village) -> None:
        letter = ack(
            village,
            1,
            done(village, 1, "VOTE", 2),
            done(village, 1, "SEE", 3),
            Outcome("VOTE", "Bob", "refused", "unknown-player", "Bob"),
        )
        assert letter.subject == "[PL1] Vos 3 commandes, une par une"
        for part in ("Vous votez contre Bruno", "Vous sondez Chloé cette nuit", "Refusé : VOTER Bob"):
            assert part in flat(letter)

    def test_what_the_mail_brought_to_light_stands_in_it(self) -> None:
        village = Village(with_roles(CAST, Alice="nosy-neighbour"))
        village.start()
        letter = ack(village, 1, done(village, 1, "SPY", 2))
        assert "Bruno est un loup-garou." in flat(letter)
        assert "Quelqu’un vous a épiée" not in flat(letter)
        assert letter.notices == ({"role-seen": {"Bruno": "werewolf"}},)

    def test_inv_1_the_count(self) -> None:
        village = Village(with_roles(CAST, Alice="investigator"), replace(OPTIONS, composition="hidden"))
        village.start()
        letter = ack(village, 1, done(village, 1, "ASK", word="villager", args="villageois"))
        assert "ce rôle a été donné à 2 joueurs : villageois" in flat(letter)
        assert letter.notices == ({"role-count": {"villager": 2}},)

    def test_a_cancelled_order_can_be_given_again(self, village: Village) -> None:
        village.order(1, "VOTE", 2)
        letter = ack(village, 1, done(village, 1, "CANCEL", word="VOTE", args="VOTER"))
        assert "Votre ordre VOTER est retiré." in flat(letter)
        assert "Vous votez contre" not in flat(letter)

    def test_fine_20_a_post_says_whether_its_last_sentence_counts(self, village: Village) -> None:
        posted = done(village, 1, "SAY", text="Bonsoir.\nÉlisons Bruno !", elects=2)
        letter = ack(village, 1, replace(posted, code="wrong-time"))
        assert "n’a pas compté comme une voix" in flat(letter)
        assert "On n’élit un maire que la veille" in flat(letter)
        counted = replace(posted, events=(*posted.events, e.OrderTaken(1, "ELECT", village.at, (2,))))
        assert "vous élisez Bruno" in flat(ack(village, 1, counted))
        assert "voix" not in flat(ack(village, 1, posted))

    def test_who_dies_of_his_own_mail_is_told_in_it(self) -> None:
        village = Village(options=replace(OPTIONS, graveyard_intrusion="kill"))
        village.start()
        events = village.order(1, "GRAVEYARD", text="Je peux ?")
        letter = ack(village, 1, Outcome("GRAVEYARD", "", "refused", "living-only", events=events))
        assert "Vous êtes morte" in flat(letter)
        assert SCRIBE.batch(events, village.before, village.game, village.book, at=village.at, actor=1)
        assert not [
            one
            for one in SCRIBE.batch(events, village.before, village.game, village.book, at=village.at, actor=1)
            if one.to == letter.to
        ]

    def test_lang_is_acknowledged_in_the_new_language(self, village: Village) -> None:
        seats = dict(village.book.seats)
        seats[1] = replace(seats[1], language="en")
        village.book = replace(village.book, seats=seats)
        assert "Your letters will be in English" in ack(village, 1, Outcome("LANG", "en", "accepted")).text

    def test_an_order_of_the_storyteller_is_told_to_its_player(self, village: Village) -> None:
        command = Order(village.at + timedelta(minutes=1), 1, "VOTE", Words((2,)), by_storyteller=True)
        (letter,) = village.letters(command)
        assert letter.to == "p1@example.net"
        assert letter.notices == ({"ordered-for": "VOTE"},)
        assert "Voici ce qui est noté : Vous votez contre Bruno." in flat(letter)


class TestRefused:
    def test_offers_the_nearest_names(self, village: Village) -> None:
        letter = ack(village, 1, Outcome("VOTE", "Brubo", "refused", "unknown-player", "Brubo", ("Bruno",)))
        assert letter.subject == "[PL1] Ce n’est pas possible – VOTER Brubo"
        assert "Pensiez-vous à Bruno ?" in flat(letter)
        assert [link.subject for link in page(letter).links] == ["VOTER Bruno"]

    def test_else_all_that_the_verb_may_name(self, village: Village) -> None:
        letter = ack(village, 1, Outcome("SEE", "Alice", "refused", "self-target"))
        assert [link.subject for link in page(letter).links] == [
            "SONDER Bruno",
            "SONDER Chloé",
            "SONDER David",
            "SONDER Émile",
        ]

    def test_two_names_get_a_form_to_fill_in(self) -> None:
        village = Village(with_roles(CAST, Alice="telepath"))
        village.start()
        letter = ack(village, 1, Outcome("FORCE", "Bruno", "refused", "missing-argument"))
        assert [link.subject for link in page(letter).links] == ["FORCER NOM contre NOM"]

    def test_shows_what_stays_on_record(self, village: Village) -> None:
        village.order(1, "VOTE", 2)
        letter = ack(village, 1, Outcome("VOTE", "x", "refused", "unknown-player", "x"))
        assert "Noté Vous votez contre Bruno." in flat(letter)

    def test_another_role_s_verb_is_not_explained(self, village: Village) -> None:
        letter = ack(village, 1, Outcome("KILL", "Bruno", "refused", "not-your-power"))
        assert [link.subject for link in page(letter).links] == ["AIDE"]

    def test_what_is_not_understood_is_quoted_as_text(self, village: Village) -> None:
        letter = ack(village, 1, Outcome("VOTE", "<b>x</b>\x07 & y", "refused", "unknown-player", "<b>x</b> & y"))
        assert "Refusé\u00a0: VOTER <b>x</b> & y" in letter.text
        assert "&lt;b&gt;x&lt;/b&gt; &amp; y" in letter.html

    def test_long_arguments_do_not_swell_the_subject(self, village: Village) -> None:
        letter = ack(village, 1, Outcome("VOTE", "x" * 500, "refused", "unknown-player"))
        assert len(letter.subject) < 110

    def test_a_stranger_is_answered_where_he_wrote_from(self, village: Village) -> None:
        to = Correspondent("x@example.com", "fr")
        letter = ack(village, 0, Outcome("JOIN", "alice", "refused", "registration-closed"), to=to)
        assert (letter.to, letter.reply_to, letter.in_reply_to) == ("x@example.com", "lune@example.org", "<m@x>")
        assert page(letter).links[0].subject == "[PL1] SUIVRE"


class TestQuestions:
    def test_status_shows_role_orders_and_hours(self, village: Village) -> None:
        village.order(1, "SEE", 2)
        text = flat(ack(village, 1, Outcome("STATUS", "", "accepted")))
        for part in (
            "Alice, place 1",
            "Rôle voyante",
            "Vous sondez Bruno cette nuit.",
            "Exécution mardi 8 décembre à 22 h (Paris)",
        ):
            assert part in text

    def test_help_knows_who_asks(self, village: Village) -> None:
        letter = ack(village, 2, Outcome("HELP", "", "accepted"))
        assert "You are a werewolf, and this is the day." in flat(letter)
        assert {"KILL Alice", "VOTE Alice", "PACK"} <= {link.subject for link in page(letter).links} | {"PACK"}

    def test_rules_give_the_book_or_a_card(self, village: Village) -> None:
        whole = ack(village, 1, Outcome("RULES", "", "accepted"))
        assert "Mr.Pie" in whole.text
        assert "<h2" in whole.html
        card = ack(village, 1, Outcome("RULES", "petite fille", "accepted"))
        assert "REGARDER" in card.text
        assert "Mr.Pie" not in card.text

    def test_a_storyteller_s_status_is_the_whole_truth(self, village: Village) -> None:
        village.order(2, "KILL", 3)
        to = village.book.storytellers[0]
        letter = ack(village, 0, Outcome("STATUS", "", "accepted"), to=to, admin=True)
        assert letter.to == "conteur@example.org"
        assert "loup-garou" in letter.text
        assert "La meute devrait dévorer Chloé" in flat(letter)
        assert (
            SCRIBE.storyteller_status(to, village.game, village.book, at=village.at).text.split("\n", 4)[4]
            in letter.text
        )

    def test_the_log_names_names_and_keeps_the_seed(self, village: Village) -> None:
        rows = [(n, village.at, event) for n, event in enumerate(village.history, 1)]
        letter = SCRIBE.storyteller_log(village.book.storytellers[0], village.game, rows, village.book, at=village.at)
        assert "Joined seat=Alice name=Alice gender=f" in flat(letter)
        assert "ab" * 32 not in letter.text


class TestConfirmation:
    def test_answering_it_carries_the_code(self, village: Village) -> None:
        held = [Outcome("VOTE", "David", "held")]
        to = village.book.seats[1]
        letter = SCRIBE.confirm("abcdefgh12345678", held, to, village.book, at=village.at, seat=1, game=village.game)
        assert letter.to == "p1@example.net"
        assert letter.notices == ({"confirm": "VOTE"},)
        assert answer(letter, text="Oui.").tag == "abcdefgh12345678"
        (link,) = page(letter).links
        assert answer(letter, subject=link.subject, to=link.address).tag == "abcdefgh12345678"
        assert "tag01" not in letter.text + letter.html

    def test_without_sub_addressing_the_code_stands_in_the_subject(self) -> None:
        village = Village(tags="subject")
        village.start()
        held = [Outcome("VOTE", "David", "held")]
        letter = SCRIBE.confirm(
            "abcdefgh12345678", held, village.book.seats[1], village.book, at=village.at, seat=1, game=village.game
        )
        assert letter.subject.startswith("[PL1:abcdefgh12345678] ")
        assert answer(letter, to="lune@example.org").tag == "abcdefgh12345678"

    def test_what_was_done_already_is_acknowledged_in_it(self, village: Village) -> None:
        outcomes = [
            Outcome("VOTE", "David", "held"),
            Outcome("HELP", "", "accepted"),
            Outcome("SEE", "x", "refused", "unknown-player", "x"),
        ]
        letter = SCRIBE.confirm(
            "abcdefgh12345678", outcomes, village.book.seats[1], village.book, at=village.at, seat=1, game=village.game
        )
        assert "Refusé\u00a0: SONDER x" in letter.text
        assert "Ce que vous pouvez faire" in letter.text
        assert letter.notices == ({"confirm": "VOTE"},)

    def test_a_joiner_who_sits_nowhere_yet(self, village: Village) -> None:
        to = Correspondent("x@example.com", "en")
        letter = SCRIBE.confirm("abcdefgh12345678", [Outcome("JOIN", "Luc", "held")], to, village.book, at=village.at)
        assert "JOIN Luc" in letter.text
        assert "vote at every execution" in flat(letter)


class TestAboutTheMail:
    def test_a_new_tag_is_in_the_letter_that_tells_of_it(self, village: Village) -> None:
        letter = SCRIBE.tag_replaced(village.book, village.game, 1, at=village.at)
        assert letter.notices == ({"tag-replaced": True},)
        assert letter.reply_to == "lune+tag01k7f3q9x2m5z@example.org"

    def test_bounces_and_unreadable_mails_go_to_every_storyteller(self, village: Village) -> None:
        village.book = replace(
            village.book, storytellers=(*village.book.storytellers, Correspondent("t@example.org", "en"))
        )
        letters = SCRIBE.bounce_notice(village.book, village.game, 2, at=village.at, why="550 no such user")
        assert [(one.to, one.notices) for one in letters] == [
            ("conteur@example.org", ({"bounce": "Bruno"},)),
            ("t@example.org", ({"bounce": "Bruno"},)),
        ]
        assert SCRIBE.unreadable_notice(village.book, village.game, at=village.at)[0].notices == ({"unreadable": True},)
        assert SCRIBE.unreadable_notice(village.book, None, at=village.at)[0].subject == "[PL1] Un mail illisible"

    def test_a_stranger_is_shown_the_gate(self, village: Village) -> None:
        letter = SCRIBE.help_stranger(
            Correspondent("x@example.com", "fr"), replace(village.book, code=""), at=village.at
        )
        assert letter.subject == "Bienvenue aux portes du village"
        assert letter.notices == ()


def test_decide_s_refusals_have_words(village: Village) -> None:
    """A refusal as the rules give it, in the letter."""
    (event,) = decide(village.game, Order(village.at, 1, "SEE", Words((1,))))
    assert isinstance(event, e.Rejected)
    letter = ack(
        village, 1, Outcome(event.verb, "Alice", "refused", event.code, event.words, event.suggestions, (event,))
    )
    assert "Vous ne pouvez pas vous nommer vous-même." in letter.text
