"""Sixty players with the longest names: a button for each, no letter beyond what mail programs show whole."""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING

import pytest

from pbem.engine import events as e
from pbem.letters.outcome import Outcome
from pbem.letters.samples.troupe import evolved
from tests.letters.reading import page
from tests.letters.village import OPTIONS, SCRIBE, Village, to, to_list

if TYPE_CHECKING:
    from pbem.post import Letter

MANY = 60
ROLES = (
    "telepath",
    "pack-leader",
    "corrupter",
    "shaman",
    "forger",
    "executioner",
    "prescient",
    "militia",
    "matchmaker",
)
CAST = tuple(
    (
        f"Bartholomée-Théodora {n:02} d'Ormesson-Kowalski" if n % 3 else f"{'W' * 30}{n:02}",
        "fm"[n % 2],
        ROLES[n] if n < len(ROLES) else "werewolf" if n < 15 else "villager",
    )
    for n in range(MANY)
)


@cache
def big_letters() -> tuple[Letter, ...]:
    """What the village of sixty is written at its start, at a vote, at a refusal, when its players ask, and at its end."""
    village = Village(CAST, OPTIONS, mayor=None)
    letters = village.start()
    for seat in range(1, MANY):
        village.order(seat, "VOTE", MANY - seat if MANY - seat != seat else MANY)
    letters += village.until("execution")
    for seat in range(1, len(ROLES) + 1):
        for outcome in (
            Outcome("HELP", "", "accepted"),
            Outcome("STATUS", "", "accepted"),
            Outcome("VOTE", "", "refused", "missing-argument"),
        ):
            letters.append(
                SCRIBE.acknowledge([outcome], village.before, village.before, village.book, seat, at=village.at)
            )
    won = (e.GameWon("village", tuple(range(1, MANY + 1)), tuple(role for _, _, role in CAST), "ab" * 32),)
    over = evolved(village.game, won)
    letters += SCRIBE.batch(won, village.game, over, village.book, at=village.at, history=tuple(village.history))
    teller = village.book.storytellers[0]
    letters.append(SCRIBE.storyteller_status(teller, village.game, village.book, at=village.at))
    return tuple(letters)


def test_there_is_a_button_for_each_living_player_and_each_power() -> None:
    village = Village(CAST, OPTIONS, mayor=None)
    letter = to(village.start(), 4)[0]  # a shaman
    subjects = [link.subject for link in page(letter).links]
    verbs = [subject.partition(" ")[0] for subject in subjects]
    assert verbs.count("VOTE") == verbs.count("VOTER") + verbs.count("VOTE")
    assert {verb: verbs.count(verb) for verb in ("VOTE", "ELECT", "KILL", "SEE")} == {
        "VOTE": MANY, "ELECT": MANY, "KILL": MANY - len([1 for _, _, role in CAST if role in ("werewolf", "corrupter", "shaman", "pack-leader")]), "SEE": MANY - 1,
    }  # fmt: skip


@pytest.mark.parametrize("kind", ["role-dealt", "execution", "end", "ack", "opening", "chronicle", "state"])
def test_no_letter_outgrows_what_mail_programs_show(kind: str) -> None:
    found = [letter for letter in big_letters() if letter.kind == kind]
    assert found
    for letter in found:
        assert len(letter.html.encode()) < 100_000, len(letter.html.encode())


def test_long_names_may_be_broken_in_tables() -> None:
    for letter in to_list(big_letters()):
        for cell in re.findall(r"<t[dh][^>]*>W{30}\d\d", letter.html):
            assert "word-break" in cell


def test_the_text_part_keeps_names_whole() -> None:
    letter = next(letter for letter in big_letters() if letter.kind == "execution")
    assert all(name.replace("'", "’") in letter.text for name, _, _ in CAST[:5])


def test_buttons_lose_their_looks_before_the_letter_grows_too_long() -> None:
    cast = tuple((f"Éléonore-Anaïs de Bréhéville-Hébert {n:02}", "f", role) for n, (_, _, role) in enumerate(CAST))
    letters = [to(Village(cast, OPTIONS, mayor=None).start(), seat)[0] for seat in (1, 3)]
    assert all(len(letter.html.encode()) < 102_000 for letter in letters), [len(one.html.encode()) for one in letters]
    assert [letter.html.count('class="brief"') for letter in letters] == [0, 228]
