"""The inbox part of a transaction: which mails have been read, what came of them, and what waits or could not be read.

A mail is recorded twice over: by its place in the mailbox (UIDVALIDITY, UID), so that a crash before it is marked as
read has no second effect, and by (Message-ID, authenticated sender), so that a second delivery has none either.
A forged first copy does not stand in the way of the real one: only mails judged alike are compared (MAIL.md § 5).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import sqlalchemy as sa

from pbem.store import schema
from pbem.store.base import Part, fields_of, given
from pbem.store.rows import HeldRow, MailRow, OutageRow, QuarantineRow

if TYPE_CHECKING:
    from datetime import datetime

_M, _H, _Q, _B, _O = (
    schema.mails.c, schema.held.c, schema.quarantine.c, schema.mailboxes.c, schema.outages.c,
)  # fmt: skip

_MAILS = sa.select(*fields_of(schema.mails, MailRow))
_MAIL = _MAILS.where(_M.id == given("number"))
_MAILS_OF_GAME = _MAILS.where(_M.game_id == given("game")).order_by(_M.id)
_MAILS_OF_GAME_OR_NONE = _MAILS.where(
    sa.or_(_M.game_id == given("game"), sa.and_(_M.game_id.is_(None), _M.received >= given("since")))
).order_by(_M.id)
_READ_TO = sa.select(sa.func.max(sa.case((_M.received < _M.read, _M.received), else_=_M.read)))
_OWN = sa.select(_M.id).where(_M.uidvalidity >= 0).limit(1)
_CHANGE_MAIL = sa.update(schema.mails).where(_M.id == given("number"))
_RECORDED = sa.select(_M.id).where(_M.uidvalidity == given("validity"), _M.uid == given("number"))
_ALIKE = sa.select(_M.id).where(_M.authentic == given("proven"), _M.sender == given("who")).limit(1)
_SAME_ID = _ALIKE.where(_M.message_id == given("called"))
_SAME_BYTES = _ALIKE.where(_M.digest == given("hash"))
_COUNT_MAILS = (
    sa.select(sa.func.count()).select_from(schema.mails).where(_M.sender == given("who"), _M.received > given("since"))
)

_POSITION = sa.select(_B.uidvalidity, _B.uid).where(_B.folder == given("which"))
_OUTAGE = sa.select(_O.id).where(_O.ended.is_(None))
_END_OUTAGE = sa.update(schema.outages).where(_O.ended.is_(None))
_OUTAGES = (
    sa.select(*fields_of(schema.outages, OutageRow))
    .where(sa.or_(_O.ended.is_(None), _O.ended > given("since")))
    .order_by(_O.id)
)

_HELD = sa.select(*fields_of(schema.held, HeldRow))
_HELD_CODE = _HELD.where(_H.code == given("secret"))
_HELD_OF_GAME = _HELD.where(_H.game_id == given("game"), _H.state == "waiting").order_by(_H.created, _H.code)
_TAKE = sa.update(schema.held).where(_H.code == given("secret"), _H.state == "waiting")
_WAIT_AGAIN = (
    sa.update(schema.held).where(_H.code == given("secret"), _H.state == "taken").values(state="waiting", settled=None)
)
_VOID = sa.update(schema.held).where(_H.game_id == given("game"), _H.state == "waiting")

_QUARANTINED = sa.select(*fields_of(schema.quarantine, QuarantineRow)).order_by(_Q.id)
_COUNT_QUARANTINED = sa.select(sa.func.count()).select_from(schema.quarantine)
_COUNT_FRESH = _COUNT_QUARANTINED.where(_Q.at > given("since"), _Q.why.like(given("like")))


class Inbox(Part):
    """Mails read, mails held for confirmation, mails in quarantine; the mailbox's position and outages."""

    def record_mail(
        self,
        uidvalidity: int,
        uid: int,
        received: datetime,
        message_id: str | None,
        sender: str,
        digest_sha256: str,
        kind: str,
        outcome: str,
        *,
        game_id: int | None = None,
        raw: bytes | None = None,
        read: datetime | None = None,
        authentic: bool = False,
        seat: int | None = None,
    ) -> int:
        """Write down a mail; the id of its record, which is the `cause` of what follows from it.

        `digest_sha256` is that of its bytes, in hexadecimal. Raises StoreError if that place in the mailbox is
        recorded already: ask `recorded` first.
        """
        return self._insert(
            schema.mails, uidvalidity=uidvalidity, uid=uid, received=received, read=read or received,
            message_id=message_id or "", sender=sender.lower(), authentic=authentic, digest=digest_sha256, kind=kind,
            outcome=outcome, game_id=game_id, seat=seat, raw=raw,
        )  # fmt: skip

    def set_mail(
        self, mail_id: int, *, kind: str | None = None, outcome: str | None = None, game_id: int | None = None,
        seat: int | None = None,
    ) -> None:  # fmt: skip
        """Complete the record of a mail once it is known what came of it; None leaves a field as it is."""
        known = {"kind": kind, "outcome": outcome, "game_id": game_id, "seat": seat}
        changes = {name: value for name, value in known.items() if value is not None}
        if changes:
            self._run(_CHANGE_MAIL, number=mail_id, **changes)

    def recorded(self, uidvalidity: int, uid: int) -> bool:
        """Whether the mail at that place has been dealt with."""
        return self._value(_RECORDED, validity=uidvalidity, number=uid) is not None

    def seen(self, message_id: str | None, sender: str, authentic: bool, digest_sha256: str = "") -> bool:  # noqa: FBT001
        """Whether this mail has been delivered before, from another place in the mailbox.

        Authentic: one with this Message-ID from this authenticated sender (of the same bytes, if it has no
        Message-ID). Not authentic: one of the very same bytes, that was not authentic either.
        """
        alike = {"proven": authentic, "who": sender.lower()}
        if authentic and message_id:
            return self._value(_SAME_ID, **alike, called=message_id) is not None
        return self._value(_SAME_BYTES, **alike, hash=digest_sha256) is not None

    def mail(self, mail_id: int) -> MailRow:
        """A mail's record. Raises KeyError."""
        row = self._record(MailRow, _MAIL, number=mail_id)
        if row is None:
            raise KeyError(mail_id)
        return row

    def mails_of_game(self, game_id: int, *, since: datetime | None = None) -> list[MailRow]:
        """Every mail that belonged to that game, in the order read; with those received from `since` on that belonged
        to none, if given.
        """
        if since is None:
            return self._records(MailRow, _MAILS_OF_GAME, game=game_id)
        return self._records(MailRow, _MAILS_OF_GAME_OR_NONE, game=game_id, since=since)

    def read_to(self) -> datetime | None:
        """When the newest mail on record was received, or read if its server's clock was ahead; None: there is none."""
        found: datetime | None = self._value(_READ_TO)
        return found

    def ever_read(self) -> bool:
        """Whether a mailbox was ever read here: a record that was brought from elsewhere has a place below 0."""
        return self._value(_OWN) is not None

    def count_mails(self, sender: str, since: datetime) -> int:
        """How many mails were received from that address after that moment (limits: mails_per_hour)."""
        return int(self._value(_COUNT_MAILS, who=sender.lower(), since=since) or 0)

    # --- how far the mailbox has been read ---

    def position(self, folder: str = "INBOX") -> tuple[int, int] | None:
        """(UIDVALIDITY, UID) up to which that folder has been read out; None if it never was."""
        row = self._one(_POSITION, which=folder)
        return None if row is None else (int(row.uidvalidity), int(row.uid))

    def set_position(self, position: tuple[int, int], folder: str = "INBOX") -> None:
        """Everything in the folder up to that UID is recorded."""
        self._put(schema.mailboxes, folder=folder, uidvalidity=position[0], uid=position[1])

    def begin_outage(self, at: datetime) -> None:
        """The mailbox cannot be read, since `at`; nothing if that is known."""
        if self._value(_OUTAGE) is None:
            self._insert(schema.outages, began=at)

    def end_outage(self, at: datetime) -> None:
        """It can be read again."""
        self._run(_END_OUTAGE, ended=at)

    def outages(self, since: datetime) -> list[OutageRow]:
        """Those that lasted beyond that moment, the earliest first."""
        return self._records(OutageRow, _OUTAGES, since=since)

    # --- held for confirmation, put aside ---

    def hold(
        self, code: str, game_id: int, seat: int, address: str, raw: bytes, received: datetime, commands: str,
        created: datetime, *, mail_id: int | None = None,
    ) -> None:  # fmt: skip
        """Keep a mail until somebody answers with its single-use `code`. `commands` is the caller's own text."""
        self._add(
            schema.held, code=code, game_id=game_id, seat=seat, address=address.lower(), raw=raw, received=received,
            commands=commands, created=created, state="waiting", settled=None, mail_id=mail_id,
        )  # fmt: skip

    def find_held(self, code: str) -> HeldRow | None:
        """What that code belongs to, taken or not."""
        return self._record(HeldRow, _HELD_CODE, secret=code)

    def take_held(self, code: str, now: datetime | None = None) -> HeldRow | None:
        """Use a code up: what it confirms, or None if it is unknown, used or void."""
        if self._run(_TAKE, secret=code, state="taken", settled=now).rowcount != 1:
            return None
        return self.find_held(code)

    def wait_again(self, code: str) -> None:
        """A code that was used up confirms once more: nothing came of it."""
        self._run(_WAIT_AGAIN, secret=code)

    def void_held(
        self, game_id: int, *, seat: int | None = None, address: str | None = None, now: datetime | None = None
    ) -> int:
        """What waits in that game, of that seat or address if given, can no longer be confirmed; how many."""
        values: dict[str, Any] = {"game": game_id, "state": "void", "settled": now}
        statement = _VOID
        if seat is not None:
            statement, values["at"] = statement.where(_H.seat == given("at")), seat
        if address is not None:
            statement, values["who"] = statement.where(_H.address == given("who")), address.lower()
        return self._run(statement, **values).rowcount

    def held(self, game_id: int) -> list[HeldRow]:
        """What waits for confirmation in that game, the earliest first."""
        return self._records(HeldRow, _HELD_OF_GAME, game=game_id)

    def quarantine(self, raw: bytes, why: str, now: datetime, mail_id: int | None = None) -> int:
        """Put a mail that cannot be read aside, whole; its number there."""
        return self._insert(schema.quarantine, raw=raw, why=why, at=now, mail_id=mail_id)

    def count_quarantined(self, since: datetime | None = None, why: str = "") -> int:
        """How many were put aside, after that moment and for a reason that begins so."""
        if since is None:
            return int(self._value(_COUNT_QUARANTINED) or 0)
        return int(self._value(_COUNT_FRESH, since=since, like=f"{why}%") or 0)

    def quarantined(self) -> list[QuarantineRow]:
        """All that was put aside, the earliest first."""
        return self._records(QuarantineRow, _QUARANTINED)
