"""`mate court match`: two players of ours against each other, on the same cards from both sides."""

import time
from typing import Annotated

import typer

from mate.cli.court.options import VariantOption, variant_of
from mate.cli.options import JsonOption
from mate.cli.output import Waiting, print_json

app = typer.Typer(add_completion=False)

PLAYER = "random, greedy, montecarlo:n, or level:1 to level:5."


@app.command("match")
def match_command(
    a: Annotated[str, typer.Argument(metavar="A", help=PLAYER)],
    b: Annotated[str, typer.Argument(metavar="B", help="Whom A plays against; as A.")],
    deals: Annotated[
        int, typer.Option("--deals", min=1, help="On each a hand from either side.")
    ] = 100,
    variant: VariantOption = "seed",
    seed: Annotated[int, typer.Option("--seed", min=0, help="The same seed, the same hands.")] = 0,
    json: JsonOption = False,
) -> None:
    """Say how many points a hand A scores more than B, over duplicate hands.

    Each plays both seats of a side, and every deal is played again with the sides exchanged.
    """
    from mate.court_piece.duelling import duel

    rules = variant_of(variant)
    since = time.perf_counter()
    with Waiting("playing", deals) as waiting:

        def show(done: int, total: int) -> None:
            waiting.update(done)

        found = duel(a, b, deals, rules, seed, show)
    if json:
        print_json(found.to_plain() | {"seconds": time.perf_counter() - since})
    else:
        print(found)
