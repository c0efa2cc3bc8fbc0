"""One sample of everything that can be written about, in both languages and genders: what the tests look at.

`SAMPLES` maps a name to the letters of one moment. Seats 1 to 4 are f/fr, m/fr, f/en and m/en, so that each private
event, told to all four, shows its letter in every form.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from functools import cache
from typing import TYPE_CHECKING, Any

from pbem.engine import events as e
from pbem.engine.evolve import evolve
from pbem.engine.options import Options
from pbem.engine.roles import LEXICON, ROSTER
from pbem.engine.state import Game, Phase
from pbem.letters.outcome import Outcome
from tests.letters.village import MONDAY, SCRIBE, Village

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pbem.post import Letter

LETTERED = (1, 2, 3, 4)
"""The seats whose letters show every language and gender."""
CAST = (
    ("Alice", "f", "seer"),
    ("Bruno", "m", "werewolf"),
    ("Chloé", "f", "executioner"),
    ("David", "m", "corrupter"),
    *((f"{slug.replace('-', ' ').title()} d'Arc", "fm"[n % 2], slug) for n, slug in enumerate(ROSTER)),
)
LATER = MONDAY + timedelta(hours=14)
CODES = (
    *("unknown-command", "missing-argument", "unknown-player", "ambiguous-player", "not-your-power", "already-used"),
    *("wrong-time", "too-late", "dead-actor", "dead-target", "self-target", "ally-target", "lover-target"),
    *("repeat-target", "immune-target", "not-a-candidate", "not-a-choice", "ineligible", "not-in-game"),
    *("not-storyteller", "unknown-role", "composition-public", "already-paired", "name-taken", "bad-name"),
    *("registration-closed", "game-over", "game-paused", "graveyard-only", "living-only", "secret-in-public"),
    *("too-long", "empty"),
)
"""MAIL.md § 6."""


def village(**more: Any) -> Village:
    """A game of all roles, on its first day."""
    options = Options(min_debate=0, composition=more.pop("composition", "public"))
    start = Village(CAST, options, languages="fr fr en en", **{"mayor": 2, "heir": 3, "immune": (5,), **more})
    start.start()
    return start


def private() -> dict[str, tuple[Any, ...]]:
    """A sample of each private event to a player: name to (class, fields)."""
    return {
        "RoleDealt": (e.RoleDealt, "prescient"),
        "PackShown": (e.PackShown, (5, 6)),
        "PackShown, alone": (e.PackShown, ()),
        "WolvesCounted": (e.WolvesCounted, 3),
        "OrderVoided, vote": (e.OrderVoided, "VOTE", 5),
        "OrderVoided": (e.OrderVoided, "SEE", 6),
        "OrderedFor": (e.OrderedFor, "VOTE"),
        "PackTalked": (e.PackTalked, 6, "Ce soir, <b>le boulanger</b> & sa femme.\n\n> non\n  Sûr ?"),
        "VoteReminded": (e.VoteReminded, 3, LATER),
        "InactivityWarned": (e.InactivityWarned, LATER),
        "RoleSeen": (e.RoleSeen, 5, "traitor", "SEE"),
        "RoleSeen, spied": (e.RoleSeen, 5, "nosy-neighbour", "SPY"),
        "RoleCounted": (e.RoleCounted, "werewolf", 2),
        "LoverShown": (e.LoverShown, 6),
        "OfficeTaken, elected": (e.OfficeTaken, "elected"),
        "OfficeTaken, heir": (e.OfficeTaken, "heir"),
        "OfficeTaken, appointed": (e.OfficeTaken, "appointed"),
        "OfficeLost": (e.OfficeLost,),
        "VoteMissed, blank": (e.VoteMissed, "blank"),
        "VoteMissed, self": (e.VoteMissed, "self"),
        "Asked, mayor": (e.Asked, (5, 6), 1, LATER, "mayor"),
        "Asked, executioner": (e.Asked, (5, 6, 7), 2, LATER, "executioner"),
        "GhostRisen": (e.GhostRisen,),
        "ThreatShown": (e.ThreatShown, (5, 6)),
        "ThreatShown, nobody": (e.ThreatShown, ()),
        "Saved": (e.Saved, 5),
        "ConvertedTold": (e.ConvertedTold, (5, 6)),
        "ConvertedTold, alone": (e.ConvertedTold, ()),
        "PackJoined": (e.PackJoined, 5),
        "WolfGlimpsed": (e.WolfGlimpsed, 5),
        "NothingGlimpsed": (e.NothingGlimpsed,),
        "PeeperSpotted": (e.PeeperSpotted, 5),
        "BeastUnmasked": (e.BeastUnmasked, 5),
        "NoEffect": (e.NoEffect, "GUARD"),
        "Told": (e.Told, "Chère amie,\n\n*patience*.\n\n- un\n- deux"),
    }


def secret() -> dict[str, e.Private]:
    """A sample of each event that the storyteller alone is told."""
    return {
        "Intruded": e.Intruded(0, 5),
        "AbsenceAsked": e.AbsenceAsked(0, 5, "vendredi", "Je pars en voyage."),
        "AbsenceAsked, bare": e.AbsenceAsked(0, 6, "", ""),
        "QuestionAsked": e.QuestionAsked(0, 5, "", "Un maire peut-il\nvoter ?"),
        "QuestionAsked, stranger": e.QuestionAsked(0, 0, "Luc", "Qui êtes-vous ?"),
        "ReplacementWanted": e.ReplacementWanted(0, 5),
        "SilenceReported": e.SilenceReported(0, (5, 6)),
        "StalemateNoted": e.StalemateNoted(0),
        "MailboxLate": e.MailboxLate(0, "execution", MONDAY),
    }


def public() -> dict[str, tuple[e.Event, ...]]:
    """Batches that the list hears of."""
    died = e.Died
    return {
        "RegistrationOpened": (e.RegistrationOpened(),),
        "RegistrationClosed": (e.RegistrationClosed(),),
        "DeadlineMoved": (e.DeadlineMoved("day", LATER),),
        "Paused": (e.Paused(MONDAY, 7_300),),
        "Resumed": (e.Resumed(MONDAY, "day", LATER),),
        "ElectionSet": (e.ElectionSet(MONDAY, LATER),),
        "ElectionClosed": (e.ElectionClosed(((1, 5), (2, 5), (3, 6)), 5), e.MayorChanged(5, "elected")),
        "ElectionClosed, nobody": (e.ElectionClosed((), None),),
        "MayorChanged, heir": (e.MayorChanged(5, "heir"),),
        "MayorChanged, appointed": (e.MayorChanged(6, "appointed"),),
        "MayorChanged, vacant": (e.MayorChanged(None, "vacant"), e.ElectionDropped()),
        "Repudiated": (e.Repudiated(2), e.OfficeLost(2), e.MayorChanged(3, "heir"), e.OfficeTaken(3, "heir")),
        "Execution": (_votes(), e.ExecutionDone(1, (5,)), died(5, "executed", "villager", 1), *_dusk()),
        "Execution, forged, love, silence": (
            _votes(forged=True),
            e.ExecutionDone(1, (5, 6)),
            died(5, "executed", "villager", 1),
            died(6, "executed", "prescient", 1),
            died(7, "love", "seer", 1),
            died(8, "inactive", "militia", 1),
            *_dusk(),
        ),
        "Execution, nobody": (e.VotesPublished(1, ((1, 0, "blank"),), (), False), e.ExecutionDone(1, ()), *_dusk()),
        "Tie": (_votes(), e.TieAnnounced((5, 6), 2, LATER), e.Asked(2, (5, 6), 1, LATER, "mayor")),
        "Tie, no mayor": (_votes(), e.TieAnnounced((5, 6), None, LATER)),
        "Murder": (
            e.MurderDone(1, (5, 6), False),
            died(5, "murdered", "villager", 1),
            died(6, "sacrificed", "werewolf", 1),
            died(7, "love", "seer", 1),
            e.DayOpened(2, LATER, LATER + timedelta(hours=48)),
            e.ElectionSet(LATER, LATER + timedelta(hours=24)),
        ),
        "Murder, asleep": (e.MurderDone(1, (), True), e.DayOpened(2, LATER, LATER + timedelta(hours=48))),
        "HeartAttack, in the graveyard": (e.Intruded(0, 5), died(5, "heart-attack", "villager", 1)),
        "HeartAttack": (died(5, "heart-attack", "villager", 1, "Il a <triché>."),),
        "HeartAttack, unexplained": (died(6, "heart-attack", "villager", 1),),
        "Death of the lettered": tuple(died(seat, "murdered", "villager", 1) for seat in LETTERED),
        "Death by fire": tuple(died(seat, "executed", "villager", 1) for seat in LETTERED),
        "Death of the ghosts": tuple(
            event for s in LETTERED for event in (died(s, "love", "ghost", 1), e.GhostRisen(s))
        ),
        "Replaced": (e.Replaced(1, "Agathe", "f"), e.Replaced(4, "Denis", "m")),
        "Replaced, same name": (e.Replaced(3, "Chloé", "f"),),
        "Announced": (e.Announced("Bonsoir *à tous*,\n\n- un\n- deux\n\n<script>"),),
        "Undone": (e.Undone(3, MONDAY),),
        "Posted": (e.Posted(1, "Bonsoir !\n\n<b>Non</b> & oui. " + "très " * 40 + "long !", MONDAY),),
        "Posted, ghost": (e.Posted(5, "Hou.", MONDAY, ghost=True),),
        "GraveyardTalked": (e.GraveyardTalked(5, "", "Il fait sombre.", MONDAY, (6, 7, 1, 3)),),
        "GraveyardTalked, reader": (e.GraveyardTalked(0, "Luce", "Il fait clair.", MONDAY, (6, 2, 4)),),
        **{f"GameWon, {winner}": (_won(winner),) for winner in ("village", "wolves", "lovers", "beast", "nobody")},
        "GameWon, aborted": (replace(_won("nobody"), aborted=True),),
        "GameWon, with a graveyard": (e.GraveyardTalked(0, "Luc", "Il fait sombre.", LATER, ()), _won("village")),
    }


def _votes(*, forged: bool = False) -> e.VotesPublished:
    record = ((1, 5, "vote"), (2, 6, "vote"), (3, 5, "vote"), (4, 0, "blank"), (7, 7, "self"))
    return e.VotesPublished(1, record, ((5, 2), (6, 1), (7, 1)), forged)


def _dusk() -> tuple[e.Event, ...]:
    return (e.SunsetOpened(1, LATER + timedelta(minutes=30)),)


def _won(winner: str) -> e.GameWon:
    winners = () if winner == "nobody" else (1, 2)
    return e.GameWon(winner, winners, tuple(role for _, _, role in CAST), "ab" * 32)


def evolved(game: Game, events: tuple[e.Event, ...]) -> Game:
    for event in events:
        game = evolve(game, event)
    return game


def told(events: tuple[e.Event, ...], start: Village) -> list[Letter]:
    """What the game writes about these events."""
    after = evolved(start.game, events)
    return SCRIBE.batch(events, start.game, after, start.book, at=LATER, history=start.history)


def acknowledged() -> Iterator[tuple[str, list[Letter]]]:
    """Acknowledgements: every verb accepted, every code refused, in every form."""
    start = village()
    now = evolved(start.game, tuple(e.OrderTaken(seat, "VOTE", MONDAY, (5,)) for seat in LETTERED))
    for verb in LEXICON:
        for args in _arguments(verb.name):
            outcome = Outcome(verb.name, args, "accepted", events=_taken(verb.name))
            yield f"accepted {verb.name} {args}".strip(), [_ack(start, now, seat, outcome) for seat in LETTERED]
    for code in (*CODES, "no-such-code"):
        for verb, words in (("VOTE", "Bru"), ("SACRIFICE", "Bru"), ("CANCEL", "VOTE"), ("ASK", "x"), ("", "bla bla")):
            outcome = Outcome(verb, words, "refused", code, words, ("Bruno", "Brunette") if verb == "VOTE" else ())
            yield f"refused {code} {verb}".strip(), [_ack(start, now, seat, outcome) for seat in LETTERED]
    for phase in (Phase.REGISTRATION, Phase.SUNSET, Phase.OVER):
        other = replace(now, phase=phase)
        asked = (
            Outcome("STATUS", "", "accepted"),
            Outcome("HELP", "", "accepted"),
            Outcome("VOTE", "5", "refused", "wrong-time"),
        )
        yield f"asked in {phase}", [_ack(start, other, seat, *asked) for seat in LETTERED]
    dead = evolved(now, public()["Death of the lettered"])
    yield (
        "asked by the dead",
        [
            _ack(start, dead, seat, Outcome("STATUS", "", "accepted"), Outcome("HELP", "", "accepted"))
            for seat in LETTERED
        ],
    )
    ghosts = evolved(now, public()["Death of the ghosts"])
    yield (
        "asked by ghosts",
        [
            _ack(start, ghosts, s, Outcome("HELP", "", "accepted"), Outcome("GRAVEYARD", "", "refused", "wrong-time"))
            for s in LETTERED
        ],
    )
    strangers = [start.book.readers[0], replace(start.book.readers[0], language="fr", address="x@example.net")]
    outs = [
        Outcome("HELP", "", "accepted"),
        Outcome("RULES", "", "accepted"),
        Outcome("JOIN", "Vote", "refused", "bad-name", "Vote"),
        Outcome("WATCH", "", "accepted"),
    ]
    yield (
        "asked by strangers",
        [
            SCRIBE.acknowledge([o], now, now, start.book, 0, at=LATER, to=to, message_id="<m@x>")
            for to in strangers
            for o in outs
        ],
    )
    posted = Outcome("SAY", "", "accepted", "wrong-time", events=(e.Posted(1, "x", LATER),))
    counted = Outcome("SAY", "", "accepted", events=(e.Posted(1, "x", LATER), e.OrderTaken(1, "ELECT", LATER, (5,))))
    held = Outcome("VOTE", "Bruno", "held")
    yield "posts", [_ack(start, now, seat, posted, counted, held) for seat in LETTERED]


def _arguments(verb: str) -> tuple[str, ...]:
    shapes = {
        "MAIL": ("posts", "daily", "digest"),
        "LANG": ("fr", "en"),
        "ADDRESS": ("new@example.org",),
        "RULES": ("", "voyante"),
    }
    return shapes.get(verb, ("",))


def _taken(verb: str) -> tuple[e.Event, ...]:
    """An order of that verb for seat 1 to 4 alike: with two names, so that every sentence shows."""
    if verb == "CANCEL":
        return (e.OrderCancelled(1, "VOTE", MONDAY),)
    two = (5, 6) if verb in {"DECIDE", "SACRIFICE", "FORCE", "PAIR"} else (5,)
    plain = {"SLEEP", "PEEK", "DOUBLE"}
    spoken = {
        "SAY",
        "PACK",
        "GRAVEYARD",
        "QUESTION",
        "STATUS",
        "HELP",
        "RULES",
        "JOIN",
        "LEAVE",
        "WATCH",
        "UNWATCH",
        "ABSENT",
        "LANG",
        "MAIL",
        "ADDRESS",
    }
    return () if verb in spoken else (e.OrderTaken(1, verb, MONDAY, () if verb in plain else two),)


def _ack(start: Village, game: Game, seat: int, *outcomes: Outcome) -> Letter:
    return SCRIBE.acknowledge(
        outcomes, game, game, start.book, seat, at=LATER, subject="VOTE Bruno", message_id="<m@x>"
    )


def others() -> Iterator[tuple[str, list[Letter]]]:
    """Letters that answer no command of the game's rules."""
    start = village()
    people = [start.book.seats[seat] for seat in LETTERED]
    book, game = start.book, start.game
    held = [Outcome("VOTE", "Bruno", "held"), Outcome("SEE", "David", "held")]
    yield (
        "confirm",
        [
            SCRIBE.confirm("0123456789abcdef", held, to, book, at=LATER, seat=n, game=game)
            for n, to in enumerate(people, 1)
        ],
    )
    join = [Outcome("JOIN", "Luc (m)", "held"), Outcome("VOTE", "x", "refused", "not-in-game")]
    yield "confirm JOIN", [SCRIBE.confirm("0123456789abcdef", join, to, book, at=LATER) for to in people]
    move = [Outcome("ADDRESS", "x@y.zz", "held")]
    yield (
        "confirm ADDRESS",
        [SCRIBE.confirm("0123456789abcdef", move, to, book, at=LATER, address="x@y.zz") for to in people],
    )
    yield "stranger", [SCRIBE.help_stranger(to, book, at=LATER) for to in people]
    yield "stranger, open", [SCRIBE.help_stranger(to, book, at=LATER, game=replace(game, open=True)) for to in people]
    yield "tag-replaced", [SCRIBE.tag_replaced(book, game, seat, at=LATER) for seat in LETTERED]
    yield "watching", [SCRIBE.notice("watching", to, {}, book, at=LATER, game=game, audience="reader") for to in people]
    yield "flood", [SCRIBE.notice("flood", to, {}, book, at=LATER, game=game, seat=n) for n, to in enumerate(people, 1)]
    tellers = replace(
        book, storytellers=(book.storytellers[0], replace(book.storytellers[0], language="en", address="t@example.org"))
    )
    yield "bounce", SCRIBE.bounce_notice(tellers, game, 5, at=LATER, why="550")
    yield "unreadable", SCRIBE.unreadable_notice(tellers, None, at=LATER, sender="x@y.zz", why="no text")
    full = evolved(
        game,
        (
            e.OrderTaken(1, "SEE", MONDAY, (5,)),
            e.PowerSpent(3, "DOUBLE"),
            e.RoleChanged(5, "werewolf"),
            e.DigestsHeld(True),
            e.LoversPaired(6, 7, 0),
        ),
    )
    lines = [(n, MONDAY, event) for n, event in enumerate(start.history, 1)]
    for to in tellers.storytellers:
        yield f"state {to.language}", [SCRIBE.storyteller_status(to, full, tellers, at=LATER)]
        yield f"log {to.language}", [SCRIBE.storyteller_log(to, game, lines, tellers, at=LATER)]
    for verb in ("OPEN", "CLOSE", "COMPOSITION", "PAUSE", "TELL", "STATUS", "UNDO"):
        outs = [Outcome(verb, "Bruno", "accepted"), Outcome(verb, "Bruno", "refused", "wrong-time")]
        acks = [
            SCRIBE.acknowledge(outs, game, game, tellers, 0, at=LATER, to=to, admin=True) for to in tellers.storytellers
        ]
        yield f"admin {verb}", acks
    narrated = replace(game, narration=("*Il pleut*.", "Il vente."))
    yield "narration", SCRIBE.batch(public()["Murder"], narrated, evolved(narrated, public()["Murder"]), book, at=LATER)
    held_batch = (e.DigestsHeld(True), *public()["Murder"])
    yield "draft", SCRIBE.batch(held_batch, game, evolved(game, held_batch), tellers, at=LATER)


@cache
def samples() -> dict[str, list[Letter]]:
    """Every sample, by name."""
    found: dict[str, list[Letter]] = {}
    start, hidden = village(), village(composition="hidden", mayor=None, lovers=(1, 4))
    for name, (kind, *fields) in private().items():
        found[name] = told(tuple(kind(seat, *fields) for seat in LETTERED), start)
    for name, event in secret().items():
        found[name] = told((event,), start)
    for name, events in public().items():
        found[name] = told(events, start)
    found["start"] = told(start.events, start)
    found["start, hidden, lovers"] = told(hidden.events, hidden)
    talked = e.GraveyardTalked(5, "", "Il faisait <sombre>.", MONDAY, (6,))
    by_reader = e.GraveyardTalked(0, "Luce", "Il faisait clair.", MONDAY, (6,))
    won = (_won("village"),)
    after, history = evolved(start.game, won), (*start.history, talked, by_reader)
    found["GameWon, told"] = SCRIBE.batch(won, start.game, after, start.book, at=LATER, history=history)
    found["Joined"] = told((e.Joined(len(CAST) + 1, "Zoé", "f"),), start)
    found["Left"] = told((e.Left(len(CAST)),), start)
    found |= dict(acknowledged())
    found |= dict(others())
    return found
