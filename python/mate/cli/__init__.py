"""The command `mate`: a file a command, each loaded when it is called and not before."""

import sys
from importlib import import_module
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from mate.cli.exits import INTERRUPTED, one_line_errors, prepare_streams

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
)


class LazyCommands(TyperGroup):
    """The commands by name; what goes wrong in one of them ends as `exits` says."""

    def list_commands(self, ctx: Any) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        if cmd_name not in COMMANDS:
            return None
        command = typer.main.get_command(import_module(f"mate.cli.{cmd_name}").app)
        command.name = cmd_name
        return command

    def invoke(self, ctx: Any) -> Any:
        with one_line_errors():
            return super().invoke(ctx)


app = typer.Typer(cls=LazyCommands, no_args_is_help=True, pretty_exceptions_enable=False)


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
