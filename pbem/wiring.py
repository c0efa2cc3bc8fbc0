"""The composition root: from settings to the parts that work together. Nothing else in the program builds them.

What only the running program needs is imported where it is built, so that small commands start quickly.
"""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

from pbem import resources
from pbem.app import places, upgrade
from pbem.settings import ConfigError
from pbem.store import Store
from pbem.store.connection import sqlite_file

if TYPE_CHECKING:
    from collections.abc import Callable

    from pbem.app.clock import Clock
    from pbem.app.daemon import Daemon
    from pbem.app.odds import Odds
    from pbem.app.office import Office
    from pbem.app.publishing import Publisher
    from pbem.app.tables import Counts
    from pbem.app.tokens import Tokens
    from pbem.letters.scribe import Scribe
    from pbem.mail.authenticity import Trust
    from pbem.orders.house import House
    from pbem.settings import Settings
    from pbem.store import OutboxRow, Tx


class NoDatabaseError(Exception):
    """There is no database yet, or one of an earlier version; the text says what makes it usable."""


def store(settings: Settings, *, make: bool = True) -> Store:
    """The store of `[database]`, with all its tables; one of an earlier version is brought up, a copy of it kept.

    Raises ConfigError if there can be none, StoreError; without `make`, NoDatabaseError if it is a file that is not
    there yet, or of an earlier version.
    """
    places.database(settings, writes=make)
    file = sqlite_file(settings.database.url)
    if not make and file is not None and not file.exists():
        raise NoDatabaseError(f"there is no database yet ({file}): pbem game new or pbem run makes it")
    opened = Store(settings.database.url)
    try:
        if not make:
            _refuse_older(opened.url)
        upgrade.bring_up(opened, datetime.now(UTC))
    except BaseException:
        opened.close()
        raise
    return opened


def _refuse_older(url: str) -> None:
    version = upgrade.look(url)
    if version.older:
        found = f"schema {version.found or 'none'}, not {version.wanted}"
        raise NoDatabaseError(f"the database is of an earlier version ({found}): pbem run brings it to this one")


def scribe(settings: Settings) -> Scribe:
    """The writer of letters, with the host's own templates before those that come with the program.

    Raises ConfigError if the folder that he names is not there, or there are no letters in the language that he wants.
    """
    from pbem.letters.scribe import Scribe  # noqa: PLC0415

    own = settings.letters.templates
    if own is not None and not own.is_dir():
        raise settings.refusal("letters.templates", own, "a folder")
    writer = Scribe([*([own] if own else []), resources.templates_dir()])
    if settings.game.language not in writer.languages:
        known = f"a language that there are letters in: {' or '.join(writer.languages)}"
        raise settings.refusal("game.language", settings.game.language, known)
    return writer


def proofread(settings: Settings, make: Callable[[Scribe], object] | None = None) -> None:
    """Compile the host's own templates, and make every sample letter of them (by `make`, if it wants those letters).

    Nothing is done where he has none, unless `make` does it. Raises ConfigError that names file, line and what is
    wrong, and what `scribe` raises.
    """
    from pbem.letters.samples import proof  # noqa: PLC0415

    own = settings.letters.templates
    if own is None:
        if make is not None:
            make(scribe(settings))
        return
    wrong = proof.read(scribe(settings), own, make)
    if wrong:
        more = f" (and {len(wrong) - 1} more)" if len(wrong) > 1 else ""
        raise ConfigError(f"{settings.origin}: letters.templates: {wrong[0].text}{more}")


def office(settings: Settings, kept: Store, tokens: Tokens | None = None) -> Office:
    """What the application works with, without anything running."""
    from pbem.app.office import Office  # noqa: PLC0415

    writer = scribe(settings)
    return Office(kept, writer, settings, tokens) if tokens else Office(kept, writer, settings)


def daemon(
    settings: Settings,
    clock: Clock | None = None,
    *,
    kept: Store | None = None,
    tokens: Tokens | None = None,
    announce: Callable[[str, str], None] | None = None,
    durable: bool = True,
    backup: bool = True,
) -> Daemon:
    """The running program over the settings' store (or `kept`), ready for `serve`. Raises ConfigError, StoreError."""
    from pbem.app import undeliverable  # noqa: PLC0415
    from pbem.app.agendas import Agendas  # noqa: PLC0415
    from pbem.app.clock import WallClock  # noqa: PLC0415
    from pbem.app.daemon import Daemon  # noqa: PLC0415
    from pbem.app.odds import Oracle  # noqa: PLC0415
    from pbem.app.receive import Receiver  # noqa: PLC0415

    places.check(settings)
    time = clock or WallClock()
    opened = kept or Store(settings.database.url)
    agendas = Agendas()
    receiver = Receiver(opened, scribe(settings), settings, tokens, agendas)

    def refused(tx: Tx, letter: OutboxRow, why: str) -> None:
        undeliverable.tell(receiver.office, tx, letter, why, time.now())

    return Daemon(
        settings, opened, receiver, time, announce=announce, undeliverable=refused, durable=durable,
        publisher=publisher(settings, opened), oracle=Oracle(receiver.office, time, _foretell), backup=backup,
        agendas=agendas,
    )  # fmt: skip


def _foretell(counts: Counts, stopped: Callable[[], bool]) -> Odds | None:
    from pbem.balance.odds import foretell  # noqa: PLC0415

    return foretell(counts, stopped)


def publisher(settings: Settings, kept: Store) -> Publisher:
    """Who writes the archive of that store."""
    from pbem.app.publishing import Publisher  # noqa: PLC0415

    return Publisher(kept, settings)


def house(settings: Settings) -> House:
    """Where the game lives, for reading a mail without a store (`pbem explain`)."""
    from pbem.orders.house import House  # noqa: PLC0415

    game = settings.game
    return House(
        address=game.address,
        authserv_id=settings.authserv_id or None,
        subaddressing=game.tags == "plus",
        list_address=game.list_address,
        storyteller=game.storytellers,
    )


def trust(settings: Settings) -> Trust:
    """Whose word counts about who wrote a mail (MAIL.md § 4)."""
    from pbem.mail.authenticity import Trust  # noqa: PLC0415

    auth = settings.auth
    return Trust(settings.authserv_id or None, auth.received_by or None, auth.mode)
