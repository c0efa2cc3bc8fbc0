"""`pbem game new/list/show/export`."""

# ruff: noqa: FBT002  (that is how typer declares a flag)

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path  # noqa: TC003  (typer reads the annotations)
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.markup import escape
from rich.table import Table

from pbem.app.codes import SERIES, fit_code
from pbem.cli.codes import Code, find_game, open_store, valid_addresses, valid_language
from pbem.cli.screen import ConfigOption, JsonOption, complain, fail, load, local, out, say, write_json

if TYPE_CHECKING:
    from pbem.engine.options import Options
    from pbem.engine.view import PublicView
    from pbem.settings import Settings
    from pbem.store import Tx

app = typer.Typer(
    help="Open games, list them, look at them, export them.",
    epilog="Example: pbem game new --series autumn --option 'executions=tue 22:00,sun 22:00'",
    no_args_is_help=True,
)


@app.command(
    epilog="Example: pbem game new --storyteller conteur@village.example --language en --option inactivity=off"
)
def new(
    config: ConfigOption = None,
    code: Annotated[
        str | None, typer.Option(help="Its code; else the next free one: PL1, PL2 …", show_default=False)
    ] = None,
    storyteller: Annotated[
        list[str] | None,
        typer.Option(help="His address, may be repeated; else those of the configuration.", show_default=False),
    ] = None,
    series: Annotated[str, typer.Option(help="Games of one series follow each other (NEXT-1: immunity).")] = "",
    language: Annotated[str | None, typer.Option(help="The list's language, fr or en.", show_default=False)] = None,
    composition: Annotated[
        str, typer.Option(help="Whether all know which roles there are: hidden or public.")
    ] = "hidden",
    option: Annotated[
        list[str] | None,
        typer.Option(
            metavar="KEY=VALUE", help="Another rule than the configuration's; may be repeated.", show_default=False
        ),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Open a game: people may join by mail from now on, and its storyteller steers it by mail."""
    settings = load(config)
    chosen = _options(settings, language, composition, option or [])
    if not series.isprintable() or len(series) > SERIES:
        fail(f"--series: expected at most {SERIES} characters on one line")
    tellers = _addresses(settings, storyteller)
    from pbem import wiring  # noqa: PLC0415  (it loads much)
    from pbem.app import opening  # noqa: PLC0415  (as above)

    with open_store(settings, make=True) as kept, kept.begin() as tx:
        name = code.strip("[]").upper() if code else opening.next_code(tx, settings.game.code)
        _check_code(name)
        try:
            opening.open_game(
                wiring.office(settings, kept),
                tx,
                datetime.now(UTC),
                code=name,
                options=chosen,
                storytellers=tellers,
                series=series,
            )
        except opening.CodeTaken:
            fail(f"--code {name}: expected a code that no game has; taken are {', '.join(tx.game_codes())}")
    if as_json:
        write_json({"code": name, "series": series, "storytellers": list(tellers)})
        return
    tell = "tells" if len(tellers) == 1 else "tell"
    say(f"[bold]{name}[/] is open for registration; {_and(tellers)} {tell} the story.")
    say(f"To join: a mail to {escape(settings.game.address)} with the subject  \\[{name}] JOIN Your Name")
    say("A letter asks whether it was really you; whoever answers it, plays.")


def _and(names: tuple[str, ...]) -> str:
    """`a@x.example, b@x.example and c@x.example`, ready to be shown."""
    shown = [escape(name) for name in names]
    return " and ".join(one for one in (", ".join(shown[:-1]), *shown[-1:]) if one)


def _check_code(code: str) -> None:
    if not fit_code(code):
        fail(f"--code {code}: expected letters followed by digits, such as PL1")


def _addresses(settings: Settings, given: list[str] | None) -> tuple[str, ...]:
    if not given:
        return settings.game.storytellers
    found = valid_addresses("--storyteller", given)
    if {settings.game.address, settings.game.list_address} & set(found):
        fail("--storyteller: expected a person, not the address of the game or of the list")
    return tuple(dict.fromkeys(found))


def _options(settings: Settings, language: str | None, composition: str, given: list[str]) -> Options:
    """The configuration's rules with what the command line changes."""
    from dataclasses import replace  # noqa: PLC0415  (used here alone)

    from pbem.app import tables  # noqa: PLC0415  (it loads the engine)

    valid_language(settings, language)
    if composition not in {"hidden", "public"}:
        fail(f'--composition {composition}: expected "hidden" or "public"')
    chosen = tables.options(settings.model_copy(update={"rules": _rules(settings, given)}))
    return replace(chosen, language=language or chosen.language, composition=composition)


def _rules(settings: Settings, given: list[str]) -> Any:
    from pydantic import ValidationError  # noqa: PLC0415  (used here alone)

    from pbem.settings import Rules  # noqa: PLC0415  (as above)

    values: dict[str, Any] = dict(settings.rules.as_options())
    for pair in given:
        key, equals, value = pair.partition("=")
        key = key.strip()
        if not equals or key not in Rules.model_fields:
            fail(f"--option {pair}: expected KEY=VALUE with one of {', '.join(Rules.model_fields)}")
        changed = [part.strip() for part in value.split(",")] if key == "executions" else value.strip()
        try:
            Rules.model_validate({**values, key: changed})
        except ValidationError as error:
            fail(f"--option {pair}: expected {_expected(key, error)}")
        values[key] = changed
    return Rules.model_validate(values)


def _expected(key: str, error: Any) -> str:
    from pbem.settings import Rules  # noqa: PLC0415  (its module is loaded already)

    first = error.errors(include_url=False)[0]
    words = str(first.get("ctx", {}).get("error", "")) if first["type"] == "value_error" else ""
    return words.removeprefix("expected ") or Rules.model_fields[key].description or "another value"


@app.command("list", epilog="Example: pbem game list --json")
def list_(config: ConfigOption = None, as_json: JsonOption = False) -> None:
    """All games, the oldest first."""
    settings = load(config)
    with open_store(settings) as kept, kept.read() as tx:
        rows = [(row, _public(tx, row.id)) for row in tx.games()]
    if as_json:
        write_json([
            {
                "code": row.code, "series": row.series, "created": row.created.isoformat(),
                "ended": row.ended.isoformat() if row.ended else None, **_facts(view),
            }
            for row, view in rows
        ])  # fmt: skip
        return
    if not rows:
        say("There is no game yet: pbem game new")
        return
    table = Table("Game", "Series", "Phase", "Turn", "Ends", "Living", "Winner", box=None, header_style="bold")
    for row, view in rows:
        living = f"{len(view.living)} of {len(view.faces)}"
        deadline = local(view.deadline, view.options.timezone)
        table.add_row(row.code, escape(row.series), view.phase, str(view.turn), deadline, living, view.winner)
    out.print(table)


def _public(tx: Tx, game_id: int) -> PublicView:
    from pbem.engine.view import public_view  # noqa: PLC0415  (it loads the engine)

    return public_view(tx.load(game_id)[0])


def _facts(view: PublicView) -> dict[str, Any]:
    return {
        "phase": view.phase,
        "turn": view.turn,
        "deadline": view.deadline.isoformat() if view.deadline else None,
        "players": len(view.faces),
        "living": len(view.living),
        "winner": view.winner,
    }


@app.command(epilog="Example: pbem game show PL1")
def show(code: Code, config: ConfigOption = None, as_json: JsonOption = False) -> None:
    """One game as its village knows it: no secret is shown."""
    settings = load(config)
    with open_store(settings) as kept, kept.read() as tx:
        view = _public(tx, find_game(tx, code))
    if as_json:
        write_json({"code": view.code, **_facts(view), "seats": [_seat(view, face) for face in view.faces]})
        return
    say(f"[bold]{view.code}[/]  {view.phase}, turn {view.turn}, ends {local(view.deadline, view.options.timezone)}")
    table = Table("Seat", "Name", "", "Role", box=None, header_style="bold")
    for face in view.faces:
        notes = ", ".join(_notes(view, face))
        table.add_row(str(face.seat), escape(face.name), notes, face.role)
    out.print(table)
    if view.winner:
        names = ", ".join(escape(view.face(seat).name) for seat in view.winners)
        say(f"Winner: [bold]{view.winner}[/]" + (f" ({names})" if names else ""))


def _seat(view: PublicView, face: Any) -> dict[str, Any]:
    return {"seat": face.seat, "name": face.name, "alive": face.alive, "role": face.role, "notes": _notes(view, face)}


def _notes(view: PublicView, face: Any) -> list[str]:
    notes = []
    if not face.alive:
        notes.append(f"dead ({face.cause})" if face.cause else "dead")
    marks = {"mayor": face.mayor, "immune": face.immune, "ineligible": face.ineligible, "ghost": face.ghost}
    notes += [word for word, is_so in marks.items() if is_so]
    if face.seat in view.winners:
        notes.append("won")
    return notes


@app.command(epilog="Example: pbem game export PL1 --output PL1.json")
def export(
    code: Code,
    config: ConfigOption = None,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="The file to write; else standard output.", show_default=False)
    ] = None,
    people: Annotated[
        bool, typer.Option("--people", help="With addresses and letters under way, for pbem game import.")
    ] = False,
) -> None:
    """A game's whole log as JSON, for pbem verify and for keeps. Of a game that is not over that is every secret."""
    settings = load(config)
    from pbem.app.export import export as exported  # noqa: PLC0415  (it loads much)

    with open_store(settings) as kept, kept.read() as tx:
        game_id = find_game(tx, code)
        value, over = exported(tx, game_id, people=people), tx.game(game_id).over
    if not over:
        complain(f"{code} is not over: this file holds its secrets")
    if output is None:
        write_json(value)
        return
    from pbem.app.privately import write  # noqa: PLC0415  (used here alone)

    try:
        write(output, json.dumps(value, indent=1, ensure_ascii=False).encode("utf-8", "replace"))
    except OSError as error:
        fail(f"{output}: cannot be written ({error.strerror})")


@app.command("import", epilog="Example: pbem game export PL1 --people -o PL1.json; pbem game import PL1.json")
def import_(
    file: Annotated[Path, typer.Argument(metavar="FILE", show_default=False, help="What pbem game export wrote.")],
    config: ConfigOption = None,
) -> None:
    """Take a game into this database; one that goes on needs its people. Let one program only serve it then.

    Exit code 0: it is here; 1: it cannot come in; 2: the file is no export.
    """
    settings = load(config)
    from pbem.app.importing import CannotImport, NotAnExport, bring_in  # noqa: PLC0415  (it loads much)

    try:
        text = file.read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        fail(f"{file}: cannot be read ({getattr(error, 'strerror', None) or 'not UTF-8'})")
    try:
        with open_store(settings, make=True) as kept, kept.begin() as tx:
            code = bring_in(tx, text)
    except NotAnExport as error:
        fail(f"{file}: {error}; expected a file that pbem game export wrote")
    except CannotImport as error:
        fail(f"{file}: {error}", 1)
    say(f"[bold]{escape(code)}[/] is here.")
