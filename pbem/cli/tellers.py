"""`pbem game storyteller`."""

# ruff: noqa: FBT002  (that is how typer declares a flag)

from __future__ import annotations

from datetime import UTC, datetime
from typing import Annotated

import typer
from rich.markup import escape

from pbem.cli.codes import Code, find_game, open_store, valid_addresses, valid_language
from pbem.cli.screen import ConfigOption, JsonOption, fail, load, say, write_json


def add_to(app: typer.Typer) -> None:
    """The command of this module."""
    app.command(epilog="Example: pbem game storyteller PL1 --add anna@example.org;   … PL1 --remove bob@example.org")(
        storyteller
    )


def storyteller(
    code: Code,
    add: Annotated[list[str] | None, typer.Option(help="Name one more; may be repeated.", show_default=False)] = None,
    remove: Annotated[
        list[str] | None, typer.Option(help="This one steers no longer; may be repeated.", show_default=False)
    ] = None,
    language: Annotated[str | None, typer.Option(help="His language, fr or en.", show_default=False)] = None,
    config: ConfigOption = None,
    as_json: JsonOption = False,
) -> None:
    """Say who steers a game, name a co-storyteller (he is sent its whole secret state), or let one go."""
    settings = load(config)
    valid_language(settings, language)
    added, removed = valid_addresses("--add", add), valid_addresses("--remove", remove)
    from pbem import wiring  # noqa: PLC0415  (it loads much)
    from pbem.app import tellers  # noqa: PLC0415  (as above)

    with open_store(settings) as kept, kept.begin() as tx:
        game_id, office = find_game(tx, code), wiring.office(settings, kept)
        try:
            for address in added:
                tellers.name(office, tx, game_id, address, datetime.now(UTC), language=language or "")
            for address in removed:
                tellers.dismiss(tx, game_id, address)
        except tellers.Unfit as error:
            fail(str(error))
        steering = [row.address for row in tx.storytellers(game_id)]
    if as_json:
        write_json(steering)
        return
    say(f"[bold]{escape(code.strip('[]').upper())}[/] is steered by {escape(', '.join(steering))}.")
