"""Whoever answers our answers with the same words again and again: a program that does not say that it is one.

MAIL.md § 5: two automatic systems stop after at most one exchange. An autoresponder with no header that tells may say
what reads like a command ("Absent jusqu'au 14 décembre"): it is done and acknowledged once; the same words at once in
answer to that acknowledgement are not heard. A person is: who says it later, when the game has moved on, after having
said something else meanwhile, or in answer to another letter.
"""

from __future__ import annotations

import hashlib
import json
import re
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Final, NamedTuple

from pbem.app.answered import named
from pbem.orders.subject import take_apart
from pbem.orders.words import letters

if TYPE_CHECKING:
    from pbem.orders.house import House
    from pbem.orders.reading import Reading
    from pbem.post import Incoming
    from pbem.store import Tx

SOON: Final = timedelta(minutes=5)
"""A program answers within it; what comes later makes no storm."""
_KEPT: Final = 20
"""Things said of one sender that are remembered."""
_ANSWERED: Final = re.compile(rb"^In-Reply-To: *(<[^<>\s]{1,250}>)", re.MULTILINE | re.IGNORECASE)


class _Said(NamedTuple):
    """One thing said: in which mail (its Message-ID, or "a reply"), where the game stood then, and when."""

    about: str
    words: str
    stage: str
    at: str


def repeats(tx: Tx, mail: Incoming, reading: Reading, mark: str, house: House, stage: str) -> bool:
    """Whether the mail, from the sender `mark`, says again what the letter that it answers was the answer to.

    `stage`: where the game stands; what is said again when it stands elsewhere is new. A program that does not name the
    letter which it answers is known by a reply's subject. Notes what it says, for the next time.
    """
    words, key = _words(reading), "said:" + hashlib.sha256(mark.encode()).hexdigest()
    nameless = not _named(mail) and _is_reply(mail, reading, house)
    answered = set(_answered_by_letters(tx, mail) or ["a reply"] * nameless)
    known = [_Said(*one) for one in json.loads(tx.get(key) or "[]")]
    recent = [one for one in known if timedelta(0) <= mail.received - datetime.fromisoformat(one.at) <= SOON]
    now = [_Said(about, words, stage, mail.received.isoformat()) for about in (mail.message_id or "", "a reply")]
    tx.set(key, json.dumps([*recent, *now[: 1 + nameless]][-_KEPT:]))
    if not words or not recent or recent[-1].words != words:
        return False
    return any(one.about in answered and (one.words, one.stage) == (words, stage) for one in recent)


def _words(reading: Reading) -> str:
    """What it says. Digits count in commands (a seat's number) only: programs number and date what they write."""
    bare = re.sub(r"\d", "", letters(reading.text))
    said = " ".join(f"{spoken.verb} {letters(spoken.args)}" for spoken in reading.commands)
    return hashlib.sha256(f"{bare} {said}".encode()).hexdigest() if bare or said else ""


def _named(mail: Incoming) -> list[str]:
    """The Message-IDs of what the mail answers itself."""
    return named(mail, "in-reply-to") or named(mail, "references")[:1]


def _answered_by_letters(tx: Tx, mail: Incoming) -> list[str]:
    """The Message-IDs of the mails to which the letters that this mail answers were the answers."""
    letters_of_ours = (tx.letter(one) for one in _named(mail))
    heads = (letter.raw.partition(b"\r\n\r\n")[0] for letter in letters_of_ours if letter is not None)
    return [hit.decode("ascii", "replace") for head in heads for hit in _ANSWERED.findall(head)]


def _is_reply(mail: Incoming, reading: Reading, house: House) -> bool:
    """Whether a mail that names no letter is still an answer: a reply's subject, and the words in the body."""
    return take_apart(mail.subject, house).reply and all(spoken.where != "subject" for spoken in reading.commands)
