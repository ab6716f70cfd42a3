"""Exact values of whole deals: milliseconds a deal, both leaders, on one thread, by variant."""

import numpy as np

import mate
import matecore
from report import arguments, median_seconds, report

MUST = {"bga": 0.6, "capellen": 12.0, "capellen,deck=double24": 40.0}
AIM = {"bga": 0.2, "capellen": 3.0, "capellen,deck=double24": 10.0}


def random_masks(variant: mate.Variant, count: int) -> np.ndarray:
    """Return `count` random deals as masks, the same at every call."""
    rng = np.random.default_rng(1)
    deals = [mate.Deal.random(rng, variant.deck) for _ in range(count)]
    return np.array([(deal.x.mask, deal.y.mask) for deal in deals], dtype=np.uint32)


def measure(name: str, count: int, runs: int) -> dict[str, object]:
    """Return the row of one variant."""
    variant = mate.Variant.of(name)
    masks = random_masks(variant, count)
    out = np.empty((count, 2), dtype=np.int16)
    nodes = 0

    def work() -> None:
        nonlocal nodes
        solver = matecore.Solver(variant.rules)
        solver.solve(masks, out)
        nodes = solver.nodes

    milliseconds = median_seconds(work, runs) / count * 1e3
    return {
        "variant": name,
        "deals": count,
        "ms/deal": milliseconds,
        "must": MUST.get(name, ""),
        "aim": AIM.get(name, ""),
        "nodes/deal": nodes // count,
        "ns/node": milliseconds * 1e6 * count / nodes,
    }


def main() -> None:
    """Measure every preset and the deck of 24."""
    options = arguments(__doc__).parse_args()
    rows = []
    for name in [*mate.PRESETS, "capellen,deck=double24"]:
        count = 1000 if mate.Variant.of(name).foreplace is None else 100
        rows.append(measure(name, count, options.runs))
    report(rows, options.json)


if __name__ == "__main__":
    main()
