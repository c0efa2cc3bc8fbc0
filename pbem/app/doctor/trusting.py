"""Whether it will be known who wrote a mail (MAIL.md § 4): the server's Authentication-Results, and under which name.

Only headers that the game itself would believe are looked at: the others may be anybody's.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from pbem.app.doctor.findings import Finding, advice, fault, fine, skipped
from pbem.mail.authenticity import Trust, judge
from pbem.mail.mime import open_mail
from pbem.mail.probe import server_name

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pbem.app.doctor.round import Trip
    from pbem.post import RawMail

NEWEST: Final = 50
_OTHERWISE: Final = {
    "tags-only": "nobody's word counts (auth.mode): who has no personal tag is asked to confirm",
    "dkim": "signatures are checked here (auth.mode = dkim)",
}


def examine(trip: Trip) -> Finding:
    """Look at our own mail, then at the newest of others."""
    settings, box = trip.servers.settings, trip.servers.reading
    if settings.auth.mode in _OTHERWISE:
        return fine("who writes", _OTHERWISE[settings.auth.mode])
    if box is None:
        return skipped("who writes", "the mailbox cannot be read")
    own = [trial.arrived for trial in trip.trials if trial.arrived is not None and trial.kind == "plain"]
    mails = [*own, *box.newest(NEWEST)]
    if not mails:
        return skipped("who writes", "there is no mail to look at")
    names = [name for raw in mails if (name := _name(raw, settings.auth.received_by))]
    pinned = settings.authserv_id.lower()
    if not names:
        return _nameless() if any(map(_has_results, mails)) else _none(mails, pinned)
    if pinned not in names:
        return _to_pin(names[0], pinned)
    return _verdict(own, pinned, settings.auth.received_by)


def _name(raw: RawMail, received_by: str) -> str:
    return server_name(open_mail(raw.raw, raw.received), received_by)


def _has_results(raw: RawMail) -> bool:
    """Whether somebody wrote Authentication-Results into it, on the way or before."""
    names = (name.lower() for name, _ in open_mail(raw.raw, raw.received).headers)
    return "authentication-results" in names


def _nameless() -> Finding:
    says = "the Authentication-Results here name no server that could be told from a forger"
    return fault(
        "who writes", "authserv-nameless", says,
        'Microsoft\'s servers write them so: set auth.mode = "dkim" (signatures are checked here).',
        "If the server is your own: it must remove those from outside, and write its name (AuthservID) into its own.",
    )  # fmt: skip


def _to_pin(name: str, pinned: str) -> Finding:
    if pinned:
        cause, says = "authserv-other", f"the server writes Authentication-Results as {name}, not {pinned}"
    else:
        cause, says = "authserv-unset", f"the server writes Authentication-Results as {name}, which is not trusted yet"
    mend = (
        f'Set auth.authserv_id = "{name}", or: pbem doctor --pin',
        "Until then whoever writes without a personal tag is asked to confirm each mail, the storyteller too.",
    )
    return Finding("who writes", "fault", says, cause, mend, name)


def _none(mails: Sequence[RawMail], pinned: str) -> Finding:
    says = f"no Authentication-Results of the server in the {len(mails)} mail(s) here"
    also = f"; {pinned} is trusted, but says nothing" if pinned else ""
    return fault(
        "who writes", "no-authentication-results", says + also,
        "Send a mail to the game from a mailbox elsewhere, and run pbem doctor again: some servers check those alone.",
        'If that shows none either: auth.mode = "dkim" (signatures are checked here), or "tags-only".',
    )  # fmt: skip


def _verdict(own: Sequence[RawMail], pinned: str, received_by: str) -> Finding:
    """By the game's own eyes: would our mail have been believed?"""
    for raw in own:
        verdict = judge(open_mail(raw.raw, raw.received), Trust(pinned, received_by or None), raw.raw)
        if not verdict.authentic and _name(raw, received_by):
            return advice(
                "who writes", "not-authentic", f"{pinned} is trusted; of our own mail it says: {verdict.why}",
                "Mails that a server takes from its own users are often not checked; players elsewhere are.",
            )  # fmt: skip
    return fine("who writes", f"the Authentication-Results of {pinned} tell")
