"""A section: one piece of a letter, told by one template."""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from pbem.engine.events import Event


@dataclass(frozen=True, slots=True)
class Section:
    """`kind` names the template's folder under `letters/`; `facts` are what it tells, `notice` the same for
    machines.
    """

    kind: str
    facts: dict[str, Any] = field(default_factory=dict)
    notice: Mapping[str, Any] | None = None


def in_order(sections: Iterable[Section], order: Sequence[str]) -> list[Section]:
    """The sections, the weightiest kind first; those of one kind stay as they happened."""
    weight = {kind: n for n, kind in enumerate(order)}
    return sorted(sections, key=lambda section: weight[section.kind])


RENAMED = {
    "role": "role_told",
    "count": "number",
    "verb": "verb_told",
    "until": "until_told",
    "left": "left_seconds",
    "name": "asker",
}
"""Fields of events under names that every template has for something else."""


def fields_of(event: Event, *names: str) -> dict[str, Any]:
    """Fields of an event (all of them, if none are named) as facts, but for whom it is addressed to."""
    wanted = names or tuple(item.name for item in fields(event) if item.name != "to")
    return {RENAMED.get(name, name): getattr(event, name) for name in wanted}
