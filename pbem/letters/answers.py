"""Answers: the one acknowledgement of a command mail, confirmations, and letters about the mail itself (MAIL.md §§
4-6).

An acknowledgement says of each command what was understood, what is on record, until when it can be changed and when it
takes effect; or why it was refused and what would be allowed. What the writer learned by it stands in it too. It goes
to the registered address, in the writer's language, and holds nothing but what his view shows.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pbem.engine import events as e
from pbem.engine.state import Game
from pbem.engine.verbs import Args
from pbem.engine.view import public_view, seat_view
from pbem.letters import envelope, seats, storyteller
from pbem.letters.acts import TAKES, noted
from pbem.letters.book import Book, Correspondent
from pbem.letters.scene import Scene
from pbem.letters.section import Section
from pbem.letters.typography import clean

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from datetime import datetime

    from pbem.letters.acts import Act, Choice
    from pbem.letters.outcome import Outcome
    from pbem.letters.press import Press, Sheet
    from pbem.post import Letter

ASKING = {"STATUS": "status", "HELP": "help", "RULES": "rules"}
"""Verbs that ask for something to read, and the section that answers."""
_SHOWN = 60
"""Characters of a command that a subject repeats."""


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
        desk = _Desk(scene, game_after, seat, admin=admin)
        sheets = [sheet for outcome in outcomes for sheet in desk.answer(outcome)]
        learned = desk.learned(outcomes)
        sheets += [scene.render(f"letters/{section.kind}", section.facts) for section in learned]
        notices = [section.notice for section in learned if section.notice]
        title = _title(scene, outcomes)
        if to is None and seat in book.seats:
            return envelope.to_seat(scene, seat, "ack", sheets, notices, subject=title, in_reply_to=message_id)
        person = to or Correspondent("", scene.room.language)
        return envelope.to_person(scene, person, "ack", sheets, notices, subject=title, in_reply_to=message_id)

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
            "commands": [_typed(scene, outcome, admin=admin) for outcome in held],
            "verbs": [outcome.verb for outcome in held],
            "yes": scene.sending(scene.words("offer", "CONFIRM"), scene.words("offer", "YES")),
            "address": address,
        }
        sheets = [scene.render("letters/confirm", facts)]
        desk = _Desk(scene, game or Game(), seat, admin=admin)
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
        view = seat_view(game, seat)
        return Scene(self.press.room(person.language), book, known, at, audience="seat", view=view, tag=person.tag)


class _Desk:
    """Answers the commands of one mail, in one scene."""

    def __init__(self, scene: Scene, game: Game, seat: int, *, admin: bool) -> None:
        self.scene = scene
        self._game = game
        self._seat = seat
        self._admin = admin

    def learned(self, outcomes: Sequence[Outcome]) -> list[Section]:
        """What the writer is told in private because of his own mail."""
        if self.scene.view is None:
            return []
        events = [event for outcome in outcomes for event in outcome.events]
        return seats.sections(events, self._seat, self.scene.view, acting=True)

    def answer(self, outcome: Outcome) -> list[Sheet]:
        """The pieces that answer one command."""
        if outcome.status == "refused":
            return self._refusal(outcome)
        if outcome.status == "held":
            return [self.scene.render("letters/held", self._asked(outcome))]
        if self._admin and outcome.verb == "STATUS":
            return [self.scene.render("letters/state", storyteller.state(self._game, self.scene).facts)]
        if outcome.verb in ASKING and not self._admin:
            return [self._reading(outcome)]
        if outcome.verb == "WATCH":
            return [self.scene.render("letters/watching", {})]
        done = self.scene.render("letters/done", self._done(outcome))
        return (
            [done, self.scene.render(_refusal_folder(self.scene, outcome.code), self._why(outcome, "ELECT"))]
            if _uncounted(outcome)
            else [done]
        )

    def _asked(self, outcome: Outcome) -> dict[str, Any]:
        return {
            "asked": _typed(self.scene, outcome, admin=self._admin),
            "verb_asked": outcome.verb,
            "words": clean(outcome.words),
        }

    def _reading(self, outcome: Outcome) -> Sheet:
        role = self.scene.room.cards.find(outcome.args) if outcome.args else None
        if role and outcome.verb != "STATUS":
            return self.scene.render("letters/role-card", {"role_asked": role})
        return self.scene.render(f"letters/{ASKING[outcome.verb]}", self._asked(outcome))

    def _done(self, outcome: Outcome) -> dict[str, Any]:
        act = self._act(outcome)
        context = "noted admin" if self._admin else "noted"
        ballot = next((ev for ev in outcome.events if isinstance(ev, e.OrderTaken) and ev.verb == "ELECT"), None)
        return {
            **self._asked(outcome),
            "said": self._said(outcome, context),
            "act": act,
            "effect": self._effect(outcome, act),
            "elected": self.scene.name(ballot.seats[0]) if ballot and outcome.verb == "SAY" else "",
            "uncounted": _uncounted(outcome),
        }

    def _said(self, outcome: Outcome, context: str) -> str:
        words = self.scene.words
        order = next((ev for ev in outcome.events if isinstance(ev, e.OrderTaken) and ev.verb == outcome.verb), None)
        if order:
            return noted(self.scene, order.verb, [self.scene.name(seat) for seat in order.seats], order.word)
        cancelled = next((ev for ev in outcome.events if isinstance(ev, e.OrderCancelled)), None)
        if cancelled:
            return words("noted", "CANCEL", one=self.scene.verb(cancelled.verb))
        for key in (f"{outcome.verb} {outcome.args.lower()}", outcome.verb):
            if words.has(context, key):
                return words(context, key, one=clean(outcome.args), other="")
        return words("noted", "*", one=_typed(self.scene, outcome, admin=self._admin))

    def _act(self, outcome: Outcome) -> Act | None:
        """What he can still do by that verb; what CANCEL freed, he may order again."""
        if self._admin:
            return None
        cancelled = next((ev.verb for ev in outcome.events if isinstance(ev, e.OrderCancelled)), "")
        verb = cancelled or outcome.verb
        return next((act for act in self.scene.acts if act.verb == verb), None)

    def _effect(self, outcome: Outcome, act: Act | None) -> str:
        words = self.scene.words
        if outcome.verb == "CANCEL" or act is None or not words.has("effect", outcome.verb):
            return ""
        return words("effect", outcome.verb)

    def _refusal(self, outcome: Outcome) -> list[Sheet]:
        facts = {**self._asked(outcome), **self._why(outcome, outcome.verb)}
        why = self.scene.render(_refusal_folder(self.scene, outcome.code), facts)
        return [self.scene.render("letters/refused", facts), why, self.scene.render("letters/instead", facts)]

    def _why(self, outcome: Outcome, verb: str) -> dict[str, Any]:
        act = None if self._admin else next((act for act in self.scene.acts if act.verb == verb), None)
        return {
            **self._asked(outcome),
            "verb_asked": verb,
            "verb_word": self.scene.verb(verb) if self.scene.words.has("verb", verb) else clean(verb),
            "act": act,
            "suggestions": [clean(name) for name in outcome.suggestions],
            "nearest": self._nearest(outcome, verb, act),
            "code_asked": outcome.code,
        }

    def _nearest(self, outcome: Outcome, verb: str, act: Act | None) -> tuple[Choice, ...]:
        """The nearest valid forms: what was perhaps meant, else all that this verb may name now."""
        scene = self.scene
        suggested = [clean(name) for name in outcome.suggestions]
        if self._admin or verb not in TAKES:
            return tuple(scene.sending(word, word) for word in suggested if not self._admin)
        if suggested and TAKES[verb] is not Args.TWO_PLAYERS:
            return tuple(scene.choice(name, verb, name) for name in suggested)
        return act.choices if act and act.open_now else ()


def _uncounted(outcome: Outcome) -> bool:
    """FINE-20: a post whose last sentence would elect, but is no ballot."""
    return outcome.verb == "SAY" and bool(outcome.code)


def _refusal_folder(scene: Scene, code: str) -> str:
    """The code's folder of words; a code without one still gets an answer."""
    folder = f"refusals/{code}"
    return folder if code and scene.room.has(folder) else "refusals/other"


def _typed(scene: Scene, outcome: Outcome, *, admin: bool) -> str:
    """The command as it would be typed in this language, with what followed it as it was typed."""
    word = scene.verb(outcome.verb) if scene.words.has("verb", outcome.verb) else clean(outcome.verb)
    line = " ".join(part for part in ("ADMIN" if admin else "", word, clean(outcome.args)) if part)
    return " ".join(line.split())


def _title(scene: Scene, outcomes: Sequence[Outcome]) -> str:
    """The subject of an acknowledgement; it begins with no verb."""
    if len(outcomes) != 1:
        return scene.words("subject", "several", n=len(outcomes))
    outcome = outcomes[0]
    if outcome.status == "accepted" and outcome.verb in ASKING:
        return scene.words("subject", outcome.verb)
    line = _typed(scene, outcome, admin=False)
    return scene.words("subject", outcome.status, line=line if len(line) <= _SHOWN else f"{line[: _SHOWN - 1]}…")
