"""The mails that `pbem doctor` sends to the game itself, and what of them arrives: when, where, and in what state.

Two mails, one to the plain address and one to a sub-address like a player's, made by the same code as every letter;
with `to_list`, a third to the list. A running program takes them for its own and leaves them alone.
"""

from __future__ import annotations

import secrets
import time
from dataclasses import dataclass, field
from datetime import UTC, datetime
from email.utils import make_msgid
from typing import TYPE_CHECKING, Final

from pbem.app.doctor.findings import Finding, advice, fault, fine, skipped
from pbem.app.doctor.servers import LARGE, Servers, sender, spoken
from pbem.mail.bounces import diagnose
from pbem.mail.mime import open_mail
from pbem.mail.probe import TroubleError
from pbem.mail.wire import compose
from pbem.post import Letter

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from pbem.mail.probe import Trouble
    from pbem.post import Incoming, RawMail

TEXT: Final = (
    "Ce courrier est un essai de pbem doctor : il n'y a rien à faire.\n"
    "This mail is a trial by pbem doctor: there is nothing to do.\n\n"
    "Éloïse, Ürgüp, naïve — “typographic” « guillemets »\u00a0!\n.a line that begins with a dot\nFrom here on\n"
    + "a long line " * 40
    + "\n"
)
HTML: Final = "<p>Ce courrier est un essai de <b>pbem doctor</b>.</p>"
MARK: Final = "X-Pbem-Trial"
_SUBJECT: Final = "Pleine Lune : essai n°"
_PAUSE: Final = 1.0


@dataclass(slots=True)
class Trial:
    """One mail. `kind` is plain, tagged or list; `to` and `message_id` as it was sent; `word` stands in its subject.

    `arrived` is the mail as it came back; `bounced` says that the server sent it back.
    """

    kind: str
    to: str
    reply_to: str
    word: str = field(default_factory=lambda: secrets.token_hex(8))
    message_id: str = ""
    sent: datetime = field(default_factory=lambda: datetime.now(UTC))
    refusal: Trouble | None = None
    arrived: RawMail | None = None
    bounced: bool = False

    @property
    def open(self) -> bool:
        """It is still on its way."""
        return self.refusal is None and self.arrived is None and not self.bounced


@dataclass(slots=True)
class Trip:
    """The trials of one examination, and how long to wait for them (seconds)."""

    servers: Servers
    seconds: float
    trials: list[Trial] = field(default_factory=list)
    own: list[int] = field(default_factory=list)
    """UIDs of what came of it, to be removed again."""

    def find(self, kind: str) -> Trial | None:
        """The trial of that kind."""
        return next((trial for trial in self.trials if trial.kind == kind), None)


def travel(trip: Trip, *, to_list: bool, now: Callable[[], datetime]) -> Iterator[Finding]:
    """Send them, wait, and tell what arrived."""
    servers = trip.servers
    box, post = servers.reading, servers.sending
    if box is None or post is None:
        yield skipped("round trip", "the mailbox cannot be read" if box is None else "nothing can be sent")
        return
    game = servers.settings.game
    local, _, domain = game.address.rpartition("@")
    tag = f"{local}+{secrets.token_hex(8)}@{domain}"
    trip.trials = [Trial("plain", game.address, tag if game.tags == "plus" else game.address)]
    if game.tags == "plus":
        trip.trials.append(Trial("tagged", tag, tag))
    if to_list:
        trip.trials.append(Trial("list", game.list_address, game.address))
    try:
        floor = box.last()
        for trial in trip.trials:
            _send(trip, trial, now)
        _wait(trip, floor)
        yield from _told(trip)
    except TroubleError as error:
        yield fault("round trip", error.trouble.kind, f"the mailbox went away meanwhile ({error.trouble.text})")
    finally:
        box.remove(trip.own)


def _send(trip: Trip, trial: Trial, now: Callable[[], datetime]) -> None:
    settings, post = trip.servers.settings, trip.servers.sending
    assert post is not None
    letter = Letter(
        to=trial.to, kind="doctor", language="fr", subject=f"{_SUBJECT} {trial.word}", text=TEXT, html=HTML,
        reply_to=trial.reply_to, headers=((MARK, trial.word),),
    )  # fmt: skip
    trial.message_id = make_msgid("doctor", settings.game.domain)
    trial.sent = now()
    raw = compose(
        letter, sender=settings.game.address, sender_name=settings.smtp.from_name, message_id=trial.message_id,
        date=trial.sent, auto_submitted="auto-generated",
    )  # fmt: skip
    trial.refusal = post.send(settings.game.address, trial.to, raw)


def _wait(trip: Trip, floor: int) -> None:
    """Look into the mailbox until all are there, or the time is over."""
    box, end = trip.servers.reading, time.monotonic() + trip.seconds
    assert box is not None
    while any(trial.open for trial in trip.trials if trial.kind != "list" or time.monotonic() < end):
        for raw in box.since(floor):
            floor = max(floor, raw.uid)
            _recognise(trip, raw)
        left = end - time.monotonic()
        if left <= 0:
            return
        if any(trial.open for trial in trip.trials):
            time.sleep(min(_PAUSE, left))


def _recognise(trip: Trip, raw: RawMail) -> None:
    """A trial that arrived, or its bounce."""
    mail = open_mail(raw.raw, raw.received)
    for trial in trip.trials:
        if trial.word in mail.subject and trial.arrived is None and trial.open and _came_as(trip, trial, mail):
            trial.arrived = raw
            trip.own.append(raw.uid)
            return
    report = diagnose(mail, raw.raw) if any(trial.word in raw.raw.decode("latin-1") for trial in trip.trials) else None
    for trial in trip.trials:
        if report and report.failed and (report.original_message_id == trial.message_id or trial.to in report.failed):
            trial.bounced = True
            trip.own.append(raw.uid)


def _came_as(trip: Trip, trial: Trial, mail: Incoming) -> bool:
    """Whether a mail with the trial's word is that trial, and not a bounce that quotes it."""
    marked = any(name.lower() == MARK.lower() and value.strip() == trial.word for name, value in mail.headers)
    return marked or trip.servers.settings.game.address in mail.senders or trial.kind == "list"


# --- what it means --------------------------------------------------------------------------------------------------


def _told(trip: Trip) -> Iterator[Finding]:
    plain, tagged = trip.find("plain"), trip.find("tagged")
    assert plain is not None
    if plain.refusal is not None and plain.refusal.kind in {"sender", "relay"}:
        yield sender(trip.servers, plain.refusal)  # some say so only when they have seen the mail
    yield _delivery(trip, plain)
    if plain.arrived is not None:
        yield _stamp(plain, plain.arrived)
        yield from _state(trip, plain, plain.arrived)
    if tagged is not None:
        yield _subaddress(plain, tagged)
    if (posted := trip.find("list")) is not None:
        yield _list(posted)


def _delivery(trip: Trip, trial: Trial) -> Finding:
    if trial.arrived is not None:
        took = max(0.0, (datetime.now(UTC) - trial.sent).total_seconds())
        return fine("round trip", f"a mail to {trial.to} arrives, within {took:.0f} s")
    if trial.refusal is not None:
        return fault("round trip", trial.refusal.kind, f"a mail to {trial.to} is not taken ({trial.refusal.text})")
    if trial.bounced:
        return fault("round trip", "bounced", f"a mail to {trial.to} comes back", "Is that the mailbox's address?")
    folder = trip.servers.reading.elsewhere(MARK, trial.word) if trip.servers.reading else ""
    if folder:
        return fault(
            "round trip", "filed-elsewhere", f"a mail to {trial.to} lands in the folder {folder}",
            "Switch off the filter that puts it there: players' mails would not be read.",
        )  # fmt: skip
    return fault(
        "round trip", "lost", f"a mail to {trial.to} was taken, and did not arrive within {trip.seconds:.0f} s",
        "Is [imap] the mailbox of game.address? Slow servers: pbem doctor --wait 600.",
    )  # fmt: skip


def _subaddress(plain: Trial, tagged: Trial) -> Finding:
    if tagged.arrived is not None:
        return fine("sub-addressing", f"mail to {tagged.to.partition('+')[0]}+anything arrives")
    if plain.arrived is None:
        return skipped("sub-addressing", "mail to the plain address does not arrive either")
    why = "comes back" if tagged.bounced else "does not arrive"
    why = f"is refused ({tagged.refusal.text})" if tagged.refusal else why
    return fault(
        "sub-addressing", "no-subaddressing", f"mail to {tagged.to} {why}",
        'Set game.tags = "subject": the personal tags then stand in the subject.',
        "Or let the mail server take sub-addresses (Postfix: recipient_delimiter = +).",
    )  # fmt: skip


def _stamp(trial: Trial, raw: RawMail) -> Finding:
    """INTERNALDATE is what deadlines are judged by (CAL-6)."""
    late = raw.received.astimezone(UTC) - trial.sent
    if -LARGE <= late.total_seconds() <= LARGE + (datetime.now(UTC) - trial.sent).total_seconds():
        return fine("arrival times", "the server notes when a mail arrives (INTERNALDATE)")
    return fault(
        "arrival times", "clock", f"the server dates a mail's arrival {spoken(late)} the moment it was sent",
        "Deadlines are judged by that date: set the mail server's clock and time zone, or this machine's.",
    )  # fmt: skip


def _state(trip: Trip, trial: Trial, raw: RawMail) -> Iterator[Finding]:
    """What the servers on the way changed."""
    mail = open_mail(raw.raw, raw.received)
    heads = {name.lower(): value for name, value in mail.headers}
    game = trip.servers.settings.game
    if mail.senders != (game.address,):
        shown = ", ".join(mail.senders) or "nobody"
        says = f"letters arrive as from {shown}, not {game.address}"
        yield fault("letters", "from-changed", says, "Send as the game's own address.")
    if trial.reply_to != game.address and trial.reply_to not in heads.get("reply-to", ""):
        yield fault("letters", "reply-to-changed", "the Reply-To, which holds the personal tag, is changed on the way")
    changed = []
    if mail.message_id != trial.message_id:
        changed.append("Message-ID (answers will not be threaded)")
    if "auto-submitted" not in heads:
        changed.append("Auto-Submitted (out-of-office answers will come)")
    if not mail.subject.endswith(f"{_SUBJECT} {trial.word}"):
        changed.append("subject")
    if _flat(mail.text or "") != _flat(TEXT):
        changed.append("text")
    if "pbem doctor</b>" not in (mail.html or ""):
        changed.append("HTML part")
    if changed:
        yield advice("letters", "changed", f"servers on the way change: {', '.join(changed)}", "The provider does it.")
    else:
        yield fine("letters", "they arrive as they were written")


def _flat(text: str) -> str:
    return "\n".join(line.rstrip() for line in text.strip().splitlines())


def _list(trial: Trial) -> Finding:
    if trial.refusal is not None:
        return fault("list", "no-list", f"a mail to {trial.to} is not taken ({trial.refusal.text})")
    if trial.bounced:
        return fault(
            "list", "list-bounced", f"a mail to {trial.to} comes back",
            "The list must let the game's address post without moderation.",
        )  # fmt: skip
    if trial.arrived is None:
        return advice(
            "list", "list-silent", f"a mail to {trial.to} was taken; no copy came back",
            "Normal if the game's address is not subscribed; look whether it arrived there.",
        )  # fmt: skip
    return fine("list", f"a mail to {trial.to} was distributed")
