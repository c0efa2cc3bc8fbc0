"""What every part of the application works with: the store, the scribe, the settings, and a source of tokens."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from pbem.app.tokens import Secrets, Tokens
from pbem.mail.authenticity import Trust
from pbem.orders.house import House

if TYPE_CHECKING:
    from pbem.letters.scribe import Scribe
    from pbem.settings import Settings
    from pbem.store import Store, Tx


@dataclass(frozen=True, slots=True)
class Office:
    """The tools at hand. Nothing in it changes while the program runs, but for what it remembers."""

    store: Store
    scribe: Scribe
    settings: Settings
    tokens: Tokens = field(default_factory=Secrets)
    _houses: dict[tuple[int, str] | None, House] = field(default_factory=dict, repr=False, compare=False)

    @property
    def trust(self) -> Trust:
        """Whose word counts about who wrote a mail (MAIL.md § 4)."""
        auth = self.settings.auth
        return Trust(self.settings.authserv_id or None, auth.received_by or None, auth.mode)

    def house(self, tx: Tx) -> House:
        """Where the game lives, and the codes of its games: asked of the store again when there is a new one."""
        latest = tx.latest_game()
        if latest not in self._houses:
            self._houses.clear()
            self._houses[latest] = self._house(tx)
        return self._houses[latest]

    def _house(self, tx: Tx) -> House:
        game = self.settings.game
        return House(
            address=game.address,
            authserv_id=self.settings.authserv_id or None,
            subaddressing=game.tags == "plus",
            list_address=game.list_address,
            storyteller=game.storytellers,
            codes=frozenset(code.upper() for code in tx.game_codes()),
        )
