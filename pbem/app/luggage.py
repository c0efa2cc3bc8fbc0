"""What an export holds besides the log of a game, read strictly before any of it is written (`pbem game import`).

The file comes from elsewhere: somebody may have edited it, or made it. So nothing is taken whose form is not that of
what this program writes: addresses that an envelope can carry, personal tags (MAIL.md § 1), moments with their zone,
one person for each seat of the game. What is wrong is said in one line, with the place at which it stands.
"""

from __future__ import annotations

import base64
import json
import re
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Annotated, Any, Final, Literal, TypeVar

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, ValidationError

from pbem.app.codes import SERIES, NotAnExport

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

_TAG: Final = re.compile(r"[a-z0-9]{16}")
_ADDRESS: Final = re.compile(r"[^\s<>@,;:\"()\[\]\\]{1,128}@[^\s<>@,;:\"()\\]{1,255}")
"""Wider than `addresses.fit`, which is for what people type: a game holds whatever From it was joined with."""
_BREAK: Final = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029]")
_CENTURY: Final = range(1970, 2200)


def _moment(value: Any) -> datetime:
    """One with which the program can reckon, in UTC."""
    if not isinstance(value, str):
        raise ValueError("expected a moment in ISO format")  # noqa: TRY004  (pydantic takes ValueError alone)
    found = datetime.fromisoformat(value)
    if found.tzinfo is None or found.year not in _CENTURY:
        raise ValueError("expected a moment of our time, with its zone")
    return found.astimezone(UTC)


def _address(value: str) -> str:
    if _BREAK.search(value) or not _ADDRESS.fullmatch(value):
        raise ValueError("expected a mail address")
    return value


def _tag(value: str) -> str:
    if not _TAG.fullmatch(value):
        raise ValueError("expected 16 lower-case letters and digits")
    return value


def _line(value: str) -> str:
    if _BREAK.search(value):
        raise ValueError("expected one line of text")
    return value


def _octets(value: Any) -> bytes:
    if not isinstance(value, str):
        raise ValueError("expected octets in base64")  # noqa: TRY004  (as above)
    return base64.b64decode(value, validate=True)


Moment = Annotated[datetime, BeforeValidator(_moment)]
Address = Annotated[str, AfterValidator(_address)]
Tag = Annotated[str, AfterValidator(_tag)]
Line = Annotated[str, AfterValidator(_line), Field(max_length=1000)]
Octets = Annotated[bytes, BeforeValidator(_octets)]
Gender = Literal["m", "f"]
Language = Annotated[str, Field(pattern=r"^[a-z]{2,3}(-[A-Za-z]{2,4})?$")]
Seat = Annotated[int, Field(ge=0)]


class _Part(BaseModel):
    """Strict, but for what a later version of this program adds."""

    model_config = ConfigDict(strict=True, frozen=True, extra="ignore")


class PlayerPart(_Part):
    """Who sits where, and how he is written to."""

    seat: Seat
    address: Address
    language: Language
    gender: Gender
    tag: Tag
    amount: Literal["posts", "daily", "digest"]
    reminders: bool


class TellerPart(_Part):
    """Who steers the game."""

    address: Address
    name: Line
    language: Language
    gender: Gender


class ReaderPart(_Part):
    """Who follows it."""

    address: Address
    name: Line
    language: Language
    amount: Literal["watch", "posts", "daily", "digest"]
    tag: Tag


class LetterPart(_Part):
    """A letter that has not left."""

    seat: Seat | None
    kind: Annotated[Line, Field(max_length=64)]
    to: Address
    message_id: Line
    raw: Octets
    thread: Line
    notices: list[dict[str, Any]]
    state: Literal["pending", "claimed", "held"]
    created: Moment
    not_before: Moment


class HeldPart(_Part):
    """A mail that waits for its confirmation."""

    code: Tag
    seat: Seat
    address: Address
    raw: Octets
    received: Moment
    commands: str
    created: Moment


class MailPart(_Part):
    """The record of a mail that was dealt with."""

    received: Moment
    read: Moment
    message_id: str
    sender: str
    authentic: bool
    digest: Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]
    kind: Annotated[Line, Field(max_length=32)]
    outcome: str
    seat: Seat | None


class People(_Part):
    """All that `pbem game export --people` adds. `read_to`: up to when the mailbox had been read."""

    players: list[PlayerPart]
    storytellers: list[TellerPart]
    readers: list[ReaderPart]
    graveyard: list[Address]
    threads: list[tuple[Line, Line, Line]]
    values: dict[Annotated[str, Field(pattern=r"^[a-z][a-z-]{0,60}$")], str]
    collected: list[tuple[Address, Moment, dict[str, Any]]]
    letters: list[LetterPart]
    held: list[HeldPart]
    mails: list[MailPart] = []
    read_to: Moment | None = None


class _At(_Part):
    at: Moment


class Frame(_Part):
    """The game itself, without its log: when each piece of that was written."""

    series: Annotated[Line, Field(max_length=SERIES)]
    created: Moment
    ended: Moment | None
    commands: list[_At]
    events: list[_At]


_PartT = TypeVar("_PartT", bound=_Part)


def frame(given: Mapping[str, Any]) -> Frame:
    """The export itself, as `verify.parse` has found it good, without people. Raises NotAnExport."""
    rows = {part: [{"at": row.get("at")} for row in given[part]] for part in ("commands", "events")}
    return _read(Frame, {**{key: given[key] for key in ("series", "created", "ended") if key in given}, **rows})


def people(given: Any, seats: Collection[int]) -> People:
    """The people of a game that has those seats. Raises NotAnExport."""
    found = _read(People, given)
    sitting = [row.seat for row in found.players]
    if sorted(sitting) != sorted(seats):
        raise NotAnExport(f"its people do not fit the game: it has {len(seats)} seats, one person for each is expected")
    strange = {row.seat for row in found.held if row.seat} - set(seats)
    if strange:
        raise NotAnExport(f"its people do not fit the game: there is no seat {min(strange)}")
    tags = [*(row.tag for row in found.players), *(row.tag for row in found.readers), *(row.code for row in found.held)]
    if len(set(tags)) < len(tags):
        raise NotAnExport("it gives one personal tag to two people")
    return found


def _read(kind: type[_PartT], given: Any) -> _PartT:
    try:
        return kind.model_validate_json(json.dumps(given))
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        where = " ".join(str(part) for part in first["loc"]).encode("ascii", "replace").decode()
        raise NotAnExport(f"it is damaged: {where[:80]}: {first['msg'].removeprefix('Value error, ')}") from None
