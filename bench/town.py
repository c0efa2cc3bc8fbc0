"""Games and mails to measure with: a database of games that have begun, and their players' mails.

Everybody is real to the program: seats, addresses, personal tags, roles; the mails are what a mail program sends when
somebody answers his ballot: two alternatives, a quotation, headers of the way.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import format_datetime
from typing import TYPE_CHECKING

from pbem.app import tables
from pbem.engine import commands as c
from pbem.engine.decide import decide
from pbem.engine.events import GameOpened
from pbem.engine.evolve import evolve
from pbem.engine.options import Options
from pbem.engine.state import Game

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from pbem.engine.events import Event
    from pbem.store import Store, Tx

DOMAIN = "village.example"
ADDRESS = f"lune@{DOMAIN}"
PLAYERS = 15
TOGETHER = 100
"""Games that are written with one commit."""
NAMES = (
    "Alice", "Bruno", "Chloé", "David", "Émile", "Fanny", "Gaël", "Hélène", "Ivan", "Jeanne", "Karim", "Léa", "Malo",
    "Nadia", "Oscar",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Person:
    """Who writes: at this seat of that game."""

    code: str
    seat: int
    name: str
    address: str
    tag: str


def found(store: Store, games: int, now: datetime, first: int = 1, options: Options | None = None) -> list[Person]:
    """Put so many games into the store, all on their first day since `now`; the people who play them."""
    chosen = options or Options(peek=tables.child(), executions=tuple((day, 22 * 60) for day in range(7)))
    codes = [f"PL{number}" for number in range(first, first + games)]
    events = _beginning(chosen, now)  # the same dice for all: only their names differ
    people: list[Person] = []
    for start in range(0, games, TOGETHER):
        with store.begin() as tx:
            for code in codes[start : start + TOGETHER]:
                people += _found_one(tx, code, events, now)
    return people


def _found_one(tx: Tx, code: str, events: Sequence[Event], now: datetime) -> list[Person]:
    people = [_person(code, seat, name) for seat, name in enumerate(NAMES, 1)]
    game_id = tx.create_game(code, "", now)
    named = [replace(event, code=code) if isinstance(event, GameOpened) else event for event in events]
    tx.append(game_id, named, 0, now)
    tx.add_storyteller(game_id, f"conteur@{DOMAIN}", name="Le Conteur", language="fr")
    for person in people:
        tx.add_player(game_id, person.seat, person.address, "fr", "m", person.tag)
    return people


def _person(code: str, seat: int, name: str) -> Person:
    tag = hashlib.sha256(f"{code}/{seat}".encode()).hexdigest()[:16]
    return Person(code, seat, name, f"{code.lower()}.{seat}@{DOMAIN}", tag)


def _beginning(options: Options, now: datetime) -> list[Event]:
    seed = hashlib.sha256(b"bench").hexdigest()
    table = tables.roles_for(PLAYERS) or ()
    commands: Sequence[c.Command] = (
        c.OpenGame(now, "PL1", options, seed), c.OpenRegistration(now), *(c.Join(now, name) for name in NAMES),
        c.Start(now, table=table),
    )  # fmt: skip
    game, events = Game(), []
    for command in commands:
        for event in decide(game, command):
            game = evolve(game, event)
            events.append(event)
    return events


def votes(people: Sequence[Person], number: int, now: datetime) -> Iterator[bytes]:
    """So many mails that vote, from one after the other."""
    for n in range(number):
        person = people[n % len(people)]
        target = NAMES[(person.seat + n // len(people)) % len(NAMES)]
        yield vote(person, target, now, n)


def vote(person: Person, target: str, now: datetime, serial: int) -> bytes:
    """An answer to the ballot, as a mail program sends it."""
    mail = EmailMessage(policy=SMTP.clone(max_line_length=200))
    mail["Return-Path"] = f"<{person.address}>"
    mail["Received"] = f"from out.example (out.example [192.0.2.7]) by mx.{DOMAIN}; {format_datetime(now)}"
    mail["Authentication-Results"] = f"mx.{DOMAIN}; dmarc=pass header.from={DOMAIN}"
    mail["From"] = f"{person.name} <{person.address}>"
    mail["To"] = f"Pleine Lune <lune+{person.tag}@{DOMAIN}>"
    mail["Subject"] = f"VOTER {target}"
    mail["Date"] = format_datetime(now)
    mail["Message-ID"] = f"<{serial}.{person.tag}@out.example>"
    mail["User-Agent"] = "Mozilla Thunderbird"
    quoted = "\n".join(f"> {line}" for line in BALLOT.splitlines())
    mail.set_content(f"Bonsoir,\n\nc’est décidé.\n\nLe 7 décembre 2026 à 09:24, Pleine Lune a écrit :\n{quoted}\n")
    mail.add_alternative(
        "<html><body><p>Bonsoir,</p><p>c’est décidé.</p><blockquote type='cite'>"
        f"{BALLOT.replace(chr(10), '<br>')}</blockquote></body></html>",
        subtype="html",
    )
    return mail.as_bytes()


BALLOT = "\n".join(
    [
        "Jour 1 : à vous", "", "Touchez un nom, envoyez le mail qui s’ouvre : c’est tout.", "",
        *(f"    VOTER {name}" for name in NAMES), "", "Exécution : mardi 8 décembre à 22:00 (Paris)",
    ]
)  # fmt: skip


def play_on(store: Store, codes: Sequence[str], commands: Callable[[Game], Iterator[c.Command]], now: datetime) -> None:
    """Let these commands happen in each of these games, one after the other, in one transaction."""
    with store.begin() as tx:
        for code in codes:
            game_id = tx.game_id(code)
            assert game_id is not None
            game, version = tx.load(game_id)
            events: list[Event] = []
            for command in commands(game):
                for event in decide(game, command):
                    game = evolve(game, event)
                    events.append(event)
            tx.append(game_id, events, version, now)


def grow_old(store: Store, codes: Sequence[str], days: int, now: datetime) -> None:
    """Let games have gone on for so many days: everybody spoke and voted each day, nobody died."""

    def talk(game: Game) -> Iterator[c.Command]:
        for day in range(days):
            moment = now + day * timedelta(seconds=1)
            for player in game.living:
                yield c.Order(moment, player.seat, "SAY", c.Words(text="Je n’ai rien vu, je dormais."))
                yield c.Order(moment, player.seat, "VOTE", c.Words((player.seat % len(game.players) + 1,)))

    for start in range(0, len(codes), TOGETHER):
        play_on(store, codes[start : start + TOGETHER], talk, now)
