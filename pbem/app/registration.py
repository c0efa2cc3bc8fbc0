"""Coming and going: JOIN, LEAVE, WATCH, UNWATCH (MAIL.md § 3, ORG-2, ORG-6).

JOIN and WATCH are done when they are confirmed by answering a letter. Nobody who has received the graveyard of a game
may join it.
"""

from __future__ import annotations

import itertools
import re
from typing import TYPE_CHECKING, Final

from pbem.app import addresses, party, rolenames
from pbem.app.deeds import Deed, barred
from pbem.app.desk import Refusal
from pbem.engine.commands import Join, Order
from pbem.engine.events import Joined, Left
from pbem.orders import names
from pbem.orders.words import fold, letters, spaced

if TYPE_CHECKING:
    from pbem.app.deeds import Asking, Events
    from pbem.app.desk import Desk
    from pbem.app.party import Party
    from pbem.orders.grammar import Spoken

_GENDER: Final = re.compile(r"\s*[(\[]\s*([^)\]\s]{1,12})\s*[)\]]\s*$")
_GENDERS: Final = {
    **dict.fromkeys(("m", "h", "masculin", "homme", "male", "man", "il"), "m"),
    **dict.fromkeys(("f", "feminin", "femme", "female", "woman", "elle"), "f"),
}
_LONGEST: Final = 60


def named(args: str) -> tuple[str, str]:
    """A name, and the gender behind it (m or f; '' if none is given)."""
    args = spaced(args)
    found = _GENDER.search(args)
    gender = _GENDERS.get(fold(found[1]), "") if found else ""
    name = args[: found.start()] if found and gender else args
    return " ".join(name.split()), gender


def unfit(name: str) -> bool:
    """Whether nobody may be called so (MAIL.md § 2, *Names*)."""
    return names.bad_name(name) or rolenames.boasted(name)


def join(asking: Asking, spoken: Spoken) -> Deed:
    """JOIN name [(m) or (f)]: the next seat, confirmed by answering a letter."""
    desk, address = asking.desk, asking.party.address
    name, gender = named(spoken.args)
    bad = bool(name) and unfit(name)
    known = party.known(desk.tx, desk.game_id, address)
    command = Join(asking.at, name, gender or "m", known=known, bad_name=bad)

    def objection() -> Refusal | None:
        because = barred(desk) or desk.judge(command)
        if because is None:
            return Refusal("ineligible") if addresses.read_graveyard(desk.tx, desk.game_id, address) else None
        return Refusal("missing-argument") if because.code == "bad-name" and not name else because

    def seated(events: Events) -> None:
        """Write down who sits there; what he read along as a reader ends."""
        for event in events:
            if isinstance(event, Joined):
                tag = desk.office.tokens.tag()
                desk.tx.add_player(desk.game_id, event.seat, address, desk.game.options.language, event.gender, tag)
                addresses.reads_no_more(desk.tx, desk.game_id, address)
                desk.people_changed()

    return Deed(spoken.verb, spoken.args, objection, lambda: desk.act(command, between=seated), "consent")


def leave(asking: Asking, spoken: Spoken) -> Deed:
    """LEAVE: before the start his seat is free again; after it the storyteller looks for somebody else."""
    desk, seat = asking.desk, asking.party.seat
    command = Order(asking.at, seat, "LEAVE")

    def left(events: Events) -> None:
        for event in events:
            if isinstance(event, Left):
                for moved in range(event.seat, len(desk.game.players) + 2):
                    desk.tx.void_held(desk.game_id, seat=moved, now=desk.now)  # what waits names the seat of before
                desk.tx.remove_player(desk.game_id, event.seat)
                desk.people_changed()

    def act() -> Events:
        return desk.act(command, actor=seat if desk.game.started else 0, between=left)

    return Deed(spoken.verb, spoken.args, lambda: desk.judge(command), act)


def watch(asking: Asking, spoken: Spoken) -> Deed:
    """WATCH: digests and the graveyard by mail, confirmed by answering; not for the living (ORG-2)."""
    desk, asker = asking.desk, asking.party

    def objection() -> Refusal | None:
        if (because := barred(desk)) is not None:
            return because
        seat = asker.seat if asker.role == "player" else addresses.former_seat(desk.tx, desk.game_id, asker.address)
        return Refusal("living-only") if seat and desk.game.player(seat).alive else None

    def act() -> Events:
        language = desk.game.options.language
        name = _readers_name(desk, asker, asking.name, language)
        desk.tx.add_reader(desk.game_id, asker.address, desk.office.tokens.tag(), name=name, language=language)
        desk.people_changed()
        return ()

    return Deed(spoken.verb, spoken.args, objection, act, "consent")


def _readers_name(desk: Desk, asker: Party, given: str, language: str) -> str:
    """What the dead shall read above his words: nobody else's name, a player's least of all."""
    if asker.role == "player":
        return desk.game.player(asker.seat).name
    word = desk.office.scribe.press.room(language).words("label", "reader")
    name = " ".join(spaced(given).split())[:_LONGEST]
    name = word if not name or unfit(name) else name
    if any(names.same_name(name, player.name) for player in desk.game.players):
        name = f"{name} ({word.lower()})"
    others = {letters(row.name) for row in desk.tx.readers(desk.game_id) if row.address != asker.address}
    tries = (f"{name} {number}" if number > 1 else name for number in itertools.count(1))
    return next(one for one in tries if letters(one) not in others)


def unwatch(asking: Asking, spoken: Spoken) -> Deed:
    """UNWATCH: no more letters; harmless for who is no reader. During a pause too: nobody is made to get letters."""
    desk, address = asking.desk, asking.party.address

    def objection() -> Refusal | None:
        follows = any(row.address == address for row in desk.tx.readers(desk.game_id))
        return None if follows else barred(desk) or Refusal("not-a-choice")

    def act() -> Events:
        desk.tx.remove_reader(desk.game_id, address)
        desk.people_changed()
        return ()

    return Deed(spoken.verb, spoken.args, objection, act)
