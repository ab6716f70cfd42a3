"""Every layer of every preset's whole game against the search, at random positions."""

import argparse
import random
import time
from concurrent.futures import ThreadPoolExecutor

import mate
import matecore
from matecore.index import Layer, layers


def build(rules: matecore.Rules) -> matecore.Tablebase:
    """Return the tablebase, built on two threads."""
    retrograde = matecore.Retrograde(rules)

    def work(step: int) -> None:
        while retrograde.work(step):
            pass

    with ThreadPoolExecutor(2) as pool:
        for step in range(1, retrograde.n_steps + 1):
            list(pool.map(work, [step] * 2))
    return retrograde.tablebase()


def position_of(rules: matecore.Rules, layer: Layer, cards: list[int]) -> matecore.Position | None:
    """Return the position with the cards in that order, or None if no game comes to it."""
    x, rest = cards[: layer.n_leader], cards[layer.n_leader :]
    y, rest = rest[: layer.n_follower], rest[layer.n_follower :]
    fore = [rest.pop() if layer.state >> player & 1 else None for player in range(2)]
    hands = [sum(1 << card for card in hand) for hand in (x, y)]
    free = bool(layer.state & 4)
    try:
        return matecore.Position(rules, *hands, trick=layer.trick, free=free, foreplaced=fore)
    except matecore.InvalidPosition:
        return None


def differing(
    table: matecore.Tablebase, solver: matecore.Solver, layer: Layer, count: int
) -> tuple[int, int]:
    """Return how many of random positions were compared, and how many differ."""
    rng, compared, wrong = random.Random(layer.offset), 0, 0
    for _ in range(count):
        cards = rng.sample(range(table.rules.n_cards), table.rules.n_cards)
        position = position_of(table.rules, layer, cards)
        if position is not None:
            compared += 1
            value = table.probe(*position.hands, layer.state)
            wrong += not value == table.value(position) == solver.value(position)
    return compared, wrong


def main() -> None:
    """Print a line for each layer; exit with 1 if anything differs."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=10_000, help="positions of each layer")
    parser.add_argument("--variants", nargs="+", default=list(mate.PRESETS), help="presets")
    options = parser.parse_args()
    total = 0
    for name in options.variants:
        rules = mate.Variant.of(name).rules
        table, solver = build(rules), matecore.Solver(rules)
        for layer in layers(rules):
            start = time.perf_counter()
            compared, wrong = differing(table, solver, layer, options.count)
            total += wrong  # no game comes to some layers: there nothing is compared
            cards = f"{layer.n_leader} against {layer.n_follower}"
            seconds = time.perf_counter() - start
            print(name, f"state {layer.state}", cards, compared, "compared", wrong, "differ",
                  f"{seconds:.1f} s", flush=True)  # fmt: skip
    raise SystemExit(total > 0)


if __name__ == "__main__":
    main()
