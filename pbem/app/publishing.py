"""From the store to the archive: what has changed is written, in a thread of its own if wanted.

`Publisher(store, settings)` promises: `publish(game_id)` writes what that game's site lacks and nothing else, so it may
be called as often as one likes; `publish_changed()` does so for every game that has changed; `build()` writes all anew.
`start`, `wake` and `stop` run `publish_changed` in a thread, so that neither mail nor deadlines wait for the site. What
goes wrong with the site stops nothing else: it is logged, and tried again at the next change.

A running game is followed by its `Ledger`, event by event; a finished one is told from its whole log. Only once its end
has been told to all does its truth (WIN-8) leave the store.
"""

from __future__ import annotations

import hashlib
import json
import logging
import threading
import time
from collections import OrderedDict
from functools import cache
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlsplit

from pbem import __version__, resources
from pbem.app.export import export
from pbem.app.hall import honours
from pbem.app.ledger import Ledger, first_held
from pbem.archive.facts import House, Mail, Truth
from pbem.archive.safe import public
from pbem.archive.server import Website
from pbem.archive.writer import Archive
from pbem.engine import events as e
from pbem.engine.chronicle import chronicle
from pbem.engine.dice import commitment
from pbem.engine.evolve import replay
from pbem.letters.cards import Cards
from pbem.letters.typography import Typographer
from pbem.letters.words import Words

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from pbem.engine.state import Game
    from pbem.settings import Settings
    from pbem.store import Store, Tx

_log = logging.getLogger(__name__)

_REST_SECONDS: Final = 0.2
"""The thread rests at least so long after its work, and twice as long as that took: mail comes first."""
_FOLLOWED: Final = 64
"""Games whose ledger is kept in memory."""


class Language:
    """The words of the archive and the names of roles in one language (`pbem.archive.facts.Tongue`).

    The archive's own catalogue comes first, the letters' behind it; texts are put right as the letters' are. Of several
    folders of templates (a host's own, then the program's) the first that has something wins.
    """

    def __init__(self, templates: Sequence[Path], language: str) -> None:
        folders = [folder / part for part in ("archive", "") for folder in templates]
        self.language = language
        self._words = Words(folders, language)
        self._cards = Cards(templates, language)
        self._typeset = Typographer(*(self._words.get("typography", key) for key in ("before", "after"))).plain

    def __call__(self, context: str, key: str, **fields: object) -> str:
        """The word for `key`."""
        return self._typeset(self._words(context, key, **fields))

    def get(self, context: str, key: str) -> str:
        """The same, or ''."""
        return self._typeset(self._words.get(context, key))

    def gendered(self, context: str, key: str, gender: str, **fields: object) -> str:
        """The word in the form of that gender."""
        return self._typeset(self._words.gendered(context, key, gender, **fields))

    def count(self, key: str, n: int) -> str:
        """So many of something."""
        return self._words.count(key, n)

    def role(self, slug: str, gender: str = "m", form: str = "bare") -> str:
        """A role's name."""
        return str(getattr(self._cards(slug, gender), form))


class Publisher:
    """The archive of one store. Nothing is written where the settings name no folder."""

    def __init__(self, store: Store, settings: Settings) -> None:
        self._store = store
        self._settings = settings
        self._ledgers: OrderedDict[int, Ledger] = OrderedDict()
        self._truths: dict[int, tuple[int, Truth]] = {}
        self._turn = threading.Lock()
        self._awake = threading.Event()
        self._stopped = threading.Event()
        self._thread: threading.Thread | None = None
        templates, game = resources.templates_dir(), settings.game
        self._archive: Archive | None = None
        if settings.archive.folder is not None:
            where, hidden = settings.archive.url, settings.archive.noindex
            house = House(game.name, game.language, where, game.address, game.list_address, hidden)
            own = settings.letters.templates
            folders = [*([own] if own else []), templates]
            tongue = cache(lambda language: Language(folders, language))
            self._archive = Archive(settings.archive.folder, templates / "archive", house, tongue, own)

    # --- writing ----------------------------------------------------------------------------------------------------

    def publish(self, game_id: int) -> None:
        """Write what the site lacks of that game. Raises KeyError if there is none, OSError, StoreError."""
        if self._archive is None:
            return
        with self._turn:
            self._publish(self._archive, game_id)
            self._site(self._archive)

    def publish_changed(self) -> list[str]:
        """The same for every game that is not on the site as it stands; their codes. Raises OSError, StoreError."""
        if self._archive is None:
            return []
        with self._turn:
            with self._store.read() as tx:
                games = tx.games()
            changed = [game for game in games if self._archive.version(game.code) != game.version]
            for game in changed:
                self._publish(self._archive, game.id)
            self._site(self._archive)
        return [game.code for game in changed]

    def build(self) -> list[str]:
        """Write everything anew; the codes of the games. Raises OSError, StoreError."""
        if self._archive is None:
            return []
        with self._turn:
            self._archive.forget()
        return self.publish_changed()

    def _publish(self, archive: Archive, game_id: int) -> None:
        with self._store.read() as tx:
            game, version = tx.load(game_id)
            ledger = self._ledger(tx, game_id, version)
            cut = first_held(tx.get(f"digests-kept:{game_id}"))
            first = tx.game(game_id).created
            if cut is not None:
                game = replay(row.event for row in tx.events(game_id) if row.n <= cut)
            truth = self._truth(tx, game_id, game) if ledger.over(cut) else None
            mails = list(_mails(tx, game_id, self._settings.game.list_address, archive.mails(game.code)))
        archive.write_game(ledger.facts(game, first, cut=cut, truth=truth), mails, version)

    def _ledger(self, tx: Tx, game_id: int, version: int) -> Ledger:
        """The game's ledger, with all that has happened by now."""
        ledger = self._ledgers.pop(game_id, None) or Ledger()
        if ledger.version < version:
            ledger.feed(tx.events(game_id, after=ledger.version))
            letters = tx.letters(game_id, after=ledger.letter, to=self._settings.game.list_address)
            ledger.connect(letters)
        self._ledgers[game_id] = ledger
        while len(self._ledgers) > _FOLLOWED:
            self._ledgers.popitem(last=False)
        return ledger

    def _truth(self, tx: Tx, game_id: int, game: Game) -> Truth:
        """All that was secret; made anew only when somebody has spoken among the dead since."""
        log = tx.events(game_id)
        last = max(row.n for row in log if not isinstance(row.event, e.Posted))
        known = self._truths.get(game_id)
        if known is None or known[0] != last:
            self._truths.clear()  # one is enough: after its end a game is hardly ever told again
            known = self._truths[game_id] = (last, _truth_of([row.event for row in log], game, game_id, self._store))
        return known[1]

    def _site(self, archive: Archive) -> None:
        """What stands above the games."""
        with self._store.read() as tx:
            codes = tx.game_codes()
            hall = honours(tx) if archive.wants_hall(codes) else None
        archive.write_site(codes, hall)

    # --- readers ----------------------------------------------------------------------------------------------------

    def website(self, host: str, port: int) -> Website:
        """The server of `pbem archive serve`. Raises OSError; ValueError where there is no folder."""
        archive, folder = self._archive, self._settings.archive.folder
        if archive is None or folder is None:
            raise ValueError("there is no archive")
        prefix = urlsplit(self._settings.archive.url).path
        hidden = self._settings.archive.noindex
        return Website((host, port), folder, self.leave, cache(archive.notice), prefix, noindex=hidden)

    def leave(self, tag: str) -> bool:
        """A reader's one-click goodbye (RFC 8058), as if he had sent UNWATCH; whether there was such a reader."""
        with self._store.begin() as tx:
            reader = tx.reader_by_tag(tag)
            return reader is not None and tx.remove_reader(reader.game_id, reader.address)

    # --- in a thread of its own -------------------------------------------------------------------------------------

    def start(self) -> None:
        """Publish in a thread from now on: at once, and after each `wake`."""
        if self._archive is None or self._thread is not None:
            return
        self._awake.set()
        self._thread = threading.Thread(target=self._run, name="archive", daemon=True)
        self._thread.start()

    def wake(self) -> None:
        """Something may have changed. In any thread; returns at once."""
        self._awake.set()

    def stop(self, timeout_seconds: float = 20.0) -> None:
        """Publish what has changed by now, and end."""
        if self._thread is None:
            return
        self._stopped.set()
        self._awake.set()
        self._thread.join(timeout_seconds)
        self._thread = None

    def _run(self) -> None:
        while True:
            self._awake.wait()
            self._awake.clear()
            last, began = self._stopped.is_set(), time.monotonic()
            try:
                self.publish_changed()
            except Exception as error:  # noqa: BLE001  (the site is not the game: it goes on without)
                _log.error("the archive was not written: %s", type(error).__name__, exc_info=_log.isEnabledFor(10))
            if last:
                return
            self._stopped.wait(max(_REST_SECONDS, 2 * (time.monotonic() - began)))


def _truth_of(log: list[e.Event], game: Game, game_id: int, store: Store) -> Truth:
    told = chronicle(log)
    graveyard = [e.GraveyardTalked(one.seat, public(one.name), public(one.text), one.at, ()) for one in told.graveyard]
    told.graveyard = graveyard
    dealt = tuple(player.dealt for player in game.players)
    mark = hashlib.blake2s(repr((told.turns, graveyard, dealt)).encode("utf-8", "replace"), digest_size=12).hexdigest()

    def file() -> bytes:
        with store.read() as tx:
            return json.dumps(discreet(export(tx, game_id)), ensure_ascii=False, indent=1).encode()

    return Truth(told, dealt, game.couples, game.seed, commitment(game.seed), __version__, file, mark)


def _mails(tx: Tx, game_id: int, address: str, after: int) -> Iterator[Mail]:
    """The list's mails with a number above `after`, up to the first one that is still held."""
    for row in tx.letters(game_id, after=after, to=address):
        if row.state == "held":
            return
        yield Mail(row.id, row.created, row.raw)


_PRIVATE: Final = {"AbsenceAsked": ("text", "until"), "QuestionAsked": ("text",), "Told": ("text",), "Tell": ("text",)}
_PLAYED: Final = frozenset({"SAY", "PACK", "GRAVEYARD"})
"""Verbs whose words belong to the game; with every other one they are between player and storyteller."""
_WITHHELD: Final = "…"


def discreet(value: Any) -> Any:
    """An export as anybody may have it: without what players and storyteller wrote to each other about their lives,
    and without anybody's address. The rules do not look into such words, so the file still verifies.
    """
    match value:
        case str():
            return public(value)
        case list():
            return [discreet(one) for one in value]
        case dict():
            hidden = _PRIVATE.get(value.get("type", ""), ())
            if value.get("type") == "Order" and value["verb"] not in _PLAYED:
                names = ("text", "unread", "word") if value["verb"] == "ABSENT" else ("text", "unread")
                value = {**value, "words": _withheld(value["words"], names)}
            return {key: discreet(one) for key, one in _withheld(value, hidden).items()}
        case _:
            return value


def _withheld(record: dict[str, Any], names: tuple[str, ...]) -> dict[str, Any]:
    return {key: _WITHHELD if one and key in names else one for key, one in record.items()}
