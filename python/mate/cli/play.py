"""`mate play`: a game against the engine in the terminal."""

from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated

import typer

from mate.cli.options import (
    POSITION_SETTINGS,
    JsonOption,
    LeaderOption,
    Player,
    SeedOption,
    VariantOption,
)
from mate.cli.output import print_json
from mate.cli.reading import first_line, game_of, refuse_options, variant_of
from mate.deal import Deal
from mate.game import Game
from mate.render.text import outcome_of
from mate.variant import Variant

if TYPE_CHECKING:
    from mate.cli.dialogue import Dialogue

app = typer.Typer(add_completion=False)


@app.command(context_settings=POSITION_SETTINGS)
def play(
    words: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[DEAL]",
            help="A deal or a position; - reads it from standard input, before the moves.",
        ),
    ] = None,
    seed: SeedOption = None,
    variant: VariantOption = "bga",
    leader: LeaderOption = None,
    side: Annotated[Player, typer.Option("--side", case_sensitive=False, help="You.")] = Player.x,
    json: JsonOption = False,
) -> None:
    """Play a game against the engine, which always plays a best move.

    With --json the game is shown on standard error, and printed as an object when it is over.
    """
    from mate.cli.dialogue import Dialogue
    from mate.cli.terminal import Terminal

    game = _game_to_play(words, variant_of(variant), leader, seed)
    terminal = Terminal(stderr=json)
    dialogue = Dialogue(game, side.value, terminal.ask, terminal.say)
    dialogue.run()
    if json:
        print_json(_record(dialogue))


def _game_to_play(
    words: list[str] | None, variant: Variant, leader: Player | None, seed: int | None
) -> Game:
    if not words:
        return Game(Deal.random(seed, variant.deck), variant, leader.value if leader else "x")
    refuse_options(words)
    if seed is not None:
        raise typer.BadParameter("--seed is for a random deal, and a deal is given")
    return game_of(first_line() if words == ["-"] else " ".join(words), variant, leader)


def _record(dialogue: "Dialogue") -> dict[str, object]:
    game = dialogue.game
    outcome = outcome_of(game)
    return {
        "variant": game.variant.name,
        "start": str(dialogue.start),
        "side": dialogue.side,
        "moves": game.moves,
        "position": str(game),
        "result": game.result,
        "outcome": asdict(outcome) if outcome else None,
    }
