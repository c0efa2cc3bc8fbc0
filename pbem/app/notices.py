"""Letters about the mail itself, which no event tells: unreadable mails, bounces, replaced tags (MAIL.md § 5)."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Final

from pbem.app import addressbook, deliver
from pbem.engine.state import Game
from pbem.letters.book import Book, Correspondent

if TYPE_CHECKING:
    from datetime import datetime

    from pbem.app.desk import Desk
    from pbem.app.office import Office
    from pbem.store import Tx

DAY: Final = timedelta(days=1)
UNREADABLE_A_DAY: Final = 10
"""Letters about unreadable mails that a storyteller gets in a day; more would be a nuisance by itself."""


def empty_book(office: Office) -> Book:
    """The address book of no game in particular."""
    game = office.settings.game
    tellers = tuple(Correspondent(address, game.language) for address in game.storytellers)
    return Book(
        code=game.code, game_address=game.address, list_address=game.list_address, tags=game.tags,
        storytellers=tellers, language=game.language, archive_url=office.settings.archive.url or None,
    )  # fmt: skip


def tell_unreadable(
    office: Office, tx: Tx, now: datetime, *, game_id: int | None = None, sender: str = "", why: str = ""
) -> None:
    """The storyteller hears of a mail that was put aside: of his game if it is known which, else every storyteller."""
    game = tx.load(game_id)[0] if game_id is not None else None
    book = addressbook.book(tx, game_id, game, office.settings) if game_id is not None and game else empty_book(office)
    letters = office.scribe.unreadable_notice(book, game or Game(), at=now, sender=sender, why=why)
    few = [one for one in letters if tx.count_letters(one.to, "unreadable", now - DAY) < UNREADABLE_A_DAY]
    deliver.enqueue(office, tx, few, now, game_id=game_id)


def replace_tag(desk: Desk, seat: int) -> None:
    """MAIL.md § 4: a tag that others have seen is worth nothing from now on; its owner gets a new one."""
    desk.tx.set_player(desk.game_id, seat, tag=desk.office.tokens.tag())
    desk.people_changed()
    desk.send([desk.office.scribe.tag_replaced(desk.book, desk.game, seat, at=desk.now)])


def tell_bounce(desk: Desk, seat: int, why: str) -> None:
    """The storyteller hears, once, that letters to a player come back."""
    desk.send(desk.office.scribe.bounce_notice(desk.book, desk.game, seat, at=desk.now, why=why))
