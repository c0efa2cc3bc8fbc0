"""From a verb and the words behind it to what the engine takes: `Words`, and orders made of them (MAIL.md §§ 2 and 3).

Names are read among all seats, the dead included; what is in doubt becomes a `fault` that the engine refuses in its
turn, never a guess. Nothing here raises, and nothing here judges whether a thing is allowed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbem.app import rolenames
from pbem.engine.commands import Words
from pbem.engine.roles import LEXICON
from pbem.engine.roles.prescient import ANYONE
from pbem.engine.verbs import Args
from pbem.orders import grammar, names
from pbem.orders.words import fold

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from pbem.engine.state import Game

    Roster = Sequence[tuple[int, str]]

_VERBS = {verb.name: verb for verb in LEXICON}


def roster(game: Game) -> list[tuple[int, str]]:
    """Seats and names, the dead included."""
    return [(player.seat, player.name) for player in game.players]


def words(verb: str, args: str, game: Game, *, text: str = "", closing: str = "") -> Words:
    """What stands behind the English `verb`: `args` as written, `text` the mail's own words.

    `closing` is the name that a post's last sentence elects (MAYOR-2), '' if it elects nobody.
    """
    return _READERS[_VERBS[verb].args](args.strip(), roster(game), text, closing)


def player(args: str, who: Roster) -> Words:
    """One player."""
    if not args:
        return Words(fault="missing-argument")
    found = names.find(args, who)
    if isinstance(found, names.Found):
        return Words((found.seat,))
    by_seat = dict(who)
    if isinstance(found, names.Ambiguous):
        meant = tuple(by_seat[seat] for seat in found.candidates)
        return Words(fault="ambiguous-player", unread=args, suggestions=meant)
    return Words(fault="unknown-player", unread=args, suggestions=tuple(by_seat[seat] for seat in found.suggestions))


def two_players(args: str, who: Roster) -> Words:
    """Two players; the first whose name does not do is the fault."""
    pair = names.split_two(args)
    if pair is None:
        return Words(fault="missing-argument", unread=args)
    one, other = (player(part, who) for part in pair)
    bad = one if one.fault else other
    return bad if bad.fault else Words((*one.seats, *other.seats))


def _player(args: str, who: Roster, _text: str, _closing: str) -> Words:
    return player(args, who)


def _maybe_player(args: str, who: Roster, _text: str, _closing: str) -> Words:
    """A player, ANYONE, or nothing."""
    if not args:
        return Words()
    return Words(word=ANYONE) if fold(args) in names.ANYONE else player(args, who)


def _two(args: str, who: Roster, _text: str, _closing: str) -> Words:
    return two_players(args, who)


def _players(args: str, who: Roster, _text: str, _closing: str) -> Words:
    """One player or several; a name that holds no separator is one (DECIDE)."""
    single = player(args, who)
    if not single.fault or not names.holds_separator(args):
        return single
    return two_players(args, who) if names.split_two(args) else _several(args, who)


def _several(args: str, who: Roster) -> Words:
    """More than two names, which the engine will find too many; or words that are no names at all."""
    parts = [part for piece in args.replace("&", ",").replace("/", ",").split(",") for part in piece.split(" et ")]
    parts = [part.strip() for piece in parts for part in piece.split(" and ") if part.strip()]
    read = [player(part, who) for part in parts]
    bad = next((one for one in read if one.fault), None)
    return bad or Words(tuple(seat for one in read for seat in one.seats)) if read else player(args, who)


def _role(args: str, _who: Roster, _text: str, _closing: str) -> Words:
    if not args:
        return Words(fault="missing-argument")
    slug = rolenames.find(args)
    return Words(word=slug) if slug else Words(fault="unknown-role", unread=args)


def _verb(args: str, _who: Roster, _text: str, _closing: str) -> Words:
    """A verb, in either language (CANCEL)."""
    if not args:
        return Words(fault="missing-argument")
    verb = grammar.VERBS.get(fold(args.split(maxsplit=1)[0]))
    return Words(word=verb.name) if verb else Words(fault="not-a-choice", unread=args)


def _body(args: str, who: Roster, text: str, closing: str) -> Words:
    """The mail's own words; what stands beside the verb is part of them."""
    whole = "\n\n".join(part for part in (args, text.strip()) if part)
    return Words(text=whole, elects=_elected(closing, who) if closing else 0)


def _elected(closing: str, who: Roster) -> int:
    found = names.find(closing, who)
    return found.seat if isinstance(found, names.Found) else -1


def _text(args: str, _who: Roster, text: str, _closing: str) -> Words:
    """Free words beside the verb in `word`, the mail's own ones in `text` (ABSENT)."""
    return Words(word=args, text=text.strip())


def _nothing(_args: str, _who: Roster, _text: str, _closing: str) -> Words:
    return Words()


_READERS: dict[Args, Callable[[str, Roster, str, str], Words]] = {
    Args.NONE: _nothing,
    Args.BODY: _body,
    Args.PLAYER: _player,
    Args.MAYBE_PLAYER: _maybe_player,
    Args.PLAYERS: _players,
    Args.TWO_PLAYERS: _two,
    Args.ROLE: _role,
    Args.VERB: _verb,
    Args.TEXT: _text,
    Args.MAYBE_TEXT: _text,
}
