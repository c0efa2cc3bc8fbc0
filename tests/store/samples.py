"""One value of any type that an event's or a command's field may have, made from the type alone."""

from __future__ import annotations

import dataclasses
import types
from datetime import UTC, datetime, timedelta, timezone
from itertools import count
from typing import Any, Union, get_args, get_origin, get_type_hints

from pbem.engine import commands, options

NAMES = {"datetime": datetime, "Any": Any, "Options": options.Options, "Words": commands.Words}
_START = datetime(2026, 12, 7, 23, 59, 59, 250_000, tzinfo=timezone(timedelta(hours=1)))


class Sampler:
    """Makes records whose fields all differ; `variant` chooses between the shapes that a type allows."""

    def __init__(self, variant: int) -> None:
        self.variant = variant
        self.next = count(1)

    def record(self, cls: type) -> Any:
        hints = get_type_hints(cls, localns=NAMES)
        return cls(**{field.name: self.value(hints[field.name]) for field in dataclasses.fields(cls)})

    def value(self, hint: Any) -> Any:
        origin, args = get_origin(hint), get_args(hint)
        if hint is bool:
            return bool(self.variant % 2)
        if hint is int:
            return next(self.next)
        if hint is str:
            return f"Chloé \u202f“{next(self.next)}” \x00\ud83d 🐺"
        if hint is datetime:
            return _START + timedelta(seconds=next(self.next))
        if hint is Any:
            return [7, "a", (1, (2, "b")), frozenset({3, 1}), None, {"k": (1,)}, True, datetime.now(UTC)][
                self.variant % 8
            ]
        if origin is tuple and args[-1] is Ellipsis:
            return tuple(self.value(args[0]) for _ in range(self.variant % 3))
        if origin is tuple:
            return tuple(self.value(arg) for arg in args)
        if origin in {Union, types.UnionType}:
            return None if self.variant % 2 else self.value(next(arg for arg in args if arg is not types.NoneType))
        return self.record(hint)
