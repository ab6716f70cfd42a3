"""`mate analyze`: the exact truth about a deal or a position."""

from dataclasses import asdict
from typing import Annotated

import typer

from mate.analysis import Analysis
from mate.cli.options import (
    POSITION_HELP,
    POSITION_SETTINGS,
    JsonOption,
    LeaderOption,
    TablebaseOption,
    VariantOption,
)
from mate.cli.output import analyze_waiting, console_of, print_json
from mate.cli.reading import opened_tablebase, read_game, variant_of
from mate.game import Game

app = typer.Typer(add_completion=False)

FIELDS = (
    "variant", "position", "to_move", "value", "outcome", "best", "moves", "nodes", "seconds",
    "source",
)  # fmt: skip


@app.command(context_settings=POSITION_SETTINGS)
def analyze_command(
    words: Annotated[list[str], typer.Argument(metavar="POSITION|DEAL", help=POSITION_HELP)],
    variant: VariantOption = "bga",
    leader: LeaderOption = None,
    tablebase: TablebaseOption = None,
    json: JsonOption = False,
) -> None:
    """Say who wins under best play, how, and what every move would bring.

    Values are margins in points of the player to act.
    """
    game = read_game(words, variant_of(variant), leader)
    analysis = analyze_waiting(game, tablebase=opened_tablebase(tablebase, game.variant))
    if json:
        found = asdict(analysis)
        print_json({field: found[field] for field in FIELDS})
    else:
        _show(game, analysis)


def _show(game: Game, analysis: Analysis) -> None:
    from mate.render.grid import grid
    from mate.render.table import moves_table, verdict
    from mate.render.text import situation

    console = console_of()
    console.print(f"{analysis.variant}  {analysis.position}", soft_wrap=True)
    console.print(situation(game))
    console.print("", grid(game), "", verdict(analysis, game), sep="\n")
    if analysis.moves:
        console.print("", moves_table(analysis.moves, game), sep="\n")
    work = "looked up" if analysis.source == "tablebase" else f"{analysis.nodes} positions"
    console.print(f"\n{work} in {analysis.seconds:.3f} s", style="dim")
