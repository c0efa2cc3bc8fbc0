"""What a bounce says: which addresses failed, for good or for now, and which letter came back (RFC 3464, RFC 5965).

`flufl.bounce` knows the many forms that follow no standard; the reports that do are read here, for their status codes.
A warning of delay and an abuse complaint are bounces, but mark nobody (MAIL.md § 7).
"""

from __future__ import annotations

import email
import logging
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from flufl.bounce import all_failures

from pbem.mail.headers import addresses
from pbem.mail.parts import MAX_RAW, Part, parse, split_header

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pbem.post import Incoming

# A detector that fails on a stranger's bytes is no event of ours: it would be logged with its whole traceback.
logging.getLogger("flufl.bounce").setLevel(logging.CRITICAL + 1)

_MAX_RECIPIENTS: Final = 50
_STATUS: Final = re.compile(r"\b([245])\.([0-7])\.(\d{1,3})\b(?!\.\d)")
_REPLY: Final = re.compile(r"\b([45])\d\d[ -]")
_FULL: Final = re.compile(
    r"quota|mailbox (?:is )?full|bo[iî]te .{0,30}pleine|insufficient (?:disk )?space|full mailbox", re.IGNORECASE
)
_DELAY: Final = re.compile(
    r"delayed|has been postponed|will (?:continue to|keep) (?:try|retry)|warning only"
    r"|still being retried|not yet been delivered"
    r"|retard[ée]|sera retent|noch nicht zugestellt|temporarily deferred",
    re.IGNORECASE,
)
_RETURNED: Final = re.compile(
    r"^.{0,10}(?:-{2,} ?(?:this is a copy|below this line|original|returned|enclosed|included|the (?:header|body)"
    r"|transcript|message header|copie|en-t[eê]te)|original message|message headers? follow"
    r"|.{0,40}(?:original|your) message (?:headers? )?follows?).{0,80}$",
    re.IGNORECASE | re.MULTILINE,
)
_SAID: Final = re.compile(r"[\w.+=-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,8}")


@dataclass(frozen=True, slots=True)
class Bounce:
    """`failed`: addresses (lower case) that could not be reached, as we wrote them first. `hard`: for good.

    `delayed`: only a warning; `complaint`: an abuse report. Both name nobody in `failed`. `original_message_id` is that
    of the letter which came back, `<…>` included; `status` the enhanced status code (RFC 3463) where one is given.
    """

    failed: tuple[str, ...]
    hard: bool
    original_message_id: str | None
    delayed: bool = False
    complaint: bool = False
    status: str | None = None


@dataclass(frozen=True, slots=True)
class _Report:
    """One recipient's block of a delivery-status part."""

    addresses: tuple[str, ...]
    action: str
    status: str
    text: str


def diagnose(mail: Incoming, raw: bytes) -> Bounce | None:
    """What the bounce `mail` (`raw` its bytes) tells; None if nothing that could be acted upon. Never raises."""
    root, _ = parse(raw)
    parts = list(_parts(root))
    original = _original_id(mail, parts)
    if any(part.type == "message/feedback-report" for part in parts):
        return Bounce((), hard=False, original_message_id=original, complaint=True)
    reports = [report for part in parts if part.type in _STATUS_TYPES for report in _reports(part)]
    if reports:
        return _from_reports(reports, original, mail)
    return _from_text(mail, raw, parts, original)


_STATUS_TYPES: Final = frozenset({"message/delivery-status", "message/global-delivery-status"})


def _parts(part: Part) -> Iterator[Part]:
    yield part
    for child in part.children:
        yield from _parts(child)


# -- RFC 3464 --------------------------------------------------------------------------------------------------------


def _reports(part: Part) -> Iterator[_Report]:
    """The recipients' blocks; forms that lack blank lines or hold them where they should not are read all the same."""
    content = part.content()
    fields, rest = split_header(content)
    while fields or rest.strip():
        yield from _blocks(fields)
        if not rest.strip():
            break
        fields, after = split_header(rest.lstrip(b"\n"))
        if len(after) >= len(rest):
            break
        rest = after


def _blocks(fields: list[tuple[str, bytes]]) -> Iterator[_Report]:
    """One block per Final-Recipient or Original-Recipient group."""
    group: dict[str, str] = {}
    for name, raw in [*fields, ("final-recipient", b"")]:
        key, value = name.lower(), raw.decode("utf-8", "replace").strip()
        starts = key in {"final-recipient", "original-recipient"} and (key in group or not value)
        if starts and ("final-recipient" in group or "original-recipient" in group):
            yield _report(group)
            group = {}
        group.setdefault(key, value)


def _report(group: dict[str, str]) -> _Report:
    found = [
        address
        for key in ("original-recipient", "x-actual-recipient", "final-recipient")
        for address in addresses(group.get(key, "").partition(";")[2] or group.get(key, ""))
    ]
    text = f"{group.get('status', '')} {group.get('diagnostic-code', '')}"
    status = _STATUS.search(group.get("status", "")) or _STATUS.search(text)
    action = re.split(r"[\s(;]", group.get("action", "").lower().strip(), maxsplit=1)[0]
    return _Report(tuple(dict.fromkeys(found)), action, status[0] if status else "", text)


def _from_reports(reports: list[_Report], original: str | None, mail: Incoming) -> Bounce:
    failed = [report for report in reports if report.action in {"failed", "failure"} or _failed_unsaid(report)]
    delayed = not failed and any(report.action == "delayed" or report.status.startswith("4") for report in reports)
    named = tuple(dict.fromkeys(report.addresses[0] for report in failed if report.addresses))[:_MAX_RECIPIENTS]
    status = next((report.status for report in failed or reports if report.status), None)
    named = named or (_header_recipients(mail) if failed else ())
    return Bounce(named, any(_is_hard(report) for report in failed), original, delayed=delayed, status=status)


def _failed_unsaid(report: _Report) -> bool:
    return not report.action and report.status.startswith("5")


def _is_hard(report: _Report) -> bool:
    """For good: class 5, but for a full mailbox (5.2.2), which may be emptied."""
    code = report.status or next((hit[1] for hit in _REPLY.finditer(report.text)), "5")
    return code.startswith("5") and code != "5.2.2" and not _FULL.search(report.text)


# -- Free text -------------------------------------------------------------------------------------------------------


def _from_text(mail: Incoming, raw: bytes, parts: list[Part], original: str | None) -> Bounce | None:
    text = _RETURNED.split((mail.text or "")[:20_000], maxsplit=1)[0]
    temporary, permanent = _detected(raw)
    ours = {*mail.to, *mail.recipients, *mail.senders}
    named = _header_recipients(mail) or tuple(sorted(permanent - ours - {(original or "").lower().strip("<>")}))
    delayed = not named and (bool(temporary) or bool(_DELAY.search(f"{mail.subject}\n{text}")))
    if not named and not delayed:
        said = (address.lower().rstrip(".") for address in _SAID.findall(text))
        named = tuple(dict.fromkeys(address for address in said if address not in ours and not _is_daemon(address)))
        named = named[:1] or _returned_to(parts, ours)
    if not named and not delayed:
        return None
    status = _STATUS.search(text)
    soft = bool(_FULL.search(text)) or (status is not None and status[1] == "4")
    return Bounce(
        named[:_MAX_RECIPIENTS],
        bool(named) and not soft,
        original,
        delayed=delayed,
        status=status[0] if status else None,
    )


def _is_daemon(address: str) -> bool:
    return address.startswith(("mailer-daemon@", "postmaster@", "abuse@", "support@", "helpdesk@"))


def _header_recipients(mail: Incoming) -> tuple[str, ...]:
    return next((addresses(value) for name, value in mail.headers if name.lower() == "x-failed-recipients"), ())


def _detected(raw: bytes) -> tuple[set[str], set[str]]:
    """What flufl.bounce finds: addresses that failed for now, and for good."""
    try:
        temporary, permanent = all_failures(email.message_from_string(raw[:MAX_RAW].decode("ascii", "replace")))
        return {_plain(item) for item in temporary}, {_plain(item) for item in permanent}
    except Exception:  # noqa: BLE001 - old detectors, strangers' bytes: whatever they raise means "nothing found"
        return set(), set()


def _plain(item: bytes | str) -> str:
    return (item.decode("ascii", "replace") if isinstance(item, bytes) else item).strip().strip("<>").lower()


def _returned_to(parts: list[Part], ours: set[str]) -> tuple[str, ...]:
    """To whom the returned letter went."""
    for fields in _returned(parts):
        found = [
            address
            for name, value in fields
            if name.lower() == "to"
            for address in addresses(value.decode("utf-8", "replace"))
        ]
        kept = tuple(address for address in found if address not in ours)
        if kept:
            return kept[:1]
    return ()


def _returned(parts: list[Part]) -> Iterator[list[tuple[str, bytes]]]:
    for part in parts:
        if part.type in {
            "message/rfc822",
            "text/rfc822-headers",
            "message/rfc822-headers",
            "message/global",
            "message/partial",
        }:
            yield split_header(part.content().lstrip(b"\n"))[0]


def _original_id(mail: Incoming, parts: list[Part]) -> str | None:
    """The returned letter's Message-ID: from the letter, its headers in the text, or what the bounce answers."""
    for fields in _returned(parts):
        for name, value in fields:
            if name.lower() == "message-id" and (kept := re.search(rb"<[^<>\s]{1,900}>", value)):
                return kept[0].decode("utf-8", "replace")
    in_text = re.search(r"^[\s>]{0,4}message-id\s?: ?(<[^<>\s]{1,900}>)", mail.text or "", re.IGNORECASE | re.MULTILINE)
    if in_text:
        return in_text[1]
    for wanted in ("in-reply-to", "references"):
        for header, line in mail.headers:
            if header.lower() == wanted and (ids := re.findall(r"<[^<>\s]{1,900}>", line)):
                return str(ids[-1])
    return None
