"""One mail from its bytes to its effect and its answer, inside one transaction (MAIL.md, the whole of it).

The order matters and is this: what came twice, what machines send, who writes, limits; then (`conversation`) what
closed before the mail arrived, tags that others have seen, confirmations, and at last the commands.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import TYPE_CHECKING, Final

from pbem.app import answers, bounced, conversation, echo, imported, notices, party
from pbem.app.desk import Desk
from pbem.app.timebound import at_most
from pbem.mail.authenticity import judge
from pbem.mail.mime import open_mail
from pbem.orders.reading import read

if TYPE_CHECKING:
    from datetime import datetime

    from pbem.app.office import Office
    from pbem.app.party import Party
    from pbem.letters.outcome import Outcome
    from pbem.mail.authenticity import Verdict
    from pbem.orders.reading import Reading
    from pbem.post import Incoming, RawMail
    from pbem.store import HeldRow, Tx

HOUR: Final = timedelta(hours=1)
MACHINES: Final = frozenset({"own", "receipt", "auto-reply", "bulk", "bounce"})
"""Kinds of mail that get no answer (MAIL.md § 5); but for bounces, they have no effect either."""


@dataclass(frozen=True, slots=True)
class Handled:
    """What became of a mail.

    `kind` is that of MAIL.md § 7, or again, duplicate, over-limit, quarantined. `outcomes` are its commands', in their
    order. `game_id` and `mail_id` are None where no game is concerned, or nothing new was recorded.
    """

    kind: str
    outcomes: tuple[Outcome, ...] = ()
    game_id: int | None = None
    mail_id: int | None = None


@dataclass(frozen=True, slots=True)
class Sender:
    """Who a mail is from, and what speaks for it.

    `held` is the row of a confirmation code that the mail brings back, still waiting. `proven`: by a personal tag, by
    the receiving server's word, or by that code. `mark` is the key under which mails of this sender are counted and
    compared: what somebody else writes in his name has another.
    """

    who: Party
    held: HeldRow | None
    verdict: Verdict
    proven: bool

    @property
    def mark(self) -> str:
        """See above."""
        return self.who.address if self.proven else f"?{self.who.address}"


class Handling:
    """One mail in one transaction; used once."""

    def __init__(self, office: Office, tx: Tx, raw: RawMail, poll_at: datetime) -> None:
        self._office = office
        self._tx = tx
        self._raw = raw
        self._now = poll_at
        self._house = office.house(tx)
        self._digest = hashlib.sha256(raw.raw).hexdigest()
        self._mail_id: int | None = None

    def run(self) -> Handled:
        """Deal with it. May raise anything a program can: the caller rolls back and puts the mail aside."""
        if self._tx.recorded(self._raw.uidvalidity, self._raw.uid):
            return Handled("again")
        limits = self._office.settings.limits
        with at_most(limits.seconds_per_mail):
            mail = open_mail(self._raw.raw[: limits.mail_bytes], self._raw.received)
            reading = read(mail, self._house)
            verdict = judge(mail, self._office.trust, self._raw.raw)
        if reading.kind in MACHINES:
            return self._from_a_machine(mail, reading)
        return self._from_somebody(mail, reading, self._sender(mail, reading, verdict))

    def _from_a_machine(self, mail: Incoming, reading: Reading) -> Handled:
        self._record(mail, f"~{_from(mail)}", reading.kind, authentic=False)
        if reading.kind == "bounce":
            bounced.note(self._office, self._tx, mail, self._raw.raw, self._now, self._mail_id)
        return self._done(reading.kind)

    def _sender(self, mail: Incoming, reading: Reading, verdict: Verdict) -> Sender:
        held = self._tx.find_held(reading.tag) if reading.tag else None
        if held is not None and held.state == "waiting":
            who = party.in_game(self._tx, held.game_id, held.address)
            who = replace(who, role="player", seat=held.seat) if held.seat else who
            return Sender(who, held, verdict, proven=True)
        who = party.recognise(self._tx, reading, _from(mail))
        return Sender(who, None, verdict, proven=who.by_tag or verdict.authentic)

    def _from_somebody(self, mail: Incoming, reading: Reading, sender: Sender) -> Handled:
        if self._seen(mail, sender) or imported.dealt_with(self._tx, sender.who.game_id, self._raw.received):
            self._record(mail, sender.mark, "duplicate", authentic=sender.proven, who=sender.who)
            return self._done("duplicate", sender.who.game_id)
        if self._too_many(mail, sender):
            return self._done("over-limit", sender.who.game_id)
        stage = self._stage(sender.who.game_id)
        if sender.held is None and echo.repeats(self._tx, mail, reading, sender.mark, self._house, stage):
            self._record(mail, sender.mark, "auto-reply", authentic=sender.proven, who=sender.who)
            return self._done("auto-reply", sender.who.game_id)
        self._record(mail, sender.mark, reading.kind, authentic=sender.proven, who=sender.who)
        if reading.kind == "unreadable":
            return self._unreadable(sender.who, _from(mail), reading.why)
        if sender.who.game_id is None:
            outcomes = conversation.without_game(self._office, self._tx, mail, reading, sender, self._now)
        else:
            talk = conversation.Conversation(self._desk(sender.who.game_id), self._house, mail, self._raw, sender)
            outcomes = talk.hold_it(reading)
        return self._done(reading.kind, sender.who.game_id, outcomes)

    def _seen(self, mail: Incoming, sender: Sender) -> bool:
        """Whether it was delivered before: by its Message-ID, or by a signature, which never stands on two mails."""
        if self._tx.seen(mail.message_id, sender.mark, sender.proven, self._digest):
            return True
        again = False
        for signature in sender.verdict.signatures if sender.proven else ():
            key = "signature:" + hashlib.sha256(f"{sender.mark} {signature}".encode()).hexdigest()
            again = again or self._tx.get(key) is not None
            self._tx.set(key, "seen")
        return again

    def _too_many(self, mail: Incoming, sender: Sender) -> bool:
        """More mails than one sender may send in an hour are kept, and left; he is told once."""
        since = self._raw.received - HOUR
        limit = self._office.settings.limits.mails_per_hour
        if self._tx.count_mails(sender.mark, since) < limit:
            return False
        self._record(mail, sender.mark, "over-limit", authentic=sender.proven, who=sender.who, keep=True)
        key = "over-limit:" + hashlib.sha256(sender.mark.encode()).hexdigest()
        if sender.proven and sender.who.game_id is not None and (self._tx.get(key) or "") <= since.isoformat():
            self._tx.set(key, self._raw.received.isoformat())
            desk = self._desk(sender.who.game_id)
            writer = answers.correspondent(desk, sender.who)
            told = self._office.scribe.notice(
                "flood", writer, {"limit": limit}, desk.book, at=self._now, message_id=mail.message_id
            )
            desk.send([told])
        return True

    def _unreadable(self, who: Party, sender: str, why: str) -> Handled:
        self._tx.quarantine(self._raw.raw, why, self._now, self._mail_id)
        notices.tell_unreadable(self._office, self._tx, self._now, game_id=who.game_id, sender=sender, why=why)
        return self._done("quarantined", who.game_id)

    def _stage(self, game_id: int | None) -> str:
        """Where the game stands, as far as what may be asked depends on it."""
        if game_id is None:
            return ""
        game = self._tx.load(game_id)[0]
        return f"{game_id} {game.turn} {game.phase} {game.paused} {len(game.closed)} {game.deadline}"

    def _desk(self, game_id: int) -> Desk:
        return Desk(self._office, self._tx, game_id, self._now, self._mail_id)

    def _record(
        self, mail: Incoming, mark: str, kind: str, *, authentic: bool, who: Party | None = None, keep: bool = False
    ) -> None:
        self._mail_id = self._tx.record_mail(
            self._raw.uidvalidity, self._raw.uid, self._raw.received, mail.message_id, mark, self._digest, kind, "",
            game_id=who.game_id if who else None, raw=self._raw.raw if keep else None, read=self._now,
            authentic=authentic, seat=(who.seat or None) if who else None,
        )  # fmt: skip

    def _done(self, kind: str, game_id: int | None = None, outcomes: list[Outcome] | None = None) -> Handled:
        told = [[outcome.verb, outcome.status, outcome.code] for outcome in outcomes or []]
        assert self._mail_id is not None
        self._tx.set_mail(self._mail_id, kind=kind, outcome=json.dumps(told) if told else None)
        return Handled(kind, tuple(outcomes or ()), game_id, self._mail_id)


def _from(mail: Incoming) -> str:
    """The single From address; '' if there is none, or several."""
    return mail.senders[0] if len(mail.senders) == 1 else ""
