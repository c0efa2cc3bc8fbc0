"""MAIL.md §§ 1, 2, 5: where a mail belongs, which commands it speaks, what must not be published, what is only a try."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from pbem.orders.reading import MAX_COMMANDS, House, Reading, read
from pbem.post import Incoming

TAG = "k7f3q9w2mzx4t5ba"
OTHER = "b5v6x3mkt2q7zwjd"
HOUSE = House("lune@jeu.example", "mx.jeu.example", list_address="village@jeu.example")
ROSTER = [(1, "Bruno"), (2, "Chloé")]


def mail(text: str = "", subject: str = "Re: [PL1] Jour 3", **changed: object) -> Incoming:
    fields: dict[str, object] = {
        "message_id": "<1@x>",
        "received": datetime(2026, 12, 7, 20, tzinfo=UTC),
        "senders": ("ines@agrume.example",),
        "sender_name": "Ines",
        "to": ("lune@jeu.example",),
        "cc": (),
        "recipients": (),
        "subject": subject,
        "headers": (),
        "text": text,
    }
    return Incoming(**(fields | changed))  # type: ignore[arg-type]


def spoken(reading: Reading) -> list[tuple[str, str, str]]:
    return [(one.verb, one.args, one.where) for one in reading.commands]


SAY = ("lune+pl1-say@jeu.example",)


def test_the_subject_goes_before_the_first_line() -> None:
    found = read(mail("VOTER Chloé", "[PL1] VOTER Bruno"), HOUSE)
    assert spoken(found) == [("VOTE", "Bruno", "subject")]
    assert found.text == "VOTER Chloé"


def test_bang_lines_add_to_the_subject_in_order() -> None:
    found = read(mail("!statut\n!protéger Chloé", "[PL1] VOTER Bruno"), HOUSE)
    assert [one[0] for one in spoken(found)] == ["VOTE", "STATUS", "GUARD"]


@pytest.mark.parametrize(
    "lines",
    [
        "Bonsoir,\n\nVOTER Bruno",
        "Bonsoir cher Conteur !\nVOTER Bruno",
        "\n\nSalut\n\nVOTER Bruno.",
        "Hello,\nVOTE Bruno",
    ],
)
def test_a_greeting_may_stand_before_the_first_line(lines: str) -> None:
    assert spoken(read(mail(lines), HOUSE)) == [("VOTE", "Bruno", "first-line")]


def test_the_first_line_may_be_an_item_of_a_list() -> None:
    for line in ("- VOTER Bruno", "• VOTER Bruno", "1. VOTER Bruno", "* VOTER Bruno"):
        assert spoken(read(mail(line), HOUSE)) == [("VOTE", "Bruno", "first-line")]
    assert read(mail("- nous pourrions VOTER Bruno"), HOUSE).commands == ()
    assert read(mail("– Voter Bruno ? dit-il."), HOUSE).commands == ()


@pytest.mark.parametrize(
    "lines", ["Voici :\nVOTER Bruno", "Merci.\nVOTER Bruno", "DIRE", "MEUTE", "CIMETIERE", "SAY\n\nx"]
)
def test_no_other_line_and_no_publication(lines: str) -> None:
    assert read(mail(lines), HOUSE).commands == ()


@pytest.mark.parametrize(
    ("to", "cc", "alone"),
    [
        (("lune@jeu.example",), (), True),
        ((f"lune+{TAG}@jeu.example",), ("lune@jeu.example",), True),
        (("lune@jeu.example",), ("ines@agrume.example",), True),  # a copy to oneself
        (("lune@jeu.example",), ("bruno@example.org",), False),
        (("lune@jeu.example", "village@jeu.example"), (), False),
        (("bruno@example.org",), ("lune@jeu.example",), False),
        ((), (), False),
        (("lune@autre.example",), (), False),
        (("lunette@jeu.example",), (), False),
    ],
)
def test_alone(to: tuple[str, ...], cc: tuple[str, ...], alone: bool) -> None:
    found = read(mail("VOTER Bruno", to=to, cc=cc), HOUSE)
    assert found.alone is alone
    assert bool(found.commands) is alone


def test_tag_code_and_sender() -> None:
    found = read(mail("x", "x", recipients=(f"lune+{TAG}@jeu.example",), to=("lune+pl7-say@jeu.example",)), HOUSE)
    assert (found.tag, found.code, found.sender) == (TAG, "PL7", "ines@agrume.example")
    assert read(mail(senders=("a@x.example", "b@x.example")), HOUSE).sender is None
    assert read(mail(senders=()), HOUSE).sender is None


def test_at_most_twenty_commands() -> None:
    found = read(mail("!statut\n" * 33), HOUSE)
    assert (len(found.commands), found.dropped) == (MAX_COMMANDS, 33 - MAX_COMMANDS)


# -- Publication (§ 2.5) ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("subject", "to", "publication"),
    [
        ("[PL1] DIRE", ("lune@jeu.example",), "SAY"),
        ("[PL1] meute", ("lune@jeu.example",), "PACK"),
        ("Re: [PL1] Cimetière", ("lune@jeu.example",), "GRAVEYARD"),
        ("Re: Jour 3", SAY, "SAY"),
        ("Re: Jour 3", ("lune+pl1-grave@jeu.example",), "GRAVEYARD"),
        ("[PL1] DIRE", SAY, "SAY"),
    ],
)
def test_publications(subject: str, to: tuple[str, ...], publication: str) -> None:
    found = read(mail("Bonsoir.\n\n> !voter Chloé\n\n-- \nInes", subject, to=to), HOUSE)
    assert (found.publication, found.text, found.secret_in_public) == (publication, "Bonsoir.", False)
    assert len(found.commands) == 1


SECRETS = {
    "first line": ("VOTER Bruno\nBonne nuit.", "[PL1] DIRE", ("lune@jeu.example",)),
    "first line after a greeting": ("Bonsoir,\nVOTER Bruno", "[PL1] DIRE", ("lune@jeu.example",)),
    "first line, not alone": ("VOTER Bruno", "[PL1] DIRE", ("lune@jeu.example", "bruno@example.org")),
    "bang": ("Bonsoir.\n!dévorer Bruno", "[PL1] DIRE", ("lune@jeu.example",)),
    "bang between quotations": ("> x\n!dévorer Bruno\n> y", "Re: x", SAY),
    "misspelt bang": ("Bonsoir.\n!dévorez Bruno", "Re: x", SAY),
    "subject": ("Bonsoir.", "VOTER Bruno", SAY),
    "storyteller's": ("Bonsoir.\n!extend 24h", "Re: x", SAY),
    "pack in the village": ("Mangeons Bruno.", "MEUTE", SAY),
    "village from the pack": ("Bonsoir.\n!dire", "MEUTE", ("lune@jeu.example",)),
}


@pytest.mark.parametrize("case", SECRETS)
def test_a_secret_in_public_is_noticed(case: str) -> None:
    text, subject, to = SECRETS[case]
    found = read(mail(text, subject, to=to), HOUSE)
    assert found.publication
    assert found.secret_in_public


@pytest.mark.parametrize(
    "text",
    [
        "Votez Bruno, tous !",
        "Bonsoir.\nVOTER Bruno, c'est trahir.",
        "!!! Ah !",
        "J'ai voté.",
        "Voir Naples et mourir.",
        "> VOTER Bruno\nNon.",
    ],
)
def test_plain_talk_is_published(text: str) -> None:
    found = read(mail(text, "Re: Jour 3", to=SAY), HOUSE)
    assert (found.publication, found.secret_in_public) == ("SAY", False)


def test_with_a_roster_only_players_make_a_first_line_secret() -> None:
    talk = mail("Voir demain matin", "DIRE")
    assert read(talk, HOUSE).secret_in_public
    assert not read(talk, HOUSE, roster=ROSTER).secret_in_public
    assert read(mail("Voir bruno", "DIRE"), HOUSE, roster=ROSTER).secret_in_public


def test_an_election_may_stand_in_a_post() -> None:
    found = read(mail("Bonsoir.\n!élire Chloé", "Re: x", to=SAY), HOUSE)
    assert spoken(found) == [("SAY", "", "address"), ("ELECT", "Chloé", "bang")]
    assert not found.secret_in_public


def test_a_closing_sentence_elects_in_the_village_alone() -> None:
    post = "Bonsoir.\nÉlisons Chloé !"
    assert ("ELECT", "Chloé", "closing") in spoken(read(mail(post, "DIRE"), HOUSE))
    assert len(read(mail(post, "MEUTE"), HOUSE).commands) == 1
    assert len(read(mail(post + "\n\n-- \nInes", "Re: x", to=SAY), HOUSE).commands) == 2
    assert read(mail(f"Voici ce que je pense.\n{post}", "Re: x"), HOUSE).commands == ()


# -- Tags that others see (§ 4) --------------------------------------------------------------------------------------


def test_a_tag_that_went_to_others_is_exposed() -> None:
    tagged = (f"lune+{TAG}@jeu.example",)
    assert not read(mail("x", to=tagged), HOUSE).tag_exposed
    assert not read(mail("x", to=("lune@jeu.example",), recipients=tagged), HOUSE).tag_exposed
    assert read(mail("x", to=tagged, cc=("bruno@example.org",)), HOUSE).exposed == (TAG,)
    assert read(mail("x", to=("village@jeu.example",), cc=tagged), HOUSE).exposed == (TAG,)
    quoted = f"x\n\n> lune+{OTHER}@jeu.example?subject=VOTER"
    assert read(mail(quoted, to=("lune@jeu.example", "bruno@example.org")), HOUSE).exposed == (OTHER,)
    assert read(mail("x", f"[PL1:{TAG}] x", to=("lune@jeu.example", "bruno@example.org")), HOUSE).exposed == (TAG,)


def test_a_tag_in_a_publication_is_exposed_unless_only_quoted() -> None:
    assert read(mail(f"À lune+{TAG}@jeu.example", "DIRE"), HOUSE).exposed == (TAG,)
    assert read(mail("x", f"DIRE [PL1:{TAG}]"), HOUSE).exposed == (TAG,)
    assert not read(mail(f"x\n\n> lune+{TAG}@jeu.example", "DIRE"), HOUSE).tag_exposed
    assert read(mail(f"Mon mot : {TAG}.", "DIRE"), HOUSE).tokens == (TAG,)


# -- Tries, unknown words, silence (§ 5) -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "subject", "verb"),
    [
        ("VOTEZ Bruno", "Re: [PL1] Jour 3", "VOTE"),
        ("", "[PL1] VOTEZ Bruno", "VOTE"),
        ("Bonsoir,\n\nje vote contre Bruno", "Re: [PL1] Jour 3", "VOTE"),
        ("VOTER contre Bruno", "Re: [PL1] Jour 3", "VOTE"),
        ("Merci !", "Re: [PL1] Jour 3", None),
        ("Merci !", "Re: [PL1] Votez avant mardi", None),  # the letter's subject, not the player's words
        ("Bien reçu, à demain.", "Re: [PL1] Jour 3", None),
    ],
)
def test_tries(text: str, subject: str, verb: str | None) -> None:
    found = read(mail(text, subject), HOUSE)
    assert found.commands == ()
    assert found.attempt == verb


def test_a_letter_to_others_is_no_try() -> None:
    assert read(mail("VOTEZ Bruno", to=("lune@jeu.example", "bruno@example.org")), HOUSE).attempt is None


def test_unknown_words_surface() -> None:
    found = read(mail("Ah.\n!danser Bruno\n!statut"), HOUSE)
    assert (found.unknown, [one[0] for one in spoken(found)]) == (("danser Bruno",), ["STATUS"])
    assert read(mail("", "ADMIN danser"), HOUSE).unknown == ("ADMIN danser",)


# -- The storyteller (§ 3) -------------------------------------------------------------------------------------------


def test_a_storytellers_mail_is_read_by_his_table_only() -> None:
    text = "VOTER Bruno\n!voter Bruno\n!prolonger 24h\n!admin pair A and B\n!statut"
    found = read(mail(text, "VOTER Bruno"), HOUSE, storyteller=True)
    assert [(one.verb, one.args, one.admin) for one in found.commands] == [
        ("EXTEND", "24h", True),
        ("PAIR", "A and B", True),
        ("STATUS", "", True),
    ]
    assert found.unknown == ("voter Bruno",)


@pytest.mark.parametrize(
    ("subject", "expected"),
    [
        ("[PL1] ADMIN REMPLACER Bruno par x@y.example Paul", ("REPLACE", "Bruno par x@y.example Paul")),
        ("Re: admin : extend 24h", ("EXTEND", "24h")),
        ("ADMIN ORDER Bruno: VOTE Chloé", ("ORDER", "Bruno: VOTE Chloé")),
        ("ADMIN STATUT", ("STATUS", "")),
    ],
)
def test_admin_in_the_subject(subject: str, expected: tuple[str, str]) -> None:
    for storyteller in (True, False):
        (one,) = read(mail("x", subject), HOUSE, storyteller=storyteller).commands
        assert (one.verb, one.args, one.where, one.admin) == (*expected, "subject", True)


def test_a_player_who_tries_the_storytellers_verbs_is_told_apart() -> None:
    (one,) = read(mail("!smite Bruno"), HOUSE).commands
    assert (one.verb, one.admin) == ("SMITE", True)
    (one,) = read(mail("!unir Bruno et Chloé"), HOUSE).commands
    assert (one.verb, one.admin) == ("PAIR", False)


# -- Kinds that follow from the reading (§ 7) ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("changed", "kind"),
    [
        ({"text": "x"}, "post"),
        ({"text": None}, "empty"),
        ({"text": "> x"}, "empty"),
        ({"text": None, "encrypted": True}, "unreadable"),
        ({"text": "x", "encrypted": True}, "post"),
        ({"text": None, "encrypted": True, "subject": "VOTER Bruno"}, "command"),
        ({"text": None, "senders": (), "subject": ""}, "unreadable"),
    ],
)
def test_kinds(changed: dict[str, object], kind: str) -> None:
    assert read(mail(**{"headers": (), **changed}), HOUSE).kind == kind  # type: ignore[arg-type]


def test_only_the_html_shows_the_quotation() -> None:
    found = read(mail("Non.\nVOTER Bruno", html_text="Non.\n> VOTER Bruno"), HOUSE)
    assert found.text == "Non."
