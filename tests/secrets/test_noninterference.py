"""What is secret to a seat reaches neither it, nor the list, nor the readers, by no letter, no header, no moment.

The property of the engine (`tests/engine/test_noninterference.py`) for the whole program, from mail to letter.
"""

from __future__ import annotations

import os

import pytest

from tests.secrets.restless import Curious, Wavering
from tests.secrets.twins import Apart, Swapped, Twins

GAMES = int(os.environ.get("PBEM_TWINS", "3"))


def compared(kind, seed: int) -> int:
    """How many letters were compared."""
    try:
        twins = kind(seed)
    except Apart:
        return 0
    return twins.play()


@pytest.mark.parametrize("seed", range(GAMES))
@pytest.mark.parametrize("kind", [Curious, Wavering, Swapped])
def test_games_that_differ_in_a_secret_bring_the_same_letters_at_the_same_moments(kind, seed):
    compared(kind, seed)


def test_letters_are_compared(monkeypatch):
    """The same game twice: many letters; and one octet of difference is found."""
    assert compared(Twins, 3) > 20
    written = Curious.say

    def careless(self, which, seat, subject):
        """The list hears of what one seat asks."""
        stage = self.twins[which]
        with stage.store.begin() as tx:
            tx.enqueue(
                stage.game_id,
                "post",
                "village@example.org",
                f"<{self.mails:032x}@example.org>",
                b"\r\n",
                "",
                [],
                self.now,
            )
        written(self, which, seat, subject)

    monkeypatch.setattr(Curious, "say", careless)
    with pytest.raises(AssertionError):
        compared(Curious, 3)
