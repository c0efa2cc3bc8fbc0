"""The writer of letters: what the game has to say about a batch of events, in every reader's own language.

A function of events, views, book and templates; it keeps nothing but compiled templates. Letters come in the order in
which they should go out: the list first, then seats in their order, the graveyard, the storyteller.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbem.engine import events as e
from pbem.engine.view import public_view, seat_view
from pbem.letters import chronicle, digest, envelope, seats, storyteller
from pbem.letters.answers import Answers
from pbem.letters.press import Press
from pbem.letters.scene import Scene

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from datetime import datetime
    from pathlib import Path

    from pbem.engine.state import Game
    from pbem.engine.view import PublicView
    from pbem.letters.book import Book
    from pbem.letters.press import Sheet
    from pbem.letters.section import Section
    from pbem.post import Letter

HOLDABLE = frozenset({"opening", "murder", "execution", "tie", "election", "heart-attack", "end"})
"""The digests that HOLD keeps back for the storyteller's narration."""


class Scribe(Answers):
    """Writes letters with the templates of these folders; the first that has one wins (a host's own, then ours)."""

    def __init__(self, templates: Sequence[Path]) -> None:
        self.press = Press(templates)

    @property
    def languages(self) -> tuple[str, ...]:
        """What LANG may name."""
        return self.press.languages

    def batch(
        self,
        events: Sequence[e.Event],
        before: Game,
        after: Game,
        book: Book,
        *,
        at: datetime,
        actor: int = 0,
        history: Iterable[e.Event] = (),
    ) -> list[Letter]:
        """Every letter that follows from `events` but the acknowledgement.

        `actor` is the seat whose mail caused them: what it learns goes into its acknowledgement. `history` are the
        game's events before, wanted only where a player is replaced (his dossier) or the game ends (its chronicle).
        """
        known = public_view(after)
        digests = self.digest(events, before, after, book, at=at)
        letters = self._posts(events, known, book, at) + digests
        letters += self._seats(events, after, known, book, at, actor, history)
        letters += self._graveyard(events, known, book, at)
        if any(isinstance(event, e.GameWon) for event in events):
            letters.append(self._chronicle((*history, *events), known, book, at))
        told = storyteller.sections(events, known)
        if after.held:
            told += [storyteller.draft(one) for one in digests if one.kind in HOLDABLE and one.to == book.list_address]
        return letters + storyteller.letters(self.press, told, known, book, at)

    def digest(
        self,
        events: Sequence[e.Event],
        before: Game,
        after: Game,
        book: Book,
        *,
        at: datetime,
        narration: Sequence[str] | None = None,
    ) -> list[Letter]:
        """The digest of the batch: to the list, and to each reader in his language; none if there is nothing to tell.

        `narration` are the storyteller's words for it; None: those that the batch itself uses up.
        """
        known = public_view(after)
        words = _narration(events, before, after) if narration is None else narration
        told = digest.sections(events, public_view(before), known, words)
        if not told:
            return []
        lead = digest.lead(told)
        scene = Scene(self.press.room(book.language), book, known, at, seed=after.seed)
        sheets = {book.language: _sheets(scene, told)}
        subject = _subject(scene, told, lead, sheets[book.language])
        letters = [envelope.to_list(scene, lead.kind, sheets[book.language], subject)]
        for reader in book.readers:
            theirs = Scene(self.press.room(reader.language), book, known, at, audience="reader", seed=after.seed)
            if reader.language not in sheets:
                sheets[reader.language] = _sheets(theirs, told)
            subject = _subject(theirs, told, lead, sheets[reader.language])
            letters.append(envelope.to_reader(theirs, lead.kind, sheets[reader.language], reader, subject))
        return letters

    def draft(self, letter: Letter, game: Game, book: Book, *, at: datetime) -> list[Letter]:
        """A digest that is held, shown to each storyteller, who may add his narration and release it."""
        return storyteller.letters(self.press, [storyteller.draft(letter)], public_view(game), book, at)

    def _posts(self, events: Sequence[e.Event], known: PublicView, book: Book, at: datetime) -> list[Letter]:
        """ORG-1: what is said in the village, to the list, under its speaker's name."""
        scene = Scene(self.press.room(book.language), book, known, at)
        letters = []
        for event in events:
            if isinstance(event, e.Posted):
                face = known.face(event.seat)
                sheet = scene.render("letters/post", {"who": face, "text": event.text, "ghost": event.ghost})
                speaker = scene.words("speaker", "ghost" if event.ghost else "living", name=face.name)
                letters.append(envelope.to_list(scene, "post", [sheet], _day(scene), scene.room.plain.say(speaker)))
        return letters

    def _seats(
        self,
        events: Sequence[e.Event],
        after: Game,
        known: PublicView,
        book: Book,
        at: datetime,
        actor: int,
        history: Iterable[e.Event],
    ) -> list[Letter]:
        replaced = {event.seat for event in events if isinstance(event, e.Replaced)}
        concerned = {event.to for event in events if isinstance(event, e.Private)}
        concerned |= {event.seat for event in events if isinstance(event, e.Died)} | replaced
        everybody = any(isinstance(event, e.DayOpened | e.GameStarted) for event in events)
        letters = []
        for seat, own in sorted(book.seats.items()):
            if seat == actor or seat > len(known.faces) or not (everybody or seat in concerned):
                continue
            view = seat_view(after, seat)
            told = (
                seats.dossier((*history, *events), seat, view)
                if seat in replaced
                else seats.sections(events, seat, view)
            )
            if not own.reminders:
                told = [section for section in told if section.kind != "vote-reminder"]
            if told:
                scene = Scene(
                    self.press.room(own.language), book, known, at, audience="seat", view=view, tag=own.tag,
                    seed=after.seed,
                )  # fmt: skip
                notices = [section.notice for section in told if section.notice and seat not in replaced]
                letters.append(envelope.to_seat(scene, seat, told[0].kind, _sheets(scene, told), notices))
        return letters

    def _chronicle(self, history: Iterable[e.Event], known: PublicView, book: Book, at: datetime) -> Letter:
        """WIN-8: to the list, once nothing is secret any more."""
        scene = Scene(self.press.room(book.language), book, known, at)
        return envelope.to_list(scene, "chronicle", _sheets(scene, chronicle.sections(history)))

    def _graveyard(self, events: Sequence[e.Event], known: PublicView, book: Book, at: datetime) -> list[Letter]:
        """ORG-2: to the dead who read it, and to readers who want every post."""
        letters = []
        for event in events:
            if not isinstance(event, e.GraveyardTalked):
                continue
            name = known.face(event.seat).name if event.seat else event.name
            people = [(seat, book.seats[seat]) for seat in event.readers if seat in book.seats]
            people += [(0, reader) for reader in book.readers if reader.name != event.name or event.seat]
            for seat, own in people:
                if own.amount == "digest":
                    continue
                scene = Scene(self.press.room(own.language), book, known, at, audience="graveyard")
                sheet = scene.render("letters/graveyard-talk", {"speaker": name, "text": event.text})
                notices = ({"graveyard-talk": name},) if seat else ()
                letters.append(
                    envelope.to_graveyard(scene, "graveyard-talk", [sheet], own, seat, speaker=name, notices=notices)
                )
        return letters


def _sheets(scene: Scene, told: Iterable[Section]) -> list[Sheet]:
    return [scene.render(f"letters/{section.kind}", section.facts) for section in told]


def _narration(events: Sequence[e.Event], before: Game, after: Game) -> tuple[str, ...]:
    """The storyteller's words that this batch uses up: they stood before it, and no more behind it."""
    ends = any(isinstance(event, e.GameWon) for event in events)
    if after.narration and not ends:
        return ()
    return (*before.narration, *(event.text for event in events if isinstance(event, e.Narrated)))


def _subject(scene: Scene, told: Sequence[Section], lead: Section, sheets: Sequence[Sheet]) -> str:
    """The lead's; but the digest that opens a day has the subject of all that is said that day, so that mail programs
    keep it together.
    """
    if any(section.kind == "daybreak" for section in told):
        return _day(scene)
    return next(sheet.subject for section, sheet in zip(told, sheets, strict=True) if section is lead)


def _day(scene: Scene) -> str:
    return scene.words("subject", "day" if scene.game.turn else "before", turn=scene.game.turn)
