"""What sort of mail it is, before anybody looks for commands in it: MAIL.md § 7, in the order given there.

`automatic` answers for the kinds that have no effect and get no answer (§ 5); the others follow from what is read.
Headers decide; the wording of subject and text only where real programs send no header that tells (`machines`).
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from pbem.orders import machines
from pbem.orders.subject import unmarked
from pbem.orders.words import fold

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from pbem.orders.house import House
    from pbem.post import Incoming

_HEAD: Final = 6_000
"""Characters of a text that are looked at for a machine's phrases."""


@dataclass(frozen=True, slots=True)
class Sign:
    """A kind, and what shows it, in words that follow "it"."""

    kind: str
    why: str


class _Seen:
    """A mail as the checks below look at it: headers by lower-case name, all text folded."""

    def __init__(self, mail: Incoming, house: House) -> None:
        self.mail = mail
        self.house = house
        self.types = mail.content_types[:40]
        self.subject = fold(mail.subject[:300])
        self._unmarked = unmarked(self.subject)
        self.text = fold((mail.text or "")[:_HEAD])
        self._headers: dict[str, list[str]] = {}
        for name, value in mail.headers:
            self._headers.setdefault(name.lower(), []).append(fold(value[:2000]))

    def entitled(self, pattern: re.Pattern[str]) -> bool:
        """Whether the subject, perhaps behind a gateway's marks, is of that sort."""
        return bool(pattern.match(self.subject) or pattern.match(self._unmarked))

    def get(self, name: str) -> str:
        """The first value of a header, '' without one."""
        return self._headers.get(name, [""])[0]

    def all(self, name: str) -> list[str]:
        """Every value of a header, in order."""
        return self._headers.get(name, [])

    def has(self, *names: str) -> bool:
        """Whether one of the headers is there."""
        return any(name in self._headers for name in names)

    @property
    def report(self) -> str | None:
        """The report-type of a multipart/report, '' if it has none, None if the mail is no report."""
        kind = next((kind for kind in self.types[:3] if kind.startswith("multipart/report")), None)
        return kind.partition("report-type=")[2] if kind else None

    @property
    def program(self) -> str:
        """The program that wrote the mail, as it names itself."""
        return f"{self.get('x-mailer')} {self.get('user-agent')}"

    @property
    def nobody(self) -> bool:
        """Whether the envelope had no sender, as those of machines have (RFC 5321 § 4.5.5)."""
        return "<>" in self.all("return-path")


@lru_cache(maxsize=4)  # a mail is read twice, the second time with its game at hand
def automatic(mail: Incoming, house: House) -> Sign | None:
    """The sign that a machine, a list or the game itself sent the mail; None if a person may have."""
    seen = _Seen(mail, house)
    for kind, check in _CHECKS:
        why = check(seen)
        if why:
            return Sign(kind, why)
    return None


def _own(seen: _Seen) -> str | None:
    if any(seen.house.is_mine(address) for address in seen.mail.senders):
        return "it comes from the game's own address"
    return None


def _receipt(seen: _Seen) -> str | None:
    if seen.report == "disposition-notification" or "message/disposition-notification" in seen.types:
        return "it is a read receipt (MDN)"
    told = seen.report == "" or machines.RECEIPT_TEXT.search(seen.text[:2000])
    if told and not seen.report and seen.entitled(machines.RECEIPT_SUBJECT):
        return "subject and text are those of a read receipt"
    return None


def _bounce(seen: _Seen) -> str | None:
    if {"message/delivery-status", "message/global-delivery-status"} & set(
        seen.types
    ) or seen.report == "delivery-status":
        return "it is a delivery report (RFC 3464)"
    if "message/feedback-report" in seen.types or seen.report == "feedback-report":
        return "it is an abuse complaint (RFC 5965)"
    if seen.entitled(machines.COMPLAINT_SUBJECT) and _complains(seen):
        return "it is an abuse complaint"
    if seen.has("x-failed-recipients"):
        return "it names failed recipients"
    signs = _bounce_signs(seen)
    if sum(signs.values()) >= _ENOUGH:
        return "it is a delivery report: " + " and ".join(signs)
    return None


def _complains(seen: _Seen) -> bool:
    locals_ = (address.split("@")[0] for address in seen.mail.senders)
    return "message/rfc822" in seen.types or any(machines.COMPLAINER.match(local) for local in locals_)


_ENOUGH: Final = 4


def _bounce_signs(seen: _Seen) -> dict[str, int]:
    """The signs of a bounce that follows no standard, each with its weight; `_ENOUGH` together will do."""
    mail = seen.mail
    signs: dict[str, int] = {}
    locals_ = [address.split("@")[0] for address in mail.senders]
    if not locals_ and seen.has("from"):
        locals_ = ["mailer-daemon" if "<>" in seen.get("from") else seen.get("from").strip(" <>\"'")]
    if any(machines.DAEMON.match(local) for local in locals_):
        signs["a mail daemon sent it"] = 4
    elif any(machines.SERVICE.match(local) for local in locals_) or machines.SERVICE_NAME.search(
        fold(mail.sender_name[:100])
    ):
        signs["a mail server sent it"] = 2
    if seen.entitled(machines.BOUNCE_SUBJECT):
        signs["its subject says so"] = 2
    if machines.BOUNCE_TEXT.search(seen.text):
        signs["its text says so"] = 2
    if seen.nobody:
        signs["its envelope has no sender"] = 0 if _says_automatic(seen) else 2
    if {"message/rfc822", "text/rfc822-headers"} & set(seen.types) and (seen.nobody or seen.report == ""):
        signs["it returns a message"] = 1
    return {sign: weight for sign, weight in signs.items() if weight}


def _says_automatic(seen: _Seen) -> bool:
    return seen.entitled(machines.AUTO_SUBJECT) or seen.entitled(machines.AUTO_ECHO)


def _auto_reply(seen: _Seen) -> str | None:
    return next(_auto_signs(seen), None)


def _auto_signs(seen: _Seen) -> Iterator[str]:
    """The signs of an automatic reply (RFC 3834 and its variants), the surest first."""
    for value in seen.all("auto-submitted"):
        if value and not re.match(r"no(?:$|[\s;(])", value):
            yield f"it says Auto-Submitted: {value[:40]}"
    for name in machines.AUTO_HEADERS:
        if seen.has(name) and seen.get(name) not in {"no", "false"}:
            yield f"it has the header {name}"
    for why, holds in (
        ("an autoresponder wrote it", _autoresponder(seen)),
        ("its precedence is that of an automatic reply", _says(seen, "precedence", machines.AUTO_PRECEDENCE)),
        ("Exchange's rules wrote it", _exchange_rule(seen)),
        ("a program for automatic replies wrote it", machines.AUTO_MAILER.search(seen.program)),
        ("its subject is that of an automatic reply", _says_automatic(seen)),
        ("its text says that it is automatic", machines.AUTO_TEXT.match(seen.text[:300])),
        ("it is a machine's report", seen.report),
        ("its envelope has no sender, so a machine sent it", seen.nobody),
    ):
        if holds:
            yield why


def _says(seen: _Seen, name: str, pattern: re.Pattern[str]) -> bool:
    """Whether any header of that name says so: servers on the way add their own."""
    return any(pattern.match(value) for value in seen.all(name))


def _autoresponder(seen: _Seen) -> bool:
    """Programs that name themselves in a header made for something else."""
    return any(
        value.endswith("autoresponder") for name in ("delivered-to", "x-post-messageclass") for value in seen.all(name)
    )


def _exchange_rule(seen: _Seen) -> bool:
    """Exchange's absence replies; a mail that a rule only passed on bears the first header too."""
    rule = seen.has("x-ms-exchange-inbox-rules-loop", "x-ms-exchange-generated-message-source")
    return rule and ("all" in seen.get("x-auto-response-suppress") or seen.nobody)


def _bulk(seen: _Seen) -> str | None:
    found = next((name for name in ("list-id", "list-post", "list-unsubscribe") if seen.has(name)), None)
    if found:
        return f"it has the header {found}"
    value = next((value for value in seen.all("precedence") if value in {"bulk", "junk"}), None)
    return f"its precedence is {value}" if value else None


_CHECKS: Final[tuple[tuple[str, Callable[[_Seen], str | None]], ...]] = (
    ("own", _own), ("receipt", _receipt), ("bounce", _bounce), ("auto-reply", _auto_reply), ("bulk", _bulk),
)  # fmt: skip
