"""`mate arena`: two players against each other, on the same deals from both seats."""

import time
from typing import Annotated

import typer

from mate.cli.options import JsonOption, TablebaseOption, ThreadsOption, VariantOption
from mate.cli.output import Waiting, print_json
from mate.cli.reading import opened_tablebase, variant_of

app = typer.Typer(add_completion=False)

POLICY = "random, greedy, optimal, epsilon:P or softmax:T."


@app.command("arena")
def arena_command(
    a: Annotated[str, typer.Argument(metavar="A", help=POLICY)],
    b: Annotated[str, typer.Argument(metavar="B", help="Whom A plays against; as A.")],
    rounds: Annotated[
        int, typer.Option("--rounds", min=1, help="Deals; on each a round from either seat.")
    ] = 1000,
    variant: VariantOption = "bga",
    seed: Annotated[int, typer.Option("--seed", min=0, help="The same seed, the same games.")] = 0,
    threads: ThreadsOption = None,
    tablebase: TablebaseOption = None,
    json: JsonOption = False,
) -> None:
    """Say how much better A plays than B, and what each of them errs a decision.

    Both play every deal from both seats. Errors are told by exact values.
    """
    from mate.arrays.arena import arena

    rules = variant_of(variant)
    opened = opened_tablebase(tablebase, rules)
    since = time.perf_counter()
    with Waiting("playing", rounds) as waiting:

        def show(done: int, total: int) -> None:
            waiting.update(done)

        found = arena(a, b, rounds, rules, seed, threads, opened, show)
    if json:
        print_json(found.to_plain() | {"seconds": time.perf_counter() - since})
    else:
        print(found)
