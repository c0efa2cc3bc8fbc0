"""Games that nobody would play: everybody orders whatever comes to his mind, legal or not, and the storyteller too.

`Wild(seed).play()` plays one to its end under a watchman. The same seed is the same game.
"""

from __future__ import annotations

import random
from datetime import UTC, datetime, timedelta

from pbem.engine import commands as c
from pbem.engine.decide import decide, due, next_wakeup
from pbem.engine.legality import COMMON_POWERS, powers_of
from pbem.engine.options import Options
from pbem.engine.roles import LEXICON, ROSTER
from pbem.engine.state import Phase
from pbem.engine.verbs import Args
from tests.kit.village import PEEK
from tests.kit.watch import PACK, Watch

START = datetime(2026, 12, 7, 8, tzinfo=UTC)
CALENDARS = (
    ((1, 1320), (3, 1320), (6, 1320)),
    tuple((day, 1320) for day in range(7)),
    ((1, 1320), (2, 1410), (5, 600)),
    ((6, 150),),
)
VILLAGE = [slug for slug, role in ROSTER.items() if role.side == "village"]
TALK = ("SAY",) * 9 + ("PACK", "GRAVEYARD", "QUESTION", "ABSENT", "LEAVE")
TURNS = 25
"""After so many the storyteller has had enough."""


def composition(rng: random.Random, number: int) -> tuple[str, ...]:
    """Roles for so many: some wolves of any kind, perhaps a beast or a traitor or two, few plain villagers."""
    wolves = [rng.choice(sorted(PACK)) for _ in range(rng.randint(1, max(1, number // 3)))]
    others = ["beast"] * (rng.random() < 0.3) + ["traitor"] * rng.choice((0, 0, 1, 2))
    cards = (wolves + others)[: number - 1]
    favourite = rng.sample(VILLAGE, 4)  # so that there are two of a kind
    cards += [rng.choice(favourite if rng.random() < 0.5 else VILLAGE) for _ in range(number - len(cards))]
    rng.shuffle(cards)
    return tuple(cards)


class Wild:
    """One game."""

    def __init__(self, seed: int) -> None:
        self.rng = rng = random.Random(seed)
        self.watch = Watch()
        self.focus: list[int] = []
        self.now = START + timedelta(minutes=rng.randint(0, 7 * 1440)) + timedelta(days=rng.choice((0, 106, 320)))
        self.polls = rng.random() < 0.3
        number = min(rng.randint(4, 24), rng.randint(4, 24))
        window = (0, 60, 1800, 1800, 1800, 7200)
        options = Options(
            executions=rng.choice(CALENDARS),
            min_debate=rng.choice((0, 86400)),
            tie_break=rng.choice(window[1:]),
            sunset=rng.choice(window),
            vision=rng.choice(window),
            inactivity=rng.choice(("eliminate", "report", *["off"] * 5)),
            graveyard_intrusion=rng.choice((*["warn"] * 5, "kill")),
            composition=rng.choice(("hidden", "hidden", "public")),
            peek=PEEK,
            reminders=rng.choice(((), (24, 3))),
        )
        self.do(c.OpenGame(self.now, "PL1", options, f"{rng.getrandbits(256):064x}"))
        self.do(c.OpenRegistration(self.now))
        for n in range(number):
            self.do(c.Join(self.now, f"N{n + 1}"))
        self.do(c.Deal(self.now, composition(rng, number)))
        seats = range(1, number + 1)
        mayor = rng.choice((None, None, 0, rng.choice(seats)))
        lovers = tuple(rng.sample(seats, 2)) if rng.random() < 0.3 else None
        immune = tuple(rng.sample(seats, rng.choice((0, 0, 1, 2))))
        self.do(c.Start(self.now, immune, mayor, 0, lovers))

    @property
    def game(self):
        """As it stands."""
        return self.watch.game

    def do(self, command) -> tuple:
        """Put it to the engine, under the watchman's eyes."""
        events = decide(self.game, command)
        self.watch.see(command, events)
        return events

    def play(self):
        """To the end."""
        while self.game.phase is not Phase.OVER:
            wakeup = next_wakeup(self.game)
            if self.game.turn > TURNS:
                self.do(c.Abort(self.now))
            elif wakeup is None:
                self.pass_time(timedelta(minutes=self.rng.randint(1, 3000)))
                self.do(c.Resume(self.now))
            else:
                self.bustle(wakeup)
                self.close()
        self.watch.replayed()
        return self.game

    def pass_time(self, some: timedelta) -> None:
        """Nothing happens for a while."""
        self.now += some

    def bustle(self, until: datetime) -> None:
        """Everybody writes, between now and then."""
        span = max(0, int((until - self.now).total_seconds()))
        self.focus = [self._seat() for _ in range(3)]
        duties = self.duties() if span else []
        number = self.rng.randint(0, len(self.game.living)) if span else 0
        for later in sorted(self.rng.randint(0, span) for _ in range(number + len(duties))):
            moment = max(self.now, until - timedelta(seconds=span - later))
            wakeup = next_wakeup(self.game)
            if self.game.phase is Phase.OVER or self.game.paused or (wakeup is not None and wakeup < moment):
                return
            self.now = moment
            if duties and self.rng.random() < 0.7:
                self.do(self.duty(*duties.pop()))
            else:
                self.do(self.storyteller() if self.rng.random() < 0.04 else self.order())

    def duties(self) -> list:
        """Who will use which of his own powers before the next closing: many, so that they get in each other's way."""
        rng, game = self.rng, self.game
        duties = [(p.seat, power.verb) for p in game.living for power in powers_of(p) if not power.verb.publishes]
        duties = [x for x in duties if rng.random() < (0.05 if x[1].name == "SLEEP" else 0.35)]
        if game.phase is Phase.DAY:
            duties += [(p.seat, COMMON_POWERS[0].verb) for p in game.living if rng.random() < 0.4]
        if game.tie and rng.random() < 0.6:
            duties.append((game.tie.asked, COMMON_POWERS[3].verb))
        rng.shuffle(duties)
        return duties

    def duty(self, seat: int, verb) -> c.Order:
        """He does it, and names one of a few."""
        words = self._words(verb)
        if verb.name == "SACRIFICE":
            wolves = [p.seat for p in self.game.living if p.role in PACK] or [1]
            words = c.Words((self.rng.choice(wolves), self.rng.choice(self.focus)))
        elif verb.args in (Args.PLAYER, Args.MAYBE_PLAYER) and self.rng.random() < 0.7 and not words.fault:
            words = c.Words((self.rng.choice(self.focus),))
        return self._said(seat, verb.name, words)

    def close(self) -> None:
        """The next thing that is due, perhaps long after its hour; all that is due then."""
        wakeup = next_wakeup(self.game)
        if wakeup is None:
            return
        late = self.rng.choice((0, 0, 0, 0, 0, 20, 61, 4000, 200_000)) if self.polls else 0
        self.now = max(self.now, wakeup + timedelta(seconds=late))
        for _ in range(100):
            what = due(self.game, self.now)
            events = self.do(c.Tick(self.now))
            assert bool(events) == (what is not None)
            if not events:
                return
        raise AssertionError("there is always something due")

    # ---- what is said

    def order(self) -> c.Command:
        """Somebody's words."""
        rng, game = self.rng, self.game
        player = rng.choice(game.living) if rng.random() < 0.93 else rng.choice(game.players)
        kind = rng.random()
        own = [p.verb for p in powers_of(player)] if player.role else []
        if kind < 0.35 and own:
            verb = rng.choice(own)
        elif kind < 0.65:
            verb = COMMON_POWERS[0].verb
        elif kind < 0.8:
            verb = rng.choice(COMMON_POWERS).verb
        elif kind < 0.9:
            return self._said(
                player.seat, rng.choice(TALK), c.Words(text="mots", elects=self._seat() * rng.choice((0, 1)))
            )
        elif kind < 0.94:
            word = rng.choice(own).name if own and rng.random() < 0.7 else rng.choice(("VOTE", "ELECT", "HEIR", "SAVE"))
            return self._said(player.seat, "CANCEL", c.Words(word=word))
        else:
            verb = rng.choice([v for v in LEXICON if v.name in _JUDGED])
        return self._said(player.seat, verb.name, self._words(verb))

    def _said(self, seat: int, verb: str, words: c.Words) -> c.Order:
        held = self.rng.random() < 0.05
        at = self.now - timedelta(minutes=self.rng.randint(0, 2000)) if held else self.now
        return c.Order(max(at, START), seat, verb, words, read=self.now if held else None)

    def _seat(self) -> int:
        people = self.game.living if self.rng.random() < 0.95 else self.game.players
        return self.rng.choice(people).seat

    def _words(self, verb) -> c.Words:
        if self.rng.random() < 0.02:
            return c.Words(fault=self.rng.choice(("missing-argument", "unknown-player", "ambiguous-player")))
        match verb.args:
            case Args.PLAYER:
                return c.Words((self._choice(),))
            case Args.MAYBE_PLAYER:
                return self.rng.choice((c.Words((self._seat(),)), c.Words(word="ANYONE"), c.Words()))
            case Args.TWO_PLAYERS:
                return c.Words((self._choice(), self._seat()))
            case Args.PLAYERS:
                return c.Words(tuple(self._choice() for _ in range(self.rng.randint(1, 3))))
            case Args.ROLE:
                return c.Words(word=self.rng.choice(sorted(ROSTER)))
            case Args.BODY:
                return c.Words(text="mots")
            case _:
                return c.Words()

    def _choice(self) -> int:
        """Somebody, or with luck somebody of importance: among the tied, or just anybody's favourite victim."""
        if self.game.tie and self.rng.random() < 0.7:
            return self.rng.choice((*self.game.tie.tied, *self.game.tie.sure) or (1,))
        living = self.game.living
        return living[min(self.rng.randrange(len(living)), self.rng.randrange(len(living)))].seat if living else 1

    def storyteller(self) -> c.Command:
        """The storyteller's whim."""
        rng, now = self.rng, self.now
        makers = (
            lambda: c.Smite(now, self._seat(), read=rng.choice((None, now + timedelta(minutes=3)))),
            lambda: c.Smite(now, self._seat()),
            lambda: c.Pair(now, self._seat(), self._seat()),
            lambda: c.AppointMayor(now, self._seat()),
            lambda: c.Pause(now),
            lambda: c.Extend(now, seconds=rng.randint(1, 100_000), days=rng.choice((0, 1))),
            lambda: c.MoveDeadline(now, now + timedelta(minutes=rng.randint(-10, 3000))),
            lambda: c.Resolve(now),
            lambda: c.Excuse(now, self._seat(), rng.choice((None, now + timedelta(days=2)))),
            lambda: c.Replace(now, self._seat(), f"M{rng.randint(1, 99)}"),
            lambda: c.MailboxDown(now),
            lambda: c.Tell(now, self._seat(), "mots"),
        )
        return rng.choice(makers)()


_JUDGED = {v.name for v in LEXICON if v.name not in {"JOIN", "WATCH", "UNWATCH", "STATUS", "HELP", "RULES", "LANG", "MAIL",
                                                     "ADDRESS", "CANCEL"}}  # fmt: skip
"""The verbs that the rules judge."""
