"""`pbem doctor`: try everything for real, and say in words what is wrong and how to mend it.

`examine` gives one `Finding` after the other: first what needs no network, then the two servers, then mails that go all
the way round. It writes nothing but test mails to the game's own address (and to the list, if asked to), which it takes
away again; it can be run beside a running `pbem run`.
"""

from __future__ import annotations

import json
from contextlib import ExitStack
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from pbem.app.doctor import ground, servers, trusting
from pbem.app.doctor.findings import Finding, fault, fine
from pbem.app.doctor.round import Trip, travel
from pbem.app.doctor.servers import Servers
from pbem.mail.accounts import FILE
from pbem.mail.postoffice import PostOffice
from pbem.settings import ConfigError, Secret

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from pbem.settings import Settings

__all__ = ["Finding", "examine"]

WAIT = 90.0
"""Seconds that a mail may take to come round."""


def wall_clock() -> datetime:
    """The host's."""
    return datetime.now(UTC)


def examine(
    settings: Settings,
    *,
    now: Callable[[], datetime] = wall_clock,
    wait: float = WAIT,
    offline: bool = False,
    to_list: bool = False,
    ports: Callable[[], tuple[int, int]] = lambda: (0, 0),
) -> Iterator[Finding]:
    """Everything, in order. `wait`: how long (seconds) for mails to come round. `offline`: only what needs no network.

    `to_list`: send the list a real post. `ports` tells (SMTP, IMAP) of a post office that runs already. Never raises.
    """
    blind = False
    for finding in ground.examine(settings, now()):
        yield finding
        blind |= finding.cause == ground.NO_CERTIFICATES  # neither server can be asked then
    if offline or blind:
        return
    with ExitStack() as stack:
        place = Servers(settings, settings.imap, settings.smtp, stack)
        if settings.embedded.enabled:
            found = _embedded(place, ports)
            yield found
            if found.state == "fault":
                return
        yield from servers.examine(place)
        trip = Trip(place, wait)
        yield from travel(trip, to_list=to_list, now=now)
        yield trusting.examine(trip)


def _embedded(place: Servers, ports: Callable[[], tuple[int, int]]) -> Finding:
    """The post office of this machine: the one that runs, or one opened for the occasion."""
    settings, check = place.settings, "post office"
    try:
        office = PostOffice(settings)
        office.start()
    except ConfigError as error:
        smtp, imap = ports()
        password = _password(settings)
        if not (smtp and imap and password):
            return fault(check, "post-office", str(error), "Is another program on that port, or on those Maildirs?")
        login = {"host": settings.embedded.host, "tls": "none", "user": settings.game.address, "password": password}
        place.imap = settings.imap.model_copy(update={**login, "port": imap})
        place.smtp = settings.smtp.model_copy(update={**login, "port": smtp})
        return fine(check, f"pbem run has it open: SMTP on port {smtp}, IMAP on port {imap}")
    place.stack.callback(office.stop)
    place.imap, place.smtp = office.imap_settings(), office.smtp_settings()
    return fine(check, f"it can be opened on {settings.embedded.host}")


def _password(settings: Settings) -> Secret | None:
    try:
        known = json.loads((settings.embedded.maildirs / FILE).read_text("utf-8"))
    except (OSError, ValueError):
        return None
    found = known.get(settings.game.address)
    return Secret.of(found) if found else None
