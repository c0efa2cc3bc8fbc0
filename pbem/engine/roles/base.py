"""What a role may be made of. A role fills the hooks it needs, in one file; nothing else in the engine names it.

A `Power` is a verb with its hours and its own refusals. A `Role` is a slug, a side, powers, and hooks:
`greet` (what it learns at the start), `on_death`, and steps of the night, which `night.py` puts in order.
`Dusk` is what the steps of one night work on, between the close of sunset and the record that comes of it.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from pbem.engine.commands import Order as Asking
    from pbem.engine.state import Game, Order, Player
    from pbem.engine.story import Story
    from pbem.engine.verbs import Verb

    Check = Callable[[Game, Player, tuple[int, ...]], str]
    Hook = Callable[[Story, Player], None]


def no_objection(game: Game, player: Player, seats: tuple[int, ...]) -> str:  # noqa: ARG001 - the shape of a check
    """A check that never refuses."""
    return ""


@dataclass(frozen=True, slots=True)
class Power:
    """A verb in the hands of its owner.

    `until`: the closing up to which it may be used (election, first-election, execution, tie-break, sunset, vision,
    any).
    `once`: gone when spent (NIGHT-10). `check(game, player, seats)` gives a refusal code, or '', for living targets.
    `available` gives a code if its owner cannot use it at all now (already-used in another sense than `once`).
    `at_once` makes it immediate: it is carried out instead of standing on record.
    """

    verb: Verb
    until: str
    once: bool = False
    check: Check = no_objection
    available: Callable[[Game, Player], str] = lambda _game, _player: ""
    at_once: Callable[[Story, Asking], None] | None = None


@dataclass(frozen=True, slots=True)
class Role:
    """A role: `side` is village, wolves or beast.

    `wolf`: one of the pack (the traitor is not). `blocked_if_guarded`: GUARD-3. `sways`: WIN-3. `floor`: dealing it
    with
    fewer players warns. `needs_hidden`: for games whose composition is hidden.
    """

    slug: str
    side: str = "village"
    powers: tuple[Power, ...] = ()
    wolf: bool = False
    blocked_if_guarded: bool = False
    sways: bool = False
    floor: int = 0
    needs_hidden: bool = False
    greet: Hook | None = None
    on_death: Hook | None = None


@dataclass(slots=True)
class Dusk:
    """One night being worked out. See `state.Night` for what the fields become.

    `slots` is who holds which verbs of a role now; `corruption`: an INFECT was used this night (CORR-1);
    `quiet`: monsters fought each other, nobody is killed (BEAST-3).
    """

    story: Story
    roles: dict[int, Role]
    asleep: bool = False
    protected: set[int] = field(default_factory=set)
    blocked: set[int] = field(default_factory=set)
    main: list[int] = field(default_factory=list)
    extra: int = 0
    sacrificed: int = 0
    converted: int = 0
    corruption: bool = False
    quiet: bool = False
    unmasked: list[int] = field(default_factory=list)
    spends: list[tuple[int, str, str]] = field(default_factory=list)
    stopped: list[tuple[int, str]] = field(default_factory=list)

    def acting(self, verb: str) -> Iterator[Order]:
        """The orders of that verb that work tonight, by arrival; the others are noted as stopped (NIGHT-11)."""
        for order in self.story.game.orders_for(verb):
            if self.asleep or order.seat in self.blocked:
                self.stopped.append((order.seat, verb))
            elif order.seat != self.converted:
                yield order

    def living(self, predicate: Callable[[Role], bool]) -> tuple[int, ...]:
        """Seats of the living whose role is such, in seat order."""
        return tuple(p.seat for p in self.story.game.living if predicate(self.roles[p.seat]))

    @property
    def beasts(self) -> tuple[int, ...]:
        """BEAST-2: while one lives the pack is powerless."""
        return self.living(lambda role: role.side == "beast")
