r"""Events and commands to text and back: exact, strict, exhaustive.

The text is a JSON object, keys sorted, ASCII: `{"type": "Joined", "gender": "f", "name": "Chlo\u00e9", "seat": 3}`.
Moments are ISO 8601 in UTC, tuples are arrays, nested records objects without their type; a field of any type
(`Remembered.value`) says itself what it is where JSON would forget it (`{"$tuple": […]}`).

Strict: a type, a field or a value that does not belong there is a `CodecError`, never a guess. A field that an older
program did not know yet takes its default, if it has one; what that cannot mend gets an entry in `UPGRADES`.
"""

from __future__ import annotations

import dataclasses
import json
import types
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from typing import Any, TypeVar, Union, get_args, get_origin, get_type_hints

from pbem.engine import commands, events, options

VERSION = 1
"""Of the encoding; kept beside each text."""

UPGRADES: dict[tuple[int, str], Callable[[dict[str, Any]], dict[str, Any]]] = {}
"""(version, type) -> how a text of that version becomes one of the next; all versions after it are tried in turn."""

Encoder = Callable[[Any], Any]
RecordT = TypeVar("RecordT")

_FAMILIES = {events.Event, events.Fact, events.Public, events.Private, commands.Command}
_coders: dict[type, tuple[Encoder, Encoder]] = {}
_NAMES = {"datetime": datetime, "Any": Any, "Options": options.Options, "Words": commands.Words}


class CodecError(ValueError):
    """The text is no event (or command) of this program, or the value is not of its field's type."""


def _concrete(module: types.ModuleType, base: type) -> dict[str, type]:
    found = (value for value in vars(module).values() if isinstance(value, type) and issubclass(value, base))
    return {value.__name__: value for value in found if value not in _FAMILIES}


EVENTS: Mapping[str, type[events.Event]] = _concrete(events, events.Event)
COMMANDS: Mapping[str, type[commands.Command]] = _concrete(commands, commands.Command)


def encode_event(event: events.Event) -> str:
    """Its text. Raises CodecError for a class that is not in `EVENTS` or a field of another type than it says."""
    return _encode(event, EVENTS)


def decode_event(text: str, version: int = VERSION) -> events.Event:
    """The event again: equal to the one encoded. Raises CodecError."""
    return _decode(text, version, EVENTS)


def encode_command(command: commands.Command) -> str:
    """Its text. Raises CodecError."""
    return _encode(command, COMMANDS)


def decode_command(text: str, version: int = VERSION) -> commands.Command:
    """The command again. Raises CodecError."""
    return _decode(text, version, COMMANDS)


def _encode(record: Any, known: Mapping[str, type]) -> str:
    name = type(record).__name__
    if known.get(name) is not type(record):
        raise CodecError(f"{name} cannot be kept")
    body: dict[str, Any] = _record_coder(type(record))[0](record)
    return json.dumps({"type": name, **body}, sort_keys=True, separators=(",", ":"), allow_nan=False)


def _decode(text: str, version: int, known: Mapping[str, type[RecordT]]) -> RecordT:
    try:
        given = json.loads(text)
    except ValueError:
        raise CodecError("not JSON") from None
    name = given.pop("type", None) if isinstance(given, dict) else None
    if not isinstance(name, str) or name not in known or not 1 <= version <= VERSION:
        raise CodecError(f"unknown type {name!r} of version {version}")
    for old in range(version, VERSION):
        if (old, name) in UPGRADES:
            given = UPGRADES[old, name](given)
    record: RecordT = _record_coder(known[name])[1](given)
    return record


def _record_coder(cls: type) -> tuple[Encoder, Encoder]:
    """How one frozen record becomes a dict of JSON values, and how it comes back; worked out once a class."""
    if cls not in _coders:
        _coders[cls] = _make_record_coder(cls)
    return _coders[cls]


def _make_record_coder(cls: type) -> tuple[Encoder, Encoder]:
    hints = get_type_hints(cls, localns=_NAMES)
    fields = [
        (field.name, *_coder(hints[field.name], f"{cls.__name__}.{field.name}")) for field in dataclasses.fields(cls)
    ]
    required = {f.name for f in dataclasses.fields(cls) if f.default is f.default_factory is dataclasses.MISSING}
    decoders = {name: decode for name, _, decode in fields}

    def encode(record: Any) -> dict[str, Any]:
        if type(record) is not cls:
            raise CodecError(f"a {type(record).__name__} where a {cls.__name__} belongs")
        return {name: encode_field(getattr(record, name)) for name, encode_field, _ in fields}

    def decode(given: Any) -> Any:
        if not isinstance(given, dict) or not required <= given.keys() <= decoders.keys():
            raise CodecError(f"not the fields of {cls.__name__}")
        return cls(**{name: decoders[name](value) for name, value in given.items()})

    return encode, decode


def _coder(hint: Any, where: str) -> tuple[Encoder, Encoder]:
    """The two directions for one type of field."""
    origin, args = get_origin(hint), get_args(hint)
    if hint in {int, str, bool}:
        return _plain(hint, where), _plain(hint, where)
    if hint is datetime:
        return _moment_to_text(where), _moment_from_text(where)
    if hint is Any:
        return _free, _free_back
    if origin is tuple:
        return _tuple_coder(args, where)
    if origin in {Union, types.UnionType}:
        return _optional_coder(args, where)
    if dataclasses.is_dataclass(hint) and isinstance(hint, type):
        return _record_coder(hint)
    raise CodecError(f"{where} is of a type that cannot be kept: {hint}")


def _plain(kind: type, where: str) -> Encoder:
    def check(value: Any) -> Any:
        if type(value) is kind:
            return value
        if isinstance(value, kind) and not isinstance(value, bool):  # a StrEnum, say, is kept as its text
            return kind(value)
        raise CodecError(f"{where} is no {kind.__name__}")

    return check


def _moment_to_text(where: str) -> Encoder:
    def encode(value: Any) -> str:
        if not isinstance(value, datetime) or value.tzinfo is None:
            raise CodecError(f"{where} is no aware moment")
        return value.astimezone(UTC).isoformat()

    return encode


def _moment_from_text(where: str) -> Encoder:
    def decode(value: Any) -> datetime:
        try:
            moment = datetime.fromisoformat(value)
        except (TypeError, ValueError):
            raise CodecError(f"{where} is no moment") from None
        if moment.tzinfo is None:
            raise CodecError(f"{where} has no time zone")
        return moment.astimezone(UTC)

    return decode


def _tuple_coder(args: tuple[Any, ...], where: str) -> tuple[Encoder, Encoder]:
    alike = len(args) == 2 and args[1] is Ellipsis  # noqa: PLR2004  (tuple[X, ...])
    inner = [_coder(arg, where) for arg in (args[:1] if alike else args)]

    def walker(kind: type[tuple[Any, ...] | list[Any]], build: Callable[[Any], Any], side: int) -> Encoder:
        def walk(value: Any) -> Any:
            if type(value) is not kind or not (alike or len(value) == len(inner)):
                raise CodecError(f"{where} is not such a tuple")
            coders = inner * len(value) if alike else inner
            return build(coder[side](item) for coder, item in zip(coders, value, strict=True))

        return walk

    return walker(tuple, list, 0), walker(list, tuple, 1)


def _optional_coder(args: tuple[Any, ...], where: str) -> tuple[Encoder, Encoder]:
    (inner,) = (arg for arg in args if arg is not types.NoneType)
    there, back = _coder(inner, where)
    return (lambda v: None if v is None else there(v)), (lambda v: None if v is None else back(v))


def _free(value: Any) -> Any:
    """A value of any type that a role may remember."""
    match value:
        case None | bool() | int() | float() | str():
            return value
        case tuple():
            return {"$tuple": [_free(item) for item in value]}
        case frozenset():
            return {"$set": sorted((_free(item) for item in value), key=lambda item: json.dumps(item, sort_keys=True))}
        case datetime() if value.tzinfo is not None:
            return {"$at": value.astimezone(UTC).isoformat()}
        case Mapping():
            return {"$map": [[_free(key), _free(item)] for key, item in value.items()]}
    raise CodecError(f"a {type(value).__name__} cannot be kept")


def _free_back(value: Any) -> Any:
    match value:
        case None | bool() | int() | float() | str():
            return value
        case {"$tuple": list(items)}:
            return tuple(_free_back(item) for item in items)
        case {"$set": list(items)}:
            return frozenset(_free_back(item) for item in items)
        case {"$at": str(text)}:
            return _moment_from_text("a value")(text)
        case {"$map": list(pairs)}:
            return {_free_back(key): _free_back(item) for key, item in pairs}
    raise CodecError("a value of no known shape")
