"""The rule book a second time, written for comparison only: what a vote, a night, a murder and a count must come to.

Nothing here is taken from the program but its records (`Game`, its orders and players). Each function takes the game as
it is just before the closing, and says what has to follow, in plain sets and numbers.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

PACK = {"werewolf", "corrupter", "shaman", "pack-leader"}
EVIL = PACK | {"traitor", "beast"}
SWAY = {"forger": "FORGE", "telepath": "FORCE", "executioner": "DOUBLE"}
AT_SUNSET = ("GUARD", "INFECT", "KILL", "HUNT", "SACRIFICE", "SEE")


def side(role: str) -> str:
    """village, wolves (traitor included) or beast."""
    return "beast" if role == "beast" else "wolves" if role in EVIL else "village"


def roles(game, *, truth=True) -> dict[int, str]:
    """Every seat's role; with `truth` one converted this night is a werewolf (FINE-6)."""
    found = {p.seat: p.role for p in game.players}
    if truth and game.night is not None and game.night.converted:
        found[game.night.converted] = "werewolf"
    return found


def alive(game) -> list[int]:
    """The seats of the living."""
    return [p.seat for p in game.players if p.alive]


def said(game, verb) -> list:
    """The standing orders of that verb, the earliest arrival first."""
    return sorted((o for o in game.orders if o.verb == verb), key=lambda o: o.at)


def loved_by(game) -> dict[int, int]:
    """Each lover's lover."""
    return dict(game.couples) | {b: a for a, b in game.couples}


# ---- the vote (VOTE-1 to VOTE-8, TELE-1, EXEC-1, FORGE-1, FINE-7, FINE-8)


@dataclass
class Day:
    """What T brings: the record, who burns, and what is left open for whom to choose."""

    record: dict[int, tuple[int, str]] = field(default_factory=dict)
    missed: set[int] = field(default_factory=set)
    spent: set[tuple[int, str]] = field(default_factory=set)
    sure: set[int] = field(default_factory=set)
    tied: set[int] = field(default_factory=set)
    places: int = 0
    asked: int = 0
    forged: bool = False


def vote(game) -> Day:
    """The day's vote, worked out at T."""
    day = Day()
    _cast(game, day)
    score = Counter(target for target, _ in day.record.values() if target)
    levels = sorted(set(score.values()), reverse=True)
    first = {s for s in score if score[s] == levels[0]} if levels else set()
    second = {s for s in score if score[s] == levels[1]} if len(levels) > 1 else set()
    double, forge = said(game, "DOUBLE"), said(game, "FORGE")
    doubled = bool(double) and bool(first)
    if doubled:
        day.spent.add((double[0].seat, "DOUBLE"))
    if forge:
        day.forged = True
        day.spent.add((forge[0].seat, "FORGE"))
    _condemn(day, first, second, forge[0].seats[0] if forge else 0, doubled=doubled)
    if day.tied and doubled:
        day.asked = double[0].seat
    elif day.tied:
        own = day.record[game.mayor][0] if game.mayor else 0
        if own in day.tied:
            day.sure, day.tied, day.places = {own}, set(), 0
        elif game.mayor:
            day.asked = game.mayor
        else:
            day.tied, day.places = set(), 0
    return day


def _cast(game, day: Day) -> None:
    votes = {o.seat: o.seats[0] for o in said(game, "VOTE")}
    for player in game.players:
        if not player.alive:
            continue
        if player.seat in votes:
            day.record[player.seat] = (votes[player.seat], "vote")
        elif player.voided or player.missed == 0:
            day.record[player.seat] = (0, "blank")
        else:
            day.record[player.seat] = (player.seat, "self")
        if player.seat not in votes and not player.voided:
            day.missed.add(player.seat)
    force = said(game, "FORCE")
    for order in force:
        day.record[order.seats[0]] = (order.seats[1], "vote")
    for voter in {o.seats[0] for o in force}:
        day.spent.add(([o.seat for o in force if o.seats[0] == voter][-1], "FORCE"))


def _condemn(day: Day, first: set[int], second: set[int], forged: int, *, doubled: bool) -> None:
    """Who burns for sure, and among whom how many more places are open."""
    if forged and not doubled:
        day.sure = {forged}
    elif forged:
        beside = first if len(first) > 1 else second
        others = beside - {forged}
        day.sure = {forged} | (others if len(others) == 1 else set())
        if len(others) > 1:
            day.tied, day.places = others, 1
    elif doubled and len(first) == 1:
        day.sure = first | (second if len(second) == 1 else set())
        if len(second) > 1:
            day.tied, day.places = second, 1
    elif doubled:
        day.sure = first if len(first) == 2 else set()
        if len(first) > 2:
            day.tied, day.places = first, 2
    elif len(first) == 1:
        day.sure = first
    elif first:
        day.tied, day.places = first, 1


@dataclass
class Answer:
    """What the end of a tie-break brings."""

    burned: set[int] = field(default_factory=set)
    repudiated: int = 0


def answer(game) -> Answer:
    """Who burns when the window ends, by whatever way it ends (VOTE-5, EXEC-1, FINE-8)."""
    tie, living = game.tie, set(alive(game))
    tied, said_so = set(tie.tied) & living, [set(o.seats) for o in said(game, "DECIDE") if o.seat == tie.asked]
    if tie.office == "executioner":
        chosen = tied if len(tied) <= tie.places else said_so[0] if said_so else set()
        return Answer((set(tie.sure) & living) | chosen)
    if said_so:
        return Answer(said_so[0])
    if len(tied) <= 1:
        return Answer(tied)
    return Answer(set(), game.mayor)  # without a mayor nobody burns, and nobody is repudiated


# ---- the night (NIGHT-1 to NIGHT-5)


@dataclass
class Dark:
    """What the close of sunset fixes."""

    asleep: bool = False
    protected: set[int] = field(default_factory=set)
    blocked: set[int] = field(default_factory=set)
    main: list[int] = field(default_factory=list)
    extra: int = 0
    sacrificed: int = 0
    converted: int = 0
    unmasked: set[int] = field(default_factory=set)
    spent: set[tuple[int, str]] = field(default_factory=set)
    stopped: set[tuple[int, str]] = field(default_factory=set)
    seen: set[tuple[int, int, str]] = field(default_factory=set)
    warned: set[int] = field(default_factory=set)

    @property
    def threatened(self) -> set[int]:
        """All who would die."""
        return set(self.main) | ({self.extra} if self.extra else set())


def night(game) -> Dark:
    """The night, worked out at the close of sunset."""
    dark, role, living = Dark(), roles(game, truth=False), alive(game)
    sleepers = said(game, "SLEEP")
    if sleepers:
        dark.asleep = True
        dark.spent = {(sleepers[0].seat, "SLEEP")}
        dark.stopped = {(o.seat, o.verb) for o in game.orders if o.verb in (*AT_SUNSET, "SAVE")}
        return dark
    dark.protected = {o.seats[0] for o in said(game, "GUARD")}
    dark.blocked = {s for s in dark.protected if role[s] in PACK | {"little-child", "prescient"}}
    dark.stopped = {(o.seat, o.verb) for o in game.orders if o.verb in (*AT_SUNSET, "SAVE") and o.seat in dark.blocked}
    beasts = {s for s in living if role[s] == "beast"}
    _evil(game, dark, beasts)
    for order in said(game, "SEE"):
        if order.seat not in dark.blocked | {dark.converted}:
            target = order.seats[0]
            dark.seen.add((order.seat, target, "werewolf" if target == dark.converted else role[target]))
    prescients = {s for s in living if role[s] == "prescient"}
    dark.warned = prescients - dark.blocked - {dark.converted}
    return dark


def _evil(game, dark: Dark, beasts: set[int]) -> None:
    def free(verb):
        return [o for o in said(game, verb) if o.seat not in dark.blocked]

    infect, sacrifice = free("INFECT")[:1], free("SACRIFICE")[:1]
    prey = {o.seat: o.seats[0] for o in said(game, "HUNT")}
    fight = False
    if infect:
        who, target = infect[0].seat, infect[0].seats[0]
        if target in beasts:
            dark.unmasked, fight = {target}, True
        elif target in dark.protected:
            dark.spent.add((who, "INFECT"))
        elif not beasts:
            dark.converted = target
            dark.spent.add((who, "INFECT"))
    else:
        choice = _plurality([o.seats[0] for o in free("KILL")])
        met = {b for b in beasts if choice and choice in (b, prey.get(b))}
        if met:
            dark.unmasked, fight = met, True
        elif choice and not beasts and choice not in dark.protected:
            dark.main.append(choice)
    if not fight:
        dark.main += [t for t in dict.fromkeys(prey.values()) if t not in dark.protected and t not in dark.main]
    if sacrifice and not infect and not beasts and sacrifice[0].seats[0] not in dark.protected:
        dark.spent.add((sacrifice[0].seat, "SACRIFICE"))
        dark.sacrificed, victim = sacrifice[0].seats
        dark.extra = 0 if victim in dark.protected else victim


def _plurality(ballots: list[int]) -> int:
    ranked = Counter(ballots).most_common(2)
    if not ranked or (len(ranked) > 1 and ranked[0][1] == ranked[1][1]):
        return 0
    return ranked[0][0]


# ---- the murder (NIGHT-5 to NIGHT-7)


@dataclass
class Dawn:
    """What the murder brings, before wins and succession."""

    saved: dict[int, int] = field(default_factory=dict)
    found: list[int] = field(default_factory=list)
    dead: set[int] = field(default_factory=set)
    rolling: set[int] = field(default_factory=set)
    blind: set[int] = field(default_factory=set)


def murder(game) -> Dawn:
    """Who of the threatened is saved, who is found, who follows for love, and which children look."""
    dawn, fixed = Dawn(), game.night
    living = set(alive(game))
    threatened = [s for s in [*fixed.main, fixed.extra] if s in living]
    for order in said(game, "SAVE"):
        if fixed.asleep or order.seat in fixed.blocked or order.seat == fixed.converted:
            continue
        options = [s for s in threatened if s != order.seat and (not order.seats or s in order.seats)]
        if options and options[0] not in dawn.saved.values():
            dawn.saved[order.seat] = options[0]
    victims = {s for s in threatened if s not in dawn.saved.values()}
    dawn.found = sorted(victims | ({fixed.sacrificed} & living))
    love = loved_by(game)
    dawn.dead = set(dawn.found) | {love[s] for s in dawn.found if love.get(s) in living}
    for order in said(game, "PEEK"):
        if order.seat in dawn.dead:
            continue
        sees = victims and not fixed.asleep and order.seat not in fixed.blocked and order.seat != fixed.converted
        (dawn.rolling if sees else dawn.blind).add(order.seat)
    return dawn


# ---- the end (WIN-1 to WIN-9)


def won_after_deaths(game) -> tuple[str, set[int]] | None:
    """WIN-7, WIN-5, WIN-6, WIN-1."""
    role, living, love = roles(game), alive(game), loved_by(game)
    kinds = [role[s] for s in living]
    if all(kind == "traitor" for kind in kinds):
        return "nobody", set()
    if len(living) == 2 and love.get(living[0]) == living[1] and len({side(k) for k in kinds}) == 2:
        return "lovers", set(living)
    if kinds == ["beast"]:
        return "beast", set(living)
    if not set(kinds) & (PACK | {"beast"}):
        return "village", {s for s in role if side(role[s]) == "village" and _no_unlucky_lover(game, s)}
    return None


def won_at_a_count(game) -> tuple[str, set[int]] | None:
    """WIN-2 unless WIN-3."""
    role, living = roles(game), alive(game)
    wolves = [s for s in living if role[s] in PACK]
    villagers = [s for s in living if side(role[s]) == "village"]
    if "beast" in (role[s] for s in living) or not wolves or len(wolves) < len(villagers):
        return None
    if any(role[s] in SWAY and SWAY[role[s]] not in game.player(s).spent for s in villagers):
        return None
    if len(wolves) == len(villagers) and game.mayor in villagers:
        return None
    winners = {s for s in role if role[s] in PACK or (role[s] == "traitor" and s in living)}
    return "wolves", {s for s in winners if _no_unlucky_lover(game, s)}


def _no_unlucky_lover(game, seat: int) -> bool:
    """WIN-5: who loves wins with his side only alive, and only if it is his lover's too."""
    other = loved_by(game).get(seat)
    role = roles(game)
    return other is None or (game.player(seat).alive and side(role[seat]) == side(role[other]))
