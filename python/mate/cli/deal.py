"""`mate deal`: random deals."""

import sys
from typing import Annotated

import typer

from mate.cli.options import JsonOption, SeedOption, VariantOption
from mate.cli.output import console_of, print_json
from mate.cli.reading import variant_of
from mate.deal import Deal
from mate.game import Game
from mate.variant import Variant

app = typer.Typer(add_completion=False)


@app.command()
def deal(
    count: Annotated[int, typer.Option("--count", min=0, help="How many deals.")] = 1,
    seed: SeedOption = None,
    variant: VariantOption = "bga",
    json: JsonOption = False,
) -> None:
    """Deal at random, a deal a line.

    On a terminal a single deal is also shown as a board.
    """
    import numpy as np

    rules = variant_of(variant)
    rng = np.random.default_rng(seed)
    for _ in range(count):
        drawn = Deal.random(rng, rules.deck)
        if json:
            print_json({"variant": rules.name, "deal": str(drawn)})
        else:
            print(drawn)
    if count == 1 and not json and sys.stdout.isatty():
        _show_board(drawn, rules)


def _show_board(drawn: Deal, rules: Variant) -> None:
    from mate.render.grid import grid

    console_of().print("", grid(Game(drawn, rules)), sep="\n")
