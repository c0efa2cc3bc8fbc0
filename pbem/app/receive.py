"""Mails in, and time passing: the two things that move a game, each in one transaction.

`Receiver.receive` takes one mail from its bytes to its effect and its answer; `Receiver.tick` lets happen what is due.
Nothing that a mail holds raises: what cannot be dealt with is put aside whole, the storyteller is told, and the next
mail comes (MAIL.md § 5). A failing database does raise (`StoreError`): nothing of that mail is kept, it is read again.
"""

from __future__ import annotations

import hashlib
import logging
import time
from collections import Counter
from datetime import timedelta
from typing import TYPE_CHECKING, Final

from pbem.app import daily, outage, undeliverable
from pbem.app.agendas import Agendas
from pbem.app.desk import Desk
from pbem.app.handling import Handled, Handling
from pbem.app.notices import tell_unreadable
from pbem.app.office import Office
from pbem.app.troubles import STUMBLED, Still, note_templates, stands_still, templates
from pbem.engine.commands import MailboxDown
from pbem.engine.decide import due
from pbem.store import Conflict, StoreError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from datetime import datetime

    from pbem.app.tokens import Tokens
    from pbem.letters.scribe import Scribe
    from pbem.post import RawMail
    from pbem.settings import Settings
    from pbem.store import Store, Tx

__all__ = ["Handled", "Receiver"]

_LOG = logging.getLogger(__name__)
_ABOUT_THE_MAIL: Final = frozenset({"other", "broken-rule"})
"""Kinds of `StoreError` that may come of what one mail holds; the others are the database's own trouble."""
_PATIENCE: Final = 10
"""How often a mail is tried for which the host has no file, or no memory, before it is put aside."""
_A_MOMENT: Final = 0.25
"""Seconds after which a transaction of several mails takes no more: others wait for the database meanwhile."""
_TOGETHER: Final = 16
"""Games that close at the same time and share a commit."""
_LOOK_EVERY: Final = timedelta(minutes=5)
"""How often it is looked whether letters do not leave."""


class Receiver:
    """The application core over one store. Used by one thread at a time; several processes may share the store."""

    def __init__(
        self,
        store: Store,
        scribe: Scribe,
        settings: Settings,
        tokens: Tokens | None = None,
        agendas: Agendas | None = None,
    ) -> None:
        self.office = Office(store, scribe, settings, tokens) if tokens else Office(store, scribe, settings)
        self._agendas = agendas or Agendas()
        self._in_vain: Counter[tuple[int, int]] = Counter()
        self._stuck: dict[int, int] = {}
        self._looked: datetime | None = None
        self._mistakes = -1

    def receive(self, mail: RawMail, poll_at: datetime) -> Handled:
        """One mail, read in the poll that began at `poll_at` (aware): its effect and its answer, once.

        The same place in the mailbox again has no effect. Raises StoreError only: the mail is to be read again.
        """
        try:
            return self._handle(mail, poll_at)
        except StoreError as fault:
            if isinstance(fault, Conflict) or fault.kind not in _ABOUT_THE_MAIL:
                raise
            return self._once_more(mail, poll_at)
        except (OSError, MemoryError) as fault:
            return self._for_want_of(mail, poll_at, fault)
        except Exception as fault:  # noqa: BLE001 - whatever a mail may hold, the next one is read
            return self._put_aside(mail, poll_at, fault)

    def receive_together(self, mails: Sequence[RawMail], poll_at: datetime) -> int:
        """The same for several mails in one transaction, as many as take but a moment; how many those are, at least 1.

        Raises whatever one of them brings about: then none has had an effect, and each is to be received by itself.
        """
        began, done = time.monotonic(), 0
        with self.office.store.begin() as tx:
            for mail in mails:
                Handling(self.office, tx, mail, poll_at).run()
                done += 1
                if time.monotonic() - began > _A_MOMENT:
                    break
        return done

    def _for_want_of(self, mail: RawMail, poll_at: datetime, fault: OSError | MemoryError) -> Handled:
        """No file, no memory left: no mail's fault, so it waits. One that always brings this about is put aside."""
        place = (mail.uidvalidity, mail.uid)
        self._in_vain[place] += 1
        if self._in_vain[place] < _PATIENCE:
            raise StoreError("io", f"{type(fault).__name__} {getattr(fault, 'strerror', None) or ''}".strip()) from None
        return self._put_aside(mail, poll_at, fault)

    def _handle(self, mail: RawMail, poll_at: datetime) -> Handled:
        with self.office.store.begin() as tx:
            return Handling(self.office, tx, mail, poll_at).run()

    def _once_more(self, mail: RawMail, poll_at: datetime) -> Handled:
        """The database refused what the mail led to: if it does so again, the mail shall not stop the others."""
        try:
            return self._handle(mail, poll_at)
        except StoreError as fault:
            if isinstance(fault, Conflict) or fault.kind not in _ABOUT_THE_MAIL:
                raise
            return self._put_aside(mail, poll_at, fault)

    def _put_aside(self, mail: RawMail, poll_at: datetime, fault: Exception) -> Handled:
        why = type(fault).__name__
        _LOG.error("a mail was put aside: %s in %s", why, _where(fault))  # its text may quote the mail
        with self.office.store.begin() as tx:
            if tx.recorded(mail.uidvalidity, mail.uid):
                return Handled("again")
            digest = hashlib.sha256(mail.raw).hexdigest()
            mail_id = tx.record_mail(
                mail.uidvalidity, mail.uid, mail.received, None, "", digest, "unreadable", "put aside", read=poll_at
            )
            tx.quarantine(mail.raw, STUMBLED + why, poll_at, mail_id)
            tell_unreadable(self.office, tx, poll_at, why=why)
            return Handled("quarantined", mail_id=mail_id)

    def tick(self, read_to: datetime, poll_at: datetime, changed: Callable[[], None] = lambda: None) -> list[str]:
        """Everything that is due by `read_to`, the moment to which the mailbox has been read out; a few games in one
        transaction, and `changed` is called after each: where many close at once, the first ones' letters do not wait.

        What happened, by name: election, execution, tie-break, sunset, vision, murder, reminder, warning, extended,
        daily. A game that makes the program stumble stays as it is, and holds back no other.
        """
        happened: list[str] = []
        waiting = self._awake(read_to)
        while waiting:
            done = self._tick_together(waiting[:_TOGETHER], read_to, poll_at, happened)
            waiting = waiting[done:]
            changed()
        while self.daily(poll_at):
            happened.append("daily")
            changed()
        self._look_for_stranded_letters(poll_at)
        self._note_mistakes()
        return happened

    def _tick_together(self, games: Sequence[int], read_to: datetime, poll_at: datetime, happened: list[str]) -> int:
        """What is due in some games, with one commit as long as that takes but a moment; how many games are done.

        If something goes wrong nothing has happened, and it is done game by game.
        """
        began, done, names = time.monotonic(), 0, list[str]()
        try:
            with self.office.store.begin() as tx:
                for game_id in games:
                    while (what := self._step(tx, game_id, read_to, poll_at)) is not None:
                        names.append(what)
                    done += 1
                    if time.monotonic() - began > _A_MOMENT:
                        break
        except Exception:  # noqa: BLE001 - it shows again where it belongs
            self._tick_alone(games, read_to, poll_at, happened)
            return len(games)
        happened += names
        return done

    def _tick_alone(self, games: Sequence[int], read_to: datetime, poll_at: datetime, happened: list[str]) -> None:
        for game_id in games:
            try:
                while (what := self.step(game_id, read_to, poll_at)) is not None:
                    happened.append(what)
            except StoreError:
                raise
            except Exception as fault:  # noqa: BLE001 - the other games go on
                self._cannot(game_id, fault, poll_at)

    def _look_for_stranded_letters(self, now: datetime) -> None:
        """Now and then: the storyteller hears of those that do not arrive."""
        if self._looked is None or abs(now - self._looked) >= _LOOK_EVERY:
            self._looked = now
            undeliverable.overdue(self.office, now)

    def _cannot(self, game_id: int, fault: Exception, now: datetime) -> None:
        """Say so, once for each state of that game, and keep it for `pbem status`."""
        version = self._agendas.version(game_id)
        if self._stuck.get(game_id) != version:
            why = f"{type(fault).__name__} in {_where(fault)}"
            _LOG.error("game %d stands still: %s", game_id, why)
            with self.office.store.begin() as tx:
                stands_still(tx, game_id, Still(version, now, why))
            self._stuck[game_id] = version

    def _note_mistakes(self) -> None:
        """For `pbem status`: what is wrong with the host's own templates, whenever more of it has come to light."""
        mistakes = list(self.office.scribe.press.mistakes)
        if self._mistakes == len(mistakes):
            return
        with self.office.store.read() as tx:
            known = bool(templates(tx))
        if mistakes or known:
            with self.office.store.begin() as tx:
                note_templates(tx, mistakes)
        self._mistakes = len(mistakes)

    def daily(self, now: datetime) -> bool:
        """Write the first daily mail that is due by now (MAIL daily), in one transaction; whether there was one."""
        with self.office.store.read() as tx:
            waiting = tx.collected_due(now)
        for game_id, address in waiting[:1]:
            with self.office.store.begin() as tx:
                daily.send(Desk(self.office, tx, game_id, now), address, now)
        return bool(waiting)

    def step(self, game_id: int, read_to: datetime, poll_at: datetime) -> str | None:
        """The first thing only that is due in that game; None if nothing is."""
        with self.office.store.begin() as tx:
            return self._step(tx, game_id, read_to, poll_at)

    def _step(self, tx: Tx, game_id: int, read_to: datetime, poll_at: datetime) -> str | None:
        desk = Desk(self.office, tx, game_id, poll_at)
        what = due(desk.game, read_to)
        if what is None:
            return None
        return outage.extend(desk, what) or desk.resolve_one(read_to)

    def reopened(self, read_to: datetime, poll_at: datetime) -> None:
        """After an outage, before the mails that came meanwhile: phases that ended in it are extended (CAL-6)."""
        for game_id in self._awake(read_to):
            with self.office.store.begin() as tx:
                outage.reopen(Desk(self.office, tx, game_id, poll_at), read_to)

    def next_wakeup(self) -> datetime | None:
        """When something is due next, in any game, or a daily mail; it may lie in the past."""
        with self.office.store.read() as tx:
            moments = (tx.next_collected(), *(agenda.at for agenda in self._agendas.look(tx).values()))
            return min((moment for moment in moments if moment is not None), default=None)

    def mailbox_down(self, now: datetime) -> None:
        """The mailbox cannot be read: where a deadline has passed the storyteller is told, once (CAL-6)."""
        for game_id in self._awake(now):
            with self.office.store.begin() as tx:
                desk = Desk(self.office, tx, game_id, now)
                if desk.game.late_told != desk.game.deadline:
                    desk.act(MailboxDown(now))

    def _awake(self, moment: datetime) -> list[int]:
        """The games in which something is due by that moment."""
        with self.office.store.read() as tx:
            agendas = self._agendas.look(tx)
            return [game_id for game_id, a in agendas.items() if a.at is not None and a.at <= moment]


def _where(fault: BaseException) -> str:
    """Module and line at which it went wrong, without a word of what the mail held."""
    trace = fault.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    return f"{trace.tb_frame.f_globals.get('__name__')}:{trace.tb_lineno}" if trace is not None else "?"
