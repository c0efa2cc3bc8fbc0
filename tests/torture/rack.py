"""A campaign of torture: stories written down undisturbed, told again under every sort of trouble, accounts compared."""

from __future__ import annotations

import asyncio
from collections import Counter
from dataclasses import dataclass, field
from datetime import timedelta
from random import Random
from typing import TYPE_CHECKING

from tests.torture.audit import Account, account, duplicates, faults
from tests.torture.points import KINDS
from tests.torture.story import Recording, Story, tell
from tests.torture.town import Plan, Program, Town

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

DRAIN_HOURS = 12


@dataclass
class Rack:
    """`say(line)` tells how it goes. What it counts is over all rounds."""

    folder: Path
    say: Callable[[str], None]
    kills: Counter[str] = field(default_factory=Counter)
    faults: Counter[str] = field(default_factory=Counter)
    mails: int = 0
    orders: int = 0
    letters: int = 0
    duplicates: int = 0
    excused: int = 0
    losses: list[str] = field(default_factory=list)

    def record(self, seed: str, guests: int, *, spice: bool = True) -> tuple[Story, Account]:
        """Bots play a game, undisturbed: what they wrote, and what came of it."""
        town = Town(self.folder / f"story-{seed}", seed=seed)
        program = Program(town)
        story = Story()
        try:
            town.open_game()
            evening = Recording(program, Random(seed), story, spice=spice)
            asyncio.run(evening.play(guests))
            drain(town, program)
            program.stop()
            found = account(town)
        finally:
            program.close()
            town.close()
        self.say(
            f"story {seed}: {guests} people, {story.mails} mails, {found.orders} orders, {len(found.events)} events, "
            f"{found.letters.total()} letters"
        )
        self._judge(f"story {seed}", faults(found, found, {}))
        return story, found

    def torture(
        self,
        name: str,
        story: Story,
        right: Account,
        plan: Plan,
        *,
        seed: str,
        wires: float | None = None,
        embedded: bool = False,
    ) -> None:
        """Tell the story again, so treated."""
        town = Town(self.folder / name.replace(" ", "-"), seed=seed, faults=wires, embedded=embedded)
        program = Program(town, plan)
        try:
            town.open_game()
            tell(town, program, story)
            drain(town, program)
            program.stop()
            found = account(town)
        finally:
            program.close()
            town.close()
        excused = program.windows + (town.wires.taken_unheard if town.wires else Counter())
        wrong = faults(right, found, excused, resent=embedded, slow=town.wires is not None)
        self.kills += program.kills
        self.faults += town.wires.faults if town.wires else Counter()
        self.mails += story.mails
        self.orders += found.orders
        self.letters += found.letters.total()
        self.duplicates += duplicates(found)
        self.excused += sum(excused.values())
        troubles = sum(town.wires.faults.values()) if town.wires else 0
        self.say(
            f"{name}: {program.kills.total()} kills, {troubles} faults, {found.letters.total()} letters, "
            f"{duplicates(found)} twice: {'all is as it should be' if not wrong else f'{len(wrong)} LOSSES'}"
        )
        self._judge(name, wrong)

    def _judge(self, name: str, wrong: list[str]) -> None:
        self.losses += [f"{name}: {line}" for line in wrong]
        if wrong:
            (self.folder / f"{name.replace(' ', '-')}.losses").write_text("\n".join(wrong))
        for line in wrong[:10]:
            self.say(f"    {line[:150]}")

    def report(self, seconds: float) -> None:
        """The sums."""
        lines = [
            ("kills", self.kills.total(), _list(self.kills)),
            ("faults injected", self.faults.total(), _list(self.faults)),
            ("mails in", self.mails, ""),
            ("orders counted", self.orders, ""),
            ("letters out", self.letters, ""),
            ("duplicates", self.duplicates, f"each with its own Message-ID; {self.excused} might have come twice"),
            ("losses", len(self.losses), ""),
        ]
        self.say("")
        for name, count, remark in lines:
            self.say(f"{name:16} {count:6}   {remark}".rstrip())
        self.say(f"It took {seconds:.0f} s.")


def _list(counts: Counter[str]) -> str:
    return ", ".join(f"{name} {count}" for name, count in sorted(counts.items()))


def drain(town: Town, program: Program) -> None:
    """Let time pass until every letter has left; what is refused for now is tried again up to an hour later."""
    program.settle()
    if town.wires is not None:
        town.wires.heal()
    for _ in range(DRAIN_HOURS * 2):
        with town.store.read() as tx:
            counts = tx.outbox_counts()
        if not counts["pending"] + counts["claimed"]:
            return
        town.clock.move(town.clock.now() + timedelta(minutes=30))
        program.settle()


def every(share: float, **others: float) -> dict[str, float]:
    """That share of every kind of point."""
    return {kind: others.get(kind.replace("-", "_"), share) for kind in KINDS}


def campaign(rack: Rack, *, seed: str, quick: bool) -> None:
    """The whole of it: about ten minutes, or less than one."""
    story, right = rack.record(f"small-{seed}", 4, spice=False)
    small = f"small-{seed}"
    if quick:
        rack.torture("points", story, right, Plan(seed, every(0.02), most=40), seed=small, wires=0.03)
        return
    rack.torture("every point", story, right, Plan(seed, every(1.0), stepwise=False), seed=small)
    plan = Plan(seed, every(0.04), pause=0.5, random=0.5)
    rack.torture("own post office", story, right, plan, seed=small, embedded=True)
    story, right = rack.record(f"large-{seed}", 9)
    large = f"large-{seed}"
    rack.torture("points again", story, right, Plan(seed, every(0.01)), seed=large)
    rack.torture("random instants", story, right, Plan(seed, {}, pause=0.4, random=1.0, most=150), seed=large)
    rack.torture("bad wires", story, right, Plan(seed), seed=large, wires=0.1)
    rack.torture("all at once", story, right, Plan(seed, every(0.004), pause=1.0, random=0.3), seed=large, wires=0.05)
