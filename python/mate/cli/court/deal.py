"""`mate court deal`: random deals."""

import sys
from typing import Annotated

import typer

from mate.cli.court.options import VariantOption, variant_of
from mate.cli.options import JsonOption, SeedOption
from mate.cli.output import console_of, print_json
from mate.court_piece.cards import SEAT_NAMES
from mate.court_piece.deal import Deal
from mate.court_piece.variant import Variant

app = typer.Typer(add_completion=False)


@app.command()
def deal(
    count: Annotated[int, typer.Option("--count", min=0, help="How many deals.")] = 1,
    seed: SeedOption = None,
    variant: VariantOption = "seed",
    json: JsonOption = False,
) -> None:
    """Deal at random, a deal a line, as PBN; North deals.

    On a terminal a single deal is also shown as a table.
    """
    import numpy as np

    rules = variant_of(variant)
    rng = np.random.default_rng(seed)
    for _ in range(count):
        drawn = Deal.random(rng, variant=rules)
        if json:
            print_json(_described(drawn, rules))
        else:
            print(drawn)
    if count == 1 and not json and sys.stdout.isatty():
        _show_table(drawn)


def _described(drawn: Deal, rules: Variant) -> dict[str, object]:
    return {
        "variant": rules.name,
        "deal": str(drawn),
        "dealer": SEAT_NAMES[drawn.dealer],
        "caller": SEAT_NAMES[drawn.caller],
        "first_five": None if drawn.first_five is None else str(drawn.first_five),
        "turned": drawn.turned,
    }


def _show_table(drawn: Deal) -> None:
    from mate.render.court.diagram import deal_diagram

    console_of().print("", deal_diagram(drawn), sep="\n")
