"""What commands about games share: the store, the game of a code, addresses as options, the completion of codes."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated

import typer

from pbem.cli.screen import fail, load
from pbem.settings import ConfigError
from pbem.settings.fields import mail_address

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pbem.settings import Settings
    from pbem.store import Store, Tx


@contextmanager
def open_store(settings: Settings, *, make: bool = False) -> Iterator[Store]:
    """The settings' store, closed afterwards."""
    from pbem import wiring  # noqa: PLC0415  (it loads much; a wrong option should be told at once)

    try:
        kept = wiring.store(settings, make=make)
    except wiring.NoDatabaseError as error:
        fail(str(error), 1)
    try:
        yield kept
    finally:
        kept.close()


def find_game(tx: Tx, code: str) -> int:
    """The id of the game that is called so."""
    game_id = tx.game_id(code.strip("[]")) if code.isascii() else None
    if game_id is None:
        fail(f"there is no game {code}; expected one of {', '.join(tx.game_codes()) or 'none yet: pbem game new'}")
    return game_id


def valid_language(settings: Settings, given: str | None) -> None:
    """End the command if `--language` names one that there are no letters in."""
    if given is None:
        return
    from pbem import wiring  # noqa: PLC0415  (it loads much)

    known = wiring.scribe(settings).languages
    if given not in known:
        fail(f"--language {given}: expected {' or '.join(known)}")


def valid_addresses(option: str, given: list[str] | None) -> list[str]:
    """The addresses that an option gave, checked."""
    found = []
    for address in given or []:
        try:
            found.append(mail_address(address))
        except ValueError as error:
            fail(f"{option} {address}: expected {error}")
    return found


def _codes(context: typer.Context, incomplete: str) -> list[str]:
    """For the shell's completion: the games of the configuration at hand. Silent if they cannot be had."""
    from pbem import wiring  # noqa: PLC0415  (it loads much)
    from pbem.store import StoreError  # noqa: PLC0415  (as above)

    try:
        kept = wiring.store(load(context.params.get("config")), make=False)
    except (ConfigError, StoreError, wiring.NoDatabaseError):
        return []
    try:
        with kept.read() as tx:
            return [code for code in tx.game_codes() if code.startswith(incomplete.upper())]
    except StoreError:
        return []
    finally:
        kept.close()


Code = Annotated[
    str,
    typer.Argument(metavar="CODE", show_default=False, help="The game's code, such as PL1.", autocompletion=_codes),
]
