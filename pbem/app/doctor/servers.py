"""The checks of the two servers: getting in, the folder, the clocks, who may send, and who would be taken."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from pbem.app.doctor.findings import Finding, advice, fault, fine, trouble
from pbem.mail.probe import ImapProbe, SmtpProbe, Trouble, TroubleError
from pbem.settings.oauth import Grant

if TYPE_CHECKING:
    from collections.abc import Iterator
    from contextlib import ExitStack
    from datetime import timedelta

    from pbem.settings import Imap, Settings, Smtp

SMALL: Final = 2.0
"""Seconds that INTERNALDATE's whole seconds and the way to the server explain."""
LARGE: Final = 60.0


@dataclass(slots=True)
class Servers:
    """Where to read and send, and what is open so far. `stack` closes it."""

    settings: Settings
    imap: Imap
    smtp: Smtp
    stack: ExitStack
    reading: ImapProbe | None = None
    sending: SmtpProbe | None = None


def examine(servers: Servers) -> Iterator[Finding]:
    """Get in at both, as far as it goes."""
    yield from _reading(servers)
    yield from _sending(servers)


def _reading(servers: Servers) -> Iterator[Finding]:
    if isinstance(servers.imap.oauth, Grant):
        servers.imap.oauth.forget()  # that a token can be had is part of the check
    try:
        box = servers.reading = servers.stack.enter_context(ImapProbe(servers.imap))
    except TroubleError as error:
        yield _with_folders(servers, trouble("mailbox", "imap", servers.imap, error.trouble))
        return
    news = "it tells of new mail at once" if box.can_idle else f"it is asked every {servers.imap.poll_seconds:.0f} s"
    yield fine("mailbox", f"{servers.imap.host} lets {servers.imap.user} in; {news}")
    yield _folder(servers.imap, box)
    yield _clocks(box)


def _folder(imap: Imap, box: ImapProbe) -> Finding:
    try:
        writable = box.writable()
    except TroubleError as error:
        return trouble("folder", "imap", imap, error.trouble)
    if not writable:
        return advice(
            "folder", "read-only", f"{imap.folder} can be read, not written to: nothing will be marked as read",
            "The game does not need it; for people who look into the mailbox, let it write there.",
        )  # fmt: skip
    return fine("folder", f"{imap.folder} can be read, and mails marked")


def _with_folders(servers: Servers, found: Finding) -> Finding:
    """A folder that is not there: those that are, by way of INBOX, which always is."""
    if found.cause != "folder":
        return found
    try:
        with ImapProbe(servers.imap.model_copy(update={"folder": "INBOX"})) as box:
            names = ", ".join(box.folders())
    except TroubleError:
        return found
    return fault(found.check, found.cause, found.says, f"imap.folder: expected one of {names}.")


def _clocks(box: ImapProbe) -> Finding:
    try:
        offset = box.clock_offset()
    except TroubleError as error:
        return fault(
            "server clock", "clock-unknown", f"the server's time cannot be asked ({error.trouble.text})",
            "pbem run asks it each hour, by a mail in a folder of its own: let the user make and delete a folder.",
        )  # fmt: skip
    seconds = offset.total_seconds()
    if abs(seconds) <= SMALL:
        return fine("server clock", "the mail server's clock and this machine's agree")
    says = f"the mail server's clock is {spoken(offset)} this machine's"
    if abs(seconds) < LARGE:
        return advice("server clock", "clock", f"{says}; the server's counts, for every deadline")
    return fault("server clock", "clock", says, "Set the one that is wrong: timedatectl set-ntp true on this machine.")


def spoken(offset: timedelta) -> str:
    """`1 h 0 min ahead of`, `20 s behind`."""
    seconds = abs(offset.total_seconds())
    hours, minutes = divmod(round(seconds / 60), 60)
    length = f"{hours} h {minutes} min" if hours else f"{minutes} min" if seconds >= 120 else f"{seconds:.0f} s"  # noqa: PLR2004
    return f"{length} {'ahead of' if offset.total_seconds() > 0 else 'behind'}"


def _sending(servers: Servers) -> Iterator[Finding]:
    game, smtp = servers.settings.game, servers.smtp
    try:
        post = servers.sending = servers.stack.enter_context(SmtpProbe(smtp))
    except TroubleError as error:
        yield trouble("sending", "smtp", smtp, error.trouble)
        return
    name = f"lets {smtp.user} in" if smtp.user else "takes mail without a login"
    yield fine("sending", f"{smtp.host} {name}")
    refusal = post.refuses(game.address, game.address)
    yield sender(servers, refusal)
    if refusal is not None and refusal.kind in {"sender", "relay"}:
        servers.sending = None
        return
    yield _taken("list", game.list_address, post.refuses(game.address, game.list_address))
    for teller in game.storytellers:
        yield _taken("storyteller", teller, post.refuses(game.address, teller))


def sender(servers: Servers, refusal: Trouble | None) -> Finding:
    """Whether letters may leave with the game's address as their sender."""
    game, smtp = servers.settings.game, servers.smtp
    if refusal is None:
        return fine("sender", f"letters may leave as {game.address}")
    if refusal.kind == "sender":
        return fault(
            "sender", "sender", f"{smtp.host} does not let {smtp.user or 'us'} send as {game.address} ({refusal.text})",
            f"Log in as the owner of {game.address} (smtp.user), or allow this sender in the provider's settings.",
        )  # fmt: skip
    if refusal.kind == "relay":
        return fault(
            "sender", "relay", f"{smtp.host} passes no mail on for us ({refusal.text})",
            "Name the provider's server for sending (submission), with user and password, in [smtp].",
        )  # fmt: skip
    return fault("sender", refusal.kind, f"a mail from {game.address} to itself is refused ({refusal.text})")


def _taken(check: str, address: str, refusal: Trouble | None) -> Finding:
    """Whether the way out takes mail to that address; if it passes mail on, that says little of the address itself."""
    if refusal is None:
        return fine(check, f"mail to {address} is taken")
    cause = refusal.kind if refusal.kind != "recipient" else f"no-{check}"
    mend = "Check game.list_address; the list must let the game's address post." if check == "list" else (
        "Check game.storytellers: he steers by mail from this address."
    )  # fmt: skip
    return fault(check, cause, f"mail to {address} is refused ({refusal.text})", mend)
