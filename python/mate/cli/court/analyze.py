"""`mate court analyze`: the double-dummy truth about a deal, or about a hand that was played."""

from dataclasses import asdict
from typing import Annotated, Any

import typer

from mate.cli.court.options import SeatOption, TrumpOption, VariantOption, variant_of
from mate.cli.court.reading import hand_of_deal, hand_of_record, is_deal
from mate.cli.options import JsonOption
from mate.cli.output import console_of, print_json
from mate.cli.reading import refuse_options
from mate.court_piece.analysis import Analysis, analyze
from mate.court_piece.cards import SEAT_NAMES
from mate.court_piece.hand import Hand
from matecore.court_piece import UNNAMED, Solver

app = typer.Typer(add_completion=False)


@app.command()
def analyze_command(
    words: Annotated[
        list[str],
        typer.Argument(
            metavar="DEAL|RECORD",
            help="A deal as PBN, quoted or not, or a file of records; - reads a deal from standard "
            "input.",
        ),
    ],
    trump: TrumpOption = None,
    caller: Annotated[
        int | None,
        SeatOption("--caller", "Who names the trump of a deal and leads; E unless told."),
    ] = None,
    variant: VariantOption = "seed",
    moves: Annotated[
        str | None, typer.Option("--moves", help='Play a deal on: --moves "AS 2S 3S 4S".')
    ] = None,
    hand: Annotated[
        int | None, typer.Option("--hand", min=1, help="Which one of a file; 1 unless told.")
    ] = None,
    after: Annotated[
        int | None,
        typer.Option(
            "--after",
            min=0,
            help="How many moves of a record to play, the naming of the trump among them; "
            "unless told, all of a hand that is not over, else those before the first lead.",
        ),
    ] = None,
    json: JsonOption = False,
) -> None:
    """Say what every move is worth when all four hands are seen, and whether a court is to be had.

    Tricks and points are those of the side to act, with what it has already.
    """
