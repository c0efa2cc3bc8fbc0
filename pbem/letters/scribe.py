"""The writer of letters: what the game has to say about a batch of events, in every reader's own language.

A function of events, views, book and templates; it keeps nothing but compiled templates. Letters come in the order in
which they should go out: the list first, then seats in their order, the graveyard, the storyteller.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from pbem.engine import events as e
from pbem.engine.view import public_view, seat_view
from pbem.letters import agenda, chronicle, copies, daily, digest, envelope, seats, storyteller
from pbem.letters.answers import Answers
from pbem.letters.digest import FRESH
from pbem.letters.press import Press
from pbem.letters.scene import Scene
from pbem.letters.section import Section, in_order

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from datetime import datetime
    from pathlib import Path

    from pbem.engine.state import Game
    from pbem.engine.view import PublicView
    from pbem.letters.book import Book
    from pbem.letters.press import Sheet
    from pbem.post import Letter

HOLDABLE = frozenset({"opening", "murder", "execution", "tie", "election", "heart-attack", "end"})
"""The digests that HOLD keeps back for the storyteller's narration."""


@dataclass(frozen=True, slots=True)
class _Bulletin:
    """A digest in one language."""

    sheets: list[Sheet]
    subject: str
    attached: tuple[tuple[str, str, bytes], ...]


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
        digests = self.digest(events, before, after, book, at=at, history=history)
        letters = self._posts(events, known, book, at) + digests
        letters += self._seats(events, after, known, book, at, actor, history)
        letters += self._graveyard(events, known, book, at)
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
        history: Iterable[e.Event] = (),
    ) -> list[Letter]:
        """The digest of the batch: to the list, and to each follower in his language; none if there is nothing to tell.
        Behind the last one comes what really happened (WIN-8), out of `history` and `events`.

        `narration` are the storyteller's words for it; None: those that the batch itself uses up.
        """
        known = public_view(after)
        words = _narration(events, before, after) if narration is None else narration
        told = digest.sections(events, public_view(before), known, words)
        if not told:
            return []
        seen = public_view(before) if agenda.changed(public_view(before), known, at) else None
        letters = self._told(told, digest.lead(told).kind, copies.weight(told), known, book, at, after.seed, seen)
        if any(isinstance(event, e.GameWon) for event in events):
            letters += self._told(chronicle.sections((*history, *events)), "chronicle", "urgent", known, book, at)
        return letters

    def _told(
        self, told: Sequence[Section], kind: str, what: copies.What, known: PublicView, book: Book, at: datetime,
        seed: str = "", seen: PublicView | None = None,
    ) -> list[Letter]:  # fmt: skip
        """A digest of these sections to the list, and its copies; with the deadlines, if those that were `seen` before
        are others now.
        """
        told = in_order([*told, Section("agenda")], digest.ORDER) if seen else told
        bulletins: dict[str, _Bulletin] = {}

        def written(scene: Scene) -> _Bulletin:
            if scene.room.language not in bulletins:
                sheets = _sheets(scene, told)
                attached = (agenda.file(scene, seen),) if seen else ()
                bulletins[scene.room.language] = _Bulletin(sheets, _subject(scene, told, kind, sheets), attached)
            return bulletins[scene.room.language]

        scene = Scene(self.press.room(book.language), book, known, at, seed=seed)
        own = written(scene)
        letters = [envelope.to_list(scene, kind, own.sheets, own.subject, attachments=own.attached)]
        for one in copies.followers(book):
            scene = self._followed(one, known, book, at, seed)
            own = written(scene)
            if one.wants(what) == "now":
                copy = envelope.to_follower(scene, one, kind, own.sheets, own.subject, attachments=own.attached)
                letters.append(copy)
            elif one.wants(what):
                news = [sheet for sheet, section in zip(own.sheets, told, strict=True) if section.kind not in FRESH]
                letters.append(envelope.piece(scene, one.person.address, kind, news))
        return letters

    def _followed(self, one: copies.Follower, known: PublicView, book: Book, at: datetime, seed: str = "") -> Scene:
        """What a follower gets is what all may know, in his language."""
        audience = "list" if one.seat else "reader"
        return Scene(self.press.room(one.person.language), book, known, at, audience=audience, seed=seed)

    def daily(
        self, one: copies.Follower, pieces: Sequence[Mapping[str, Any]], game: Game, book: Book, *, at: datetime
    ) -> list[Letter]:
        """His mail of the day (`pbem.letters.daily`); none of no pieces."""
        known = public_view(game)
        dead = one.seat and not (known.face(one.seat).alive or known.face(one.seat).ghost) and known.phase != "over"
        audience = "graveyard" if dead else "list" if one.seat else "reader"
        scene = Scene(self.press.room(one.person.language), book, known, at, audience=audience)
        return list(daily.letters(scene, one, pieces)) if pieces else []

    def draft(self, letter: Letter, game: Game, book: Book, *, at: datetime) -> list[Letter]:
        """A digest that is held, shown to each storyteller, who may add his narration and release it."""
        return storyteller.letters(self.press, [storyteller.draft(letter)], public_view(game), book, at)

    def _posts(self, events: Sequence[e.Event], known: PublicView, book: Book, at: datetime) -> list[Letter]:
        """ORG-1: what is said in the village, to the list, under its speaker's name; and to followers who want it."""
        letters = []
        for event in events:
            if not isinstance(event, e.Posted):
                continue
            scene = Scene(self.press.room(book.language), book, known, at)
            page = envelope.post_page(event.seat, event.at)
            letters.append(envelope.to_list(scene, "post", *_post(scene, event), page=page))
            for one in copies.followers(book):
                scene, when = self._followed(one, known, book, at), one.wants("post")
                if when == "now":
                    sheets, subject, speaker = _post(scene, event)
                    letters.append(envelope.to_follower(scene, one, "post", sheets, subject, speaker, page=page))
                elif when:
                    letters.append(self._said(scene, one, "post", event.text, _speaker(scene, event), event.at))
        return letters

    def _said(
        self, scene: Scene, one: copies.Follower, kind: str, text: str, speaker: str, said_at: datetime
    ) -> Letter:
        """Somebody's words, as a piece of a daily mail."""
        facts = {"speaker": speaker, "text": text, "said_at": said_at, "graveyard": kind == "graveyard-talk"}
        notices = ({"graveyard-talk": speaker},) if one.seat and kind == "graveyard-talk" else ()
        return envelope.piece(scene, one.person.address, kind, [scene.render("letters/daily-said", facts)], notices)

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
                notices = [section.notice for section in told if section.notice]
                letters.append(envelope.to_seat(scene, seat, told[0].kind, _sheets(scene, told), notices))
        return letters

    def _graveyard(self, events: Sequence[e.Event], known: PublicView, book: Book, at: datetime) -> list[Letter]:
        """ORG-2: to the dead who read it, and to readers, as much as they want."""
        letters = []
        for event in events:
            if not isinstance(event, e.GraveyardTalked):
                continue
            name = known.face(event.seat).name if event.seat else event.name
            people = [copies.Follower(book.seats[seat], seat) for seat in event.readers if seat in book.seats]
            people += [copies.Follower(reader) for reader in book.readers if reader.name != event.name or event.seat]
            for one in people:
                scene = Scene(self.press.room(one.person.language), book, known, at, audience="graveyard")
                if one.wants("grave") == "now":
                    letters.append(envelope.to_graveyard(scene, one, name, event.text))
                elif one.wants("grave"):
                    letters.append(self._said(scene, one, "graveyard-talk", event.text, name, event.at))
        return letters


def _post(scene: Scene, event: e.Posted) -> tuple[list[Sheet], str, str]:
    """What was said: its sheet, its subject, and its speaker."""
    facts = {"who": scene.face(event.seat), "text": event.text, "ghost": event.ghost}
    return [scene.render("letters/post", facts)], _day(scene), scene.room.plain.say(_speaker(scene, event))


def _speaker(scene: Scene, event: e.Posted) -> str:
    return scene.words("speaker", "ghost" if event.ghost else "living", name=scene.face(event.seat).name)


def _sheets(scene: Scene, told: Iterable[Section]) -> list[Sheet]:
    return [scene.render(f"letters/{section.kind}", section.facts) for section in told]


def _narration(events: Sequence[e.Event], before: Game, after: Game) -> tuple[str, ...]:
    """The storyteller's words that this batch uses up: they stood before it, and no more behind it."""
    ends = any(isinstance(event, e.GameWon) for event in events)
    if after.narration and not ends:
        return ()
    return (*before.narration, *(event.text for event in events if isinstance(event, e.Narrated)))


def _subject(scene: Scene, told: Sequence[Section], kind: str, sheets: Sequence[Sheet]) -> str:
    """That of the section which gives the kind; but the digest that opens a day has the subject of all that is said
    that day, so that mail programs keep it together.
    """
    if any(section.kind == "daybreak" for section in told):
        return _day(scene)
    return next((sheet.subject for section, sheet in zip(told, sheets, strict=True) if section.kind == kind), "")


def _day(scene: Scene) -> str:
    return scene.words("subject", "day" if scene.game.turn else "before", turn=scene.game.turn)
