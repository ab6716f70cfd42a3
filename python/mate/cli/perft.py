"""`mate perft`: how many ways there are to play on."""

import sys
import time
from typing import Annotated

import typer

from mate.cli.options import (
    POSITION_HELP,
    POSITION_SETTINGS,
    JsonOption,
    LeaderOption,
    VariantOption,
)
from mate.cli.output import Waiting, print_json
from mate.cli.reading import read_game, variant_of
from mate.game import Game

app = typer.Typer(add_completion=False)

# Moves at the root that are gone through one by one, so that progress can be shown.
ROOT_DEPTH = 2


@app.command(context_settings=POSITION_SETTINGS)
def perft(
    words: Annotated[list[str], typer.Argument(metavar="POSITION|DEAL", help=POSITION_HELP)],
    depth: Annotated[int, typer.Option("--depth", min=0, help="How many moves at most.")] = 8,
    variant: VariantOption = "bga",
    leader: LeaderOption = None,
    json: JsonOption = False,
) -> None:
    """Count the sequences of 1, 2, 3 ... moves; copies of a card count apart.

    A game that ends earlier counts only at its own length, as in chess.
    """
    game = read_game(words, variant_of(variant), leader)
    if not json:
        print(f"{'depth':>5} {'sequences':>16} {'seconds':>10} {'million/s':>10}")
    for now in range(min(depth, 1), depth + 1):
        since = time.perf_counter()
        total = count(game, now)
        _print_row(now, total, time.perf_counter() - since, json)
        if not total:
            return  # nor is there a longer one


def _print_row(depth: int, total: int, seconds: float, json: bool) -> None:
    if json:
        print_json({"depth": depth, "sequences": total, "seconds": round(seconds, 6)})
    else:
        rate = total / max(seconds, 1e-9) / 1e6
        print(f"{depth:5} {total:16,} {seconds:10.3f} {rate:10.1f}")
    sys.stdout.flush()


def count(game: Game, depth: int) -> int:
    """Return how many sequences of exactly `depth` moves there are, showing progress."""
    roots = list(_roots(game, min(depth, ROOT_DEPTH)))
    total = 0
    with Waiting(f"depth {depth}", len(roots)) as waiting:
        for done, root in enumerate(roots):
            waiting.update(done)
            for action in root:
                game.push(action)
            total += game.perft(depth - len(root))
            for _ in root:
                game.pop()
    return total


def _roots(game: Game, depth: int) -> list[tuple[int, ...]]:
    if not depth:
        return [()]
    found = []
    for action in game.legal_actions:
        game.push(action)
        found += [(action, *rest) for rest in _roots(game, depth - 1)]
        game.pop()
    return found
