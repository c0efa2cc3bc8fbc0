"""When each running game next needs looking at, remembered by its version: only what has changed is worked out anew.

One for each process, shared by those who ask; for one thread at a time. What is known is left in the store now and
then (`save`), so that the next start need not read the logs of a thousand games; it counts for the same rules only.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Final

import pbem.engine
from pbem.engine.decide import next_wakeup

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pbem.store import Tx


KEY: Final = "agendas"
"""The named value under which they are left."""


@dataclass(frozen=True, slots=True)
class Agenda:
    """When a game of that version next needs looking at; None: it stands still."""

    version: int
    at: datetime | None


class Agendas:
    """The agendas of all running games."""

    def __init__(self) -> None:
        self._known: dict[int, Agenda] = {}
        self._fresh = True

    def look(self, tx: Tx) -> Mapping[int, Agenda]:
        """As they are now, by game id."""
        if self._fresh:
            self._known, self._fresh = _left(tx), False
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

    def save(self, tx: Tx) -> None:
        """Leave what is known for the next start; nothing, if nobody has looked yet."""
        if self._fresh:
            return
        rows = [[game_id, one.version, one.at and one.at.isoformat()] for game_id, one in self._known.items()]
        tx.set(KEY, json.dumps({"rules": _rules(), "games": rows}))


def _left(tx: Tx) -> dict[int, Agenda]:
    """What an earlier process left, if it went by the same rules."""
    kept = json.loads(tx.get(KEY) or "{}")
    if kept.get("rules") != _rules():
        return {}
    return {
        game_id: Agenda(version, datetime.fromisoformat(at) if at else None) for game_id, version, at in kept["games"]
    }


@lru_cache(maxsize=1)
def _rules() -> str:
    """The engine's sources, in short: with another engine a game may need looking at at another time."""
    state = hashlib.blake2s(digest_size=12)
    for folder in pbem.engine.__path__:
        for file in sorted(Path(folder).rglob("*.py")):
            state.update(file.read_bytes())
    return state.hexdigest()
