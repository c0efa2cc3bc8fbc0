"""Whoever answers our answers with the same words again and again: a program that does not say that it is one.

MAIL.md § 5: two automatic systems stop after at most one exchange. An autoresponder with no header that tells may say
what reads like a command ("Absent jusqu'au 14 décembre"): it is done and acknowledged once; the same words in answer to
that acknowledgement, or once more to the same letter, are not heard. Who repeats himself later, or after something
else, is heard.
"""

from __future__ import annotations

import hashlib
import json
import re
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Final

from pbem.orders.subject import take_apart
from pbem.orders.words import letters

if TYPE_CHECKING:
    from pbem.orders.house import House
    from pbem.orders.reading import Reading
    from pbem.post import Incoming
    from pbem.store import Tx

SOON: Final = timedelta(minutes=5)
"""A program answers within it; what comes later makes no storm."""
_MOST: Final = 5
"""Letters that one mail may answer."""
_IDENTIFIER: Final = re.compile(r"<[^<>\s]{1,250}>")
_ANSWERED: Final = re.compile(rb"^In-Reply-To: *(<[^<>\s]{1,250}>)", re.MULTILINE | re.IGNORECASE)


def repeats(tx: Tx, mail: Incoming, reading: Reading, mark: str, house: House) -> bool:
    """Whether the mail, from the sender `mark`, says again what the letter that it answers was the answer to, or what
    has answered that letter already. Notes what it says, for the next time.

    Digits do not count: programs number and date what they write. A program that does not name the letter which it
    answers is known by a reply's subject.
    """
    words = _words(reading)
    about = [mail.message_id or "", *(_letters_answered(tx, mail) or ["a reply"] * _is_reply(mail, reading, house))]
    keys = ["said:" + hashlib.sha256(f"{mark} {one}".encode()).hexdigest() for one in about]
    again = bool(words) and any(_same(tx.get(key), words, mail.received) for key in keys[1:])
    for key in keys:
        tx.set(key, json.dumps([words, mail.received.isoformat()]))
    return again


def _same(before: str | None, words: str, now: datetime) -> bool:
    if before is None:
        return False
    said, at = json.loads(before)
    return said == words and timedelta(0) <= now - datetime.fromisoformat(at) <= SOON


def _words(reading: Reading) -> str:
    said = " ".join([reading.text, *(f"{spoken.verb} {spoken.args}" for spoken in reading.commands)])
    bare = re.sub(r"\d", "", letters(said))
    return hashlib.sha256(bare.encode()).hexdigest() if bare else ""


def _letters_answered(tx: Tx, mail: Incoming) -> list[str]:
    """The Message-IDs of the letters of ours that the mail answers, and of the mails that those answered."""
    named = [
        one for header, value in mail.headers if header.lower() == "in-reply-to" for one in _IDENTIFIER.findall(value)
    ]
    if not named:
        lists = [_IDENTIFIER.findall(value) for header, value in mail.headers if header.lower() == "references"]
        named = [one for found in lists for one in found[-1:]]
    found: list[str] = []
    for one in named[:_MOST]:
        if (letter := tx.letter(one)) is not None:
            found.append(one)
            found += [hit.decode("ascii", "replace") for hit in _ANSWERED.findall(letter.raw.partition(b"\r\n\r\n")[0])]
    return found


def _is_reply(mail: Incoming, reading: Reading, house: House) -> bool:
    """Whether a mail that names no letter is still an answer: a reply's subject, and the words in the body."""
    return take_apart(mail.subject, house).reply and all(spoken.where != "subject" for spoken in reading.commands)
