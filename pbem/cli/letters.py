"""`pbem letters preview`: for hosts and translators who want to see what goes out."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.markup import escape

from pbem.cli.screen import ConfigOption, JsonOption, fail, load, say, write_json

if TYPE_CHECKING:
    from pbem.letters.samples.preview import Shown

app = typer.Typer(
    help="Look at the letters that the game writes.",
    epilog="Example: pbem letters preview --out letters-preview",
    no_args_is_help=True,
)


@app.callback()
def _root() -> None:
    """So that `preview` is named even while it is the only command."""


OutOption = Annotated[Path, typer.Option("--out", help="A folder for the page.", file_okay=False, show_default=False)]


@app.command(epilog="Example: pbem letters preview --out letters-preview --config pbem.toml")
def preview(
    out: OutOption,
    config: ConfigOption = None,
    as_json: JsonOption = False,  # noqa: FBT002  (that is how typer declares a flag)
) -> None:
    r"""Write every letter, in every language, gender and state of a sample game, into a page that you can browse.

    With a configuration, its own templates (\[letters] templates) are shown where they stand in for the program's.
    """
    settings = load(config, reading_only=True)
    from pbem import wiring  # noqa: PLC0415  (it loads much; a wrong option should be told at once)
    from pbem.letters.samples import preview as previewing  # noqa: PLC0415  (as above)

    shown: list[Shown] = []
    try:
        wiring.proofread(settings, lambda scribe: shown.extend(previewing.write(scribe, out)))
    except OSError as error:
        fail(f"{out}: cannot be written ({error.strerror})", 1)
    page = out / previewing.INDEX
    if as_json:
        write_json({"page": str(page), "letters": len(shown), "kinds": sorted({one.kind for one in shown})})
    else:
        say(f"{len(shown)} letters written. Open {escape(str(page))}")
