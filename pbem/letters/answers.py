"""Answers: the one acknowledgement of a command mail, confirmations, and letters about the mail itself (MAIL.md §§
4-6).

An acknowledgement says of each command what was understood, what is on record, until when it can be changed and when it
takes effect; or why it was refused and what would be allowed. What the writer learned by it stands in it too. It goes
to the registered address, in the writer's language, and holds nothing but what his view shows.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pbem.engine.state import Game
from pbem.engine.view import public_view, seat_view
from pbem.letters import envelope, storyteller
from pbem.letters.book import Book, Correspondent
from pbem.letters.replies import Replies, title, typed
from pbem.letters.scene import Scene
from pbem.letters.section import Section

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from datetime import datetime

    from pbem.engine import events as e
    from pbem.letters.outcome import Outcome
    from pbem.letters.press import Press
    from pbem.post import Letter

_SHOWN = 30
"""Letters that are named where many do not arrive."""


class Answers:
    """The half of the scribe that answers mails. `press` is where templates are."""

    press: Press

    def acknowledge(
        self,
        outcomes: Sequence[Outcome],
        game_before: Game,  # noqa: ARG002 - part of the contract: what stood before may be told one day
        game_after: Game,
        book: Book,
        seat: int,
        *,
        at: datetime,
        subject: str = "",  # noqa: ARG002 - as above: the answered mail's subject, which would be a command again
        message_id: str | None = None,
        to: Correspondent | None = None,
        admin: bool = False,
    ) -> Letter:
        """The acknowledgement of one mail. `seat` 0: of somebody without a seat, `to`; `admin`: a storyteller,
        likewise.

        `message_id` is that of the mail that is answered. Of an accepted SAY, `Outcome.code` tells why its last
        sentence is no ballot (FINE-20), '' if it is one or none was tried.
        """
        scene = self._scene(game_after, book, seat, at, to, admin=admin)
        desk = Replies(scene, game_after, seat, admin=admin)
        sheets = [sheet for outcome in outcomes for sheet in desk.answer(outcome)]
        learned = desk.learned(outcomes)
        sheets += [scene.render(f"letters/{section.kind}", section.facts) for section in learned]
        notices = [section.notice for section in learned if section.notice]
        subject_line = title(scene, outcomes)
        if to is None and seat in book.seats:
            return envelope.to_seat(scene, seat, "ack", sheets, notices, subject=subject_line, in_reply_to=message_id)
        person = to or Correspondent("", scene.room.language)
        return envelope.to_person(scene, person, "ack", sheets, notices, subject=subject_line, in_reply_to=message_id)

    def confirm(
        self,
        code: str,
        outcomes: Sequence[Outcome],
        to: Correspondent,
        book: Book,
        *,
        at: datetime,
        seat: int = 0,
        game: Game | None = None,
        message_id: str | None = None,
        admin: bool = False,
        address: str = "",
    ) -> Letter:
        """The letter that asks whether a held mail is really his: answering it, with `code`, confirms (MAIL.md § 4).

        `outcomes` are the mail's commands, those held and those done or refused already. `address` is a new one to
        which somebody moves (ADDRESS).
        """
        known = public_view(game or Game())
        view = seat_view(game, seat) if game and seat else None
        scene = Scene(self.press.room(to.language), book, known, at, audience="confirm", view=view, tag=code)
        held = [outcome for outcome in outcomes if outcome.status == "held"]
        facts = {
            "commands": [typed(scene, outcome, admin=admin) for outcome in held],
            "verbs": [outcome.verb for outcome in held],
            "yes": scene.sending(scene.words("offer", "CONFIRM"), scene.words("offer", "YES")),
            "address": address,
        }
        sheets = [scene.render("letters/confirm", facts)]
        desk = Replies(scene, game or Game(), seat, admin=admin)
        sheets += [sheet for outcome in outcomes if outcome.status != "held" for sheet in desk.answer(outcome)]
        notices = [{"confirm": outcome.verb} for outcome in held]
        return envelope.to_person(scene, to, "confirm", sheets, notices, in_reply_to=message_id, tag=code)

    def notice(
        self,
        kind: str,
        to: Correspondent,
        facts: Mapping[str, Any],
        book: Book,
        *,
        at: datetime,
        game: Game | None = None,
        seat: int = 0,
        audience: str = "",
        notices: Iterable[Mapping[str, Any]] = (),
        message_id: str | None = None,
    ) -> Letter:
        """A letter of one section about something that no event tells: its kind names the template, `facts` go
        into it.
        """
        known = public_view(game or Game())
        view = seat_view(game, seat) if game and seat else None
        whom = audience or ("seat" if seat else "stranger")
        tag = to.tag if seat else None
        scene = Scene(self.press.room(to.language), book, known, at, audience=whom, view=view, tag=tag)
        sheets = [scene.render(f"letters/{kind}", dict(facts))]
        if seat and seat in book.seats and to.address == book.seats[seat].address:
            return envelope.to_seat(scene, seat, kind, sheets, notices, in_reply_to=message_id)
        return envelope.to_person(scene, to, kind, sheets, notices, in_reply_to=message_id, tag=tag)

    def help_stranger(
        self, to: Correspondent, book: Book, *, at: datetime, game: Game | None = None, message_id: str | None = None
    ) -> Letter:
        """What somebody who is in no game can do; `game` is one that he may join or follow."""
        return self.notice("stranger", to, {}, book, at=at, game=game, message_id=message_id)

    def tag_replaced(self, book: Book, game: Game, seat: int, *, at: datetime) -> Letter:
        """MAIL.md § 4: his tag was seen by others; this letter carries the new one (already in `book`)."""
        return self.notice(
            "tag-replaced", book.seats[seat], {}, book, at=at, game=game, seat=seat, notices=({"tag-replaced": True},)
        )

    def bounce_notice(self, book: Book, game: Game, seat: int, *, at: datetime, why: str = "") -> list[Letter]:
        """To each storyteller: letters to that player come back."""
        face = public_view(game).face(seat)
        told = Section("bounce", {"who": face, "why": why, "address": book.seats[seat].address}, {"bounce": face.name})
        return storyteller.letters(self.press, [told], public_view(game), book, at)

    def unreadable_notice(
        self, book: Book, game: Game | None, *, at: datetime, sender: str = "", why: str = ""
    ) -> list[Letter]:
        """To each storyteller: a mail could not be read and was put aside."""
        told = Section("unreadable", {"sender": sender, "why": why}, {"unreadable": True})
        return storyteller.letters(self.press, [told], public_view(game or Game()), book, at)

    def undelivered_notice(
        self,
        book: Book,
        game: Game | None,
        letters: Sequence[tuple[str, str, datetime]],
        *,
        at: datetime,
        why: str = "",
        lasting: bool = False,
    ) -> list[Letter]:
        """To each storyteller: these letters (to whom, subject, when written) do not arrive, or never will."""
        facts = {"letters": letters[:_SHOWN], "more": len(letters[_SHOWN:]), "why": why, "lasting": lasting}
        told = [Section("undelivered", facts)]
        return storyteller.letters(self.press, told, public_view(game or Game()), book, at)

    def storyteller_status(
        self, to: Correspondent, game: Game, book: Book, *, at: datetime, message_id: str | None = None
    ) -> Letter:
        """STATUS for a storyteller: everything, secret."""
        scene = self._scene(game, book, 0, at, to, admin=True)
        told = storyteller.state(game, scene)
        sheets = [scene.render("letters/state", told.facts)]
        return envelope.to_person(scene, to, "state", sheets, in_reply_to=message_id)

    def storyteller_log(
        self,
        to: Correspondent,
        game: Game,
        events: Iterable[tuple[int, datetime, e.Event]],
        book: Book,
        *,
        at: datetime,
        message_id: str | None = None,
    ) -> Letter:
        """LOG for a storyteller: (number, instant, event) in order."""
        scene = self._scene(game, book, 0, at, to, admin=True)
        sheets = [scene.render("letters/log", storyteller.log(events, scene).facts)]
        return envelope.to_person(scene, to, "log", sheets, in_reply_to=message_id)

    def _scene(
        self, game: Game, book: Book, seat: int, at: datetime, to: Correspondent | None, *, admin: bool
    ) -> Scene:
        person = to or book.seats[seat]
        known = public_view(game)
        if admin or not seat or seat > len(known.faces):
            audience = "storyteller" if admin else "reader" if person in book.readers else "stranger"
            return Scene(self.press.room(person.language), book, known, at, audience=audience)
        view, room = seat_view(game, seat), self.press.room(person.language)
        return Scene(room, book, known, at, audience="seat", view=view, tag=person.tag, seed=game.seed)
