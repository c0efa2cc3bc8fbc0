"""Nothing secret before the end: canaries over every file at every step, and games that differ in secrets alone."""

from __future__ import annotations

import hashlib
import json
import random
from dataclasses import replace

import pytest

from pbem.app.ledger import Ledger
from pbem.app.publishing import discreet
from pbem.app.verify import parse, verify
from pbem.engine import commands as c
from pbem.engine import events as e
from pbem.engine.evolve import evolve
from pbem.engine.roles import ROSTER
from pbem.engine.state import NOTHING, Game, Phase
from pbem.store.rows import EventRow
from tests.archive.conftest import finished, played, under_way
from tests.archive.troupe import MONDAY, Stage, Wildly
from tests.kit.wild import Wild

OPEN = {"SAY"}
"""Verbs whose words everybody reads."""
AFTER = OPEN | {"PACK", "GRAVEYARD"}
"""The same, once the game is over."""


class Canaries:
    """Looks into every file that a step has written, and cries out where it holds what it may not."""

    def __init__(self, stage):
        self.stage, self.steps, self.files, self.over = stage, 0, 0, False

    def __call__(self, wildly):
        files = self.stage.publish()
        self.steps += 1
        over = wildly.game.phase is Phase.OVER
        self.over = self.over or over
        allowed = AFTER if over else OPEN
        words = {word.encode() for word, verb in wildly.said.items() if verb not in allowed}
        words |= {word.encode() for word in self.stage.secrets()}
        words |= set() if over else {wildly.game.seed.encode()}
        for file in files:
            content = file.read_bytes()
            self.files += 1
            assert not [word for word in words if word in content], file
            if not over:
                self.roles(wildly.game, file, content.decode("utf-8", "replace"))
                assert file.parts[-2] not in {"truth", "graveyard", "replay"}
                assert file.name != "export.json"

    def roles(self, game, file, text):
        """The data say the role of the dead, and of nobody else."""
        if file.name != "game.json" or not game.started:
            return
        for shown, player in zip(json.loads(text)["players"], game.players, strict=True):
            assert shown["role"] == (player.role if not player.alive else None)
            assert shown["cause"] not in {"murdered", "sacrificed"}


@pytest.mark.parametrize("seed", [3, 11, 27])
def test_canaries_at_every_step_of_random_games(tmp_path, seed):
    stage = Stage(tmp_path)
    canaries = Canaries(stage)
    wildly = Wildly(seed, stage, canaries)
    wildly.play()
    assert canaries.over
    assert canaries.steps > 40
    everything = b"".join(file.read_bytes() for file in stage.files())
    for word, verb in wildly.said.items():
        said = any(isinstance(x, e.Posted) and x.text == word for x in wildly.watch.log)
        assert (word.encode() in everything) or not said
        if verb in {"QUESTION", "ABSENT", "TELL"}:
            assert word.encode() not in everything
    assert (stage.root / "pl1" / "truth" / "index.html").exists()


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(40, 52))
def test_canaries_in_more_random_games(tmp_path, seed):
    stage = Stage(tmp_path)
    Wildly(seed, stage, Canaries(stage)).play()


def test_canaries_in_the_lists_mails_too(tmp_path):
    stage = Stage(tmp_path, letters=True)
    act, said = stage.act, {"graveyard": b"Il fait froid", "pack": "On prend Gaël".encode()}

    def acting(game_id, command):
        events = act(game_id, command)
        with stage.store.read() as tx:
            states = [tx.load(row.id)[0] for row in tx.games()]
        for file in stage.publish():
            content = file.read_bytes()
            assert not [word for word in stage.secrets() if word.encode() in content], file
            assert not [word for word in said.values() if word in content], file
            assert not [g for g in states if g.phase is not Phase.OVER and g.seed.encode() in content], file
        return events

    stage.act = acting
    under_way(stage)
    finished(stage)
    assert (stage.root / "pl1" / "list.mbox").stat().st_size > 20_000


# --- games that differ in what is secret alone ------------------------------------------------------------------------


def scrambled(game: Game, rng) -> Game:
    """The same game as everybody knows it, with everything else changed."""
    if game.phase is Phase.OVER:
        return game
    dealt = [player.dealt for player in game.players]
    rng.shuffle(dealt)  # how many of each there are may be public
    players = tuple(_scrambled(player, role, rng) for player, role in zip(game.players, dealt, strict=True))
    return replace(
        game, players=players, seed="00" * 32, orders=(), couples=(), paired_by=frozenset(), night=None, narration=("x",),
        counters=NOTHING, epoch=7, silent=(), quiet_turns=9, latest=NOTHING, closed=NOTHING, vacant=True, last_asked=3,
    )  # fmt: skip


def _scrambled(player, dealt, rng):
    changes = {"dealt": dealt, "spent": frozenset({"SEE"}), "missed": 5, "memory": {"a": 1},
               "excused": True, "posted": not player.posted, "warned": True, "voided": True}  # fmt: skip
    if player.alive:
        changes["role"] = rng.choice(sorted(ROSTER))
    else:
        changes["cause"] = {"murdered": "sacrificed", "sacrificed": "murdered"}.get(player.cause, player.cause)
    return replace(player, **changes)


_KNOWN = e.Public | e.Narrated | e.DigestsHeld | e.PhaseClosed
"""When something closes everybody sees by the phase that comes after it."""


def rows(log, *, public):
    kept = [event for event in log if not public or isinstance(event, _KNOWN)]
    return [EventRow(n, MONDAY, _swapped(event) if public else event) for n, event in enumerate(kept, 1)]


def _swapped(event):
    other = {"murdered": "sacrificed", "sacrificed": "murdered"}
    return replace(event, cause=other.get(event.cause, event.cause)) if isinstance(event, e.Died) else event


@pytest.mark.parametrize("seed", range(12))
def test_two_games_that_differ_in_secrets_alone_are_told_alike(seed):
    wild, rng = Wild(seed), random.Random(seed)
    wild.play()
    log = wild.watch.log
    game, compared = Game(), 0
    for end, event in enumerate(log, 1):
        game = evolve(game, event)
        if not isinstance(event, e.Public) or game.phase is Phase.OVER or rng.random() < 0.5:
            continue
        one, other = Ledger(), Ledger()
        one.feed(rows(log[:end], public=False))
        other.feed(rows(log[:end], public=True))
        assert one.facts(game, MONDAY) == other.facts(scrambled(game, rng), MONDAY)
        compared += 1
    assert compared > 3


def test_an_undo_does_not_say_how_much_happened_in_secret():
    ledger = Ledger()
    ledger.feed([EventRow(1, MONDAY, e.RegistrationOpened()), EventRow(40, MONDAY, e.Undone(1, MONDAY))])
    assert ledger.facts(Game(), MONDAY).happenings[-1].event == e.Undone(0, MONDAY)


# --- the file to verify -----------------------------------------------------------------------------------------------


def test_the_published_file_verifies_and_keeps_private_words(stage):
    game = stage.open("PL1")
    game.start()
    game.order("Alice", "QUESTION", text="Ma fille est malade, puis-je écrire à bob@secret.example ?")
    game.order("Chloé", "ABSENT", text="Je suis à l’hôpital.", word="jeudi")
    game.admin(c.Tell, 3, "Bon courage.")
    game.say("David", "Écrivez à david@secret.example !")
    game.night(("Alice", "VOTE", "Bruno"), ("Chloé", "VOTE", "Bruno"), ("Fanny", "KILL", "Alice"))
    game.night(("Chloé", "VOTE", "Fanny"), ("David", "VOTE", "Fanny"))
    assert game.state.phase is Phase.OVER
    stage.publish()
    text = stage.read("pl1/export.json")
    for word in ("malade", "hôpital", "jeudi", "Bon courage", "secret.example"):
        assert word not in text
    report = verify(parse(stage.folder.file("pl1/export.json").read_text("utf-8")))
    assert [check.name for check in report.checks if not check.holds] == ["chance"]  # the scene was set by hand
    truth = stage.read("pl1/truth/")
    assert report.commitment in truth
    assert hashlib.sha256(bytes.fromhex(game.state.seed)).hexdigest() in truth
    assert game.state.seed in truth


def test_only_private_words_are_withheld():
    kept = {"type": "PackTalked", "text": "Ce soir.", "to": 2}
    assert discreet(kept) == kept
    assert discreet({"event": {"type": "Told", "text": "x", "to": 1}}) == {
        "event": {"type": "Told", "text": "…", "to": 1}
    }
    assert discreet({"type": "QuestionAsked", "text": "", "name": "a@b.c"}) == {
        "type": "QuestionAsked",
        "text": "",
        "name": "a@…",
    }


def test_no_address_in_a_site_with_letters(tmp_path):
    stage = played(tmp_path)
    stage.publish()
    secrets = [word.encode() for word in stage.secrets()]
    assert len(secrets) > 30
    for file in stage.files():
        content = file.read_bytes()
        assert not [word for word in secrets if word in content], file
