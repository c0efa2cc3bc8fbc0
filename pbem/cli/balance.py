"""`pbem balance`: who wins how often with which roles, by playing whole games among bots."""

# ruff: noqa: FBT002  (that is how typer declares a flag)

from __future__ import annotations

from pathlib import Path  # noqa: TC003  (typer looks at it)
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.markup import escape
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

from pbem.cli.screen import JsonOption, err, fail, out, say, write_json

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pbem.balance.compositions import Composition
    from pbem.balance.figures import Share
    from pbem.balance.table import Bots
    from pbem.balance.trial import Report

DETAILED = 3
"""So many compositions are told role by role."""


def add_to(app: typer.Typer) -> None:
    """The command of this module."""
    app.command(epilog="Example: pbem balance 12 wild:16-20 'werewolf=2 seer=1 villager=5' --games 2000")(balance)


def balance(  # noqa: PLR0917  (typer passes all of them by name)
    compositions: Annotated[
        list[str],
        typer.Argument(
            metavar="COMPOSITION…",
            show_default=False,
            help="12, wild:12, wild:8-16, wild (a whole table), or roles: 'werewolf=2 seer=1 villager=5'.",
        ),
    ],
    games: Annotated[int, typer.Option(min=1, help="How many games of each.")] = 1000,
    effects: Annotated[
        int | None,
        typer.Option(min=0, help="How many games without each role; 0: none.", show_default="a quarter of --games"),
    ] = None,
    seed: Annotated[str, typer.Option(help="The same seed gives the same figures.")] = "1",
    jobs: Annotated[int | None, typer.Option(min=1, help="How many processes.", show_default="one a core")] = None,
    village: Annotated[str, typer.Option(help="How the village plays: random, plain or sensible.")] = "sensible",
    wolves: Annotated[str, typer.Option(help="How the others play.")] = "sensible",
    plot: Annotated[
        Path | None, typer.Option(metavar="FILE.svg", dir_okay=False, writable=True, help="Draw a picture.")
    ] = None,
    odds: Annotated[
        Path | None,
        typer.Option(metavar="FILE.toml", dir_okay=False, writable=True, help="Write what to expect of each of them."),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Play whole games among bots, and tell who wins how often, how long it takes, and what each role changes."""
    from pbem.app.odds import written  # noqa: PLC0415  (it loads everything)
    from pbem.balance import chart  # noqa: PLC0415  (as above)
    from pbem.balance import odds as expected  # noqa: PLC0415  (as above)
    from pbem.balance.minds import STRENGTHS  # noqa: PLC0415  (as above)
    from pbem.balance.table import Bots  # noqa: PLC0415  (as above)

    for strength in (village, wolves):
        if strength not in STRENGTHS:
            fail(f"{strength}: bots are {', '.join(STRENGTHS)}")
    wanted = _wanted(compositions)
    for file in filter(None, (plot, odds)):
        _refuse_unwritable(file)
    without = games // 4 if effects is None else effects
    reports = _play(wanted, games, without, Bots(village, wolves), seed, jobs)
    if plot:
        _write(plot, chart.draw(reports, f"Who wins: {games} games each, seed {seed}"))
    if odds:
        _write(odds, expected.table({written(one.composition.counts): expected.odds_of(one.tally) for one in reports}))
    if as_json:
        write_json([_json(report) for report in reports])
    else:
        _show(reports, games, seed)


def _refuse_unwritable(file: Path) -> None:
    """What cannot be written is told before an hour of playing, not after it. Leaves no file behind."""
    from pbem.app.places import unwritable  # noqa: PLC0415  (it loads much)

    folder = file.absolute().parent
    if not folder.is_dir():
        fail(f"{file}: cannot be written (there is no folder {folder})")
    if not file.exists() and (why := unwritable(folder)):
        fail(f"{file}: cannot be written ({why})")


def _write(file: Path, text: str) -> None:
    try:
        file.write_text(text, "utf-8")
    except OSError as error:
        fail(f"{file}: cannot be written ({error.strerror})")


def _wanted(texts: Sequence[str]) -> list[Composition]:
    from pbem.balance.compositions import NoCompositionError, read  # noqa: PLC0415  (it loads much)

    try:
        return [composition for text in texts for composition in read(text)]
    except NoCompositionError as error:
        fail(str(error))


def _play(
    wanted: Sequence[Composition], games: int, without: int, bots: Bots, seed: str, jobs: int | None
) -> list[Report]:
    from pbem.balance import trial  # noqa: PLC0415  (it loads much)

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=err, transient=True) as progress, trial.workers(jobs) as crew:
        task = progress.add_task("Playing", total=sum(trial.games_in(one, games, without) for one in wanted))
        return [
            trial.report(one, games, without, bots, seed, crew, lambda more: progress.advance(task, more))
            for one in wanted
        ]


# --- for machines ---


def _json(report: Report) -> dict[str, Any]:
    from pbem.balance.figures import SIDES  # noqa: PLC0415  (it loads much)

    tally = report.tally
    return {
        "composition": report.composition.name,
        "players": report.composition.players,
        "roles": dict(report.composition.counts),
        "games": tally.games,
        "sides": {side: _share(tally.side(side)) for side in SIDES},
        "roles_win": {slug: _share(tally.role(slug)) for slug, _ in report.composition.counts},
        "days": {"mean": round(tally.mean_length, 2), "median": tally.length(0.5), "p90": tally.length(0.9)},
        "effects": {
            effect.role: {"village": _share(effect.village), "wolves": _share(effect.wolves)}
            for effect in report.effects
        },
    }


def _share(share: Share) -> dict[str, float]:
    return {"share": round(share.value, 4), "low": round(share.low, 4), "high": round(share.high, 4)}


# --- for people ---


def _show(reports: Sequence[Report], games: int, seed: str) -> None:
    out.print(_sides(reports))
    if len(reports) <= DETAILED:
        for report in reports:
            out.print(_roles(report))
    say(f"[dim]{games} games each, seed {escape(seed)}. In brackets: 95 % intervals; days that 9 games of 10 need.[/]")
    if any(report.effects for report in reports):
        say("[dim]What a role adds, in points: against a villager (for a wolf: a plain werewolf) in its place.[/]")


def _percent(share: Share) -> str:
    return f"{share.value:.1%} [dim]({100 * share.low:.0f}–{100 * share.high:.0f})[/]"


def _signed(share: Share) -> str:
    strong = "[bold]" if share.low > 0 or share.high < 0 else "[dim]"
    return f"{strong}{100 * share.value:+.1f}[/] [dim]({100 * share.low:+.0f} to {100 * share.high:+.0f})[/]"


def _sides(reports: Sequence[Report]) -> Table:
    table = Table("Roles", "Village", "Wolves", "Lovers", "Beast", "Nobody", "Days")
    for report in reports:
        tally = report.tally
        rare = (f"{tally.side(side).value:.1%}" for side in ("lovers", "beast", "nobody"))
        table.add_row(
            escape(report.composition.name),
            _percent(tally.side("village")), _percent(tally.side("wolves")), *rare,
            f"{tally.mean_length:.1f} [dim](≤{tally.length(0.9)})[/]",
        )  # fmt: skip
    return table


def _roles(report: Report) -> Table:
    table = Table(
        "Role", "How many", "Wins", "Adds to village", "Adds to wolves",
        title=escape(report.composition.name),
    )  # fmt: skip
    effects = {effect.role: effect for effect in report.effects}
    for slug, number in report.composition.counts:
        effect = effects.get(slug)
        shifts = (_signed(effect.village), _signed(effect.wolves)) if effect else ("", "")
        table.add_row(slug, str(number), _percent(report.tally.role(slug)), *shifts)
    return table
