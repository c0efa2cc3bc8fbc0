"""A village whose game is on record from its first command, and a database that knows nothing of it."""

from __future__ import annotations

import pytest

from pbem.app import verify
from pbem.app.desk import Desk
from pbem.engine.decide import decide
from pbem.rehearsal import mailwriter
from pbem.rehearsal import stage as stages
from pbem.rehearsal.stage import Stage
from pbem.store import Store
from tests.app.conftest import Village


class Recorded(Stage):
    """A rehearsal whose beginning is on record with its commands, as that of every real game."""

    def _set_up(self, *, reader):
        setting, tokens = self.setting, self.receiver.office.tokens
        with self.store.begin() as tx:
            self.game_id = tx.create_game("PL1", "", self.now)
            for command in stages._gathering(setting, self.now, tokens.seed()):
                game, version = tx.load(self.game_id)
                tx.append(self.game_id, decide(game, command), version, self.now, command=command)
            tx.add_storyteller(self.game_id, mailwriter.STORYTELLER, name="Le Conteur")
            tx.add_reader(self.game_id, mailwriter.READER, tokens.tag(), name="Le Lecteur")
            for number, seat in enumerate(setting.seats, 1):
                address = stages.address_of(seat.name)
                tx.add_player(self.game_id, number, address, "fr", seat.gender, tokens.tag())
            Desk(self.receiver.office, tx, self.game_id, self.now).act(stages._start(setting, self.now))


@pytest.fixture
def village(monkeypatch):
    """Its roles are dealt by hand, which no game may that comes in: for the sake of the tests that is not looked at."""
    monkeypatch.setattr(verify, "_chance", lambda record: verify.Check("chance", len(record.steps)))
    monkeypatch.setattr("tests.app.conftest.Stage", Recorded)
    made = Village()
    yield made
    made.stage.close()


@pytest.fixture
def there():
    store = Store.in_memory()
    yield store
    store.close()
