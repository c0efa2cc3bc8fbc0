"""`pbem archive build/serve`."""

# ruff: noqa: FBT002  (that is how typer declares a flag)

from __future__ import annotations

import contextlib
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated

import typer
from rich.markup import escape

from pbem.cli.screen import ConfigOption, JsonOption, fail, load, say, write_json

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pbem.app.publishing import Publisher
    from pbem.settings import Settings

app = typer.Typer(
    help="Write the readers' web site, and show it.",
    epilog="Example: pbem archive build; pbem archive serve --port 8080",
    no_args_is_help=True,
)


_HERE = "127.0.0.1"


@contextmanager
def _publisher(settings: Settings) -> Iterator[Publisher]:
    if settings.archive.folder is None:
        fail(f"{settings.origin}: archive.folder is missing; expected a folder for the web site")
    from pbem import wiring  # noqa: PLC0415  (it loads much; a wrong option should be told at once)
    from pbem.app import places  # noqa: PLC0415  (as above)

    places.archive(settings)
    try:
        kept = wiring.store(settings, make=False)
    except wiring.NoDatabaseError as error:
        fail(str(error), 1)
    try:
        yield wiring.publisher(settings, kept)
    finally:
        kept.close()


@app.command(epilog="Example: pbem archive build --config pbem.toml")
def build(config: ConfigOption = None, as_json: JsonOption = False) -> None:
    """Write the whole web site anew. (`pbem run` writes what changes, by itself.)"""
    settings = load(config)
    with _publisher(settings) as publisher:
        try:
            codes = publisher.build()
        except OSError as error:
            fail(f"{settings.archive.folder}: cannot be written ({error.strerror})", 1)
    if as_json:
        write_json({"folder": str(settings.archive.folder), "games": codes})
    else:
        say(f"{len(codes)} game(s) written: {escape(str(settings.archive.folder))}")


@app.command(epilog="Example: pbem archive serve --port 8080   (put your web server in front of it)")
def serve(
    config: ConfigOption = None,
    host: Annotated[str, typer.Option(help="The address to listen on: this machine's own, if you do not say.")] = _HERE,
    port: Annotated[int, typer.Option(min=0, max=65535, help="The TCP port; 0 for any free one.")] = 8080,
) -> None:
    """Show the web site to browsers, and take readers' one-click unsubscriptions. Ctrl-C ends it."""
    settings = load(config)
    with _publisher(settings) as publisher:
        try:
            publisher.publish_changed()
            site = publisher.website(host, port)
        except OSError as error:
            fail(f"{host}:{port}: {error.strerror or error}", 1)
        with site, contextlib.suppress(KeyboardInterrupt):
            say(f"The archive is at [bold]http://{escape(host)}:{site.server_port}/[/]. Ctrl-C ends it.")
            site.serve_forever()
