"""The commands `mate court`, of Court Piece: a file a command, loaded when it is called."""

import typer

from mate.cli.lazy import LazyCommands

COMMANDS = ("deal", "solve", "analyze", "play", "match")


class CourtCommands(LazyCommands):
    """The commands of `mate court`."""

    names = COMMANDS
    package = "mate.cli.court"


app = typer.Typer(cls=CourtCommands, no_args_is_help=True, add_completion=False)


@app.callback()
def court() -> None:
    """Court Piece, a game of hidden hands and trumps: deal, solve, analyze, play."""
