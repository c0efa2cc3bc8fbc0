"""What must be so afterwards, and whether it is: the accounts of an undisturbed run and of a tortured one, compared.

An account is taken from the database and from the mailboxes as they lie on the disk. Words that are drawn at random in
each run (tags, codes, Message-IDs) and the moments at which letters were written are masked.
"""

from __future__ import annotations

import email
import email.policy
import re
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pbem.app import undeliverable
from pbem.engine import events as e
from tests.torture.town import CODE, STORYTELLER

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pbem.store import OutboxRow, Tx
    from tests.torture.town import Town

_MESSAGE_ID = re.compile(r"<[0-9a-f]{32}@village\.example>")
_TAG = re.compile(r"\b(?=[a-z2-9]*[0-9])(?=[a-z2-9]*[a-z])[a-z2-9]{16}\b")
_LEFT = re.compile(r"\b(?:dans|in) (?:\d+|un|une|an|a) (?:secondes?|minutes?|heures?|jours?|hours?|days?)\b")
_STAMPED = re.compile(r"\b(DTSTAMP|SEQUENCE):\w+")
_READ_AT = re.compile(r"\b\w+ \d{1,2} \w+ (?:\d{1,2} h(?: \d\d)?|\d\d:\d\d) (?=[A-Z][A-Za-z]+ )")
"""In the storyteller's log, when something was written down: when its mail was read, which trouble may put off."""
_DATED = ("date", "message-id", "in-reply-to", "references")


@dataclass(frozen=True)
class Account:
    """`events`: the game's. `mails`: what became of each mail. `letters`: each letter written, masked, and
    how often. `acknowledged`: answers to each mail. `undelivered`: letters not marked as sent, or in no mailbox they
    should be in. `copies`: how often each letter lies in the fullest of its mailboxes. `strangers`: Message-IDs in people's
    mailboxes that are no letter's. `orders`: how many counted.
    """

    events: tuple[e.Event, ...]
    mails: tuple[tuple[object, ...], ...]
    letters: Counter[str]
    acknowledged: Counter[str]
    undelivered: tuple[str, ...]
    copies: Mapping[str, int]
    strangers: tuple[str, ...]
    orders: int


def account(town: Town) -> Account:
    """Of what lies in the town's database and mailboxes now."""
    with town.store.read() as tx:
        game = tx.game_id(CODE)
        events = tuple(row.event for row in tx.events(game))
        mails = tuple(sorted(_mail(tx, number) for number in _numbers(tx)))
        letters = tx.letters()
    boxes = _boxes(town)
    copies = {row.message_id: _copies(row, boxes) for row in letters}
    return Account(
        events=events,
        mails=mails,
        letters=Counter(_masked(row) for row in letters),
        acknowledged=Counter(_answers(row) for row in letters if _answers(row)),
        undelivered=tuple(
            f"{row.id} {row.kind} to {row.to}: {row.state}, {copies[row.message_id]} in the mailbox {row.error}"
            for row in letters if row.state != "sent" or not copies[row.message_id]
        ),
        copies=copies,
        strangers=tuple(sorted(_received(boxes, town.settings.game.address) - copies.keys())),
        orders=sum(isinstance(event, e.OrderTaken) for event in events),
    )  # fmt: skip


def faults(
    one: Account, other: Account, windows: Mapping[str, int], *, resent: bool = False, slow: bool = False
) -> list[str]:
    """What is wrong with `other`, if `one` is how it should be. `windows`: how often each letter may be there again.

    `resent`: people may have sent a mail again that had arrived, whose copies are known as such.
    `slow`: letters were refused for a while; the story's clock may jump over a day meanwhile, of which the storyteller
    is told. That they arrived in the end is still asked for.
    """
    found = []
    if one.events != other.events:
        at = next((i for i, (a, b) in enumerate(zip(one.events, other.events)) if a != b), -1)  # noqa: B905
        pair = f"{one.events[at]} / {other.events[at]}" if at >= 0 else "one is longer"
        found.append(f"events differ: {len(one.events)} / {len(other.events)}, first at {at}: {pair}")
    ours, theirs = Counter(one.mails), Counter(line for line in other.mails if not resent or line[3] != "duplicate")
    found += [f"a mail's record differs: {line}" for line in (ours - theirs) + (theirs - ours)]
    found += [f"lost {count}×: {what}" for what, count in (one.letters - other.letters).items()]
    more = other.letters - one.letters
    found += [f"too many {count}×: {what}" for what, count in more.items() if not (slow and _tells_of_delay(what))]
    answers = one.acknowledged - other.acknowledged, other.acknowledged - one.acknowledged
    found += [f"a mail answered otherwise: {answer}" for answer in answers[0] + answers[1]]
    found += [f"not delivered: {line}" for line in other.undelivered]
    found += [
        f"{message_id} came {count} times, of which {windows.get(message_id, 0)} are excused"
        for message_id, count in other.copies.items()
        if count > 1 + windows.get(message_id, 0)
    ]
    found += [f"nobody wrote {message_id}" for message_id in other.strangers]
    return found


def duplicates(found: Account) -> int:
    """How many letters came more often than once."""
    return sum(count - 1 for count in found.copies.values() if count > 1)


def _tells_of_delay(what: str) -> bool:
    return what.startswith(f"{undeliverable.KIND} to {STORYTELLER}:")


# --- the mails that came ---


def _numbers(tx: Tx) -> range:
    count = 0
    while True:
        try:
            tx.mail(count + 1)
        except KeyError:
            return range(1, count + 1)
        count += 1


def _mail(tx: Tx, number: int) -> tuple[object, ...]:
    row = tx.mail(number)
    return row.received.isoformat(), row.sender, row.authentic, row.kind, row.outcome, row.game_id or 0, row.seat or 0


# --- the letters that went ---


def _masked(row: OutboxRow) -> str:
    """The letter on one line; what it says of the time that is left depends on when it was written."""
    letter = email.message_from_bytes(row.raw, policy=email.policy.default)
    headers = " ".join(f"{name}: {value}" for name, value in letter.items() if name.lower() not in _DATED)
    headers = re.sub(r'boundary="[^"]*"', "boundary", headers)
    wanted = {"text/plain"} if row.kind == "log" else {"text/plain", "text/html", "text/calendar"}
    parts = " ".join(part.get_content() for part in letter.walk() if part.get_content_type() in wanted)
    record = f"{row.kind} to {row.to}: {letter['Subject']} {row.seat} {row.thread} {row.notices}"
    text = " ".join(f"{record} {headers} {parts}".split())
    text = _STAMPED.sub(r"\1", text)
    if row.kind == "log":
        text = _READ_AT.sub("", text)
    return _LEFT.sub("soon", _TAG.sub("TAG", _MESSAGE_ID.sub("ID", text)))


def _answers(row: OutboxRow) -> str:
    letter = email.message_from_bytes(row.raw, policy=email.policy.default)
    answers = str(letter["In-Reply-To"] or "")
    return "" if _MESSAGE_ID.fullmatch(answers) else answers


def _boxes(town: Town) -> dict[str, Counter[str]]:
    """{address: how often each Message-ID lies in its INBOX}"""
    found: dict[str, Counter[str]] = {}
    for folder in (town.folder / "mail").iterdir():
        if folder.is_dir():
            files = [file for part in ("new", "cur") for file in (folder / part).iterdir()]
            found[folder.name] = Counter(_message_id(file.read_bytes()) for file in files)
    return found


def _received(boxes: Mapping[str, Counter[str]], but: str) -> set[str]:
    return {message_id for address, box in boxes.items() if address != but for message_id in box}


def _message_id(raw: bytes) -> str:
    found = re.search(rb"(?mi)^Message-ID:\s*(\S+)", raw)
    return found[1].decode() if found else ""


def _copies(row: OutboxRow, boxes: Mapping[str, Counter[str]]) -> int:
    """How often it lies in its recipient's mailbox; a letter to the list: in the fullest of all."""
    own = boxes.get(row.to, Counter())[row.message_id]
    others = [box[row.message_id] for address, box in boxes.items() if address != row.to]
    return max(own, *others) if own else 0
