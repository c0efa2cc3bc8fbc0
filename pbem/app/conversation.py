"""A person's mail to a game: what he asks for, what becomes of it, and the one answer (MAIL.md §§ 2 to 6)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from pbem.app import answered, answers, confirm, deliver, echo, interpret, notices, players, storyteller, visitors
from pbem.app.deeds import Asking, perform
from pbem.letters.book import Correspondent
from pbem.letters.outcome import Outcome
from pbem.mail.glimpse import everything, written_in
from pbem.mail.mime import open_mail
from pbem.orders.consent import consents
from pbem.orders.reading import read, to_others

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from pbem.app.deeds import Deed
    from pbem.app.desk import Desk
    from pbem.app.handling import Sender
    from pbem.app.office import Office
    from pbem.engine.state import Game
    from pbem.orders.house import House
    from pbem.orders.reading import Reading
    from pbem.post import Incoming, RawMail
    from pbem.store import HeldRow, Tx

CONFIRMATIONS_A_DAY: Final = 20
"""Letters a day that ask one address to confirm: whoever writes in others' names shall not flood them."""
STRANGERS: Final = 3
"""The same for an address that nobody knows, and for answers to mails that may not be its own."""
HELPS: Final = 5
"""Answers within some minutes after which no more help is sent for what answers them."""
_DEEDS: Final = {"player": players.deeds, "storyteller": storyteller.deeds}


class Conversation:
    """One mail of one person to one game; used once."""

    def __init__(self, desk: Desk, house: House, mail: Incoming, raw: RawMail, sender: Sender) -> None:
        self._desk = desk
        self._house = house
        self._mail = mail
        self._raw = raw
        self._sender = sender

    def hold_it(self, reading: Reading) -> list[Outcome]:
        """Do what the mail asks and answer it; what became of its commands."""
        desk, who = self._desk, self._sender.who
        desk.catch_up(self._raw.received)
        self._replace_exposed(reading)
        before, writer = desk.game, answers.correspondent(desk, who)
        confirmed = self._confirmed(reading.text)
        asking = self._asking(self._mail, self._raw.received)
        done = perform(self._deeds(asking), proven=self._proven())
        outcomes = [*confirmed, *done]
        waiting = [number for number, outcome in enumerate(done) if outcome.status == "held"]
        if waiting:
            if self._may_ask():
                confirm.hold(asking, writer, outcomes, waiting, self._raw.raw, self._mail.message_id)
        elif outcomes:
            self._answer(writer, outcomes, before)
        else:
            outcomes = self._help(asking, writer)
        return outcomes

    # --- reading ------------------------------------------------------------------------------------------------

    def _asking(self, mail: Incoming, received: datetime) -> Asking:
        """The mail read as its writer's: by the storyteller's table, or with the names of the game at hand (§ 2.2)."""
        who, desk = self._sender.who, self._desk
        steers = who.role == "storyteller"
        reading = read(mail, self._house, storyteller=steers, roster=None if steers else interpret.roster(desk.game))
        desk.answering = answered.by(desk.tx, desk.game_id, mail, desk.book.list_address)
        lines = tuple((mail.text or mail.html_text or "").split("\n")) if reading.unknown else ()
        name = (
            answers.correspondent(desk, who).name if who.role == "reader" else " ".join(mail.sender_name.split())[:60]
        )
        return Asking(desk, who, reading, received, name, lines, mail.subject)

    def _deeds(self, asking: Asking) -> list[Deed]:
        return _DEEDS.get(self._sender.who.role, visitors.deeds)(asking)

    def _proven(self) -> bool:
        """A storyteller's answer to a confirmation proves that one mail, not what he writes beside it (§ 4)."""
        sender = self._sender
        if sender.held is None or sender.who.role == "player":
            return sender.proven
        return sender.verdict.authentic and self._mail.senders == (sender.who.address,)

    def _replace_exposed(self, reading: Reading) -> None:
        """§ 4: a tag in a mail that others got too is replaced at once, whosever it is."""
        shown = list(reading.exposed) if not reading.alone else []
        if to_others(self._mail, self._house):
            shown += written_in(everything(self._raw.raw), players.tags(self._desk))
        for tag in dict.fromkeys(shown):
            owner = self._desk.tx.by_tag(tag)
            if owner is not None and owner.game_id == self._desk.game_id:
                notices.replace_tag(self._desk, owner.seat)

    # --- confirming ---------------------------------------------------------------------------------------------

    def _confirmed(self, text: str) -> list[Outcome]:
        """What a mail that was held comes to, now that its code has come back: as of its own arrival (§ 4)."""
        held, desk = self._sender.held, self._desk
        if held is None or not consents(text) or desk.tx.take_held(held.code, desk.now) is None:
            return []
        ticket = confirm.Ticket.load(held.commands)
        if ticket.side == "new":
            return self._unless_paused(held, [confirm.move(desk, held, ticket)])
        limit = desk.office.settings.limits.mail_bytes
        asking = self._asking(open_mail(held.raw[:limit], held.received), held.received)
        deeds = confirm.chosen(self._deeds(asking), ticket)
        if self._sender.who.role == "storyteller":
            deeds = [confirm.in_time(deed, asking) for deed in deeds]
        outcomes = perform(deeds, proven=True, consented=True)
        if ticket.move:
            outcomes = [confirm.move(desk, held, ticket) if o.verb == "ADDRESS" else o for o in outcomes]
        return self._unless_paused(held, outcomes)

    def _unless_paused(self, held: HeldRow, outcomes: list[Outcome]) -> list[Outcome]:
        """FINE-20: what was confirmed in a pause waits for another answer to the same letter; its phase goes on."""
        if outcomes and all(outcome.code == "game-paused" for outcome in outcomes):
            self._desk.tx.wait_again(held.code)
        return outcomes

    def _may_ask(self) -> bool:
        desk, who = self._desk, self._sender.who
        most = STRANGERS if who.role == "stranger" and not self._sender.proven else CONFIRMATIONS_A_DAY
        asked = desk.tx.count_letters(who.address, "confirm", desk.now - answers.DAY)
        return bool(who.address) and asked < most

    # --- answering ----------------------------------------------------------------------------------------------

    def _answer(self, writer: Correspondent, outcomes: Sequence[Outcome], before: Game) -> None:
        desk, sender = self._desk, self._sender
        if sender.who.role == "stranger" and all(_is_help(outcome) for outcome in outcomes):
            help_stranger(desk.office, desk.tx, writer, self._mail, desk.now, proven=sender.proven, desk=desk)
            return
        if not sender.proven and not self._may_answer():
            return
        who = answers.seated(desk, sender.who)
        if who.role == "player":
            writer = answers.correspondent(desk, who)
        answers.acknowledge(desk, who, writer, outcomes, before, self._mail.message_id)

    def _may_answer(self) -> bool:
        """Refusals of mails that may not be his shall not flood anybody."""
        desk, who = self._desk, self._sender.who
        most = STRANGERS if who.role == "stranger" else CONFIRMATIONS_A_DAY
        return desk.tx.count_letters(who.address, "ack", desk.now - answers.DAY) < most

    def _help(self, asking: Asking, writer: Correspondent) -> list[Outcome]:
        """§ 5: no answer to a mail without a command, but help for a line that looks like a try at one."""
        desk, sender = self._desk, self._sender
        if sender.who.role == "stranger":
            helped = asking.reading.text and help_stranger(
                desk.office, desk.tx, writer, self._mail, desk.now, proven=sender.proven, desk=desk
            )
            return [Outcome("", "", "refused", "not-in-game")] if helped else []
        tried = asking.reading.attempt
        if not tried or not sender.proven or sender.held is not None or self._helped_enough():
            return []
        outcome = Outcome("", tried, "refused", "unknown-command", tried, (tried,))
        answers.acknowledge(desk, sender.who, writer, [outcome], desk.game, self._mail.message_id)
        return [outcome]

    def _helped_enough(self) -> bool:
        """Whether this answers one answer after another: two machines shall not go on helping each other.

        Who mistypes a few times gets the help each time; a program that says the same again is known by `echo`.
        """
        desk, mail = self._desk, self._mail
        named = [*answered.named(mail, "in-reply-to"), *answered.named(mail, "references")]
        letters = (desk.tx.letter(one) for one in dict.fromkeys(named))
        if not any(letter is not None and letter.kind == "ack" for letter in letters):
            return False
        return desk.tx.count_letters(self._sender.who.address, "ack", desk.now - echo.SOON) >= HELPS


def _is_help(outcome: Outcome) -> bool:
    return outcome.code == "not-in-game" or (outcome.verb == "HELP" and outcome.status == "accepted")


def without_game(
    office: Office, tx: Tx, mail: Incoming, reading: Reading, sender: Sender, now: datetime
) -> list[Outcome]:
    """A mail that belongs to no game that can be told: help for whoever is proven, once a day."""
    commands = [Outcome(spoken.verb, spoken.args, "refused", "not-in-game") for spoken in reading.commands]
    if not commands and not reading.text:
        return []
    writer = Correspondent(sender.who.address, office.settings.game.language)
    helped = help_stranger(office, tx, writer, mail, now, proven=sender.proven)
    return commands or ([Outcome("", "", "refused", "not-in-game")] if helped else [])


def help_stranger(
    office: Office, tx: Tx, writer: Correspondent, mail: Incoming, now: datetime, *, proven: bool,
    desk: Desk | None = None,
) -> bool:  # fmt: skip
    """§ 5: unknown senders get one help letter a day at most, and none if not authentic; whether he got it."""
    if not proven or not writer.address or tx.count_letters(writer.address, "stranger", now - answers.DAY):
        return False
    book = desk.book if desk else notices.empty_book(office)
    letter = office.scribe.help_stranger(
        writer, book, at=now, game=desk.game if desk else None, message_id=mail.message_id
    )  # fmt: skip
    deliver.enqueue(office, tx, [letter], now, game_id=desk.game_id if desk else None)
    return True
