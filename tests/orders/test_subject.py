"""MAIL.md §§ 1 and 2.1: what is left of a subject for a command, and which code and tag it names."""

from __future__ import annotations

import pytest

from pbem.orders.house import House
from pbem.orders.subject import Subject, take_apart

HOUSE = House("lune@jeu.example")
TAG = "k7f3q9w2mzx4t5ba"


@pytest.mark.parametrize(
    "prefix",
    ["Re:", "RE :", "re\u00a0:", "Ré:", "Rép :", "Réf :", "REF:", "TR:", "Tr :", "TR\u00a0:", "Transf :", "Fwd:", "FW:", "Fw :", "AW:", "WG:",
     "SV:", "VS:", "VB:", "Antw:", "Doorst:", "RIF:", "R:", "I:", "RV:", "RES:", "ENC:", "Odp:", "PD:", "YNT:", "İLT:", "ATB:", "НА:", "Отв:",
     "回复：", "答复:", "转发：", "返信:", "转发: Re:", "RE[2]:", "Re(3):", "Re^2:", "[EXT]", "[EXTERNAL]", "[Village]", "***SPAM***",
     "{Spam?}", "EXTERNE :", "Re: Re: RE : TR:", "RE: [EXT] TR: [SPAM]"],
)  # fmt: skip
def test_prefixes_are_dropped(prefix: str) -> None:
    for subject in (f"{prefix} [PL1] VOTER Bruno", f"[PL1] {prefix} VOTER Bruno", f"{prefix} VOTER Bruno [PL1]"):
        found = take_apart(subject, HOUSE)
        assert (found.words, found.code) == ("VOTER Bruno", "PL1")


@pytest.mark.parametrize(
    "subject", ["VOTER Bruno", "Question : le maire", "Aide: moi", "Bruno: menteur", "12:30 au moulin", "Mail: x"]
)
def test_other_words_stay(subject: str) -> None:
    assert take_apart(subject, HOUSE) == Subject(subject, None, None, reply=False)


@pytest.mark.parametrize(
    ("subject", "code", "tag"),
    [
        ("[PL1] x", "PL1", None),
        ("x [pl12] y", "PL12", None),
        (f"Re: [PL1:{TAG}] x", "PL1", TAG),
        (f"Re: [ pl1 : {TAG.upper()} ] x", "PL1", TAG),
        (f"[LUNE:{TAG}] x", "LUNE", TAG),
        ("[EXT] [PL2] x", "PL2", None),
        ("[Village] x", None, None),
        ("PL1 x", None, None),
        ("[PL1:tooshort] x", None, None),
    ],
)
def test_code_and_tag(subject: str, code: str | None, tag: str | None) -> None:
    found = take_apart(subject, HOUSE)
    assert (found.code, found.tag) == (code, tag)


def test_known_codes_are_the_only_ones() -> None:
    house = House("lune@jeu.example", codes=("LUNE",))
    assert take_apart("[PL1] [lune] VOTE x", house) == Subject("VOTE x", "LUNE", None, reply=False)


def test_reply_is_noticed() -> None:
    assert take_apart("RE : [PL1] x", HOUSE).reply
    assert not take_apart("[EXT] [PL1] x", HOUSE).reply


def test_what_the_subject_was_is_no_word_of_a_command() -> None:
    assert take_apart("VOTER Bruno (was: [PL1] Jour 3)", HOUSE).words == "VOTER Bruno"
    assert take_apart("VOTER Bruno (était : Jour 3)", HOUSE).words == "VOTER Bruno"
    assert take_apart("JOIN Diane (f)", HOUSE).words == "JOIN Diane (f)"


def test_pictures_before_a_mark() -> None:
    assert take_apart("⚠\ufe0f [EXT] 📨 Re: VOTER Bruno", HOUSE).words == "VOTER Bruno"


def test_a_link_that_was_not_decoded() -> None:
    assert take_apart("VOTER%20No%C3%A9", HOUSE).words == "VOTER Noé"
    assert take_apart("100%20 sûr", HOUSE).words == "100%20 sûr"
