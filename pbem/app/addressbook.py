"""Who is written to in one game: the store's people, as the letters know them (`pbem.letters.book`)."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Final

from pbem.app import addresses
from pbem.letters.book import Book, Correspondent

if TYPE_CHECKING:
    from collections.abc import Container

    from pbem.engine.state import Game
    from pbem.settings import Settings
    from pbem.store import PlayerRow, ReaderRow, StorytellerRow, Tx


_NEVER: Final = datetime.max.replace(tzinfo=UTC)
"""Since then no game ended: only those that run count."""


def book(tx: Tx, game_id: int, game: Game, settings: Settings) -> Book:
    """The address book of that game as it stands now."""
    names = {player.seat: player.name for player in game.players}
    rows = tx.players(game_id)
    # Who has a seat gets what his seat gets: no more, while he lives (ORG-2), and nothing twice when he is dead.
    seated = {addresses.mailbox(row.address) for row in rows}
    listed = set(tx.list_members(_NEVER)) if any(row.amount != "posts" for row in rows) else set()
    return Book(
        code=game.code,
        game_address=settings.game.address,
        list_address=settings.game.list_address,
        tags=game.options.tags,
        seats={row.seat: of_player(row, names.get(row.seat, ""), listed) for row in rows},
        storytellers=tuple(map(of_storyteller, tx.storytellers(game_id))),
        readers=tuple(of_reader(row) for row in tx.readers(game_id) if addresses.mailbox(row.address) not in seated),
        language=game.options.language,
        archive_url=settings.archive.url or None,
        own_list=settings.embedded.enabled,
    )


def of_player(row: PlayerRow, name: str, listed: Container[str] = ()) -> Correspondent:
    """A player; his name is the game's. Whoever is on the list (`listed`), be it for another game, gets every post."""
    amount = "posts" if row.address in listed else row.amount
    return Correspondent(row.address, row.language, row.gender, row.tag, name, amount, row.reminders)


def of_storyteller(row: StorytellerRow) -> Correspondent:
    """A storyteller, who has no personal tag (MAIL.md § 4)."""
    return Correspondent(row.address, row.language, row.gender, name=row.name)


def of_reader(row: ReaderRow) -> Correspondent:
    """A reader; his tag is his way out, no proof of anything."""
    return Correspondent(row.address, row.language, tag=row.tag, name=row.name, amount=row.amount)
