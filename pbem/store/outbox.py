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
from pbem.store.base import Part
from pbem.store.rows import OutboxRow, Thread

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from datetime import datetime

_L, _TH, _K, _LE = schema.outbox.c, schema.threads.c, schema.kv.c, schema.leases.c
_HIDDEN = {"domain", "lease", "reported"}


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
            created=created or not_before, not_before=not_before, error="", reported=False,
        )  # fmt: skip

    def claim(
        self, n: int, now: datetime, lease_seconds: float, *, skip_domains: Iterable[str] = ()
    ) -> list[OutboxRow]:
        """Up to `n` letters that are due, for this worker alone for so long; the oldest first.

        Letters to `skip_domains` are left (an hourly limit is used up there).
        """
        due = sa.or_(
            sa.and_(_L.state == "pending", _L.not_before <= now), sa.and_(_L.state == "claimed", _L.lease <= now)
        )
        chosen = sa.select(_L.id).where(due).order_by(_L.id).limit(n).with_for_update(skip_locked=True)
        skipped = [domain.lower() for domain in skip_domains]
        ids = [row["id"] for row in self._all(chosen.where(_L.domain.not_in(skipped)) if skipped else chosen)]
        if not ids:
            return []
        values = {"state": "claimed", "lease": now + timedelta(seconds=lease_seconds), "attempts": _L.attempts + 1}
        self._run(sa.update(schema.outbox).where(_L.id.in_(ids)).values(**values))
        return self._letters(sa.select(schema.outbox).where(_L.id.in_(ids)).order_by(_L.id))

    def sent(self, letter_id: int, now: datetime) -> None:
        """The server has taken it."""
        self._set(letter_id, state="sent", sent=now, lease=None, error="")

    def retry(self, letter_id: int, at: datetime, error: str, *, tried: bool = True) -> None:
        """Not this time; again from `at` on. `tried` False: it was not even offered, so that was no attempt."""
        attempts = {} if tried else {"attempts": _L.attempts - 1}
        self._set(letter_id, state="pending", not_before=at, lease=None, error=error, **attempts)

    def keep(self, letter_ids: Iterable[int], now: datetime, lease_seconds: float) -> None:
        """Hold on to claimed letters whose delivery takes long."""
        mine = sa.update(schema.outbox).where(_L.id.in_(list(letter_ids)), _L.state == "claimed")
        self._run(mine.values(lease=now + timedelta(seconds=lease_seconds)))

    def free_claims(self) -> int:
        """Let go of every claim: for the one worker of a database, whose predecessor was killed; how many."""
        claimed = sa.update(schema.outbox).where(_L.state == "claimed")
        return self._run(claimed.values(state="pending", lease=None)).rowcount

    def failed(self, letter_id: int, error: str) -> None:
        """It cannot be delivered; it is kept, and not tried again."""
        self._set(letter_id, state="failed", lease=None, error=error)

    def report(self, letter_id: int) -> None:
        """The storyteller has been told that this letter does not arrive."""
        self._set(letter_id, reported=True)

    def _set(self, letter_id: int, **values: Any) -> None:
        self._run(sa.update(schema.outbox).where(_L.id == letter_id, _L.state != "sent").values(**values))

    def release(self, game_id: int, now: datetime) -> int:
        """Let the held letters of that game go; how many (RELEASE)."""
        mine = sa.update(schema.outbox).where(_L.game_id == game_id, _L.state == "held")
        return self._run(mine.values(state="pending", not_before=now)).rowcount

    def drop_held(self, game_id: int) -> int:
        """Forget the held letters of that game, which another letter replaces; how many."""
        return self._run(sa.delete(schema.outbox).where(_L.game_id == game_id, _L.state == "held")).rowcount

    def held_letters(self, game_id: int) -> list[OutboxRow]:
        """The letters of that game that wait for the storyteller."""
        return self._letters(sa.select(schema.outbox).where(_L.game_id == game_id, _L.state == "held").order_by(_L.id))

    def letters(self, game_id: int | None = None, *, after: int = 0, to: str | None = None) -> list[OutboxRow]:
        """Letters with an id above `after`, of one game and to one address if given, as they were written."""
        statement = sa.select(schema.outbox).where(_L.id > after).order_by(_L.id)
        if game_id is not None:
            statement = statement.where(_L.game_id == game_id)
        if to is not None:
            statement = statement.where(_L.to == schema.clean(to.lower()))
        return self._letters(statement)

    def letter(self, message_id: str) -> OutboxRow | None:
        """The letter with that Message-ID (a bounce or an answer refers to it)."""
        found = self._letters(sa.select(schema.outbox).where(_L.message_id == schema.clean(message_id)))
        return found[0] if found else None

    def undelivered(self, since: datetime) -> list[OutboxRow]:
        """Letters written before `since` that are still on their way or failed, and were not reported yet."""
        stuck = (_L.state.in_(("pending", "claimed", "failed")), _L.created <= since, sa.not_(_L.reported))
        return self._letters(sa.select(schema.outbox).where(*stuck).order_by(_L.id))

    def count_letters(self, to: str, kind: str, since: datetime) -> int:
        """How many of that kind were written to that address after that moment."""
        mine = (_L.to == schema.clean(to.lower()), _L.kind == kind, _L.created > since)
        return int(self._value(sa.select(sa.func.count()).select_from(schema.outbox).where(*mine)) or 0)

    def sent_by_domain(self, since: datetime) -> dict[str, int]:
        """How many letters each domain was sent after that moment."""
        statement = sa.select(_L.domain, sa.func.count()).where(_L.sent > since).group_by(_L.domain)
        return {domain: int(count) for domain, count in self._connection.execute(statement).all()}

    def outbox_counts(self) -> dict[str, int]:
        """How many letters there are in each state: pending, held, claimed, sent, failed."""
        statement = sa.select(_L.state, sa.func.count()).group_by(_L.state)
        found = {state: int(count) for state, count in self._connection.execute(statement).all()}
        return {state: found.get(state, 0) for state in ("pending", "held", "claimed", "sent", "failed")}

    def oldest_letter(self) -> datetime | None:
        """When the oldest letter was written that should have left by now or tries to; None if there is none."""
        found: datetime | None = self._value(
            sa.select(sa.func.min(_L.created)).where(_L.state.in_(("pending", "claimed")))
        )
        return found

    def next_letter(self) -> datetime | None:
        """When the next letter falls due, or a claim runs out; None if nothing waits."""
        pending = self._value(sa.select(sa.func.min(_L.not_before)).where(_L.state == "pending"))
        claimed = self._value(sa.select(sa.func.min(_L.lease)).where(_L.state == "claimed"))
        return min((moment for moment in (pending, claimed) if moment is not None), default=None)

    def _letters(self, statement: sa.Select[Any]) -> list[OutboxRow]:
        return [_letter(row) for row in self._all(statement)]

    # --- threads ---

    def thread(self, game_id: int, thread: str) -> Thread | None:
        """The first and the latest letter of a thread."""
        row = self._one(sa.select(_TH.root, _TH.last).where(_TH.game_id == game_id, _TH.thread == schema.clean(thread)))
        return None if row is None else Thread(row["root"], row["last"])

    def thread_root(self, game_id: int, thread: str) -> str | None:
        """The Message-ID of a thread's first letter."""
        found = self.thread(game_id, thread)
        return None if found is None else found.root

    def note_thread(self, game_id: int, thread: str, message_id: str) -> None:
        """One more letter in that thread; its first one if there was none."""
        root = self.thread_root(game_id, thread) or message_id
        self._put(schema.threads, game_id=game_id, thread=thread, root=root, last=message_id)

    # --- leases, named values ---

    def lease(self, name: str, owner: str, now: datetime, seconds: float) -> bool:
        """Take or keep what only one worker may do at a time; whether it is `owner`'s for so long."""
        row = self._one(sa.select(_LE.owner, _LE.until).where(_LE.name == name).with_for_update())
        if row is not None and row["owner"] != owner and row["until"] > now:
            return False
        self._put(schema.leases, name=name, owner=owner, until=now + timedelta(seconds=seconds))
        return True

    def end_lease(self, name: str, owner: str) -> None:
        """Give it back."""
        self._run(sa.delete(schema.leases).where(_LE.name == name, _LE.owner == owner))

    def get(self, key: str) -> str | None:
        """A named value."""
        found = self._value(sa.select(_K.value).where(_K.key == key))
        return None if found is None else str(found)

    def set(self, key: str, value: str) -> None:
        """Set it."""
        self._put(schema.kv, key=key, value=value)


def _letter(row: sa.RowMapping) -> OutboxRow:
    values = {name: value for name, value in row.items() if name not in _HIDDEN}
    return OutboxRow(**{**values, "notices": tuple(json.loads(row["notices"]))})
