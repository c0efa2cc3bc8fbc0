"""Who is who: the scenario's names, the seats of the game, and the addresses that they write from.

After REPLACE a seat may bear another name in the game; the scenario goes on calling it as before. After LEAVE or
ADDRESS the letters of a player are those to any address he has had.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pbem.engine.events import Replaced
from pbem.rehearsal.mailwriter import LIST, READER, STORYTELLER
from pbem.rehearsal.stage import address_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pbem.engine.events import Event
    from pbem.engine.state import Game
    from pbem.rehearsal.scenario import Setting, Stranger


class Cast:
    """The people of one scenario."""

    def __init__(self, setting: Setting) -> None:
        self._had = {seat.name: [address_of(seat.name)] for seat in setting.seats}
        self._called: dict[str, str] = {}

    def note(self, before: Game, events: Sequence[Event], game: Game, addresses: dict[int, str]) -> None:
        """What a step has changed: names (`before` has the old ones), and the registered addresses, by seat."""
        for event in events:
            if isinstance(event, Replaced) and before.player(event.seat).name != event.name:
                old = before.player(event.seat).name
                self._called[event.name] = self._called.get(old, old)
        for player in game.players:
            had = self._had.get(self._scenario_name(player.name))
            if had is not None and addresses.get(player.seat, had[-1]) != had[-1]:
                had.append(addresses[player.seat])

    def _scenario_name(self, name: str) -> str:
        return self._called.get(name, name)

    def name_of(self, game: Game, seat: int) -> str:
        """How the scenario calls that seat."""
        return self._scenario_name(game.player(seat).name)

    def seat_of(self, game: Game, name: str) -> int:
        """The seat that bears that name in the scenario; 0 if he has left."""
        return next((p.seat for p in game.players if self._scenario_name(p.name) == name), 0)

    def scenario_names(self, value: Any) -> Any:
        """A notice's value with the scenario's names."""
        if isinstance(value, dict):
            return {self.scenario_names(key): self.scenario_names(item) for key, item in value.items()}
        if isinstance(value, list):
            return [self.scenario_names(item) for item in value]
        return self._scenario_name(value) if isinstance(value, str) else value

    def addresses(self, name: str) -> set[str]:
        """Every address that a player has had."""
        return set(self._had[name])

    def plays(self, name: str) -> bool:
        """Whether that is a player of the scenario."""
        return name in self._had

    def mailbox(self, who: str | Stranger) -> tuple[str, str]:
        """(name, address) that somebody writes from."""
        if not isinstance(who, str):
            return who.name, who.address
        if who == "storyteller":
            return "Le Conteur", STORYTELLER
        if who == "reader":
            return "Le Lecteur", READER
        return ("", LIST) if who == "list" else (who, self._had[who][-1])
