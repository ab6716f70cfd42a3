"""`mate show`: a deal, a position or a game, as text or as a picture."""

import re
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from mate.cli.options import (
    POSITION_HELP,
    POSITION_SETTINGS,
    JsonOption,
    LeaderOption,
    Player,
    VariantOption,
)
from mate.cli.output import console_of, print_json
from mate.cli.reading import read_game, variant_of
from mate.cli.writing import write_whole
from mate.game import Game

app = typer.Typer(add_completion=False)

TRICK_NUMBER = re.compile(r"\b\d+\.+")  # as a line of play is printed, 1.7c Tc 2.Kd

Picture = StrEnum("Picture", ["french", "chess"])


@app.command(context_settings=POSITION_SETTINGS)
def show(
    words: Annotated[list[str], typer.Argument(metavar="POSITION|DEAL", help=POSITION_HELP)],
    variant: VariantOption = "bga",
    leader: LeaderOption = None,
    moves: Annotated[
        str | None, typer.Option("--moves", help='Play on from there: --moves "7c Tc Kd".')
    ] = None,
    svg: Annotated[
        str | None,
        typer.Option("--svg", metavar="FILE", help="Draw it into a file; - for standard output."),
    ] = None,
    theme: Annotated[
        Picture | None, typer.Option("--theme", help="Of the picture; the deck's own unless told.")
    ] = None,
    dark: Annotated[bool, typer.Option("--dark", help="A picture for dark ground.")] = False,
    json: JsonOption = False,
) -> None:
    """Show a deal or a position, or a game that was played from there, as a board or a picture."""
    if svg is None and (theme or dark):
        raise typer.BadParameter("--theme and --dark are for a picture, and there is no --svg")
    if svg == "-" and json:
        raise typer.BadParameter("--svg - and --json would both print on standard output")
    game = game_shown(words, variant, leader, moves)
    if svg is not None:
        _draw(game, svg, theme, dark)
    if json:
        print_json(_described(game))
    elif svg is None:
        _print(game)


def game_shown(words: list[str], variant: str, leader: Player | None, moves: str | None) -> Game:
    """Return the game that the words and moves of the command tell of.

    Raises:
        MateError: they tell of none.
    """
    game = read_game(words, variant_of(variant), leader)
    for move in TRICK_NUMBER.sub(" ", moves or "").split():
        game.push(move)
    return game


def _draw(game: Game, file: str, theme: Picture | None, dark: bool) -> None:
    from mate.render.svg import svg

    picture = svg(game, theme.value if theme else None, dark)
    if file == "-":
        print(picture, end="")
    else:
        write_whole(Path(file), picture)


def _described(game: Game) -> dict[str, object]:
    return {
        "variant": game.variant.name,
        "position": str(game),
        "moves": game.moves,
        "to_move": None if game.is_over else game.to_move,
        "legal_moves": game.legal_moves,
        "result": game.result,
    }


def _print(game: Game) -> None:
    from mate.render.grid import grid
    from mate.render.text import ended, numbered, outcome_of, situation

    console = console_of()
    console.print(f"{game.variant.name}  {game}", soft_wrap=True)
    if game.moves:
        console.print(numbered(game.root(), tuple(game.moves)))
    console.print(situation(game), "", grid(game), sep="\n")
    if game.is_over:
        console.print("", ended(outcome_of(game), game.variant.deck), sep="\n")
