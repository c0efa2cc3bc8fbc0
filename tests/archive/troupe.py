"""Games in a store, moved by commands, and the archive that is written of them: what the tests of the archive play on.

    stage = Stage(tmp_path)
    game = stage.open("PL1", CAST)
    game.start()
    game.say("Alice", "Bonsoir.")
    stage.publish()
    assert "Bonsoir." in stage.read("pl1/day-1/")

`Wildly` plays the wild games of the kit on such a stage. With `letters` every mail is written too; without, only the
log, which is much faster.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

from pbem.app.desk import Desk
from pbem.app.office import Office
from pbem.app.publishing import Publisher
from pbem.app.tokens import Counted
from pbem.archive.folder import Folder
from pbem.engine import commands as c
from pbem.engine import events as e
from pbem.engine.decide import decide, next_wakeup
from pbem.engine.options import Options
from pbem.engine.state import Phase
from pbem.letters.scribe import Scribe
from pbem.resources import templates_dir
from pbem.settings import parse
from pbem.store import Store
from tests.kit.wild import Wild

SCRIBE = Scribe([templates_dir()])
MONDAY = datetime(2026, 12, 7, 8, 0, tzinfo=UTC)
CAST = (
    ("Alice", "f", "seer"), ("Bruno", "m", "werewolf"), ("Chloé", "f", "villager"), ("David", "m", "militia"),
    ("Émile", "m", "villager"), ("Fanny", "f", "werewolf"), ("Gaël", "m", "ghost"),
)  # fmt: skip
SETTINGS = """
[game]
address = "lune@village.example"
list_address = "village@village.example"
storytellers = ["conteur@village.example"]
language = "{language}"

[archive]
folder = "archive"
url = "{url}"
noindex = {noindex}
"""
URL = "https://archive.example/lune/"
SECONDS = timedelta(seconds=1)


class Writing(Folder):
    """A folder that remembers what was written into it since it was last asked."""

    def __init__(self, root):
        super().__init__(root)
        self.news = []

    def _replace(self, target, fill):
        super()._replace(target, fill)
        self.news.append(target)

    def taken(self):
        """What was written since."""
        news, self.news = self.news, []
        return news


class Stage:
    """A store, its games, and its archive below `folder / "archive"`."""

    def __init__(self, folder, *, language="fr", url=URL, noindex=False, letters=False, own=None):
        text = f'[letters]\ntemplates = "{own}"\n' if own else ""
        text += SETTINGS.format(language=language, url=url, noindex=str(noindex).lower())
        self.settings = parse(text + "[embedded]\nenabled = true\n", origin="test.toml", base=folder)
        self.root = folder / "archive"
        self.store = Store.in_memory()
        self.office = Office(self.store, SCRIBE, self.settings, Counted("troupe"))
        self.letters = letters
        self.now = MONDAY
        self.answering = None
        self.renew()

    def renew(self):
        """As after a restart of the program."""
        self.publisher = Publisher(self.store, self.settings)
        self.folder = self.publisher._archive.folder = Writing(self.root)

    def open(self, code="PL1", cast=CAST, **options) -> Game:
        return Game(self, code, cast, options)

    def publish(self):
        """Write what is new; the files written."""
        self.publisher.publish_changed()
        return self.folder.taken()

    def read(self, path) -> str:
        """A file, its no-break spaces as plain ones."""
        return self.folder.file(path).read_text("utf-8").replace("\xa0", " ")

    def files(self):
        """All that anybody can see."""
        return sorted(f for f in self.root.rglob("*") if f.is_file() and ".written" not in f.parts)

    def act(self, game_id, command):
        """Decide, write down, and if wanted tell by letter."""
        self.now = max(self.now, command.at, command.read or command.at)
        with self.store.begin() as tx:
            desk = Desk(self.office, tx, game_id, self.now)
            desk.answering, self.answering = self.answering, None
            if self.letters:
                return desk.act(command, between=lambda happened: self._people(tx, desk, happened))
            events = decide(desk.game, command)
            happened = tuple(event for event in events if not isinstance(event, e.Rejected))
            if happened:
                desk._write(happened, command)
                self._people(tx, desk, happened)
            return events

    def _people(self, tx, desk, happened):
        for event in happened:
            if isinstance(event, e.Joined):
                address = f"player{event.seat}.{desk.game_id}@secret.example"
                tx.add_player(desk.game_id, event.seat, address, "fr", event.gender, self.office.tokens.tag())
                desk.people_changed()

    def secrets(self):
        """Addresses and tags: what no file may ever hold."""
        with self.store.read() as tx:
            rows = [row for game in tx.games() for row in (*tx.players(game.id), *tx.readers(game.id))]
        return {word for row in rows for word in (row.address, row.tag)} | {"conteur@village.example"}


class Game:
    """One game on the stage, gathered and dealt but not begun."""

    def __init__(self, stage, code, cast, options):
        self.stage, self.code, self.cast = stage, code, cast
        self.names = [name for name, _, _ in cast]
        chosen = Options(**{"min_debate": 0, "inactivity": "off", "reminders": (), **options})
        with stage.store.begin() as tx:
            self.id = tx.create_game(code, "", stage.now)
            tx.add_storyteller(self.id, "conteur@village.example", language=chosen.language)
            tx.add_reader(self.id, f"reader.{self.id}@secret.example", stage.office.tokens.tag(), name="Luce")
        self.do(c.OpenGame(stage.now, code, chosen, stage.office.tokens.seed()))
        self.do(c.OpenRegistration(stage.now))
        for name, gender, _ in cast:
            self.do(c.Join(stage.now, name, gender))

    def do(self, command):
        events = self.stage.act(self.id, command)
        assert not any(isinstance(event, e.Rejected) for event in events), events
        return events

    def start(self, **more):
        self.do(c.Deal(self.stage.now, tuple(role for _, _, role in self.cast)))
        return self.do(c.Start(self.stage.now, **{"mayor": 0, **more}))

    @property
    def state(self):
        with self.stage.store.read() as tx:
            return tx.load(self.id)[0]

    def seat(self, name):
        return self.names.index(name) + 1

    def order(self, name, verb, *names, text="", word="", elects=0):
        self.stage.now += SECONDS
        words = c.Words(tuple(map(self.seat, names)), word, text, elects)
        return self.do(c.Order(self.stage.now, self.seat(name) if name else 0, verb, words, name=name or "Luce"))

    def say(self, name, text, elects="", answers=None):
        """A post; `answers` is the Message-ID of the list's letter that its mail answers."""
        self.stage.answering = answers
        return self.order(name, "SAY", text=text, elects=self.seat(elects) if elects else 0)

    def last_letter(self):
        """The Message-ID of the last letter to the list."""
        with self.stage.store.read() as tx:
            return tx.letters(self.id, to="village@village.example")[-1].message_id

    def admin(self, command, *args, **more):
        self.stage.now += SECONDS
        return self.do(command(self.stage.now, *args, **more))

    def tick(self):
        """To the next closing, and through it."""
        self.stage.now = max(self.stage.now, next_wakeup(self.state))
        return self.do(c.Tick(self.stage.now))

    def until(self, what):
        """Through the closing of that name."""
        for _ in range(500):
            closed = {event.what for event in self.tick() if isinstance(event, e.PhaseClosed)}
            if what in closed or self.state.phase is Phase.OVER:
                return
        raise AssertionError(what)

    def night(self, *orders):
        """Votes and orders `("Alice", "SEE", "Bruno")`, then through the murder."""
        for order in orders:
            self.order(*order)
        self.until("murder")


class Wildly(Wild):
    """A wild game played on a stage. `step` is called after each command; words are canaries: `pack7x`, `grave8x` …"""

    def __init__(self, seed, stage, step=lambda wildly: None):
        self.stage, self.step, self.said = stage, step, {}
        with stage.store.begin() as tx:
            self.id = tx.create_game("PL1", "", MONDAY)
            tx.add_storyteller(self.id, "conteur@village.example")
        super().__init__(seed)

    def do(self, command):
        command = self._marked(command)
        events = super().do(command)
        assert self.stage.act(self.id, command) == events
        self.step(self)
        return events

    def _marked(self, command):
        verb = command.verb if isinstance(command, c.Order) else "TELL" if isinstance(command, c.Tell) else ""
        text = command.words.text if isinstance(command, c.Order) else getattr(command, "text", "")
        if not text or not verb:
            return command
        word = f"{verb.lower()}{len(self.said)}x"
        self.said[word] = verb
        if isinstance(command, c.Tell):
            return replace(command, text=word)
        return replace(command, words=replace(command.words, text=word))
