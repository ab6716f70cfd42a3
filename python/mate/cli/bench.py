"""`mate bench`: how fast the engine is here, and a signature of its search."""

import random
import statistics
import time
from typing import TYPE_CHECKING, Annotated

import typer

import matecore
from mate.cli.options import JsonOption, VariantOption
from mate.cli.output import Waiting, print_json
from mate.cli.reading import variant_of
from mate.deal import Deal
from mate.game import Game
from mate.variant import Variant

if TYPE_CHECKING:
    import numpy as np

app = typer.Typer(add_completion=False)

SEED = 20240229
RUNS = 3
CHUNK = 8  # deals between two looks at the clock
PUSHES = 20_000


@app.command()
def bench(
    count: Annotated[int, typer.Option("--count", min=1, help="How many deals.")] = 200,
    variant: VariantOption = "bga",
    json: JsonOption = False,
) -> None:
    """Solve a fixed set of random deals on one thread, for either leader.

    The nodes are a signature: they change only when the search does.
    """
    rules = variant_of(variant)
    masks = fixed_deals(rules, count)
    with Waiting("solving", RUNS * count) as waiting:
        runs = [_run(rules, masks, waiting, run * count) for run in range(RUNS)]
    nodes, seconds = runs[0][0], statistics.median(seconds for _, seconds in runs)
    found = {
        "variant": rules.name,
        "deals": count,
        "nodes": nodes,
        "ms_per_deal": round(1000 * seconds / count, 4),
        "nodes_per_second": round(nodes / seconds),
        "push_pop_us": round(push_pop_seconds(rules, masks) * 1e6, 3),
    }
    if json:
        print_json(found)
    else:
        for name, value in found.items():
            print(f"{name.replace('_', ' '):17} {value:>14}")


def fixed_deals(variant: Variant, count: int) -> "np.ndarray":
    """Return the masks of deals that are the same everywhere and for ever, uint32 (count, 2)."""
    import numpy as np

    # Of all generators at hand this is the one whose numbers are promised never to change.
    rng = random.Random(SEED)
    n_cards, size = variant.deck.n_cards, variant.deck.hand_size
    masks = np.empty((count, 2), dtype=np.uint32)
    for row in masks:
        keys = [rng.random() for _ in range(n_cards)]
        hand = sorted(range(n_cards), key=keys.__getitem__)[:size]
        row[0] = sum(1 << card for card in hand)
        row[1] = (1 << n_cards) - 1 - int(row[0])
    return masks


def _run(variant: Variant, masks: "np.ndarray", waiting: Waiting, before: int) -> tuple[int, float]:
    import numpy as np

    solver = matecore.Solver(variant.rules)
    out = np.empty((len(masks), 2), dtype=np.int16)
    seconds = 0.0
    for start in range(0, len(masks), CHUNK):
        waiting.update(before + start)
        since = time.perf_counter()
        solver.solve(masks[start : start + CHUNK], out[start : start + CHUNK])
        seconds += time.perf_counter() - since
    return solver.nodes, seconds


def push_pop_seconds(variant: Variant, masks: "np.ndarray") -> float:
    """Return what `Game.push` and `pop` together take, the median of a few runs."""
    game = Game(Deal(int(masks[0, 0]), int(masks[0, 1]), variant.deck), variant)
    move = game.legal_moves[0]
    return statistics.median(_time_pushes(game, move) for _ in range(RUNS)) / PUSHES


def _time_pushes(game: Game, move: str) -> float:
    push, pop = game.push, game.pop
    since = time.perf_counter()
    for _ in range(PUSHES):
        push(move)
        pop()
    return time.perf_counter() - since
