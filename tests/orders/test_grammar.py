"""MAIL.md §§ 2.1-2.3 and 3: verbs, their arguments, complete lines, `!` lines, and tries that are none."""

from __future__ import annotations

import pytest

from pbem.engine.roles import ADMIN_LEXICON, LEXICON
from pbem.engine.verbs import Args
from pbem.orders.grammar import ADMIN_VERBS, VERBS, admin, attempt, bang, complete, parse
from pbem.orders.words import fold

ROSTER = [(1, "Bruno"), (2, "Chloé"), (3, "Jean-Luc"), (4, "Émile")]


def said(line: str) -> tuple[str, str] | None:
    heard = parse(line, VERBS)
    return (heard[0].name, heard[1]) if heard else None


@pytest.mark.parametrize("verb", LEXICON, ids=lambda verb: verb.name)
def test_every_verb_in_every_form(verb) -> None:  # type: ignore[no-untyped-def]
    for word in (verb.name, *verb.french):
        for form in (word, word.lower(), word.capitalize(), f"« {word} »", f"*{word}*"):
            behind = "svp" if verb.args is Args.NONE else "Bruno"
            assert said(f"{form} {behind}") == (verb.name, behind), form


@pytest.mark.parametrize(
    "line", ["Leave me alone", "Status quo", "Double meurtre ?", "Regarder la télé", "!double peine", "Suivre Bruno"]
)
def test_a_verb_that_takes_no_words_is_none_in_front_of_some(line: str) -> None:
    """What is said after such a verb must not be overheard: it may turn it into plain talk."""
    assert said(bang(line) or line) is None
    assert attempt(line.removeprefix("!")) is not None


@pytest.mark.parametrize("verb", ADMIN_LEXICON, ids=lambda verb: verb.name)
def test_every_verb_of_the_storyteller(verb) -> None:  # type: ignore[no-untyped-def]
    for word in (verb.name, *verb.french):
        heard = admin(f"ADMIN {word.lower()} 24h")
        assert heard is not None
        assert (heard[0].name, heard[1]) == (verb.name, "24h")


def test_verbs_are_unambiguous() -> None:
    for lexicon, table in ((LEXICON, VERBS), (ADMIN_LEXICON, ADMIN_VERBS)):
        words = [fold(word) for verb in lexicon for word in (verb.name, *verb.french)]
        assert len(set(words)) == len(table)
        assert all(table[fold(word)].name == verb.name for verb in lexicon for word in (verb.name, *verb.french))


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("VOTER Bruno", ("VOTE", "Bruno")),
        ("protéger Émile", ("GUARD", "Émile")),
        ("PROTEGER\u00a0Émile", ("GUARD", "Émile")),
        ("Élire\u202fChloé !", ("ELECT", "Chloé")),
        ("Vote: Bruno", ("VOTE", "Bruno")),
        ("VOTE -> Bruno", ("VOTE", "Bruno")),
        ("VOTE « Bruno ».", ("VOTE", "Bruno")),
        ("VOTER", ("VOTE", "")),
        ("Aide !", ("HELP", "")),
        ("FORCER Émile contre Bruno", ("FORCE", "Émile contre Bruno")),
        ("INSCRIPTION Diane (f)", ("JOIN", "Diane (f)")),
        ("(VOTER Bruno)", ("VOTE", "Bruno")),
        ("QUESTION peut-on voter deux fois ?", ("QUESTION", "peut-on voter deux fois ?")),
        ("VOTER Bruno :-)", ("VOTE", "Bruno")),
        ("VOTER Bruno ;) 😈", ("VOTE", "Bruno")),
        ("🗳\ufe0f VOTER Bruno 🐺🔥", ("VOTE", "Bruno")),
        ("`VOTER Bruno` <3", ("VOTE", "Bruno")),
        ("FORCER Émile contre Bruno xD", ("FORCE", "Émile contre Bruno")),
        ("ABSENT until 22:30", ("ABSENT", "until 22:30")),
        ("VOTEZ Bruno", None),
        ("… VOTER Bruno", None),
        ("#VOTER Bruno", None),
        ("voter-Bruno", None),
        ("Dire, c'est faire", None),
        ("vote-t-il ?", None),
        ("Je VOTE Bruno", None),
        ("votera Bruno", None),
        ("", None),
        ("!!!", None),
    ],
)
def test_a_verb_is_the_whole_first_word(line: str, expected: tuple[str, str] | None) -> None:
    assert said(line) == expected


COMPLETE = [
    "VOTER Bruno",
    "voter bruno.",
    "VOTE 5",
    "VOTER Jean-Luc",
    "VOTE le grand Bruno",
    "STATUT",
    "ENDORMIR",
    "SAUVER",
    "SAUVER quiconque",
    "SAVE Bruno",
    "FORCER Émile contre Bruno",
    "FORCE Émile -> Bruno",
    "UNIR Émile et Chloé",
    "SACRIFIER Émile pour Bruno",
    "TRANCHER Bruno",
    "TRANCHER Bruno et Chloé",
    "ENQUETER petit garçon",
    "ANNULER voter",
    "LANG fr",
    "LANGUE de",
    "COURRIER quotidien",
    "MAIL digests",
    "COURRIER digest",
    "ADRESSE ines@neuf.example",
    "INSCRIPTION Diane (f)",
    "ABSENT",
    "ABSENT jusqu'au 14 décembre",
    "AIDE",
    "HELP vote",
    "QUESTION",
]
LEFT_OVER = [
    "VOTER",
    "VOTER Bruno, merci",
    "VOTER Bruno et Chloé",
    "VOTER contre Bruno",
    "Vote Chloé si tu l'oses, disait mon grand-père.",
    "Voir Naples et mourir",
    "STATUT svp",
    "FORCER Émile",
    "FORCER Émile contre Bruno pour Chloé",
    "ANNULER tout",
    "LANG klingon",
    "ADRESSE chez moi",
    "ABSENT, comme toujours",
    "Absent de Paris depuis hier",
    "Aide moi donc",
    "QUESTION Peut-on voter deux fois ?",
    "VOTE (enfin) Bruno",
]


@pytest.mark.parametrize("line", COMPLETE)
def test_complete(line: str) -> None:
    heard = parse(line, VERBS)
    assert heard is not None
    assert complete(*heard)


@pytest.mark.parametrize("line", LEFT_OVER)
def test_words_left_over(line: str) -> None:
    heard = parse(line, VERBS)
    assert heard is None or not complete(*heard)


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("VOTER bru", True),
        ("VOTER 3", True),
        ("VOTER jean luc", True),
        ("VOTER Brunu", True),  # not taken, but worth an answer that suggests
        ("VOTER demain matin", False),
        ("VOTER 9", False),
        ("FORCER Émile contre Bruno", True),
        ("FORCER Émile contre vents", False),
    ],
)
def test_with_a_game_at_hand_names_are_those_of_players(line: str, expected: bool) -> None:
    heard = parse(line, VERBS)
    assert heard is not None
    assert complete(*heard, ROSTER) is expected


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("!voter Bruno", "voter Bruno"),
        ("  ! voter Bruno", "voter Bruno"),
        ("\u00a0!voter Bruno ", "voter Bruno"),
        ("*!voter Bruno*", "voter Bruno*"),
        ("\uff01voter Bruno", "voter Bruno"),
        ("!!! voter", None),
        ("!?", None),
        ("Ah ! voter", None),
        ("!", None),
        ("", None),
    ],
)
def test_command_lines(line: str, expected: str | None) -> None:
    assert bang(line) == expected


@pytest.mark.parametrize(
    ("line", "verb"),
    [
        ("VOTEZ Bruno", "VOTE"),
        ("PL1 VOTER Bruno", "VOTE"),
        ("(PL1) : VOTEZ Bruno", "VOTE"),
        ("1. VOTEZ Bruno", "VOTE"),
        ("voter contre Bruno", "VOTE"),
        ("Je vote Bruno", "VOTE"),
        ("Bonsoir, je voudrais voter Bruno", "VOTE"),
        ("Mon vote : Bruno", "VOTE"),
        ("PROTGER Bruno", "GUARD"),
        ("Protégez Bruno !", "GUARD"),
        ("DEVROER Émile", "KILL"),
        ("VOET Bruno", "VOTE"),
        ("Statut svp", "STATUS"),
        ("Absente jusqu'à lundi", "ABSENT"),
        ("Merci", None),
        ("Merci beaucoup, à demain", None),
        ("Votre lettre est bien arrivée", None),
        ("Mais je ne comprends pas", None),
        ("Bien reçu", None),
        ("Voilà", None),
        ("ok", None),
        ("", None),
        ("Voter est un droit, mais dans ce village nul ne sait plus à qui se fier.", None),
    ],
)
def test_tries(line: str, verb: str | None) -> None:
    assert attempt(line) == verb
