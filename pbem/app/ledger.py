"""What everybody was told of a game, in order: its log without the secrets, as the archive may have it.

A `Ledger` is fed the log, event by event, and keeps the public ones with the storyteller's narration where the digests
told it. `facts` hands over frozen records (`pbem.archive.facts`): before the end of the game public events, the public
view and nothing else; of a death only what all may know (NIGHT-7); while digests are held only what came before them,
and posts.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections import deque
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Final

from pbem.app.answered import POST
from pbem.archive.facts import Closed, Deadline, GameFacts, Happening, Narration
from pbem.archive.safe import clean, public
from pbem.engine import events as e
from pbem.engine.view import public_view
from pbem.letters.clock import closings
from pbem.letters.scribe import HOLDABLE

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import datetime

    from pbem.archive.facts import Truth
    from pbem.engine.state import Game
    from pbem.engine.view import PublicView
    from pbem.store import EventRow, OutboxRow

_TOLD: Final = {"murdered": "found", "sacrificed": "found"}
_SPOKEN: Final = (e.Posted, e.Announced)
"""What no UNDO takes back and no HOLD keeps: it is said at once (MAIL.md § 3, *The storyteller's*)."""
_SILENT: Final = (e.VisionOpened, e.ElectionDropped, e.Undone)
_USES_WORDS: Final = (e.ElectionClosed, e.VotesPublished, e.MurderDone, e.GameWon)
"""What the digests tell that take the storyteller's narration with them."""
_HELD_BACK: Final[dict[type[e.Event], str]] = {
    e.GameStarted: "opening", e.MurderDone: "murder", e.ExecutionDone: "execution", e.TieAnnounced: "tie",
    e.ElectionClosed: "election", e.GameWon: "end",
}  # fmt: skip
_BEFORE_NIGHTS_END: Final = (
    e.Posted, e.Joined, e.Left, e.RegistrationOpened, e.RegistrationClosed, e.SunsetOpened,
)  # fmt: skip
"""What a digest that opens a day never tells: it was said before."""
_IN_REPLY_TO: Final = re.compile(rb"^In-Reply-To: *(<[!-~]{1,250}>)\r?$", re.MULTILINE | re.IGNORECASE)
_FREE_TEXT: Final = ("text", "reason", "name")


@dataclass(slots=True)
class _Entry:
    """A happening and the number of the event that it comes from."""

    n: int
    told: Happening


@dataclass(slots=True)
class Ledger:
    """One game's. `version` is the number of the last event it was fed, `letter` that of the list's last letter."""

    version: int = 0
    letter: int = 0
    names: dict[int, str] = field(default_factory=dict)
    turn: int = 0
    _entries: list[_Entry] = field(default_factory=list)
    _closed: list[tuple[int, Closed]] = field(default_factory=list)
    _past: list[tuple[int, int, dict[int, str]]] = field(default_factory=list)
    _words: list[tuple[int, datetime, str]] = field(default_factory=list)
    _spoken: list[tuple[int, tuple[int, datetime, str]]] = field(default_factory=list)
    _held_since: int | None = None
    _unsent: dict[datetime, deque[_Entry]] = field(default_factory=dict)
    _sent: dict[str, _Entry] = field(default_factory=dict)

    def feed(self, rows: Iterable[EventRow]) -> None:
        """The next events of the log."""
        for row in rows:
            self._take(row.n, row.at, row.event)
            self.version = row.n

    def _take(self, n: int, at: datetime, event: e.Event) -> None:
        match event:
            case e.Narrated(text=text):
                self._words.append((n, at, text))
            case e.DigestsHeld(held=True):
                self._held_since = len(self._entries) if self._held_since is None else self._held_since
            case e.DigestsHeld(held=False):
                self._release()
            case e.PhaseClosed(what=what, at=closed):
                self._closed.append((n, Closed(self.turn, what, closed)))
            case e.Undone():
                self._undo(n, at, event)
            case e.Public():
                self._tell(n, at, event)
            case _:
                pass

    def connect(self, letters: Iterable[OutboxRow]) -> None:
        """The list's next letters, in their order: who answered whom. A post and its letter were written at one moment,
        several of one moment in one order; a post whose letter is not at hand (a game taken over from elsewhere)
        answers none.
        """
        for letter in letters:
            self.letter = letter.id
            waiting = self._unsent.get(letter.created) if letter.kind == POST else None
            if not waiting:
                continue
            entry = self._sent[letter.message_id] = waiting.popleft()
            named = _IN_REPLY_TO.search(letter.raw.partition(b"\r\n\r\n")[0])
            answered = self._sent.get(named[1].decode()) if named else None
            if answered:
                entry.told = replace(entry.told, answers=answered.told.mark)

    # --- what is told ---------------------------------------------------------------------------------------------

    def _tell(self, n: int, at: datetime, event: e.Public) -> None:
        before = self.names.get(getattr(event, "seat", 0), "")
        self._follow(n, event)
        if isinstance(event, _SILENT):
            return
        if isinstance(event, _USES_WORDS):
            self._speak(len(self._entries), n, at)
        when = event.at if isinstance(event, e.Posted) else at
        self._entries.append(_Entry(n, _happening(when, self.turn, event, before)))
        if isinstance(event, e.Posted):
            self._unsent.setdefault(at, deque()).append(self._entries[-1])
        if isinstance(event, e.DayOpened):
            self._carry_over(at)

    def _follow(self, n: int, event: e.Public) -> None:
        """Names and the day, as they are after it."""
        match event:
            case e.Joined() | e.Replaced():
                self.names = {**self.names, event.seat: event.name}
            case e.Left():
                stay = [name for seat, name in sorted(self.names.items()) if seat != event.seat]
                self.names = dict(enumerate(stay, 1))
            case e.DayOpened():
                self.turn = event.turn
            case _:
                return
        self._past.append((n, self.turn, self.names))

    def _carry_over(self, at: datetime) -> None:
        """The digest that opens a day also tells of the night before it, or of the start: it is that day's."""
        for entry in reversed(self._entries):
            if entry.told.at != at or isinstance(entry.told.event, _BEFORE_NIGHTS_END):
                return
            entry.told = replace(entry.told, turn=self.turn)

    def _speak(self, place: int, n: int, at: datetime) -> None:
        """The storyteller's words that are waiting, told at that place."""
        words, self._words = self._words, []
        self._spoken += [(n, one) for one in words]
        turn = self._entries[place].told.turn if place < len(self._entries) else self.turn
        self._entries[place:place] = [
            _Entry(n, _happening(at, turn, Narration(text), "", salt=str(number))) for number, _, text in words
        ]

    def _release(self) -> None:
        """What he narrated while digests were held came out with the last of them."""
        since, self._held_since = self._held_since, None
        if since is None or not self._words:
            return
        held = [place for place in range(since, len(self._entries)) if _can_be_held(self._entries[place].told.event)]
        if not held:
            return
        place = held[-1]
        while place > since and self._entries[place - 1].told.at == self._entries[place].told.at:
            place -= 1
        entry = self._entries[place]
        self._speak(place, entry.n, entry.told.at)

    def _undo(self, n: int, at: datetime, event: e.Undone) -> None:
        """What was told after that event no longer counts, but for what people said. The storyteller's words wait to be
        told anew: those from before it here, those of since come again behind the UNDO (`pbem.app.undo`).
        """
        for entry in self._entries:
            if entry.n > event.version and not isinstance(entry.told.event, _SPOKEN):
                entry.told = replace(entry.told, undone=True)
        self._closed = [known for known in self._closed if known[0] <= event.version]
        back = [words for told, words in self._spoken if told > event.version]
        self._spoken = [(told, words) for told, words in self._spoken if told <= event.version]
        self._words = [words for words in (*back, *self._words) if words[0] <= event.version]
        self._past = [known for known in self._past if known[0] <= event.version]
        _, self.turn, self.names = self._past[-1] if self._past else (0, 0, {})
        self._past.append((n, self.turn, self.names))
        told = e.Undone(0, event.at)  # the number says how much happened in secret
        self._entries.append(_Entry(n, _happening(at, self.turn, told, "")))

    # --- what is handed over --------------------------------------------------------------------------------------

    def over(self, cut: int | None) -> bool:
        """Whether the end has been told; `cut` as in `facts`."""
        return any(
            isinstance(entry.told.event, e.GameWon) and (cut is None or entry.n <= cut)
            for entry in reversed(self._entries)
        )

    def facts(self, game: Game, first: datetime, *, cut: int | None = None, truth: Truth | None = None) -> GameFacts:
        """What may be shown. `cut` is the event up to which digests have gone out (None: all of them), and `game` the
        game as it was then; `first` is when it was opened.
        """
        view = _shown(public_view(game))
        told = tuple(
            entry.told for entry in self._entries
            if cut is None or entry.n <= cut or isinstance(entry.told.event, _SPOKEN)
        )  # fmt: skip
        deadlines = () if cut is not None else tuple(Deadline(c.key, c.at, c.sure) for c in closings(view))
        closed = tuple(one for n, one in self._closed if cut is None or n <= cut)
        return GameFacts(view, told, first, deadlines, telling=cut is not None, truth=truth, closed=closed)


def first_held(kept: str | None) -> int | None:
    """The number of the last event that was told before the digests that are kept back, from the store's note of them
    (`pbem.app.narration`); None if none is kept.
    """
    digests = json.loads(kept or "[]")
    return int(digests[0][0]) if digests else None


def _can_be_held(event: e.Event | Narration) -> bool:
    """Whether a digest that tells this is one that HOLD keeps back."""
    if isinstance(event, e.Died):
        return event.cause == "heart-attack"
    return _HELD_BACK.get(type(event)) in HOLDABLE if isinstance(event, e.Event) else False


def _happening(at: datetime, turn: int, event: e.Public | Narration, name: str, *, salt: str = "") -> Happening:
    told = _publishable(event)
    mark = hashlib.blake2s(f"{at} {turn} {name} {told!r} {salt}".encode("utf-8", "replace"), digest_size=8).hexdigest()
    return Happening(at, turn, told, clean(name), mark=mark)


def _publishable(event: e.Public | Narration) -> Any:
    """The event as all may know it: no true cause of a night's death, no address in anybody's words."""
    changes: dict[str, Any] = {}
    if isinstance(event, e.Died) and event.cause in _TOLD:
        changes["cause"] = _TOLD[event.cause]
    for name in _FREE_TEXT:
        if value := getattr(event, name, ""):
            changes[name] = public(value)
    return replace(event, **changes) if changes else event


def _shown(view: PublicView) -> PublicView:
    """The view with names that any page can hold."""
    if all(face.name.isprintable() for face in view.faces):
        return view
    return replace(view, faces=tuple(replace(face, name=clean(face.name)) for face in view.faces))
