"""`mate court analyze`: the double-dummy truth about a deal, or about a hand that was played."""

from dataclasses import asdict
from typing import Annotated, Any

import typer

from mate.cli.court.options import ToldVariantOption, TrumpOption, seat_of, variant_of
from mate.cli.court.reading import Told, hand_of_deal, hand_of_record, is_deal
from mate.cli.options import JsonOption
from mate.cli.output import console_of, print_json
from mate.court_piece.analysis import Analysis, analyze
from mate.court_piece.cards import SEAT_NAMES
from mate.court_piece.hand import Hand
from matecore.court_piece import Solver

app = typer.Typer(add_completion=False)


@app.command("analyze")
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
        typer.Option(
            "--caller",
            metavar="SEAT",
            parser=seat_of,
            help="Who names the trump of a deal and leads; E unless told.",
        ),
    ] = None,
    variant: ToldVariantOption = None,
    moves: Annotated[
        str | None, typer.Option("--moves", help='Play a deal on: --moves "S AS 2S 3S 4S".')
    ] = None,
    hand: Annotated[
        int | None,
        typer.Option("--hand", min=1, help="Which hand of a file of records; 1 unless told."),
    ] = None,
    after: Annotated[
        int | None,
        typer.Option(
            "--after",
            min=0,
            help="How many moves of a record to play, the naming of the trump among them; unless "
            "told, all of a hand that is not over, else those before the first lead.",
        ),
    ] = None,
    json: JsonOption = False,
) -> None:
    """Say what every move is worth when all four hands are seen, and whether a court is to be had.

    Tricks are those that the side to act collects from here on, points those of the whole hand.
    Trump, caller, variant and moves can be told of a record that does not tell them itself, such as
    a deal on a line.
    """
    told = Told(None if variant is None else variant_of(variant), caller, trump, moves)
    if is_deal(words):
        if hand is not None or after is not None:
            raise typer.BadParameter("--hand and --after are for a file of records")
        played = hand_of_deal(words, told)
    else:
        played = hand_of_record(" ".join(words), hand or 1, after, told)
    if json:
        print_json(_described(played))
    else:
        _show(played)


# --- What is to be had ---------------------------------------------------------------------------


def prospects(hand: Hand, analysis: Analysis) -> dict[str, bool]:
    """Say whether the side to act can have seven tricks, all of them, or the first seven."""
    tricks = hand.collected[hand.to_act % 2] + analysis.tricks
    return {"seven": tricks >= 7, "thirteen": tricks == 13, "first_seven": _first_seven(hand)}


def _first_seven(hand: Hand) -> bool:
    solver, core, side = Solver(hand.variant.rules), hand.core, hand.to_act % 2
    if hand.trump is not None:
        return solver.first_seven(core, side)
    named = []
    for trump in core.legal_actions():
        named.append(core.copy())
        named[-1].push(trump)
    return any(solver.first_seven(position, side) for position in named)


# --- Showing -------------------------------------------------------------------------------------


def _described(hand: Hand) -> dict[str, Any]:
    analysis = analyze(hand)
    return {
        "variant": hand.variant.name,
        "deal": str(hand.deal),
        "caller": SEAT_NAMES[hand.caller],
        "trump": hand.trump,
        "played": hand.moves,
        "to_act": None if hand.is_over else SEAT_NAMES[hand.to_act],
        "collected": hand.collected,
        "tricks": analysis.tricks,
        "points": analysis.points,
        **prospects(hand, analysis),
        "line": analysis.line,
        "moves": [asdict(move) for move in analysis.moves],
        "nodes": analysis.nodes,
        "seconds": analysis.seconds,
    }


def _show(hand: Hand) -> None:
    from mate.render.court.analysis import best_line, moves_table, verdict
    from mate.render.court.table import hand_diagram
    from mate.render.court.words import ended, situation

    console, analysis = console_of(), analyze(hand)
    console.print(f"{hand.variant.name}  {hand.deal}", soft_wrap=True)
    if hand.is_over:
        console.print(ended(hand))
        return
    console.print(situation(hand), "", hand_diagram(hand), "", sep="\n")
    console.print(verdict(hand, analysis, prospects(hand, analysis)))
    console.print("", moves_table(analysis.moves), "", best_line(hand, analysis.line), sep="\n")
    console.print(f"\n{analysis.nodes} positions in {analysis.seconds:.3f} s", style="dim")
