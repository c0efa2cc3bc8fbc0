"""The outbox part of a transaction: letters written, their way out, and the threads they belong to.

A letter is written in the transaction of what it tells, with its Message-ID. It is claimed for a time, sent, marked;
a claim that ran out (its worker was killed) may be taken by anybody, so a letter goes out at least once, and twice only
if the worker died between the server's "accepted" and its own mark; then with the same Message-ID.
"""

from __future__ import annotations

import json
from datetime import timedelta
from typing import TYPE_CHECKING, Any

import sqlalchemy as sa

from pbem.store import schema
from pbem.store.base import Part, fields_of, given
from pbem.store.rows import OutboxRow, Thread

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from datetime import datetime

_L, _TH, _K, _LE = schema.outbox.c, schema.threads.c, schema.kv.c, schema.leases.c

_LETTERS = sa.select(*fields_of(schema.outbox, OutboxRow)).order_by(_L.id)
_AFTER = _LETTERS.where(_L.id > given("after"))
_IN_GAME, _TO = _L.game_id == given("game"), _L.to == given("whom")
_CALLED = _LETTERS.where(_L.message_id == given("called"))
_HELD = _LETTERS.where(_IN_GAME, _L.state == "held")
_UNDELIVERED = _LETTERS.where(
    _L.state.in_(("pending", "claimed", "failed")), _L.created <= given("since"), sa.not_(_L.reported)
)
_DUE = (
    sa.select(_L.id)
    .where(
        sa.or_(
            sa.and_(_L.state == "pending", _L.not_before <= given("now")),
            sa.and_(_L.state == "claimed", _L.lease <= given("now")),
        )
    )
    .order_by(_L.id)
    .limit(given("most"))
    .with_for_update(skip_locked=True)
)
_AMONG = _L.id.in_(sa.bindparam("ids", expanding=True))
_CLAIM = sa.update(schema.outbox).where(_AMONG).values(attempts=_L.attempts + 1)
_CLAIMED = _LETTERS.where(_AMONG)
_KEEP = sa.update(schema.outbox).where(_AMONG, _L.state == "claimed")
_SET = sa.update(schema.outbox).where(_L.id == given("number"), _L.state != "sent")
_SET_UNTRIED = _SET.values(attempts=_L.attempts - 1)
_FREE = sa.update(schema.outbox).where(_L.state == "claimed")
_RELEASE = sa.update(schema.outbox).where(_IN_GAME, _L.state == "held")
_DROP = sa.delete(schema.outbox).where(_IN_GAME, _L.state == "held")
_COUNT = (
    sa.select(sa.func.count())
    .select_from(schema.outbox)
    .where(_TO, _L.kind == given("of"), _L.created > given("since"))
)
_BY_DOMAIN = sa.select(_L.domain, sa.func.count()).where(_L.sent > given("since")).group_by(_L.domain)
_BY_STATE = sa.select(_L.state, sa.func.count()).group_by(_L.state)
_FAILED = sa.select(sa.func.count()).select_from(schema.outbox).where(_L.state == "failed", _L.created > given("since"))
_OLDEST = sa.select(sa.func.min(_L.created)).where(_L.state.in_(("pending", "claimed")))
_NEXT_PENDING = sa.select(sa.func.min(_L.not_before)).where(_L.state == "pending")
_NEXT_LEASE = sa.select(sa.func.min(_L.lease)).where(_L.state == "claimed")
_THREAD = sa.select(_TH.root, _TH.last).where(_TH.game_id == given("game"), _TH.thread == given("key"))
_LEASE = sa.select(_LE.owner, _LE.until).where(_LE.name == given("what")).with_for_update()
_END_LEASE = sa.delete(schema.leases).where(_LE.name == given("what"), _LE.owner == given("who"))
_VALUE = sa.select(_K.value).where(_K.key == given("called"))
_VALUES = sa.select(_K.key, _K.value).where(_K.key.like(given("like"))).order_by(_K.key)
_THREADS = sa.select(_TH.thread, _TH.root, _TH.last).where(_TH.game_id == given("game")).order_by(_TH.thread)
_NOTICES = list(OutboxRow.__dataclass_fields__).index("notices")


class Outbox(Part):
    """Letters, threads, leases and a few named values."""

    def enqueue(
        self,
        game_id: int | None,
        kind: str,
        to: str,
        message_id: str,
        raw: bytes,
        thread: str,
        notices_json: Sequence[Mapping[str, Any]],
        not_before: datetime,
        *,
        seat: int | None = None,
        held: bool = False,
        created: datetime | None = None,
    ) -> int:
        """Put a letter into the outbox; its id. `held`: it waits for `release`. `created`: `not_before` by default."""
        return self._insert(
            schema.outbox, game_id=game_id, seat=seat, kind=kind, to=to.lower(),
            domain=to.rpartition("@")[2].lower(), message_id=message_id, raw=raw, thread=thread,
            notices=json.dumps(list(notices_json)), state="held" if held else "pending", attempts=0,
            created=created or not_before, not_before=not_before, lease=None, sent=None, error="", reported=False,
        )  # fmt: skip

    def claim(
        self, n: int, now: datetime, lease_seconds: float, *, skip_domains: Iterable[str] = ()
    ) -> list[OutboxRow]:
        """Up to `n` letters that are due, for this worker alone for so long; the oldest first.

        Letters to `skip_domains` are left (an hourly limit is used up there).
        """
        skipped = [domain.lower() for domain in skip_domains]
        statement = _DUE.where(_L.domain.not_in(skipped)) if skipped else _DUE
        ids = [number for (number,) in self._all(statement, now=now, most=n)]
        if not ids:
            return []
        self._run(_CLAIM, ids=ids, state="claimed", lease=now + timedelta(seconds=lease_seconds))
        return self._letters(_CLAIMED, ids=ids)

    def sent(self, letter_id: int, now: datetime) -> None:
        """The server has taken it."""
        self._set(letter_id, state="sent", sent=now, lease=None, error="")

    def retry(self, letter_id: int, at: datetime, error: str, *, tried: bool = True) -> None:
        """Not this time; again from `at` on. `tried` False: it was not even offered, so that was no attempt."""
        statement = _SET if tried else _SET_UNTRIED
        self._run(statement, number=letter_id, state="pending", not_before=at, lease=None, error=error)

    def keep(self, letter_ids: Iterable[int], now: datetime, lease_seconds: float) -> None:
        """Hold on to claimed letters whose delivery takes long."""
        self._run(_KEEP, ids=list(letter_ids), lease=now + timedelta(seconds=lease_seconds))

    def free_claims(self) -> int:
        """Let go of every claim: for the one worker of a database, whose predecessor was killed; how many."""
        return self._run(_FREE, state="pending", lease=None).rowcount

    def failed(self, letter_id: int, error: str) -> None:
        """It cannot be delivered; it is kept, and not tried again."""
        self._set(letter_id, state="failed", lease=None, error=error)

    def report(self, letter_id: int) -> None:
        """The storyteller has been told that this letter does not arrive."""
        self._set(letter_id, reported=True)

    def _set(self, letter_id: int, **values: Any) -> None:
        self._run(_SET, number=letter_id, **values)

    def release(self, game_id: int, now: datetime) -> int:
        """Let the held letters of that game go; how many (RELEASE)."""
        return self._run(_RELEASE, game=game_id, state="pending", not_before=now).rowcount

    def drop_held(self, game_id: int) -> int:
        """Forget the held letters of that game, which another letter replaces; how many."""
        return self._run(_DROP, game=game_id).rowcount

    def held_letters(self, game_id: int) -> list[OutboxRow]:
        """The letters of that game that wait for the storyteller."""
        return self._letters(_HELD, game=game_id)

    def letters(self, game_id: int | None = None, *, after: int = 0, to: str | None = None) -> list[OutboxRow]:
        """Letters with an id above `after`, of one game and to one address if given, as they were written."""
        statement: sa.Select[Any] = _AFTER
        values: dict[str, Any] = {"after": after}
        if game_id is not None:
            statement, values["game"] = statement.where(_IN_GAME), game_id
        if to is not None:
            statement, values["whom"] = statement.where(_TO), to.lower()
        return self._letters(statement, **values)

    def letter(self, message_id: str) -> OutboxRow | None:
        """The letter with that Message-ID (a bounce or an answer refers to it)."""
        found = self._letters(_CALLED, called=message_id)
        return found[0] if found else None

    def undelivered(self, since: datetime) -> list[OutboxRow]:
        """Letters written before `since` that are still on their way or failed, and were not reported yet."""
        return self._letters(_UNDELIVERED, since=since)

    def count_letters(self, to: str, kind: str, since: datetime) -> int:
        """How many of that kind were written to that address after that moment."""
        return int(self._value(_COUNT, whom=to.lower(), of=kind, since=since) or 0)

    def sent_by_domain(self, since: datetime) -> dict[str, int]:
        """How many letters each domain was sent after that moment."""
        return {row[0]: int(row[1]) for row in self._all(_BY_DOMAIN, since=since)}

    def outbox_counts(self) -> dict[str, int]:
        """How many letters there are in each state: pending, held, claimed, sent, failed."""
        found = {row[0]: int(row[1]) for row in self._all(_BY_STATE)}
        return {state: found.get(state, 0) for state in ("pending", "held", "claimed", "sent", "failed")}

    def count_failed(self, since: datetime) -> int:
        """How many letters written after that moment could not be delivered."""
        return int(self._value(_FAILED, since=since) or 0)

    def oldest_letter(self) -> datetime | None:
        """When the oldest letter was written that should have left by now or tries to; None if there is none."""
        found: datetime | None = self._value(_OLDEST)
        return found

    def next_letter(self) -> datetime | None:
        """When the next letter falls due, or a claim runs out; None if nothing waits."""
        moments = (self._value(_NEXT_PENDING), self._value(_NEXT_LEASE))
        return min((moment for moment in moments if moment is not None), default=None)

    def _letters(self, statement: sa.Select[Any], **values: Any) -> list[OutboxRow]:
        return [_letter(row) for row in self._all(statement, **values)]

    # --- threads ---

    def thread(self, game_id: int, thread: str) -> Thread | None:
        """The first and the latest letter of a thread."""
        return self._record(Thread, _THREAD, game=game_id, key=thread)

    def thread_root(self, game_id: int, thread: str) -> str | None:
        """The Message-ID of a thread's first letter."""
        found = self.thread(game_id, thread)
        return None if found is None else found.root

    def note_thread(self, game_id: int, thread: str, message_id: str) -> None:
        """One more letter in that thread; its first one if there was none."""
        self._put(schema.threads, keep=("root",), game_id=game_id, thread=thread, root=message_id, last=message_id)

    def threads(self, game_id: int) -> list[tuple[str, str, str]]:
        """All of a game's threads: key, first letter, latest letter."""
        return [(row.thread, row.root, row.last) for row in self._all(_THREADS, game=game_id)]

    # --- leases, named values ---

    def lease(self, name: str, owner: str, now: datetime, seconds: float) -> bool:
        """Take or keep what only one worker may do at a time; whether it is `owner`'s for so long."""
        row = self._one(_LEASE, what=name)
        if row is not None and row.owner != owner and row.until > now:
            return False
        self._put(schema.leases, name=name, owner=owner, until=now + timedelta(seconds=seconds))
        return True

    def end_lease(self, name: str, owner: str) -> None:
        """Give it back."""
        self._run(_END_LEASE, what=name, who=owner)

    def get(self, key: str) -> str | None:
        """A named value."""
        found = self._value(_VALUE, called=key)
        return None if found is None else str(found)

    def values_of(self, game_id: int) -> dict[str, str]:
        """The named values that belong to a game: their keys without its id."""
        ending = f":{game_id}"
        return {row.key.removesuffix(ending): row.value for row in self._all(_VALUES, like=f"%{ending}")}

    def set(self, key: str, value: str) -> None:
        """Set it."""
        self._put(schema.kv, key=key, value=value)


def _letter(row: Iterable[Any]) -> OutboxRow:
    values = list(row)
    values[_NOTICES] = tuple(json.loads(values[_NOTICES]))
    return OutboxRow(*values)
