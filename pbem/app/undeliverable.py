"""Letters that do not arrive, and that the storyteller hears of it.

Refused for good: as good as a bounce (MAIL.md § 5), the address is marked and the storyteller told once. Not taken for
a day: told, all of a game in one letter, at most twice a day; a digest or a post to the list at once if it is refused
for good, else after some minutes. What he has been told of is not told again, nor what strangers do not get.
"""

from __future__ import annotations

from datetime import timedelta
from email.parser import BytesHeaderParser
from email.policy import default
from typing import TYPE_CHECKING, Final

from pbem.app.desk import Desk
from pbem.app.notices import tell_bounce

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from pbem.app.office import Office
    from pbem.store import OutboxRow, Tx

DAY: Final = timedelta(days=1)
SOON: Final = timedelta(minutes=10)
"""How long a letter to the list may take: servers that know nobody let everybody wait for some minutes."""
AGAIN: Final = timedelta(hours=12)
KIND: Final = "undelivered"


def tell(office: Office, tx: Tx, letter: OutboxRow, why: str, now: datetime) -> None:
    """A letter has been refused for good."""
    if _to_list(office, letter) and letter.game_id is not None:
        _report(Desk(office, tx, letter.game_id, now), [letter], why, lasting=True)
        return
    for game_id, seat in tx.note_bounce(letter.to, now):
        tell_bounce(Desk(office, tx, game_id, now), seat, why)
    tx.report(letter.id)


def overdue(office: Office, now: datetime) -> list[str]:
    """Tell of what has not left for too long, a transaction a game; the codes of the games."""
    with office.store.read() as tx:
        late = _late(office, tx, now)
    told = []
    for game_id in dict.fromkeys(letter.game_id for letter in late):
        letters = [letter for letter in late if letter.game_id == game_id]
        with office.store.begin() as tx:
            if game_id is None:
                _mark(tx, letters)
            elif _about(office, Desk(office, tx, game_id, now), letters):
                told.append(tx.game(game_id).code)
    return told


def _late(office: Office, tx: Tx, now: datetime) -> list[OutboxRow]:
    """Letters that are too late by now, and not told yet."""
    return [
        letter
        for letter in tx.undelivered(now - SOON)
        if letter.created <= now - DAY or (_to_list(office, letter) and letter.error)
    ]


def _about(office: Office, desk: Desk, letters: Sequence[OutboxRow]) -> bool:
    """Tell of these, all of one game, unless nobody is left to be told; whether he was told."""
    marked = {row.address for row in desk.tx.players(desk.game_id) if row.bounced is not None}
    tellers = {one.address for one in desk.book.storytellers}
    people = {one.address for one in (*desk.book.seats.values(), *desk.book.readers)} | {desk.book.list_address}
    news = [letter for letter in letters if letter.to in people - marked]
    _mark(desk.tx, [letter for letter in letters if letter not in news])
    recent = any(desk.tx.count_letters(address, KIND, desk.now - AGAIN) for address in tellers)
    if not news or (recent and not any(_to_list(office, letter) for letter in news)):
        return False
    _report(desk, news, news[-1].error, lasting=False)
    return True


def _report(desk: Desk, letters: Sequence[OutboxRow], why: str, *, lasting: bool) -> None:
    rows = [(_whom(desk, letter), _subject(letter), letter.created) for letter in letters]
    desk.send(
        desk.office.scribe.undelivered_notice(desk.book, desk.game, rows, at=desk.now, why=why, lasting=lasting)
    )  # fmt: skip
    _mark(desk.tx, letters)


def _mark(tx: Tx, letters: Sequence[OutboxRow]) -> None:
    for letter in letters:
        tx.report(letter.id)


def _to_list(office: Office, letter: OutboxRow) -> bool:
    return letter.to == office.settings.game.list_address


def _whom(desk: Desk, letter: OutboxRow) -> str:
    if letter.seat is not None and letter.seat <= len(desk.game.players):
        return desk.game.player(letter.seat).name
    return letter.to


def _subject(letter: OutboxRow) -> str:
    head = letter.raw.partition(b"\r\n\r\n")[0] + b"\r\n\r\n"
    return str(BytesHeaderParser(policy=default).parsebytes(head)["Subject"] or "")
