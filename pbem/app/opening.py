"""A new game: its code, its options, its storytellers, and registration open (`pbem game new`)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbem.app.desk import Desk
from pbem.engine.commands import OpenGame, OpenRegistration

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from pbem.app.office import Office
    from pbem.engine.options import Options
    from pbem.store import Tx


class CodeTaken(ValueError):  # noqa: N818  (it is the answer, not a failure)
    """There is a game of that code already."""


def next_code(tx: Tx, prefix: str) -> str:
    """The first code of that prefix that was never used: PL1, PL2 …"""
    codes = {code.upper() for code in tx.game_codes()}
    number = 1
    while f"{prefix}{number}".upper() in codes:
        number += 1
    return f"{prefix}{number}"


def open_game(
    office: Office,
    tx: Tx,
    now: datetime,
    *,
    code: str,
    options: Options,
    storytellers: Sequence[str],
    series: str = "",
    registration: bool = True,
) -> int:
    """Begin a game; its id. Its seed is drawn here. With `registration` people may join from now on (ORG-6).

    Raises CodeTaken.
    """
    if tx.game_id(code) is not None:
        raise CodeTaken(code)
    game_id = tx.create_game(code, series, now)
    for address in storytellers:
        tx.add_storyteller(game_id, address, language=options.language)
    desk = Desk(office, tx, game_id, now)
    desk.act(OpenGame(now, code, options, office.tokens.seed()))
    if registration:
        desk.act(OpenRegistration(now))
    return game_id
