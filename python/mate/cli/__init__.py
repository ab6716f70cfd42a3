"""The command `mate`: a file a command, each loaded when it is called and not before."""

import sys
from typing import Annotated, Any

import typer

from mate.cli.exits import INTERRUPTED, one_line_errors, prepare_streams
from mate.cli.lazy import LazyCommands

COMMANDS = (
    "deal",
    "show",
    "analyze",
    "solve",
    "play",
    "review",
    "puzzle",
    "selfplay",
    "arena",
    "tablebase",
    "perft",
    "bench",
    "engine",
    "court",
)


class MateCommands(LazyCommands):
    """The commands of `mate`; what goes wrong in one of them ends as `exits` says."""

    names = COMMANDS
    package = "mate.cli"

    def invoke(self, ctx: Any) -> Any:
        with one_line_errors():
            return super().invoke(ctx)


app = typer.Typer(cls=MateCommands, no_args_is_help=True, pretty_exceptions_enable=False)


def _print_version(wanted: bool) -> None:
    if wanted:
        from mate import __version__

        print(f"mate {__version__}")
        raise typer.Exit


@app.callback()
def mate(
    version: Annotated[
        bool,
        typer.Option(
            "--version", callback=_print_version, is_eager=True, help="Print the version."
        ),
    ] = False,
) -> None:
    """The exact engine for Mate, Capellen's card game of perfect information.

    Exit codes: 0 done, 1 wrong input, 2 wrong usage, 130 interrupted.
    """


def main() -> None:
    """Run the command line and exit."""
    prepare_streams()
    try:
        app()
    except KeyboardInterrupt:
        sys.exit(INTERRUPTED)
