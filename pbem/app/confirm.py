"""Mails that wait for a confirmation (MAIL.md § 4): held with a single-use code, done when the code comes back.

The code is bound to the one mail: it stands in the Reply-To (or the subject) of the letter that asks, which goes to the
registered address alone. The mail is kept whole and read again when it is confirmed, as of its own arrival: whether it
still counts is the engine's to judge. ADDRESS takes two codes, one to either address.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from pbem.app import addresses, answers, bounced, party, storyteller
from pbem.app.deeds import barred
from pbem.app.desk import Refusal
from pbem.letters.book import Correspondent
from pbem.letters.outcome import Outcome

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pbem.app.deeds import Asking, Deed
    from pbem.app.desk import Desk
    from pbem.store import HeldRow


@dataclass(frozen=True, slots=True)
class Ticket:
    """What is remembered of a held mail besides its bytes.

    `role` is its writer's, `deeds` which of its deeds wait (by number). `move`: for ADDRESS, the new address; `side` is
    then old or new, `other` the code that the other address got.
    """

    role: str
    deeds: tuple[int, ...]
    move: str = ""
    side: str = ""
    other: str = ""

    def dump(self) -> str:
        """As text, for the store."""
        return json.dumps({name: getattr(self, name) for name in self.__slots__})

    @classmethod
    def load(cls, text: str) -> Ticket:
        """From that text."""
        values: dict[str, Any] = json.loads(text)
        return cls(**{**values, "deeds": tuple(values["deeds"])})


def hold(
    asking: Asking, writer: Correspondent, outcomes: Sequence[Outcome], waiting: Sequence[int], raw: bytes,
    message_id: str | None,
) -> None:  # fmt: skip
    """Keep the mail and ask its registered address; the letter is the mail's one answer, refusals included."""
    desk = asking.desk
    code = desk.office.tokens.tag()
    ticket = Ticket(asking.party.role, tuple(waiting))
    moved = next((outcome for outcome in outcomes if outcome.verb == "ADDRESS" and outcome.status == "held"), None)
    if moved is not None and asking.party.role == "player":
        ticket = replace(ticket, move=addresses.typed(moved.args), side="old", other=desk.office.tokens.tag())
        _ask_new_address(asking, ticket, code, moved, raw)
    _keep(asking, code, asking.party.address, raw, ticket)
    letter = desk.office.scribe.confirm(
        code, outcomes, writer, desk.book, at=desk.now, seat=asking.party.seat, game=desk.game, message_id=message_id,
        admin=asking.party.role == "storyteller", address=ticket.move,
    )  # fmt: skip
    desk.send([letter])


def _ask_new_address(asking: Asking, ticket: Ticket, code: str, moved: Outcome, raw: bytes) -> None:
    """The other half of ADDRESS: the new address is asked too, and learns nothing of the seat."""
    desk = asking.desk
    new = Correspondent(ticket.move, answers.correspondent(desk, asking.party).language)
    theirs = replace(ticket, deeds=(), side="new", other=code)
    _keep(asking, ticket.other, ticket.move, raw, theirs)
    letter = desk.office.scribe.confirm(
        ticket.other, [moved], new, desk.book, at=desk.now, game=desk.game, address=ticket.move
    )  # fmt: skip
    desk.send([letter])


def _keep(asking: Asking, code: str, address: str, raw: bytes, ticket: Ticket) -> None:
    desk = asking.desk
    desk.tx.hold(
        code, desk.game_id, asking.party.seat, address, raw, asking.at, ticket.dump(), desk.now, mail_id=desk.cause
    )  # fmt: skip


def chosen(deeds: Sequence[Deed], ticket: Ticket) -> list[Deed]:
    """The deeds of the mail that waited."""
    return [deed for number, deed in enumerate(deeds) if number in ticket.deeds]


def in_time(deed: Deed, asking: Asking) -> Deed:
    """A storyteller's deed that was held, as it stands now: too late if a phase has been resolved since (§ 4)."""
    closed = (at for what, at in asking.desk.game.closed.items() if what != "election")
    if deed.verb not in storyteller.OF_A_PHASE or not any(asking.at <= at for at in closed):
        return deed
    return replace(deed, objection=lambda: deed.objection() or Refusal("too-late"))


def move(desk: Desk, held: HeldRow, ticket: Ticket) -> Outcome:
    """ADDRESS, when one side has answered: held until both have; then letters go to the new address, with a new tag."""
    if (because := barred(desk, over=False)) is not None:
        return Outcome("ADDRESS", ticket.move, "refused", because.code)
    other = desk.tx.find_held(ticket.other)
    if other is None or other.state != "taken":
        return Outcome("ADDRESS", ticket.move, "held")
    old = desk.tx.player(desk.game_id, held.seat)
    code = _unfit(desk, held.seat, ticket.move)
    if old is None or code:
        return Outcome("ADDRESS", ticket.move, "refused", code or "not-in-game")
    desk.tx.set_player(desk.game_id, held.seat, address=ticket.move, tag=desk.office.tokens.tag(), bounced=None)
    desk.tx.void_held(desk.game_id, seat=held.seat, now=desk.now)  # what the old mailbox was asked it answers no more
    addresses.reads_no_more(desk.tx, desk.game_id, ticket.move)
    addresses.leave_behind(desk.tx, desk.game_id, held.seat, old.address)
    desk.tx.move_collected(desk.game_id, old.address, ticket.move)
    desk.people_changed()
    bounced.send_again(desk, old)
    return Outcome("ADDRESS", ticket.move, "accepted")


def _unfit(desk: Desk, seat: int, address: str) -> str:
    """Why nobody may play here under that address: somebody else does, or steers, or it knows the graveyard (ORG-2)."""
    if addresses.ours(desk.office.settings.game, address):
        return "not-a-choice"
    there = party.in_game(desk.tx, desk.game_id, address)
    if there.role in {"player", "storyteller"}:
        return "not-a-choice"
    knows = desk.game.player(seat).alive and addresses.read_graveyard(desk.tx, desk.game_id, address)
    return "ineligible" if knows else ""
