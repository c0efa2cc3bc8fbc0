"""How sensible bots of the night play: they point at others, lie when cornered, agree on their prey in the pack.

The traitor and the beast lie with them, each alone.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from pbem.balance.minds.commons import evil
from pbem.balance.minds.facts import CLAIM, PREY, SAW, Statement

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from pbem.balance.minds.facts import Name
    from pbem.balance.minds.sensible import Sensible

MASKS: Final = ("villager", "villager", "militia", "ghost", "little-child", "prescient")
"""What a cornered wolf says he is."""
BOLD: Final = 0.35
"""How often a wolf whom a seer has named says that he is the seer."""
LOST: Final = 0.3
"""From this part of the village on an accused wolf is given up by his fellows."""
APART: Final = 0.12
"""How often a wolf points at one of his own whom nobody else accuses: who never did would be found by that."""
SHAM: Final = 0.3
"""How often a wolf of a large enough pack claims to be the seer, once somebody else has."""
LARGE: Final = 3


def bait(mind: Sensible, who: Name) -> float:
    """How well that one serves to be accused: whom the village suspects, or accuses already."""
    commons = mind.commons
    beast = 6.0 if mind.wolf and mind.known.get(who) == "beast" else 0.0
    return beast + commons.suspicion(who) * 0.5 + 4.0 * commons.pressure(who) + 1.5 * mind.dice.random()


def point(mind: Sensible) -> Name:
    """Whom it accuses: somebody whom the village will believe it of; now and then, for show, one of its own."""
    return _for_show(mind, mind.commons.living) or mind.worst(mind.commons.living, lambda name: bait(mind, name))


def _for_show(mind: Sensible, choices: Sequence[Name]) -> Name:
    if not mind.pack or mind.dice.random() > APART:
        return ""
    spare = [who for who in choices if who in mind.pack and who != mind.lover and not mind.commons.pressure(who)]
    return mind.dice.choice(spare) if spare else ""


def vote(mind: Sensible, choices: Sequence[Name]) -> Name:
    """With the crowd, against whoever is no friend; a friend who cannot be saved is burned with zeal, now and then."""
    leader = next(iter(mind.commons.accused()), "")
    lost = leader in mind.pack and mind.commons.pressure(leader) > LOST and leader != mind.lover
    if lost and leader in choices and mind.dice.random() < 0.5:  # noqa: PLR2004 - a coin
        return leader
    return _for_show(mind, choices) or mind.worst(choices, lambda name: bait(mind, name))


def excuses(mind: Sensible) -> list[Statement]:
    """Named by a seer, a bold wolf says that it is the other way round; else he is what nobody can check."""
    accusers = [who for who, target in mind.commons.reports if target == mind.name and who in mind.commons.living]
    if accusers and mind.dice.random() < BOLD:
        return [Statement(CLAIM, role="seer"), *(Statement(SAW, who, "werewolf") for who in accusers)]
    return [Statement(CLAIM, role=mind.dice.choice(MASKS))]


def lies(mind: Sensible) -> list[Statement]:
    """Who has said that he is the seer must go on seeing; a false one may stand up against the true one."""
    if mind.commons.claims.get(mind.name) != "seer":
        return [Statement(CLAIM, role="seer"), *_sights(mind)] if _stands_up(mind) else []
    return _sights(mind)


def _stands_up(mind: Sensible) -> bool:
    seers = {who for who, role in mind.commons.claims.items() if role == "seer"}
    free = mind.name not in mind.commons.claims and not seers & mind.pack and len(mind.pack) + 1 >= LARGE
    return bool(seers & set(mind.commons.living)) and free and mind.dice.random() < SHAM / len(mind.pack)


def _sights(mind: Sensible) -> list[Statement]:
    told = {target for who, target in mind.commons.reports if who == mind.name}
    fresh = [name for name in mind.commons.living if name not in told and name != mind.name]
    friends = [name for name in fresh if name in mind.pack]
    if friends and mind.dice.random() < 0.5:  # noqa: PLR2004 - a coin
        return [Statement(SAW, friends[0], "villager")]
    prey = mind.worst(fresh)
    return [Statement(SAW, prey, "werewolf")] if prey else []


def taste(mind: Sensible, who: Name) -> float:
    """How much the pack would like him dead by morning: who knows too much, whom the village trusts, who leads it."""
    commons = mind.commons
    told = any(witness == who for witness, _ in commons.reports)
    knows = 4.0 * commons.belief(who) if told else 0.0
    known = mind.known.get(who, "")
    strong = 2.5 if known and known != "villager" and not evil(known) else 0.0
    claimed = 0.8 if commons.claims.get(who, "villager") != "villager" else 0.0
    office = 0.8 if who == commons.mayor else 0.0
    points = sum(mate in (*mind.pack, mind.name) for mate, by in commons.accusers.items() if who in by)
    return knows + strong + claimed + office + 0.8 * points - 0.4 * commons.suspicion(who)


def prey(mind: Sensible, names: Sequence[Name]) -> Name:
    """Whom it would take; never a traitor it knows of, nor, twice, one who was guarded well."""
    edible = [name for name in names if mind.known.get(name) not in ("traitor", "beast")]
    return mind.worst(edible, lambda name: taste(mind, name) + 2.0 * mind.dice.random())


def propose(mind: Sensible) -> list[Statement]:
    """The first who speaks in the evening proposes, the others follow."""
    chosen = prey(mind, mind.commons.living)
    mind.prey, mind.voice = chosen, mind.name
    return [Statement(PREY, chosen)] if chosen else []


def kill(mind: Sensible, choices: Sequence[Name]) -> tuple[Name, ...] | None:
    """What was agreed, or its own idea."""
    chosen = mind.prey if mind.prey in choices else prey(mind, choices)
    mind.prey = ""
    return (chosen,) if chosen else None


def infect(mind: Sensible, choices: Sequence[Name]) -> tuple[Name, ...] | None:
    """Early, and somebody whom the village will trust for long."""
    if mind.dice.random() < 0.5:  # noqa: PLR2004 - not always the first night
        return None
    chosen = mind.best(name for name in choices if name != mind.lover)
    return (chosen,) if chosen else None


def sacrifice(mind: Sensible, choices: Sequence[Name]) -> tuple[Name, ...] | None:
    """A wolf whom the village will burn tomorrow anyway, for one more victim."""
    commons = mind.commons
    named = {target for (who, target), role in commons.reports.items() if evil(role) and commons.belief(who) > BOLD}
    doomed = [name for name in choices if name in (*mind.pack, mind.name) and name in named and name != mind.lover]
    others = [name for name in choices if name != mind.prey and name not in mind.friends()]
    if not doomed or not others:
        return None
    return doomed[0], prey(mind, others)


PLANS: dict[str, Callable[[Sensible, Sequence[Name]], tuple[Name, ...] | None]] = {
    "KILL": kill,
    "INFECT": infect,
    "SACRIFICE": sacrifice,
}
"""The plan for each verb of the pack."""
