"""What a storyteller may expect of the roles that he has composed, told in a letter of its own.

COMPOSITION only notes that the odds are wanted (`ask`), in its own transaction. The `Oracle`, in a thread of its own,
has them foretold, which may take a minute, and then tells them: so no mail waits for them, and they are told after a
crash too. Who composes anew meanwhile hears of the new roles only.
"""

from __future__ import annotations

import json
import logging
import threading
from typing import TYPE_CHECKING, Final, NamedTuple

from pbem.app.desk import Desk
from pbem.engine.phases.signup import dealt_counts
from pbem.store import StoreError

if TYPE_CHECKING:
    from collections.abc import Callable

    from pbem.app.clock import Clock
    from pbem.app.office import Office
    from pbem.app.tables import Counts
    from pbem.engine.state import Game
    from pbem.store import Tx

_log = logging.getLogger(__name__)

WANTED: Final = "odds-wanted"
_REST_SECONDS: Final = 5.0
"""How long the thread rests when the store or the foretelling failed."""


class Odds(NamedTuple):
    """Percent of games that village and wolves win, by so many games; the rest is lovers', the beast's, or nobody's."""

    village: int
    wolves: int
    games: int


def written(counts: Counts) -> str:
    """A composition as COMPOSITION takes it."""
    return " ".join(f"{slug}={number}" for slug, number in counts)


def ask(tx: Tx, game_id: int) -> None:
    """The odds of that game's composition are wanted."""
    tx.set(WANTED, json.dumps(sorted({*waiting(tx), game_id})))


def waiting(tx: Tx) -> list[int]:
    """The games whose odds are wanted."""
    return list(json.loads(tx.get(WANTED) or "[]"))


class Oracle:
    """Tells the odds that are wanted. `start`, `wake` and `stop` run it in a thread; `tell_all` does it here.

    `foretell(roles, stopped)` gives their odds, or None where it cannot, or `stopped()` says that it need not.
    """

    def __init__(
        self, office: Office, clock: Clock, foretell: Callable[[Counts, Callable[[], bool]], Odds | None]
    ) -> None:
        self._office = office
        self._clock = clock
        self._foretell = foretell
        self._awake = threading.Event()
        self._stopped = threading.Event()
        self._thread: threading.Thread | None = None

    def start(self) -> None:
        """From now on: at once, and after each `wake`."""
        self._awake.set()
        self._thread = threading.Thread(target=self._run, name="odds", daemon=True)
        self._thread.start()

    def wake(self) -> None:
        """Odds may be wanted. In any thread; returns at once."""
        self._awake.set()

    def stop(self, timeout_seconds: float = 5.0) -> None:
        """End; what is not told by then is told at the next start."""
        self._stopped.set()
        self._awake.set()
        if self._thread is not None:
            self._thread.join(timeout_seconds)

    def _run(self) -> None:
        while True:
            self._awake.wait()
            self._awake.clear()
            if self._stopped.is_set():
                return
            try:
                self.tell_all()
            except Exception as error:  # noqa: BLE001  (nobody waits for it: the game goes on without)
                _log.error("odds were not told: %s", type(error).__name__)
                self._stopped.wait(_REST_SECONDS)
                if isinstance(error, StoreError):
                    self._awake.set()

    def tell_all(self) -> list[int]:
        """Foretell and tell all that is wanted now; the games that were told of. Raises StoreError."""
        with self._office.store.read() as tx:
            games = {game_id: _composed(tx.load(game_id)[0]) for game_id in waiting(tx)}
        told = []
        for game_id, counts in games.items():
            odds = self._foretell(counts, self._stopped.is_set) if counts else None
            if not self._stopped.is_set() and self._tell(game_id, counts, odds):
                told.append(game_id)
        return told

    def _tell(self, game_id: int, counts: Counts, odds: Odds | None) -> bool:
        """In one transaction with the note that it is done; not if he has composed anew meanwhile."""
        with self._office.store.begin() as tx:
            desk = Desk(self._office, tx, game_id, self._clock.now())
            left = waiting(tx)
            if game_id not in left or _composed(desk.game) != counts:
                self._awake.set()
                return False
            tx.set(WANTED, json.dumps([other for other in left if other != game_id]))
            if odds is None or desk.game.started:
                return False
            facts = {"odds": odds, "rest": 100 - odds.village - odds.wolves}
            scribe, book = self._office.scribe, desk.book
            desk.send(
                scribe.notice("odds", to, facts, book, at=desk.now, game=desk.game, audience="storyteller")
                for to in book.storytellers
            )
        return True


def _composed(game: Game) -> Counts:
    """The roles that are set, or that were dealt without."""
    return game.composition or dealt_counts(game)
