"""Who is written to in one game: the store's people, as the letters know them (`pbem.letters.book`)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbem.letters.book import Book, Correspondent

if TYPE_CHECKING:
    from pbem.engine.state import Game
    from pbem.settings import Settings
    from pbem.store import PlayerRow, ReaderRow, StorytellerRow, Tx


def book(tx: Tx, game_id: int, game: Game, settings: Settings) -> Book:
    """The address book of that game as it stands now."""
    names = {player.seat: player.name for player in game.players}
    return Book(
        code=game.code,
        game_address=settings.game.address,
        list_address=settings.game.list_address,
        tags=game.options.tags,
        seats={row.seat: of_player(row, names.get(row.seat, "")) for row in tx.players(game_id)},
        storytellers=tuple(map(of_storyteller, tx.storytellers(game_id))),
        readers=tuple(map(of_reader, tx.readers(game_id))),
        language=game.options.language,
        archive_url=settings.archive.url or None,
    )


def of_player(row: PlayerRow, name: str) -> Correspondent:
    """A player; his name is the game's."""
    return Correspondent(row.address, row.language, row.gender, row.tag, name, row.amount, row.reminders)


def of_storyteller(row: StorytellerRow) -> Correspondent:
    """A storyteller, who has no personal tag (MAIL.md § 4)."""
    return Correspondent(row.address, row.language, row.gender, name=row.name)


def of_reader(row: ReaderRow) -> Correspondent:
    """A reader; his tag is his way out, no proof of anything."""
    return Correspondent(row.address, row.language, name=row.name, amount=row.amount)
