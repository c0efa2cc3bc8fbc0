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
    """The tools at hand. Nothing in it changes while the program runs."""

    store: Store
    scribe: Scribe
    settings: Settings
    tokens: Tokens = field(default_factory=Secrets)

    @property
    def trust(self) -> Trust:
        """Whose word counts about who wrote a mail (MAIL.md § 4)."""
        auth = self.settings.auth
        return Trust(self.settings.authserv_id or None, auth.received_by or None, auth.mode)

    def house(self, tx: Tx) -> House:
        """Where the game lives, and the codes of its games."""
        game = self.settings.game
        return House(
            address=game.address,
            authserv_id=self.settings.authserv_id or None,
            subaddressing=game.tags == "plus",
            list_address=game.list_address,
            storyteller=game.storytellers,
            codes=tuple(tx.game_codes()),
        )
