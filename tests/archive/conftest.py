"""What the archive's tests share: an empty stage, one with a game under way, and one told to the end."""

from __future__ import annotations

import pytest

from pbem.engine import commands as c
from tests.archive.troupe import Stage


@pytest.fixture
def stage(tmp_path):
    stage = Stage(tmp_path)
    yield stage
    stage.store.close()


def played(folder, *, letters=True, language="fr", begun=2):
    """A stage with a game on its second day (PL1), one told to the end (PL2), and one that people may join (PL3)."""
    stage = Stage(folder, letters=letters, language=language)
    if begun == 2:
        under_way(stage, language)
    finished(stage, language)
    stage.open("PL3", language=language)
    return stage


def under_way(stage, language="fr"):
    game = stage.open("PL1", language=language)
    game.start(mayor=None)
    game.say("Alice", "Bonsoir à tous.\n\nQui a vu <i>la lumière</i> du moulin ?")
    asked = game.last_letter() if stage.letters else None
    game.say("Chloé", "Pas moi & toi ?\nÉlisons Alice !", elects="Alice", answers=asked)
    game.until("election")
    game.order("Bruno", "PACK", text="On prend Gaël.")
    for voter, target in (("Alice", "Bruno"), ("Bruno", "Chloé"), ("Chloé", "Bruno"), ("David", "Chloé")):
        game.order(voter, "VOTE", target)
    game.admin(c.Narrate, "La nuit tombe *vite*.")
    game.night(("Fanny", "KILL", "Gaël"), ("Alice", "SEE", "Fanny"), ("Alice", "VOTE", "Bruno"))
    game.say("Gaël", "Je suis encore là.")
    game.order("Bruno", "GRAVEYARD", text="Il fait froid ici.")
    game.say("Émile", "Ce village devient fou.")
    return game


def finished(stage, language="fr", code="PL2"):
    game = stage.open(code, language=language)
    game.start(mayor=1, lovers=(3, 5))
    game.say("Bruno", "Je suis innocent, moi : https://exemple.example/preuve.")
    game.night(
        ("Fanny", "KILL", "Chloé"), ("David", "GUARD", "Alice"),
        ("Alice", "VOTE", "Bruno"), ("David", "VOTE", "Bruno"), ("Bruno", "VOTE", "Gaël"),
    )  # fmt: skip
    game.order("Bruno", "GRAVEYARD", text="Aucune preuve !")
    game.order("", "GRAVEYARD", text="Courage.")
    game.night(("Alice", "VOTE", "Fanny"), ("David", "VOTE", "Fanny"), ("Fanny", "VOTE", "Alice"))
    assert game.state.winner == "village"
    return game


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """The same, written; nobody changes it."""
    stage = played(tmp_path_factory.mktemp("site"))
    stage.publish()
    yield stage
    stage.store.close()
