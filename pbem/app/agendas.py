"""When each running game next needs looking at, remembered by its version: only what has changed is worked out anew.

One for each process, shared by those who ask; for one thread at a time.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from pbem.engine.decide import next_wakeup

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    from pbem.store import Tx


@dataclass(frozen=True, slots=True)
class Agenda:
    """When a game of that version next needs looking at; None: it stands still."""

    version: int
    at: datetime | None


class Agendas:
    """The agendas of all running games."""

    def __init__(self) -> None:
        self._known: dict[int, Agenda] = {}

    def look(self, tx: Tx) -> Mapping[int, Agenda]:
        """As they are now, by game id."""
        known, self._known = self._known, {}
        for game_id, version in tx.running_versions():
            agenda = known.get(game_id)
            if agenda is None or agenda.version != version:
                agenda = Agenda(version, next_wakeup(tx.load(game_id)[0]))
            self._known[game_id] = agenda
        return self._known

    def version(self, game_id: int) -> int:
        """The version at which a game was last looked at; 0 if it never was."""
        agenda = self._known.get(game_id)
        return agenda.version if agenda is not None else 0
