"""PEEK-1 to PEEK-5: the little child peeps at night, sees a wolf or is seen, by dice."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbem.engine.events import NothingGlimpsed, PeeperSpotted, WolfGlimpsed
from pbem.engine.roles.base import Power, Role
from pbem.engine.verbs import Args, Verb

if TYPE_CHECKING:
    from pbem.engine.options import Options
    from pbem.engine.state import Night
    from pbem.engine.story import Story

PEEK = Power(Verb("PEEK", ("REGARDER",), Args.NONE), "execution")
ROLE = Role("little-child", powers=(PEEK,), blocked_if_guarded=True)
TABLED = 3
"""The table knows up to three wolves; beyond, PEEK-4's formula goes on from that column."""


def chances(options: Options, wolves: int, innocents: int) -> tuple[int, int]:
    """PEEK-4: percent to see, and to be seen, for so many wolves (plus beasts) and innocents."""
    column = {i: (see, seen) for w, i, see, seen in options.peek if w == min(wolves, TABLED)}
    see, seen = column[min(max(innocents, min(column)), max(column))]
    more = max(0, wolves - TABLED)
    return min(100, see + 10 * more), max(10, seen - 5 * more) if more else seen


def peek(story: Story, night: Night, dying: set[int], *, killed: bool) -> list[tuple[int, bool]]:
    """NIGHT-6, in seat order, with this night's deaths known; gives (child, was seen) for those who rolled."""
    rolled = []
    for player in story.game.living:
        if player.role != ROLE.slug or not story.game.order(player.seat, "PEEK") or player.seat in dying:
            continue
        awake = not night.asleep and player.seat not in (*night.blocked, night.converted)
        if awake and killed:
            rolled.append((player.seat, _look(story, night, player.seat)))
        else:
            story.tell(NothingGlimpsed(player.seat))
    return rolled


def _look(story: Story, night: Night, seat: int) -> bool:
    """PEEK-5: see, then be seen, then draw the wolf if there are several."""
    see, seen = chances(story.game.options, len(night.wolves), night.innocents)
    sees = story.roll("peek") <= see
    spotted = story.roll("peek") <= seen
    if not sees:
        story.tell(NothingGlimpsed(seat))
        return spotted
    wolf = night.wolves[0]
    if len(night.wolves) > 1:
        wolf = night.wolves[(story.roll("peek") - 1) % len(night.wolves)]
    story.tell(WolfGlimpsed(seat, wolf))
    return spotted


def tell_pack(story: Story, pack: tuple[int, ...], rolled: list[tuple[int, bool]]) -> None:
    """PEEK-3: after the murder the pack learns whom it saw."""
    story.tell(*(PeeperSpotted(wolf, child) for child, seen in rolled if seen for wolf in pack))
