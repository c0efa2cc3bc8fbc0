"""A scenario file read strictly: `load` returns a `Scenario`, or raises `ScenarioError` with what is wrong, and where.

All scalars are text (SCENARIOS.md): `off`, `no`, `12:30` stay words. An unknown key or word, a bad time, a key given
twice, a mail without a sender: each is an error, since a runner that skips what it does not know would prove nothing.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final
from zoneinfo import ZoneInfo

import yaml

from pbem.rehearsal import moments, words
from pbem.rehearsal.expectations import expectations
from pbem.rehearsal.shapes import Check, ScenarioError, keys, length, like, local, many, pairs, switch, text, true, word

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping
    from datetime import datetime, timedelta
    from pathlib import Path

    from pbem.rehearsal.moments import Moment, Weekly

FEWEST, MOST = 4, 60
"""ORG-6."""
_PREFIX: Final = re.compile(r"\s*(?:(?:re|réf|ref|tr|fwd?|aw|sv|antw)\s*:|\[ext\])\s*", re.IGNORECASE)
_BANG: Final = re.compile(r"^!(\w+)", re.MULTILINE)
_CONTENT: Final = frozenset({"send", "body", "html", "answers", "reply_to", "raw"})
_OF_A_MAIL: Final = frozenset({"via", "forged", "cc", "repeat", "unread", "auto"})


@dataclass(frozen=True, slots=True)
class Seat:
    """A player as the file names him; `role` is '' where it is not dealt."""

    name: str
    role: str
    gender: str = "m"


@dataclass(frozen=True, slots=True)
class Stranger:
    """Anybody, by address and name."""

    address: str
    name: str


@dataclass(frozen=True, slots=True)
class Mail:
    """A mail to write, or its `raw` bytes. `sender` is a player, `storyteller`, `reader`, or anybody by his address."""

    sender: str | Stranger
    send: str = ""
    body: str = ""
    html: str = ""
    via_tag: bool = False
    forged: bool = False
    cc: tuple[str, ...] = ()
    repeat: bool = False
    unread: bool = False
    confirms: bool = False
    auto: bool = False
    replies: bool = False
    raw: bytes | None = None


@dataclass(frozen=True, slots=True)
class Step:
    """One step. `at`: when its mail comes, or how far time passes; `until`: a moment or an event; neither: only checks.

    `late` delays the poll that reads the mailbox then (CAL-6). `expect` holds what SCENARIOS.md's table names, read.
    """

    number: int
    at: Moment | None = None
    until: Moment | str | None = None
    late: timedelta | None = None
    mail: Mail | None = None
    expect: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Setting:
    """The game as it stands at the start. `start` is local. `mayor`: None elects one, '' leaves the office empty."""

    seats: tuple[Seat, ...]
    start: datetime
    zone: ZoneInfo
    mayor: str | None
    heir: str
    lovers: tuple[str, ...]
    immune: tuple[str, ...]
    options: Mapping[str, Any]
    dice: tuple[int, ...]
    composition: str
    registration: bool


@dataclass(frozen=True, slots=True)
class Scenario:
    """A whole file."""

    path: Path
    name: str
    rules: tuple[str, ...]
    setting: Setting
    steps: tuple[Step, ...]


class _Loader(getattr(yaml, "CBaseLoader", yaml.BaseLoader)):  # type: ignore[misc]
    """All scalars stay text; a key given twice, or one that is not text, is an error."""

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Any, Any]:  # noqa: FBT001, FBT002, ARG002
        seen: set[str] = set()
        for key, _ in node.value:
            line = key.start_mark.line + 1
            if not isinstance(key, yaml.ScalarNode):
                raise ScenarioError(f"line {line}: a key must be a word")
            if key.value in seen:
                raise ScenarioError(f"line {line}: the key {key.value!r} is given twice")
            seen.add(key.value)
        return super().construct_mapping(node, deep=True)  # type: ignore[no-any-return]


def load(path: Path) -> Scenario:
    """Read the file. Raises ScenarioError (with the step's number) if it is no scenario, or cannot be read."""
    try:
        document = yaml.load(path.read_text("utf-8"), _Loader)  # noqa: S506  (a base loader: text, lists, mappings)
    except (OSError, UnicodeDecodeError) as fault:
        why = fault.strerror if isinstance(fault, OSError) else "not UTF-8"
        raise ScenarioError(f"cannot be read ({why})") from None
    except (yaml.YAMLError, RecursionError) as fault:
        raise ScenarioError("is not YAML: " + " ".join(str(fault).split())) from None
    whole = keys({"name": text, "rules": many(word(words.RULES, "rule")), "game": _anything, "steps": many(_anything)},
                 ("name", "rules", "game", "steps"))(document)  # fmt: skip
    setting = _setting(whole["game"])
    reader = _StepReader([seat.name for seat in setting.seats], path.parent)
    steps = tuple(reader.read(n, step) for n, step in enumerate(whole["steps"], 1))
    return Scenario(path, whole["name"], whole["rules"], setting, steps)


def _anything(value: Any) -> Any:
    return value


def _zone(value: Any) -> ZoneInfo:
    try:
        return ZoneInfo(value)
    except (ValueError, OSError, LookupError, TypeError):
        raise ScenarioError(f"a time zone such as Europe/Paris is wanted, not {value!r}") from None


def _lovers(names: Collection[str]) -> Check[tuple[str, ...]]:
    def check(value: Any) -> tuple[str, ...]:
        two = many(word(names, "player"))(value)
        if len(two) != 2 or two[0] == two[1]:  # noqa: PLR2004
            raise ScenarioError("lovers are two")
        return two

    return check


def _executions(value: Any) -> tuple[Weekly, ...]:
    found = many(moments.weekly)(value)
    if not found:
        raise ScenarioError("at least one execution is wanted")
    return found


_OPTIONS: Final = keys({
    "executions": _executions, "min_debate": length, "tie_break": length, "sunset": length, "vision": length,
    "outage_extension": length, "inactivity": word({"eliminate", "report", "off"}),
    "graveyard_intrusion": word({"warn", "kill"}), "language": word({"fr", "en"}), "tags": word({"plus", "subject"}),
})  # fmt: skip


def _players(value: Any, *, registration: bool) -> tuple[Seat, ...]:
    if isinstance(value, dict):
        seats = tuple(Seat(name, role) for name, role in pairs(text, word(words.ROLES, "role"))(value).items())
    else:
        seats = tuple(Seat(name, "") for name in many(text)(value))
        if len({seat.name for seat in seats}) < len(seats):
            raise ScenarioError("players: a name is given twice")
    dealt = isinstance(value, dict) and FEWEST <= len(seats) <= MOST
    if not registration and not dealt:
        raise ScenarioError("players: 4 to 60 players with their roles are wanted")
    return seats


def _setting(value: Any) -> Setting:
    given: dict[str, Any] = value if isinstance(value, dict) else {}
    registration = switch(given.get("registration", "false"))
    seats = _players(given.get("players", []), registration=registration)
    names = {seat.name for seat in seats}
    who = word(names, "player")
    read = keys({
        "players": _anything, "start": local, "timezone": _zone, "mayor": word(names | {""}, "player"), "heir": who,
        "lovers": _lovers(names), "immune": many(who), "gender": pairs(who, word({"m", "f"})),
        "options": _OPTIONS, "dice": many(like(r"[1-9][0-9]?|100", "a roll from 1 to 100")),
        "composition": word({"hidden", "public"}), "registration": switch,
    })(value)  # fmt: skip
    if registration and {"mayor", "heir", "lovers", "immune"} & set(read):
        raise ScenarioError("a game that still takes players has no mayor, heir, lovers or immune players yet")
    if "heir" in read and not read.get("mayor"):
        raise ScenarioError("an heir without a mayor")
    genders = read.get("gender", {})
    return Setting(
        seats=tuple(Seat(seat.name, seat.role, genders.get(seat.name, "m")) for seat in seats),
        start=read.get("start", moments.START), zone=read.get("timezone") or _zone("Europe/Paris"),
        mayor=read.get("mayor"), heir=read.get("heir", ""), lovers=read.get("lovers", ()),
        immune=read.get("immune", ()),
        options=read.get("options", {}), dice=tuple(map(int, read.get("dice", ()))),
        composition=read.get("composition", "hidden"), registration=registration,
    )  # fmt: skip


class _StepReader:
    """Reads the steps of a game with these players; `folder` is where `raw` files are."""

    def __init__(self, players: Collection[str], folder: Path) -> None:
        names = frozenset(players)
        self._folder = folder
        self._sender = word(names | {"storyteller", "reader"}, "sender")
        self._stranger = keys({"address": like(r"\S+@\S+", "a mail address"), "name": text}, ("address", "name"))
        self._keys = keys({
            "at": moments.read, "until": _until, "late_poll": length, "from": self._from, "send": text, "body": text,
            "html": text, "raw": self._raw, "via": word({"tag"}), "forged": true, "repeat": true, "unread": true,
            "auto": true, "cc": many(word(names | {"list"}, "player")), "answers": word({"confirm"}),
            "reply_to": word({"subject"}), "expect": expectations(names),
        })  # fmt: skip

    def read(self, number: int, value: Any) -> Step:
        """That step. Raises ScenarioError with its number."""
        try:
            return self._read(number, value)
        except ScenarioError as fault:
            raise ScenarioError(str(fault), number) from None

    def _read(self, number: int, value: Any) -> Step:
        step = self._keys(value)
        _check_together(step)
        return Step(
            number, step.get("at"), step.get("until"), step.get("late_poll"),
            _mail(step) if "from" in step else None, step.get("expect", {}),
        )  # fmt: skip

    def _from(self, value: Any) -> str | Stranger:
        return Stranger(**self._stranger(value)) if isinstance(value, dict) else self._sender(value)

    def _raw(self, value: Any) -> bytes:
        try:
            return (self._folder / text(value)).read_bytes()
        except (OSError, ValueError):
            raise ScenarioError(f"no such file beside the scenario: {value!r}") from None


def _until(value: Any) -> Moment | str:
    return value if isinstance(value, str) and value in words.EVENTS else moments.read(value)


def _check_together(step: dict[str, Any]) -> None:
    """What goes with what in one step."""
    mail = _CONTENT & set(step)
    for wrong, why in (
        (bool(mail) != ("from" in step), "a mail wants a sender, and a sender a mail"),
        (("at" in step) + ("until" in step) != 1 and set(step) != {"expect"}, "either `at` or `until` is wanted"),
        (bool(mail) and "at" not in step, "a mail is received `at` some moment"),
        (not mail and bool(_OF_A_MAIL & set(step)), f"without a mail: {', '.join(sorted(_OF_A_MAIL & set(step)))}"),
        ("late_poll" in step and "until" not in step, "`late_poll` belongs to `until`"),
        (not mail and "reply" in step.get("expect", {}), "a reply is expected without a mail"),
        ("raw" in step and len(mail) > 1, "`raw` is the whole mail"),
        ("raw" in step and bool({"via", "forged", "cc", "auto"} & set(step)), "`raw` is sent as it is"),
        ("reply_to" in step and bool({"send", "answers"} & set(step)), "`reply_to` keeps the letter's subject"),
        (step.get("via") == "tag" and not _plays(step), "only a player has a personal tag"),
    ):
        if wrong:
            raise ScenarioError(why)
    if mail:
        _check_verbs(step)


def _plays(step: dict[str, Any]) -> bool:
    return isinstance(step["from"], str) and step["from"] not in {"storyteller", "reader"}


def _check_verbs(step: dict[str, Any]) -> None:
    """A subject alone must be a command that exists; so must the `!` lines, unless `unknown-command` is expected."""
    subject = step.get("send", "")
    while found := _PREFIX.match(subject):
        subject = subject[found.end() :]
    verb, *more = words.plain(subject).split() or [""]
    known = verb in words.VERBS or (verb == "ADMIN" and bool(more) and more[0] in words.ADMIN_VERBS)
    if subject and not known and "body" not in step and "html" not in step:
        raise ScenarioError(f"send: no such verb: {step['send']!r}")
    table = words.ADMIN_VERBS if step["from"] == "storyteller" else words.VERBS
    for bang in _BANG.findall(step.get("body", "")):
        if words.plain(bang) not in table and "unknown-command" not in str(step.get("expect")):
            raise ScenarioError(f"body: no such verb: !{bang}")


def _mail(step: dict[str, Any]) -> Mail:
    return Mail(
        step["from"], step.get("send", ""), step.get("body", ""), step.get("html", ""), step.get("via") == "tag",
        "forged" in step, step.get("cc", ()), "repeat" in step, "unread" in step, "answers" in step, "auto" in step,
        "reply_to" in step, step.get("raw"),
    )  # fmt: skip
