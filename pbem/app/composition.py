"""COMPOSITION, and what DEAL and START need besides: the default table, warnings, and who is immune (NEXT-1)."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from pbem.app import odds, rolenames, tables
from pbem.app.desk import Refusal
from pbem.engine.roles import ROSTER
from pbem.orders.words import fold

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pbem.app.deeds import Deed
    from pbem.app.desk import Desk
    from pbem.app.tables import Counts
    from pbem.engine.events import Event
    from pbem.engine.state import Game, Player
    from pbem.store import GameRow

AUTO: Final = "auto"
_PAIR: Final = re.compile(r"([^=:\d,;]+?)\s*[=:]?\s*(\d{1,2})(?!\d)|(\d{1,2})\s*[x×]?\s*([^=:\d,;]+)")


def read(args: str, players: int) -> Counts | Refusal:
    """`werewolf=2 seer=1 …` (also `2 loups-garous, 1 voyante`), or the name of a table for that many players; `auto` is
    the default one.
    """
    if not args.strip():
        return Refusal("missing-argument")
    name = "" if fold(args) == AUTO else fold(args)
    named = tables.roles_for(players, name) if name in ("", *tables.table_names()) else None
    if named is not None:
        return named
    counts: dict[str, int] = {}
    rest = args.replace("+", ",").strip(" ,;.")
    while rest:
        found = _PAIR.match(rest)
        if found is None:
            return Refusal("not-a-choice", rest)
        name, number = (found[1], found[2]) if found[1] else (found[4], found[3])
        slug = rolenames.find(name)
        if slug is None:
            return Refusal("unknown-role", name.strip())
        counts[slug] = counts.get(slug, 0) + int(number)
        rest = rest[found.end() :].lstrip(" ,;.")
    return tuple((slug, number) for slug, number in counts.items() if number)


def table(game: Game) -> Counts:
    """The default roles for the players there are; () if there are too few or too many."""
    return tables.roles_for(len(game.players)) or ()


def warned(desk: Desk, deed: Deed, counts: Counts = ()) -> Deed:
    """The same deed; its acceptance warns of what does not suit the game: the code `warning`, and a word for each.

    `counts` are the roles that the deed itself sets.
    """

    def remark() -> tuple[str, str]:
        found = warnings(desk.game, dict(counts or desk.game.composition or table(desk.game)))
        return ("warning", " ".join(found)) if found else ("", "")

    return replace(deed, remark=remark)


def warnings(game: Game, counts: Mapping[str, int]) -> list[str]:
    """What speaks against playing these roles (INV-1, CHIEF-1, WIN-2): `sum`, `no-wolf`, `parity`, or a role's slug."""
    cards, wolves = sum(counts.values()), sum(number for slug, number in counts.items() if ROSTER[slug].wolf)
    found = ["sum"] if cards != len(game.players) else []
    found += ["no-wolf"] if not wolves else ["parity"] if 2 * wolves >= cards else []
    found += [slug for slug in counts if ROSTER[slug].needs_hidden and game.options.composition == "public"]
    return found + [slug for slug in counts if cards < ROSTER[slug].floor]


def foretold(desk: Desk, deed: Deed) -> Deed:
    """The same deed; the storyteller is told in a letter of its own what to expect of the roles that it sets."""

    def act() -> tuple[Event, ...]:
        events = deed.act()
        odds.ask(desk.tx, desk.game_id)
        return events

    return replace(deed, act=act)


def immune(desk: Desk) -> tuple[int, ...]:
    """NEXT-1: the seats of those who were eliminated on the first evening of the last game of this series."""
    own = desk.tx.game(desk.game_id)
    last = desk.tx.last_of_series(own.series, before=own.id) if own.series else None
    if last is None:
        return ()
    lost = _lost_on_the_first_evening(desk, last)
    return tuple(row.seat for row in desk.tx.players(desk.game_id) if row.address in lost)


def _lost_on_the_first_evening(desk: Desk, last: GameRow) -> set[str]:
    game = desk.tx.load(last.id)[0]
    addresses = {row.seat: row.address for row in desk.tx.players(last.id)}
    return {addresses[p.seat] for p in game.players if p.seat in addresses and _counts(game, p)}


def _counts(game: Game, player: Player) -> bool:
    """Not by heart attack or inactivity, nor for love of one who so died."""
    if player.died != 1:
        return False
    if player.cause != "love":
        return player.cause in {"executed", "murdered", "sacrificed"}
    partners = (game.player(seat) for seat in game.lovers_of(player.seat))
    return any(p.died == 1 and p.cause in {"executed", "murdered", "sacrificed"} for p in partners)
