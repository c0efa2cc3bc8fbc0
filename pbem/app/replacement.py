"""REPLACE: somebody else plays on at a seat (MAIL.md § 3, ORG-2).

At once, without confirmation: the newcomer gets new tags and the seat's whole private history in one letter, and writes
from his own address from then on. What the old player's mails still wait for is void. Letters that came back from the
old address are kept in the history, so nothing is lost.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from pbem.app import addresses, interpret, party, registration
from pbem.app.deeds import Deed, refused
from pbem.app.desk import Refusal
from pbem.engine.commands import Replace
from pbem.engine.events import Replaced

if TYPE_CHECKING:
    from pbem.app.deeds import Asking, Events
    from pbem.app.desk import Desk
    from pbem.orders.grammar import Spoken

_FORM: Final = re.compile(
    r"^(.+?)[\s,]+(?:with|par)\s+(?:(.*?)\s*)?<?([^\s<>]+@[^\s<>]+)>?\s*(.*)$", re.IGNORECASE | re.DOTALL
)


def replace(asking: Asking, spoken: Spoken) -> Deed:
    """REPLACE player WITH address [name] (French: … PAR …)."""
    desk = asking.desk
    found = _FORM.match(spoken.args)
    words = interpret.player(found[1] if found else spoken.args, interpret.roster(desk.game))
    if words.fault:
        return refused(spoken.verb, spoken.args, words.fault, words.unread, words.suggestions)
    address = addresses.typed(found[3]) if found else ""
    if not address:
        return refused(spoken.verb, spoken.args, "missing-argument" if not found else "not-a-choice")
    name, gender = registration.named((found[4] or found[2] or "").strip(" \"'") if found else "")
    seat = words.seats[0]
    command = Replace(asking.at, seat, name, gender, bad_name=bool(name) and registration.unfit(name))

    def objection() -> Refusal | None:
        return desk.judge(command) or _unfit(desk, address)

    def act() -> Events:
        return desk.act(command, between=lambda events: _move_in(desk, seat, address, events))

    return Deed(spoken.verb, spoken.args, objection, act)


def _unfit(desk: Desk, address: str) -> Refusal | None:
    """Who may not take a seat: who plays or steers here, the game itself, who has received the graveyard (ORG-2)."""
    game = desk.office.settings.game
    role = party.in_game(desk.tx, desk.game_id, address).role
    if role == "player":
        return Refusal("name-taken", address)
    if role == "storyteller" or addresses.ours(game, address):
        return Refusal("not-a-choice", address)
    return Refusal("ineligible", address) if addresses.read_graveyard(desk.tx, desk.game_id, address) else None


def _move_in(desk: Desk, seat: int, address: str, events: Events) -> None:
    """The people's half of `Replaced`."""
    for event in events:
        if isinstance(event, Replaced):
            tag, language = desk.office.tokens.tag(), desk.game.options.language
            desk.tx.void_held(desk.game_id, seat=seat, now=desk.now)
            desk.tx.set_player(
                desk.game_id, seat, address=address, gender=event.gender, tag=tag, bounced=None,
                language=language, amount="posts", reminders=True,
            )  # fmt: skip
            addresses.reads_no_more(desk.tx, desk.game_id, address)
            desk.people_changed()
