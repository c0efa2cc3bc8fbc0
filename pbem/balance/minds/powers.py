"""How a sensible bot of the village uses what its role gives it; the beast's hunt is here too."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from pbem.balance.minds.commons import evil
from pbem.engine.roles import ROSTER

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from pbem.balance.minds.facts import Name
    from pbem.balance.minds.sensible import Sensible

STRONG: Final = 2.0
"""From this judgement on a once-only power is worth it."""
WEAK: Final = 0.5
"""Below this the one whom the village points at is probably innocent."""


def _named(*names: Name) -> tuple[Name, ...] | None:
    return names if all(names) else None


def witnesses(mind: Sensible) -> list[Name]:
    """Living players who tell what they saw and are believed by most, the most believed first."""
    told = {who for who, _ in mind.commons.reports if who in mind.commons.living and who not in mind.friends()}
    believed = sorted((-mind.commons.belief(who), who) for who in told)
    return [who for belief, who in believed if -belief >= 0.5]  # noqa: PLR2004 - no worse than a coin


def see(mind: Sensible, choices: Sequence[Name]) -> tuple[Name, ...] | None:
    """Whom it suspects most and does not know yet."""
    return _named(mind.worst(name for name in choices if name not in mind.known))


def guard(mind: Sensible, choices: Sequence[Name]) -> tuple[Name, ...] | None:
    """A witness before the mayor, the mayor before itself, and somebody it trusts if it was those last night."""
    wanted = [*witnesses(mind), mind.commons.mayor]
    chosen = next((name for name in wanted if name in choices and mind.judge(name) < WEAK), "")
    if not chosen and mind.name in choices and mind.dice.random() < 0.5:  # noqa: PLR2004 - a coin
        chosen = mind.name
    return _named(chosen or mind.best(choices))


def save(mind: Sensible, choices: Sequence[Name]) -> tuple[Name, ...] | None:
    """A witness at once; anybody else more readily the longer the game lasts; nobody it suspects."""
    del choices
    threatened = [name for name in mind.threatened if name != mind.name]
    dear = [name for name in threatened if name in witnesses(mind) or name in (mind.lover, mind.commons.mayor)]
    if dear:
        return _named(dear[0])
    trusted = [name for name in threatened if mind.judge(name) < WEAK]
    eager = mind.dice.random() < 0.15 * mind.commons.day
    return _named(trusted[0]) if trusted and eager else None


def peek(mind: Sensible, choices: Sequence[Name]) -> tuple[Name, ...] | None:
    """When the village is small enough for it to be likely that something is seen, and something is left to see."""
    del choices
    knows = any(evil(role) and name in mind.commons.living for name, role in mind.known.items())
    return None if knows or mind.dice.random() < 0.4 else ()  # noqa: PLR2004 - it is afraid of the dark


def spy(mind: Sensible, choices: Sequence[Name]) -> tuple[Name, ...] | None:
    """Not on the first day, and on whom it suspects."""
    if mind.commons.day < 2 or mind.dice.random() < 0.3:  # noqa: PLR2004 - wait until something is known
        return None
    return see(mind, choices)


def ask(mind: Sensible, choices: Sequence[Name]) -> tuple[Name, ...] | None:
    """First the roles that somebody claims, then those of the night."""
    del choices
    claimed = [role for name, role in mind.commons.claims.items() if name in mind.commons.living]
    wanted = [*claimed, "seer", *(slug for slug in ROSTER if evil(slug))]
    return _named(next((role for role in wanted if role not in mind.counted and role != "villager"), ""))


def pair(mind: Sensible, choices: Sequence[Name]) -> tuple[Name, ...] | None:
    """Two others, or itself with somebody: it knows nobody yet."""
    others = [name for name in choices if name != mind.name]
    one, other = mind.dice.sample(others, 2)
    return (mind.name, one) if mind.dice.random() < 0.5 else (one, other)  # noqa: PLR2004 - a coin


def _leader(mind: Sensible) -> Name:
    return next(iter(mind.commons.accused()), "")


def _needed(mind: Sensible) -> bool:
    """Whether the village is about to burn the wrong one."""
    leader = _leader(mind)
    return bool(leader) and (leader in mind.friends() or mind.judge(leader) < WEAK)


def forge(mind: Sensible, choices: Sequence[Name]) -> tuple[Name, ...] | None:
    """Whom it is almost sure of, when the others are about to burn somebody else; itself it saves in any case."""
    target = mind.worst(choices)
    strong = bool(target) and mind.judge(target) > STRONG
    return _named(target) if target and _needed(mind) and (strong or _leader(mind) == mind.name) else None


def force(mind: Sensible, choices: Sequence[Name]) -> tuple[Name, ...] | None:
    """One who would vote otherwise must vote for the suspect: the suspect's first accuser of another, or anybody."""
    target = mind.worst(choices)
    if not target or mind.judge(target) < STRONG or not _needed(mind):
        return None
    mine = mind.commons.accusers.get(target, ())
    voter = mind.worst(name for name in choices if name != target and name not in mine)
    return _named(voter, target)


def double(mind: Sensible, choices: Sequence[Name]) -> tuple[Name, ...] | None:
    """When two of the accused are worth it."""
    del choices
    top = mind.commons.accused()[:2]
    return () if len(top) > 1 and all(mind.judge(name) > STRONG for name in top) else None


def sleep(mind: Sensible, choices: Sequence[Name]) -> tuple[Name, ...] | None:
    """To bring a witness through the night; late in the game in any case."""
    del choices
    late = mind.commons.day > 3 and mind.dice.random() < 0.2  # noqa: PLR2004 - the pack is known to be there
    return () if witnesses(mind) or late else None


def hunt(mind: Sensible, choices: Sequence[Name]) -> tuple[Name, ...] | None:
    """The beast takes whom the village trusts: the suspect will burn by themselves."""
    return _named(mind.best(name for name in choices if name != mind.lover))


PLANS: dict[str, Callable[[Sensible, Sequence[Name]], tuple[Name, ...] | None]] = {
    "SAVE": save, "PEEK": peek, "SPY": spy, "ASK": ask, "PAIR": pair, "FORGE": forge, "FORCE": force,
    "GUARD": guard, "DOUBLE": double, "SLEEP": sleep, "HUNT": hunt, "SEE": see,
}  # fmt: skip
"""The plan for each verb; SEE is the shaman's too."""
